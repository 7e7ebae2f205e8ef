// What each mention of a name is: a use of what is asked for, a declaration of the same elsewhere (an override, what a member
// implements), something else, or not to be decided. The compiler's own search for references says which are uses; of the
// others the type of what they are accessed on decides.

import { computedOf } from "./computed.mjs";
import { Doubts } from "./doubts.mjs";
import { Goals, holding, isForeign, isKey, isMemberOf, positions, startOf } from "./goals.mjs";

/**
 * @typedef {import("typescript").Node} Node
 * @typedef {import("typescript").SourceFile} SourceFile
 * @typedef {import("./goals.mjs").Place} Place
 * @typedef {{ file: string, line: number, character: number, length: number, kind: "use" | "definition" | "doubt", reason: string }} Mention line, character, length: from 0, in UTF-16 units
 * @typedef {object} Question
 * @property {string[]} names by which it goes
 * @property {Place[]} declared
 * @property {"member" | "name" | "whole"} [kind] of a name the places that are doubted are decided, and what may be had of that which
 * leaves its name; of the whole every mention, through all imports
 * @property {(Place & { reason: string, held: boolean })[]} [doubted] the places that names leave open; held: there what holds it
 * leaves its name
 * @property {Place[]} [named] of the whole: what names tell as uses
 * @property {(file: string) => string | undefined} [around] a tsconfig that lists a file with what is declared for all, "" of one that none lists
 * @property {Iterable<string>} files
 * @property {Iterable<string>} [all] with the files of other programs, through which imports of these may lead
 * @property {ConstructorParameters<typeof import("./origins.mjs").Origins>[2]} resolve
 * @property {() => boolean} [isLate] whether the work is to end
 */

/**
 * The mentions in some files of a program that are no other thing.
 * @param {typeof import("typescript")} ts
 * @param {import("typescript").Program} program
 * @param {Question} question
 * @returns {{ mentions: Mention[], unread: string[], isKnown: boolean }} unread: files that were not looked through. isKnown:
 * whether the program knows what is declared there, or has nothing to look through
 */
export function mentions(ts, program, question) {
  return new Mentions(ts, program, question).run();
}

class Mentions {
  /** @type {Map<string, Mention>} */
  #found = new Map();

  /** @param {typeof import("typescript")} ts @param {import("typescript").Program} program @param {Question} question */
  constructor(ts, program, { names, declared, kind = "member", doubted = [], named = [], around = () => undefined, files, all = files, resolve, isLate = () => false }) {
    this.ts = ts;
    /** @type {any} */
    this.internal = ts;
    this.program = program;
    this.names = new Set(names);
    this.isLate = isLate;
    this.kind = kind;
    this.around = around;
    this.named = new Set(named.map(({ file, start }) => `${file}:${start}`));
    this.unread = [...files].filter((path) => !program.getSourceFile(path));
    const read = (/** @type {Iterable<string>} */ paths) => /** @type {SourceFile[]} */ ([...paths].map((path) => program.getSourceFile(path)).filter(Boolean));
    const listed = read(files);
    this.goals = new Goals(ts, program, this.names, declared, listed);
    if (kind === "whole") for (const name of this.goals.spelled()) this.names.add(name);
    // Of the whole, what is added to a module is used where that is, whoever imports it.
    const asked = new Set(all);
    const isFurther = (/** @type {SourceFile} */ source) => !asked.has(source.fileName) && !isForeign(program, source) && [...this.names].some((name) => source.text.includes(name));
    this.sources = [...listed, ...(kind === "whole" ? program.getSourceFiles().filter(isFurther) : [])];
    this.own = new Set(this.sources);
    this.all = new Set([...read(all), ...this.sources]);
    this.doubts = new Doubts(ts, program, this.goals, resolve);
    const own = new Set(files);
    this.doubted = doubted.filter(({ file, held }) => own.has(file) && !held);
    this.places = new Set(this.doubted.map(({ file, start }) => `${file}:${start}`));
    this.isHeld = doubted.some(({ held }) => held);
  }

