// A component of Astro as TSX, as `@astrojs/compiler` writes it, and the scripts that it sends to browsers, each in a scope of
// its own: those that run as they are share one, as they do in a page.

import { words } from "./source_map.mjs";
import { Virtual } from "./virtual.mjs";

const GENERATED = "\nexport default function ";
const SLOT = /(<slot\b[^<>]*\bname=)["']([\w$-]+)["'][^<>]*>/g;
const MODULE = /^(?:processed-)?module$/;
const RUN = /^(?:inline|event-attribute)$/;
const GIVEN = /\bdefine:vars\s*=\s*\{\s*\{([^{}]*)\}/;

/** @typedef {{ spans: [number, number][], kind: "module" | "page" | "given", names: Set<string> }} Script given: names of the component by `define:vars` */

/** @param {any} compiler `@astrojs/compiler/sync` @param {string} text */
export function astro(compiler, text) {
  const { code, map, diagnostics, metaRanges } = converted(compiler, "component.astro", text);
  const virtual = new Virtual(text, ".tsx");
  virtual.errors = diagnostics.filter((/** @type {any} */ one) => one.severity === 1).length;
  const written = code.slice(0, code.lastIndexOf(GENERATED));
  for (const piece of words(written, map, text)) virtual.map({ ...piece, isTemplate: false });
  virtual.write(written).write(";\n");
  const { scripts: all, unread } = scripts(metaRanges, text);
  virtual.unread = unread;
  for (const { spans, kind, names } of all) {
    virtual.write("(() => {\n");
    virtual.apart = { names, isPage: kind === "page" };
    for (const [start, end] of spans) virtual.copy(start, end).write("\n;");
    virtual.apart = undefined;
    virtual.write("})();\n");
  }
  for (const { index, 0: whole, 1: before, 2: name } of text.matchAll(SLOT)) {
    const from = index + before.length + 1;
    virtual.parts.push({ name, kind: "Property", nameStart: from, nameEnd: from + name.length, start: index, end: index + whole.length });
  }
  return virtual;
}

export const converted = (/** @type {any} */ compiler, /** @type {string} */ filename, /** @type {string} */ text) => compiler.convertToTSX(text, { filename, sourcemap: "external", includeScripts: false, includeStyles: false });

/** The scripts of browsers by what the compiler says of them. unread: what may be a script of another language */
export function scripts(/** @type {any} */ ranges, /** @type {string} */ text) {
  /** @type {Script[]} */
  const found = [];
  /** @type {[number, number][]} */
  const unread = [];
  /** @type {[number, number][]} */
  const page = [];
  for (const { type, content, position } of ranges?.scripts ?? []) {
    const span = /** @type {[number, number]} */ ([position.start, position.start + content.length]);
    if (!text.startsWith(content, span[0])) unread.push([position.start, position.end]);
    else if (MODULE.test(type)) found.push({ spans: [span], kind: "module", names: new Set() });
    else if (type === "unknown") unread.push(span);
    else if (RUN.test(type)) {
      const tag = type === "inline" ? text.slice(text.lastIndexOf("<script", span[0]), span[0]) : "";
      const [, names] = GIVEN.exec(tag) ?? [];
      if (names === undefined) page.push(span);
      else found.push({ spans: [span], kind: "given", names: new Set(names.split(",").map((one) => one.trim())) });
    }
  }
  return { scripts: page.length ? [...found, { spans: page.sort(([one], [other]) => one - other), kind: /** @type {const} */ ("page"), names: new Set() }] : found, unread };
}
