// What is asked for, as symbols of one program: those that its places declare, and for a member those that it overrides.

import { camel } from "../bindings/components/names.mjs";
import { computedOf, declaredBy, memberOf, sameOf } from "./computed.mjs";
import { ofDefault } from "./defaults.mjs";
import { keptFor } from "./kept.mjs";
import { Prototypes } from "./prototypes.mjs";

/**
 * @typedef {import("typescript").Node} Node
 * @typedef {import("typescript").Symbol} Symbol
 * @typedef {{ file: string, start: number }} Place start: in UTF-16 units
 * @typedef {{ start: number, node: Node, symbol: Symbol | undefined, isComputed: boolean }} Declared isComputed: by a name in brackets that
 * is a value of its own
 */

/** What every component of Vue takes, and no other. */
const OF_VUE = "ref_for";
/** The options of Vue that give an instance something. */
const WATCHED = new Set(["data", "props", "computed"]);

export class Goals {
  /** @type {Declared[]} */
  declared = [];
  /** `file:start` of what declares it. @type {Set<string>} */
  places;
  /** @type {Set<Symbol>} */
  #symbols = new Set();
  /** What declares them: of a module that exports a symbol again, and is added to, the compiler makes a copy. @type {Set<Node>} */
  #nodes = new Set();
  /** What else declares it: of `{ a } | { a }`, where all parts have it, each. @type {Set<Node>} */
  #parts = new Set();
  /** Classes and functions of which it is a member. @type {Set<Symbol>} */
  #holders = new Set();

