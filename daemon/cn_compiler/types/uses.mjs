// What a program tells of files of a workspace: of scripts as they are, and of components by the scripts that stand for them.

import { camel, kebab } from "../bindings/components/names.mjs";
import { constructions } from "./constructions.mjs";
import { Events } from "./events.mjs";
import { heritage, objects } from "./heritage.mjs";
import { mentions } from "./mentions.mjs";
import { models, props } from "./props.mjs";
import { SlotProps, Slots } from "./slots.mjs";

/**
 * @typedef {import("typescript").Program} Program
 * @typedef {import("./programs.mjs").Programs} Programs
 * @typedef {import("./mentions.mjs").Mention} Mention
 * @typedef {import("./goals.mjs").Place} Place
 * @typedef {{ file: string, line: number, character: number, length: number }} Found
 */

const QUOTED = /^["'`](.*)["'`]$/;
const SURE = { use: 2, definition: 1, doubt: 0 };

/**
 * Every mention of a symbol in some files.
 * @param {Programs} programs @param {Program} program @param {Omit<import("./mentions.mjs").Question, "resolve">} question as of `mentions`
 * @returns {ReturnType<typeof mentions>}
 */
export function uses(programs, program, { declared, files, all = files, ...rest }) {
  const { ts, components, resolver } = programs;
  const { kind = "member" } = rest;
  // What a component of Vue is given may be spelled either way, wherever its props are declared.
  const isVue = program.getSourceFiles().some(({ fileName }) => fileName.includes("/@vue/runtime-core/"));
  const names = isVue ? [...new Set(rest.names.flatMap((name) => [name, camel(name), kebab(name)]))] : rest.names;
  const paths = [...files];
  const standing = declared.flatMap(components.places);
  const componentNames = componentNamesAt(programs, program, standing, paths.flatMap(components.standing), names);
  const question = { ...rest, names, declared: standing.flatMap((place) => [place, ...propsAt(programs, program, place)]), files: paths.flatMap(components.standing), all: [...all].flatMap(components.standing) };
  // Of strings the compiler tells all that are alike.
  const answer = componentNames?.isSpelled ? { mentions: [], unread: question.files.filter((path) => !program.getSourceFile(path)), isKnown: true } : mentions(ts, program, { ...question, resolve: (specifier, from) => resolver.resolve(specifier, components.source(from)) });
  /** @type {Map<string, Mention>} */
  const found = new Map();
  const own = new Set(declared.map(components.key));
  // A word of a component may stand in several places of its script.
  const add = (/** @type {Mention | undefined} */ one) => {
    const key = one && `${one.file}:${one.line}:${one.character}`;
    const known = key && found.get(key);
    if (key && !own.has(key) && (!known || SURE[known.kind] < SURE[one.kind])) found.set(key, one);
  };
  for (const one of answer.mentions) if (one.kind !== "doubt" || !components.isTyped(one.file)) add(components.placed(one));
  // Of what is no member names tell what is open in components.
  for (const path of kind === "member" ? paths : []) for (const name of names) for (const one of components.doubts(path, name, isTorn(programs, program, path))) add(one);
  for (const one of componentNames?.mentions ?? []) add(one);
  return { ...answer, mentions: [...found.values()], unread: [...new Set(answer.unread.map(components.source))] };
}
/** The mentions of an event or a slot, where places declare one. isSpelled: as a string */
function componentNamesAt(/** @type {Programs} */ programs, /** @type {Program} */ program, /** @type {Place[]} */ places, /** @type {string[]} */ files, /** @type {string[]} */ names) {
  const { components } = programs;
  for (const componentNames of [Events, Slots, SlotProps].map((one) => one.of(programs, program))) {
    const signatures = componentNames instanceof Events ? places.flatMap((place) => componentNames.inSignature(place) ?? []) : [];
    const typed = signatures.filter((node) => program.getSourceFiles().some(({ fileName }) => componentNames.declared(components.source(fileName)).includes(node)));
    const own = [...places.flatMap((place) => componentNames.declaredAt(components.source(place.file), place)), ...typed];
    // Interfaces of other files declare some as well.
    const isTyped = own.length > 0 || (componentNames instanceof Events && files.some((path) => components.source(path) !== path) && places.some((place) => isOfType(programs.ts, program, place)));
    const spelled = own.length ? new Set(own.map((one) => componentNames.called(one))) : names.map((name) => name.replace(QUOTED, "$1"));
    const found = isTyped ? [...spelled].flatMap((name) => [...componentNames.uses(name, places, files)]) : [];
    if (!own.length && !found.some(({ kind }) => kind === "use")) continue;
    const mentions = found.flatMap(({ node, kind }) => {
      const placed = components.spelled(node);
      return placed ? { ...placed, kind, reason: kind === "doubt" ? componentNames.reason : "" } : [];
    });
    return { mentions, isSpelled: own.length > 0 && own.every((one) => componentNames.isSpelled(one)) };
  }
  return undefined;
}

/** Whether a place declares a property in a type. */
function isOfType(/** @type {typeof import("typescript")} */ ts, /** @type {Program} */ program, /** @type {Place} */ { file, start }) {
  const source = program.getSourceFile(file);
  const parent = source && /** @type {any} */ (ts).getTouchingPropertyName(source, start).parent;
  return parent !== undefined && (ts.isPropertySignature(parent) || ts.isMethodSignature(parent));
}

/**
 * Who constructs a class, as of `constructions`.
 * @param {Programs} programs @param {Program} program @param {{ declared: Place[], files: Iterable<string>, all: Iterable<string>, isLate?: () => boolean }} question
 */
export function constructing({ ts, components }, program, { declared, files, all, isLate }) {
  const question = { declared: declared.flatMap(components.places), files: [...files].flatMap(components.standing), all: [...all].flatMap(components.standing), isLate };
  const { uses, heirs, unread } = constructions(ts, program, question);
  const placed = (/** @type {import("typescript").Node} */ node) => {
    const source = node.getSourceFile();
    const start = node.getStart();
    return components.placed({ file: source.fileName, ...source.getLineAndCharacterOfPosition(start), length: node.getEnd() - start }) ?? [];
  };
  return { uses: uses.flatMap(placed), heirs: heirs.flatMap(placed), unread: [...new Set(unread.map(components.source))] };
}

/**
 * What stands above and below a type, as of `heritage`.
 * @param {Programs} programs @param {Program} program @param {{ declared: Place[], files: Iterable<string>, isLate?: () => boolean }} question
 */
export function inheriting({ ts, components, resolver }, program, { declared, files, isLate }) {
  const resolve = (/** @type {string} */ specifier, /** @type {string} */ from) => resolver.resolve(specifier, components.source(from));
  const found = heritage(ts, program, { declared: declared.flatMap(components.places), files: [...files].flatMap(components.standing), resolve, isLate });
  const steps = (/** @type {"below" | "above"} */ side) =>
    found[side].flatMap((step) => {
      const [child, parent] = [components.placed(step.child), components.placed(step.parent)];
      return child && parent ? { ...step, child, parent } : [];
    });
  return { goals: found.goals.flatMap((one) => components.placed(one) ?? []), below: steps("below"), above: steps("above"), doubts: found.doubts.flatMap((one) => components.placed(one) ?? []), unread: [...new Set(found.unread.map(components.source))] };
}

/**
 * What is said to be of a type, as of `objects`.
 * @param {Programs} programs @param {Program} program @param {{ declared: Place[], files: Iterable<string>, name?: string, isLate?: () => boolean }} question
 */
export function implementing({ ts, components }, program, { declared, files, name, isLate }) {
  const { objects: found, unread } = objects(ts, program, { declared: declared.flatMap(components.places), files: [...files].flatMap(components.standing), name, isLate });
  return { objects: found.flatMap((one) => components.placed(one) ?? []), unread: [...new Set(unread.map(components.source))] };
}

/** What `svelte2tsx` and `@vue/language-core` list of a script. */
export function propsIn(/** @type {Programs} */ { ts, components }, /** @type {Program} */ program, /** @type {string} */ path) {
  const [, ending] = /\.(svelte|vue)$/.exec(components.source(path)) ?? [];
  const source = ending && program.getSourceFile(path);
  return source ? [...(ending === "vue" ? models : props)(ts, source, (start) => components.holds(path, start))] : [];
}
/** The properties by which other components know what a place declares. */
function propsAt(/** @type {Programs} */ programs, /** @type {Program} */ program, /** @type {Place} */ { file, start }) {
  return propsIn(programs, program, file).flatMap((one) => (one.at === start ? [{ file, start: one.start }] : []));
}

/** Whether the compiler has errors of syntax in what stands for a component. */
function isTorn(/** @type {Programs} */ { components }, /** @type {Program} */ program, /** @type {string} */ component) {
  return components.standing(component).some((path) => /** @type {any} */ (program.getSourceFile(path))?.parseDiagnostics?.length);
}
