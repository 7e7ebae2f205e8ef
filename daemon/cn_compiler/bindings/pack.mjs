// Facts as bytes and back. Rows become whole numbers, all those of a file in one array, and a row read back is a view of it:
// objects made for each row, and the garbage of them, took most of the time of a question about a common name.

import { deserialize, serialize } from "node:v8";

/** @typedef {import("./facts.mjs").Facts} Facts @typedef {0 | 1 | 2 | 3} Kind */

const NONE = -0x80000000;
const NUMBER = 0;
const STRING = 1;
const BOOLEAN = 2;
const NUMBERS = 3; // where in the array they stand: how many, and these

/** @returns {Uint8Array} */
export function packed(/** @type {Facts} */ facts) {
  /** @type {Map<string, number>} */
  const strings = new Map();
  const indexOf = (/** @type {string} */ text) => {
    let index = strings.get(text);
    if (index === undefined) strings.set(text, (index = strings.size));
    return index;
  };
  facts.names.forEach(indexOf); // each is there once, and so they come first
  const { names, variables, declarations, lines, ...rest } = facts;
  const lists = [variables, declarations].map((/** @type {Record<string, any>[]} */ rows) => ({ rows, count: rows.length, columns: columnsOf(rows) }));
  /** @type {number[]} */
  const numbers = [];
  const end = lists.reduce((sum, { count, columns }) => sum + count * columns.length, 0);
  const cell = (/** @type {any} */ value, /** @type {Kind} */ kind) => {
    if (value === undefined) return NONE;
    if (kind !== NUMBERS) return kind === STRING ? indexOf(value) : Number(value);
    const at = end + numbers.push(value.length) - 1;
    for (const one of value) numbers.push(one);
    return at;
  };
  const cells = lists.flatMap(({ rows, columns }) => rows.flatMap((row) => columns.map(([key, kind]) => cell(row[key], kind))));
  return serialize([names.length, lists.map(({ count, columns }) => ({ count, columns })), Int32Array.from([...cells, ...numbers]), Int32Array.from(lines), rest, [...strings.keys()]]);
}

/** @returns {Facts} */
export function unpacked(/** @type {Uint8Array} */ bytes) {
  const [count, lists, cells, lines, rest, strings] = deserialize(bytes);
  let start = 0;
  const [variables, declarations] = lists.map((/** @type {{ count: number, columns: [string, Kind][] }} */ { count, columns }) => {
    const table = tableOf(columns, cells, strings);
    const rows = Array.from({ length: count }, (_, row) => new Row(table, start + row * columns.length));
    start += count * columns.length;
    return rows;
  });
  return { ...rest, names: strings.slice(0, count), variables, declarations, lines };
}

/** What rows hold, in the order in which they are met first. @returns {[string, Kind][]} */
function columnsOf(/** @type {Record<string, any>[]} */ rows) {
  /** @type {Map<string, Kind>} */
  const kinds = new Map();
  for (const row of rows) for (const key in row) if (!kinds.has(key) && row[key] !== undefined) kinds.set(key, kindOf(row[key]));
  return [...kinds];
}
/** @returns {Kind} */
const kindOf = (/** @type {unknown} */ value) => (Array.isArray(value) ? NUMBERS : typeof value === "string" ? STRING : typeof value === "boolean" ? BOOLEAN : NUMBER);

/** @typedef {{ cells: Int32Array, strings: string[], columns: Record<string, [number, Kind]> }} Table */

/** @returns {Table} */
function tableOf(/** @type {[string, Kind][]} */ columns, /** @type {Int32Array} */ cells, /** @type {string[]} */ strings) {
  columns.forEach(([key]) => {
    if (!(key in Row.prototype)) Object.defineProperty(Row.prototype, key, { get() { return this.value(key); }, enumerable: true });
  });
  return { cells, strings, columns: Object.fromEntries(columns.map(([key, kind], at) => [key, [at, kind]])) };
}

/** A variable or a declaration: its keys are getters. */
class Row {
  constructor(/** @type {Table} */ table, /** @type {number} */ at) {
    this.table = table;
    this.at = at;
  }
  value(/** @type {string} */ key) {
    const { cells, strings, columns } = this.table;
    const column = columns[key];
    const value = column ? cells[this.at + column[0]] : NONE;
    if (value === NONE) return undefined;
    const kind = column[1];
    return kind === NUMBER ? value : kind === STRING ? strings[value] : kind === BOOLEAN ? value === 1 : Array.from(cells.subarray(value + 1, value + 1 + cells[value]));
  }
}
