// The way back from what a tool wrote of a component, by the source map that it gives.

import { SourceMap } from "node:module";

import { linesOf } from "../facts.mjs";

const SIGN = /[.@~#/]/;
const WORD = /[\p{L}\p{N}_$]+/gu;

/**
 * Where the words of a written text stand in the component: each by itself, as what is written between them is not always
 * what stood there.
 * @param {string} written @param {any} map @param {string} text
 * @returns {Generator<{ start: number, end: number, from: number }>}
 */
export function* words(written, map, text) {
  const entries = new SourceMap(typeof map === "string" ? JSON.parse(map) : map);
  const [ours, theirs] = [linesOf(text), linesOf(written)];
  for (const [line, start] of theirs.entries()) {
    for (const { index, 0: word } of written.slice(start, theirs[line + 1]).matchAll(WORD)) {
      const { generatedLine, generatedColumn = 0, originalLine = 0, originalColumn = 0 } = /** @type {any} */ (entries.findEntry(line, index));
      if (generatedLine !== line) continue;
      const same = ours[originalLine] + originalColumn + index - generatedColumn;
      // A key that is put in quotes has the place of the first.
      const from = text.startsWith(word, same) || !/["'`]/.test(written[start + index - 1] ?? "") ? same : same - 1;
      if (!text.startsWith(word, from)) continue;
      const last = start + index + word.length;
      // Of a hyphenated name every place is one of it.
      const end = written[last] === "-" && text[from + word.length] === "-" ? last + 1 : last;
      // What a specifier begins with belongs to its first word.
      let before = 0;
      while (SIGN.test(written[start + index - before - 1] ?? "") && written[start + index - before - 1] === text[from - before - 1]) before++;
      yield { start: start + index - before, end, from: from - before };
    }
  }
}
