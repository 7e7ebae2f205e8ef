// What types decide, as a process (`process.mjs`). It loads one package, the TypeScript that it is given, and reads files
// through the listing alone.
//
//   open      {typescript, root, allowed, old, components}
//             old: the workspace's TypeScript is older than 6. components: as of the bindings. No file is known yet
//   update    {created, changed, deleted, banned}         as of the bindings
//   mentions  {names, declared, kind, doubted, named, apart?, files, ambient, reaching, ms} -> {mentions, unread}
//             of a symbol: the names by which it goes, where it is declared ({file, line, character}), the files that may use it,
//             those that declare something for others that do not import them, and which of these lead to it. kind, doubted,
//             named: as of `mentions.mjs`. In so many milliseconds; unread: the files that were not reached. mentions: {file,
//             line, character, length, kind, reason}, kind: use, definition (another declaration of the same), or doubt;
//             what is something else is left out. apart: files that declare another symbol of the name for all
//   constructions  {declared, files, ambient, reaching, ms} -> {uses, heirs, unread}
//             of a class: where its constructors are declared, and the files that name it or an heir without a
//             constructor of its own. heirs: where such ones are declared. uses, heirs: {file, line, character, length}
//   heritage  {declared, files, ambient, reaching, ms} -> {goals, below, above, doubts, unread}
//             of a type: goals: what is declared there. below, above: {child, parent, relation, isRenamed, kind}, the steps
//             from what the files declare up to the type, and from the type up. doubts: clauses, each with its reason
//   objects   {declared, name, files, ambient, reaching, ms} -> {objects, unread}
//             objects and functions that are said to be of a type, or, by name, the keys that are its member
//   templates {name, declared, scripts, holding, owning, reached, files, ambient, reaching, ms} -> {mentions, unread}
//             of a member in templates of Angular. scripts: those that may decorate classes. holding: the files that hold its
//             name. owning: scripts that may name a template of these. reached: the scripts that may use it. files: as of
//             `mentions`, which is asked next: one program answers both. Without files: {isMentioned}, whether any
//             template mentions the name
//   definitions  {places, ambient, member?} -> {definitions}
//             of what stands at places, or of a member of it, of each: {file, line, character, length, kind}
//   words     {places, ambient} -> {words}                by which members go whose names in brackets begin there

import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { join } from "node:path";

import { linesOf } from "../bindings/facts.mjs";
import { Listing } from "../bindings/listing.mjs";
import { resolver } from "../bindings/resolve.mjs";
import { lateness, noting, serve } from "../process.mjs";
import { Templates } from "./angular/templates.mjs";
import { wordsAt } from "./computed.mjs";
import { definitions } from "./definitions.mjs";
import { inherited } from "./inherited.mjs";
import { Programs } from "./programs.mjs";
import { constructing, implementing, inheriting, uses } from "./uses.mjs";

/** @type {{ ts: typeof import("typescript"), root: string, listing: Listing, programs: Programs } | undefined} */
let own;
/** @type {import("./angular/templates.mjs").Known} */
const decorated = new Map();
/** @type {Set<string>} files whose text ended a process */
let banned = new Set();
const READ = /\.(?:[mc]?[jt]sx?|vue|svelte|astro)$/;

/** What was answered since something changed, by a digest of the question. @type {Map<string, any>} */
const answered = new Map();
/** So many answers are kept. */
const KEPT = 64;

/**
 * The answer of before, where nothing changed since; one that time cut short is not kept.
 * @template T
 * @param {string} method @param {(question: any) => T & { unread?: string[] }} answer @returns {(question: any) => T}
 */
const kept = (method, answer) => (question) => {
  refresh();
  const key = createHash("sha1").update(JSON.stringify([method, { ...question, ms: 0 }])).digest("latin1");
  const known = answered.get(key);
  const found = known ?? answer(question);
  answered.delete(key);
  if (!found.unread?.length) answered.set(key, found); // the latest stands last
  if (answered.size > KEPT) answered.delete(/** @type {string} */ (answered.keys().next().value));
  return found;
};

function opened() {
  if (!own) throw new Error("not opened");
  return own;
}

