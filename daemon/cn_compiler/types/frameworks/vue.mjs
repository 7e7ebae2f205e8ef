// A component of Vue for the compiler, as `@vue/language-core` writes it.

import { blocks } from "../../bindings/components/vue.mjs";

const JSX = "/** @jsxImportSource vue */\n";

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
    .flatMap((/** @type {any} */ { sourceOffsets, generatedOffsets, lengths }) => sourceOffsets.map((/** @type {number} */ from, /** @type {number} */ at) => ({ start: generatedOffsets[at], end: generatedOffsets[at] + lengths[at], from })))
    .sort((/** @type {any} */ one, /** @type {any} */ other) => one.start - other.start);
  const isJsx = scriptKind === ts.ScriptKind.TSX || scriptKind === ts.ScriptKind.JSX;
  const head = isJsx ? JSX : "";
  const script = { text: head + code.snapshot.getText(0, code.snapshot.getLength()), kind: scriptKind, pieces: pieces.map(({ start, end, from }) => ({ start: start + head.length, end: end + head.length, from })) };
  return { scripts: [script], unread: errors ? [[0, text.length]] : unread };
}
