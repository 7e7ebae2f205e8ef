import type { Entity } from "./entity";

export interface Store<T extends Entity> {
  readonly size: number;
  get(id: T["id"]): T | undefined;
  put(...items: T[]): this;
}

/** Keeps everything in memory, in the order in which it came. */
export class MemoryStore<T extends Entity> implements Store<T>, Iterable<T> {
  private readonly items = new Map<T["id"], T>();

  get size(): number {
    return this.items.size;
  }

  get(id: T["id"]): T | undefined {
    return this.items.get(id);
  }

  put(...items: T[]): this {
    for (const item of items) {
      this.items.set(item.id, item);
    }
    return this;
  }

  [Symbol.iterator](): Iterator<T> {
    return this.items.values();
  }
}

export function byId<T extends Entity>(store: Store<T>): (id: T["id"]) => T {
  return (id) => {
    const item = store.get(id);
    if (!item) {
      throw new Error(`nothing has the id ${id}`);
    }
    return item;
  };
}
