// What is used of the compiler beyond what it documents: a TypeScript that is pinned anew and lacks some of it fails here, with
// the name of what is gone, and not in an answer.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { ts } from "../bindings/workspace.mjs";

const TYPES = join(dirname(fileURLToPath(import.meta.url)), "../../daemon/cn_compiler/types");
const texts = readdirSync(TYPES).filter((name) => name.endsWith(".mjs")).map((name) => readFileSync(join(TYPES, name), "utf8"));
/** The names that the process takes of what is typed as `any`. */
const taken = (/** @type {RegExp} */ of) => new Set(texts.flatMap((text) => [...text.matchAll(of)].map(([, name]) => name)));

test("what the compiler keeps to itself is there", () => {
  const names = taken(/(?:\binternal|\(ts\)|this\.ts\))\.((?:\w+\.)*\w+)\(/g);
  assert.ok(names.has("FindAllReferences.Core.getReferencedSymbolsForNode") && names.has("getTouchingPropertyName"));
  for (const name of names) assert.equal(typeof name.split(".").reduce((/** @type {any} */ one, part) => one?.[part], ts), "function", name);
});

test("what its checker keeps to itself is there", () => {
  const program = ts.createProgram([], { noLib: true });
  const names = taken(/(?:internalChecker|checker\))\.(\w+)(?:\?\.)?\(/g);
  assert.ok(names.has("getTypeOfAssignmentPattern"));
  for (const name of names) assert.equal(typeof (/** @type {any} */ (program.getTypeChecker())[name]), "function", name);
});

test("the checker asks the program for the syntax of an import, and a language service the registry for files of a format", () => {
  assert.equal(typeof (/** @type {any} */ (ts.createProgram([], { noLib: true })).getEmitSyntaxForUsageLocation), "function");
  const registry = ts.createDocumentRegistry();
  /** @type {any[]} */
  const given = [];
  const acquireDocumentWithKey = /** @type {typeof registry.acquireDocumentWithKey} */ ((...all) => (given.push(all[7]), registry.acquireDocumentWithKey(...all)));
  const host = { getCompilationSettings: () => ({ noLib: true }), getScriptFileNames: () => ["/a.ts"], getScriptVersion: () => "0", getScriptSnapshot: () => ts.ScriptSnapshot.fromString("a"), getCurrentDirectory: () => "/", getDefaultLibFileName: () => "", fileExists: () => true, readFile: () => "a" };
  ts.createLanguageService(host, { ...registry, acquireDocumentWithKey }).getProgram();
  assert.deepEqual(given.map((one) => "impliedNodeFormat" in one && typeof one.setExternalModuleIndicator), ["function"]);
});

test("a language service builds a program anew when it is told that types for all have changed, and a program tells who imports a file", () => {
  let version = 0;
  const texts = /** @type {Record<string, string>} */ ({ "/a.ts": 'import "./b";', "/b.ts": "export {};" });
  const host = { getProjectVersion: () => String(version), hasChangedAutomaticTypeDirectiveNames: () => true, getCompilationSettings: () => ({ noLib: true }), getScriptFileNames: () => ["/a.ts"], getScriptVersion: () => "0", getScriptSnapshot: (/** @type {string} */ path) => ts.ScriptSnapshot.fromString(texts[path]), getCurrentDirectory: () => "/", getDefaultLibFileName: () => "", fileExists: (/** @type {string} */ path) => path in texts, readFile: (/** @type {string} */ path) => texts[path] };
  const service = ts.createLanguageService(host);
  const before = service.getProgram();
  version++;
  const after = service.getProgram();
  assert.ok(after !== before);
  assert.equal(after?.getSourceFile("/b.ts"), before?.getSourceFile("/b.ts"));
  assert.deepEqual((/** @type {any} */ (after)).getFileIncludeReasons().get("/b.ts").map((/** @type {any} */ one) => one.file), ["/a.ts"]);
});
