// Which files may import a module: by the strings that stand where specifiers do, read from the texts without parsing them.

import { dirname, join, normalize } from "node:path";

import { COMPONENT } from "./components/names.mjs";

const SCRIPT = /\.[mc]?[jt]sx?$/;
/** Files that hold scripts, and are not parsed. */
export const EMBEDDING = /\.(?:vue|svelte|astro|mdx|html?)$/;
/** White space and comments. */
const GAP = String.raw`(?:\s|\/\*(?:[^*]|\*(?!\/)){0,999}\*\/|\/\/[^\n]{0,999}\n)*`;
/** What stands before the string of an import. */
export const IMPORTING = String.raw`(?:\bfrom${GAP}|\b(?:import|require)${GAP}\(?${GAP})`;
const SPECIFIER = "([\"'`])((?:[^\"'`\\n\\\\$]|\\$(?!\\{)){1,300})\\1";
// What follows `from`, `import`, `/// <reference types=`, a call's bracket, or a mock's list of types: more than specifiers, and all of them.
const SPECIFIERS = new RegExp(String.raw`(?:\bfrom|\bimport|\btypes=|[(,])${GAP}${SPECIFIER}`, "g");

// Prose holds many strings, and no mocks.
const EMBEDDED = new RegExp(IMPORTING + SPECIFIER, "g");

/** The strings of a text that may be specifiers. */
export function specifiersIn(/** @type {string} */ text, path = "") {
  const found = new Set();
  for (const [, , specifier] of text.matchAll(EMBEDDING.test(path) ? EMBEDDED : SPECIFIERS)) found.add(specifier);
  return found;
}

