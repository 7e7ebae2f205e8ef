// Where identifiers stand in a part of a text: as the parser has them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { syntax } from "../../daemon/cn_compiler/bindings/syntax.mjs";
import { ts } from "./workspace.mjs";

const named = (/** @type {string} */ text, path = "/a.tsx", start = 0, end = text.length) => syntax(ts).identifiers(path, text, start, end).map(([first, last]) => text.slice(first, last));

for (const [text, names] of /** @type {[string, string[]][]} */ ([
  ["// a\n/* b */ c; 'd'; `e ${f} g`;", ["c", "f"]],
  ["a / b / c; d = /e f/g.test(h);", ["a", "b", "c", "d", "test", "h"]],
  ["const type = from.of; type T = keyof typeof type;", ["type", "from", "of", "T", "type"]],
  ["<A b={c} d-e>text {f}<div g=\"h\">i</div></A>;", ["A", "b", "c", "d-e", "f", "g", "A"]],
  ["class A { #b = this.#b; 'c'() {} }", ["A", "#b", "#b"]],
  ["/** @param a b {@link c} */\nfunction d(a) { return `${`${a}`}` }", ["d", "a", "a"]],
  ["a. ; class {", ["a"]],
])) {
  test(text, () => assert.deepEqual(named(text), names));
}

test("of a part of a text what touches it", () => {
  const text = "aa.bb(cc, dd);";
  assert.deepEqual(named(text, "/a.ts", 4, 4), ["bb"]);
  assert.deepEqual(named(text, "/a.ts", 5, 6), ["bb", "cc"]);
  assert.deepEqual(named(text, "/a.ts", 9, 9), []);
});
