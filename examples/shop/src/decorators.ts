/** The names of all classes that are marked with {@link model}. */
export const models: string[] = [];

/** Registers a class under a table name. */
export function model(table: string) {
  return function <Class extends abstract new (...args: any[]) => object>(
    target: Class,
    context: ClassDecoratorContext<Class>,
  ): void {
    models.push(`${table}:${context.name ?? target.name}`);
  };
}

/** Counts the calls of a method. */
export function counted<This, Args extends unknown[], Result>(
  method: (this: This, ...args: Args) => Result,
  context: ClassMethodDecoratorContext<This, (this: This, ...args: Args) => Result>,
): (this: This, ...args: Args) => Result {
  return function (this: This, ...args: Args): Result {
    calls.set(context.name, (calls.get(context.name) ?? 0) + 1);
    return method.apply(this, args);
  };
}

export const calls = new Map<string | symbol, number>();
