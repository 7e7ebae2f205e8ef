// Which files that hold the name of a member cannot use it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Memory, ROOT, engine } from "./workspace.mjs";

/** Of the files that hold `size`, those that cannot use the one that is declared in `end`, first or anywhere. Each folder is a project. */
function outside(/** @type {string} */ end, /** @type {Record<string, string>} */ texts, isPlace = false) {
  const folders = new Set(Object.keys(texts).map((path) => path.split("/")[0]));
  const configs = [...folders].map((folder) => [`${folder}/tsconfig.json`, "{}"]);
  const own = engine(new Memory(Object.fromEntries([...configs, ...Object.entries(texts)].map(([path, text]) => [`${ROOT}/${path}`, text]))));
  const { candidates, files } = own.reach.using([`${ROOT}/${end}`], "size", ["size"], isPlace ? [{ file: `${ROOT}/${end}`, start: texts[end].search(/\bsize\b/) }] : []);
  return candidates.filter((path) => !files.includes(path) && !path.includes("/dist/")).map(own.shown).sort();
}
const BOX = "export class Box { size = 1; }";
const APART = "const pile = { size: 2 };\nexport {};";

test("a chain of imports leads to it, or not", () => {
  const texts = {
    "a/box.ts": BOX,
    "b/make.ts": 'import { Box } from "../a/box";\nexport const make = () => new Box();',
    "c/use.ts": 'import { make } from "../b/make";\nmake().size;',
    "d/apart.ts": APART,
  };
  assert.deepEqual(outside("a/box.ts", texts), ["d/apart.ts"]);
});

test("every form of an import", () => {
  const forms = ['import "../a/box";', 'export * from "../a/box";', 'import a = require("../a/box");', 'type A = import("../a/box").Box;', 'const a = import(/** one * more */ // two\n /* three */ "../a/box");', 'import { x } // one\n from /* two */ "../a/box";', '/// <reference path="../a/box.ts" />', "/** @type {import('../a/box').Box} */"];
  for (const form of forms) assert.deepEqual(outside("a/box.ts", { "a/box.ts": BOX, "b/use.ts": `${form}\nexport const b = x.size;` }), [], form);
});

test("an import that leads nowhere may lead to it", () => {
  assert.deepEqual(outside("a/box.ts", { "a/box.ts": BOX, "b/use.ts": 'import { box } from "./generated";\nbox.size;' }), []);
  assert.deepEqual(outside("a/box.ts", { "a/box.ts": BOX, "b/use.ts": 'import { box } from "\\u002e./a/box";\nbox.size;' }), []);
});

test("the uses of what a class implements are uses of its own", () => {
  const texts = {
    "i/sized.ts": "export interface Sized { size: number }",
    "a/box.ts": 'import { Sized } from "../i/sized";\nexport class Box implements Sized { size = 1; }',
    "b/use.ts": 'import { Sized } from "../i/sized";\nexport const f = (it: Sized) => it.size;',
    "c/apart.ts": APART,
  };
  assert.deepEqual(outside("a/box.ts", texts), ["c/apart.ts"]);
});

test("a key is one of the type that its literal has", () => {
  const texts = {
    "i/sized.ts": "export type Sized = { size: number };",
    "a/box.ts": 'import { Sized } from "../i/sized";\nexport const box: Sized = { size: 1 };',
    "b/use.ts": 'import { Sized } from "../i/sized";\nexport const f = (it: Sized) => it.size;',
    "c/apart.ts": APART,
  };
  assert.deepEqual(outside("a/box.ts", texts), ["c/apart.ts"]);
});

test("a key of a literal that has no contextual type has no uses but its own", () => {
  const sized = { "i/sized.ts": "export type Sized = { size: number };", "b/use.ts": 'import { Sized } from "../i/sized";\nexport const f = (it: Sized) => it.size;' };
  const keyed = (/** @type {string} */ text, ending = "ts") => outside(`a/box.${ending}`, { ...sized, [`a/box.${ending}`]: `import { Sized } from "../i/sized";\n${text}` }, true).length > 0;
  for (const text of ["const a = { size: 1 };", "let a = ({ b: [{ size: 1 }] });", "const a = { b: { size: 1 } } as const;"]) assert.ok(keyed(text), text);
  const typed = ["const a: Sized = { size: 1 };", "const a = { size: 1 } satisfies Sized;", "const a = { size: 1 } as Sized;", "const a = <Sized>{ size: 1 };", "const { a = { size: 1 } }: { a?: Sized } = {};", "const { a }: { a: Sized } = { a: { size: 1 } };", "f({ size: 1 });", "const a = f({ size: 1 });", "const a = (): Sized => ({ size: 1 });", "const a = { b: (): Sized => ({ size: 1 }) };", "const a: Sized[] = [{ size: 1 }];", "export default { size: 1 };", "a = { size: 1 };"];
  for (const text of typed) assert.ok(!keyed(text), text);
  for (const text of ["/** @type {Sized} */\nconst a = { size: 1 };", "/** @satisfies {Sized} */\nconst a = { size: 1 };", "const a = /** @type {Sized} */ ({ size: 1 });"]) assert.ok(!keyed(text, "js"), text);
});

