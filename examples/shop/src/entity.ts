/** Anything that has a name to show. */
export interface Named {
  readonly name: string;
}

/** A thing with an identity: two of them are the same when their ids are. */
export abstract class Entity<Id extends string = string> {
  constructor(readonly id: Id) {}

  equals(other: Entity<Id>): boolean {
    return this.id === other.id;
  }

  abstract describe(): string;
}
