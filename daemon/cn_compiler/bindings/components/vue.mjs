// A component of Vue as TypeScript: its scripts as they are, and its template as a function in which each expression stands
// in the scopes of `v-for` and `v-slot` around it. The template is parsed by `@vue/compiler-dom`.

import { camel, pascal } from "./names.mjs";
import { Virtual } from "./virtual.mjs";

const [ELEMENT, INTERPOLATION, ATTRIBUTE, DIRECTIVE] = [1, 5, 6, 7];
const IS_COMPONENT = 1;
const BUILT_IN = new Set(["bind", "on", "model", "if", "else-if", "else", "for", "slot", "show", "text", "html", "once", "pre", "cloak", "memo", "is"]);
const FUNCTION = /^\s*(?:async\s+)?(?:(?:\([^]*?\)|[\w$]+)\s*(?::[^=]*?)?=>|function\b)/;
/** A model without a name, up to the type that it is given. */
const MODEL = /\b(?:const|let|var)\s+\[?\s*([\p{L}_$][\p{L}\p{N}_$]*)[^=;]*=\s*defineModel\s*(?=[<(])/gu;
const IDENTIFIER = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

/** @param {any} compiler `@vue/compiler-dom` @param {string} text */
export function vue(compiler, text) {
  const { all, errors, unread } = blocks(compiler, text);
  const scripts = all.filter((/** @type {any} */ one) => one.tag === "script").sort((/** @type {any} */ one, /** @type {any} */ other) => Number(has(one, "setup")) - Number(has(other, "setup")));
  const lang = scripts.map((/** @type {any} */ one) => has(one, "lang")?.value?.content).find(Boolean) ?? "js";
  const virtual = new Virtual(text, /** @type {any} */ (/^[jt]sx?$/.test(lang) ? `.${lang}` : ".ts"));
  virtual.errors = errors;
  virtual.unread = unread;
  for (const one of scripts) {
    const source = has(one, "src")?.value;
    if (source) virtual.write('export { default } from "').copy(source.loc.start.offset + 1, source.loc.end.offset - 1).write('";\n');
    virtual.copy(...inner(one)).write("\n;");
    const generic = has(one, "generic")?.value;
    if (generic?.content && /^\.tsx?$/.test(virtual.ending)) virtual.generics(generic.loc.start.offset + 1, generic.loc.end.offset - 1);
    for (const name of models(text.slice(...inner(one)))) virtual.given.set(name, "modelValue");
  }
  virtual.isTemplate = true;
  virtual.isOfInstance = !scripts.some((/** @type {any} */ one) => has(one, "setup"));
  virtual.write("(() => {");
  for (const one of all) {
    if (one.tag === "template" && isHtml(one)) one.children.forEach((/** @type {any} */ child) => node(virtual, child));
    if (one.tag === "style") bound(virtual, ...inner(one));
  }
  virtual.write("});\n");
  return virtual;
}

/**
 * The blocks of a component, how many errors its markup has, and where templates stand that are not read, such as pug.
 * options: of the parser; with `prefixIdentifiers` expressions count as well
 */
export function blocks(/** @type {any} */ compiler, /** @type {string} */ text, /** @type {object} */ options = {}) {
  let errors = 0;
  const root = compiler.parse(text, { ...options, parseMode: "sfc", onError: () => errors++, onWarn: () => {} });
  const all = root.children.filter((/** @type {any} */ one) => one.type === ELEMENT);
  /** @type {[number, number][]} */
  const unread = all.filter((/** @type {any} */ one) => one.tag === "template" && !isHtml(one)).map(inner);
  return { all, errors, unread };
}

/** The variables of `defineModel()` and `defineModel<string>({})`. */
function* models(/** @type {string} */ script) {
  for (const { 0: whole, 1: name, index } of script.matchAll(MODEL)) {
    let at = index + whole.length;
    for (let depth = 0; at < script.length && (depth > 0 || script[at] === "<"); at++) depth += script[at] === "<" ? 1 : script[at] === ">" && script[at - 1] !== "=" ? -1 : 0;
    if (/^\s*\(\s*(?!["'`\s])/.test(script.slice(at, at + 100))) yield name;
  }
}

const isHtml = (/** @type {any} */ template) => /^(?:html)?$/.test(has(template, "lang")?.value?.content ?? "");
const has = (/** @type {any} */ element, /** @type {string} */ name) => element.props.find((/** @type {any} */ one) => one.type === ATTRIBUTE && one.name === name);
/** @returns {[number, number]} */
function inner(/** @type {any} */ element) {
  const { children, loc } = element;
  return children.length ? [children[0].loc.start.offset, children[children.length - 1].loc.end.offset] : [loc.end.offset, loc.end.offset];
}
const offsets = (/** @type {any} */ { loc }) => /** @type {[number, number]} */ ([loc.start.offset, loc.end.offset]);
const expression = (/** @type {Virtual} */ virtual, /** @type {any} */ one) => virtual.write("(").copy(...offsets(one)).write(");\n");

function node(/** @type {Virtual} */ virtual, /** @type {any} */ one) {
  if (one.type === INTERPOLATION) return expression(virtual, one.content);
  if (one.type !== ELEMENT) return;
  /** @type {any[]} */
  const directives = one.props.filter((/** @type {any} */ prop) => prop.type === DIRECTIVE);
  const loop = directives.find((prop) => prop.name === "for" && prop.forParseResult)?.forParseResult;
  const slot = directives.find((prop) => prop.name === "slot" && prop.exp);
  if (loop) {
    expression(virtual, loop.source);
    parameters(virtual, [loop.value, loop.key, loop.index].filter(Boolean));
  }
  tag(virtual, one);
  const named = one.tag === "slot" ? has(one, "name")?.value : undefined;
  if (named?.content) {
    const from = named.loc.start.offset + (/^["']/.test(named.loc.source) ? 1 : 0);
    virtual.parts.push({ name: named.content, kind: "Property", nameStart: from, nameEnd: from + named.content.length, start: one.loc.start.offset, end: one.loc.end.offset });
  }
  for (const prop of one.props) if (prop.type === DIRECTIVE) directive(virtual, prop);
  else attribute(virtual, one, prop);
  if (slot) parameters(virtual, [slot.exp]);
  virtual.write("{");
  for (const child of one.children) node(virtual, child);
  virtual.write("}");
  if (slot) virtual.write("});\n");
  if (loop) virtual.write("});\n");
}
/** Open a scope that declares what patterns name. */
function parameters(/** @type {Virtual} */ virtual, /** @type {any[]} */ patterns) {
  virtual.write("((");
  patterns.forEach((one, at) => virtual.write(at ? ", " : "").copy(...offsets(one)));
  virtual.write(") => {\n");
}

function tag(/** @type {Virtual} */ virtual, /** @type {any} */ one) {
  const { tag: name, loc } = one;
  if (one.tagType !== IS_COMPONENT || name === "component") return;
  const closing = loc.start.offset + loc.source.lastIndexOf("</") + 2;
  component(virtual, name, loc.start.offset + 1);
  if (closing > loc.start.offset + 1 + name.length && virtual.source.startsWith(name, closing)) component(virtual, name, closing);
}
/** What a tag names: `<AccountAvatar>`, `<account-avatar>`, `<Menu.Item>`. */
function component(/** @type {Virtual} */ virtual, /** @type {string} */ name, /** @type {number} */ from) {
  const isWhole = /^[\p{L}_$][\p{L}\p{N}_$]*(?:\.[\p{L}_$][\p{L}\p{N}_$]*)*$/u.test(name) && (name.includes(".") || /^\p{Lu}/u.test(name));
  const { isOfInstance } = virtual;
  virtual.isOfInstance = false; // what a script imports is what it registers
  if (isWhole) virtual.copy(from, from + name.length).write(";\n");
  else if (IDENTIFIER.test(pascal(name))) virtual.name(pascal(name), from).write(";\n");
  virtual.isOfInstance = isOfInstance;
}

function attribute(/** @type {Virtual} */ virtual, /** @type {any} */ element, /** @type {any} */ prop) {
  const name = prop.value?.content;
  if (!name || !IDENTIFIER.test(prop.name === "is" ? pascal(name) : name)) return;
  const from = prop.value.loc.start.offset + (/^["']/.test(prop.value.loc.source) ? 1 : 0);
  if (prop.name === "is" && element.tag === "component") component(virtual, name, from);
  if (prop.name === "ref") virtual.copy(from, from + name.length).write(";\n");
}

function directive(/** @type {Virtual} */ virtual, /** @type {any} */ prop) {
  const { name, exp, arg, loc } = prop;
  if (!BUILT_IN.has(name) && IDENTIFIER.test(camel(`v-${name}`))) virtual.name(camel(`v-${name}`), loc.start.offset).write(";\n");
  if (arg && !arg.isStatic) expression(virtual, arg);
  if (name === "bind" && !exp && arg?.isStatic && IDENTIFIER.test(camel(arg.content))) virtual.name(camel(arg.content), arg.loc.start.offset).write(";\n");
  if (!exp || name === "for" || name === "slot") return;
  if (name !== "on" || !arg || FUNCTION.test(exp.content)) return void expression(virtual, exp);
  virtual.write("(($event) => {").copy(...offsets(exp)).write("\n});\n");
}

/** `v-bind(color)` in a sheet of styles. */
function bound(/** @type {Virtual} */ virtual, /** @type {number} */ start, /** @type {number} */ end) {
  for (const { index, 1: quote, 2: code } of virtual.source.slice(start, end).matchAll(/\bv-bind\(\s*(["']?)([^"'()]+)\1\s*\)/g)) {
    const from = virtual.source.indexOf(code, start + /** @type {number} */ (index) + "v-bind(".length + quote.length);
    virtual.write("(").copy(from, from + code.length).write(");\n");
  }
}
