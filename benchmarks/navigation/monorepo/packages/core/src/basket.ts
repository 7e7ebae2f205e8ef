import { Apple, type Fruit, Plain, Ripeness } from "./fruit";
import type * as fruits from "./fruit";

export type BasketEvents = {
  added: (fruit: Fruit, at: number) => void;
  emptied(): void;
};

type Listener<K extends keyof BasketEvents> = BasketEvents[K];

function logged(target: object, key: string): void {
  void target;
  void key;
}

const sealed = <T extends abstract new (...values: never[]) => unknown>(constructor: T): T => constructor;

/**
 * Holds fruit.
 *
 * @example new Basket().add(apple)
 */
@sealed
export class Basket {
  @logged
  private readonly fruits: Fruit[] = [];
  private listeners = new Map<keyof BasketEvents, Listener<"added">[]>();

  /** Adds one or many. */
  add(fruit: Fruit): this;
  add(...fruit: Fruit[]): this;
  add(...fruit: Fruit[]): this {
    for (const one of fruit) {
      this.fruits.push(one);
      this.listeners.get("added")?.forEach((listener) => {
        const at = Date.now();
        listener(one, at);
      });
    }
    return this;
  }

  on(event: "added", listener: BasketEvents["added"]): void {
    const known = this.listeners.get(event) ?? [];
    this.listeners.set(event, [...known, listener]);
  }

  @logged
  get total(): number {
    return weigh(this.fruits);
  }

  *[Symbol.iterator](): Iterator<Fruit> {
    yield* this.fruits;
  }
}

/** The weight of all. */
export function weigh(all: Iterable<Fruit>): number;
export function weigh(all: Iterable<Fruit>, unit: "kg" | "g"): number;
export function weigh(all: Iterable<Fruit>, unit: "kg" | "g" = "g"): number {
  let sum = 0;
  for (const { weight } of all) sum += weight;
  return unit === "kg" ? sum / 1000 : sum;
}

export const defaults = {
  capacity: 12,
  "max-weight": 4000,
  ripe: { least: Ripeness.Green, most: Ripeness.Ripe },
  accepts(fruit: Fruit): boolean {
    return fruit.weight < this["max-weight"];
  },
  describe: (fruit: fruits.Fruit) => `${fruit.name}: ${fruit.weight} g`,
  get half() {
    return this.capacity / 2;
  },
} as const;

export const { capacity, ripe: limits } = defaults;
export const [first, , third = "Cox"] = [...Apple.varieties];

export const isPlain = (fruit: Fruit): fruit is Plain => fruit instanceof Plain;
