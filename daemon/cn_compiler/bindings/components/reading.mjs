// The facts of a component: those of the TypeScript that it stands for, with every place where it is in the component's file.
// Its default export is the component, and has the name of the file.

import { linesOf, Owner, Role } from "../facts.mjs";
import { astro } from "./astro.mjs";
import { nameOf } from "./names.mjs";
import { parts } from "./parts.mjs";
import { markup, scripts } from "./scripts.mjs";
import { svelte } from "./svelte.mjs";
import { vue } from "./vue.mjs";

/**
 * @typedef {import("../facts.mjs").Facts} Facts
 * @typedef {import("./virtual.mjs").Virtual} Virtual
 * @typedef {(name: string) => any} Libraries what a package exports, by its name; throws where it is not installed
 */

const FRAMEWORKS = [
  { ending: ".vue", library: "@vue/compiler-dom", read: vue },
  { ending: ".svelte", library: "svelte/compiler", read: svelte },
  { ending: ".astro", library: "@astrojs/compiler/sync", read: astro },
];
const CLASS = 32; // ts.SymbolFlags.Class: a value, and the type of it
const RUNES = new Set(["$state", "$derived", "$effect", "$props", "$bindable", "$inspect", "$host"]);

/** What a component stands for; where its template is not read, why. */
function virtualOf(/** @type {string} */ path, /** @type {string} */ text, /** @type {Libraries} */ libraries) {
  const framework = /** @type {typeof FRAMEWORKS[0]} */ (FRAMEWORKS.find(({ ending }) => path.endsWith(ending)));
  let compiler;
  try {
    compiler = libraries(framework.library);
  } catch {
    return { virtual: scripts(path, text), unread: `a template that is not read: ${framework.library} is not installed` };
  }
  try {
    const virtual = framework.read(compiler, text);
    return { virtual, unread: virtual.unread.length ? "a template that is not read" : "" };
  } catch (error) {
    const [message] = String(/** @type {Error} */ (error).message).split("\n");
    return { virtual: scripts(path, text), unread: `a component that cannot be parsed: ${message.slice(0, 200)}` };
  }
}

/**
 * A reader of components.
 * @param {(path: string, text: string, isModule?: boolean) => Facts} read a reader of TypeScript
 * @param {Libraries} libraries
 * @returns {(path: string, text: string) => Facts}
 */
export const components = (read, libraries) => (path, text) => {
  const { virtual, unread } = virtualOf(path, text, libraries);
  const facts = read(path + virtual.ending, virtual.text, true);
  const errors = facts.errors + virtual.errors;
  const torn = { reason: `${errors} errors of syntax`, spans: [...markup(text, 0, text.length)] };
  place(facts, virtual);
  for (const one of facts.variables) if (one.scope === "module" && virtual.given.has(one.text)) one.given = virtual.given.get(one.text);
  if (path.endsWith(".svelte")) stores(facts);
  name(facts, path, text.length);
  const left = unread ? { reason: unread, spans: virtual.unread } : errors ? torn : undefined;
  return { ...facts, lines: linesOf(text), errors, ...(left && { unread: left }) };
};

/**
 * What a component declares that its facts do not: for outlines.
 * @param {typeof import("typescript")} ts @param {Libraries} libraries
 * @returns {(path: string, text: string) => import("./parts.mjs").Part[]}
 */
export const further = (ts, libraries) => (path, text) => {
  const { virtual } = virtualOf(path, text, libraries);
  const written = parts(ts, path + virtual.ending, virtual.text).flatMap((one) => {
    const [name, start, end] = [one.nameStart, one.start, one.end - 1].map((at) => virtual.at(at));
    return name < 0 ? [] : [{ ...one, nameStart: name, nameEnd: name + one.nameEnd - one.nameStart, start: start < 0 ? name : start, end: end < 0 ? name + one.nameEnd - one.nameStart : end + 1 }];
  });
  // Where a script types its slots it declares them.
  const isTyped = virtual.text.includes("defineSlots");
  return [...written, ...virtual.parts.filter(({ kind }) => !isTyped || kind === "Function")];
};