serve(
  {
    open({ typescript, root, allowed, old, components }) {
      const ts = createRequire(import.meta.url)(typescript);
      const listing = new Listing([root, ...allowed]);
      own = { ts, root, listing, programs: new Programs(ts, listing, root, resolver(ts, listing, root), old, (path) => noting(shown(path)), components ?? undefined) };
      return { version: ts.version };
    },
    update({ created, changed, deleted, banned: given }) {
      const { ts, root, listing, programs } = opened();
      const absolute = (/** @type {string[]} */ paths) => paths.map((path) => join(root, path));
      answered.clear();
      const before = banned;
      banned = new Set(absolute(given));
      const paths = [...absolute(created), ...absolute(changed), ...absolute(deleted), ...[...before, ...banned].filter((path) => before.has(path) !== banned.has(path))];
      if (created.length || deleted.length) listing.update(absolute(created), absolute(deleted));
      const isListed = !created.length && !deleted.length && changed.every((/** @type {string} */ path) => READ.test(path) && !/\.config\./.test(path));
      programs.banned = banned;
      programs.update(paths, isListed ? programs.resolver : resolver(ts, listing, root));
      return {};
    },
    definitions({ member, ...question }) {
      const { programs } = opened();
      const found = [...standing(question)].map(({ program, at }) => (member ? inherited(programs, program, at, member) : definitions(programs, program, at)).map(shownPlace));
      return { definitions: found };
    },
    words(question) {
      const { ts } = opened();
      return { words: [...new Set([...standing(question)].flatMap(({ program, at }) => wordsAt(ts, program, at)))] };
    },
    mentions: kept("mentions", (question) => {
      const { programs } = opened();
      const { names, kind } = question;
      const [doubted, named] = [question.doubted, question.named].map(located);
      const isLate = lateness(question.ms);
      const answers = ask(question, isLate, ({ program, files, all, declared, around }) => {
        const goal = { names, kind, declared, doubted, named, around, files, all, isLate };
        return program ? uses(programs, program, goal) : { mentions: [], unread: files, isKnown: true };
      });
      // One program may be without it; where none has it nothing is decided.
      if (!answers.some((one) => one.isKnown)) throw new Error(`no symbol at ${question.declared.map((/** @type {any} */ { file, line, character }) => `${file}:${line + 1}:${character + 1}`).join(", ")}`);
      return { mentions: answers.flatMap((one) => one.mentions).map(shownPlace), unread: answers.flatMap((one) => one.unread).map(shown) };
    }),
    templates: kept("templates", ({ name, ...question }) => {
      const { ts, listing, programs, root } = opened();
      const isLate = lateness(question.ms);
      const absolute = (/** @type {string[]} */ paths) => paths.map((path) => join(root, path));
      const templates = new Templates(ts, (path) => (noting(shown(path)), banned.has(path) ? undefined : listing.read(path)), decorated, name, { scripts: absolute(question.scripts), holding: absolute(question.holding), owning: absolute(question.owning) });
      const { mentions } = templates;
      noting("");
      if (!question.files) return { isMentioned: mentions.length > 0 };
      const scripts = templates.asked(mentions, absolute(question.reached));
      const known = new Set(scripts);
      /** @type {ReturnType<Templates["judged"]>} */
      const judged = mentions.filter((one) => one.kind !== "given" && !known.has(one.script)).map((one) => [one, templates.unreached(one)]);
      const further = { ...question, files: [...question.files, ...scripts.map(shown)] };
      const judge = (/** @type {Asked} */ { program, files, declared }) => (program ? { judged: templates.judged(program, files, mentions, { declared, resolve: programs.resolver.resolve }), unread: [] } : { judged: [], unread: files });
      const answers = mentions.length ? ask(further, isLate, judge) : [];
      judged.push(...answers.flatMap((one) => one.judged));
      const mentioned = templates.united(judged).map(shownPlace);
      noting("");
      return { mentions: mentioned, unread: answers.flatMap((one) => one.unread).map(shown) };
    }),
    constructions: kept("constructions", (question) => {
      const { programs } = opened();
      const isLate = lateness(question.ms);
      const answers = ask(question, isLate, ({ program, files, all, declared }) => (program ? constructing(programs, program, { declared, files, all, isLate }) : { uses: [], heirs: [], unread: files }));
      return { uses: answers.flatMap((one) => one.uses).map(shownPlace), heirs: answers.flatMap((one) => one.heirs).map(shownPlace), unread: answers.flatMap((one) => one.unread).map(shown) };
    }),
    heritage: kept("heritage", (question) => {
      const { answers, unread } = gathered(question, (program, goal) => inheriting(opened().programs, program, goal));
      const steps = (/** @type {"below" | "above"} */ side) => answers.flatMap((one) => one[side]).map((step) => ({ ...step, child: shownPlace(step.child), parent: shownPlace(step.parent) }));
      return { goals: answers.flatMap((one) => one.goals).map(shownPlace), below: steps("below"), above: steps("above"), doubts: answers.flatMap((one) => one.doubts).map(shownPlace), unread };
    }),
    objects: kept("objects", ({ name, ...question }) => {
      const { answers, unread } = gathered(question, (program, goal) => implementing(opened().programs, program, { ...goal, name: name ?? undefined }));
      return { objects: answers.flatMap((one) => one.objects).map(shownPlace), unread };
    }),
  },
);