test("a type without a base has no uses but its own", () => {
  const sized = { "i/sized.ts": "export type Sized = { size: number };", "b/use.ts": 'import { Sized } from "../i/sized";\nexport const f = (it: Sized) => it.size;' };
  const box = (/** @type {string} */ text) => outside("a/box.ts", { ...sized, "a/box.ts": `import { Sized } from "../i/sized";\n${text}` });
  for (const text of ["export class Box { size = 1; }", "export interface Box { size: number }", "export type Box = { size: number };"]) assert.deepEqual(box(text), ["b/use.ts", "i/sized.ts"], text);
  for (const text of ["export interface Box extends Sized { size: 1 }", "export const box: Sized = { size: 1 };"]) assert.deepEqual(box(text), [], text);
});

test("a global counts in the programs that hold it", () => {
  const texts = {
    "a/box.ts": BOX,
    "a/globals.d.ts": 'declare const theBox: import("./box").Box;',
    "a/use.ts": "export const b = theBox.size;",
    "b/use.ts": 'import "../a/globals";\nexport {};',
    "b/more.ts": "export const b = theBox.size;",
    "c/apart.ts": APART,
  };
  assert.deepEqual(outside("a/box.ts", texts), ["c/apart.ts"]);
});

test("also in a program of which the tsconfig is neither's own", () => {
  const texts = { "a/box.d.ts": "interface Box { size: number }", "b/use.ts": "export const f = (it: Box) => it.size;", "c/apart.ts": APART };
  assert.deepEqual(outside("a/box.d.ts", texts), ["b/use.ts", "c/apart.ts"]);
  assert.deepEqual(outside("a/box.d.ts", { ...texts, "d/tsconfig.build.json": '{ "include": ["../a", "../b"] }' }), ["c/apart.ts"]);
});

test("so does an addition to a module, which need not be imported", () => {
  const texts = {
    "a/box.ts": "export interface Box {}",
    "b/adds.ts": 'declare module "../a/box" { interface Box { size: number } }\nexport {};',
    "b/use.ts": 'import { Box } from "../a/box";\nexport const f = (it: Box) => it.size;',
    "c/use.ts": 'import { Box } from "../a/box";\nexport const f = (it: Box) => it.size;',
    "d/apart.ts": APART,
  };
  // c is another program, in which Box has no such member.
  assert.deepEqual(outside("b/adds.ts", texts), ["c/use.ts", "d/apart.ts"]);
  const listed = { ...texts, "c/tsconfig.json": '{ "include": [".", "../b/adds.ts"] }' };
  assert.deepEqual(outside("b/adds.ts", listed), ["d/apart.ts"]);
});

test("an ambient module, and a package that is installed, may hand it on", () => {
  const ambient = {
    "a/box.ts": BOX,
    "a/short.d.ts": 'declare module "short" { export { Box } from "./box"; }',
    "b/use.ts": 'import { Box } from "short";\nnew Box().size;',
    "c/apart.ts": APART,
  };
  assert.deepEqual(outside("a/box.ts", ambient), ["c/apart.ts"]);
  const installed = {
    "a/package.json": '{ "name": "box", "main": "./box.ts" }',
    "a/box.ts": BOX,
    "b/package.json": '{ "name": "b", "dependencies": { "kit": "1" } }',
    "node_modules/kit/package.json": '{ "name": "kit", "dependencies": { "inner": "1" } }',
    "node_modules/kit/index.d.ts": 'export * from "inner";',
    "node_modules/inner/package.json": '{ "name": "inner", "peerDependencies": { "box": "*", "kit": "1" } }',
    "node_modules/inner/index.d.ts": 'export * from "box";',
    "b/use.ts": 'import { Box } from "kit";\nnew Box().size;',
    "c/apart.ts": APART,
  };
  assert.deepEqual(outside("a/box.ts", installed), ["c/apart.ts"]);
});

test("what is built of a package may be built of any of its files", () => {
  for (const built of ["dist/index.d.ts", "types/index.d.ts", "lib/index.js"]) {
    const texts = {
      "a/package.json": `{ "name": "box", "types": "./${built}", "main": "./${built}" }`,
      "a/src/box.ts": BOX,
      [`a/${built}`]: "export { Box }; size",
      "b/use.ts": 'import { Box } from "box";\nnew Box().size;',
      "c/apart.ts": APART,
    };
    assert.deepEqual(outside("a/src/box.ts", texts), ["c/apart.ts"], built);
  }
});

test("what elements are is imported without a word", () => {
  const texts = {
    "a/package.json": '{ "name": "view" }',
    "a/jsx-runtime.ts": "export namespace JSX { export interface IntrinsicElements { box: { size: number } } }",
    "b/tsconfig.json": '{ "compilerOptions": { "jsx": "react-jsx", "jsxImportSource": "view" } }',
    "b/use.tsx": "export const b = <box size={1} />;",
    "c/use.tsx": "/** @jsxImportSource view */\nexport const c = <box size={1} />;",
    "d/apart.ts": APART,
  };
  assert.deepEqual(outside("a/jsx-runtime.ts", texts), ["d/apart.ts"]);
});

