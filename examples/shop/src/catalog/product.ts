import { counted, model } from "../decorators";
import { Entity, type Named } from "../entity";
import { type Money, format } from "../money";

@model("products")
export class Product extends Entity<`p${number}`> implements Named {
  constructor(
    id: `p${number}`,
    readonly name: string,
    readonly price: Money,
  ) {
    super(id);
  }

  @counted
  describe(): string {
    return `${this.name}: ${format(this.price)}`;
  }
}

/** 🧺 A basket label: the emoji is two UTF-16 units wide. */ export const basketLabel = "🧺 basket";

/** Größe eines Kleidungsstücks; 大きさ. */
export type Größe = "S" | "M" | "L";

export const größen: readonly Größe[] = ["S", "M", "L"];

export const 価格 = (product: Product, größe: Größe): number =>
  /* 👕 bigger costs more */ product.price.amount + 100 * größen.indexOf(größe);