  run() {
    if (this.kind === "whole") this.#attempt(this.sources, () => this.#search([...this.all]));
    // File by file, so that what is known when time runs out is answered.
    for (const source of this.sources) {
      this.#attempt([source], () => {
        if (this.kind !== "whole") this.#search([source]);
        for (const node of this.#named(source)) this.#judge(node);
      });
    }
    for (const { file, start, reason } of this.doubted) {
      const source = this.program.getSourceFile(file);
      if (source && !this.#isKnown(source, start)) this.#addAt(source, start, 0, "doubt", reason);
    }
    // Of what the compiler knows no symbol, as of a name that is computed, nothing is decided.
    const isKnown = this.goals.isKnown || [...this.#found.values()].some(({ kind }) => kind === "doubt");
    return { mentions: [...this.#found.values()], unread: this.unread, isKnown: isKnown || !this.sources.length };
  }
  /** Look through some files; those of which time does not allow it are not read. */
  #attempt(/** @type {SourceFile[]} */ sources, /** @type {() => void} */ work) {
    try {
      work();
    } catch (error) {
      if (!this.isLate()) throw error;
      this.unread.push(...sources.map(({ fileName }) => fileName));
    }
  }
  /** Whether the compiler knows what a place names. */
  #isKnown(/** @type {SourceFile} */ source, /** @type {number} */ start) {
    const { ts } = this;
    const node = this.internal.getTouchingPropertyName(source, start);
    // Of a module that only types find names do not know what it exports.
    const symbol = ts.isIdentifier(node) ? this.goals.named(node) : undefined;
    return symbol !== undefined && this.goals.isDeclared(symbol);
  }
  #token = { isCancellationRequested: () => this.isLate(), throwIfCancellationRequested: () => void (this.isLate() && this.#cancel()) };
  #cancel() {
    throw new this.ts.OperationCanceledException();
  }

