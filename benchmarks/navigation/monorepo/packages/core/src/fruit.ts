/** How ripe a fruit is. */
export enum Ripeness {
  Green = "green",
  Ripe = "ripe",
  Rotten = "rotten",
}

export const enum Size {
  Small = 1,
  Large = Small * 4,
}

/** What hangs on a tree. */
export interface Fruit {
  readonly name: string;
  weight: number;
  ripeness?: Ripeness;
  "shelf-life"?: number;
  ripen(days: number): Fruit;
}

/** The rest of what hangs on a tree. */
export interface Fruit {
  origin?: Origin;
}

export type Origin = {
  country: string;
  orchard?: { id: number; owner: string };
};

export abstract class Plain implements Fruit {
  static counted = 0;
  static #made = 0;
  readonly #seeds: number;
  protected peeled = false;

  constructor(
    readonly name: string,
    public weight: number,
    seeds = 0,
  ) {
    this.#seeds = seeds;
    Plain.counted += 1;
    Plain.#made += 1;
  }

  static get made(): number {
    return Plain.#made;
  }

  get seeds(): number {
    return this.#seeds;
  }

  set seeds(count: number) {
    if (count !== this.#seeds) throw new Error(`${this.name} has ${this.#seeds} seeds`);
  }

  abstract ripen(days: number): Fruit;

  protected peel(): this {
    this.peeled = true;
    return this;
  }
}

export class Apple extends Plain {
  ripeness: Ripeness = Ripeness.Green;
  size = Size.Small;

  ripen(days: number): Apple {
    this.ripeness = days > 3 ? Ripeness.Ripe : Ripeness.Green;
    return days > 30 ? this.rot() : this.peel();
  }

  private rot = (): Apple => {
    this.ripeness = Ripeness.Rotten;
    return this;
  };
}

export namespace Apple {
  export const varieties = ["Boskoop", "Elstar"] as const;
  export type Variety = (typeof varieties)[number];
}
