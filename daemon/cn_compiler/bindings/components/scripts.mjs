// The scripts of a component alone, where nothing reads its template.

import { Virtual } from "./virtual.mjs";

const SCRIPT = /<script\b((?:[^>"']|"[^"]*"|'[^']*')*)>([^]*?)<\/script\s*>/gi;
const FRONT_MATTER = /^\s*---\r?\n([^]*?)^---/m;
const STYLE = /<style\b[^]*?<\/style\s*>|<!--[^]*?-->/gi;

/** Where the scripts of a component stand, and their language. @param {string} path @param {string} text */
function scriptsIn(path, text) {
  /** @type {{ start: number, end: number }[]} */
  const found = [];
  let lang = path.endsWith(".astro") ? "tsx" : "js";
  const front = path.endsWith(".astro") ? FRONT_MATTER.exec(text) : undefined;
  if (front) found.push({ start: front[0].indexOf(front[1], 3) + front.index, end: front.index + front[0].length - 3 });
  for (const { index, 1: attributes, 2: body } of text.matchAll(SCRIPT)) {
    const start = /** @type {number} */ (index) + "<script>".length + attributes.length;
    const [, own] = /\blang\s*=\s*["']?(\w+)/.exec(attributes) ?? [];
    if (own && !path.endsWith(".astro")) lang = /^[jt]sx?$/.test(own) ? own : "ts";
    found.push({ start, end: start + body.length });
  }
  return { found, lang };
}
/** The scripts of a component as a text of TypeScript, each where it stands, with the path of a file that would hold it. @returns {[string, string]} */
export function alone(/** @type {string} */ path, /** @type {string} */ text) {
  const { found, lang } = scriptsIn(path, text);
  let whole = "";
  for (const { start, end } of [...found, { start: text.length, end: text.length }]) whole += text.slice(whole.length, start).replace(/[^\r\n]/g, " ") + text.slice(start, end);
  return [`${path}${lang.endsWith("sx") ? ".tsx" : ".ts"}`, whole];
}

/** @param {string} path @param {string} text */
export function scripts(path, text) {
  const { found, lang } = scriptsIn(path, text);
  const virtual = new Virtual(text, /** @type {any} */ (`.${lang}`));
  let from = 0;
  for (const { start, end } of [...found, { start: text.length, end: text.length }]) {
    virtual.unread.push(...markup(text, from, start));
    from = end;
    virtual.copy(start, end).write("\n;");
  }
  return virtual;
}

/** What stands between two places, without what names nothing. @returns {Generator<[number, number]>} */
export function* markup(/** @type {string} */ text, /** @type {number} */ start, /** @type {number} */ end) {
  let from = start;
  for (const { index, 0: style } of text.slice(start, end).matchAll(STYLE)) {
    if (style.includes("v-bind(")) continue;
    const at = start + /** @type {number} */ (index);
    yield [from, at];
    from = at + style.length;
  }
  yield [from, end];
}
