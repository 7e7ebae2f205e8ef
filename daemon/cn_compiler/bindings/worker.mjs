// The engine as a process (`process.mjs`). It loads one package, the TypeScript that it is given, and reads files through
// the listing alone.
//
//   open        {typescript, root, allowed, facts, components}
//                                                         facts: {descriptor, writable, limit} of the file that keeps them, or
//                                                         null. components: the folder with the packages that read
//                                                         components, or null. No file is known yet
//   update      {created, changed, deleted, banned, ignored}  relative to the root. banned: files that ended a process;
//                                                         ignored: paths that git ignores, of which some may be sources
//   prepare     {ms} -> {left}                            get ready for questions, for so long
//   references  {words, file, line, character | file, isModule | library, name | exported} -> {symbols: [Answer], wants}
//                                                         isModule: of the module that the file is. library: the package that
//                                                         exports the name, or "" of what libraries declare for all files.
//                                                         exported: {file, line, character}, where files name a member: of what
//                                                         they export that is this member, the references by other files
//   at          {words, file, line, character}            -> {symbols: [{key, scope, definitions, module?}], wants}  module: of an import that leads outside
//   naming      {words, name} -> {places: [{file, line, character, lost}], wants}  one of each thing that files mean by a name;
//                                                         lost: the module that it is of, where nothing is installed for it
//   importing   {words, name, places: [{file, line, character}]} -> {counts, packages, called, wants}: by how many files each is
//                                                         imported; the folder of the package whose scripts its file describes,
//                                                         or of which it is one (null: none); what has no name of its own and is
//                                                         imported by this one, as {file, line, character, files}
//   describing  {words, place, places} -> {may, wants}    of declarations, or of a script's, whether each of some scripts', or
//                                                         declarations, may be the same
//   mostImported {words, files, limit} -> {symbols: [{name, importers, file, line, character}], left, wants}: of what files export
//                                                         that which most files import; left: names that may be of more
//   using       {words, files, name, holding?, places?} -> {files, ambient, reaching, wants}  those that may use it, of the files that
//                                                         hold the name or one of some words, what declares something for
//                                                         files that do not import it, and what of that leads to it.
//                                                         places: {file, line, character}, where in the files it is declared
//   embedded    {words, name} -> {places, wants}           where files that are not parsed may take a member of the name
//   ambient     {words} -> {files, wants}                  those that declare something for files that do not import it
//   declaring   {names: {name: [path]}} -> {name: [path]}  of files those that may declare a name (`#` aside)
//   declarations {path, text} -> "[…]": of a component, in the order in which a container comes before what it holds
//   usages {files: [{path, places: [[line, character]]}]} -> [[[role, isPart]]]  what each mention does with what it names
//   outline {path, text} -> "[…]", around {path, text, offset}, calls, identifiers {path, text, start, end}: of a text, wherever it lies
//
// Lines and characters count from 0, characters in UTF-16 units. words: the files that hold each word, relative. wants:
// words to be asked again with; the symbols are then unfinished.

import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";

import { noting, serve } from "../process.mjs";
import { Changed } from "./cache.mjs";
import { memberMentions } from "./embedded.mjs";
import { Engine } from "./engine.mjs";
import { COMPONENT } from "./components/names.mjs";
import { alone } from "./components/scripts.mjs";
import { linesOf, Role } from "./facts.mjs";
import { Generated } from "./generated.mjs";
import { Listing } from "./listing.mjs";
import { NOWHERE } from "./references.mjs";
import { Store } from "./store.mjs";
import { syntax } from "./syntax.mjs";
import { Usage, spelled } from "./usage.mjs";

// Left alone, V8 lets a heap grow to twice what lives in it before it looks for garbage: the process outlives its questions.
setFlagsFromString("--heap-growing-percent=25");

