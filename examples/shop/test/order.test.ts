import { Money, Purchase, User, catalog, checkout, format } from "../src/index";
import { equal } from "./check";

const shirt = new catalog.Product("p1", "Shirt", Money(1900));
const order = Purchase.open(User.guest()).add(shirt).add({ product: shirt, count: 2, größe: catalog.sizes[2] });
equal(format(order.total), "61.00 EUR");
equal(catalog.価格(shirt, "L"), 2100);
equal(await checkout(order, { pay: async () => true }), "61.00 EUR paid, tax 9.74 EUR");
