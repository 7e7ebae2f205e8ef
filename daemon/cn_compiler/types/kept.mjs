// What is known of a program, or of its checker, and serves every question as long as that stays.

/**
 * Makes something once for each key, which it does not keep alive.
 * @template {object} Key @template {unknown[]} Rest @template Value
 * @param {(key: Key, ...rest: Rest) => Value} make @returns {(key: Key, ...rest: Rest) => Value}
 */
export function keptFor(make) {
  /** @type {WeakMap<Key, Value>} */
  const known = new WeakMap();
  return (key, ...rest) => {
    let found = known.get(key);
    if (found === undefined) known.set(key, (found = make(key, ...rest)));
    return found;
  };
}
