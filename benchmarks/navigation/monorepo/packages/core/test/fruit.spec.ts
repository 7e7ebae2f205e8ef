import { Apple, Ripeness } from "../src/fruit.ts";
import { Basket, weigh } from "../src/basket";
import press, { type PressOptions } from "../src/press";

declare function describe(name: string, body: () => void): void;
declare function it(name: string, body: () => void): void;

const options: PressOptions = { sieve: false };

describe("Apple", () => {
  const apple = new Apple("Elstar", 120);

  it("ripens", () => {
    if (apple.ripen(4).ripeness !== Ripeness.Ripe) {
      throw new Error("green");
    }
  });

  it("fills a basket", () => {
    const basket = new Basket().add(apple, apple.ripen(1));
    if (weigh(basket) !== 240) throw new Error("weight");
    press(basket, options).squeeze();
  });
});
