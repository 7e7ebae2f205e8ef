// Facts and outlines by their key, in a file of the user's cache: what was parsed once is not parsed again, by a later process
// either.
//
// The daemon opens the file, so that the sandbox allows none, and locks it for one writer. It grows by batches, each whole or
// not there: magic, how many entries, how long their bytes are; of each entry its key, length and checksum; a checksum over
// these; then the bytes. What does not fit, as after a writer was killed, is cut off and written over. What another
// TypeScript or another version of this code wrote is not read.

import { createHash } from "node:crypto";
import { fstatSync, ftruncateSync, readSync, writeSync } from "node:fs";

/** @typedef {import("./facts.mjs").Facts} Facts @typedef {{ at: number, length: number, sum: number }} Entry */

const MAGIC = 0x636e6631;
const HEAD = 16;
const ROW = 28; // key 20, length 4, checksum 4
const KEY = 20;
const BATCH = 1_000_000;
/** What is kept in memory where no file takes it. */
const KEPT = 64_000_000;

const digest = (/** @type {string | Uint8Array} */ data) => createHash("sha1").update(data).digest();
const sumOf = (/** @type {Uint8Array} */ bytes) => digest(bytes).readUInt32LE(0);

/** @returns {string} */
export const keyOf = (/** @type {string} */ text, /** @type {string} */ kind) => createHash("sha1").update(kind).update("\0").update(text).digest("latin1");

export class Store {
  /** @type {Map<string, Entry>} */
  #written = new Map();
  /** @type {Map<string, Uint8Array>} not written, the oldest first */
  #kept = new Map();
  #keptBytes = 0;
  #end = 0;

  /**
   * @param {string} version of TypeScript and of the code that makes the facts
   * @param {{ descriptor: number, writable: boolean, limit: number }} [file]
   */
  constructor(version, file) {
    this.file = file;
    if (!file) return;
    const own = digest(version);
    try {
      const { size } = fstatSync(file.descriptor);
      if (size <= file.limit && read(file.descriptor, 0, KEY).equals(own)) this.#end = KEY;
      while (this.#end && this.#batch(size));
      if (file.writable && size !== this.#end) ftruncateSync(file.descriptor, this.#end);
      if (file.writable && !this.#end) this.#end = write(file.descriptor, own, 0);
    } catch {
      this.file = undefined;
    }
  }

  /** Read what one batch holds, of a file of so many bytes. Whether there was one. */
  #batch(/** @type {number} */ size) {
    const descriptor = /** @type {{ descriptor: number }} */ (this.file).descriptor;
    const head = read(descriptor, this.#end, HEAD);
    if (head.length < HEAD || head.readUInt32LE(0) !== MAGIC) return false;
    const [count, bytes] = [head.readUInt32LE(4), head.readUInt32LE(8)];
    let at = this.#end + HEAD + count * ROW;
    if (at + bytes > size) return false;
    const table = read(descriptor, this.#end + HEAD, count * ROW);
    if (sumOf(table) !== head.readUInt32LE(12)) return false;
    for (let row = 0; row < table.length; row += ROW) {
      const [length, sum] = [table.readUInt32LE(row + KEY), table.readUInt32LE(row + KEY + 4)];
      this.#written.set(table.toString("latin1", row, row + KEY), { at, length, sum });
      at += length;
    }
    this.#end = at;
    return true;
  }

  has = (/** @type {string} */ key) => this.#written.has(key) || this.#kept.has(key);

  /** @returns {Uint8Array | undefined} */
  get(/** @type {string} */ key) {
    const entry = this.#written.get(key);
    if (!entry || !this.file) return this.#kept.get(key);
    try {
      const bytes = read(this.file.descriptor, entry.at, entry.length);
      if (bytes.length === entry.length && sumOf(bytes) === entry.sum) return bytes;
    } catch {}
    this.#written.delete(key);
    return undefined;
  }

  put(/** @type {string} */ key, /** @type {Uint8Array} */ bytes) {
    if (this.has(key)) return;
    this.#kept.set(key, bytes);
    this.#keptBytes += bytes.length;
    if (this.file?.writable && this.#keptBytes >= BATCH) return this.flush();
    for (const [oldest, { length }] of this.#kept) {
      if (this.#keptBytes <= KEPT) return;
      this.#kept.delete(oldest);
      this.#keptBytes -= length;
    }
  }

  /** Write what is only in memory. A full disk, or file, ends that. */
  flush() {
    if (!this.file?.writable || !this.#kept.size) return;
    const { descriptor, limit } = this.file;
    const [head, table] = [Buffer.alloc(HEAD), Buffer.alloc(this.#kept.size * ROW)];
    /** @type {[string, Entry][]} */
    const entries = [];
    let at = this.#end + HEAD + table.length;
    for (const [key, bytes] of this.#kept) {
      const row = entries.length * ROW;
      const entry = { at, length: bytes.length, sum: sumOf(bytes) };
      table.write(key, row, "latin1");
      table.writeUInt32LE(entry.length, row + KEY);
      table.writeUInt32LE(entry.sum, row + KEY + 4);
      entries.push([key, entry]);
      at += entry.length;
    }
    [MAGIC, entries.length, this.#keptBytes, sumOf(table)].forEach((value, index) => head.writeUInt32LE(value, index * 4));
    try {
      if (at > limit) throw new Error("full");
      write(descriptor, Buffer.concat([head, table, ...this.#kept.values()]), this.#end);
    } catch {
      this.file = { ...this.file, writable: false };
      return;
    }
    for (const [key, entry] of entries) this.#written.set(key, entry);
    this.#kept.clear();
    this.#keptBytes = 0;
    this.#end = at;
  }
}

/** As many of the bytes as there are. */
function read(/** @type {number} */ descriptor, /** @type {number} */ at, /** @type {number} */ length) {
  const bytes = Buffer.alloc(length);
  let done = 0;
  for (let step = 1; done < length && step; done += step) step = readSync(descriptor, bytes, done, length - done, at + done);
  return bytes.subarray(0, done);
}
/** Where it ends. */
function write(/** @type {number} */ descriptor, /** @type {Uint8Array} */ bytes, /** @type {number} */ at) {
  for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done, bytes.length - done, at + done);
  return at + bytes.length;
}
