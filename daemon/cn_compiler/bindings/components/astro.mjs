// A component of Astro as TSX, as `@astrojs/compiler` writes it, and the scripts that it sends to browsers.

import { SourceMap } from "node:module";

import { linesOf } from "../facts.mjs";
import { Virtual } from "./virtual.mjs";

const GENERATED = "\nexport default function ";
const SCRIPT = /<script\b([^>]*)>([^]*?)<\/script\s*>/gi;
const WORD = /[\p{L}\p{N}_$]+/gu;

/** @param {any} compiler `@astrojs/compiler/sync` @param {string} text */
export function astro(compiler, text) {
  const { code, map, diagnostics } = compiler.convertToTSX(text, { filename: "component.astro", sourcemap: "external", includeScripts: false, includeStyles: false });
  const virtual = new Virtual(text, ".tsx");
  virtual.errors = diagnostics.filter((/** @type {any} */ one) => one.severity === 1).length;
  const written = code.slice(0, code.lastIndexOf(GENERATED));
  const entries = new SourceMap(typeof map === "string" ? JSON.parse(map) : map);
  const [ours, theirs] = [linesOf(text), linesOf(written)];
  theirs.forEach((start, line) => {
    // Each word has its place: what is written between them is not always what stood there.
    for (const { index, 0: word } of written.slice(start, theirs[line + 1]).matchAll(WORD)) {
      const { generatedLine, generatedColumn = 0, originalLine = 0, originalColumn = 0 } = entries.findEntry(line, index);
      if (generatedLine !== line) continue;
      const from = ours[originalLine] + originalColumn + index - generatedColumn;
      if (text.startsWith(word, from)) virtual.map({ start: start + index, end: start + index + word.length, from, isTemplate: false });
    }
  });
  virtual.write(written).write(";\n");
  for (const { index, 1: attributes, 2: body } of text.matchAll(SCRIPT)) {
    const from = /** @type {number} */ (index) + "<script>".length + attributes.length;
    if (!/\bis:inline\b|\btype\s*=\s*["']?(?!module|text\/(?:java|type)script)/.test(attributes)) virtual.copy(from, from + body.length).write("\n;");
  }
  return virtual;
}
