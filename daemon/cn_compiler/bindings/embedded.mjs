// Texts that hold scripts and are not parsed, pages, MDX and scripts without an ending: where a member may be accessed on a value
// in them. It errs towards yes, but for prose.

import { clausesIn, EMBEDDING } from "./imports.mjs";
import { COMPONENT } from "./components/names.mjs";

/** @typedef {{ file: string, start: number, length: number }} Place */

/** A script without an ending. */
export const isShebang = (/** @type {string} */ file, /** @type {string} */ text) => !/\.[^/]*$/.test(file) && /^#!.*\b(?:node|nodejs|bun|deno|tsx|ts-node)\b/.test(text);
const COMMENT = /<!--[^]*?(?:-->|$(?![^]))|\/\*[^]*?(?:\*\/|$(?![^]))|\/\/(?<!\S\/\/)[^\n]*/g;
/** What Markdown shows as code is none of the file's, nor are the paths that its links lead to. */
const SHOWN = /^([ \t]{0,20})(`{3,}|~{3,})[^]*?(?:^[ \t]{0,20}\2|$(?![^]))|`[^`\n]*`|(?<=\])\([^(){}'"\s]*\/[^(){}'"\s]*\)/gm;
/** A string in code, but for a single word, by which a member may be accessed. Behind what no prose has before a quote. */
const STRING = /(?<=[[({,:=?&|+])\s{0,99}"(?![\w$]+")(?:\\.|[^"\\\n])*"/g;
/** Where a component is given something. */
const GIVEN = /^(?:\s*(?:=|\/?>)|\s+[\w@:{])/;
const TAG = /<[A-Z][\w.]*\s(?:[^<>{}"']|=>|"[^"]*"|'[^']*'|\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}?)*$/;
const OPENED = /<[A-Z]/;
const FAR = 1000;
/** So far up braces are looked for that are open at a name. */
const WIDE = 20_000;
/** So much may stand between a name and the signs around it. */
const SPACE = 200;

/** The scripts of a page, each where it stands, and nothing else. */
export const scripted = (/** @type {string} */ text) => text.replace(/(<script\b[^>]*>)([^]*?)(?=<\/script)|\bon\w+\s*=\s*(?:"([^"]*)"|'([^']*)')|[^\n]/gi, (found) => (found.length > 1 ? found : " "));
const blanked = (/** @type {string} */ text, /** @type {RegExp} */ pattern) => text.replace(pattern, (found) => found.replace(/[^\n]/g, " "));

/**
 * Where a member of a name may be accessed in files that are not parsed.
 * @param {string[]} files @param {string} name @param {(path: string) => string | undefined} read
 * @param {(specifier: string, from: string) => boolean} isInside whether a specifier may lead into the workspace
 * @returns {Place[]}
 */
export function memberMentions(files, name, read, isInside) {
  return files.flatMap((file) => {
    const text = (EMBEDDING.test(file) && !COMPONENT.test(file)) || !/\.[^/]*$/.test(file) ? (read(file) ?? "") : "";
    if (!EMBEDDING.test(file) && !isShebang(file, text)) return [];
    // Markdown that imports nothing of the workspace has nothing of it. Most texts hold the name in prose alone.
    if (!positions(text, name, file, OPENED).next().value || (file.endsWith(".mdx") && !clausesIn(text).some(({ specifier }) => isInside(specifier, file)))) return [];
    const own = /\.html?$/.test(file) ? scripted(text) : file.endsWith(".mdx") ? blanked(blanked(text, SHOWN), STRING) : text;
    /** @type {Map<number, Place>} the first of each line */
    const found = new Map();
    for (const [start] of positions(blanked(own, COMMENT), name, file, TAG)) {
      const line = text.lastIndexOf("\n", start - 1);
      if (!found.has(line)) found.set(line, { file, start, length: name.length });
    }
    return [...found.values()];
  });
}
/** tag: what stands before what a component is given. @returns {Generator<[number], undefined>} */
function* positions(/** @type {string} */ code, /** @type {string} */ name, /** @type {string} */ file, /** @type {RegExp} */ tag) {
  for (let at = code.indexOf(name); at >= 0; at = code.indexOf(name, at + 1)) {
    const end = at + name.length;
    if (/[\p{L}\p{N}_$]/u.test(code[at - 1] ?? " ") || /[\p{L}\p{N}_$]/u.test(code[end] ?? " ")) continue;
    const before = code.slice(Math.max(0, at - SPACE), at);
    const braced = () => isBraced(code.slice(Math.max(0, at - WIDE), at));
    const after = code.slice(end, end + SPACE);
    const isGiven = file.endsWith(".mdx") && /\s$/.test(before) && GIVEN.test(after) && tag.test(code.slice(Math.max(0, at - FAR), at));
    if (isGiven || isAccess(before, after, braced)) yield [at];
  }
}
/** `a.name`, `a["name"]`, `{ name }`, `{ name: 1 }`, `{ name = 1 }`. braced: whether braces are open there */
function isAccess(/** @type {string} */ before, /** @type {string} */ after, /** @type {() => boolean} */ braced) {
  if (/\.\s*#?$/.test(before)) return true;
  const quote = before.at(-1) ?? "";
  if (quote === "'" || quote === '"') return /\[\s*$/.test(before.slice(0, -1)) && after[0] === quote && /^\s*\]/.test(after.slice(1));
  return /[{,]\s*$/.test(before) && /^\s*[,}:=]/.test(after) && braced();
}
/** Whether more braces are opened in what stands before a place than closed, or may be further up. */
function isBraced(/** @type {string} */ before) {
  let depth = 0;
  for (let at = before.length; at--; ) {
    if (before[at] === "}") depth++;
    else if (before[at] === "{" && !depth--) return true;
  }
  return depth > 0 || before.length === WIDE;
}