  /**
   * @param {typeof import("typescript")} ts
   * @param {import("typescript").Program} program
   * @param {Set<string>} names by which it goes @param {Place[]} places @param {import("typescript").SourceFile[]} sources
   */
  constructor(ts, program, names, places, sources) {
    this.ts = ts;
    /** @type {any} */
    this.internal = ts;
    this.program = program;
    this.checker = program.getTypeChecker();
    /** @type {any} */
    this.internalChecker = this.checker;
    this.names = names;
    this.places = new Set(places.map(({ file, start }) => `${file}:${start}`));
    this.prototypes = new Prototypes(ts, this.checker, sources);
    const further = places.flatMap(({ file, start }) => this.#known(file, start));
    for (const one of further) {
      const name = ts.getNameOfDeclaration(/** @type {any} */ (one));
      if (name) this.#known(one.getSourceFile().fileName, name.getStart());
    }
  }
  /** Take a place that declares it; where the type of that whose prototype is given it declares it as well. @returns {Node[]} */
  #known(/** @type {string} */ file, /** @type {number} */ start) {
    const { ts, checker } = this;
    const source = this.program.getSourceFile(file);
    if (!source) return [];
    const touching = this.internal.getTouchingPropertyName(source, start);
    const computed = [touching, touching.parent].find((one) => one && ts.isComputedPropertyName(one));
    const expression = computed && /** @type {import("typescript").ComputedPropertyName} */ (computed).expression;
    const node = expression && (ts.isStringLiteralLike(expression) || ts.isNumericLiteral(expression)) ? expression : touching;
    const isComputed = Boolean(expression) && node !== expression;
    const symbol = isComputed ? declaredBy(ts, checker, /** @type {any} */ (computed)) : checker.getSymbolAtLocation(node);
    this.declared.push({ start, node, symbol, isComputed });
    if (!symbol) return [];
    this.places.add(`${file}:${startOf(ts, node)}`);
    if (isComputed) this.places.add(`${file}:${(ts.isPropertyAccessExpression(expression) ? expression.name : expression).getStart()}`);
    for (const root of this.#roots(symbol)) for (const one of [root, ...this.#overridden(root)]) this.#take(one);
    for (const one of this.#inUnion(symbol)) {
      this.#take(one);
      for (const part of one.declarations ?? []) this.#parts.add(part);
    }
    const parent = this.prototypes.own(/** @type {any} */ (symbol).parent);
    if (parent) this.#holders.add(parent);
    const owner = this.prototypes.given(node);
    if (owner) this.#holders.add(owner);
    const instance = owner && checker.getDeclaredTypeOfSymbol(owner).getProperty(symbol.name);
    return instance?.declarations ?? [];
  }
  /** The members of a union's parts that the compiler's search takes for one, as it does where each part has one. @returns {Symbol[]} */
  #inUnion(/** @type {Symbol} */ symbol) {
    const { ts, checker } = this;
    const literals = (symbol.declarations ?? []).map(({ parent }) => parent).filter((one) => ts.isTypeLiteralNode(one) && ts.isUnionTypeNode(one.parent));
    return literals.flatMap(({ parent }) => {
      const member = checker.getPropertyOfType(checker.getTypeFromTypeNode(/** @type {import("typescript").UnionTypeNode} */ (parent)), symbol.name);
      return member ? checker.getRootSymbols(member) : [];
    });
  }
  #take(/** @type {Symbol} */ symbol) {
    this.#symbols.add(symbol);
    for (const node of symbol.declarations ?? []) if (!this.ts.isParameter(node)) this.#nodes.add(node);
  }
  /** Whether a symbol is one of them. */
  #isOne = (/** @type {Symbol} */ symbol) => this.#symbols.has(symbol) || Boolean(symbol.declarations?.some((node) => this.#nodes.has(node)));
  /** The names by which its declarations are spelled: of an addition through an alias another one. */
  spelled = () => [...this.#nodes].flatMap((node) => {
    const name = this.ts.getNameOfDeclaration(/** @type {any} */ (node));
    return name && this.ts.isIdentifier(name) ? [name.text] : [];
  });
  /** The names of the types of which it is a member. */
  holders = () => [...this.#holders].map(({ name }) => name);
  /** Whether the program knows what is asked for. */
  get isKnown() {
    return this.#symbols.size > 0;
  }
  /** What a symbol is made of, behind aliases. */
  #roots(/** @type {Symbol} */ symbol) {
    const { checker } = this;
    const own = symbol.flags & this.ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    return checker.getRootSymbols(own).flatMap((one) => ofDefault(this.ts, checker, one));
  }

  /** Whether anything declares a symbol, behind aliases. */
  isDeclared = (/** @type {Symbol} */ symbol) => this.#roots(symbol).some((one) => one.declarations?.length);

  /** Whether the workspace declares a symbol. */
  isOwn = (/** @type {Symbol} */ symbol) => this.#roots(symbol).some((one) => one.declarations?.some((node) => !isForeign(this.program, node)));

  /** Whether a node declares it. */
  declares = (/** @type {Node} */ node) => this.#isNamed(node) || this.#parts.has(node.parent) || this.declared.some(({ symbol }) => symbol && this.internal.FindAllReferences.isDeclarationOfSymbol(node, symbol));
  /** Whether it names what its parent declares, or adds to: no import, and no value. */
  #isNamed(/** @type {Node} */ node) {
    const { ts } = this;
    const { parent } = node;
    return (ts.isInterfaceDeclaration(parent) || ts.isModuleDeclaration(parent) || ts.isClassLike(parent) || ts.isFunctionDeclaration(parent) || ts.isTypeAliasDeclaration(parent) || ts.isEnumDeclaration(parent)) && parent.name === node;
  }
  /** Whether a symbol is it, or overrides it. */
  has(/** @type {Symbol} */ symbol) {
    return this.#roots(symbol).some((one) => this.#isOne(one) || this.#overridden(one).some(this.#isOne));
  }
  /** Whether a symbol is a member that a script assigns to `this` before the class declares it: it has a symbol of its own. */
  isAssigned(/** @type {Symbol} */ symbol) {
    const holder = /** @type {any} */ (symbol).parent;
    return holder !== undefined && this.#holders.has(holder) && holder.members?.has(symbol.escapedName) && !holder.exports?.has(symbol.escapedName) && Boolean(symbol.valueDeclaration && symbol.valueDeclaration.flags & this.ts.NodeFlags.JavaScriptFile);
  }
  /** Whether a component of Vue watches it by this key: `watch: { count() {} }` beside `data() { return { count: 1 }; }`. */
  isWatched(/** @type {Node} */ { parent }) {
    const { ts } = this;
    const watch = ts.isObjectLiteralElement(parent) ? parent.parent.parent : undefined;
    if (!watch || !ts.isPropertyAssignment(watch) || !ts.isIdentifier(watch.name) || watch.name.text !== "watch") return false;
    const isOption = (/** @type {Node} */ node) => ts.isObjectLiteralElement(node) && node.parent === watch.parent && node.name !== undefined && ts.isIdentifier(node.name) && WATCHED.has(node.name.text);
    return this.declared.some(({ node }) => {
      const option = ts.findAncestor(node, isOption);
      const object = node.parent?.parent;
      const isGiven = object && (object.parent === option || (ts.isReturnStatement(object.parent) && object.parent.parent.parent === option) || (ts.isParenthesizedExpression(object.parent) && object.parent.parent.parent === option));
      return option !== undefined && Boolean(isGiven);
    });
  }
  /** Whether a value has it by its prototype. */
  isInherited = (/** @type {Node} */ value) => this.prototypes.inherits(value, this.#holders);
  /** Whether values of a type have it themselves, or a member that overrides it. */
  isOf = (/** @type {import("typescript").Type} */ type) => [...this.names].some((name) => {
    const property = type.getProperty(name);
    return property && this.has(property);
  });

  /** Whether it is the class's, and no instance's. */
  #isStatic(/** @type {Symbol} */ symbol) {
    const { ts } = this;
    return Boolean(symbol.declarations?.some((one) => ts.isClassElement(one) && ts.getCombinedModifierFlags(one) & ts.ModifierFlags.Static));
  }
  /** The members of its bases that a member overrides or implements. @returns {Symbol[]} */
  #overridden(/** @type {Symbol} */ symbol) {
    const { ts, checker } = this;
    const holder = /** @type {any} */ (symbol).parent;
    const inherited = holder && this.prototypes.base(holder)?.members?.get(symbol.escapedName);
    if (inherited && inherited !== symbol) return [inherited, ...this.#overridden(inherited)];
    if (holder?.flags & ts.SymbolFlags.ObjectLiteral) return this.#cast(symbol);
    if (!holder || !(holder.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface)) || this.#isStatic(symbol)) return [];
    const own = /** @type {import("typescript").InterfaceType} */ (checker.getDeclaredTypeOfSymbol(holder));
    const implemented = (holder.declarations ?? []).flatMap((/** @type {Node} */ one) => (ts.isClassLike(one) ? (one.heritageClauses ?? []).flatMap((clause) => (clause.token === ts.SyntaxKind.ImplementsKeyword ? clause.types.map((type) => checker.getTypeAtLocation(type)) : [])) : []));
    return [...(own.isClassOrInterface() ? checker.getBaseTypes(own) : []), ...implemented].flatMap((base) => {
      const member = sameOf(checker, base, symbol);
      return member && member !== symbol ? checker.getRootSymbols(member).flatMap((one) => [one, ...this.#overridden(one)]) : [];
    });
  }

  /** The members for which a key of an object literal stands that is cast: also by way of another type, `{ a } as unknown as A`, where the compiler keeps the two apart. @returns {Symbol[]} */
  #cast(/** @type {Symbol} */ symbol) {
    const { ts, checker } = this;
    return (symbol.declarations ?? []).flatMap(({ parent }) => {
      let own = /** @type {Node} */ (parent);
      while (ts.isAsExpression(own.parent) || ts.isTypeAssertionExpression(own.parent) || ts.isParenthesizedExpression(own.parent) || ts.isNonNullExpression(own.parent)) own = own.parent;
      const member = own !== parent && ts.isObjectLiteralExpression(parent) ? sameOf(checker, checker.getNonNullableType(checker.getTypeAtLocation(own)), symbol) : undefined;
      return member && member !== symbol ? checker.getRootSymbols(member) : [];
    });
  }

  /** What a mention names, as far as types tell. @returns {Symbol | undefined} */
  named(/** @type {Node} */ node) {
    const { ts, checker } = this;
    const parent = holding(ts, node);
    const name = /** @type {any} */ (node).text;
    const computed = computedOf(ts, node);
    if (computed) return this.#computed(computed);
    if (ts.isPrivateIdentifier(node)) return this.#private(node);
    if (ts.isBindingElement(parent) && isKey(ts, node)) return this.#patternType(parent).getProperty(name);
    if ((ts.isPropertyAssignment(parent) || ts.isShorthandPropertyAssignment(parent)) && this.internal.isArrayLiteralOrObjectLiteralDestructuringPattern(parent.parent)) return this.internalChecker.getTypeOfAssignmentPattern(parent.parent).getProperty(name);
    if (ts.isElementAccessExpression(parent) && isMemberOf(ts, node)) return checker.getNonNullableType(checker.getTypeAtLocation(parent.expression)).getProperty(name);
    return checker.getSymbolAtLocation(node);
  }
  /** What a value in brackets names, where it is a key or takes a member. @returns {Symbol | undefined} */
  #computed(/** @type {import("typescript").Expression} */ expression) {
    const { ts, checker } = this;
    const { parent } = expression;
    if (ts.isElementAccessExpression(parent)) return memberOf(ts, checker, checker.getTypeAtLocation(parent.expression), expression);
    const element = parent.parent;
    if (ts.isBindingElement(element)) return memberOf(ts, checker, this.#patternType(element), expression);
    const object = element.parent;
    if (!ts.isObjectLiteralExpression(object)) return declaredBy(ts, checker, /** @type {import("typescript").ComputedPropertyName} */ (parent));
    const isPattern = this.internal.isArrayLiteralOrObjectLiteralDestructuringPattern(object);
    return memberOf(ts, checker, isPattern ? this.internalChecker.getTypeOfAssignmentPattern(object) : checker.getContextualType(object), expression);
  }
  /** What a component of Vue takes by a key, `{ "row-label": a }` and `<Row row-label="a">`. @returns {Symbol | undefined} */
  vuePropOf(/** @type {Node} */ node) {
    return vuePropOf(this.ts, this.checker, node);
  }
  /** What the innermost class around declares by the name, whatever it is accessed on: no other may be meant. */
  #private(/** @type {import("typescript").PrivateIdentifier} */ { parent, text }) {
    const isIt = (/** @type {Node} */ one) => this.ts.isClassLike(one) && one.members.some(({ name }) => name && this.ts.isPrivateIdentifier(name) && name.text === text);
    const holder = /** @type {import("typescript").ClassLikeDeclaration | undefined} */ (this.ts.findAncestor(parent, isIt));
    const own = holder?.members.find(({ name }) => name && this.ts.isPrivateIdentifier(name) && name.text === text);
    return /** @type {any} */ (own)?.symbol;
  }
  /** The type of what a pattern is given: of a parameter with a default, what the function is expected to take. */
  #patternType(/** @type {import("typescript").BindingElement} */ element) {
    const { ts, checker } = this;
    const pattern = element.parent;
    const own = pattern.parent;
    if (ts.isParameter(own) && !own.type && (ts.isFunctionExpression(own.parent) || ts.isArrowFunction(own.parent) || ts.isMethodDeclaration(own.parent))) {
      const expected = ts.isMethodDeclaration(own.parent) ? this.internalChecker.getContextualTypeForObjectLiteralElement?.(own.parent) : checker.getContextualType(own.parent);
      const [signature] = expected?.getNonNullableType().getCallSignatures() ?? [];
      const parameter = signature?.parameters[own.parent.parameters.indexOf(own)];
      if (parameter) return checker.getTypeOfSymbolAtLocation(parameter, own).getNonNullableType();
    }
    return checker.getTypeAtLocation(pattern).getNonNullableType();
  }
}