/** A name that is called. */
const CALLED = /^[\w$]+\s*\(/;
const WIDE = 300;

/** @type {Engine | undefined} */
let engine;
/** @type {Listing | undefined} */
let listing;
/** @type {Generated | undefined} */
let generated;
/** @type {ReturnType<typeof syntax> | undefined} */
let form;
/** @type {Map<string, string[]>} */
let words = new Map();

/** @type {Record<string, (params: any) => any>} */
const METHODS = {
  open({ typescript, root, allowed, facts, components }) {
    const ts = createRequire(import.meta.url)(typescript);
    listing = new Listing([root, ...allowed]);
    const own = (generated = new Generated(listing));
    const libraries = components ? createRequire(join(components, "package.json")) : undefined;
    engine = new Engine(ts, listing, root, (word) => words.get(word)?.concat(own.holding(word)), new Store(versionOf(ts, components), facts ?? undefined), libraries);
    engine.cache.parsing = parsing;
    form = syntax(ts);
    return { version: ts.version };
  },
  update({ created, changed, deleted, banned, ignored }) {
    const { root, cache } = opened();
    const absolute = (/** @type {string[]} */ paths) => paths.map((path) => join(root, path));
    cache.banned = new Set(absolute(banned));
    const own = /** @type {Generated} */ (generated);
    if (ignored) own.ignored = absolute(ignored);
    for (const path of absolute(created)) own.files.delete(path); // git ignores it no more
    take(absolute(created), absolute(changed), absolute(deleted));
    own.stale();
    return {};
  },
  prepare: ({ ms }) => ({ left: opened().prepare(ms) }),
  references(params) {
    const answer = references(params);
    const leadsNowhere = answer.symbols.some(({ doubts }) => doubts.some(({ reason }) => reason === NOWHERE));
    if (!leadsNowhere || !listing?.stale()) return answer;
    listing.update([]);
    opened().update([]);
    return references(params);
  },
  at({ file, line, character, words: given }) {
    const own = withWords(given);
    const path = join(own.root, file);
    const start = offset(path, line, character);
    const module = own.importedAt(path, start);
    const symbols = own.at(path, start).map((thing) => ({ ...described(thing), ...(own.isMember(thing) && { scope: "member" }), ...(thing.kind === "outside" && { module }), definitions: [place(own.declared("file" in thing && thing.file === path ? thing : own.symbols.original(thing)))] }));
    return { symbols, wants: [...own.wants] };
  },
  naming({ name, words: given }) {
    const own = withWords(given);
    return { places: own.naming(name).map((one) => ({ ...place(one), lost: one.lost })), wants: [...own.wants] };
  },
  importing({ places, name, words: given }) {
    const own = withWords(given);
    const called = name ? own.called(name).map(({ thing, files }) => ({ ...place(own.declared(thing)), files })) : [];
    const things = places.map((/** @type {any} */ { file, line, character }) => own.at(join(own.root, file), offset(join(own.root, file), line, character))[0]);
    const known = things.filter(Boolean);
    const counts = own.importing(known);
    return { counts: things.map((/** @type {any} */ thing) => (thing ? counts[known.indexOf(thing)] : 0)), packages: places.map((/** @type {any} */ { file }) => own.described(join(own.root, file)) ?? null), called, wants: [...own.wants] };
  },
  describing({ place: one, places, words: given }) {
    const own = withWords(given);
    const thingAt = (/** @type {any} */ { file, line, character }) => own.at(join(own.root, file), offset(join(own.root, file), line, character))[0];
    const asked = thingAt(one);
    const may = places.map(thingAt).map((/** @type {import("./symbols.mjs").Thing | undefined} */ other) => Boolean(asked && other && (own.mayDescribe(asked, other) || own.mayDescribe(other, asked))));
    return { may, wants: [...own.wants] };
  },
  mostImported({ files, limit, words: given }) {
    const own = withWords(given);
    const { symbols, left } = own.mostImported(new Set(files.map((/** @type {string} */ path) => join(own.root, path))), limit);
    return { symbols: symbols.map(({ thing, name, files }) => ({ ...place(own.declared(thing)), name, importers: files })), left, wants: [...own.wants] };
  },
  using({ files, name, holding, places = [], words: given }) {
    const own = withWords(given);
    const declared = places.map((/** @type {any} */ { file, line, character }) => ({ file: join(own.root, file), start: offset(join(own.root, file), line, character) }));
    const found = own.reach.using(files.map((/** @type {string} */ path) => join(own.root, path)), name, holding, declared);
    return { files: found.files.map(shown), ambient: own.imports.ambient().map(shown), reaching: found.ambient.map(shown), wants: [...own.wants] };
  },
  embedded({ name, words: given }) {
    const own = withWords(given);
    const isInside = (/** @type {string} */ specifier, /** @type {string} */ from) => {
      const target = own.resolver.resolve(specifier, from);
      return "file" in target || target.open;
    };
    const places = memberMentions([...own.filesWith(name)], name, (path) => (parsing(path), own.text(path)), isInside).map(place);
    parsing("");
    return { places, wants: [...own.wants] };
  },
  ambient({ words: given }) {
    const own = withWords(given);
    return { files: own.imports.ambient().map(shown), wants: [...own.wants] };
  },
  declaring({ names }) {
    const own = opened();
    const found = Object.entries(names).map(([name, paths]) => [name, paths.filter((/** @type {string} */ path) => own.mayDeclare(join(own.root, path), name))]);
    own.forget();
    return Object.fromEntries(found);
  },
  declarations: ({ path, text }) =>
    whileParsing(path, () => {
      const { cache } = opened();
      const own = cache.read(path, text).declarations;
      const known = new Set(own.map(({ nameStart }) => nameStart));
      const further = cache.further(path, text).filter(({ nameStart }) => !known.has(nameStart));
      return JSON.stringify([...own, ...further.map((one) => ({ ...one, container: -1, exported: false }))].map((one, index) => ({ ...one, index })).filter((one) => one.nameStart >= 0));
    }),
  outline: ({ path, text }) => opened().cache.outline(path, text, () => whileParsing(path, () => JSON.stringify(formed().outline(path, text)))),
  usages: ({ files }) => files.map((/** @type {any} */ { path, places }) => usages(path, places)),
  calls: ({ path, text, start, end }) => whileParsing(path, () => formed().calls(...scriptOf(path, text), start, end)),
  identifiers: ({ path, text, start, end }) => whileParsing(path, () => (COMPONENT.test(path) ? named(path, text, start, end) : formed().identifiers(path, text, start, end))),
  around: ({ path, text, offset: at }) => whileParsing(path, () => formed().around(...scriptOf(path, text), at)),
};
/** What is parsed of a text: of a component its scripts. @returns {[string, string]} */
const scriptOf = (/** @type {string} */ path, /** @type {string} */ text) => (COMPONENT.test(path) ? alone(path, text) : [path, text]);

/** Files that came, changed and went. */
function take(/** @type {string[]} */ created, /** @type {string[]} */ changed, /** @type {string[]} */ deleted) {
  const isListed = !created.length && !deleted.length;
  if (!isListed) listing?.update(created, deleted);
  if (!isListed || changed.length) opened().update([...created, ...changed, ...deleted], isListed);
}

/** What facts and outlines depend on, beside their text. */
function versionOf(/** @type {typeof import("typescript")} */ ts, /** @type {string | null | undefined} */ components) {
  const own = fileURLToPath(new URL("components", import.meta.url));
  const code = ["facts.mjs", "outline.mjs", "pack.mjs", "usage.mjs", ...readdirSync(own).sort().map((name) => join("components", name))].map((name) => readFileSync(fileURLToPath(new URL(name, import.meta.url)), "utf8"));
  return [ts.version, process.versions.v8, components ?? "", ...code].join("\0");
}
/** The engine, with the files of the words that it asked for: at the beginning of a question, none. */
function withWords(/** @type {Record<string, string[]>} */ given) {
  const own = opened();
  words = new Map(Object.entries(given).map(([word, paths]) => [word, paths.map((path) => join(own.root, path))]));
  const { isIncluded, isRead } = own.resolver;
  const around = { isIncluded, isRead, holding: (/** @type {string} */ word) => words.get(word), specifiers: own.imports.specifiers, leads };
  const differs = words.size && !generated?.wants.size ? undefined : generated?.look(around);
  if (differs) take(differs.created, differs.changed, differs.deleted);
  own.forget();
  own.wants.clear();
  for (const word of generated?.wants ?? []) own.wants.add(word);
  return own;
}
/** The file that a specifier leads to, or that it would if it were there. */
function leads(/** @type {string} */ specifier, /** @type {string} */ from) {
  const target = opened().resolver.resolve(specifier, from);
  return "file" in target ? target.file : specifier.startsWith(".") ? `${join(from, "..", specifier)}.ts` : undefined;
}
const described = (/** @type {import("./symbols.mjs").Thing} */ thing, /** @type {string[] | undefined} */ paths = undefined) => ({ key: shown(opened().symbols.key(thing)), scope: opened().scopeOf(thing, paths) });

/** @param {any} params */
function references({ file, line, character, name, isModule, library, exported, words: given }) {
  const own = withWords(given);
  const placed = (/** @type {any} */ one) => ({ file: join(own.root, one.file), start: offset(join(own.root, one.file), one.line, one.character) });
  const asked = line === undefined ? undefined : placed({ file, line, character });
  /** @type {import("./symbols.mjs").Thing[]} */
  const things = exported ? own.exportedFrom(exported.map(placed)) : asked ? own.at(asked.file, asked.start) : isModule ? [{ kind: "module", file: join(own.root, file) }] : own.ofLibrary(library, name);
  const wants = new Set(own.wants);
  const symbols = things.map((thing) => {
    const answer = own.references(thing, asked);
    // Within the file it is a variable of its own, as editors tell it.
    if (exported) answer.references = answer.references.filter((one) => !("file" in thing) || one.file !== thing.file);
    for (const word of answer.wants) wants.add(word);
    const paths = [...new Set([...answer.definitions, ...answer.references].map((one) => one.file))];
    const { key, scope } = described(thing, paths);
    // Which of the declarations of several files count in a file, its project tells.
    const isShared = scope === "module" && answer.definitions.some((one) => one.file !== answer.definitions[0].file) && !own.resolver.areTogether(paths);
    return { key, scope: isShared ? "shared" : scope, name: answer.name, names: answer.names, definitions: answer.definitions.map(heldPlace), references: answer.references.map(heldPlace), doubts: answer.doubts.map((doubt) => ({ ...place(doubt), reason: doubt.reason, held: doubt.held })) };
  });
  return { symbols, wants: [...wants] };
}

/** What the mentions of a file do. @param {string} path @param {[number, number][]} places */
function usages(path, places) {
  const { uses } = opened().facts(path) ?? { uses: [] };
  const starts = places.map(([line, character]) => offset(path, line, character));
  /** @type {Map<number, number>} */
  const bits = new Map(starts.flatMap((start) => [[start, 0], [start + 1, 0]])); // a quoted name may be given with its quote
  /** @type {Set<number>} */
  const known = new Set();
  for (let index = 0; index < uses.length; index += 4) {
    const at = uses[index + 1];
    if (bits.has(at)) known.add(at), bits.set(at, (bits.get(at) ?? 0) | uses[index + 3]);
  }
  // In a template of Angular no facts tell what is called.
  const text = opened().text(path) ?? "";
  // No facts tell what is called in a template of Angular.
  const called = (/** @type {number} */ start) => (CALLED.test(text.slice(start, start + WIDE)) ? Usage.Call : 0);
  return starts.map((start) => spelled(known.has(start) || known.has(start + 1) ? (bits.get(start) || bits.get(start + 1) || 0) : called(start)));
}

/** Where names stand in a component, between two offsets. @returns {[number, number][]} */
function named(/** @type {string} */ path, /** @type {string} */ text, /** @type {number} */ start, /** @type {number} */ end) {
  const { uses, names } = opened().cache.read(path, text);
  /** @type {[number, number][]} */
  const found = [];
  for (let at = 0; at < uses.length; at += 4) {
    const [from, to] = [uses[at + 1], uses[at + 1] + names[uses[at]].length];
    if (from <= end && to >= start && text.slice(from, to) === names[uses[at]] && !(uses[at + 3] & (Role.Specifier | Role.Silent))) found.push([from, to]);
  }
  return found.sort(([one], [other]) => one - other).filter(([from], index, all) => from !== all[index - 1]?.[0]);
}

function opened() {
  if (!engine) throw new Error("not opened");
  return engine;
}
function formed() {
  if (!form) throw new Error("not opened");
  return form;
}
const shown = (/** @type {string} */ path) => opened().shown(path);

/** Note what is parsed now; nothing: "". */
const parsing = (/** @type {string} */ path) => noting(path && shown(path));

/** @template T @returns {T} */
function whileParsing(/** @type {string} */ path, /** @type {() => T} */ work) {
  parsing(path);
  try {
    return work();
  } finally {
    parsing("");
  }
}

const lines = (/** @type {string} */ path) => opened().facts(path)?.lines ?? linesOf(opened().text(path) ?? "");
const offset = (/** @type {string} */ path, /** @type {number} */ line, /** @type {number} */ character) => (lines(path)[line] ?? Number.MAX_SAFE_INTEGER) + character;

const heldPlace = (/** @type {import("./references.mjs").Answer["definitions"][0]} */ one) => ({ ...place(one), held: one.held });
/** A place as LSP counts it. */
function place(/** @type {{ file: string, start: number, length?: number }} */ { file, start, length }) {
  const starts = lines(file);
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle] <= start) low = middle;
    else high = middle - 1;
  }
  return { file: shown(file), line: low, character: start - starts[low], length };
}

/** A file that changes while it is asked about is read anew. */
function attempt(/** @type {() => any} */ work, left = 3) {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Changed) || !left) throw error;
    opened().update([error.path], true);
    return attempt(work, left - 1);
  }
}

serve(Object.fromEntries(Object.entries(METHODS).map(([name, method]) => [name, (params) => attempt(() => method(params))])), () => engine?.cache.store.flush());
