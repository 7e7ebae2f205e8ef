// What a text declares: each case of `outlines.txt` is a text, and all rows of its outline.
//
//   == what is so
//   -- path
//   text
//   ->
//   line:character kind Container.name [exported] [static] [local] [apart] [reexport]

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { outline } from "../../daemon/cn_compiler/bindings/outline.mjs";
import { ts } from "./workspace.mjs";

const TRAITS = /** @type {const} */ (["exported", "static", "local", "apart", "reexport"]);

/** The rows of a text, in source order. */
function told(/** @type {string} */ path, /** @type {string} */ text) {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const rows = outline(ts, file);
  /** @returns {string} */
  const named = (/** @type {typeof rows[0]} */ row) => (row.container < 0 ? row.name : `${named(rows[row.container])}.${row.name}`);
  return [...rows].sort((one, other) => one.nameStart - other.nameStart).map((row) => {
    const { line, character } = file.getLineAndCharacterOfPosition(row.nameStart);
    return [`${line + 1}:${character + 1}`, row.kind, named(row), ...TRAITS.filter((trait) => row[trait])].join(" ");
  });
}

for (const block of readFileSync(fileURLToPath(new URL("outlines.txt", import.meta.url)), "utf8").split(/^== /m).slice(1)) {
  const [, name, path, text, rows] = /** @type {RegExpExecArray} */ (/^(.*)\n-- (.*)\n([^]*?)^->\n([^]*)$/m.exec(block));
  test(name, () => assert.deepEqual(told(path, text), rows.trim().split("\n").filter(Boolean)));
}

test("of generated data no name is lost, and not each of its rows is one", () => {
  const rows = Array.from({ length: 100_000 }, (_, at) => `{k:"key${at}",v:-${at},w:null}`);
  rows[50_000] = '{k:"",once:1}';
  rows[60_000] = '{k:"",run() { return 1; }}';
  rows[70_000] = '{k:"",made:() => { class Inner {} }}';
  /** @type {Record<string, number>} */
  const counts = {};
  for (const { name } of outline(ts, ts.createSourceFile("/a.ts", `export const rows = [${rows.join()}];\nexport function last() {}`, ts.ScriptTarget.Latest, true))) counts[name] = (counts[name] ?? 0) + 1;
  assert.deepEqual([counts.rows, counts.last, counts.once, counts.run, counts.Inner], [1, 1, 1, 1, 1]);
  assert.ok(counts.v >= 1000 && counts.v < 10_000);
});

test("what goes on and on is read to its end", () => {
  const texts = [`${"1 + ".repeat(60_000)}1`, `x${".then(() => 1)".repeat(20_000)}`];
  for (const text of texts) {
    const rows = outline(ts, ts.createSourceFile("/a.ts", `export const a = ${text};\nexport function b() {}`, ts.ScriptTarget.Latest, true));
    assert.deepEqual(rows.map(({ name }) => name), ["a", "b"]);
  }
});
