import { Apple, Size } from "~core/fruit";
import { weigh } from "~core/basket";
import { headline } from "@/text";

export function report(apples: Apple[]): string {
  const large = apples.filter((apple) => apple.size === Size.Large);
  return headline(`${large.length} of ${apples.length}, ${weigh(apples, "kg")} kg`);
}
