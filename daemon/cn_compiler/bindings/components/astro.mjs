// A component of Astro as TSX, as `@astrojs/compiler` writes it, and the scripts that it sends to browsers.

import { words } from "./source_map.mjs";
import { Virtual } from "./virtual.mjs";

const GENERATED = "\nexport default function ";
const SCRIPT = /<script\b([^>]*)>([^]*?)<\/script\s*>/gi;

const SLOT = /(<slot\b[^<>]*\bname=)["']([\w$-]+)["'][^<>]*>/g;

/** @param {any} compiler `@astrojs/compiler/sync` @param {string} text */
export function astro(compiler, text) {
  const { code, map, diagnostics } = compiler.convertToTSX(text, { filename: "component.astro", sourcemap: "external", includeScripts: false, includeStyles: false });
  const virtual = new Virtual(text, ".tsx");
  virtual.errors = diagnostics.filter((/** @type {any} */ one) => one.severity === 1).length;
  const written = code.slice(0, code.lastIndexOf(GENERATED));
  for (const piece of words(written, map, text)) virtual.map({ ...piece, isTemplate: false });
  virtual.write(written).write(";\n");
  for (const [start, end] of scripts(text)) virtual.copy(start, end).write("\n;");
  for (const { index, 0: whole, 1: before, 2: name } of text.matchAll(SLOT)) {
    const from = index + before.length + 1;
    virtual.parts.push({ name, kind: "Property", nameStart: from, nameEnd: from + name.length, start: index, end: index + whole.length });
  }
  return virtual;
}

/** Where scripts of browsers stand that are modules. @returns {Generator<[number, number]>} */
export function* scripts(/** @type {string} */ text) {
  for (const { index, 1: attributes, 2: body } of text.matchAll(SCRIPT)) {
    const from = index + "<script>".length + attributes.length;
    if (!/\bis:inline\b|\btype\s*=\s*["']?(?!module|text\/(?:java|type)script)/.test(attributes)) yield [from, from + body.length];
  }
}