  /** By the compiler's own search: it follows the imports of these files. */
  #search(/** @type {SourceFile[]} */ sources) {
    // It passes over files that hold a name only as the string of `A["b"]` among types.
    for (const source of sources) for (const name of this.names) if (source.text.includes(name)) this.internal.getNameTable(source).set(this.ts.escapeLeadingUnderscores(name), -1);
    for (const { start, node, isComputed } of this.goals.declared) {
      if (isComputed) continue; // it would look for the value in the brackets
      // Of `{ a }` the property is asked for, and no variable that gives its value.
      const given = this.kind === "member" && this.ts.isShorthandPropertyAssignment(node.parent) ? this.program.getTypeChecker().getShorthandAssignmentValueSymbol(node.parent) : undefined;
      for (const { definition, references } of this.internal.FindAllReferences.Core.getReferencedSymbolsForNode(start, node, this.program, sources, this.#token, { use: 1 }) ?? []) {
        if (given && definition?.symbol === given) continue;
        for (const { node } of references) if (node && this.#isAsked(node)) this.#add(node, this.goals.declares(node) ? "definition" : "use");
      }
    }
  }
  #isAsked(/** @type {Node} */ node) {
    if (this.kind === "member") return this.own.has(node.getSourceFile()); // of a private one it looks through its class
    return this.kind === "name" ? this.#isOpen(node) : this.own.has(node.getSourceFile()) && "text" in node;
  }
  /** Nodes of the names in a file, in its documentation as well. */
  #named(/** @type {SourceFile} */ source) {
    const { ts } = this;
    /** @type {Node[]} */
    const nodes = [];
    for (const name of this.names) {
      for (const start of positions(source.text, name)) {
        const node = this.internal.getTouchingPropertyName(source, start);
        if (startOf(ts, node) !== start && node.getStart() !== start) continue;
        if ((ts.isIdentifier(node) || ts.isPrivateIdentifier(node) || ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) && node.text === name) nodes.push(node);
      }
    }
    return nodes;
  }
  #add(/** @type {Node} */ node, /** @type {Mention["kind"]} */ kind, reason = "") {
    const quote = this.ts.isStringLiteralLike(node) ? 1 : 0;
    this.#addAt(node.getSourceFile(), node.getStart() + quote, node.getEnd() - node.getStart() - 2 * quote, kind, reason);
  }
  #addAt(/** @type {SourceFile} */ source, /** @type {number} */ start, /** @type {number} */ length, /** @type {Mention["kind"]} */ kind, reason = "") {
    const key = `${source.fileName}:${start}`;
    if (!this.#found.has(key) && !this.goals.places.has(key)) this.#found.set(key, { file: source.fileName, ...source.getLineAndCharacterOfPosition(start), length, kind, reason });
  }

  #judge(/** @type {Node} */ node) {
    const { ts, goals } = this;
    const key = `${node.getSourceFile().fileName}:${startOf(ts, node)}`;
    if (this.#found.has(key) || goals.places.has(key) || !this.#isOpen(node)) return;
    const symbol = goals.vuePropOf(node) ?? goals.named(node);
    if (!symbol && ts.isPrivateIdentifier(node)) return;
    // Of a private one the search looks through its class alone, of what is imported not at all.
    if (goals.isWatched(node)) return this.#add(node, "use");
    if (symbol && (goals.has(symbol) || goals.isAssigned(symbol))) return this.#add(node, goals.declares(node) ? "definition" : "use");
    if (!symbol && isMemberOf(ts, node) && goals.isInherited(/** @type {any} */ (node.parent).expression)) return this.#add(node, "use");
    if (this.named.has(key) && !(symbol && goals.isOwn(symbol))) return this.#lost(node, symbol);
    const reason = this.kind === "member" ? this.doubts.ofMember(node) : this.isHeld ? this.doubts.ofTaken(node) : "";
    if (reason) this.#add(node, "doubt", reason);
  }
  /** What names tell as a use, and its program does not know, or knows as another symbol. */
  #lost(/** @type {Node} */ node, /** @type {import("typescript").Symbol | undefined} */ symbol) {
    const at = this.around(node.getSourceFile().fileName);
    const isOfLibrary = symbol?.declarations?.some((one) => this.program.isSourceFileDefaultLibrary(one.getSourceFile()));
    if (at === "" && !isOfLibrary) this.#add(node, "doubt", "no tsconfig lists this file with what declares the name for all others");
    if (at) this.#add(node, "doubt", `what its project does not know to be this: ${at.slice(this.program.getCurrentDirectory().length + 1)} may hold both`);
  }
  /** Whether types tell what a mention is: of what is no member, where names leave that open. */
  #isOpen(/** @type {Node} */ node) {
    if (this.kind !== "name") return this.kind === "whole" || this.#mayBeMember(node);
    if (!this.names.has(/** @type {any} */ (node).text)) return false;
    return this.places.has(`${node.getSourceFile().fileName}:${startOf(this.ts, node)}`) || (this.isHeld && this.#mayBeMember(node) && !this.#isExported(node));
  }
  /** Whether it is a key by which a script exports something. */
  #isExported(/** @type {Node} */ { parent }) {
    const { ts } = this;
    return ts.isPropertyAccessExpression(parent) && ts.isBinaryExpression(parent.parent) && parent.parent.left === parent && this.internal.getAssignmentDeclarationKind(parent.parent) !== 0;
  }
  #mayBeMember(/** @type {Node} */ node) {
    const { ts } = this;
    const parent = holding(ts, node);
    const isIndex = ts.isLiteralTypeNode(parent) && ts.isIndexedAccessTypeNode(parent.parent) && parent.parent.indexType === parent;
    return isIndex || isMemberOf(ts, node) || computedOf(ts, node) !== undefined || (ts.isBindingElement(parent) && isKey(ts, node)) || ts.isJsxAttribute(parent) || ts.isObjectLiteralElement(parent) || ts.isClassElement(parent);
  }
}
