// What inherits from a type, and what a type inherits from, as the checker knows it: through clauses, aliases, mixins, calls
// and conditional types, what `typeof` takes, what comments declare and by prototypes. Where a clause leads nowhere, it is in doubt.

import { isForeign } from "./goals.mjs";
import { NOWHERE, Origins } from "./origins.mjs";
import { Prototypes } from "./prototypes.mjs";

/**
 * @typedef {import("typescript").Node} Node
 * @typedef {import("typescript").Symbol} Symbol
 * @typedef {import("typescript").Type} Type
 * @typedef {import("typescript").Expression} Expression
 * @typedef {import("typescript").ExpressionWithTypeArguments} Clause
 * @typedef {"extends" | "implements"} Relation
 * @typedef {{ file: string, line: number, character: number, length: number }} Place from 0, in UTF-16 units; length: 0 for a class
 * without a name
 * @typedef {{ child: Place, parent: Place, relation: Relation, isRenamed: boolean, kind: "Class" | "Interface" | "TypeAlias" }} Edge
 * isRenamed: the child is an alias, and no other type. kind: of the child
 * @typedef {{ symbol: Symbol, relation: Relation, isRenamed?: boolean }} Parent
 * @typedef {{ declared: { file: string, start: number }[], files: Iterable<string>, isLate?: () => boolean }} Goal
 * declared: the type. isLate: whether the work is to end
 */

/** So many members of a type that has no name are looked at for who declares them. */
const WIDE = 60;
/** Through so many values it is followed what a clause names. */
const FAR = 12;

export class Heritage {
  /** @type {Map<Symbol, Parent[]>} */
  #parents = new Map();
  /** @type {Map<Symbol, Set<Symbol>>} */
  #ancestors = new Map();
  /** What was found below. @type {Set<Symbol>} */
  heirs = new Set();

