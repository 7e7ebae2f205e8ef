// A workspace in memory, and cases that anybody can read:
//
//   == what the case shows
//   -- a.ts
//   export class [|A|] {}
//   -- b.ts
//   import { [|A|] } from "./a";
//
// Asked at each [|place|], and at the first one's declaration by name, the answer is all of them and no other. {?a?} is a
// doubt that must be told; a case with a doubt is partial, any other is complete. Further groups are [2|a|2], [3|b|3]. [2!|a|2]
// belongs to its group, and is not asked at: something else has its name there too.

import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

import { COMPONENT, nameOf } from "../../daemon/cn_compiler/bindings/components/names.mjs";
import { Engine } from "../../daemon/cn_compiler/bindings/engine.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
export const ROOT = "/work";
/** @type {typeof import("typescript")} the provisioned package, or the nearest */
export const ts = createRequire(import.meta.url)(process.env.CN_TYPESCRIPT ?? "typescript");

const SCRIPT = /\.(?:[mc]?[jt]sx?|vue|svelte|astro|mdx)$|\/bin\/\w+$/;
const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

/** @typedef {import("../../daemon/cn_compiler/bindings/listing.mjs").Files} Files */

/** Whether one of the paths lies below a folder. @param {Iterable<string>} paths @param {string} folder */
function hasBelow(paths, folder) {
  for (const path of paths) if (path.startsWith(`${folder}/`)) return true;
  return false;
}

/** @implements {Files} */
export class Memory {
  /** @param {Record<string, string>} texts by absolute path; "link -> folder": nothing @param {RegExp} ignored paths that git ignores */
  constructor(texts, ignored = /\/node_modules\/|\/dist\/| -> /) {
    this.texts = new Map(Object.entries(texts));
    this.ignored = ignored;
  }
  *all() {
    for (const path of this.texts.keys()) if (!this.ignored.test(path)) yield path;
  }
  has = (/** @type {string} */ path) => this.texts.has(path) && !this.ignored.test(path);
  hasFolder = (/** @type {string} */ folder) => hasBelow(this.all(), folder);
  isFile = (/** @type {string} */ path) => this.texts.has(this.real(path));
  isFolder = (/** @type {string} */ folder) => hasBelow(this.texts.keys(), this.real(folder));
  read = (/** @type {string} */ path) => this.texts.get(this.real(path));
  stamp = (/** @type {string} */ path) => this.read(path) ?? "";
  real = (/** @type {string} */ path) => {
    for (const one of this.texts.keys()) {
      if (!one.includes(" -> ")) continue;
      const [link, folder] = one.split(" -> ");
      if (path === link || path.startsWith(`${link}/`)) return normalize(join(dirname(link), folder + path.slice(link.length)));
    }
    return path;
  };
  words = (/** @type {string} */ word) => {
    const parts = word.match(WORD) ?? [];
    return [...this.all()].filter((path) => SCRIPT.test(path) && parts.length && parts.every((part) => new Set([...(this.read(path)?.match(WORD) ?? []), ...(COMPONENT.test(path) ? [nameOf(path)] : [])]).has(part)));
  };
}

/** @type {((name: string) => any) | undefined} what reads components, where it is provisioned */
export const libraries = process.env.CN_COMPONENTS ? createRequire(`${process.env.CN_COMPONENTS}/package.json`) : undefined;

export const engine = (/** @type {Memory} */ files, own = libraries) => new Engine(ts, files, ROOT, files.words, undefined, own);

/** @typedef {{ name: string, texts: Record<string, string>, groups: Map<string, string[]>, silent: Set<string>, doubts: string[] }} Case */

/** @returns {Case[]} */
export function cases() {
  /** @type {Case[]} */
  const found = [];
  for (const name of readdirSync(join(HERE, "cases")).sort()) {
    for (const part of readFileSync(join(HERE, "cases", name), "utf8").split(/^== /m).slice(1)) {
      const [title, ...rest] = part.split("\n");
      found.push(marked(`${name.replace(/\.txt$/, "")}: ${title}`, rest.join("\n")));
    }
  }
  return found;
}

/** @returns {Case} */
export function marked(/** @type {string} */ name, /** @type {string} */ text) {
  /** @type {Record<string, string>} */
  const texts = {};
  /** @type {Map<string, string[]>} */
  const groups = new Map();
  /** @type {Set<string>} */
  const silent = new Set();
  /** @type {string[]} */
  const doubts = [];
  for (const part of text.split(/^-- /m).slice(1)) {
    const [title, ...lines] = part.split("\n");
    const path = normalize(join(ROOT, title.trim()));
    let plain = "";
    let last = 0;
    const body = lines.join("\n");
    for (const mark of body.matchAll(/\[(\d?)(!?)\||\|(\d?)\]|\{\?|\?\}/g)) {
      plain += body.slice(last, mark.index);
      last = mark.index + mark[0].length;
      if (mark[0] === "{?") doubts.push(`${path}:${plain.length}`);
      else if (mark[2]) silent.add(`${path}:${plain.length}`);
      if (mark[0].startsWith("[")) groups.set(mark[1], [...(groups.get(mark[1]) ?? []), `${path}:${plain.length}`]);
    }
    texts[path] = plain + body.slice(last);
  }
  return { name, texts, groups, silent, doubts };
}

/** A place as people read it. */
export function shown(/** @type {Record<string, string>} */ texts, /** @type {string} */ place) {
  const [path, start] = place.split(":");
  const before = (texts[path] ?? "").slice(0, Number(start)).split("\n");
  return `${path.slice(ROOT.length + 1)}:${before.length}:${before[before.length - 1].length + 1}`;
}
