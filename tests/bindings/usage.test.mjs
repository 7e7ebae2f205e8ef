// What mentions do, and what a part of a text calls.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Usage, calls, usagesIn } from "../../daemon/cn_compiler/bindings/usage.mjs";
import { ts } from "./workspace.mjs";

const parsed = (/** @type {string} */ text, path = "/a.tsx") => ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
/** Whether some f of a text does that. */
const does = (/** @type {string} */ text, /** @type {number} */ what, path = "/a.tsx") => {
  const done = usagesIn(ts, parsed(text, path));
  return [...text.matchAll(/\bf\b/g)].some(({ index }) => Boolean((done.get(index) ?? 0) & what));
};

for (const text of [
  "f()",
  "f<A>(1)",
  "f<A<{ b: string }>>([])",
  "f<{ a: { b: 1; c: 2 } }>()",
  "f<A<B<C<D>>>>()",
  "f<A<string, () => void>>()",
  "f<(a: (b: () => void) => void) => void>()",
  "f<<A>(a: A) => { b: A }>()",
  "f?.()",
  "f!()",
  "new f()",
  "f`x`",
  "@f class A {}",
  "f.call(null)",
  "f!.call(this)",
  "f?.apply(1)",
  "(f)()",
  "(f as F)(1)",
  "(f satisfies F)()",
  "(0, f)()",
  "new (f as any)()",
  "a['f']()",
  "a?.[\"f\"](1)",
  "((f))()",
  "return (f)()",
  "(f as (this: A, b: C) => Promise<D>).call(a)",
  "(f as unknown as (a: () => B) => C)()",
  "if (x) (f)()",
  "while (a(b) && (c)) (f)()",
  "for await (const x of y(')')) (f as F)()",
  "class A extends f(B) {}",
  "class A extends m.f() {}",
  "x ? f() : {}",
  "g(x ? f() : 1)",
  "if (f()) {}",
  "f()\n{}",
  "x ? await\n f() : y",
  "x ?\n /* y */\n f() : z",
  "x\n ? y +\n f() : z",
  "[f({ a() {} })]",
  "f(() => { })",
  "<f />",
  "<p>one<f/></p>",
  "<><f></f></>",
  "<p>{x}<f a={1} /></p>",
  "=><f/>",
  "return <f>x</f>",
  "x && (\n  <f>x</f>\n)",
  "x ? <f>x</f> : null",
  "<p>some <f>x</f></p>",
  "<p>(some) <f {...x} /></p>",
  "<p>some <x.f key={1}/></p>",
]) {
  test(`a call: ${text}`, () => assert.ok(does(text, Usage.Call, text.includes("<<") || text.includes("f<") ? "/a.ts" : "/a.tsx")));
}

for (const text of [
  "g(f)",
  "g(f)()",
  "f < g && (h)",
  "f < g; h > (i)",
  "f < g && h > (i)",
  "x = f < g\nconst y = a(b(c)) > (i)",
  "f",
  "x < f",
  "if (x < f) {}",
  "a[0] < x.f && y > x",
  "x() <\n  f && y",
  "x = f;",
  "{ ['f']() {} }",
  "if (f) (g)()",
  "(f) => 1",
  "a.if(x)(f)()",
  "elif(x) (f)()",
  "a<f>(1)",
  "[f][0]()",
  "new f.B()",
  "@f.b() class A {}",
  "<f.B />",
  "type A = { (a): f\n(a): g }",
  "g({ f() { } })",
  "g({ a, async f({ b = ')' }, c) {\n} })",
  "g({ a, f(b: { c: D }): Promise<E> { } })",
  "class A { static f() {} }",
  "type A = { b?: string\n f(c: D): E }",
  "type A = { b: { c: D; f<B>(c: D): E } }",
  "type A = { b: string[]\n /** one\n * two */\n f(c: D): E }",
]) {
  test(`no call: ${text}`, () => assert.ok(!does(text, Usage.Call)));
}

test("imports, and lists of exports", () => {
  for (const text of ['import f from "a"', 'import { f as g } from "a"', 'import * as f from "a"', 'export { f } from "a"', "export { f }", 'export * as f from "a"', 'import f = require("a")']) assert.ok(does(text, Usage.Import), text);
  for (const text of ['const f = require("a")', 'const { f } = require("a")', 'const { a: { f } } = require("b")', 'const a = require("b").f', "module.exports = { f }", "exports = { a: f }", "exports.a = f"]) {
    assert.ok(does(text, Usage.Import, "/a.js"), text);
    assert.ok(!does(text, Usage.Import), text);
  }
  assert.ok(!does("import g = f.a", Usage.Import));
  for (const text of ['const a = require("b")(f)', "module.exports = { a: g(f) }", "exports.a.b = f"]) assert.ok(!does(text, Usage.Import, "/a.js"), text);
});

test("what is taken of a function calls it only by call and apply", () => {
  for (const text of ["f.b", "f!.b()", "type A = typeof f", "type A = typeof a.f", 'type A = typeof import("a").f']) assert.ok(does(text, Usage.Part), text);
  for (const text of ["f.bind(a)", "f.call(a)", "a(f)", "type A = f"]) assert.ok(!does(text, Usage.Part), text);
});

test("what is called with a name and without", () => {
  const text = `function f(a) { t[key](); t['told'](); (one || other)(1); (told as F)(); list[0]?.(x); super.up(); super(); new this();
    x = [a](); class A { [k]() {} async ['x']() {} } (() => 1)(); get(x)(y); (await told())(1); new (a ? B : C)(); \`x\${\`in\`}\`; tag\`x\`; <Row key={1}/>; apply.call(x) }`;
  const found = calls(ts, parsed(text), 0, text.length);
  assert.deepEqual(found.unnamed, ["t[key]", "(one || other)", "list[0]", "(await told())", "(a ? B : C)"]);
  assert.deepEqual(found.names.map((span) => text.slice(...span)), ["told", "told", "up", "super", "this", "get", "told", "tag", "Row", "apply", "call"]);
  const part = text.indexOf("class A");
  assert.deepEqual(calls(ts, parsed(text), part, text.indexOf("new (a")).names.map((span) => text.slice(...span)), ["get", "told"]);
});

test("what a variable is another name of", () => {
  for (const [text, origin] of [["const a = b;", "b"], ["let a: Type = lib.b\n", "b"], ["const a = (lib?.b!);", "b"], ["const a = b();", undefined], ["const a = b + c;", undefined], ["function f(a = b) {}", undefined]]) {
    const found = calls(ts, parsed(/** @type {string} */ (text)), 0, 100).aliases;
    assert.deepEqual(found.map(([name, at]) => [text?.[name], text?.[at]]), origin ? [["a", origin]] : []);
  }
});
