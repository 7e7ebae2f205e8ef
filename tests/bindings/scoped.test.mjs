// No name is passed over: each identifier that the compiler binds to what the same file declares is a use in its facts, also where
// a call means more than a call (`require`, `jest.mock`, `__export`).

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { test } from "node:test";

import { reader } from "../../daemon/cn_compiler/bindings/facts.mjs";
import { cases, ts } from "./workspace.mjs";

const PRODUCT = fileURLToPath(new URL("../../daemon/cn_compiler/", import.meta.url));
const read = reader(ts);
const { SymbolFlags: F } = ts;
const SCOPED = F.Variable | F.Function | F.Class | F.Interface | F.Enum | F.TypeAlias | F.Alias | F.Module | F.TypeParameter;

/** As "line:name". @returns {string[]} */
function passedOver(/** @type {string} */ path, /** @type {string} */ text) {
  const facts = read(path, text);
  if (facts.errors) return [];
  const used = new Set();
  for (let index = 0; index < facts.uses.length; index += 4) used.add(facts.uses[index + 1]);
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const options = { noResolve: true, noLib: true, allowJs: true, target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext };
  const host = { ...ts.createCompilerHost(options), getSourceFile: (/** @type {string} */ name) => (name === path ? source : undefined), fileExists: (/** @type {string} */ name) => name === path };
  const checker = ts.createProgram([path], options, host).getTypeChecker();
  /** @type {string[]} */
  const found = [];
  const visit = (/** @type {import("typescript").Node} */ node) => {
    ts.forEachChild(node, visit);
    if (!ts.isIdentifier(node) || !node.text || used.has(node.getStart())) return;
    const { parent } = node;
    // `new.target`, `declare global`, and names behind a dot: properties, or of what lies elsewhere.
    const isName = !ts.isMetaProperty(parent) && !ts.isModuleDeclaration(parent) && !(ts.isPropertyAccessExpression(parent) && parent.name === node) && !(ts.isQualifiedName(parent) && parent.right === node);
    const symbol = isName ? (ts.isShorthandPropertyAssignment(parent) ? checker.getShorthandAssignmentValueSymbol(parent) : checker.getSymbolAtLocation(node)) : undefined;
    if (symbol && symbol.flags & SCOPED && symbol.declarations?.every((one) => one.getSourceFile() === source)) found.push(`${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}:${node.text}`);
  };
  visit(source);
  return found;
}

const CALLS = [
  'require("./a", NAME)', 'require.resolve("./a", { paths: [NAME] })', 'require(require.resolve("./a", { paths: [NAME] }))', 'import("./a", { with: { type: NAME } })', 'import("./a").then(NAME)',
  'import("./a").then((a) => a.b, NAME)', 'import("./a").then((a) => a.b(NAME))', "import(`./${NAME}`)", 'import.meta.resolve("./a", NAME)', 'import.meta.glob("./*.ts", { eager: NAME })',
  'jest.mock("./a", () => NAME, { virtual: NAME })', 'vi.mock(import("./a"), async (original) => ({ ...(await original()), a: NAME }))', 'vi.importActual("./a", NAME)', 'lazy(() => import("./a"), NAME)',
  '__exportStar(require("./a"), NAME)', "__export(NAME, { a: () => NAME })", '__reExport(NAME, require("./a"), module.exports)', "Object.assign(exports, { a: NAME })", "Object.assign(module.exports, NAME)",
  'Object.defineProperty(exports, "a", { get: () => NAME })', 'Object.defineProperty(NAME, "a", { value: NAME })', "Object.keys(NAME)", "Object.freeze({ a: NAME })", 'new URL("./a", NAME)', 'new Worker(new URL("./a", import.meta.url), NAME)',
  'define(NAME, ["./a", NAME], () => NAME)', 'require(["./a"], NAME)', 'System.import("./a", NAME)', "exports.a = NAME", "module.exports = { a: NAME, ...NAME }", "exports.a ??= NAME", "(0, NAME)()", "NAME?.a", "NAME`a`", 'NAME["a"]', "({ [NAME]: 1 })", "typeof NAME", "delete NAME.a",
];
for (const call of CALLS) {
  for (const path of ["/a.js", "/a.ts"]) test(`${call} in ${path}`, () => assert.deepEqual(passedOver(path, `const held = {};\n${call.replaceAll("NAME", "held")};\n`), []));
}

test("in the cases", () => {
  for (const { name, texts } of cases()) {
    for (const [path, text] of Object.entries(texts)) if (/\.[mc]?[jt]sx?$/.test(path)) assert.deepEqual(passedOver(path, text), [], `${name}: ${path}`);
  }
});

test("in the product's own scripts", () => {
  for (const folder of ["bindings", "bindings/components", "types"]) {
    const scripts = readdirSync(`${PRODUCT}${folder}`).filter((name) => name.endsWith(".mjs"));
    assert.ok(scripts.length, folder);
    for (const name of scripts) assert.deepEqual(passedOver(`/${name}`, readFileSync(`${PRODUCT}${folder}/${name}`, "utf8")), [], name);
  }
});
