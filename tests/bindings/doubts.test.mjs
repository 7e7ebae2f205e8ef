// What names leave to a compiler.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Memory, ROOT, engine } from "./workspace.mjs";

/** The doubts of what is declared first by a name in a.ts, as `file:reason`. */
function doubts(/** @type {string} */ name, /** @type {Record<string, string>} */ texts) {
  const own = engine(new Memory(Object.fromEntries(Object.entries(texts).map(([path, text]) => [`${ROOT}/${path}`, text]))));
  const file = `${ROOT}/a.ts`;
  const [thing] = own.at(file, texts["a.ts"].indexOf(name));
  return own.references(thing).doubts.map((one) => `${own.shown(one.file)}: ${one.reason}`);
}

test("declarations stand for sources only where they may be written of a module", () => {
  const texts = { "a.ts": "export function shut() {}", "env.d.ts": 'interface Kept { shut(): void }\ndeclare function shut(): void;\ndeclare namespace N { function shut(): void }\ndeclare module "far:away" { export function shut(): void }' };
  assert.deepEqual(doubts("shut", texts), []);
  assert.deepEqual(doubts("shut", { ...texts, "out.d.ts": "export declare function shut(): void;" }), ["out.d.ts: declarations that may stand for the sources"]);
});

test("what decides about a symbol", () => {
  const texts = { "a.ts": "export enum Color { Red }\nexport class A { static b = 1; c = 2 }\nfunction f() { const local = 1; }", "b.d.ts": "export const told: 1;", "c.js": "exports.d = 1;", "e.ts": "const shared = 1;" };
  const own = engine(new Memory(Object.fromEntries(Object.entries(texts).map(([path, text]) => [`${ROOT}/${path}`, text]))));
  const scope = (/** @type {string} */ path, /** @type {string} */ name) => own.scopeOf(own.at(`${ROOT}/${path}`, /** @type {any} */ (texts)[path].indexOf(name))[0]);
  assert.deepEqual(["Color", "Red", "A", "b =", "c =", "local"].map((name) => scope("a.ts", name)), ["module", "module", "module", "module", "member", "local"]);
  assert.deepEqual([scope("b.d.ts", "told"), scope("c.js", "d"), scope("e.ts", "shared")], ["module", "module", "module"]);
});

test("programs that each know a global in their own way", () => {
  const project = '{ "include": ["."] }';
  const texts = { "one/a.ts": "const shared = 1;", "one/b.ts": "shared;", "two/a.ts": "const shared = 2;\nconst own = shared;", "one/tsconfig.json": project, "two/tsconfig.json": project, "two/told.d.ts": "export const told: 1;", "two/told.ts": "export const told = 1;" };
  const own = engine(new Memory(Object.fromEntries(Object.entries(texts).map(([path, text]) => [`${ROOT}/${path}`, text]))));
  const scope = (/** @type {keyof typeof texts} */ path, /** @type {string} */ name) => own.scopeOf(own.at(`${ROOT}/${path}`, texts[path].indexOf(name))[0]);
  assert.deepEqual([scope("one/a.ts", "shared"), scope("two/a.ts", "shared"), scope("two/a.ts", "own"), scope("two/told.d.ts", "told")], ["shared", "shared", "module", "shared"]);
});
