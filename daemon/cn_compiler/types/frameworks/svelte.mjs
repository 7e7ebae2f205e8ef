// A component of Svelte for the compiler, as `svelte2tsx` writes it.

import { words } from "../../bindings/components/source_map.mjs";

const TYPED = /<script\b[^>]*\blang\s*=\s*["']?(?:ts|typescript)\b/;

/** @type {import("../components.mjs").Framework} */
export function written(tools, path, text, isInstalled) {
  const isTsFile = TYPED.test(text);
  const { code, map } = tools.load("svelte2tsx").svelte2tsx(text, { filename: path, isTsFile, mode: "ts" });
  const declarations = ["svelte2tsx/svelte-shims-v4.d.ts", "svelte2tsx/svelte-jsx-v4.d.ts", ...(isInstalled("svelte") ? [] : ["svelte/types/index.d.ts"])];
  const head = declarations.map((name) => `/// <reference path="${tools.file(name)}" />\n`).join("");
  const pieces = [...words(code, map, text)].map(({ start, end, from }) => ({ start: start + head.length, end: end + head.length, from }));
  const { TS, JS } = tools.ts.ScriptKind;
  return { scripts: [{ text: head + code, kind: isTsFile ? TS : JS, pieces }], unread: [] };
}
