// What the engine stands on: the pinned parser and its internals, and that no text makes it fail or linger.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { memberOf, reader } from "../../daemon/cn_compiler/bindings/facts.mjs";
import { ts } from "./workspace.mjs";

const BINDINGS = join(dirname(fileURLToPath(import.meta.url)), "../../daemon/cn_compiler/bindings");

test("the internals of TypeScript that are used are there", () => {
  const names = "bindSourceFile getSetExternalModuleIndicator isModuleExportsAccessExpression isExportsIdentifier getJSDocCommentRanges isIntrinsicJsxName isEntityNameExpression isJsonSourceFile getParameterSymbolFromJSDoc isVariableDeclarationInitializedToBareOrAccessedRequire getRegularExpressionForWildcard";
  for (const name of names.split(" ")) assert.equal(typeof (/** @type {any} */ (ts)[name]), "function", name);
});

test("the binder leaves scopes and symbols at the nodes", () => {
  /** @type {any} */
  const file = ts.createSourceFile("a.ts", "export function f(a) { let b; } const c = 1;", ts.ScriptTarget.Latest, true);
  /** @type {any} */ (ts).bindSourceFile(file, {});
  assert.deepEqual([...file.locals.keys()], ["f", "c"]);
  assert.deepEqual([...file.symbol.exports.keys()], ["f"]);
  assert.deepEqual([...file.statements[0].locals.keys()], ["a", "b"]);
  assert.ok(file.locals.get("f").exportSymbol === file.symbol.exports.get("f"));
});

test("cut and changed texts are read, and every use stands where its name does", () => {
  const read = reader(ts);
  let state = 1;
  const chance = (/** @type {number} */ below) => (state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff) % below;
  const signs = ["`", "{", "}", "(", "/*", "<", "@", "\\u{", "=>", "'", "\n", "import ", "export default ", "\0"];
  for (const name of readdirSync(BINDINGS).filter((one) => one.endsWith(".mjs"))) {
    const text = readFileSync(join(BINDINGS, name), "utf8");
    for (let round = 0; round < 12; round++) {
      const cut = chance(text.length);
      const changed = round % 2 ? text.slice(0, cut) : text.slice(0, cut) + signs[chance(signs.length)] + text.slice(cut + chance(9));
      for (const ending of ["ts", "tsx", "js", "json"]) {
        const { uses, names, variables } = read(`/a.${ending}`, changed);
        for (let at = 0; at < uses.length; at += 4) {
          assert.ok(uses[at + 2] < variables.length && memberOf(uses[at + 2]) < uses.length / 4);
          if (!["this", "default"].includes(names[uses[at]])) assert.ok(uses[at + 1] >= 0 && uses[at + 1] <= changed.length);
        }
      }
    }
  }
});
