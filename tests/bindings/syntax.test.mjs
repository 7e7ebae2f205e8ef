// The form of one text, as TypeScript's own services tell it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { syntax } from "../../daemon/cn_compiler/bindings/syntax.mjs";
import { ts } from "./workspace.mjs";

const form = syntax(ts);

/** How often each name is told, below all others. */
function counted(/** @type {any} */ tree, /** @type {Record<string, number>} */ counts = {}) {
  counts[tree.text] = (counts[tree.text] ?? 0) + 1;
  for (const child of tree.childItems ?? []) counted(child, counts);
  return counts;
}

test("rows of generated data took time that grew with their square; no name is lost", () => {
  const rows = Array.from({ length: 100_000 }, (_, at) => `{k:"key${at}",v:-${at},w:null}`);
  rows[50_000] = '{k:"",once:1}';
  rows[60_000] = '{k:"",run() { return 1; }}';
  rows[70_000] = '{k:"",made:() => { class Inner {} }}';
  const counts = counted(form.outline("/a.ts", `export const rows = [${rows.join()}];\nexport function last() {}`));
  assert.deepEqual([counts.rows, counts.last, counts.once, counts.run, counts.Inner], [1, 1, 1, 1, 1]);
  assert.ok(counts.v >= 1000 && counts.v < 2000);
});

test("short texts are told whole", () => {
  const rows = Array.from({ length: 3000 }, () => "{k:1}");
  assert.equal(counted(form.outline("/a.ts", `export const rows = [${rows.join()}];`)).k, 3000);
});
