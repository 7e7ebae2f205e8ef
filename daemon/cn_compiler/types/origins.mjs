// Why the compiler does not know what something is: where a value or a type that is `any` comes from. Only evidence makes it
// foreign: a module that is known to lie outside of the workspace, or a name that the workspace declares nowhere. What such
// code is given it may hand back.

import { assignmentsOf, isEmpty, returned } from "./assignments.mjs";
import { isForeign } from "./goals.mjs";

/**
 * @typedef {import("typescript").Node} Node
 * @typedef {import("typescript").Type} Type
 * @typedef {"" | string} Reason why it may be of the workspace's type; "" where it is none
 */

export const NOWHERE = "an import that leads nowhere";
export const UNTYPED = "a value without a type";
export const GIVEN = "what a package that is not installed hands back";
export const TOLD = "what a package that is not installed makes of the type";
export const CAST = "a value that is declared or cast to any";
/** Rests on a type parameter: dropped where it is known what stands for that. */
const OVER = "a value of a type that is generic over any";
const COMPONENT = "a component";
const UNDECLARED = "a name of a template that its component does not declare";
/** What `@vue/language-core` calls that of which templates take their names. */
const INSTANCE = "__VLS_ctx";
/** All that a component of Svelte or Astro is given. */
const GIVEN_TO = /^(?:Astro\.props|\$\$props|\$\$restProps|\$props\(\))$/;
/** As `svelte2tsx` writes what `{#each}` goes through. */
const EACH = /^__sveltets_2_ensureArray\(/;
/** So deep it is followed, and in so many steps. */
const FAR = 60;
const MANY = 3000;
/** So many members may stand between what is handed on and the member. */
const FURTHER = 3;
/** So deep in what a list holds something without a type is looked for. */
const DEEP = 2;

export class Origins {
  /** By a node: why, and through how many members it was asked. @type {Map<Node, { found: Reason, hops: number }>} */
  #known = new Map();
  /** What is followed now: how deep each lies. @type {Map<Node, number>} */
  #following = new Map();
  /** How deep the first of these lies on which what was found rests. */
  #resting = Infinity;
  #steps = 0;
  /** So many members are taken of what is followed now. */
  #hops = 0;

  /**
   * @param {typeof import("typescript")} ts
   * @param {import("typescript").Program} program
   * @param {(specifier: string, from: string) => { file: string, others?: string[], isGuessed?: boolean } | { outside: string, open: boolean, namespaces?: string[] }} resolve
   * @param {(type: Type, hops: number) => boolean} carries whether a value of a type leads to the member, through so many
   * members
   */
  constructor(ts, program, resolve, carries) {
    this.ts = ts;
    this.program = program;
    this.checker = program.getTypeChecker();
    this.resolve = resolve;
    this.assignments = assignmentsOf(program, ts);
    /** What is handed on may lead to the member by some further ones. */
    this.carries = (/** @type {Type} */ type) => carries(type, FURTHER + this.#hops);
    this.has = (/** @type {Type} */ type) => carries(type, this.#hops);
    /** Whether a value of a type has the member itself. */
    this.isOf = (/** @type {Type} */ type) => carries(type, 0);
  }

  /** Why a value of unknown type may have the member. @returns {Reason} */
  of(/** @type {Node} */ node) {
    this.#steps = 0;
    this.#asked = this.#chain(node);
    const found = this.#of(node);
    this.#asked = undefined;
    return found;
  }
  /** The value `a.b.c` that a question is about: the declarations of `a`, and the names `b` and `c`. undefined: the search has left it. @type {{ declarations: readonly Node[], names: string[] } | undefined} */
  #asked = undefined;
  #chain(/** @type {Node} */ node) {
    const { ts } = this;
    /** @type {string[]} */
    const names = [];
    let first = node;
    for (; ts.isPropertyAccessExpression(first) || ts.isNonNullExpression(first) || ts.isParenthesizedExpression(first); first = first.expression) if (ts.isPropertyAccessExpression(first)) names.unshift(first.name.text);
    const { declarations = [] } = (ts.isIdentifier(first) && this.checker.getSymbolAtLocation(first)) || {};
    return { declarations, names };
  }
  /** Why a value may have the member of whose type the compiler leaves nothing: where that is written, for what it is made of. @returns {Reason} */
  ofEmpty(/** @type {Node} */ node) {
    this.#steps = 0;
    const { type } = /** @type {any} */ (this.checker.getSymbolAtLocation(node)?.valueDeclaration ?? {});
    return type && this.isEmpty(this.checker.getTypeAtLocation(type)) ? this.#type(type) : UNTYPED;
  }
  /** Why what has no type and is declared may have the member, so many members further. @returns {Reason} */
  ofSymbol(/** @type {import("typescript").Symbol} */ symbol, /** @type {number} */ further) {
    this.#steps = 0;
    this.#hops = further;
    const found = this.#declared(symbol.declarations ?? [], /** @type {Node} */ (symbol.declarations?.[0]));
    this.#hops = 0;
    return found;
  }
  /** Why what surrounds an object or a function may expect the member of it. @returns {Reason} */
  around(/** @type {Node} */ node) {
    this.#steps = 0;
    return this.#context(node) ?? "";
  }

  /** @returns {Reason} */
  #of(/** @type {Node} */ node) {
    return this.#follow(node, () => this.#value(node));
  }
  /** @returns {Reason} */
  #follow(/** @type {Node} */ node, /** @type {() => Reason} */ work) {
    const known = this.#known.get(node);
    if (known && (known.found || known.hops >= this.#hops)) return known.found;
    const circle = this.#following.get(node);
    if (circle !== undefined) {
      this.#resting = Math.min(this.#resting, circle);
      return ""; // it brings nothing of its own
    }
    const depth = this.#following.size;
    if (depth > FAR || this.#steps++ > MANY) return UNTYPED;
    const before = this.#resting;
    this.#resting = Infinity;
    this.#following.set(node, depth);
    const found = work();
    this.#following.delete(node);
    // What rests on another one that is followed yet is looked at again.
    const isOpen = this.#resting < depth;
    if (found || !isOpen) this.#known.set(node, { found, hops: this.#hops });
    this.#resting = isOpen ? Math.min(before, this.#resting) : before;
    return found;
  }
  /** Of what a member is taken. @returns {Reason} */
  #beneath(/** @type {() => Reason} */ work) {
    this.#hops++;
    const found = work();
    this.#hops--;
    return found;
  }
  #isScript = (/** @type {Node} */ node) => Boolean(node.flags & this.ts.NodeFlags.JavaScriptFile);
  isAny = (/** @type {Node} */ node) => Boolean(this.checker.getTypeAtLocation(node).flags & (this.ts.TypeFlags.Any | this.ts.TypeFlags.Unknown));
  #any = (/** @type {readonly (Node | undefined)[]} */ nodes) => nodes.reduce((/** @type {Reason} */ found, node) => found || (node && this.#holdsAny(node) ? this.#of(node) : node && this.#isBlank(node) ? UNTYPED : ""), "");
  /** Of several values of which one is taken: beside one without a type the compiler forgets those of the others. @returns {Reason} */
  #oneOf(/** @type {readonly Node[]} */ nodes) {
    const { checker } = this;
    return this.#any(nodes) || (nodes.some((one) => !this.isAny(one) && this.has(checker.getTypeAtLocation(one))) ? UNTYPED : "");
  }
  /** Of what a property begins with: anything may be put into an empty list, and in a script into an empty object. @returns {Reason} */
  #initial(/** @type {Node} */ node) {
    const { ts } = this;
    const isEmpty = (ts.isArrayLiteralExpression(node) && !node.elements.length) || (ts.isObjectLiteralExpression(node) && !node.properties.length && this.#isScript(node));
    return isEmpty ? UNTYPED : this.#holdsAny(node) ? this.#of(node) : "";
  }
  /** Whether a value has no type, or is a list or a map of what has none. */
  #holdsAny = (/** @type {Node} */ node) => !this.ts.isObjectLiteralExpression(node) && this.#isOfAny(this.checker.getTypeAtLocation(node), DEEP);
  /** isWritten: and that is written, no type that the compiler does not find. @returns {boolean} */
  #isOfAny(/** @type {Type} */ type, /** @type {number} */ depth, isWritten = false) {
    const { ts, checker } = this;
    if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown) || depth < 0) return depth >= 0 && !(isWritten && /** @type {any} */ (type).intrinsicName === "error");
    const literal = type.symbol?.valueDeclaration;
    if (literal && ts.isObjectLiteralExpression(literal) && !literal.properties.length) return this.#isScript(literal) && !type.getProperties().length;
    if (type.isUnion()) return type.types.some((one) => this.#isOfAny(one, depth, isWritten));
    if (checker.getIndexInfosOfType(type).some((one) => one.type !== type && this.#isOfAny(one.type, depth - 1, isWritten))) return true;
    const isReference = type.flags & ts.TypeFlags.Object && /** @type {any} */ (type).objectFlags & ts.ObjectFlags.Reference;
    return Boolean(isReference) && checker.getTypeArguments(/** @type {any} */ (type)).some((one) => one !== type && this.#isOfAny(one, depth - 1, isWritten));
  }
  /** Whether nothing has that type: of `{ one: null, all: [] }` the strictest reading knows no more, and others may be put there. @returns {boolean} */
  isEmpty(/** @type {Type} */ type) {
    const { TypeFlags: flags } = this.ts;
    return type.isUnion() ? type.types.every((one) => this.isEmpty(one)) : Boolean(type.flags & (flags.Never | flags.Null | flags.Undefined));
  }
  /** Whether a value that is no literal is of such a type, or a list of it. */
  #isBlank(/** @type {Node} */ node) {
    const { ts, checker } = this;
    if (!(ts.isPropertyAccessExpression(node) || ts.isCallExpression(node) || (ts.isIdentifier(node) && node.text !== "undefined"))) return false;
    const type = checker.getTypeAtLocation(node);
    return this.isEmpty(checker.isArrayType(type) ? checker.getTypeArguments(/** @type {any} */ (type))[0] : type);
  }

  /** @returns {Reason} */
  #value(/** @type {Node} */ node) {
    const { ts } = this;
    if (ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node) || ts.isAwaitExpression(node) || ts.isSpreadElement(node)) return this.#of(node.expression);
    if (ts.isAsExpression(node) || ts.isTypeAssertionExpression(node)) return node.type.kind === ts.SyntaxKind.AnyKeyword ? this.#cast(node.expression) : this.#type(node.type);
    if (ts.isSatisfiesExpression(node)) return this.#of(node.expression) || this.#type(node.type);
    if (ts.isIdentifier(node)) return this.#name(node);
    if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) return this.#member(node, ts.isPropertyAccessExpression(node) ? node.name : node.argumentExpression);
    if (ts.isQualifiedName(node)) return this.#of(node.left);
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) return this.#call(node);
    if (ts.isTaggedTemplateExpression(node)) return this.#of(node.tag);
    if (ts.isConditionalExpression(node)) return this.#oneOf([node.whenTrue, node.whenFalse]);
    if (ts.isBinaryExpression(node)) return this.#oneOf([node.left, node.right]);
    if (node.kind === ts.SyntaxKind.ThisKeyword) return this.#this(node);
    if (node.kind === ts.SyntaxKind.SuperKeyword) return this.#base(node);
    if (ts.isYieldExpression(node)) return UNTYPED;
    if (ts.isArrayLiteralExpression(node)) return this.#any(node.elements);
    return "";
  }
  /** What is cast to any on purpose is doubted only where it is known to have the member. @returns {Reason} */
  #cast(/** @type {Node} */ node) {
    return this.isAny(node) ? this.#of(node) : this.carries(this.checker.getTypeAtLocation(node)) ? CAST : "";
  }

  /** @returns {Reason} */
  #name(/** @type {import("typescript").Identifier} */ node) {
    const symbol = this.checker.getSymbolAtLocation(node);
    // A name that is declared nowhere: of what runs it, or of types that are not installed, as those of `process`.
    return symbol ? this.#symbol(symbol, node) : this.#isHandedOn("NodeJS") ? NOWHERE : "";
  }
  /** @returns {Reason} */
  #symbol(/** @type {import("typescript").Symbol} */ symbol, /** @type {Node} */ node) {
    const { ts, checker } = this;
    if (symbol.flags & ts.SymbolFlags.Alias) {
      const target = checker.getAliasedSymbol(symbol);
      const isKnown = target.declarations?.length && target !== symbol;
      return isKnown ? this.#declared(target.declarations ?? [], node) : this.#import(symbol.declarations ?? [], node);
    }
    return this.#declared(symbol.declarations ?? [], node);
  }
  /** @returns {Reason} */
  #import(/** @type {readonly Node[]} */ declarations, /** @type {Node} */ use) {
    const { ts } = this;
    for (const one of declarations) {
      const local = ts.isExportSpecifier(one) && !one.parent.parent.moduleSpecifier ? this.checker.getExportSpecifierLocalTargetSymbol(one) : undefined;
      if (local) return this.#symbol(local, use);
      const specifier = ts.findAncestor(one, (node) => ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isImportEqualsDeclaration(node) || ts.isVariableDeclaration(node));
      const literal = specifier && this.#specifier(specifier);
      const name = ts.isImportSpecifier(one) || ts.isExportSpecifier(one) ? (one.propertyName ?? one.name).text : ts.isImportClause(one) ? "default" : "";
      // What a module does not have no one gets of it.
      if (literal) return name ? (this.#exported(literal, name, use) ?? "") : this.#module(literal);
    }
    return NOWHERE;
  }
  /** What a module exports by a name and is not known: of one that hands it on, of where that leads; undefined where it surely does not. @returns {Reason | undefined} */
  #exported(/** @type {import("typescript").StringLiteralLike} */ literal, /** @type {string} */ name, /** @type {Node} */ use, /** @type {Set<Node>} */ seen = new Set()) {
    const { ts } = this;
    const exports = this.checker.getSymbolAtLocation(literal)?.exports;
    if (!exports) return this.#module(literal);
    const own = exports.get(ts.escapeLeadingUnderscores(name));
    if (own) return own.flags & ts.SymbolFlags.Alias ? this.#symbol(own, use) : undefined;
    /** @type {Reason | undefined} */
    let found;
    for (const one of exports.get(ts.InternalSymbolName.ExportStar)?.declarations ?? []) {
      const from = this.#specifier(one);
      if (from && !found && !seen.has(from)) found = this.#exported(from, name, use, seen.add(from)) ?? found;
    }
    return found ?? (this.#isWhole(literal, exports) ? undefined : this.#module(literal));
  }
  /** Why the type `import("a").B` is not known. @returns {Reason} */
  #imported(/** @type {import("typescript").ImportTypeNode} */ node) {
    const { ts } = this;
    const literal = ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal) ? node.argument.literal : undefined;
    let name = node.qualifier;
    while (name && ts.isQualifiedName(name)) name = name.left;
    return literal ? ((name ? this.#exported(literal, name.text, node) : this.#module(literal)) ?? "") : "";
  }
  /** Whether a specifier leads to a module for sure, and its exports are all that it has. */
  #isWhole(/** @type {import("typescript").StringLiteralLike} */ literal, /** @type {import("typescript").SymbolTable} */ exports) {
    const { ts } = this;
    const target = this.resolve(literal.text, literal.getSourceFile().fileName);
    const source = "file" in target && !target.isGuessed && !target.others?.length ? this.program.getSourceFile(target.file) : undefined;
    // Declarations may leave out what their script exports.
    return source !== undefined && !this.#isScript(source) && !source.isDeclarationFile && !exports.has(ts.InternalSymbolName.ExportEquals);
  }
  /** @returns {import("typescript").StringLiteralLike | undefined} */
  #specifier(/** @type {Node} */ node) {
    const { ts } = this;
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier && ts.isStringLiteralLike(node.moduleSpecifier) ? node.moduleSpecifier : undefined;
    if (ts.isImportEqualsDeclaration(node)) return ts.isExternalModuleReference(node.moduleReference) && ts.isStringLiteralLike(node.moduleReference.expression) ? node.moduleReference.expression : undefined;
    let call = /** @type {Node | undefined} */ (ts.isVariableDeclaration(node) ? node.initializer : node);
    while (call && (ts.isPropertyAccessExpression(call) || ts.isElementAccessExpression(call) || ts.isAwaitExpression(call) || (ts.isCallExpression(call) && !this.#isImport(call)))) call = call.expression;
    return call && ts.isCallExpression(call) && call.arguments.length && ts.isStringLiteralLike(call.arguments[0]) ? call.arguments[0] : undefined;
  }
  #isImport = (/** @type {import("typescript").CallExpression} */ { expression }) => expression.kind === this.ts.SyntaxKind.ImportKeyword || (this.ts.isIdentifier(expression) && expression.text === "require");
  /** @returns {Reason} */
  #module(/** @type {import("typescript").StringLiteralLike} */ literal) {
    const from = literal.getSourceFile().fileName;
    if (from.includes("/node_modules/")) return "";
    const target = this.resolve(literal.text, from);
    if ("file" in target) return /\.(?:vue|svelte|astro)$/.test(target.file) ? COMPONENT : /\.json$/.test(target.file) ? "" : NOWHERE;
    if (target.namespaces?.some(this.#isHandedOn) || this.#isAdded()) return NOWHERE;
    // An ambient module without a body says that it may be anything.
    return target.open && !this.checker.getSymbolAtLocation(literal) ? NOWHERE : "";
  }

  /** By so many members: whether what the workspace adds to modules of packages leads to the member. @type {Map<number, boolean>} */
  #added = new Map();
  #isAdded() {
    const { ts } = this;
    let found = this.#added.get(this.#hops);
    if (found !== undefined) return found;
    const isAdding = (/** @type {Node} */ one) => ts.isModuleDeclaration(one) && ts.isStringLiteral(one.name) && one.body !== undefined && ts.isModuleBlock(one.body) && !("file" in this.resolve(one.name.text, one.getSourceFile().fileName)) && one.body.statements.some(isType);
    const isType = (/** @type {Node} */ one) => ts.isInterfaceDeclaration(one) && this.carries(this.checker.getTypeAtLocation(one.name));
    found = this.program.getSourceFiles().some((source) => !this.#isForeign(source) && source.statements.some(isAdding));
    this.#added.set(this.#hops, found);
    return found;
  }
  /** Whether some type of a global namespace leads to the member. */
  #isHandedOn = (/** @type {string} */ name) => {
    const { checker, ts } = this;
    /** @type {import("typescript").Symbol | undefined} */
    const namespace = /** @type {any} */ (checker).resolveName(name, undefined, ts.SymbolFlags.Namespace, false);
    return Boolean(namespace && checker.getExportsOfModule(namespace).some((one) => this.carries(checker.getDeclaredTypeOfSymbol(one))));
  };

  /** @returns {Reason} */
  #declared(/** @type {readonly Node[]} */ declarations, /** @type {Node} */ use) {
    return declarations.reduce((/** @type {Reason} */ found, one) => found || this.#declaration(one, use), "");
  }
  /** @returns {Reason} */
  #declaration(/** @type {Node} */ node, /** @type {Node} */ use) {
    const { ts } = this;
    if (this.#isForeign(node)) return "";
    if (ts.isParameter(node)) return node.type ? this.#said(node.type, node) : this.#parameter(node);
    if (ts.isBindingElement(node)) {
      const whole = ts.walkUpBindingElementsAndPatterns(node);
      if (this.#isGiven(whole)) return UNTYPED;
      const property = this.#taken(node);
      return (node.initializer && this.isAny(node.initializer) ? this.#of(node.initializer) : "") || this.#beneath(() => (property && this.#symbol(property, use)) || this.#declaration(whole, use));
    }
    if (ts.isVariableDeclaration(node)) {
      const said = node.type ?? ts.getJSDocType(node);
      if (said) return this.#said(said, node);
      if (node.initializer) return this.#any([node.initializer]) || (this.#isScript(node) && !this.isAny(node.initializer) ? UNTYPED : this.#put(this.checker.getTypeAtLocation(node.initializer), node));
      const list = node.parent.parent;
      if (ts.isForOfStatement(list)) return this.#of(EACH.test(list.expression.getText()) ? /** @type {import("typescript").CallExpression} */ (list.expression).arguments[0] : list.expression);
      if (ts.isForInStatement(list)) return "";
      if (ts.isCatchClause(node.parent)) return this.#isScript(node) ? UNTYPED : "";
      return this.#assigned(node);
    }
    if (ts.isPropertyDeclaration(node) || ts.isPropertySignature(node) || ts.isPropertyAssignment(node)) {
      const type = "type" in node && node.type ? node.type : ts.getJSDocType(node);
      if (type) return this.#said(/** @type {Node} */ (type), node);
      const value = "initializer" in node ? node.initializer : undefined;
      return value ? this.#initial(value) || this.#put(this.checker.getTypeAtLocation(value), node) : UNTYPED;
    }
    if (ts.isShorthandPropertyAssignment(node)) {
      const symbol = this.checker.getShorthandAssignmentValueSymbol(node);
      return symbol ? this.#symbol(symbol, use) : "";
    }
    if (ts.isFunctionLike(node)) return this.#function(node);
    if (ts.isTypeAliasDeclaration(node)) return this.#type(node.type);
    if (ts.isBinaryExpression(node)) return this.#initial(node.right);
    if (ts.isPropertyAccessExpression(node) && ts.isBinaryExpression(node.parent) && node.parent.left === node) return this.#holdsAny(node.parent.right) ? this.#of(node.parent.right) : this.#isScript(node) ? UNTYPED : "";
    if (ts.isClassLike(node) || ts.isInterfaceDeclaration(node)) return this.#heritage(node);
    if (ts.isTypeParameterDeclaration(node)) return (node.constraint ? this.#type(node.constraint) : "") || (this.assignments.given(node).some(this.carries) ? OVER : "");
    if (ts.isSourceFile(node) || ts.isModuleDeclaration(node)) return "";
    return this.#isScript(node) ? UNTYPED : "";
  }
  /** What a declaration is said to be. @returns {Reason} */
  #said(/** @type {Node} */ type, /** @type {Node} */ declaration) {
    return this.#type(type) || this.#put(this.checker.getTypeAtLocation(type), declaration);
  }
  /** Of what is any on purpose, alone or in another type: what is known to be put there. @returns {Reason} */
  #put(/** @type {Type} */ type, /** @type {Node} */ declaration) {
    const isAny = Boolean(type.flags & this.ts.TypeFlags.Any);
    if (!this.#isOfAny(type, DEEP, true)) return "";
    const leads = (isAny && this.#behindNames(declaration)) || this.#leads;
    return this.assignments.into(declaration, !isAny, this.#mayLead).some(leads) ? CAST : "";
  }
  /** Of the declarations of `a` where a question is about `a.b.c`: whether `.b.c` of a value that is put into `a` has the member. undefined: of another declaration. @returns {((value: Node) => boolean) | undefined} */
  #behindNames(/** @type {Node} */ declaration) {
    const { declarations = [], names = [] } = this.#asked ?? {};
    if (!declarations.includes(declaration)) return undefined;
    this.#asked = undefined; // where the same declaration is reached again, other names may lie between
    return (value) => (this.isAny(value) ? this.#leads(value) : this.#hasBehind(this.checker.getTypeAtLocation(value), names));
  }
  /** Whether what is taken by some names of a value of a type has the member. @returns {boolean} */
  #hasBehind(/** @type {Type} */ type, /** @type {string[]} */ names) {
    const { checker, ts } = this;
    if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return true;
    if (type.isUnion()) return type.types.some((one) => this.#hasBehind(one, names));
    const [name, ...others] = names;
    if (name === undefined) return this.isOf(type) || this.#missing(type) !== "";
    const property = checker.getApparentType(type).getProperty(name);
    const further = property ? checker.getTypeOfSymbol(property) : type.getStringIndexType();
    // What a type does not know may be added to a value of it.
    return further ? this.#hasBehind(further, others) : this.carries(type) || this.#missing(type) !== "";
  }
  /** Whether a value is of a type that leads to the member, or has none. */
  #mayLead = (/** @type {Node} */ value) => this.carries(this.checker.getTypeAtLocation(value)) || (this.#holdsAny(value) && !isEmpty(this.ts, value));
  /** Whether a value that may lead to the member is known to. */
  #leads = (/** @type {Node} */ value) => this.carries(this.checker.getTypeAtLocation(value)) || this.#of(value) !== "";
  /** What a pattern takes of a value that has it. @returns {import("typescript").Symbol | undefined} */
  #taken(/** @type {import("typescript").BindingElement} */ { parent, propertyName, name, dotDotDotToken }) {
    const key = /** @type {any} */ (propertyName ?? name).text;
    const found = this.ts.isObjectBindingPattern(parent) && !dotDotDotToken && key !== undefined ? this.checker.getTypeAtLocation(parent).getProperty(key) : undefined;
    return found?.declarations?.some((one) => one.parent !== parent) ? found : undefined;
  }
  /** Whether what has no type is taken of all that a component is given. */
  #isGiven = (/** @type {{ initializer?: Node }} */ { initializer }) => initializer !== undefined && GIVEN_TO.test(initializer.getText());
  /** Of `let a;`: what the file assigns to it. @returns {Reason} */
  #assigned(/** @type {import("typescript").VariableDeclaration} */ node) {
    const { ts } = this;
    if (!ts.isIdentifier(node.name)) return "";
    const { text } = node.name;
    /** @type {Node[]} */
    const values = [];
    const visit = (/** @type {Node} */ one) => {
      if (ts.isBinaryExpression(one) && one.operatorToken.kind === ts.SyntaxKind.EqualsToken && ts.isIdentifier(one.left) && one.left.text === text) values.push(one.right);
      ts.forEachChild(one, visit);
    };
    visit(node.getSourceFile());
    const found = this.#any(values);
    return found || (this.#isScript(node) || values.some((one) => this.carries(this.checker.getTypeAtLocation(one))) ? UNTYPED : "");
  }
  #isForeign = (/** @type {Node} */ node) => isForeign(this.program, node);

  /** @returns {Reason} */
  #parameter(/** @type {import("typescript").ParameterDeclaration} */ node) {
    const { ts } = this;
    const commented = ts.getJSDocType(node);
    if (commented) return this.#said(commented, node);
    if (node.initializer) return this.isAny(node.initializer) ? this.#of(node.initializer) : "";
    // The compiler takes what nobody types for `any` as well.
    return this.#context(node.parent) ?? ((this.#isScript(node) && !this.#isOnlyCalled(node.parent)) || this.#isHanded(node) ? UNTYPED : "");
  }
  /** Whether all that a module does with a function of its own is to call it by its name. */
  #isOnlyCalled(/** @type {import("typescript").SignatureDeclaration} */ own) {
    const { ts } = this;
    const source = /** @type {any} */ (own.getSourceFile());
    const holder = ts.isFunctionDeclaration(own) ? own : ts.isVariableDeclaration(own.parent) && own.parent.parent.flags & ts.NodeFlags.BlockScoped ? own.parent : undefined;
    const name = holder?.name;
    if (!name || !ts.isIdentifier(name) || !(source.externalModuleIndicator || source.commonJsModuleIndicator)) return false;
    if (ts.getCombinedModifierFlags(holder) & ts.ModifierFlags.Export) return false;
    const isCall = (/** @type {Node} */ node) => node === name || (ts.isCallExpression(node.parent) && node.parent.expression === node);
    const isMember = (/** @type {Node} */ { parent }) => ts.isClassElement(parent) || ts.isTypeElement(parent) || ts.isPropertyAccessExpression(parent);
    /** @type {(one: Node) => boolean} */
    const isElsewhere = (one) => (ts.isIdentifier(one) && one.text === name.text && !isCall(one) && !(isMember(one) && /** @type {any} */ (one.parent).name === one)) || ts.forEachChild(one, isElsewhere) || false;
    return this.assignments.calls(name.text).some((call) => call.getSourceFile() === source) && !isElsewhere(source);
  }
  /** Whether a parameter without a type is given a value that leads to the member, where its function is called. */
  #isHanded(/** @type {import("typescript").ParameterDeclaration} */ node) {
    const { ts, checker } = this;
    const own = node.parent;
    const at = own.parameters.indexOf(node);
    const named = own.name ?? (ts.isVariableDeclaration(own.parent) || ts.isPropertyAssignment(own.parent) || ts.isPropertyDeclaration(own.parent) ? own.parent.name : undefined);
    const leads = this.#behindNames(node) ?? this.#leads;
    return this.assignments.calls(named && ts.isIdentifier(named) ? named.text : "").some((call) => {
      if (call.arguments?.slice(0, at + 1).some(ts.isSpreadElement)) return true;
      const given = call.arguments?.[at];
      return given !== undefined && checker.getResolvedSignature(call)?.getDeclaration() === own && leads(given);
    });
  }

  /** Why what surrounds a node may tell of what type it is; undefined where nothing does. @returns {Reason | undefined} */
  #context(/** @type {Node} */ inner) {
    const { ts } = this;
    for (let node = inner, above = inner.parent; above; node = above, above = above.parent) {
      if (this.#steps++ > MANY) return UNTYPED;
      if (ts.isCallExpression(above) || ts.isNewExpression(above)) {
        if (above.expression === node) return undefined;
        // What it makes of a function it may hand on, to be called by another.
        if (this.isAny(above.expression)) return this.#of(above.expression) || this.#given(above) || this.#handedTo(above, node) || this.#context(above) || "";
        return this.#expected(above, node) || this.#any([...(above.arguments ?? []).filter((one) => one !== node), receiverOf(ts, above)]) || this.#handedBack(above, node) || this.#handedTo(above, node) || this.#context(above) || "";
      }
      if (ts.isTaggedTemplateExpression(above)) {
        const { template, typeArguments } = above;
        const values = ts.isTemplateExpression(template) ? template.templateSpans.map((one) => one.expression) : [];
        return this.isAny(above.tag) ? this.#of(above.tag) || this.#given({ typeArguments, arguments: values.filter((one) => one !== inner) }) || this.#context(above) || "" : undefined;
      }
      if (ts.isJsxAttribute(above) || ts.isJsxSpreadAttribute(above)) return this.#element(above.parent.parent);
      if (ts.isJsxElement(above) && ts.isJsxExpression(node)) return this.#element(above.openingElement);
      if (ts.isDecorator(above)) return "";
      if (ts.isAsExpression(above) || ts.isTypeAssertionExpression(above)) return this.#type(above.type);
      if (ts.isSatisfiesExpression(above)) return this.#type(above.type);
      if (ts.isVariableDeclaration(above) || ts.isPropertyDeclaration(above)) {
        const type = above.type ?? ts.getJSDocType(above);
        return type && above.initializer === node ? this.#type(type) : undefined;
      }
      if (ts.isBinaryExpression(above)) {
        const { kind } = above.operatorToken;
        if (above.right === node && (kind === ts.SyntaxKind.BarBarToken || kind === ts.SyntaxKind.QuestionQuestionToken) && this.isAny(above.left)) return this.#of(above.left);
        if (above.right === node && kind === ts.SyntaxKind.EqualsToken) return this.isAny(above.left) ? this.#of(above.left) || undefined : undefined;
        continue;
      }
      if (ts.isReturnStatement(above) || (ts.isArrowFunction(above) && above.body === node)) {
        const own = ts.isArrowFunction(above) ? above : ts.findAncestor(above, ts.isFunctionLike);
        if (!own) return undefined;
        if (own.type) return this.#type(own.type);
        above = own;
        continue;
      }
      if (ts.isPropertyAssignment(above) || ts.isObjectLiteralExpression(above) || ts.isArrayLiteralExpression(above) || ts.isParenthesizedExpression(above) || ts.isConditionalExpression(above) || ts.isShorthandPropertyAssignment(above) || ts.isSpreadAssignment(above) || ts.isSpreadElement(above) || ts.isMethodDeclaration(above) || ts.isJsxExpression(above) || ts.isTemplateSpan(above) || (ts.isTemplateExpression(above) && ts.isTaggedTemplateExpression(above.parent))) continue;
      return undefined;
    }
    return undefined;
  }
  /** Of what a call is given: why it is not known of what type that shall be. @returns {Reason} */
  #expected(/** @type {import("typescript").CallExpression | import("typescript").NewExpression} */ call, /** @type {Node} */ given) {
    const { parameters = [] } = this.checker.getResolvedSignature(call)?.getDeclaration() ?? {};
    const { type = undefined } = parameters[(call.arguments ?? []).findIndex((one) => one === given)] ?? {};
    return type && this.isAny(type) && !this.#isForeign(type) ? this.#type(type) : "";
  }
  /** Of a function that a method is given: what else its object is given. @returns {Reason} */
  #handedTo(/** @type {import("typescript").CallExpression | import("typescript").NewExpression} */ call, /** @type {Node} */ given) {
    return (this.ts.isArrowFunction(given) || this.ts.isFunctionExpression(given)) && this.assignments.handedTo(call, given, this.#mayLead).some(this.#leads) ? UNTYPED : "";
  }
  /** Of a function that a call is given: what it is called with there. @returns {Reason} */
  #handedBack(/** @type {import("typescript").CallExpression | import("typescript").NewExpression} */ call, /** @type {Node} */ given) {
    const { ts, checker } = this;
    const own = checker.getResolvedSignature(call)?.getDeclaration();
    const values = call.arguments ?? [];
    const isCarrying = (/** @type {readonly Node[]} */ nodes) => nodes.some((one) => one !== given && this.carries(checker.getTypeAtLocation(one)));
    if (!own || this.#isForeign(own)) return isCarrying(values) ? UNTYPED : "";
    const parameter = own.parameters[values.findIndex((one) => one === given)];
    const { body } = /** @type {any} */ (own);
    if (!parameter || ts.isJSDocParameterTag(parameter) || !ts.isParameter(parameter) || !body || parameter.type || ts.getJSDocType(parameter)) return "";
    const { name } = parameter;
    if (!ts.isIdentifier(name)) return UNTYPED;
    /** @type {Node[]} */
    const handed = [];
    const isAsked = (/** @type {Node} */ { parent }) => ts.isTypeOfExpression(parent) || ts.isIfStatement(parent) || ts.isPrefixUnaryExpression(parent) || ts.isConditionalExpression(parent) || (ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken);
    /** Whether it is passed on. @type {(node: Node) => boolean} */
    const leaves = (node) => {
      const isCall = ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === name.text;
      if (isCall) handed.push(...node.arguments);
      else if (ts.isIdentifier(node) && node.text === name.text && !isAsked(node)) return true;
      return (isCall ? node.arguments.some(leaves) : ts.forEachChild(node, leaves)) || false;
    };
    return leaves(body) || isCarrying(handed) ? UNTYPED : this.#any(handed);
  }
  /** What a foreign function is given, also by what it calls, it may hand on. @returns {Reason} */
  #given(/** @type {{ typeArguments?: readonly import("typescript").TypeNode[], arguments?: readonly Node[] }} */ { typeArguments = [], arguments: values = [] }) {
    if (typeArguments.some((one) => this.carries(this.checker.getTypeFromTypeNode(one)))) return TOLD;
    const unknown = this.#types(typeArguments);
    if (unknown) return unknown;
    return values.reduce((/** @type {Reason} */ found, one) => found || (this.isAny(one) ? this.#of(one) : this.carries(this.checker.getTypeAtLocation(one)) ? GIVEN : ""), "");
  }
  /** What is written between the tags of a component is given to it as well. @returns {Reason} */
  #element(/** @type {import("typescript").JsxOpeningLikeElement} */ { tagName, attributes, typeArguments }) {
    if (!this.isAny(tagName)) return "";
    const { ts } = this;
    const values = attributes.properties.flatMap((one) => (ts.isJsxSpreadAttribute(one) ? [one.expression] : ts.isJsxAttribute(one) && one.initializer && ts.isJsxExpression(one.initializer) ? (one.initializer.expression ?? []) : []));
    return this.#of(tagName) || this.#given({ typeArguments, arguments: values });
  }

  /** @returns {Reason} */
  #member(/** @type {import("typescript").PropertyAccessExpression | import("typescript").ElementAccessExpression} */ node, /** @type {Node} */ name) {
    const { ts } = this;
    if (GIVEN_TO.test(node.expression.getText()) || (ts.isIdentifier(node.expression) && this.#isRest(node.expression))) return UNTYPED;
    const isThis = node.expression.kind === ts.SyntaxKind.ThisKeyword && ts.isPropertyAccessExpression(node);
    if (this.isAny(node.expression)) return (isThis ? this.#assignedToThis(node) : "") || this.#beneath(() => this.#of(node.expression));
    // In brackets a name is that of a variable.
    const symbol = ts.isPropertyAccessExpression(node) || ts.isStringLiteralLike(name) ? this.checker.getSymbolAtLocation(name) : undefined;
    // Of an index signature the compiler gives that.
    if (symbol && !(symbol.flags & ts.SymbolFlags.Signature)) return this.#settled(this.#symbol(symbol, node), this.checker.getTypeAtLocation(node.expression), this.isAny(node) && !isDeclaredAny(ts, symbol));
    const type = this.checker.getTypeAtLocation(node.expression);
    // A key that is not known may be the name of a property that the type declares.
    if (this.#holdsAny(node.expression)) return this.#of(node.expression) || (ts.isElementAccessExpression(node) && type.getProperties().some((one) => this.carries(this.checker.getTypeOfSymbol(one))) ? CAST : "");
    if (ts.isIdentifier(node.expression) && node.expression.text === INSTANCE) return UNDECLARED;
    if (!ts.isPropertyAccessExpression(node)) return this.#isScript(node) || (this.isAny(name) && this.carries(type)) ? UNTYPED : "";
    return this.#missing(type) || (this.#isScript(node) ? UNTYPED : "");
  }
  /** What the file assigns to the name, of a `this` that is not known: what runs tests gives one to all callbacks. @returns {Reason} */
  #assignedToThis(/** @type {import("typescript").PropertyAccessExpression} */ { name }) {
    const { ts } = this;
    const source = name.getSourceFile();
    const key = `${source.fileName}\0${name.text}`;
    let values = this.#onThis.get(key);
    if (!values) {
      const found = (values = /** @type {Node[]} */ ([]));
      const visit = (/** @type {Node} */ one) => {
        const left = ts.isBinaryExpression(one) && one.operatorToken.kind === ts.SyntaxKind.EqualsToken ? one.left : undefined;
        if (left && ts.isPropertyAccessExpression(left) && left.expression.kind === ts.SyntaxKind.ThisKeyword && left.name.text === name.text) found.push(/** @type {import("typescript").BinaryExpression} */ (one).right);
        ts.forEachChild(one, visit);
      };
      visit(source);
      this.#onThis.set(key, values);
    }
    return values.some((one) => this.carries(this.checker.getTypeAtLocation(one))) ? UNTYPED : this.#any(values);
  }
  /** What files assign to names of `this`. @type {Map<string, Node[]>} */
  #onThis = new Map();
  /** Whether a name stands for what else a component is given. */
  #isRest(/** @type {import("typescript").Identifier} */ node) {
    const declaration = this.checker.getSymbolAtLocation(node)?.valueDeclaration;
    return declaration !== undefined && this.ts.isBindingElement(declaration) && declaration.dotDotDotToken !== undefined && this.#isGiven(/** @type {any} */ (this.ts.walkUpBindingElementsAndPatterns(declaration)));
  }
  /** Why a type may have what it is not known to have: of a base that is not known. @returns {Reason} */
  missing(/** @type {Type} */ type) {
    this.#steps = 0;
    return this.#missing(type);
  }
  /** @returns {Reason} */
  #missing(/** @type {Type} */ type) {
    const { ts } = this;
    if (type.isUnionOrIntersection()) return type.types.reduce((/** @type {Reason} */ found, one) => found || this.#missing(one), "");
    // `Omit<A, "b">` has what A has.
    if (type.flags & ts.TypeFlags.Object && /** @type {any} */ (type).objectFlags & ts.ObjectFlags.Mapped) return (type.aliasTypeArguments ?? []).reduce((/** @type {Reason} */ found, one) => found || this.#missing(one), "");
    const declarations = type.symbol?.declarations ?? [];
    const found = declarations.filter((one) => ts.isClassLike(one) || ts.isInterfaceDeclaration(one)).reduce((/** @type {Reason} */ found, one) => found || this.#heritage(/** @type {any} */ (one)), "");
    // A base that is not known may have what those on the way to it are generic over.
    return this.#settled(found, type, clausesOf(ts, this.checker, type).some((one) => this.isAny(one.expression) || this.isAny(one)));
  }
  /**
   * Why something of a type that is generic may have the member, as far as it is known what the type, or a base of it, is generic over.
   * @param {Reason} found @param {Type} type @param {boolean} isUnknown whether the compiler does not know it @returns {Reason}
   */
  #settled(found, type, isUnknown) {
    if (found && found !== OVER) return found;
    const { checker, ts } = this;
    const isReference = type.flags & ts.TypeFlags.Object && /** @type {any} */ (type).objectFlags & ts.ObjectFlags.Reference;
    const bases = clausesOf(ts, checker, type).flatMap(({ typeArguments = [] }) => typeArguments.map(checker.getTypeFromTypeNode)).filter((one) => !(one.flags & ts.TypeFlags.TypeParameter));
    const over = [...(isReference ? checker.getTypeArguments(/** @type {any} */ (type)) : []), ...bases];
    if (isUnknown && over.some(this.carries)) return TOLD;
    const isSettled = over.length > 0 && over.every((one) => !(one.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.TypeParameter)));
    return isSettled ? "" : found;
  }
  /** @returns {Reason} */
  #heritage(/** @type {import("typescript").ClassLikeDeclaration | import("typescript").InterfaceDeclaration} */ node) {
    return this.#follow(node, () => this.#inherited(node));
  }
  /** @returns {Reason} */
  #inherited(/** @type {import("typescript").ClassLikeDeclaration | import("typescript").InterfaceDeclaration} */ node) {
    for (const clause of node.heritageClauses ?? []) {
      for (const one of clause.types) {
        const isUnknown = this.isAny(one.expression) || this.isAny(one);
        const found = isUnknown ? this.#of(one.expression) || this.#type(one) : this.#missing(this.checker.getTypeAtLocation(one));
        if (found) return found;
      }
    }
    return "";
  }
  /** Why a class or an interface may have members of a base that is not known. @returns {Reason} */
  ofBases(/** @type {Node} */ node) {
    this.#steps = 0;
    return this.ts.isClassLike(node) || this.ts.isInterfaceDeclaration(node) ? this.#heritage(node) : "";
  }

  /** Why what a pattern takes a name of may have it. @returns {Reason} */
  ofPattern(/** @type {import("typescript").BindingElement} */ element) {
    this.#steps = 0;
    const whole = this.ts.walkUpBindingElementsAndPatterns(element);
    const { initializer } = whole;
    if (initializer && !this.isAny(initializer)) return this.#missing(this.checker.getTypeAtLocation(initializer));
    return this.#declaration(whole, element);
  }

  /** @returns {Reason} */
  #call(/** @type {import("typescript").CallExpression | import("typescript").NewExpression} */ node) {
    const { ts } = this;
    if (ts.isCallExpression(node) && this.#isImport(node)) {
      const [literal] = node.arguments;
      return literal && ts.isStringLiteralLike(literal) ? this.#module(literal) : UNTYPED;
    }
    if (this.isAny(node.expression)) return this.#of(node.expression) || this.#given(node);
    const signature = this.checker.getResolvedSignature(node);
    const declaration = signature?.getDeclaration();
    const given = this.#any([...(node.arguments ?? []), receiverOf(ts, node)]) || this.#types(node.typeArguments ?? []);
    if (given) return given;
    // A generic function makes what it does of what it is given.
    const isWritten = declaration?.type?.kind === ts.SyntaxKind.AnyKeyword;
    const inferred = declaration?.typeParameters && !isWritten && this.isAny(node) ? this.#given(node) : "";
    if (inferred) return inferred;
    if (!declaration) return this.#isScript(node) ? UNTYPED : "";
    // What a function of a script makes is an instance of that; a map into which nothing is put yet takes anything.
    if (ts.isNewExpression(node)) return !node.typeArguments && !node.arguments?.length && this.#isForeign(declaration) && this.#holdsAny(node) && !this.isAny(node) ? UNTYPED : "";
    const found = this.#isForeign(declaration) ? "" : this.#function(declaration);
    const receiver = receiverOf(ts, node);
    if (receiver) return this.#settled(found, this.checker.getTypeAtLocation(receiver), this.isAny(node) && !isWritten);
    return found === OVER && declaration.typeParameters && !node.typeArguments?.some((one) => one.kind === ts.SyntaxKind.AnyKeyword) ? "" : found;
  }
  /** What a function returns. @returns {Reason} */
  #function(/** @type {import("typescript").SignatureDeclaration | import("typescript").JSDocSignature} */ node) {
    const { ts } = this;
    const said = node.type ?? ts.getJSDocReturnType(node);
    if (said) return this.#said(said, node);
    const { body } = /** @type {any} */ (node);
    if (!body) return this.#isScript(node) ? UNTYPED : "";
    if (!ts.isBlock(body)) return this.isAny(body) ? this.#of(body) : "";
    const values = returned(ts, node);
    const found = this.#oneOf(values);
    // Of a constructor function nothing is returned.
    return found || (this.#isScript(node) && !values.length ? UNTYPED : "");
  }

  /** @returns {Reason} */
  #this(/** @type {Node} */ node) {
    const { ts } = this;
    const own = /** @type {any} */ (ts).getThisContainer(node, false, false);
    if (!ts.isFunctionLike(own)) return "";
    const said = own.parameters.find(({ name }) => ts.isIdentifier(name) && name.text === "this")?.type;
    if (said) return this.#type(said);
    const { left, right, operatorToken } = /** @type {any} */ (own.parent);
    const isGiven = right === own && operatorToken?.kind === ts.SyntaxKind.EqualsToken && (ts.isPropertyAccessExpression(left) || ts.isElementAccessExpression(left));
    return isGiven && !this.#isScript(own) ? this.#instance(left.expression) : (this.#context(own) ?? UNTYPED);
  }
  /** Of the object that a method is assigned to, or whose prototype it is assigned to. @returns {Reason} */
  #instance(/** @type {Node} */ object) {
    if (!this.isAny(object)) return "";
    const holder = this.ts.isPropertyAccessExpression(object) && object.name.text === "prototype" ? object.expression : undefined;
    return this.#of(object) || (holder && this.carries(this.checker.getTypeAtLocation(holder)) ? UNTYPED : "");
  }
  /** @returns {Reason} */
  #base(/** @type {Node} */ node) {
    const own = this.ts.findAncestor(node, this.ts.isClassLike);
    return own ? this.#heritage(own) : UNTYPED;
  }

  /** Why one of several types is unknown, rather for itself than for what stands for a type parameter. @returns {Reason} */
  #types(/** @type {readonly Node[]} */ nodes) {
    const found = nodes.map((one) => this.#type(one)).filter(Boolean);
    return found.find((one) => one !== OVER) ?? found[0] ?? "";
  }
  /** Why a type is unknown. @returns {Reason} */
  #type(/** @type {Node} */ node) {
    return this.#follow(node, () => this.#typed(node));
  }
  /** @returns {Reason} */
  #typed(/** @type {Node} */ node) {
    const { ts, checker } = this;
    if (ts.isTypeReferenceNode(node) || ts.isExpressionWithTypeArguments(node) || ts.isImportTypeNode(node)) {
      const name = ts.isTypeReferenceNode(node) ? node.typeName : ts.isImportTypeNode(node) ? (node.qualifier ?? node.argument) : node.expression;
      const symbol = checker.getSymbolAtLocation(name);
      const given = this.#types(node.typeArguments ?? []);
      if (given) return given;
      if (symbol && symbol.flags & ts.SymbolFlags.TypeParameter) return this.#symbol(symbol, node);
      if (symbol && !(checker.getTypeAtLocation(node).flags & (ts.TypeFlags.Any | ts.TypeFlags.Never))) return "";
      const own = symbol ? this.#symbol(symbol, node) : ts.isImportTypeNode(node) ? this.#imported(node) : ts.isQualifiedName(name) ? this.#of(name.left) : this.#isScript(node) && ts.isIdentifier(name) && /^(?:Object|Function|any)$/.test(name.text) ? UNTYPED : "";
      const carried = (node.typeArguments ?? []).some((one) => this.carries(checker.getTypeFromTypeNode(one)));
      return own || (carried ? TOLD : "");
    }
    if (ts.isTypeQueryNode(node)) return this.#of(node.exprName) || (node.typeArguments?.some((one) => this.carries(checker.getTypeFromTypeNode(one))) ? TOLD : "");
    if (node.kind === ts.SyntaxKind.JSDocAllType || node.kind === ts.SyntaxKind.JSDocUnknownType) return UNTYPED;
    if (ts.isFunctionTypeNode(node) || ts.isConstructorTypeNode(node)) return this.#type(node.type);
    /** @type {Node[]} */
    const parts = [];
    ts.forEachChild(node, (one) => void parts.push(one));
    // Beside one that is not known the compiler forgets the others; of an index, what it is taken of.
    const others = ts.isIntersectionTypeNode(node) || ts.isUnionTypeNode(node) ? parts : ts.isIndexedAccessTypeNode(node) && !ts.isLiteralTypeNode(node.indexType) ? [node.objectType] : [];
    return this.#types(parts) || (others.some((one) => this.carries(checker.getTypeAtLocation(one))) ? TOLD : "");
  }
}

