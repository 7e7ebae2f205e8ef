// Scripts that git ignores and compilers read all the same, as generated code: what a tsconfig lists, and what is imported by
// such or by sources. The daemon tells which paths are ignored, and nothing of what is in them.

import { lstatSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const SCRIPT = /(?<!\.d)\.[mc]?[jt]sx?$/;
const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/u;

/**
 * @typedef {object} Around what is known of the sources around
 * @property {(path: string, isFolder: boolean) => boolean} isIncluded of a folder: whether a tsconfig may list something in it
 * @property {(path: string) => boolean} isRead
 * @property {(word: string) => string[] | undefined} holding the sources that hold a word; undefined: not known yet
 * @property {(path: string) => Iterable<string>} specifiers
 * @property {(specifier: string, from: string) => string | undefined} leads
 */

export class Generated {
  /** @type {Set<string>} */
  files = new Set();
  /** Words that `look` waits for. @type {Set<string>} */
  wants = new Set();
  /** @type {string[]} files and folders */
  #ignored = [];
  /** When each was changed last, of the files and of the folders that may hold some. @type {Map<string, number | undefined>} */
  #marks = new Map();
  #isStale = false;
  /** @type {Map<string, string[]>} */
  #holding = new Map();

  /** @param {import("./listing.mjs").Files} listing */
  constructor(listing) {
    this.listing = listing;
  }
  set ignored(/** @type {string[]} */ paths) {
    this.#ignored = paths;
    this.#isStale = true;
  }
  /** The sources changed. */
  stale() {
    this.#isStale = true;
  }
  /** Those that hold a word. */
  holding(/** @type {string} */ word) {
    let found = this.#holding.get(word);
    if (!found) this.#holding.set(word, (found = [...this.files].filter((path) => this.listing.read(path)?.includes(word) ?? false)));
    return found;
  }

  /** Look again: what has come, changed and gone. */
  look(/** @type {Around} */ around) {
    const before = this.#marks;
    this.wants.clear();
    if (!this.#isStale && [...before].every(([path, mark]) => statOf(path)?.mtimeMs === mark)) return undefined;
    this.#isStale = true;
    const read = this.#ignored.filter((path) => isRead(path, around));
    const words = new Set(read.flatMap((path) => WORD.exec(basename(path)) ?? []));
    for (const word of words) if (!around.holding(word)) this.wants.add(word);
    if (this.wants.size) return undefined;
    this.#isStale = false;
    this.#holding.clear();
    this.#marks = new Map();
    const known = this.files;
    this.files = new Set();
    for (const path of read) this.#walk(path, around);
    for (const from of new Set([...words].flatMap((word) => around.holding(word) ?? []))) this.#follow(from, words, read, around);
    for (const from of this.files) this.#follow(from, undefined, read, around);
    return {
      created: [...this.files].filter((path) => !known.has(path)),
      changed: [...this.files].filter((path) => known.has(path) && before.get(path) !== this.#marks.get(path)),
      deleted: [...known].filter((path) => !this.files.has(path)),
    };
  }
  /** Add what a tsconfig lists. */
  #walk(/** @type {string} */ path, /** @type {Around} */ around) {
    const stat = statOf(path);
    const isFolder = Boolean(stat?.isDirectory());
    if (!stat || !(isFolder || (stat.isFile() && SCRIPT.test(path) && around.isRead(path))) || !around.isIncluded(path, isFolder)) return;
    this.#marks.set(path, stat.mtimeMs);
    if (!isFolder) return void this.files.add(path);
    for (const entry of readdirSync(path, { withFileTypes: true })) if (entry.isDirectory() || SCRIPT.test(entry.name)) this.#walk(join(path, entry.name), around);
  }
  /** Add what a file imports of ignored paths. words: of their names; only specifiers that hold one are looked at. */
  #follow(/** @type {string} */ from, /** @type {Set<string> | undefined} */ words, /** @type {string[]} */ ignored, /** @type {Around} */ around) {
    for (const specifier of around.specifiers(from)) {
      if (words && !specifier.split(/[^\p{L}\p{N}_$]+/u).some((part) => words.has(part))) continue;
      const path = around.leads(specifier, from);
      if (!path || !ignored.some((one) => path === one || path.startsWith(`${one}/`))) continue;
      const stat = statOf(path);
      if (stat?.isFile() && SCRIPT.test(path) && around.isRead(path)) this.files.add(path), this.#marks.set(path, stat.mtimeMs);
      for (let folder = dirname(path); !stat && !this.#marks.has(folder); folder = dirname(folder)) this.#marks.set(folder, statOf(folder)?.mtimeMs);
    }
  }
}

const isRead = (/** @type {string} */ path, /** @type {Around} */ around) => (SCRIPT.test(path) ? around.isRead(path) : Boolean(statOf(path)?.isDirectory()));

function statOf(/** @type {string} */ path) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
