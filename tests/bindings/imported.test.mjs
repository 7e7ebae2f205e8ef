// What most files import, of what some files declare: counted once a file, by whatever name and on whatever way it comes.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Engine } from "../../daemon/cn_compiler/bindings/engine.mjs";
import { Memory, ROOT, ts } from "./workspace.mjs";

const TEXTS = {
  "a.ts": "export class A {}\nexport const b = 1, c = 2;\nfunction d() {}\nexport default d;\nexport { b as e };\nexport const unused = 1;\nclass Own {}\nnew Own();",
  "index.ts": 'export * from "./a";\nexport { default as d } from "./a";\nexport { A as Renamed } from "./a";',
  "anonymous.ts": "export default () => 1;",
  "list.cjs": "function f() {}\nmodule.exports = { f };\nexports.g = 1;",
  "given.js": "exports.g = function () {};",
  "one.ts": 'import { A, type A as Again } from "./a";\nimport chosen from "./a";\nimport "outside";',
  "two.ts": 'import { Renamed } from "./index";\nimport other from "./anonymous";\nexport { c } from ".";',
  "three.ts": 'import * as all from ".";\nnew all.A(all.b);\nlet unused;\n// c\nall.nothing;',
  "four.tsx": 'const D = lazy(() => import("./a"));\nconst { b } = await import("./index");\n/** @type {import("./a").c} */ let x;',
  "five.js": 'const list = require("./list.cjs"), { g } = require("./given");\nlist.f();',
  "six.mdx": 'import { A } from "./a"\n\n# A page',
};
const engine = new Engine(ts, new Memory(Object.fromEntries(Object.entries(TEXTS).map(([path, text]) => [`${ROOT}/${path}`, text]))), ROOT, () => []);
const told = (/** @type {string[]} */ paths, limit = 0) => {
  const { symbols, left } = engine.mostImported(new Set(paths.map((path) => `${ROOT}/${path}`)), limit);
  return [symbols.map(({ name, files }) => `${name} ${files}`), left];
};

test("each file counts once, behind other names, in stars, namespaces, scripts and pages", () => {
  assert.deepEqual(told(["a.ts"]), [["A 5", "d 3", "b 2", "c 1"], 0]); // index.ts names A and the default in lists
  assert.deepEqual(told(["list.cjs", "given.js"]), [["f 1", "g 1"], 0]);
});

test("a default without a name is no symbol, nor is what is declared elsewhere", () => {
  assert.deepEqual(told(["anonymous.ts", "index.ts", "one.ts"]), [[], 0]);
});

test("with a limit the first are the same, and the names that nobody looked into are counted", () => {
  const [first, left] = told(["a.ts"], 1);
  assert.deepEqual(first, ["A 4"]); // and one that knows it by another name;
  assert.ok(Number(left) >= 3);
});