/** What a component of Vue takes by a key, in its own spelling or with hyphens; of JSX also where no types of JSX are known. @returns {Symbol | undefined} */
export function vuePropOf(/** @type {typeof import("typescript")} */ ts, /** @type {import("typescript").TypeChecker} */ checker, /** @type {Node} */ node) {
  const { text = "", parent } = /** @type {any} */ (node);
  if (!parent || !(ts.isJsxAttribute(parent) || ts.isPropertyAssignment(parent)) || parent.name !== node) return undefined;
  const contextual = checker.getContextualType(/** @type {any} */ (parent.parent))?.getNonNullableType();
  const isVue = (/** @type {import("typescript").Type | undefined} */ type) => Boolean(type?.getProperty(OF_VUE));
  const type = isVue(contextual) || !ts.isJsxAttribute(parent) ? contextual : propsOf(checker, parent.parent.parent.tagName);
  return type && isVue(type) ? (type.getProperty(text) ?? type.getProperty(camel(text))) : undefined;
}
/** The type of the props of a component of Vue that a tag names. */
function propsOf(/** @type {import("typescript").TypeChecker} */ checker, /** @type {Node} */ tag) {
  const [constructor] = checker.getTypeAtLocation(tag).getConstructSignatures();
  const props = constructor?.getReturnType().getProperty("$props");
  return props && checker.getTypeOfSymbol(props).getNonNullableType();
}
/** What a key belongs to: also one in brackets. */
export function holding(/** @type {typeof import("typescript")} */ ts, /** @type {Node} */ { parent }) {
  return ts.isComputedPropertyName(parent) ? parent.parent : parent;
}
/** Whether a name is accessed on a value. */
export function isMemberOf(/** @type {typeof import("typescript")} */ ts, /** @type {Node} */ node) {
  const { parent } = node;
  return (ts.isPropertyAccessExpression(parent) && parent.name === node) || (ts.isElementAccessExpression(parent) && parent.argumentExpression === node);
}
/** Whether a name in an element of a pattern is the key that is read. */
export function isKey(/** @type {typeof import("typescript")} */ ts, /** @type {Node} */ node) {
  const element = /** @type {import("typescript").BindingElement} */ (holding(ts, node));
  return ts.isObjectBindingPattern(element.parent) && element.initializer !== node && (!element.propertyName || element.name !== node);
}
/** Where a name begins: inside of its quotes. */
export function startOf(/** @type {typeof import("typescript")} */ ts, /** @type {Node} */ node) {
  return node.getStart() + (ts.isStringLiteralLike(node) ? 1 : 0);
}
/** Whether a package or the library declares a node, and not the workspace. */
export function isForeign(/** @type {import("typescript").Program} */ program, /** @type {Node} */ node) {
  const file = node.getSourceFile();
  return file.fileName.includes("/node_modules/") || program.isSourceFileDefaultLibrary(file);
}
const ownSources = keptFor((/** @type {import("typescript").Program} */ program) => program.getSourceFiles().filter((source) => !isForeign(program, source)));
/** The workspace's files in which something is named by a word. @returns {import("typescript").SourceFile[]} */
export const sourcesWith = (/** @type {import("typescript").Program} */ program, /** @type {string} */ word) => ownSources(program).filter((source) => /** @type {any} */ (source).identifiers.has(word));

/** Where a word stands in a text; none of an empty one, as a name that is missing has. */
export function* positions(/** @type {string} */ text, /** @type {string} */ word) {
  const isPart = (/** @type {string | undefined} */ sign) => sign !== undefined && /[\w$\u{80}-\u{10ffff}]/u.test(sign);
  for (let at = word ? text.indexOf(word) : -1; at >= 0; at = text.indexOf(word, at + word.length)) {
    if (!isPart(text[at - 1]) && !isPart(text[at + word.length])) yield at;
  }
}
