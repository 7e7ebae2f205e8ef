// A file is parsed once, in however many programs it stands.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Programs } from "../../daemon/cn_compiler/types/programs.mjs";
import { Memory, ROOT, engine, ts } from "../bindings/workspace.mjs";

test("programs of Node's modules and of bundlers share what is parsed", () => {
  const files = new Memory({
    [`${ROOT}/node_modules/kit/index.d.ts`]: "export declare const kit: 1;",
    [`${ROOT}/a.ts`]: "export const a = 1;",
    [`${ROOT}/node/tsconfig.json`]: '{ "compilerOptions": { "module": "nodenext" } }',
    [`${ROOT}/node/b.ts`]: 'import { a } from "../a"; export const b = a;',
    [`${ROOT}/bundled/tsconfig.json`]: '{ "compilerOptions": { "module": "preserve" } }',
    [`${ROOT}/bundled/c.ts`]: 'import { b } from "../node/b"; export const c = b;',
  });
  const programs = new Programs(ts, files, ROOT, engine(files, undefined).resolver, false);
  const paths = [`${ROOT}/node/b.ts`, `${ROOT}/bundled/c.ts`];
  const opened = programs.of(paths, [], []).map((group) => group.open());
  assert.equal(opened.length, 2);
  for (const path of [`${ROOT}/a.ts`, paths[0], ts.getDefaultLibFilePath({}).replace(/[^/]*$/, "lib.es5.d.ts")]) assert.ok(opened[0].getSourceFile(path) && opened[0].getSourceFile(path) === opened[1].getSourceFile(path), path);
});

/** The programs over files of a workspace, with what the compiler is asked of. @param {Record<string, string>} texts */
function workspace(texts) {
  const files = new Memory(Object.fromEntries(Object.entries(texts).map(([path, text]) => [`${ROOT}/${path}`, text])));
  const programs = new Programs(ts, files, ROOT, engine(files, undefined).resolver, false);
  const absolute = (/** @type {string[]} */ paths) => paths.map((path) => `${ROOT}/${path}`);
  return (/** @type {string[]} */ paths, /** @type {string[]} */ declaring = []) => {
    const [program, ...more] = programs.of(absolute(paths), [], absolute(declaring)).map((group) => group.open());
    assert.equal(more.length, 0);
    return { program, own: program.getSourceFiles().map(({ fileName }) => fileName).filter((path) => path.startsWith(ROOT)).map((path) => path.slice(ROOT.length + 1)).sort() };
  };
}

test("a program that has all files of a question is asked as it is, and keeps them", () => {
  const asked = workspace({ "a.ts": "export const a = 1;", "b.ts": "export const b = 1;", "c.ts": 'import { a } from "./a"; export const c = a;' });
  const { program } = asked(["b.ts", "c.ts"]);
  assert.equal(asked(["a.ts"]).program, program);
  assert.equal(asked(["b.ts"]).program, program);
});

test("a program grows by the files that it has not", () => {
  const asked = workspace({ "a.ts": "export const a = 1;", "b.ts": "export const b = 1;" });
  asked(["a.ts"]);
  const { program, own } = asked(["b.ts"]);
  assert.deepEqual(own, ["a.ts", "b.ts"]);
  assert.equal(asked(["a.ts"]).program, program);
});

test("where all files take too much room, a program of other files leaves that of an earlier question as it is", () => {
  const long = `export const long = [${"1, ".repeat(1000)}];`;
  const many = Object.fromEntries(Array.from({ length: 1600 }, (_, index) => [`many/${index}.ts`, "export {};"]));
  const asked = workspace({ "a.ts": long, "b.ts": long, "c.ts": long, "d.ts": long, ...many });
  const { program } = asked(["a.ts", "b.ts", "c.ts"]);
  const other = asked(["d.ts"]);
  assert.deepEqual(other.own, ["d.ts"]);
  assert.equal(asked(["a.ts", "b.ts"]).program, program);
  assert.equal(asked(["d.ts"]).program, other.program);
  assert.deepEqual(asked(["a.ts", "b.ts", "d.ts"]).own, ["a.ts", "b.ts", "d.ts"], "what is asked for is most of it");
  assert.ok(asked(["a.ts", "b.ts"]).program !== program);
});

test("what another project declares for others is in a program only where its files lead there", () => {
  const asked = workspace({
    "one/tsconfig.json": "{}",
    "one/a.ts": "export interface A {}",
    "one/b.ts": 'import "../two/adds"; export const b = 1;',
    "two/tsconfig.json": "{}",
    "two/adds.ts": 'import type {} from "../one/a"; declare module "../one/a" { interface A { added: string } }',
  });
  const { program } = asked(["one/a.ts", "two/adds.ts"]);
  assert.deepEqual(asked(["one/a.ts"], ["two/adds.ts"]).own, ["one/a.ts"]);
  assert.equal(asked(["one/a.ts"]).program, program, "the other is not lost by it");
  assert.deepEqual(asked(["one/a.ts", "one/b.ts"], ["two/adds.ts"]).own, ["one/a.ts", "one/b.ts", "two/adds.ts"]);
});

test("what a script declares for all is not there for files that were asked for later", () => {
  const asked = workspace({ "a.ts": "export const a = 1;", "b.js": "function told() {}", "c.js": "module.exports = 1;" });
  asked(["a.ts", "b.js"]);
  assert.deepEqual(asked(["a.ts"]).own, ["a.ts"]);
  asked(["a.ts", "c.js"]);
  assert.deepEqual(asked(["a.ts"]).own, ["a.ts", "c.js"]);
});

test("nor is what a file of TypeScript declares that is no module", () => {
  const asked = workspace({ "a.ts": "export const a = 1;", "b.ts": "var told: { b: 1 };", "c.ts": "var told: { c: 1 };" });
  asked(["a.ts", "b.ts"]);
  assert.deepEqual(asked(["c.ts"]).own, ["a.ts", "c.ts"]);
  assert.deepEqual(asked(["a.ts"]).own, ["a.ts"]);
  assert.deepEqual(asked(["b.ts"]).own, ["a.ts", "b.ts"]);
});
