/** An amount in the smallest unit of its currency. */
export interface Money {
  readonly amount: number;
  readonly currency: Currency;
}

/** Makes money of the shop's own currency. */
export const Money = (amount: number, currency: Currency = Currency.EUR): Money => ({ amount, currency });

/** Types around {@link Money}. The name is a value, a type and a namespace at once. */
export namespace Money {
  export type Parts = { whole: number; cents: number };
}

export enum Currency {
  EUR = "EUR",
  JPY = "JPY",
  USD = "USD",
}

export function format(money: Money): string;
export function format(amount: number, currency: Currency): string;
export function format(value: Money | number, currency = Currency.EUR): string {
  const money = typeof value === "number" ? Money(value, currency) : value;
  const { whole, cents } = split(money);
  return `${whole}.${String(cents).padStart(2, "0")} ${money.currency}`;
}

export const add = (left: Money, right: Money): Money => {
  if (left.currency !== right.currency) {
    throw new RangeError(`${left.currency} and ${right.currency} cannot be added`);
  }
  return Money(left.amount + right.amount, left.currency);
};

export const sum = (all: Iterable<Money>): Money => [...all].reduce(add, Money(0));

function split({ amount }: Money): Money.Parts {
  return { whole: Math.trunc(amount / 100), cents: Math.abs(amount % 100) };
}
