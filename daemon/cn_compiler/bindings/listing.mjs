// The one seam to files: what the workspace holds is answered from the listing that the daemon gives, and what is read
// beside it lies below the allowed folders, links followed.

import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";

/**
 * @typedef {object} Files
 * @property {(path: string) => boolean} has whether the workspace's listing holds it
 * @property {(folder: string) => boolean} hasFolder
 * @property {() => Iterable<string>} all
 * @property {(path: string) => string | undefined} read
 * @property {(path: string) => boolean} isFile in the listing or, allowed, on the disk
 * @property {(path: string) => boolean} isFolder
 * @property {(path: string) => string} real
 * @property {(path: string) => string} stamp another text where a file was written or replaced; "" of none
 */

const LIMIT = 20_000_000;

/** The files of a workspace on the disk. */
export class Listing {
  /** @type {Set<string>} */
  #paths = new Set();
  /** @type {Map<string, number>} */
  #folders = new Map();
  /** @type {Map<string, boolean>} */
  #seen = new Map();
  /** @param {string[]} allowed real paths of folders: the root first */
  constructor(allowed) {
    this.allowed = allowed;
  }

  /** @param {Iterable<string>} added @param {Iterable<string>} [removed] absolute paths */
  update(added, removed = []) {
    this.#seen.clear();
    this.#real.clear();
    for (const path of added) if (!this.#paths.has(path)) this.#paths.add(path), this.#count(path, 1);
    for (const path of removed) if (this.#paths.delete(path)) this.#count(path, -1);
  }
  #count(/** @type {string} */ path, /** @type {number} */ step) {
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      this.#folders.set(folder, (this.#folders.get(folder) ?? 0) + step);
      if (folder.length <= this.allowed[0].length) return;
    }
  }

  has = (/** @type {string} */ path) => this.#paths.has(path);
  hasFolder = (/** @type {string} */ folder) => (this.#folders.get(folder) ?? 0) > 0;
  all = () => this.#paths;
  isFile = (/** @type {string} */ path) => this.has(path) || this.#look(path, "isFile");
  isFolder = (/** @type {string} */ path) => this.hasFolder(path) || this.#look(path, "isDirectory");

  /** @returns {boolean} */
  #look(/** @type {string} */ path, /** @type {"isFile" | "isDirectory"} */ what) {
    const key = `${what}:${path}`;
    const seen = this.#seen.get(key);
    if (seen !== undefined) return seen;
    const above = dirname(path);
    // What is not there has nothing below it: a folder that is missing is looked at once.
    let found = above === path || this.hasFolder(above) || this.allowed.includes(above) || this.#look(above, "isDirectory");
    found &&= Boolean(stat(path)?.[what]()) && this.#allowed(path) !== undefined;
    this.#seen.set(key, found);
    return found;
  }

  /** Whether something is there by now that was looked for in vain: git ignores it, and so the listing tells nothing of it. */
  stale() {
    const before = this.#seen;
    this.#seen = new Map();
    for (const [key, found] of before) {
      const at = key.indexOf(":");
      if (!found && this.#look(key.slice(at + 1), /** @type {"isFile" | "isDirectory"} */ (key.slice(0, at)))) return true;
    }
    this.#seen = before;
    return false;
  }

  /** The real path, when it may be read. */
  #allowed(/** @type {string} */ path) {
    const real = realPath(path);
    return real !== undefined && this.allowed.some((folder) => real === folder || real.startsWith(folder.endsWith(sep) ? folder : folder + sep)) ? real : undefined;
  }
  /** @type {Map<string, string | undefined>} real, of folders of the listing */
  #real = new Map();
  #folder(/** @type {string} */ folder) {
    if (!this.#real.has(folder)) this.#real.set(folder, this.#allowed(folder));
    return this.#real.get(folder);
  }

  read = (/** @type {string} */ path) => {
    const folder = this.#folder(dirname(path));
    const whole = folder === undefined ? undefined : join(folder, basename(path));
    return whole === undefined ? undefined : (text(whole, constants.O_NOFOLLOW) ?? text(this.#allowed(path), 0));
  };
  stamp = (/** @type {string} */ path) => {
    const found = stat(this.#allowed(path) ?? "");
    return found ? `${found.dev} ${found.ino} ${found.mtimeMs}` : "";
  };
  real = (/** @type {string} */ path) => {
    const folder = this.has(path) ? this.#folder(dirname(path)) : undefined;
    return folder === undefined ? (this.#allowed(path) ?? path) : join(folder, basename(path));
  };
}

function stat(/** @type {string} */ path) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function realPath(/** @type {string} */ path) {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** What a file holds; nothing when it is none, or too large. */
function text(/** @type {string | undefined} */ path, /** @type {number} */ flags) {
  if (path === undefined) return undefined;
  let descriptor;
  try {
    // A pipe that is opened waits for ever, but not so.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | flags);
    const stat = fstatSync(descriptor);
    return stat.isFile() && stat.size <= LIMIT ? decoded(readFileSync(descriptor)) : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** As TypeScript decodes files: by their byte order mark, which is no part of the text. */
function decoded(/** @type {Buffer} */ bytes) {
  const [first, second, third] = bytes;
  if (first === 0xff && second === 0xfe) return bytes.toString("utf16le", 2);
  if (first === 0xfe && second === 0xff) return bytes.subarray(0, bytes.length & ~1).swap16().toString("utf16le", 2);
  return bytes.toString("utf8", first === 0xef && second === 0xbb && third === 0xbf ? 3 : 0);
}
