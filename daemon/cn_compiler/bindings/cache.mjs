// The facts of the files of a workspace: of those that were asked for last in memory, of all that were parsed in the store.

import { COMPONENT } from "./components/names.mjs";
import { components, further } from "./components/reading.mjs";
import { reader } from "./facts.mjs";
import { packed, unpacked } from "./pack.mjs";
import { keyOf } from "./store.mjs";

/** @typedef {import("./facts.mjs").Facts} Facts @typedef {{ facts: Facts | undefined, used: number }} Known */

const READ = /\.(?:[mc]?[jt]sx?|json|vue|svelte|astro)$/;
// By what follows, TypeScript knows the kind of a script: `.d.ts`, `.d.css.ts`, `.tsx`.
const KIND = /(?:\.d(?:\.[^./]+)?)?\.[^./]+$/;
/** Numbers of uses, variables and declarations that stay in memory between two questions: some 100 MB. */
const KEPT = 1_600_000;
/** A longer text is parsed when somebody asks for it. */
const LONG = 2_000_000;

/** A file has another content by now, and nobody reported it: what was concluded from the old one is void. */
export class Changed extends Error {
  constructor(/** @type {string} */ path) {
    super(`${path} has changed`);
    this.path = path;
  }
}

export class FactsCache {
  /** @type {Map<string, Known>} */
  #known = new Map();
  /** @type {Map<string, string>} why a file has no facts */
  #failed = new Map();
  /** @type {Map<string, { key: string, isModule: boolean }>} of what is parsed */
  #keys = new Map();
  #question = 0;
  #weight = 0;
  /** @type {[string, string | undefined]} the path and text that were read last */
  #last = ["", undefined];
  parsed = 0;
  /** @type {Set<string>} files whose text ended the process once */
  banned = new Set();
  /** Told before a text is parsed, and with "" after it. @type {(path: string) => void} */
  parsing = () => {};

  /**
   * @param {typeof import("typescript")} ts @param {import("./listing.mjs").Files} files
   * @param {import("./store.mjs").Store} store @param {(path: string) => boolean} isModule whatever it holds
   * @param {import("./components/reading.mjs").Libraries} libraries
   */
  constructor(ts, files, store, isModule, libraries) {
    this.files = files;
    this.store = store;
    this.isModule = isModule;
    const read = reader(ts);
    const component = components(read, libraries);
    this.further = further(ts, libraries);
    this.read = (/** @type {string} */ path, /** @type {string} */ text, isModule = false) => (COMPONENT.test(path) ? component(path, text) : read(path, text, isModule));
  }

  facts(/** @type {string} */ path) {
    const known = this.#known.get(path);
    if (!known) return this.#load(path, true);
    known.used = this.#question;
    return known.facts;
  }
  /** Whether its facts are had without parsing. */
  has = (/** @type {string} */ path) => this.#known.has(path) || this.#load(path, false) !== undefined;
  failure = (/** @type {string} */ path) => this.#failed.get(path);
  text(/** @type {string} */ path) {
    if (this.#last[0] !== path) this.#last = [path, this.files.read(path)];
    return this.#last[1];
  }

  /** @returns {Facts | undefined} */
  #load(/** @type {string} */ path, /** @type {boolean} */ parses) {
    let found;
    try {
      const bytes = this.#stored(path) ?? (parses ? this.#parse(path) : undefined);
      if (!bytes && !parses) return undefined;
      // Names that point into the text would keep it: read back, they do not.
      found = bytes && unpacked(bytes);
    } catch (error) {
      if (error instanceof Changed) throw error;
      this.#failed.set(path, `the parser fails: ${/** @type {Error} */ (error).message}`);
    }
    this.#known.set(path, { facts: found, used: this.#question });
    this.#weight += weigh(found);
    return found;
  }

  #stored(/** @type {string} */ path) {
    // What is said of a file holds for the text that was read first, until the daemon tells that there is another.
    const before = this.#keys.get(path);
    const bytes = before && this.store.get(before.key);
    if (bytes || !READ.test(path)) return bytes;
    const key = this.#key(path);
    if (before && before.key !== key) throw new Changed(path);
    return key === undefined ? undefined : this.store.get(key);
  }
  #key(/** @type {string} */ path) {
    const text = this.text(path);
    if (text === undefined) return undefined;
    const isModule = this.isModule(path);
    // The facts of a component hold its name.
    const kind = COMPONENT.test(path) ? path.slice(path.lastIndexOf("/", path.lastIndexOf("/") - 1)) : KIND.exec(path)?.[0];
    const key = keyOf(text, `${kind}${isModule ? "!" : ""}`);
    this.#keys.set(path, { key, isModule });
    return key;
  }
  /** What `#stored` did not find. */
  #parse(/** @type {string} */ path) {
    const own = this.#keys.get(path);
    const text = own && this.text(path);
    if (text === undefined || !own) return undefined;
    if (this.banned.has(path)) throw new Error("its text ended a process");
    this.parsed++;
    this.parsing(path);
    const bytes = packed(this.read(path, text, own.isModule));
    this.parsing("");
    this.store.put(own.key, bytes);
    return bytes;
  }

  /** The outline of a text, in JSON: from the store, or made now and kept there. @param {() => string} make */
  outline(/** @type {string} */ path, /** @type {string} */ text, make) {
    const key = keyOf(text, `outline${KIND.exec(path)?.[0]}`);
    const kept = this.store.get(key);
    if (kept) return Buffer.from(kept).toString();
    const outline = make();
    this.store.put(key, Buffer.from(outline));
    return outline;
  }

  /** Parse a script before somebody asks for it, unless it is long. */
  prepare(/** @type {string} */ path) {
    if (this.#keys.has(path) || (this.text(path)?.length ?? LONG) >= LONG) return;
    try {
      if (!this.store.has(this.#key(path) ?? "")) this.#parse(path);
    } catch {
      this.#keys.delete(path); // said where somebody asks
    }
  }

  /** Files of another content. */
  update(/** @type {Iterable<string>} */ changed) {
    for (const path of changed) for (const map of [this.#known, this.#failed, this.#keys]) map.delete(path);
    this.#last = ["", undefined];
  }
  /** Where specifiers lead may have changed, and with it which files are modules. */
  resolved() {
    this.update([...this.#keys].filter(([path, { isModule }]) => this.isModule(path) !== isModule).map(([path]) => path));
  }

  /** Between two questions: what was used last stays in memory. Whether something went. */
  trim() {
    this.#question++;
    this.#last = ["", undefined];
    if (this.#weight <= KEPT) return false;
    this.#weight = 0;
    for (const [path, { facts }] of [...this.#known].sort(([, one], [, other]) => other.used - one.used)) {
      if (facts && this.#weight > KEPT / 2) this.#known.delete(path);
      else this.#weight += weigh(facts);
    }
    return true;
  }
}

const weigh = (/** @type {Facts | undefined} */ facts) => (facts ? facts.uses.length / 4 + facts.variables.length + facts.declarations.length : 0);
