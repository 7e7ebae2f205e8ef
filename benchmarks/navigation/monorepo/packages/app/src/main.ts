import createPress, { Apple, Container, type Fruit, measure, rating, units } from "@orchard/core";
import * as core from "@orchard/core";
import table, { exchange } from "@orchard/core/units";
import { plant } from "@orchard/legacy";
import { render } from "./view";

export class Shop<T extends Fruit> {
  private static instance?: Shop<Apple>;
  #till = 0;

  private constructor(private readonly stock: T[]) {}

  static open(): Shop<Apple> {
    return (Shop.instance ??= new Shop([new Apple("Boskoop", 150)]));
  }

  sell(customer: string): number {
    const basket = new Container().add(...this.stock);
    const price = measure(basket) * (table.get("g") ?? units.GRAM);
    this.#till += price;
    return exchange(price, units.GRAM, core.units.KILOGRAM);
  }

  get till(): number {
    return this.#till;
  }

  best(): T | undefined {
    return this.stock.find((fruit) => rating(fruit) === "A");
  }
}

export async function run(): Promise<string> {
  const shop = Shop.open();
  shop.sell("Ada");
  const juice = createPress(new core.Container());
  juice.squeeze();
  juice.clean();
  const { describeTree } = await import("@orchard/core");
  plant("Elstar", 3);
  return render({ title: describeTree({ fruit: [] }), total: shop.till });
}

export default run;
