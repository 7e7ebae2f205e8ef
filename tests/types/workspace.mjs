// Cases of members that anybody can read, as those of the bindings (`tests/bindings/workspace.mjs`): the first [|place|] of a
// group declares a member; the answer is all others of the group, {?a?} the doubts, and nothing else.

import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { mentions } from "../../daemon/cn_compiler/types/mentions.mjs";
import { Programs } from "../../daemon/cn_compiler/types/programs.mjs";
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
  const programs = new Programs(ts, files, ROOT, own.resolver, false);
  const at = place.lastIndexOf(":");
  const [file, start] = [place.slice(0, at), Number(place.slice(at + 1))];
  const name = /[\p{L}\p{N}_$#]+/uy;
  name.lastIndex = start;
  const [word = ""] = name.exec(texts[file]) ?? [];
  const { files: using, ambient: reaching } = own.reach.using([file], word);
  const ambient = own.imports.ambient().filter((path) => reaching.includes(path) || path.endsWith(".d.ts"));
  const paths = [file, ...using.filter((path) => path !== file && /\.[mc]?[jt]sx?$/.test(path))];
  return programs.of(paths, [file], ambient.filter(programs.declares)).flatMap(({ files, open }) => {
    const program = open();
    return mentions(ts, program, { names: [word], declared: [{ file, start }], files, resolve: own.resolver.resolve }).mentions.map((one) => {
      const source = /** @type {import("typescript").SourceFile} */ (program.getSourceFile(one.file));
      return { place: `${one.file}:${source.getPositionOfLineAndCharacter(one.line, one.character)}`, kind: one.kind, reason: one.reason };
    });
  });
}
