// A component of Astro for the compiler: what `@astrojs/compiler` writes of it, and each script that it sends to browsers.

import { scripts } from "../../bindings/components/astro.mjs";
import { words } from "../../bindings/components/source_map.mjs";

const DECLARED = "declare const Astro:";
const GLOBAL = /import\('astro'\)\.AstroGlobal<(.*), (?:typeof [\w$]+|any)>>$/m;

/** @type {import("../components.mjs").Framework} */
export function written(tools, path, text, isInstalled) {
  const { code, map, diagnostics } = tools.load("@astrojs/compiler/sync").convertToTSX(text, { filename: path, sourcemap: "external", includeScripts: false, includeStyles: false });
  const errors = diagnostics.filter((/** @type {any} */ one) => one.severity === 1).length;
  const { TS, TSX } = tools.ts.ScriptKind;
  // Without props it declares no `Astro`.
  const declared = code.includes(DECLARED) ? code : `${code}\n${DECLARED} Readonly<import('astro').AstroGlobal<Record<string, any>, any>>\n`;
  const whole = isInstalled("astro") ? declared : declared.replace(GLOBAL, "{ props: $1; [key: string]: any }>");
  const own = [...scripts(text)].map(([start, end]) => ({ text: `${text.slice(start, end)}\nexport {};\n`, kind: TS, pieces: [{ start: 0, end: end - start, from: start }] }));
  return { scripts: [{ text: whole, kind: TSX, pieces: [...words(code, map, text)] }, ...own], unread: errors ? [[0, text.length]] : [] };
}
