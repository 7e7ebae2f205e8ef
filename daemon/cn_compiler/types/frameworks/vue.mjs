// A component of Vue for the compiler, as `@vue/language-core` writes it.

import { again } from "./copies.mjs";
import { blocks } from "../../bindings/components/vue.mjs";

const JSX = "/** @jsxImportSource vue */\n";
const GIVEN = /^const (__VLS_\d+) = __VLS_asFunctionalComponent\d\(/;
const END = "}));";

/** @type {WeakMap<import("../components.mjs").Tools, any>} */
const plugins = new WeakMap();

/** @type {import("../components.mjs").Framework} */
export function written(tools, path, text) {
  const { ts } = tools;
  const { errors, unread } = blocks(tools.load("@vue/compiler-dom"), text, { prefixIdentifiers: true, expressionPlugins: ["typescript"] });
  let plugin = plugins.get(tools);
  if (!plugin) {
    const { createVueLanguagePlugin, getDefaultCompilerOptions } = tools.load("@vue/language-core");
    plugins.set(tools, (plugin = createVueLanguagePlugin(ts, {}, getDefaultCompilerOptions(), (/** @type {string} */ id) => id)));
  }
  const root = plugin.createVirtualCode(path, "vue", ts.ScriptSnapshot.fromString(text));
  plugin.disposeVirtualCode(path);
  const { code, scriptKind } = plugin.typescript.getServiceScript(root);
  /** @type {import("../components.mjs").Piece[]} */
  const pieces = code.mappings
    .filter((/** @type {any} */ { data }) => data.navigation)
    .flatMap((/** @type {any} */ one) => [...spanned(text, one), ...one.sourceOffsets.map((/** @type {number} */ from, /** @type {number} */ at) => ({ start: one.generatedOffsets[at], end: one.generatedOffsets[at] + one.lengths[at], from }))])
    .filter((/** @type {import("../components.mjs").Piece} */ { start, end }) => start < end)
    .sort((/** @type {any} */ one, /** @type {any} */ other) => one.start - other.start);
  const isJsx = scriptKind === ts.ScriptKind.TSX || scriptKind === ts.ScriptKind.JSX;
  const head = isJsx ? JSX : "";
  const generated = helpers(code.snapshot.getText(0, code.snapshot.getLength()));
  const all = [...pieces, ...models(ts, generated, pieces)].sort((one, other) => one.start - other.start);
  const script = { text: head + whole(generated), kind: scriptKind, pieces: all.map(({ start, end, from }) => ({ start: start + head.length, end: end + head.length, from })) };
  return { scripts: [script], unread: errors ? [[0, text.length]] : unread };
}

/**
 * A text that names the helpers of templates by their files, of the same length. As `types` the compiler looks for
 * `../../cache/helpers.d.ts` below `node_modules/@types` first, and where that leads to the cache as well, nowhere else.
 */
const helpers = (/** @type {string} */ text) => text.replaceAll(/^\/\/\/ <reference types="(?=\.{1,2}\/)/gm, '/// <reference path ="');

/** The pieces of `v-model`, which stands for `modelValue`. @returns {import("../components.mjs").Piece[]} */
function spanned(/** @type {string} */ text, /** @type {{ sourceOffsets: number[], generatedOffsets: number[], lengths: number[] }} */ { sourceOffsets: [from, to], generatedOffsets: [start, end], lengths }) {
  // Of an element that fills a slot the same is written.
  if (lengths.length !== 2 || lengths.some(Boolean) || text.slice(from, to) !== "v-model") return [];
  const middle = start + to - from;
  return [{ start, end: middle, from }, { start: middle, end, from: to - (end - middle) }];
}

/**
 * A text without what tears it, of the same length. The props of a tag stand in it twice, first in one line, in which a string
 * that holds `//` is not closed; of a handler without code a member has no name.
 */
function whole(/** @type {string} */ text) {
  const lines = text.replaceAll("(__VLS_ctx.)", "(__VLS_ctx )").split("\n");
  for (const [at, line] of lines.entries()) {
    const [, name] = (line.includes("/*") && line.endsWith(END) && GIVEN.exec(lines[at - 2] ?? "")) || [];
    if (name === undefined) continue;
    const start = lines.findIndex((one, index) => index > at && one.endsWith("({")) + 1;
    const end = lines.findIndex((one, index) => index >= start && one.startsWith(`}, ...__VLS_functionalComponentArgsRest(${name})`));
    const props = lines.slice(start, end).join("\n");
    if (end > 0) lines[at] = `${`${props}\n`.padEnd(line.length - END.length)}${END}`;
  }
  return lines.join("\n");
}

/**
 * The pieces of the types of `defineModel<T>()`, which stand again where the props and events of the component are listed.
 * @param {typeof import("typescript")} ts @param {string} text @param {import("../components.mjs").Piece[]} pieces
 * @returns {Generator<import("../components.mjs").Piece>}
 */
function* models(ts, text, pieces) {
  if (!/\bdefineModel\s*</.test(text)) return;
  const source = ts.createSourceFile("", text, ts.ScriptTarget.ESNext, true, ts.ScriptKind.TSX);
  /** @type {Map<string, import("typescript").Node>} */
  const given = new Map();
  const call = (/** @type {import("typescript").Node} */ node) => {
    if (ts.isCallExpression(node) && node.expression.getText() === "defineModel" && node.typeArguments) {
      const [first] = node.arguments;
      given.set(first && ts.isStringLiteralLike(first) ? first.text : "modelValue", node.typeArguments[0]);
    }
    ts.forEachChild(node, call);
  };
  call(source);
  /** @type {(node: import("typescript").Node, first: import("typescript").Node) => Generator<import("../components.mjs").Piece>} */
  function* within(node, first) {
    if (ts.isTypeNode(node)) yield* again(pieces, first, node);
    /** @type {import("typescript").Node[]} */
    const children = [];
    ts.forEachChild(node, (one) => void children.push(one));
    for (const one of children) yield* within(one, first);
  }
  for (const one of source.statements) {
    if (!ts.isTypeAliasDeclaration(one) || !/^__VLS_Model(?:Props|Emit)$/.test(one.name.text) || !ts.isTypeLiteralNode(one.type)) continue;
    for (const { name, ...member } of /** @type {any[]} */ ([...one.type.members])) {
      const first = given.get(String(name.text).replace(/^update:/, ""));
      if (first && member.type) yield* within(member.type, first);
    }
  }
}
