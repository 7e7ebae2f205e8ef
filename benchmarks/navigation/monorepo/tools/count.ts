// No tsconfig names this file.
import { Basket } from "../packages/core/src/basket";
import { Apple } from "../packages/core/src/fruit";

export function count(basket: Basket): number {
  return [...basket].filter((fruit) => fruit instanceof Apple).length;
}
