// What the async storage of Node.js hands on of the types that it is given.
export class AsyncLocalStorage<T> {
  constructor(options?: { defaultValue?: T; name?: string });
  static bind<F extends (...args: any[]) => any>(fn: F): F;
  static snapshot(): <R, A extends any[]>(fn: (...args: A) => R, ...args: A) => R;
  disable(): void;
  getStore(): T | undefined;
  run<R>(store: T, callback: () => R): R;
  run<R, A extends any[]>(store: T, callback: (...args: A) => R, ...args: A): R;
  exit<R, A extends any[]>(callback: (...args: A) => R, ...args: A): R;
  enterWith(store: T): void;
}
