import { Basket } from "./basket";

/** Makes juice. */
export default function makePress(basket: Basket, options: PressOptions = {}) {
  const { sieve = true } = options;
  let pressed = 0;
  function squeeze(): number {
    pressed += basket.total;
    return sieve ? pressed * 0.6 : pressed;
  }
  return {
    squeeze,
    clean() {
      pressed = 0;
    },
  };
}

export interface PressOptions {
  sieve?: boolean;
}

export type Press = ReturnType<typeof makePress>;
