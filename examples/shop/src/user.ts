import { counted, model } from "./decorators";
import { Entity, type Named } from "./entity";

export type Role = "customer" | "clerk" | "admin";

/**
 * Somebody who buys or works in the shop.
 *
 * @example new User("u1", "Ada").rename("Ada Lovelace")
 */
@model("users")
export class User extends Entity implements Named {
  #name: string;
  role: Role = "customer";

  constructor(id: string, name: string) {
    super(id);
    this.#name = name;
  }

  /** The name as it is shown. */
  get name(): string {
    return this.#name;
  }

  set name(value: string) {
    this.#name = value.trim();
  }

  /** Gives the user another name and returns the old one. */
  @counted
  rename(name: string): string {
    const old = this.name;
    this.name = name;
    return old;
  }

  override describe(): string {
    return `${this.name} (${this.role})`;
  }

  static guest(): User {
    return new User("guest", "Guest");
  }
}

export class Admin extends User {
  override role: Role = "admin";

  override rename(name: string): string {
    return super.rename(`${name} ★`);
  }
}

export const isAdmin = (user: User): user is Admin => user instanceof Admin;
