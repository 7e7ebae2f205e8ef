// A component of Astro for the compiler: what `@astrojs/compiler` writes of it, and the scripts that it sends to browsers.

import { converted, scripts } from "../../bindings/components/astro.mjs";
import { words } from "../../bindings/components/source_map.mjs";

const DECLARED = "declare const Astro:";
const GLOBAL = /import\('astro'\)\.AstroGlobal<(.*), (?:typeof [\w$]+|any)>>$/m;

/** What is written behind a text that imports `astro:middleware` and the like, so that its places stay: Astro declares them there. */
export const virtual = (/** @type {string} */ text) => (/["']astro:\w/.test(text) ? '\nimport "astro/client";\n' : "");

/** @type {import("../components.mjs").Framework} */
export function written(tools, path, text, isInstalled) {
  const { code, map, diagnostics, metaRanges } = converted(tools.load("@astrojs/compiler/sync"), path, text);
  const errors = diagnostics.filter((/** @type {any} */ one) => one.severity === 1).length;
  const { TS, TSX, JS } = tools.ts.ScriptKind;
  // Without props it declares no `Astro`.
  const declared = code.includes(DECLARED) ? code : `${code}\n${DECLARED} Readonly<import('astro').AstroGlobal<Record<string, any>, any>>\n`;
  const whole = isInstalled("astro") ? declared + virtual(text) : declared.replace(GLOBAL, "{ props: $1; [key: string]: any }>");
  const own = { text: whole, kind: TSX, pieces: [...words(code, map, text)] };
  const { scripts: all, unread } = scripts(metaRanges, text);
  const apart = all.flatMap(({ spans, kind }) => {
    // What is given names of the component stands among them.
    const one = kind === "given" ? own : { text: "", kind: kind === "page" ? JS : TS, pieces: /** @type {import("../components.mjs").Piece[]} */ ([]) };
    if (kind === "given") one.text += "\n(() => {\n";
    for (const [start, end] of spans) {
      one.pieces.push({ start: one.text.length, end: one.text.length + end - start, from: start });
      one.text += `${text.slice(start, end)}\n;`;
    }
    one.text += kind === "given" ? "})();\n" : "export {};\n";
    return one === own ? [] : [one];
  });
  return { scripts: [own, ...apart], unread: errors ? [[0, text.length]] : unread };
}
