// Scripts that git ignores and a tsconfig lists all the same, as generated code: the daemon tells which paths are ignored,
// and nothing of what is in them.

import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

const SCRIPT = /(?<!\.d)\.[mc]?[jt]sx?$/;

export class Generated {
  /** @type {Set<string>} */
  files = new Set();
  /** @type {string[]} files and folders */
  #ignored = [];
  /** When each was changed last, of the files and of the folders that may hold some. @type {Map<string, number>} */
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
  /** Tsconfigs changed, or what is listed. */
  stale() {
    this.#isStale = true;
  }
  /** Those that hold a word. */
  holding(/** @type {string} */ word) {
    let found = this.#holding.get(word);
    if (!found) this.#holding.set(word, (found = [...this.files].filter((path) => this.listing.read(path)?.includes(word) ?? false)));
    return found;
  }

  /** Look again. What has come, changed and gone; `isIncluded` tells of files, and of folders whether they may hold such. */
  look(/** @type {(path: string, isFolder: boolean) => boolean} */ isIncluded) {
    const before = this.#marks;
    if (!this.#isStale && [...before].every(([path, mark]) => statOf(path)?.mtimeMs === mark)) return undefined;
    this.#isStale = false;
    this.#holding.clear();
    this.#marks = new Map();
    const known = this.files;
    this.files = new Set();
    for (const path of this.#ignored) this.#walk(path, isIncluded);
    return {
      created: [...this.files].filter((path) => !known.has(path)),
      changed: [...this.files].filter((path) => known.has(path) && before.get(path) !== this.#marks.get(path)),
      deleted: [...known].filter((path) => !this.files.has(path)),
    };
  }
  #walk(/** @type {string} */ path, /** @type {(path: string, isFolder: boolean) => boolean} */ isIncluded) {
    const stat = statOf(path);
    const isFolder = Boolean(stat?.isDirectory());
    if (!stat || !(isFolder || (stat.isFile() && SCRIPT.test(path))) || !isIncluded(path, isFolder)) return;
    this.#marks.set(path, stat.mtimeMs);
    if (!isFolder) return void this.files.add(path);
    for (const entry of readdirSync(path, { withFileTypes: true })) if (entry.isDirectory() || SCRIPT.test(entry.name)) this.#walk(join(path, entry.name), isIncluded);
  }
}

function statOf(/** @type {string} */ path) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