/** What a type, as a class or an interface, extends and implements, and what its bases do. @returns {import("typescript").ExpressionWithTypeArguments[]} */
export function clausesOf(/** @type {typeof import("typescript")} */ ts, /** @type {import("typescript").TypeChecker} */ checker, /** @type {Type} */ { symbol }, /** @type {Set<import("typescript").Symbol>} */ seen = new Set()) {
  if (!symbol || seen.has(symbol)) return [];
  seen.add(symbol);
  const own = (symbol.declarations ?? []).flatMap((one) => (ts.isClassLike(one) || ts.isInterfaceDeclaration(one) ? (one.heritageClauses ?? []).flatMap(({ types }) => [...types]) : []));
  return [...own, ...own.flatMap((one) => clausesOf(ts, checker, checker.getTypeAtLocation(one), seen))];
}
/** Whether somebody wrote that a value may be anything. */
export const isDeclaredAny = (/** @type {typeof import("typescript")} */ ts, /** @type {import("typescript").Symbol} */ { declarations = [] }) => declarations.some((one) => /** @type {any} */ (one).type?.kind === ts.SyntaxKind.AnyKeyword);
/** What a method is called on. */
const receiverOf = (/** @type {typeof import("typescript")} */ ts, /** @type {import("typescript").CallExpression | import("typescript").NewExpression} */ { expression }) => (ts.isPropertyAccessExpression(expression) ? expression.expression : undefined);