/** Put every place where it is in the component. What stands nowhere is reported nowhere. */
function place(/** @type {Facts} */ facts, /** @type {Virtual} */ virtual) {
  const { uses, names, variables, declarations } = facts;
  const at = (/** @type {number} */ offset) => virtual.at(offset);
  const members = new Set();
  for (let index = 0; index < uses.length; index += 4) if (uses[index + 3] & Role.Key) members.add(uses[index]);
  for (let index = 0; index < uses.length; index += 4) {
    const piece = virtual.piece(uses[index + 1]);
    const owner = uses[index + 2];
    if (piece?.isOfInstance && (owner === Owner.Free || (owner >= 0 && variables[owner].scope === "module"))) uses[index + 2] = members.has(uses[index]) ? Owner.Unknown : Owner.Free;
    if (piece?.apart && owner >= 0 && variables[owner].scope === "module" && !piece.apart.names.has(names[uses[index]])) uses[index + 2] = Owner.Free;
    if (piece?.apart?.isPage && uses[index + 2] === Owner.Free) uses[index + 3] |= Role.Page;
    if (piece?.isTemplate && uses[index + 2] === Owner.Free) uses[index + 3] |= Role.Template;
    if (!piece) uses[index + 3] = (uses[index + 3] & ~Role.Declaration) | Role.Silent;
    uses[index + 1] = Math.max(0, at(uses[index + 1]));
  }
  for (const one of variables) {
    if (one.isTop && virtual.piece(one.start)?.apart?.isPage) one.isOfPage = true;
    one.start = Math.max(0, at(one.start));
  }
  for (const one of declarations) {
    const name = at(one.nameStart);
    const length = one.nameEnd - one.nameStart;
    const [start, end] = [at(one.start), at(one.end - 1) + 1];
    Object.assign(one, { nameStart: name, nameEnd: name + length, start: start < 0 ? name : start, end: end <= 0 ? name + length : end });
  }
}

/** `$count` of a store `count` is a use of it. */
function stores(/** @type {Facts} */ facts) {
  const { uses, names, variables } = facts;
  const known = new Map(variables.flatMap((one, index) => (one.scope === "module" ? [[one.text, index]] : [])));
  for (let index = 0; index < uses.length; index += 4) {
    const name = names[uses[index]];
    const store = name.startsWith("$") && !RUNES.has(name) ? known.get(name.slice(1)) : undefined;
    if (store === undefined || uses[index + 2] !== Owner.Free) continue;
    const own = names.indexOf(name.slice(1));
    uses[index] = own < 0 ? names.push(name.slice(1)) - 1 : own;
    uses[index + 1]++;
    uses[index + 2] = store;
    uses[index + 3] &= ~Role.Template;
  }
}

/** The default export is all of the file, and has its name. */
function name(/** @type {Facts} */ facts, /** @type {string} */ path, /** @type {number} */ length) {
  const { variables, declarations, exports } = facts;
  const text = nameOf(path);
  const variable = exports.get("default") ?? generated(facts);
  const own = variables[variable];
  own.flags |= CLASS;
  own.declarations = own.declarations.filter((at) => declarations[at].name !== "default");
  // `const Card = defineComponent({}); export default Card` is declared as Card.
  const named = own.stands === "alias" && own.target !== undefined ? facts.uses[own.target * 4 + 2] : variable;
  if (named === variable && own.text === "default") own.text = text;
  const { start } = variables[named] ?? own;
  own.declarations.push(declarations.push({ name: text, kind: "Constant", variable, start: 0, end: length, nameStart: start, nameEnd: start, container: -1, exported: true }) - 1);
}
/** A default export that no script writes stands at the beginning. */
function generated(/** @type {Facts} */ facts) {
  const { variables, names, uses, exports } = facts;
  const variable = variables.push({ name: "default", text: "default", flags: CLASS, scope: "module", container: -1, declarations: [], start: 0 }) - 1;
  const name = names.includes("default") ? names.indexOf("default") : names.push("default") - 1;
  facts.uses = Int32Array.from([...uses, name, 0, variable, Role.Declaration]);
  exports.set("default", variable);
  return variable;
}