test("where two tsconfigs list a file and lead elsewhere, both count", () => {
  const texts = {
    "a/box.ts": BOX,
    "a/other.ts": "export class Other {}",
    "b/tsconfig.json": '{ "files": [], "references": [{ "path": "./one.json" }, { "path": "./two.json" }] }',
    "b/one.json": '{ "compilerOptions": { "paths": { "box": ["../a/other.ts"] } }, "include": ["."] }',
    "b/two.json": '{ "compilerOptions": { "paths": { "box": ["../a/box.ts"] } }, "include": ["."] }',
    "b/use.ts": 'import { Box } from "box";\nnew Box().size;',
    "c/apart.ts": APART,
  };
  assert.deepEqual(outside("a/box.ts", texts), ["c/apart.ts"]);
});

test("a circle of imports ends", () => {
  const texts = { "a/box.ts": `import "../b/use";\n${BOX}`, "b/use.ts": 'import "../a/box";\nx.size;', "c/one.ts": 'import "../d/two";\nx.size;', "d/two.ts": 'import "../c/one";\nx.size;' };
  assert.deepEqual(outside("a/box.ts", texts), ["c/one.ts", "d/two.ts"]);
});

test("what only looks like an import leads to nothing, and a pattern to what it names", () => {
  const using = (/** @type {string} */ text) => outside("a/box.ts", { "a/box.ts": BOX, "b/use.ts": `${text}\nexport const b = x.size;` });
  for (const text of ['// import { box } from "./nowhere";', "Buffer.from(`${b}:${b}`);", "import(`./words/${b}.json`);", "import(`../c/${b}`);", "const text = 'import(\"./nowhere\")';"]) assert.deepEqual(using(text), ["b/use.ts"], text);
  for (const text of ['import { box } from "./nowhere"; // from "./apart"', "import(`../a/${b}.ts`);", "import(`../a/${b}`);"]) assert.deepEqual(using(text), [], text);
});

test("declarations by hand are built of nothing", () => {
  const texts = { "a/box.ts": BOX, "b/env.d.ts": "declare const size: number;", "b/use.ts": "export const b = x.size;" };
  assert.deepEqual(outside("a/box.ts", texts), ["b/env.d.ts", "b/use.ts"]);
});

/** The files that may use `size`, which `a/box.ts` declares, where git keeps what is built. */
function using(/** @type {Record<string, string>} */ texts) {
  const own = engine(new Memory(Object.fromEntries(Object.entries({ "a/box.ts": BOX, ...texts }).map(([path, text]) => [`${ROOT}/${path}`, text])), / -> /));
  return own.reach.using([`${ROOT}/a/box.ts`], "size").files.map(own.shown).sort();
}

test("what a bundler wrote imported what was there", () => {
  assert.deepEqual(using({ "b/dist/use.js": 'require("./nowhere").size;' }), ["a/box.ts"]);
  assert.deepEqual(using({ "b/use.js": 'require("./nowhere").size;' }), ["a/box.ts", "b/use.js"]);
});

test("what is built of a package holds what its sources import", () => {
  const built = (/** @type {string} */ source) => using({ "b/package.json": '{ "name": "b", "main": "dist/index.js" }', "b/src/index.ts": source, "b/dist/index.js": "exports.f = (x) => x.size;" });
  assert.deepEqual(built("export const f = (x: any) => x.size;"), ["a/box.ts"]);
  assert.deepEqual(built('import { Box } from "../../a/box";'), ["a/box.ts", "b/dist/index.js"]);
  assert.deepEqual(built('import { Box } from "./nowhere";'), ["a/box.ts", "b/dist/index.js"]);
});

test("what a bundler wrote may be handed a value by who imports it", () => {
  const texts = { "b/dist/use.js": "exports.f = (x) => x.size;", "c/main.ts": 'import { Box } from "../a/box";\nimport { f } from "../b/dist/use.js";\nf(new Box());' };
  assert.deepEqual(using(texts), ["a/box.ts", "b/dist/use.js"]);
});

test("a member of a type without a base has no uses but its own, whatever else its file names so", () => {
  const texts = {
    "i/sized.ts": "export interface Sized { size: number }",
    "a/box.ts": 'import { Sized } from "../i/sized";\nexport interface Box { size: number }\nexport const make = (size: number): Sized => ({ size });',
    "b/use.ts": 'import { Sized } from "../i/sized";\nexport const f = (it: Sized) => it.size;',
  };
  const own = engine(new Memory(Object.fromEntries(Object.entries(texts).map(([path, text]) => [`${ROOT}/${path}`, text]))));
  const file = `${ROOT}/a/box.ts`;
  const using = (/** @type {string} */ before) => own.reach.using([file], "size", undefined, [{ file, start: texts["a/box.ts"].indexOf(before) + before.length }]).files.map(own.shown).sort();
  assert.deepEqual(using("Box { "), ["a/box.ts"]);
  assert.deepEqual(using("({ "), ["a/box.ts", "b/use.ts", "i/sized.ts"]);
});