/**
 * @template T
 * @param {any} question @param {(program: import("typescript").Program, goal: { declared: any[], files: string[], isLate: () => boolean }) => T & { unread: string[] }} answering
 * @returns {{ answers: T[], unread: string[] }}
 */
function gathered(question, answering) {
  const isLate = lateness(question.ms);
  const found = ask(question, isLate, ({ program, files, declared }) => (program ? { answers: [answering(program, { declared, files, isLate })], unread: [] } : { answers: [], unread: files }));
  const answers = found.flatMap((one) => one.answers);
  return { answers, unread: [...found, ...answers].flatMap((one) => one.unread).map(shown) };
}
/** @typedef {{ program: import("typescript").Program | undefined, files: string[], all: string[], declared: any[], around: ReturnType<Programs["around"]> }} Asked */
/**
 * Asks the programs that hold the files of a question, one after the other; none where its time is over. A call for each, so that nothing
 * keeps one alive that lets go what it knows of types while the next is built.
 * @template T
 * @param {any} question @param {() => boolean} isLate @param {(asked: Asked) => T} answer
 */
function ask({ declared, kind, apart: others = [], files, ambient, reaching }, isLate, answer) {
  const { root, programs } = opened();
  refresh();
  const places = located(declared);
  /** @type {string[]} */
  const homes = [...new Set(places.map((/** @type {any} */ { file }) => file))];
  const leading = new Set(reaching);
  const around = ambient.filter((/** @type {string} */ path) => leading.has(path) || path.endsWith(".d.ts")).map((/** @type {string} */ path) => join(root, path)).filter(programs.declares);
  const all = [...new Set([...homes, ...files.map((/** @type {string} */ path) => join(root, path))])].filter((path) => READ.test(path));
  // Of the whole, what declares for all stands in the programs of its own projects alone, and so does what declares another by its name.
  const own = kind === "whole" ? homes.filter(programs.declares) : [];
  const apart = [...new Set([...own, ...others.map((/** @type {string} */ path) => join(root, path))])];
  const listing = programs.around(own);
  const askOne = (/** @type {ReturnType<Programs["of"]>[number]} */ group) => {
    const program = isLate() ? undefined : group.open();
    noting(""); // no text is read any more
    return answer({ program, files: [...group.files], all, declared: places, around: listing });
  };
  return programs.of(all, [...homes.filter((path) => !apart.includes(path)), ...around.filter(programs.isMergedNamespace)], around, apart, ambient.map((/** @type {string} */ path) => join(root, path))).map(askOne);
}

/** Places, each with a program that holds its file. @returns {Iterable<{ program: import("typescript").Program, at: any }>} */
function* standing(/** @type {{ ambient: string[], places: any[] }} */ { ambient, places }) {
  const { root, programs } = opened();
  refresh();
  const around = ambient.map((path) => join(root, path)).filter(programs.declares);
  const asked = located(places);
  /** @type {Map<string, import("typescript").Program>} */
  const open = new Map();
  for (const group of programs.of(new Set(asked.map(({ file }) => file)), [], around, [], ambient.map((path) => join(root, path)))) {
    const program = group.open();
    noting(""); // no text is read any more
    for (const path of group.files) open.set(path, program);
  }
  for (const at of asked) yield { program: /** @type {import("typescript").Program} */ (open.get(at.file)), at };
}
/** Take over what was installed meanwhile. */
function refresh() {
  const { ts, root, listing, programs } = opened();
  if (!listing.stale() && !programs.isOutdated()) return;
  answered.clear();
  listing.update([]);
  programs.update(programs.installed(), resolver(ts, listing, root));
}
const shown = (/** @type {string} */ path) => (path.startsWith(`${opened().root}/`) ? path.slice(opened().root.length + 1) : path);
/** Places in texts, counted as TypeScript does. */
function located(/** @type {any[]} */ places) {
  const { listing, root } = opened();
  /** @type {Map<string, number[]>} */
  const lines = new Map();
  return places.map(({ file, line, character, ...rest }) => {
    const path = file.startsWith("/") ? file : join(root, file);
    if (!lines.has(path)) lines.set(path, linesOf(listing.read(path) ?? ""));
    return { ...rest, file: path, start: (lines.get(path)?.[line] ?? Number.MAX_SAFE_INTEGER) + character };
  });
}
/** @template {{ file: string }} T @returns {T} */
const shownPlace = (/** @type {T} */ one) => ({ ...one, file: shown(one.file) });
