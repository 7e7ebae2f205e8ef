import { Product, 価格, type Größe } from "./catalog";
import { Entity } from "./entity";
import { Money, sum } from "./money";
import type { User } from "./user";

export const enum OrderStatus {
  Open,
  Paid,
  Sent,
}

export type OrderEvent =
  | { kind: "added"; product: Product; count: number }
  | { kind: "status"; from: OrderStatus; to: OrderStatus };

export interface Line {
  product: Product;
  count: number;
  größe?: Größe;
}

export class Order extends Entity {
  static #last = 0;

  readonly lines: Line[] = [];
  status = OrderStatus.Open;
  onEvent: (event: OrderEvent) => void = () => {};

  private constructor(
    id: string,
    readonly customer: User,
  ) {
    super(id);
  }

  /** Opens an empty order. */
  static open(customer: User): Order {
    Order.#last += 1;
    return new Order(`o${Order.#last}`, customer);
  }

  add(product: Product): this;
  add(product: Product, count: number): this;
  add(line: Line): this;
  add(what: Product | Line, count = 1): this {
    const line: Line = what instanceof Product ? { product: what, count } : what;
    this.lines.push(line);
    this.onEvent({ kind: "added", product: line.product, count: line.count });
    return this;
  }

  get total(): Money {
    return sum(
      this.lines.map(({ product, count, größe = "S" }) => Money(価格(product, größe) * count, product.price.currency)),
    );
  }

  advance(to: OrderStatus): void {
    const from = this.status;
    this.status = to;
    this.onEvent({ kind: "status", from, to });
  }

  describe(): string {
    return `${this.id} of ${this.customer.name}, ${this.lines.length} lines`;
  }
}
