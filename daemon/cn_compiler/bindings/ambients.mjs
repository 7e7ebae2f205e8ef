// What files declare for all others: ambient modules, and the globals of UMD. Read from the texts that hold the words.

import { matches } from "./imports.mjs";

/**
 * @typedef {{ modules: string[], globals: string[], namespaces: string[] }} Declared
 */

const SCRIPT = /\.[mc]?tsx?$/;
const MODULES = /\bdeclare\s{1,99}module\s{1,99}(["'])([^"'\n]{1,300})\1/g;
export const GLOBALS = /\bexport\s{1,99}as\s{1,99}namespace\s{1,99}([\w$]{1,300})/g;
const NAMESPACES = /\bnamespace\s{1,99}([\w$]{1,300})\s{0,99}\{/g;
const WORDS = ["declare", "namespace"];

export class Ambients {
  /** @type {Map<string, Declared>} */
  #byFile = new Map();
  #isKnown = false;

  /**
   * @param {import("./listing.mjs").Files} files
   * @param {(word: string) => string[] | undefined} holding the files that hold a word; undefined: not known yet
   */
  constructor(files, holding) {
    this.files = files;
    this.holding = holding;
  }
  changed(/** @type {Iterable<string>} */ paths) {
    if (this.#isKnown) for (const path of paths) this.#read(path);
  }
  /** The files that declare a module, and by which name: patterns, `*.svg`, where none has its own. */
  modules(/** @type {string} */ name) {
    const found = this.#declaring((one) => one.modules.filter((own) => own === name));
    return found.length ? found : this.#declaring((one) => one.modules.filter((own) => own.includes("*") && matches(own, name)));
  }
  /** All that is declared, by file. */
  all() {
    this.#open();
    return this.#byFile;
  }
  globals(/** @type {string} */ name) {
    return this.#declaring((one) => one.globals.filter((own) => own === name));
  }

  namespaces(/** @type {string} */ name) {
    return this.#declaring((one) => one.namespaces.filter((own) => own === name));
  }

  #declaring(/** @type {(one: Declared) => string[]} */ choose) {
    this.#open();
    return [...this.#byFile].flatMap(([path, one]) => [...new Set(choose(one))].map((name) => ({ path, name })));
  }
  #open() {
    if (this.#isKnown) return;
    const paths = WORDS.map(this.holding);
    this.#isKnown = paths.every((one) => one !== undefined);
    if (this.#isKnown) for (const path of new Set(paths.flatMap((one) => one ?? []))) this.#read(path);
  }
  #read(/** @type {string} */ path) {
    this.#byFile.delete(path);
    const text = SCRIPT.test(path) && this.files.has(path) ? (this.files.read(path) ?? "") : "";
    const declared = { modules: [...text.matchAll(MODULES)].map(([, , name]) => name), globals: [...text.matchAll(GLOBALS)].map(([, name]) => name), namespaces: [...text.matchAll(NAMESPACES)].map(([, name]) => name) };
    if (Object.values(declared).some((names) => names.length)) this.#byFile.set(path, declared);
  }
}
