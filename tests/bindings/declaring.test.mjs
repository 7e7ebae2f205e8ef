// Which files may declare a name: those whose outline has it, whatever else they do with it, and few others.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Engine } from "../../daemon/cn_compiler/bindings/engine.mjs";
import { syntax } from "../../daemon/cn_compiler/bindings/syntax.mjs";
import { Memory, ROOT, ts } from "./workspace.mjs";

const FORMS = [
  "class NAME {}", "export class NAME<T> extends B {}", "abstract class NAME {}", "export default class NAME {}", "interface NAME {}", "type NAME = 1;",
  "export type NAME<T> = T;", "enum NAME { A }", "const enum NAME { A }", "enum E { NAME }", "enum E { A, NAME = 2 }", "function NAME() {}",
  "export async function NAME() {}", "function* NAME() {}", "function *NAME() {}", "export default function NAME() {}", "const NAME = 1;", "let NAME;",
  "var a = 1, NAME = 2;", "const a = 1,\n  NAME = 2;", "const { NAME } = a;", "const { a, NAME } = b;", "const { a: NAME } = b;",
  "const { a: { NAME } } = b;", "const { a: NAME = 1 } = b;", "const [NAME] = a;", "const [a, NAME] = b;", "const { ...NAME } = a;",
  "const [...NAME] = a;", "const [, NAME] = a;", "class A { NAME() {} }", "class A { NAME = 1 }", "class A { NAME?: string }",
  "class A { static NAME = 1 }", "class A { private readonly NAME: string; }", "class A { #NAME = 1 }", "class A { get NAME() { return 1 } }",
  "class A { set NAME(a) {} }", "class A { async NAME() {} }", "class A { async *NAME() {} }", "class A { *NAME() {} }", "class A {\n  *NAME() {}\n}",
  "class A {\n  * NAME<T>() {}\n}", "class A { @dec() NAME() {} }", "class A { @dec NAME = 1 }", "class A { override NAME() {} }",
  "class A { constructor(private NAME: string) {} }", "class A { constructor(public readonly NAME: B) {} }", "class A { accessor NAME = 1 }",
  "class A { declare NAME: string }", "interface A { NAME: string }", "interface A { NAME(): void }", "interface A { readonly NAME?: string }",
  "type A = { NAME: string };", "type A = { a: 1, NAME: string };", "type A = { a: 1; NAME(): void };", "type A = { a: 1\n NAME: string };",
  "const a = { NAME: 1 };", "const a = { NAME() {} };", "const a = { b: 1, NAME };", "const a = { async NAME() {} };",
  "const a = { get NAME() { return 1 } };", "const a = { 'NAME': 1 };", "class A { \"NAME\" = 1 }", "namespace NAME {}", "namespace A.NAME {}",
  "declare module NAME {}", "declare module 'NAME' {}", "declare global { var NAME: string }", "declare const NAME: string;",
  "declare function NAME(): void;", "for (const NAME of a) {}", "using NAME = a;", "export const NAME = 1;", "export declare class NAME {}",
  "function NAME<T>(a: T): void;",
];
const OF_SCRIPTS = ["A.NAME = function () {};", "A.prototype.NAME = 1;", "this.NAME = 1;", "exports.NAME = 1;", "/** @typedef {string} NAME */", "/** @typedef {object} NAME\n * @property {string} a */", "/** @callback NAME */"];
const USES = ["import { NAME } from './user';", "import * as NAME from './user';", "import type * as NAME from './user';", "export * as NAME from './user';", "export as namespace NAME;", "import NAME, { type Other } from './user';", "export { NAME } from './user';", "const a = new NAME();", "class A extends NAME {}", "const a: NAME = b;", "a.NAME.b", "f<NAME>(b)", "NAMEs; NAMEId; $NAME", "/**\n * A NAME (new) of {@link NAME}.\n */", "// NAME\n", "const a: () => NAME = b;", 'call("NAME of the house");', "`NAME`"];

/** Whether `a.ENDING` with that text may declare a name. */
function may(/** @type {string} */ ending, /** @type {string} */ text, /** @type {string} */ name) {
  const path = `${ROOT}/a.${ending}`;
  return new Engine(ts, new Memory({ [path]: text }), ROOT, () => []).mayDeclare(path, name);
}

test("a text that declares a name may declare it", () => {
  for (const name of ["User", "a1", "$x", "été", "of", "default_"]) {
    for (const ending of ["ts", "tsx", "js"]) {
      for (const form of [...FORMS, ...(ending === "js" ? OF_SCRIPTS : [])]) {
        const text = form.replaceAll("NAME", name);
        const rows = syntax(ts).outline(`/a.${ending}`, text);
        if (rows.some((row) => row.name.replace(/^#/, "") === name)) assert.ok(may(ending, text, name), `${ending}: ${text}`);
        else assert.ok(ending === "js" || /accessor|using/.test(text), `no row: ${ending}: ${text}`);
      }
    }
  }
});

test("a text that only uses a name does not", () => {
  for (const text of USES) assert.ok(!may("ts", text.replaceAll("NAME", "User"), "User"), text);
});

test("a file that is not read may, and each that holds a constructor, or a name that is computed", () => {
  assert.ok(may("ts", "class A { constructor() {} }", "constructor"));
  assert.ok(may("ts", "class A { *[Symbol.iterator]() {} }", "[Symbol.iterator]"));
  assert.ok(new Engine(ts, new Memory({}), ROOT, () => []).mayDeclare(`${ROOT}/b.ts`, "User"));
});
