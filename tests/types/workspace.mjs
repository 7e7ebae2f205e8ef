// Cases of members that anybody can read, as those of the bindings (`tests/bindings/workspace.mjs`): the first [|place|] of a
// group declares a member; the answer is all others of the group, {?a?} the doubts, and nothing else.

import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { linesOf } from "../../daemon/cn_compiler/bindings/facts.mjs";
import { Programs } from "../../daemon/cn_compiler/types/programs.mjs";
import { uses } from "../../daemon/cn_compiler/types/uses.mjs";
import { Memory, ROOT, engine, marked, ts } from "../bindings/workspace.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));

/** @returns {import("../bindings/workspace.mjs").Case[]} */
export function cases() {
  return readdirSync(join(HERE, "cases")).sort().flatMap((name) => {
    const [, ...parts] = readFileSync(join(HERE, "cases", name), "utf8").split(/^== /m);
    return parts.map((part) => {
      const [title, ...rest] = part.split("\n");
      return marked(`${name.replace(/\.txt$/, "")}: ${title}`, rest.join("\n"));
    });
  });
}

/**
 * What is told of the member that a place declares.
 * @param {Record<string, string>} texts @param {string} place
 */
export function asked(texts, place) {
  const files = new Memory(texts);
  const own = engine(files, undefined);
  const programs = new Programs(ts, files, ROOT, own.resolver, false, undefined, process.env.CN_COMPONENTS);
  const at = place.lastIndexOf(":");
  const [file, start] = [place.slice(0, at), Number(place.slice(at + 1))];
  const name = /[\p{L}\p{N}_$#]+/uy;
  name.lastIndex = start;
  const [word = ""] = name.exec(texts[file]) ?? [];
  const { files: using, ambient: reaching } = own.reach.using([file], word);
  const ambient = own.imports.ambient().filter((path) => reaching.includes(path) || path.endsWith(".d.ts"));
  const paths = [file, ...using.filter((path) => path !== file && /\.(?:[mc]?[jt]sx?|vue|svelte|astro)$/.test(path))];
  return programs.of(paths, [file], ambient.filter(programs.declares)).flatMap(({ files, open }) => {
    const program = open();
    return uses(programs, program, { names: [word], declared: [{ file, start }], files }).mentions.map((one) => {
      const { [one.line]: begin } = linesOf(texts[one.file]);
      return { place: `${one.file}:${begin + one.character}`, kind: one.kind, reason: one.reason };
    });
  });
}
