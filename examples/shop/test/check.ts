/** Fails unless both are the same. */
export function equal<T>(actual: T, expected: T): void {
  if (actual !== expected) {
    throw new Error(`${String(actual)} is not ${String(expected)}`);
  }
}
