import { taxOf } from "./legacy/tax.js";
import { format } from "./money";
import { type Order, OrderStatus } from "./order";
import { type User, isAdmin } from "./user";

export interface Payment {
  pay(order: Order): Promise<boolean>;
}

/** Takes the money and moves the order on. Admins pay nothing. */
export default async function checkout(order: Order, payment: Payment): Promise<string> {
  const free = isAdmin(order.customer);
  if (!free && !(await payment.pay(order))) {
    return refuse(order.customer);
  }
  order.advance(OrderStatus.Paid);
  return `${format(order.total)} paid, tax ${format({ ...order.total, amount: taxOf(order.total) })}`;
}

function refuse(user: User): string {
  return `${user.describe()} could not pay`;
}