/** Lines of comments. */
const COMMENTED = /^[ \t]*(?:\*|\/\/).*/gm;
const REQUIRES = /(?:\b(?:const|let|var)\s{1,99}([\p{L}\p{N}_$\s,{}:]{1,2000}?)\s{0,99}=\s{0,99})?\brequire\s{0,9}\(\s{0,99}(["'`])([^"'`\n]+)\2/gu;
const CLAUSES = /\b(?:import|export)\s{0,99}([\p{L}\p{N}_$\s,{}*]{0,2000}?)\s{0,99}(?:\bfrom\b\s{0,99}|\(\s{0,99})?(["'`])([^"'`\n]+)\2/gu;

/** @typedef {{ specifier: string, names: string, isNamespace: boolean, isDefault: boolean }} Clause names: each between blanks */

/** What a text imports, hands on and requires, but for lines of comments: examples there import nothing. @returns {Clause[]} */
export function clausesIn(/** @type {string} */ text) {
  const code = text.replace(COMMENTED, "");
  const named = (/** @type {string} */ clause) => ` ${clause.split(/[^\p{L}\p{N}_$]+/u).join(" ")} `;
  const clauses = [];
  for (const [, clause, , specifier] of code.matchAll(CLAUSES)) {
    const isNamespace = !clause || clause.includes("*");
    clauses.push({ specifier, names: named(clause), isNamespace, isDefault: isNamespace || /^\s*[\w$]+\s*(?:,|$)|\bdefault\b/.test(clause) });
  }
  // What is required may be a default as well, and is all of the module but for a pattern.
  for (const [, clause = "", , specifier] of code.matchAll(REQUIRES)) {
    const isNamespace = !clause.includes("{");
    clauses.push({ specifier, names: named(clause), isNamespace, isDefault: isNamespace });
  }
  return clauses;
}

/** Those that may be imports of a name. holds: a namespace, or the name; names: the name; isAlone: and no other; isDefault: a default. */
export function importing(/** @type {Clause[]} */ clauses, /** @type {string} */ word) {
  const found = [];
  for (const { specifier, names: all, isNamespace, isDefault } of clauses) {
    const names = all.includes(` ${word} `);
    if (names || isDefault) found.push({ specifier, names, isAlone: all === ` ${word} `, holds: names || isNamespace, isDefault });
  }
  return found;
}

/** The last part of a specifier without its ending; "" for "." and "..". */
export const tailOf = (/** @type {string} */ specifier) => {
  const bare = specifier.replace(/[?#].*$/, "").replace(/\/+$/, "").replace(/\/index(?:\.[a-z]+)?$/, "");
  const last = bare.slice(bare.lastIndexOf("/") + 1);
  return /^\.*$/.test(last) ? "" : last.replace(/(?:\.d)?\.[mc]?[jt]sx?$/, "");
};

/** Tells whether a pattern that stands in a file may name a module: `./pages/*.tsx`, `@/lang/*` in whatever folder, `pages/*` in one of that name. */
export function naming(/** @type {string} */ pattern, /** @type {string} */ from) {
  const bare = pattern.replace(/[?#].*$/, "");
  const isRelative = /^\.{1,2}\//.test(bare);
  const whole = isRelative ? normalize(join(dirname(from), bare)) : bare.replace(/^(?:[@~#$][\w-]*)?\/|^(?=\w)/, "/");
  const parts = [...(isRelative ? [] : [""]), ...whole.replace(/\*+\/?|\{[^{}]*\}/g, "*").split("*")];
  if (bare.startsWith("!") || !/\w/.test(bare)) return (/** @type {string} */ module) => isRelative && module.startsWith(parts[0]);
  return (/** @type {string} */ module) => {
    if (follows(module, parts)) return true;
    const stem = module.replace(/(?:\.d)?\.[mc]?[jt]sx?$/, "");
    return follows(stem, parts) || follows(`${stem}.js`, parts) || (stem.endsWith("/index") && follows(stem.slice(0, -6), parts));
  };
}
/** Whether a path starts with the first part, ends with the last, and holds the others between, in order. */
function follows(/** @type {string} */ path, /** @type {string[]} */ parts) {
  const last = parts[parts.length - 1];
  if (parts.length === 1) return path === last;
  if (!path.startsWith(parts[0])) return false;
  let at = parts[0].length;
  for (const part of parts.slice(1, -1)) {
    const next = path.indexOf(part, at);
    if (next < 0) return false;
    at = next + part.length;
  }
  return path.length - last.length >= at && path.endsWith(last);
}

export function matches(/** @type {string} */ pattern, /** @type {string} */ name) {
  const [before, after = ""] = pattern.split("*");
  return name.length >= before.length + after.length && name.startsWith(before) && name.endsWith(after);
}

// Calls of which some of the specifier is written, and some computed.
const COMPUTED = /\bimport\.meta\.glob|\brequire\.context\b|\b(?:import|require)\s*\(\s*(?:\/\*[^*]*\*\/\s*)?(?!["'`](?:[^"'`\n$]|\$(?!\{))*["'`]\s*[,)])[^()\n]{0,200}["'`]/;
// A text that may import a namespace: all of a module.
const NAMESPACE = /\*\s*(?:as|from)\b|\bimport\s*\(|\brequire\s*\(/;
// A name that holds all of a module. Behind a sign or a word that few texts have, so that most cost little.
const HOLDING = /\*\s{0,9}as\s{1,9}([\w$]{1,99})|\b(?:require|import)\s{0,9}\((?<=(?<![\w$])([\w$]{1,99})\s{0,9}=\s{0,9}(?:await\s{1,9})?\w{1,9}\s{0,9}\()/g;
// Behind a name: it, or a cast of it, is read by a key that is no string and no number.
const READ_BY_KEY = "(?:\\s{1,9}as\\s[^()\\n]{1,99}\\))?\\s{0,9}!?(?:\\?\\.)?\\[(?!\\s{0,9}(?:['\"\\d\\]]|`[^`$\\n]{0,99}`\\s{0,9}\\]))";
/** What counts without being imported: additions to modules and globals, and files that are no modules. */
const ADDING = /\bdeclare\s+(?:global|module)\b|\bexport\s+as\s+namespace\b/;
// What is indented stands in a namespace.
const MODULE = /^(?:import(?!\s+[\w$]+\s*=\s*(?!require\b))|export)\b|\brequire\s*\(|\bexports\b/m;
/** Another name for something of a namespace. */
const ALIAS = /^\s*import\s+([\w$]+)\s*=\s*(?!require\b)/gm;

function mayReadByKey(/** @type {string} */ text) {
  const names = new Set([...text.matchAll(HOLDING)].flatMap(([, namespace, variable]) => namespace ?? variable ?? []));
  return [...names].some((name) => new RegExp(`(?<![.\\w$])${name.replaceAll("$", "\\$")}${READ_BY_KEY}`).test(text));
}

export class Imports {
  /** @type {Set<string>} */
  #computed = new Set();
  /** @type {Map<string, { specifiers: Set<string>, isNamespace: boolean, isAmbient: boolean, aliases: string[] }>} */
  #byFile = new Map();
  /** @type {Map<string, Map<string, string[]>> | undefined} tail -> specifier -> files */
  #byTail;
  /** @type {Map<string, string[]> | undefined} */
  #aliases;

  /** @type {Map<string, Clause[]>} */
  #clauses = new Map();
  /** @type {Set<string>} */
  #readingByKey = new Set();
  /** @type {Set<string> | undefined} files that changed since they were looked through for these; undefined: none was */
  #unread;
  /** @type {Map<string, string>} what is no part of a text: that would keep it in memory */
  #own = new Map();

  /** @param {import("./listing.mjs").Files} files */
  constructor(files) {
    this.files = files;
  }
  changed(/** @type {Iterable<string>} */ paths) {
    for (const path of paths) {
      for (const all of [this.#byFile, this.#clauses, this.#computed, this.#readingByKey]) all.delete(path);
      this.#unread?.add(path);
    }
    this.#byTail = this.#aliases = undefined;
  }

  /** The files that hold a specifier which ends so: specifier -> files. @returns {Map<string, string[]>} */
  ending(/** @type {string} */ tail) {
    this.#byTail ??= this.#read();
    return this.#byTail.get(tail) ?? new Map();
  }
  /** The files that may import. */
  *importing() {
    for (const path of this.files.all()) if (SCRIPT.test(path) || EMBEDDING.test(path)) yield path;
  }
  tails() {
    this.#byTail ??= this.#read();
    return this.#byTail.keys();
  }
  /** The files that hold a specifier of a pattern with one `*`. */
  matching(/** @type {string} */ pattern) {
    this.#byTail ??= this.#read();
    const found = new Set();
    for (const same of this.#byTail.values()) for (const [specifier, paths] of same) if (matches(pattern, specifier)) for (const path of paths) found.add(path);
    return found;
  }
  /** The files that import by a pattern. */
  computed() {
    this.#byTail ??= this.#read();
    return this.#computed;
  }
  specifiers = (/** @type {string} */ path) => this.#of(path).specifiers;
  /** Whether a file may import a namespace. */
  isNamespace = (/** @type {string} */ path) => this.#of(path).isNamespace;
  /** The files that may read all of a module by a key that is computed: `a[b]`. The first time, every script is read. */
  readingByKey() {
    for (const path of this.#unread ?? this.files.all()) if ((SCRIPT.test(path) || COMPONENT.test(path)) && mayReadByKey(this.files.read(path) ?? "")) this.#readingByKey.add(path);
    this.#unread = new Set();
    return this.#readingByKey;
  }
  clauses(/** @type {string} */ path) {
    let found = this.#clauses.get(path);
    if (!found) {
      found = clausesIn(this.files.read(path) ?? "").map((one) => ({ ...one, specifier: this.#copy(one.specifier), names: this.#copy(one.names) }));
      this.#clauses.set(path, found);
    }
    return found;
  }
  /** The files that may declare something for others that do not import them. */
  ambient = () => [...this.importing()].filter((path) => this.#of(path).isAmbient);
  /** The files that are no modules and give a name to something of a namespace. @returns {string[]} */
  aliasing(/** @type {string} */ name) {
    if (!this.#aliases) {
      this.#aliases = new Map();
      for (const path of this.importing()) for (const one of this.#of(path).aliases) this.#aliases.set(one, [...(this.#aliases.get(one) ?? []), path]);
    }
    return this.#aliases.get(name) ?? [];
  }
  #of(/** @type {string} */ path) {
    let found = this.#byFile.get(path);
    if (!found) {
      const text = this.files.read(path) ?? "";
      const specifiers = new Set([...specifiersIn(text, path)].map((one) => this.#copy(one)));
      const isAmbient = SCRIPT.test(path) && (ADDING.test(text) || !MODULE.test(text));
      const aliases = isAmbient ? [...text.matchAll(ALIAS)].map(([, name]) => this.#copy(name)) : [];
      this.#byFile.set(path, (found = { specifiers, isNamespace: NAMESPACE.test(text), isAmbient, aliases }));
      if (COMPUTED.test(text)) this.#computed.add(path);
    }
    return found;
  }
  #copy(/** @type {string} */ specifier) {
    let own = this.#own.get(specifier);
    if (own === undefined) this.#own.set((own = Buffer.from(specifier).toString()), own);
    return own;
  }
  #read() {
    /** @type {Map<string, Map<string, string[]>>} */
    const found = new Map();
    for (const path of this.importing()) {
      for (const specifier of this.#of(path).specifiers) {
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
