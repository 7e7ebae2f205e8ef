// Templates of Angular: what a name means where one mentions it. Nothing is run, and no scope is kept: a name that a template
// declares anywhere may be that everywhere in it.

import { tokens } from "./tokens.mjs";

/**
 * @typedef {import("./tokens.mjs").Token} Token
 * @typedef {object} Mention
 * @property {number} start
 * @property {"root" | "open" | "member" | "given"} kind root: a member of the component. open: that, or a variable of the
 * template. member: of a value, or a key of an object. given: by an attribute to an element
 * @property {string[]} [chain] what it is read from, from a member of the component on: names, "()" for calls, "[]" for the elements
 * of a list, "|" for what a promise or an observable gives; "?a" where it begins with a variable a of the template, "$event"
 * where with what an element emits, "$context" where with what it gives to the variables that it declares
 * @property {Element[]} [givers] which emit or give that
 * @property {string} [tag] of the element
 * @property {Set<string>} [attributes] of the element
 * @typedef {{ tag: string, attributes: Set<string>, event?: string }} Element event: the name of what it emits
 */

const CONTENT = /<!--[^]*?(?:-->|$(?![^]))|<(script|style)\b[^]*?(?:<\/\1\s*>|$(?![^]))|<(?<tag>[A-Za-z][\w:.-]*)|(?<hole>\{\{)|@(?<block>if|else\s+if|for|switch|case|let|defer|placeholder|loading)\b|\{(?<plural>[^{}<,]{1,999}),\s*(?:plural|select|selectordinal)\s*,/dg;
const ATTRIBUTE = /(?<name>(?:\[[^\]\n]{0,200}\]|\([^)\n]{0,200}\)|[^\s=>/"'<])+)(?:\s*=\s*(?:"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<bare>[^\s>"'`=<]+)))?/dy;
const SPACE = /\s*/y;
const TAG_END = /\/?>/y;
const OPENING = /\s*\(/y;
/** How an attribute begins, and what it is of. */
const PREFIX = /^(?<sign>\*|#|ref-|let-|bindon-|bind-|on-|[[(]{0,2}@|[[(]{1,2})?(?<name>[\w$-]+)[\])]*$/d;
/** Of a length: each quote that is not closed is looked for its end. */
const STRING = String.raw`"(?:\\.|[^"\\]){0,999}"|'(?:\\.|[^'\\]){0,999}'|\x60(?:\\.|[^\x60\\]){0,999}\x60`;
const HOLE_END = new RegExp(`(?:${STRING}|(?!\\}\\})[^])*?(?:\\}\\}|$(?![^]))`, "y");
const LET_END = new RegExp(`(?:${STRING}|[^;])*?(?:;|$(?![^]))`, "y");
const BRACKET = new RegExp(`${STRING}|[()]`, "g");
/** What a binding or a block declares. */
const DECLARED = /\blet\s+(?<let>[\w$]+)|\bas\s+(?<alias>[\w$]+)|(?<![\w$])(?<item>[\w$]+)\s+of\b|(?<![\w$])(?<index>[\w$]+)\s*=(?![=>])|(?<![\w$])(?<argument>[\w$]+)\s*=>|\((?<args>[^()]{0,999})\)\s*=>/g;
const WHEN = /\bwhen\b(?<when>[^;]*)/dg;
/** A pipe of Angular's own that gives pairs, each with a key and a value. */
const PAIRS = /^[^;]*\|\s*keyvalue\b/;
/** Where no element gives a variable, but such a pipe. @type {Element} */
const PIPE = { tag: "ng-container", attributes: new Set() };
/** So long is the chain that a variable is read from. */
const LONG = 500;
/** So many variables are read from one another. */
const DEEP = 9;
/** Attributes whose text names a key of an object of the component. */
const KEYED = new Set(["formControlName", "formGroupName", "formArrayName"]);

/** What begins with none of these, and with a "$", is not known. */
export const OUTSIDE = new Set(["$event", "$context"]);

export class Template {
  /** keyed: whether words may stand before expressions, as in `let a of b; trackBy: c`. element: which they are bound to. @type {{ start: number, end: number, keyed: boolean, element?: Element }[]} */
  #expressions = [];
  /** @type {Map<string, Mention[]>} */
  #given = new Map();
  /** Where a name is the key of an object for certain, though nothing around it is code. @type {number[]} */
  #keys = [];
  /** By its name what each variable is read from; nothing where that is not known. @type {Map<string, (string[] | undefined)[]>} */
  #declared = new Map();
  /** By the name of a variable the elements that give it. @type {Map<string, Element[]>} */
  #givers = new Map();

  /** @param {typeof import("typescript")} ts @param {string} text @param {number} start where it lies in a text: an inline one lies in a script */
  constructor(ts, text, start = 0) {
    this.ts = ts;
    this.text = text;
    this.start = start;
    this.#read();
  }

  /** Their places count in the text around. @returns {Mention[]} */
  mentions(/** @type {string} */ name) {
    if (!this.text.includes(name)) return [];
    const { ts, text } = this;
    const within = this.#expressions.filter(({ start, end }) => text.slice(start, end).includes(name));
    const keys = this.#keys.filter((at) => wordAt(text, at) === name).map((at) => /** @type {Mention} */ ({ start: at, kind: "member" }));
    const found = [...within.flatMap(({ start, end, keyed, element }) => mentionsIn(ts, text, start, end, name, { variable: this.#variable, isDeclared: this.#declared.has(name), keyed, element })), ...(this.#given.get(name) ?? []), ...keys];
    const giving = (/** @type {Mention} */ { chain = [], givers }) => this.#givers.get(chain[chain.indexOf("$context") - 1]?.slice(1) ?? "") ?? givers;
    return found.map((one) => ({ ...one, givers: giving(one), start: one.start + this.start }));
  }

  #read(from = 0, end = this.text.length) {
    CONTENT.lastIndex = from;
    for (let found; (found = CONTENT.exec(this.text)) && found.index < end; ) {
      const { tag, hole, block, plural } = /** @type {Record<string, string>} */ (found.groups);
      let place = CONTENT.lastIndex;
      if (tag) place = this.#element(tag, place);
      else if (hole) place = this.#hole(place, this.text.length);
      else if (plural) this.#expression(.../** @type {[number, number]} */ (found.indices?.groups?.plural));
      else if (block) place = this.#block(block.split(/\s+/).at(-1) ?? "", place);
      CONTENT.lastIndex = place;
    }
  }
  /** @returns {number} where it ends */
  #hole(/** @type {number} */ place, /** @type {number} */ limit) {
    const end = Math.min(limit, this.#matched(HOLE_END, place));
    this.#expressions.push({ start: place, end, keyed: false });
    return end;
  }
  #matched(/** @type {RegExp} */ pattern, /** @type {number} */ place) {
    pattern.lastIndex = place;
    return pattern.test(this.text) ? pattern.lastIndex : this.text.length;
  }
  #block(/** @type {string} */ block, /** @type {number} */ place) {
    if (block === "let") {
      const end = this.#matched(LET_END, place);
      this.#expression(place, end, true);
      return end;
    }
    OPENING.lastIndex = place;
    if (!OPENING.test(this.text)) return place;
    const first = (BRACKET.lastIndex = OPENING.lastIndex);
    let end = this.text.length;
    for (let depth = 1, found; depth && (found = BRACKET.exec(this.text)); ) {
      depth += found[0] === "(" ? 1 : found[0] === ")" ? -1 : 0;
      if (!depth) end = found.index;
    }
    // `on viewport(a)` names elements.
    if (!["defer", "placeholder", "loading"].includes(block)) this.#expression(first, end, true);
    else for (const when of this.text.slice(first, end).matchAll(WHEN)) this.#expression(first + /** @type {any} */ (when).indices.groups.when[0], first + /** @type {any} */ (when).indices.groups.when[1]);
    return end;
  }
  #expression(/** @type {number} */ start, /** @type {number} */ end, keyed = false, /** @type {Element | undefined} */ element = undefined) {
    this.#expressions.push({ start, end, keyed, element });
    const { text } = this;
    for (const { 0: whole, index, groups = {} } of text.slice(start, end).matchAll(DECLARED)) {
      if (groups.index !== undefined && !keyed) continue;
      const at = start + /** @type {number} */ (index);
      const [of = ""] = groups.let === undefined ? [] : (/^\s+of\b/.exec(text.slice(at + whole.length, end)) ?? []);
      const listed = of || groups.item !== undefined ? this.#chain(at + whole.length + of.length, end) : undefined;
      const chain = groups.alias !== undefined ? this.#chain(start, at) : listed && [...listed, "[]"];
      const giver = groups.let !== undefined && !of ? element : (of || groups.item !== undefined) && PAIRS.test(text.slice(at + whole.length, Math.min(end, at + LONG))) ? PIPE : undefined;
      if (giver) this.#give(groups.let ?? groups.item, giver);
      else for (const [word] of (Object.values(groups).find(Boolean) ?? "").matchAll(/[\w$]+/g)) this.#declare(word, chain);
    }
  }
  #declare(/** @type {string} */ name, /** @type {string[] | undefined} */ chain = undefined) {
    put(this.#declared, name, chain);
  }
  /** A variable that an element gives what it likes. */
  #give(/** @type {string} */ name, /** @type {Element} */ element) {
    this.#declare(name, ["$context"]);
    put(this.#givers, name, element);
  }
  /** What an expression is read from that ends at a semicolon. @returns {string[] | undefined} */
  #chain(/** @type {number} */ start, /** @type {number} */ end) {
    const until = this.text.slice(start, Math.min(end, start + LONG)).indexOf(";");
    if (until < 0 && end - start > LONG) return undefined;
    const read = tokens(this.ts, this.text, start, until < 0 ? end : start + until + 1);
    const last = read.findIndex(({ word, kind }) => kind === "sign" && word === ";");
    const own = (last < 0 ? read : read.slice(0, last)).filter(({ word, kind }, at, all) => !(kind === "sign" && ((at === 0 && word === "(") || (at === all.length - 1 && word === ")" && all[0].word === "("))));
    const isAwaited = own.at(-1)?.word === "async" && own.at(-2)?.word === "|";
    const { chain, from } = chainOf(isAwaited ? own.slice(0, -2) : own, own.length - (isAwaited ? 3 : 1));
    return chain && from === 0 ? [...chain, ...(isAwaited ? ["|"] : [])] : undefined;
  }
  /** What a name at the beginning of an expression is read from. @returns {string[] | undefined} */
  #variable = (/** @type {string} */ name, depth = 0) => {
    const all = this.#declared.get(name);
    if (!all) return name.startsWith("$") && !OUTSIDE.has(name) ? undefined : [name];
    const [[first, ...rest] = []] = all.length === 1 || all.every((one) => one?.[0] === "$context") ? all : [];
    const base = first && depth < DEEP ? this.#variable(first, depth + 1) : undefined;
    return base && [`?${name}`, ...base, ...rest];
  };
  #element(/** @type {string} */ tag, /** @type {number} */ place) {
    const { text } = this;
    /** @type {RegExpExecArray[]} */
    const found = [];
    while ((place = this.#matched(SPACE, place)) < text.length) {
      TAG_END.lastIndex = ATTRIBUTE.lastIndex = place;
      if (TAG_END.test(text)) {
        place = TAG_END.lastIndex;
        break;
      }
      if (text[place] === "<") break;
      const one = ATTRIBUTE.exec(text);
      if (one) found.push(one);
      place = one ? ATTRIBUTE.lastIndex : place + 1;
    }
    const read = found.map((one) => /** @type {const} */ ([one, PREFIX.exec(one.groups?.name ?? "")]));
    const attributes = new Set(read.flatMap(([, prefix]) => prefix?.groups?.name ?? []));
    for (const [one, prefix] of read) this.#attribute(one, prefix, tag, attributes);
    return place;
  }
  #attribute(/** @type {RegExpExecArray} */ found, /** @type {RegExpExecArray | null} */ prefix, /** @type {string} */ tag, /** @type {Set<string>} */ attributes) {
    const at = /** @type {Record<string, [number, number] | undefined>} */ (found.indices?.groups);
    const value = at.double ?? at.single ?? at.bare;
    const [start] = /** @type {[number, number]} */ (at.name);
    const { name = "" } = prefix?.groups ?? {};
    const sign = prefix ? (prefix.groups?.sign ?? "") : "["; // `[class.a]` and the like name nothing
    if (prefix && ["#", "ref-", "let-"].includes(sign)) {
      if (sign === "let-") this.#give(name, { tag, attributes });
      else this.#declare(name);
      if (sign === "let-" && value) this.#keys.push(value[0]);
      return;
    }
    if (prefix && !sign.includes("@")) {
      const given = /** @type {Mention} */ ({ start: start + (prefix.indices?.groups?.name[0] ?? 0), kind: "given", tag, attributes });
      put(this.#given, name, given);
    }
    if (!value) return;
    if (sign) return void this.#expression(...value, sign === "*", { tag, attributes, event: name });
    if (KEYED.has(found.groups?.name ?? "")) this.#keys.push(value[0]);
    for (let hole = this.text.indexOf("{{", value[0]); hole >= 0 && hole < value[1]; ) hole = this.text.indexOf("{{", this.#hole(hole + 2, value[1]));
  }
}

/** @template T */
function put(/** @type {Map<string, T[]>} */ lists, /** @type {string} */ key, /** @type {T} */ one) {
  const list = lists.get(key);
  if (list) list.push(one);
  else lists.set(key, [one]);
}
const wordAt = (/** @type {string} */ text, /** @type {number} */ at) => /^[\w$]*/.exec(text.slice(at, at + 200))?.[0];

/**
 * The mentions of a name in an expression of Angular.
 * @param {typeof import("typescript")} ts @param {string} text @param {number} start @param {number} end @param {string} name
 * @param {{ variable?: (name: string) => string[] | undefined, isDeclared?: boolean, keyed?: boolean, element?: Element }} template what it declares
 * @returns {Mention[]}
 */
export function mentionsIn(ts, text, start, end, name, { variable = (one) => [one], isDeclared = false, keyed = false, element } = {}) {
  const taker = (/** @type {number} */ at) => {
    const { chain: [first, ...rest] = [] } = chainOf(read, at);
    const base = first === undefined ? undefined : first === "this" ? [] : variable(first);
    return base && [...base, ...rest];
  };
  const read = tokens(ts, text, start, end);
  /** @type {Mention[]} */
  const found = [];
  /** @type {string[]} */
  const open = [];
  for (const [at, { word, kind, start: place }] of read.entries()) {
    const before = read[at - 1]?.word ?? "";
    const after = read[at + 1]?.word ?? "";
    if (kind === "sign" && ["(", "[", "{"].includes(word)) open.push(word);
    else if (kind === "sign" && [")", "]", "}"].includes(word)) open.pop();
    else if (kind === "string" && word.slice(1, -1) === name) {
      if (before === "[" && after === "]" && at > 1) found.push({ start: place + 1, kind: "member", chain: taker(at - 2) });
    } else if (word === name && !(keyed && !open.length && isWord(read, at))) {
      if (before === "." || before === "?.") found.push(read[at - 2]?.word === "this" ? { start: place, kind: "root" } : { start: place, kind: "member", chain: taker(at - 2), givers: element && [element] });
      else if (before === "|") continue; // the name of a pipe
      else if (open.at(-1) === "{" && (before === "{" || before === ",") && [":", ",", "}"].includes(after)) found.push({ start: place, kind: "member" });
      else found.push({ start: place, kind: isDeclared ? "open" : "root" });
    }
  }
  return found;
}
/** What ends at a token, from the name at which it begins; nothing where it begins otherwise. @returns {{ chain?: string[], from: number }} */
function chainOf(/** @type {Token[]} */ read, /** @type {number} */ at) {
  /** @type {string[]} */
  const chain = [];
  for (; ; at -= 2) {
    while (read[at]?.word === "!" && read[at].kind === "sign") at--;
    while (read[at]?.word === ")") {
      for (let depth = 0; at >= 0; at--) {
        depth += read[at].word === ")" ? 1 : read[at].word === "(" ? -1 : 0;
        if (!depth) break;
      }
      at--;
      chain.unshift("()");
    }
    const { word = "", kind = "" } = read[at] ?? {};
    const before = read[at - 1]?.word ?? "";
    if (kind !== "name" || before === "|") return { from: at };
    chain.unshift(word);
    if (before !== "." && before !== "?.") return { chain, from: at };
  }
}
/** Whether an expression begins behind a word: no two operands stand side by side. `a ? b : c` has a sign before. */
function isWord(/** @type {Token[]} */ read, /** @type {number} */ at) {
  const next = read[at + 1];
  if (!next) return false;
  if (next.word === ":") {
    const begun = read.slice(0, at).findLastIndex(({ word }) => word === ";");
    return !read.slice(Math.max(begun, 0), at).some(({ word }) => word === "?");
  }
  return next.kind !== "sign" && !["as", "in", "instanceof"].includes(next.word);
}