  /**
   * @param {typeof import("typescript")} ts @param {import("typescript").Program} program
   * @param {{ file: string, start: number }[]} declared the type that is asked about
   * @param {import("typescript").SourceFile[]} sources in which prototypes may be set
   */
  constructor(ts, program, declared, sources) {
    this.ts = ts;
    /** @type {any} */
    this.internal = ts;
    this.program = program;
    this.checker = program.getTypeChecker();
    this.prototypes = new Prototypes(ts, this.checker, sources);
    /** @type {Set<Symbol>} */
    this.goals = new Set(declared.flatMap(({ file, start }) => this.#declaredAt(file, start)));
    /** What declares them: of a class that a script exports whole, beside types, the compiler makes a copy. */
    this.nodes = new Set([...this.goals].flatMap(({ declarations }) => declarations ?? []));
  }
  /** Whether a symbol is the type. */
  #isGoal = (/** @type {Symbol} */ symbol) => this.goals.has(symbol) || Boolean(symbol.declarations?.some((one) => this.nodes.has(one)));

  /** What a place declares; of a variable also the class that it holds. @returns {Symbol[]} */
  #declaredAt(/** @type {string} */ file, /** @type {number} */ start) {
    const { ts } = this;
    const source = this.program.getSourceFile(file);
    const node = source && this.internal.getTouchingPropertyName(source, start);
    if (!node) return [];
    const symbol = this.checker.getSymbolAtLocation(node) ?? /** @type {any} */ (ts.findAncestor(node, ts.isClassLike))?.symbol;
    if (!symbol) return [];
    const value = symbol.valueDeclaration?.initializer ?? symbol.valueDeclaration?.parent?.right;
    const held = value && this.#bare(value);
    return [symbol, ...(held && (ts.isClassExpression(held) || ts.isFunctionExpression(held)) ? [/** @type {any} */ (held).symbol] : [])];
  }

  /** The steps from what is declared in some files up to the type. @returns {Edge[]} */
  below(/** @type {import("typescript").SourceFile} */ source) {
    const { ts } = this;
    /** @type {Set<Symbol>} */
    const ahead = new Set();
    const visit = (/** @type {Node} */ node) => {
      if (ts.isClassLike(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) ahead.add(this.#symbol(node));
      ts.forEachChild(node, visit);
    };
    visit(source);
    for (const one of this.prototypes.heirs()) if (one.declarations?.some((node) => node.getSourceFile() === source)) ahead.add(one);
    /** @type {Edge[]} */
    const found = [];
    for (const one of ahead) {
      if (this.#isGoal(one) || this.heirs.has(one)) continue;
      const steps = this.parents(one).filter((parent) => this.isBelow(parent.symbol));
      if (steps.length) this.heirs.add(one);
      found.push(...this.#steps(one, steps));
      for (const { symbol } of steps) ahead.add(symbol); // an alias that no other file needs to be read for
    }
    return found;
  }
  /** The steps from the type up to all that it inherits from. @returns {Edge[]} */
  above() {
    const all = new Set(this.goals);
    for (const one of this.goals) for (const further of this.#above(one)) all.add(further);
    return [...all].flatMap((one) => this.#steps(one, this.parents(one)));
  }
  /** @returns {Edge[]} */
  #steps(/** @type {Symbol} */ symbol, /** @type {Parent[]} */ parents) {
    const { ts } = this;
    const main = this.#main(symbol);
    const kind = /** @type {Edge["kind"]} */ (ts.isTypeAliasDeclaration(main) ? "TypeAlias" : ts.isInterfaceDeclaration(main) ? "Interface" : "Class");
    return parents.map(({ symbol: parent, relation, isRenamed = false }) => ({ child: this.#placed(main), parent: this.place(parent), relation, isRenamed, kind }));
  }
  /** Whether a symbol is the type, or inherits from it. */
  isBelow(/** @type {Symbol} */ symbol) {
    return this.#isGoal(symbol) || [...this.#above(symbol)].some(this.#isGoal);
  }
  /** All that a symbol inherits from. @returns {Set<Symbol>} */
  #above(/** @type {Symbol} */ symbol) {
    let found = this.#ancestors.get(symbol);
    if (found) return found;
    this.#ancestors.set(symbol, (found = new Set()));
    for (const { symbol: parent } of this.parents(symbol)) {
      found.add(parent);
      for (const one of this.#above(parent)) found.add(one);
    }
    return found;
  }

  /** What a symbol inherits from in one step. @returns {Parent[]} */
  parents(/** @type {Symbol} */ symbol) {
    let found = this.#parents.get(symbol);
    if (found) return found;
    this.#parents.set(symbol, (found = []));
    const { ts, internal } = this;
    for (const one of symbol.declarations ?? []) {
      if (ts.isClassLike(one)) {
        const base = internal.getEffectiveBaseTypeNode(one);
        if (base) this.#add(symbol, found, this.#made(one, base), "extends");
        for (const clause of internal.getEffectiveImplementsTypeNodes(one) ?? []) this.#add(symbol, found, this.#named(clause), "implements");
      } else if (ts.isInterfaceDeclaration(one)) {
        for (const clause of internal.getInterfaceBaseTypeNodes(one) ?? []) this.#add(symbol, found, this.#named(clause), "extends");
      } else if (ts.isTypeAliasDeclaration(one)) {
        this.#aliased(symbol, found, one);
      }
    }
    const base = this.prototypes.base(symbol);
    if (base) this.#add(symbol, found, [base], "extends");
    return found;
  }
  #add(/** @type {Symbol} */ child, /** @type {Parent[]} */ found, /** @type {Iterable<Symbol>} */ symbols, /** @type {Relation} */ relation, isRenamed = false) {
    const own = [...new Set(symbols)].filter((one) => one !== child);
    // What another one inherits from is none of one step.
    for (const symbol of own) {
      if (own.some((other) => other !== symbol && this.#above(other).has(symbol) && !this.#above(symbol).has(other))) continue;
      if (!found.some((known) => known.symbol === symbol)) found.push({ symbol, relation, isRenamed });
    }
  }
  /** An alias is another name of a type, or is made of some. */
  #aliased(/** @type {Symbol} */ symbol, /** @type {Parent[]} */ found, /** @type {import("typescript").TypeAliasDeclaration} */ { type }) {
    const { ts, checker } = this;
    const named = ts.isTypeReferenceNode(type) ? this.#resolved(checker.getSymbolAtLocation(type.typeName)) : ts.isImportTypeNode(type) ? this.#resolved(checker.getTypeAtLocation(type).symbol) : undefined;
    if (named && named.flags & TYPES(ts) && !(named.flags & ts.SymbolFlags.TypeAlias && this.#isForeign(named))) return this.#add(symbol, found, [named], "extends", true);
    if (ts.isUnionTypeNode(type) || ts.isTypeLiteralNode(type) || ts.isConditionalTypeNode(type)) return undefined;
    const parts = ts.isIntersectionTypeNode(type) ? type.types : [type];
    return this.#add(symbol, found, parts.flatMap((part) => (ts.isTypeReferenceNode(part) ? [...this.#named(part)] : [...this.#types(checker.getTypeAtLocation(part))])), "extends");
  }
  /** What a clause names. @returns {Iterable<Symbol>} */
  #named(/** @type {Clause | import("typescript").TypeReferenceNode} */ clause) {
    const { ts, checker } = this;
    const symbol = this.#resolved(checker.getSymbolAtLocation(ts.isTypeReferenceNode(clause) ? clause.typeName : clause.expression));
    if (symbol && symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface)) return [symbol];
    const types = [...this.#types(checker.getTypeAtLocation(clause))];
    return symbol && symbol.flags & ts.SymbolFlags.TypeAlias && !this.#isForeign(symbol) ? [symbol, ...types] : types;
  }
  /** What the value that a class extends makes. @returns {Iterable<Symbol>} */
  #made(/** @type {import("typescript").ClassLikeDeclaration} */ node, /** @type {Clause} */ { expression }) {
    const { ts, checker } = this;
    const named = this.#resolved(checker.getSymbolAtLocation(expression));
    if (named && named.flags & ts.SymbolFlags.Class && !this.#isUnnamed(named)) return [named];
    const own = checker.getDeclaredTypeOfSymbol(/** @type {any} */ (node).symbol);
    const bases = own.isClassOrInterface() ? checker.getBaseTypes(own) : [];
    const types = bases.length ? bases : this.#constructed(checker.getTypeAtLocation(expression));
    const found = types.flatMap((type) => [...this.#types(type)]);
    const values = [...this.#values(expression, FAR)];
    const isFunction = (/** @type {Symbol} */ one) => Boolean(this.prototypes.base(one));
    const classes = found.length ? values.filter((one) => (this.#isGoal(one) || isFunction(one)) && !(one.flags & TYPES(ts))) : values.filter((one) => one.flags & ts.SymbolFlags.Class || this.#isGoal(one) || isFunction(one));
    return [...found, ...classes];
  }
  /** @returns {readonly Type[]} */
  #constructed(/** @type {Type} */ type) {
    const parts = type.isUnion() ? type.types : [type];
    return parts.flatMap((part) => part.getConstructSignatures().map((one) => one.getReturnType()));
  }
  /** The named types that a type is one of. @returns {Set<Symbol>} */
  #types(/** @type {Type} */ type, /** @type {Set<Symbol>} */ found = new Set(), depth = FAR) {
    const { ts, checker } = this;
    const alias = type.aliasSymbol;
    if (alias && !this.#isForeign(alias)) found.add(alias);
    if (!depth) return found;
    if (type.isUnionOrIntersection()) {
      for (const part of type.types) this.#types(part, found, depth - 1);
    } else if (type.symbol && type.symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface)) {
      if (!this.#isUnnamed(type.symbol)) found.add(type.symbol);
      else for (const { symbol } of this.parents(type.symbol)) found.add(symbol);
    } else if (type.flags & ts.TypeFlags.Object) {
      for (const property of type.getProperties().slice(0, WIDE)) {
        for (const root of checker.getRootSymbols(property)) for (const one of root.declarations ?? []) this.#holder(one.parent, found);
      }
    }
    return found;
  }
  /** The class, interface or alias whose member is declared in `node`. */
  #holder(/** @type {Node} */ node, /** @type {Set<Symbol>} */ found) {
    const { ts } = this;
    if (ts.isParameter(node) || ts.isConstructorDeclaration(node)) node = node.parent;
    let whole = node;
    while (ts.isTypeLiteralNode(whole) || ts.isIntersectionTypeNode(whole) || ts.isParenthesizedTypeNode(whole)) whole = whole.parent;
    if (ts.isClassLike(whole) || ts.isInterfaceDeclaration(whole) || (ts.isTypeAliasDeclaration(whole) && whole !== node)) found.add(this.#symbol(whole));
  }
  /** What a value may be, as far as it is written. @returns {Iterable<Symbol>} */
  *#values(/** @type {Node} */ given, /** @type {number} */ depth) {
    const { ts, checker } = this;
    if (!depth) return;
    const node = this.#bare(given);
    if (ts.isConditionalExpression(node)) {
      yield* this.#values(node.whenTrue, depth - 1);
      yield* this.#values(node.whenFalse, depth - 1);
    } else if (ts.isBinaryExpression(node)) {
      yield* this.#values(node.left, depth - 1);
      yield* this.#values(node.right, depth - 1);
    } else if (ts.isClassExpression(node) || ts.isFunctionExpression(node)) {
      yield /** @type {any} */ (node).symbol;
    } else if (ts.isCallExpression(node)) {
      const declaration = checker.getResolvedSignature(node)?.getDeclaration();
      for (const value of declaration ? this.#returned(declaration) : []) yield* this.#values(value, depth - 1);
    } else if (ts.isIdentifier(node) || ts.isPropertyAccessExpression(node)) {
      const symbol = this.#resolved(checker.getSymbolAtLocation(node));
      if (!symbol) return;
      yield symbol;
      const { initializer } = /** @type {any} */ (symbol.valueDeclaration ?? {});
      if (initializer) yield* this.#values(initializer, depth - 1);
    }
  }
  /** @returns {Node[]} */
  #returned(/** @type {Node} */ declaration) {
    const { ts } = this;
    const { body } = /** @type {any} */ (declaration);
    if (!body || !ts.isBlock(body)) return body ? [body] : [];
    /** @type {Node[]} */
    const found = [];
    this.internal.forEachReturnStatement(body, (/** @type {import("typescript").ReturnStatement} */ { expression }) => void (expression && found.push(expression)));
    return found;
  }
  /** @returns {Node} */
  #bare(/** @type {Node} */ node) {
    const { ts } = this;
    while (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isTypeAssertionExpression(node) || ts.isNonNullExpression(node) || ts.isSatisfiesExpression(node) || ts.isExpressionWithTypeArguments(node) || ts.isAwaitExpression(node)) node = node.expression;
    return node;
  }
  /** What a declaration declares, with all that it is merged with. @returns {Symbol} */
  #symbol(/** @type {any} */ node) {
    return (node.name && this.checker.getSymbolAtLocation(node.name)) ?? node.symbol;
  }
  #resolved(/** @type {Symbol | undefined} */ symbol) {
    return symbol && symbol.flags & this.ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol;
  }
  #isForeign(/** @type {Symbol} */ symbol) {
    // The compiler makes a symbol of what leads nowhere, which nothing declares.
    return !symbol.declarations?.some((one) => !isForeign(this.program, one));
  }

  /** Objects and functions that are said to be of the type. @returns {Node[]} */
  objects(/** @type {import("typescript").SourceFile} */ source) {
    const { ts } = this;
    /** @type {Node[]} */
    const found = [];
    const visit = (/** @type {Node} */ node) => {
      if ((ts.isObjectLiteralExpression(node) || ts.isArrowFunction(node) || ts.isFunctionExpression(node)) && this.#isSaid(node) && this.#expected(node).length) found.push(node);
      ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
  }
  /** The keys of objects that are a member of the type, or where their value is declared. @returns {Node[]} */
  keys(/** @type {import("typescript").SourceFile} */ source, /** @type {string} */ name) {
    const { ts, checker } = this;
    /** @type {Set<Node>} */
    const found = new Set();
    const visit = (/** @type {Node} */ node) => {
      if (ts.isObjectLiteralElementLike(node) && node.name && !ts.isPrivateIdentifier(node.name) && ts.isObjectLiteralExpression(node.parent) && this.internal.getPropertyNameForPropertyNameNode(node.name) === name) {
        const isOwn = this.#expected(node.parent, name).length > 0;
        const value = isOwn && ts.isShorthandPropertyAssignment(node) ? this.#resolved(checker.getShorthandAssignmentValueSymbol(node))?.valueDeclaration : undefined;
        if (isOwn) found.add(value && (ts.isVariableDeclaration(value) || ts.isParameter(value) || ts.isFunctionDeclaration(value)) && value.name ? value.name : node.name);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
    return [...found];
  }
  /** Of what is expected of an object what is the type or inherits from it; by name: whose member of that name does. */
  #expected(/** @type {Expression} */ node, name = "") {
    const { ts, checker } = this;
    const expected = checker.getContextualType(node)?.getNonNullableType();
    if (!expected) return [];
    const parts = expected.isUnion() ? expected.types : [expected];
    const own = parts.length > 1 ? checker.getTypeAtLocation(node) : undefined;
    return parts.filter((part) => {
      /** @type {Set<Symbol>} */
      const holders = new Set();
      if (!name) this.#types(part, holders);
      const property = name ? part.getProperty(name) : undefined;
      for (const root of property ? checker.getRootSymbols(property) : []) for (const one of root.declarations ?? []) this.#holder(one.parent, holders);
      // What an alias adds to the members of the type is none of these: they stand beside it.
      return [...holders].some((one) => (name && one.flags & ts.SymbolFlags.TypeAlias ? this.#isGoal(one) : this.isBelow(one))) && (!own || !(part.flags & ts.TypeFlags.Object) || checker.isTypeAssignableTo(own, part));
    });
  }
  /** Whether the type is named where it is written what a value is, and not only where that is given to a function. */
  #isSaid(/** @type {Node} */ node) {
    const { ts, internal } = this;
    for (let above = node.parent, below = node; above; below = above, above = above.parent) {
      if (ts.isCallOrNewExpression(above) || ts.isJsxAttribute(above)) return false;
      const said = ts.isAsExpression(above) || ts.isSatisfiesExpression(above) || ts.isTypeAssertionExpression(above) ? above.type : ts.isFunctionLike(above) ? internal.getEffectiveReturnTypeNode(above) : /** @type {any} */ (above).initializer === below ? internal.getEffectiveTypeAnnotationNode(above) : undefined;
      if (said) return this.#mentions(said);
      if (ts.isStatement(above) && !ts.isReturnStatement(above) && !ts.isBlock(above) && !ts.isIfStatement(above) && !ts.isTryStatement(above)) return false;
    }
    return false;
  }

  /** Why a class or an interface may inherit from the type all the same, and why the type may inherit from more, with where it says from what. */
  *doubts(/** @type {import("typescript").SourceFile} */ source, /** @type {Origins} */ origins, /** @type {Set<string>} */ names) {
    const { ts, internal } = this;
    /** @type {Node[]} */
    const ahead = [source];
    for (let node = ahead.pop(); node; node = ahead.pop()) {
      ts.forEachChild(node, (one) => void ahead.push(one));
      if (!ts.isClassLike(node) && !ts.isInterfaceDeclaration(node)) continue;
      const isGoal = this.#isGoal(this.#symbol(node));
      if (!isGoal && this.isBelow(this.#symbol(node))) continue;
      const clauses = ts.isClassLike(node) ? [internal.getEffectiveBaseTypeNode(node), ...(internal.getEffectiveImplementsTypeNodes(node) ?? [])] : (internal.getInterfaceBaseTypeNodes(node) ?? []);
      for (const clause of clauses.filter(Boolean)) {
        const reason = isGoal ? this.#lost(clause, origins) : this.#doubt(clause.expression, clause, origins, names);
        if (reason) yield { node: /** @type {Node} */ (clause), reason };
      }
    }
  }
  #lost(/** @type {Clause} */ clause, /** @type {Origins} */ origins) {
    const isKnown = !origins.isAny(clause.expression) && !origins.isAny(clause);
    return isKnown || origins.of(clause.expression) !== NOWHERE ? "" : NOWHERE;
  }
  #doubt(/** @type {Expression} */ expression, /** @type {Clause} */ clause, /** @type {Origins} */ origins, /** @type {Set<string>} */ names) {
    if (!origins.isAny(expression) && !origins.isAny(clause)) return "";
    if (this.#mentions(expression)) return "a value without a type";
    const reason = origins.of(expression);
    return reason === NOWHERE && this.#mayName(expression, names) ? reason : "";
  }
  /** Whether the type, or an heir of its, is named in an expression. @returns {boolean} */
  #mentions(/** @type {Node} */ node) {
    const { ts } = this;
    const symbol = ts.isIdentifier(node) ? this.#resolved(this.checker.getSymbolAtLocation(node)) : undefined;
    return Boolean((symbol && this.isBelow(symbol)) || ts.forEachChild(node, (one) => this.#mentions(one) || undefined));
  }
  /** Whether what is imported may be one of these names. */
  #mayName(/** @type {Node} */ node, /** @type {Set<string>} */ names) {
    const { ts } = this;
    let root = this.#bare(node);
    let last = "";
    for (; ts.isPropertyAccessExpression(root) || ts.isCallExpression(root); root = this.#bare(root.expression)) if (ts.isPropertyAccessExpression(root)) last = root.name.text;
    const declaration = this.checker.getSymbolAtLocation(root)?.declarations?.[0];
    const name = declaration && (ts.isImportSpecifier(declaration) || ts.isBindingElement(declaration)) ? (declaration.propertyName ?? declaration.name).getText() : last;
    return !name || name === "default" || names.has(name);
  }

  #isUnnamed(/** @type {Symbol} */ symbol) {
    const declaration = symbol.declarations?.find(this.ts.isClassExpression);
    return Boolean(declaration && !this.#nameOf(declaration));
  }
  /** @returns {Node | undefined} */
  #nameOf(/** @type {any} */ node) {
    const { ts } = this;
    if (!ts.isClassExpression(node) && !ts.isFunctionExpression(node)) return node.name ?? node.modifiers?.find((/** @type {Node} */ one) => one.kind === ts.SyntaxKind.DefaultKeyword);
    /** @type {any} */
    let parent = node.parent;
    while (ts.isParenthesizedExpression(parent) || ts.isAsExpression(parent) || ts.isSatisfiesExpression(parent)) parent = parent.parent;
    if (ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name)) return parent.name;
    const left = ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken ? parent.left : undefined;
    return node.name ?? (left && ts.isPropertyAccessExpression(left) ? left.name : left && ts.isIdentifier(left) ? left : ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent) ? parent.name : undefined);
  }
  /** The declaration that stands for a symbol: its class, if it has one. */
  #main(/** @type {Symbol} */ symbol) {
    const { ts } = this;
    const declarations = symbol.declarations ?? [];
    return declarations.find(ts.isClassLike) ?? declarations.find((one) => ts.isInterfaceDeclaration(one) || ts.isTypeAliasDeclaration(one)) ?? declarations[0];
  }
  place(/** @type {Symbol} */ symbol) {
    return this.#placed(this.#main(symbol));
  }
  /** @returns {Place} */
  #placed(/** @type {Node} */ node) {
    const name = this.#nameOf(node);
    return name ? placed(name) : { ...placed(node), length: 0 };
  }
}

const TYPES = (/** @type {typeof import("typescript")} */ { SymbolFlags: flags }) => flags.Class | flags.Interface | flags.TypeAlias;

/**
 * What stands above and below a type, in some files of a program.
 * @param {typeof import("typescript")} ts
 * @param {import("typescript").Program} program
 * @param {Goal & { resolve: ConstructorParameters<typeof Origins>[2] }} goal
 * @returns {{ goals: Place[], below: Edge[], above: Edge[], doubts: (Place & { reason: string })[], unread: string[] }}
 */
export function heritage(ts, program, { declared, files, resolve, isLate = () => false }) {
  const { sources, unread } = read(program, files);
  const own = new Heritage(ts, program, declared, sources);
  const above = own.above();
  /** @type {Edge[]} */
  const below = [];
  const looked = sources.filter((source) => (isLate() ? void unread.push(source.fileName) : below.push(...own.below(source)) || true));
  const origins = new Origins(ts, program, resolve, () => false);
  const names = new Set([...own.goals, ...own.heirs].map((one) => one.name));
  const doubts = looked.flatMap((source) => [...own.doubts(source, origins, names)].map(({ node, reason }) => ({ ...placed(node), reason })));
  return { goals: [...own.goals].filter((one) => one.declarations).map((one) => own.place(one)), below, above, doubts, unread };
}

/**
 * The objects and functions that are said to be of a type, or their keys of a name, in some files of a program.
 * @param {typeof import("typescript")} ts
 * @param {import("typescript").Program} program
 * @param {Goal & { name?: string }} goal
 * @returns {{ objects: Place[], unread: string[] }}
 */
export function objects(ts, program, { declared, files, name, isLate = () => false }) {
  const { sources, unread } = read(program, files);
  const own = new Heritage(ts, program, declared, sources);
  const found = sources.flatMap((source) => {
    if (isLate()) {
      unread.push(source.fileName);
      return [];
    }
    return name === undefined ? own.objects(source) : own.keys(source, name);
  });
  return { objects: found.map(placed), unread };
}

/** @returns {Place} */
function placed(/** @type {Node} */ node) {
  const source = node.getSourceFile();
  return { file: source.fileName, ...source.getLineAndCharacterOfPosition(node.getStart()), length: node.getEnd() - node.getStart() };
}
function read(/** @type {import("typescript").Program} */ program, /** @type {Iterable<string>} */ files) {
  /** @type {import("typescript").SourceFile[]} */
  const sources = [];
  /** @type {string[]} */
  const unread = [];
  for (const path of files) {
    const source = program.getSourceFile(path);
    if (source) sources.push(source);
    else unread.push(path);
  }
  return { sources, unread };
}
