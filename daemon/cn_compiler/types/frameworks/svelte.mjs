// A component of Svelte for the compiler, as `svelte2tsx` writes it.

import { again } from "./copies.mjs";
import { words } from "../../bindings/components/source_map.mjs";

const TYPED = /<script\b[^>]*\blang\s*=\s*["']?(?:ts|typescript)\b/;

/** @type {import("../components.mjs").Framework} */
export function written(tools, path, text, isInstalled) {
  const isTsFile = TYPED.test(text);
  const { code, map } = tools.load("svelte2tsx").svelte2tsx(text, { filename: path, isTsFile, mode: "ts" });
  const declarations = ["svelte2tsx/svelte-shims-v4.d.ts", "svelte2tsx/svelte-jsx-v4.d.ts", ...(isInstalled("svelte") ? [] : ["svelte/types/index.d.ts"])];
  const head = declarations.map((name) => `/// <reference path="${tools.file(name)}" />\n`).join("");
  const own = [...words(code, map, text)];
  const all = isTsFile ? [...own, ...copied(tools.ts, code, own)].sort((one, other) => one.start - other.start) : own;
  const pieces = all.map(({ start, end, from }) => ({ start: start + head.length, end: end + head.length, from }));
  const { TS, JS } = tools.ts.ScriptKind;
  return { scripts: [{ text: head + code, kind: isTsFile ? TS : JS, pieces }], unread: [] };
}

/**
 * The pieces of the types that `svelte2tsx` writes once more behind the component, of its props and events: what a parent
 * gives and hears is of these.
 * @param {typeof import("typescript")} ts @param {string} code @param {import("../components.mjs").Piece[]} pieces
 * @returns {Generator<import("../components.mjs").Piece>}
 */
function* copied(ts, code, pieces) {
  const source = ts.createSourceFile("", code, ts.ScriptTarget.ESNext, true);
  /** @type {Map<string, import("typescript").TypeNode>} of variables, and of what calls are given by its text */
  const written = new Map();
  /** @type {[import("typescript").TypeNode, string][]} each with the name there */
  const copies = [];
  const visit = (/** @type {import("typescript").Node} */ node) => {
    if (ts.isVariableDeclaration(node) && node.type) written.set(node.name.getText(), node.type);
    const [given] = (ts.isCallExpression(node) && node.typeArguments) || [];
    if (given && /** @type {any} */ (node).expression.getText() === "__sveltets_2_toEventTypings") copies.push([given, `<${given.getText()}>`]);
    else if (given) written.set(`<${given.getText()}>`, given);
    if (ts.isAsExpression(node) && ts.isTypeLiteralNode(node.type) && ts.isPropertyAssignment(node.parent) && node.parent.name.getText() === "props") {
      for (const one of node.type.members) if (ts.isPropertySignature(one) && one.type) copies.push([one.type, one.name.getText()]);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  for (const [copy, name] of copies) yield* again(pieces, written.get(name), copy);
}
