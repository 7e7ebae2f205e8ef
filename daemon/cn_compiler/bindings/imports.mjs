// Which files may import a module: by the strings that stand where specifiers do, read from the texts without parsing them.

const SCRIPT = /\.[mc]?[jt]sx?$/;
// What follows `from`, `import`, a call's bracket, or a mock's list of types: more than specifiers, and all of them.
const SPECIFIERS = /(?:\bfrom|\bimport|[(,])\s*(?:\/\*[^*]*\*\/\s*)?(["'`])([^"'`\n\\$]{1,300})\1/g;

/** The strings of a text that may be specifiers. */
export function specifiersIn(/** @type {string} */ text) {
  const found = new Set();
  for (const [, , specifier] of text.matchAll(SPECIFIERS)) found.add(specifier);
  return found;
}

const CLAUSES = /\b(?:import|export)\s{0,99}([\w$\s,{}*]{0,2000}?)\s{0,99}(?:\bfrom\b\s{0,99}|\(\s{0,99})?(["'`])([^"'`\n]+)\2/g;

/** The imports of a text that may be those of a name: their specifiers. */
export function importing(/** @type {string} */ text, /** @type {string} */ word) {
  const found = [];
  for (const [, clause, , specifier] of text.matchAll(CLAUSES)) {
    // A namespace and a dynamic import may hold it, a default may be it.
    if (!clause || /[*]/.test(clause) || clause.split(/[^\p{L}\p{N}_$]+/u).includes(word) || /^\s*[\w$]+\s*(?:,|$)/.test(clause)) found.push({ specifier, names: clause.includes(word) });
  }
  return found;
}

/** The last part of a specifier without its ending; "" for "." and "..". */
export const tailOf = (/** @type {string} */ specifier) => {
  const bare = specifier.replace(/[?#].*$/, "").replace(/\/+$/, "").replace(/\/index(?:\.[a-z]+)?$/, "");
  const last = bare.slice(bare.lastIndexOf("/") + 1);
  return /^\.*$/.test(last) ? "" : last.replace(/(?:\.d)?\.[mc]?[jt]sx?$/, "");
};

export function matches(/** @type {string} */ pattern, /** @type {string} */ name) {
  const [before, after = ""] = pattern.split("*");
  return name.length >= before.length + after.length && name.startsWith(before) && name.endsWith(after);
}

export class Imports {
  /** @type {Map<string, Set<string>>} */
  #byFile = new Map();
  /** @type {Map<string, Map<string, string[]>> | undefined} tail -> specifier -> files */
  #byTail;

  /** @param {import("./listing.mjs").Files} files */
  constructor(files) {
    this.files = files;
  }
  changed(/** @type {Iterable<string>} */ paths) {
    for (const path of paths) this.#byFile.delete(path);
    this.#byTail = undefined;
  }

  /** The files that hold a specifier which ends so: specifier -> files. @returns {Map<string, string[]>} */
  ending(/** @type {string} */ tail) {
    this.#byTail ??= this.#read();
    return this.#byTail.get(tail) ?? new Map();
  }
  /** The files that hold a specifier of a pattern with one `*`. */
  matching(/** @type {string} */ pattern) {
    this.#byTail ??= this.#read();
    const found = new Set();
    for (const same of this.#byTail.values()) for (const [specifier, paths] of same) if (matches(pattern, specifier)) for (const path of paths) found.add(path);
    return found;
  }
  #read() {
    /** @type {Map<string, Map<string, string[]>>} */
    const found = new Map();
    for (const path of this.files.all()) {
      if (!SCRIPT.test(path)) continue;
      let specifiers = this.#byFile.get(path);
      if (!specifiers) this.#byFile.set(path, (specifiers = specifiersIn(this.files.read(path) ?? "")));
      for (const specifier of specifiers) {
        const tail = tailOf(specifier);
        let same = found.get(tail);
        if (!same) found.set(tail, (same = new Map()));
        const list = same.get(specifier);
        if (list) list.push(path);
        else same.set(specifier, [path]);
      }
    }
    return found;
  }
}
