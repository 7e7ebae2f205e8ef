// Uses of a member in templates of Angular. What stands at the root of an expression is a member of the component; an
// attribute gives something to the components whose selector the element has. What begins with a variable of the template,
// or goes through a pipe, is in doubt: no types of templates are made.

import { dirname, join } from "node:path";

import { linesOf } from "../../bindings/facts.mjs";
import { Doubts } from "../doubts.mjs";
import { Goals } from "../goals.mjs";
import { isDeclaredAny } from "../origins.mjs";
import { decorated, takes } from "./decorated.mjs";
import { OUTSIDE, Template, mentionsIn } from "./template.mjs";

/**
 * @typedef {import("typescript").Program} Program
 * @typedef {import("typescript").Type} Type
 * @typedef {import("./decorated.mjs").Decorated} Decorated
 * @typedef {import("./decorated.mjs").Selector} Selector
 * @typedef {import("./template.mjs").Mention} Mention
 * @typedef {{ script: string, owner: Decorated }} Owner
 * @typedef {Mention & Owner & { file: string }} Mentioned
 * @typedef {"use" | "doubt" | undefined} Verdict nothing: something else
 */

const DECORATOR = /@(?:Component|Directive)\b/;
const INHERITING = /\bextends\b|\bhostDirectives\b/;
/** A selector that asks for no tag and no attribute, as `.a`. */
const ANY = /\bselector\s*:\s*["'`](?:[^"'`]*,)?\s*[.:*]/;
const CALLS = new Set(["input", "output", "model", "outputFromObservable"]);

/** What scripts decorate, with the text of each. @typedef {Map<string, { text: string, found: Decorated[] }>} Known */

/** For one question. */
export class Templates {
  /** @type {Map<Selector, number>} */
  #alike = new Map();

  /**
   * @param {typeof import("typescript")} ts @param {(path: string) => string | undefined} read @param {Known} known
   * @param {string} name @param {{ scripts: string[], holding: string[], owning: string[] }} files scripts that may
   * decorate classes; those that hold the name; scripts that may name a template of these
   */
  constructor(ts, read, known, name, { scripts, holding, owning }) {
    this.ts = ts;
    this.read = read;
    this.known = known;
    this.name = name;
    this.owning = owning;
    this.scripts = scripts;
    this.pages = holding.filter((path) => path.endsWith(".html"));
    this.holding = holding.filter((path) => !path.endsWith(".html"));
  }
  /** What a script decorates. */
  #of(/** @type {string} */ path) {
    const { ts, known } = this;
    const text = this.read(path) ?? "";
    if (!DECORATOR.test(text)) return [];
    if (known.get(path)?.text !== text) known.set(path, { text, found: decorated(ts, ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)) });
    return known.get(path)?.found ?? [];
  }

  /** Every mention of the name, with who has the template. @returns {Mentioned[]} */
  get mentions() {
    const { ts, name } = this;
    /** @type {Mentioned[]} */
    const found = [];
    for (const script of this.holding) {
      for (const owner of this.#of(script)) {
        const hosted = owner.host.flatMap(([start, end]) => mentionsIn(ts, this.read(script) ?? "", start, end, name));
        for (const one of [...(owner.template?.mentions(name) ?? []), ...hosted]) found.push({ ...one, script, owner, file: script });
      }
    }
    /** @type {Map<string, Owner[]>} */
    const owners = new Map();
    for (const script of this.owning) {
      for (const owner of this.#of(script)) {
        const page = owner.url && join(dirname(script), owner.url);
        if (page) owners.set(page, [...(owners.get(page) ?? []), { script, owner }]);
      }
    }
    for (const file of this.pages) {
      const own = owners.get(file) ?? [];
      const here = own.length ? new Template(ts, this.read(file) ?? "").mentions(name) : [];
      for (const one of here) found.push(...own.map((owner) => ({ ...one, ...owner, file })));
    }
    return found;
  }
  /** Of the scripts that may use the member those whose types are asked: that have a template, or what elements may be given. */
  asked(/** @type {Mentioned[]} */ mentions, /** @type {string[]} */ using) {
    const scripts = new Set(mentions.map(({ script }) => script));
    const elements = /** @type {(Mentioned & { tag: string, attributes: Set<string> })[]} */ (mentions.filter(({ kind }) => kind === "given"));
    const words = new Set(elements.flatMap(({ tag, attributes }) => [tag, ...attributes]));
    const inherits = (/** @type {string} */ path) => {
      const text = elements.length ? (this.read(path) ?? "") : "";
      if (!INHERITING.test(text) || !([...words].some((one) => text.includes(one)) || ANY.test(text))) return false;
      return this.#of(path).some(({ selectors }) => selectors.some((one) => elements.some((element) => takes(one, element))));
    };
    return using.filter((path) => scripts.has(path) || inherits(path));
  }

  /**
   * What mentions are in the templates of some scripts of a program.
   * @param {Program} program @param {string[]} files @param {Mentioned[]} mentions
   * @param {{ declared: { file: string, start: number }[], resolve: ConstructorParameters<typeof Doubts>[3] }} question
   * @returns {[Mentioned, Verdict][]}
   */
  judged(program, files, mentions, { declared, resolve }) {
    const { ts } = this;
    const goals = new Goals(ts, program, new Set([this.name]), declared, []);
    const doubts = new Doubts(ts, program, goals, resolve);
    const here = new Set(files);
    const takers = files.flatMap((path) => this.#of(path).map((owner) => ({ script: path, owner })));
    const judge = new Judge(this, program, goals, doubts, takers);
    return mentions.flatMap((one) => (one.kind === "given" || here.has(one.script) ? [/** @type {[Mentioned, Verdict]} */ ([one, judge.of(one)])] : []));
  }
  /** What a mention is whose template no type of the member reaches. @returns {Verdict} */
  unreached = (/** @type {Mentioned} */ { kind, chain }) => (kind === "member" && !chain ? "doubt" : undefined);

  /** How many classes have a selector: who imports which is not read. */
  alike(/** @type {Selector} */ selector) {
    let count = this.#alike.get(selector);
    if (count !== undefined) return count;
    const word = selector.tag || selector.attributes[0];
    const key = keyOf(selector);
    const scripts = this.scripts.filter((path) => this.read(path)?.includes(word));
    count = scripts.flatMap((path) => this.#of(path)).filter(({ selectors }) => selectors.some((one) => keyOf(one) === key)).length;
    this.#alike.set(selector, count);
    return count;
  }

  /** The components and directives of the workspace that may be on an element. @returns {Owner[]} */
  takersOf(/** @type {import("./template.mjs").Element} */ element) {
    const words = [element.tag, ...[...element.attributes].map((one) => `[${one}`)];
    const mayTake = (/** @type {string} */ text) => ANY.test(text) || words.some((one) => text.includes(one));
    const scripts = this.scripts.filter((path) => mayTake(this.read(path) ?? ""));
    const owners = scripts.flatMap((script) => this.#of(script).map((owner) => ({ script, owner })));
    return owners.filter(({ owner }) => owner.selectors.some((one) => takes(one, element)));
  }

  /** Where mentions stand that may be uses. What several components have for their template means it where it does in all. */
  united(/** @type {[Mentioned, Verdict][]} */ judged) {
    /** @type {Map<string, { one: Mentioned, verdicts: Verdict[] }>} */
    const places = new Map();
    for (const [one, verdict] of judged) {
      const key = `${one.file}:${one.start}`;
      const known = places.get(key) ?? { one, verdicts: [] };
      places.set(key, { one, verdicts: [...known.verdicts, verdict] });
    }
    return [...places.values()].flatMap(({ one: { file, start, kind: asked }, verdicts }) => {
      if (!verdicts.some(Boolean)) return [];
      // Of each program those of its files are listed that take something of an element.
      const isUse = asked === "given" ? !verdicts.includes("doubt") : verdicts.every((verdict) => verdict === "use");
      const kind = /** @type {"use" | "doubt"} */ (isUse ? "use" : "doubt");
      const lines = linesOf(this.read(file) ?? "");
      const line = lines.findLastIndex((begin) => begin <= start);
      return [{ file, line, character: start - lines[line], length: this.name.length, kind, reason: kind === "doubt" ? REASON : "" }];
    });
  }
}
export const REASON = "a mention in a file whose types are not read";
/** Of a package that is not of the workspace, and is given nothing that leads to the member. */
const FOREIGN = "foreign";
const keyOf = (/** @type {Selector} */ { tag, attributes }) => [tag, ...[...attributes].sort()].join(" ");

class Judge {
  /** @param {Templates} templates @param {Program} program @param {Goals} goals @param {Doubts} doubts @param {Owner[]} takers what elements may be given something */
  constructor(templates, program, goals, doubts, takers) {
    this.templates = templates;
    this.ts = templates.ts;
    this.name = templates.name;
    this.program = program;
    this.checker = program.getTypeChecker();
    this.goals = goals;
    this.doubts = doubts;
    this.takers = takers;
  }
  /** @returns {Verdict} */
  of(/** @type {Mentioned} */ mention) {
    if (mention.kind === "given") return this.#given(/** @type {any} */ (mention));
    const own = this.#typeOf(mention);
    if (!own) return "doubt";
    if (mention.kind !== "member") {
      const found = this.#has(own);
      return found === "use" && mention.kind === "open" ? "doubt" : found;
    }
    if (mention.chain?.some((one) => OUTSIDE.has(one))) return this.#isOutside(mention, own) ? undefined : "doubt";
    const type = mention.chain && this.#through(own, mention.chain);
    return type === FOREIGN ? undefined : type ? this.#has(type) : "doubt";
  }
  /** Whether what an element emits or gives is another thing: the browser and packages hand on only what they are given. */
  #isOutside(/** @type {Mention} */ { chain = [], givers = [] }, /** @type {Type} */ own) {
    if (!givers.length || chain.some((one) => one.startsWith("?") && own.getProperty(one.slice(1)))) return false;
    return givers.every((one) => this.templates.takersOf(one).every((taker) => this.#isEmittingElse(taker, one.event))) && !this.doubts.origins.carries(own);
  }
  /** Whether a component or a directive emits, by that name, what does not lead to the member. */
  #isEmittingElse(/** @type {Owner} */ taker, /** @type {string | undefined} */ event) {
    const type = event === undefined || taker.owner.isFurther ? undefined : this.#typeOf(taker);
    const output = type?.getProperty(event ?? "");
    if (!type || !output) return type !== undefined && !this.doubts.origins.missing(type);
    const emitted = this.checker.getTypeOfSymbol(output);
    return emitted.flags & this.ts.TypeFlags.Any ? !this.#isOpen(output, 1) : !this.doubts.origins.carries(emitted);
  }
  /** Whether a type has the member by its name. @returns {Verdict} */
  #has(/** @type {Type} */ type) {
    if (type.flags & (this.ts.TypeFlags.Any | this.ts.TypeFlags.Unknown)) return "doubt";
    const property = type.getProperty(this.name);
    if (!property) return this.doubts.origins.missing(type) ? "doubt" : undefined;
    return !this.goals.isKnown ? "doubt" : this.goals.has(property) ? "use" : undefined;
  }
  /** The type of what members lead to; nothing where one is not known. @returns {Type | typeof FOREIGN | undefined} */
  #through(/** @type {Type} */ type, /** @type {string[]} */ chain) {
    const { checker } = this;
    const own = type;
    for (const [at, one] of chain.entries()) {
      if (one.startsWith("?")) {
        if (own.getProperty(one.slice(1))) return undefined; // outside of the variable's scope that is meant
        continue;
      }
      const bare = checker.getNonNullableType(type);
      if (one === "[]" || one === "|") {
        const inner = one === "[]" ? bare.getNumberIndexType() : checker.getTypeArguments(/** @type {any} */ (bare)).length === 1 && bare.symbol ? checker.getTypeArguments(/** @type {any} */ (bare))[0] : undefined;
        if (!inner) return undefined;
        type = inner;
        continue;
      }
      const calls = one === "()" ? bare.getCallSignatures() : [];
      const property = one === "()" ? undefined : bare.getProperty(one);
      if (property) {
        type = checker.getTypeOfSymbol(property);
        if (type.flags & this.ts.TypeFlags.Any) return this.#isOpen(property, chain.length - at) ? undefined : FOREIGN;
      } else if (calls.length === 1 && !calls[0].typeParameters) type = calls[0].getReturnType();
      else return undefined;
    }
    return checker.getNonNullableType(type);
  }
  /** Whether a member that has no type may lead to what is asked for, so many members further. */
  #isOpen(/** @type {import("typescript").Symbol} */ member, /** @type {number} */ further) {
    return isDeclaredAny(this.ts, member) || this.doubts.origins.ofSymbol(member, further) !== "";
  }
  /** The type of what a class makes. */
  #typeOf(/** @type {Owner} */ { script, owner }) {
    const node = this.#class(script, owner);
    return node && this.checker.getDeclaredTypeOfSymbol(/** @type {any} */ (node).symbol);
  }
  #class(/** @type {string} */ script, /** @type {Decorated} */ { start }) {
    const { ts } = this;
    const source = this.program.getSourceFile(script);
    /** @type {import("typescript").ClassLikeDeclaration | undefined} */
    let found;
    const visit = (/** @type {import("typescript").Node} */ node) => {
      if (ts.isClassLike(node) && node.getStart(source) === start) found = node;
      else if (!found && node.pos <= start && start < node.end) ts.forEachChild(node, visit);
    };
    if (source) visit(source);
    return found;
  }

  /** Of what an attribute gives: by its selector what has the member may take it. @returns {Verdict} */
  #given(/** @type {Mentioned & { tag: string, attributes: Set<string> }} */ element) {
    /** @type {Verdict} */
    let found;
    for (const taker of this.takers) {
      const alike = taker.owner.selectors.filter((one) => takes(one, element));
      const verdict = alike.length ? this.#asInput(taker, alike) : undefined;
      if (verdict === "doubt") return verdict;
      found ??= verdict;
    }
    return found;
  }
  /** @returns {Verdict} */
  #asInput(/** @type {Owner} */ taker, /** @type {Selector[]} */ selectors) {
    const type = this.#typeOf(taker);
    if (!type || taker.owner.isFurther) return "doubt";
    const verdict = this.#has(type);
    if (verdict !== "use") return verdict;
    const input = this.#isInput(/** @type {import("typescript").Symbol} */ (type.getProperty(this.name)));
    if (!input) return undefined;
    return input === "own" && selectors.some((one) => one.isExact && this.templates.alike(one) === 1) ? "use" : "doubt";
  }
  /** Whether a member is an input or an output, by its own name. */
  #isInput(/** @type {import("typescript").Symbol} */ { declarations = [] }) {
    const { ts } = this;
    for (const one of declarations) {
      const text = one.getText();
      const calls = ts.canHaveDecorators(one) ? (ts.getDecorators(one) ?? []).map(({ expression }) => expression) : [];
      const named = calls.find((call) => ts.isCallExpression(call) && ts.isIdentifier(call.expression) && /^(?:Input|Output)$/.test(call.expression.text));
      const signal = ts.isPropertyDeclaration(one) && one.initializer && ts.isCallExpression(one.initializer) && CALLS.has(one.initializer.expression.getText().split(".")[0]);
      if (!named && !signal) continue;
      const isRenamed = (named && ts.isCallExpression(named) && named.arguments.some(ts.isStringLiteralLike)) || /\balias\b/.test(text);
      return isRenamed ? "other" : "own";
    }
    return undefined;
  }
}
