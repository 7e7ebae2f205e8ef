// Cases of members that anybody can read, as those of the bindings (`tests/bindings/workspace.mjs`): the first [|place|] of a
// group declares a member; the answer is all others of the group, {?a?} the doubts, and nothing else.

import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { linesOf } from "../../daemon/cn_compiler/bindings/facts.mjs";
import { Programs } from "../../daemon/cn_compiler/types/programs.mjs";
import { implementing, inheriting, uses } from "../../daemon/cn_compiler/types/uses.mjs";
import { Memory, ROOT, engine, marked, ts as provisioned } from "../bindings/workspace.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const LIBRARIES = dirname(provisioned.getDefaultLibFilePath({}));

/** Of TypeScript's own declarations, which the programs of all cases have. */
const libraries = /** @type {any} */ (provisioned.createDocumentRegistry(true, ROOT));
/** TypeScript, with what each registry has of a workspace for itself, and its own declarations, parsed once, for all. */
const ts = {
  ...provisioned,
  createDocumentRegistry(/** @type {boolean | undefined} */ isCaseSensitive, /** @type {string | undefined} */ root) {
    const own = /** @type {any} */ (provisioned.createDocumentRegistry(isCaseSensitive, root));
    const shared = (/** @type {string} */ method) => (/** @type {string} */ file, /** @type {any[]} */ ...rest) => (dirname(file) === LIBRARIES ? libraries : own)[method](file, ...rest);
    return { ...own, acquireDocumentWithKey: shared("acquireDocumentWithKey"), updateDocumentWithKey: shared("updateDocumentWithKey") };
  },
};

/** @returns {import("../bindings/workspace.mjs").Case[]} */
export function cases(folder = "cases") {
  return readdirSync(join(HERE, folder)).sort().flatMap((name) => {
    const [, ...parts] = readFileSync(join(HERE, folder, name), "utf8").split(/^== /m);
    return parts.map((part) => {
      const [title, ...rest] = part.split("\n");
      return marked(`${name.replace(/\.txt$/, "")}: ${title}`, rest.join("\n"));
    });
  });
}

/**
 * What programs tell of what a place declares: over the files that may use it, or that hold one of some words.
 * @template T
 * @param {Record<string, string>} texts @param {string} place @param {string[] | undefined} words
 * @param {(programs: Programs, program: import("typescript").Program, goal: { name: string, declared: { file: string, start: number }[], files: Set<string> }) => T} ask
 * @returns {T[]}
 */
function through(texts, place, words, ask) {
  const files = new Memory(texts);
  const own = engine(files, undefined);
  const tools = Object.keys(texts).some((path) => /\.(?:vue|svelte|astro)$/.test(path)) ? process.env.CN_COMPONENTS : undefined;
  const programs = new Programs(ts, files, ROOT, own.resolver, false, undefined, tools);
  const at = place.lastIndexOf(":");
  const [file, start] = [place.slice(0, at), Number(place.slice(at + 1))];
  const name = /[\p{L}\p{N}_$#]+/uy;
  name.lastIndex = start;
  const [word = ""] = name.exec(texts[file]) ?? [];
  const { files: using, ambient: reaching } = own.reach.using([file], word, words && [word, ...words]);
  const ambient = own.imports.ambient().filter((path) => reaching.includes(path) || path.endsWith(".d.ts"));
  const paths = [file, ...using.filter((path) => path !== file && /\.(?:[mc]?[jt]sx?|vue|svelte|astro)$/.test(path))];
  return programs.of(paths, [file], ambient.filter(programs.declares)).map(({ files, open }) => ask(programs, open(), { name: word, declared: [{ file, start }], files }));
}
const placed = (/** @type {Record<string, string>} */ texts) => (/** @type {{ file: string, line: number, character: number }} */ one) => `${one.file}:${linesOf(texts[one.file])[one.line] + one.character}`;

/** What is told of the member that a place declares. */
export function asked(/** @type {Record<string, string>} */ texts, /** @type {string} */ place) {
  const found = through(texts, place, undefined, (programs, program, { name, ...goal }) => uses(programs, program, { ...goal, names: [name] }).mentions);
  return found.flat().map((/** @type {import("../../daemon/cn_compiler/types/mentions.mjs").Mention} */ one) => ({ place: placed(texts)(one), kind: one.kind, reason: one.reason }));
}
/** What inherits from the type that a place declares, what is said to be of it, and what is in doubt. */
export function inherits(/** @type {Record<string, string>} */ texts, /** @type {string} */ place) {
  const found = through(texts, place, ["extends", "implements"], (programs, program, { declared, files }) => ({ ...inheriting(programs, program, { declared, files }), ...implementing(programs, program, { declared, files }) }));
  const heirs = found.flatMap(({ below, objects }) => [...below.map((/** @type {any} */ one) => one.child), ...objects].map(placed(texts)));
  return { heirs: [...new Set(heirs)], doubts: found.flatMap(({ doubts }) => doubts.map(placed(texts))) };
}
/** The keys of objects that are the member which a place declares. */
export function keys(/** @type {Record<string, string>} */ texts, /** @type {string} */ place) {
  const found = through(texts, place, undefined, (programs, program, { name, declared: [{ file, start }], files }) => {
    const member = /** @type {any} */ (ts).getTouchingPropertyName(program.getSourceFile(file), start).parent;
    return implementing(programs, program, { files, name, declared: [{ file, start: member.parent.name.getStart() }] }).objects;
  });
  return found.flat().map(placed(texts));
}
