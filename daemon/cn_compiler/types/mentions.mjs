// What each mention of a member's name is: a use of it, a declaration of the same member elsewhere (an override, what it
// implements), something else, or not to be decided. The compiler's own search for references says which are uses; of the
// others the receiver's type decides.

import { NOWHERE, Origins } from "./origins.mjs";
import { Prototypes } from "./prototypes.mjs";

/**
 * @typedef {import("typescript").Node} Node
 * @typedef {import("typescript").SourceFile} SourceFile
 * @typedef {{ file: string, line: number, character: number, length: number, kind: "use" | "definition" | "doubt", reason: string }} Mention line, character, length: from 0, in UTF-16 units
 */

/** So much of a type is looked through. */
const DEEP = 3;
const WIDE = 60;

/**
 * The mentions of a member in some files of a program that are no other thing.
 * @param {typeof import("typescript")} ts
 * @param {import("typescript").Program} program
 * @param {{ name: string, declared: { file: string, start: number }[], files: Iterable<string>, resolve: ConstructorParameters<typeof Origins>[2], until?: number }} goal
 * until: in ms since 1970, when the work is to end
 * @returns {{ mentions: Mention[], unread: string[] }} unread: files that were not looked through
 */
export function mentions(ts, program, { name, declared, files, resolve, until = Infinity }) {
  /** @type {any} */
  const internal = ts;
  const checker = program.getTypeChecker();
  /** @type {any} */
  const internalChecker = checker;
  const sources = /** @type {SourceFile[]} */ ([...files].map((path) => program.getSourceFile(path)).filter(Boolean));
  /** @type {Map<string, Mention>} */
  const found = new Map();
  /** @type {Set<import("typescript").Symbol>} */
  const goals = new Set();
  const own = new Set(declared.map(({ file, start }) => `${file}:${start}`));

  /** @type {string[]} */
  const unread = [...files].filter((path) => !program.getSourceFile(path));
  const late = () => Date.now() >= until;
  const token = { isCancellationRequested: late, throwIfCancellationRequested: () => void (late() && cancel(ts)) };

  const memo = new Map();
  const prototypes = new Prototypes(ts, checker, sources);
  /** Classes and functions of which it is a member. @type {Set<import("typescript").Symbol>} */
  const holders = new Set();
  const origins = new Origins(ts, program, resolve, (type) => carries(type, DEEP));
  // File by file, so that what is known when time runs out is told.
  /** Where the type of that whose prototype is given it declares it. @type {Node[]} */
  const further = [];
  const symbols = declared.map(({ file, start }) => known(file, start)).filter((one) => one !== undefined);
  for (const one of [...further]) {
    const name = ts.getNameOfDeclaration(/** @type {any} */ (one));
    const found = name && known(one.getSourceFile().fileName, name.getStart());
    if (found) symbols.push(found);
  }
  for (const source of sources) {
    try {
      for (const { start, node, symbol } of symbols) {
        for (const entry of internal.FindAllReferences.Core.getReferencedSymbolsForNode(start, node, program, [source], token, { use: 1 }) ?? []) {
          for (const { node } of entry.references) if (node) add(node, declares(node, symbol) ? "definition" : "use");
        }
      }
      for (const node of named(source)) judge(node);
    } catch (error) {
      if (!late()) throw error;
      unread.push(source.fileName);
    }
  }
  // Of what the compiler knows no symbol, as of a name that is computed, nothing is decided.
  const isKnown = symbols.some(({ symbol }) => symbol) || [...found.values()].some(({ kind }) => kind === "doubt");
  if (sources.length && !isKnown) throw new Error(`no member at ${declared.map(({ file, start }) => `${file}:${start}`).join(", ")}`);
  return { mentions: [...found.values()], unread };

  function known(/** @type {string} */ file, /** @type {number} */ start) {
    const source = program.getSourceFile(file);
    if (!source) return undefined;
    const touching = internal.getTouchingPropertyName(source, start);
    const computed = [touching, touching.parent].find((one) => one && ts.isComputedPropertyName(one));
    const expression = computed && /** @type {import("typescript").ComputedPropertyName} */ (computed).expression;
    const node = expression && (ts.isStringLiteralLike(expression) || ts.isNumericLiteral(expression)) ? expression : touching;
    const symbol = expression && node !== expression ? undefined : checker.getSymbolAtLocation(node);
    if (symbol) own.add(`${file}:${placed(node).start}`);
    for (const root of symbol ? checker.getRootSymbols(symbol) : []) for (const one of [root, ...overridden(root)]) goals.add(one);
    const parent = symbol && prototypes.own(/** @type {any} */ (symbol).parent);
    if (parent) holders.add(parent);
    const owner = prototypes.given(node);
    if (owner) holders.add(owner);
    const instance = owner && checker.getDeclaredTypeOfSymbol(owner).getProperty(name);
    if (instance) further.push(...(instance.declarations ?? []));
    return { start, node, symbol };
  }

  /** Nodes of the name in a file, in its documentation as well. */
  function named(/** @type {SourceFile} */ source) {
    const nodes = [];
    for (const start of positions(source.text, name)) {
      const node = internal.getTouchingPropertyName(source, start);
      const isHere = node.getStart() === start || (ts.isStringLiteralLike(node) && node.getStart() === start - 1);
      if (isHere && (ts.isIdentifier(node) || ts.isPrivateIdentifier(node) || ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) && node.text === name) nodes.push(node);
    }
    return nodes;
  }
  function placed(/** @type {Node} */ node) {
    const quote = ts.isStringLiteralLike(node) ? 1 : 0;
    return { source: node.getSourceFile(), start: node.getStart() + quote, length: node.getEnd() - node.getStart() - 2 * quote };
  }
  function add(/** @type {Node} */ node, /** @type {Mention["kind"]} */ kind, reason = "") {
    const { source, start, length } = placed(node);
    const key = `${source.fileName}:${start}`;
    if (!found.has(key) && !own.has(key)) found.set(key, { file: source.fileName, ...source.getLineAndCharacterOfPosition(start), length, kind, reason });
  }
  function isMember(/** @type {Node} */ node) {
    const parent = above(node);
    return isOf(node) || (ts.isBindingElement(parent) && (!parent.propertyName || parent.name !== node)) || ts.isJsxAttribute(parent) || ts.isObjectLiteralElement(parent) || ts.isClassElement(parent);
  }
  /** Whether it is taken of a value. */
  function isOf(/** @type {Node} */ node) {
    const { parent } = node;
    return (ts.isPropertyAccessExpression(parent) && parent.name === node) || (ts.isElementAccessExpression(parent) && parent.argumentExpression === node);
  }
  /** What a key belongs to: also one in brackets. */
  function above(/** @type {Node} */ { parent }) {
    return ts.isComputedPropertyName(parent) ? parent.parent : parent;
  }
  /** The member that a mention names. */
  function property(/** @type {Node} */ node) {
    const parent = above(node);
    if (ts.isBindingElement(parent)) return patternType(parent).getProperty(name);
    if ((ts.isPropertyAssignment(parent) || ts.isShorthandPropertyAssignment(parent)) && internal.isArrayLiteralOrObjectLiteralDestructuringPattern(parent.parent)) return internalChecker.getTypeOfAssignmentPattern(parent.parent).getProperty(name);
    if (ts.isElementAccessExpression(parent) && isOf(node)) return checker.getNonNullableType(checker.getTypeAtLocation(parent.expression)).getProperty(name);
    return checker.getSymbolAtLocation(node);
  }
  /** What a script assigns to `this` before its class declares it has a symbol of its own. */
  function isTwin(/** @type {import("typescript").Symbol} */ symbol) {
    const holder = /** @type {any} */ (symbol).parent;
    return holder !== undefined && holders.has(holder) && holder.members?.has(name) && !holder.exports?.has(name) && Boolean(symbol.valueDeclaration && symbol.valueDeclaration.flags & ts.NodeFlags.JavaScriptFile);
  }
  /** Whether it is the class's, and no instance's. */
  function isStatic(/** @type {import("typescript").Symbol} */ symbol) {
    return Boolean(symbol.declarations?.some((one) => ts.isClassElement(one) && ts.getCombinedModifierFlags(one) & ts.ModifierFlags.Static));
  }
  /** The members of its bases that a member overrides or implements. @returns {import("typescript").Symbol[]} */
  function overridden(/** @type {import("typescript").Symbol} */ symbol) {
    const holder = /** @type {any} */ (symbol).parent;
    if (!holder || !(holder.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface)) || isStatic(symbol)) return [];
    const own = /** @type {import("typescript").InterfaceType} */ (checker.getDeclaredTypeOfSymbol(holder));
    const implemented = (holder.declarations ?? []).flatMap((/** @type {Node} */ one) => (ts.isClassLike(one) ? (one.heritageClauses ?? []).flatMap((clause) => (clause.token === ts.SyntaxKind.ImplementsKeyword ? clause.types.map((type) => checker.getTypeAtLocation(type)) : [])) : []));
    return [...(own.isClassOrInterface() ? checker.getBaseTypes(own) : []), ...implemented].flatMap((base) => {
      const member = base.getProperty(name);
      return member && member !== symbol ? checker.getRootSymbols(member).flatMap((one) => [one, ...overridden(one)]) : [];
    });
  }
  /** The type of what a pattern is given: of a parameter with a default, what the function is expected to take. */
  function patternType(/** @type {import("typescript").BindingElement} */ element) {
    const pattern = element.parent;
    const own = pattern.parent;
    if (ts.isParameter(own) && !own.type && (ts.isFunctionExpression(own.parent) || ts.isArrowFunction(own.parent) || ts.isMethodDeclaration(own.parent))) {
      const expected = ts.isMethodDeclaration(own.parent) ? internalChecker.getContextualTypeForObjectLiteralElement?.(own.parent) : checker.getContextualType(own.parent);
      const [signature] = expected?.getNonNullableType().getCallSignatures() ?? [];
      const parameter = signature?.parameters[own.parent.parameters.indexOf(own)];
      if (parameter) return checker.getTypeOfSymbolAtLocation(parameter, own).getNonNullableType();
    }
    return checker.getTypeAtLocation(pattern).getNonNullableType();
  }
  function judge(/** @type {Node} */ node) {
    const { source, start } = placed(node);
    const key = `${source.fileName}:${start}`;
    if (found.has(key) || own.has(key) || !isMember(node)) return;
    const symbol = property(node);
    // Of a private one the search looks through its class alone.
    if (symbol && checker.getRootSymbols(symbol).some((one) => goals.has(one) || overridden(one).some((base) => goals.has(base)))) return add(node, "use");
    if (symbol && isTwin(symbol)) return add(node, "use");
    if (!symbol && isOf(node) && prototypes.inherits(/** @type {any} */ (node.parent).expression, holders)) return add(node, "use");
    const reason = doubt(node);
    if (reason) add(node, "doubt", reason);
  }

  /** Why a mention that is no known use may be one. */
  function doubt(/** @type {Node} */ node) {
    const parent = above(node);
    if (isOf(node)) return received(/** @type {any} */ (parent).expression, node);
    if (ts.isBindingElement(parent)) return parent.propertyName || ts.isObjectBindingPattern(parent.parent) ? patterned(parent, node) : "";
    if (ts.isJsxAttribute(parent) && parent.name === node) return origins.isAny(parent.parent.parent.tagName) ? origins.of(parent.parent.parent.tagName) : "";
    if (ts.isObjectLiteralElement(parent) && ts.isObjectLiteralExpression(parent.parent)) return assigned(parent.parent) ?? keyed(parent.parent);
    if (ts.isClassElement(parent) && ts.isClassLike(parent.parent)) return based(parent.parent);
    return "";
  }
  function received(/** @type {Node} */ receiver, /** @type {Node} */ node) {
    const type = checker.getTypeAtLocation(receiver);
    if (type.flags & ts.TypeFlags.Any) return origins.of(receiver);
    return checker.getSymbolAtLocation(node) ? "" : origins.missing(type);
  }
  function patterned(/** @type {import("typescript").BindingElement} */ element, /** @type {Node} */ node) {
    if (element.propertyName && element.name === node) return "";
    const type = checker.getTypeAtLocation(element.parent);
    return type.flags & ts.TypeFlags.Any || !type.getProperty(name) ? origins.ofPattern(element) : "";
  }
  /** Of a pattern of an assignment, `({ a } = b)`; undefined for an object. */
  function assigned(/** @type {import("typescript").ObjectLiteralExpression} */ object) {
    if (!internal.isArrayLiteralOrObjectLiteralDestructuringPattern(object)) return undefined;
    if (!(internalChecker.getTypeOfAssignmentPattern(object).flags & ts.TypeFlags.Any)) return "";
    const whole = ts.findAncestor(object, (one) => ts.isBinaryExpression(one) && one.operatorToken.kind === ts.SyntaxKind.EqualsToken || ts.isForOfStatement(one));
    return whole && ts.isBinaryExpression(whole) ? origins.of(whole.right) : whole && ts.isForOfStatement(whole) ? origins.of(whole.expression) : "";
  }
  /** An object whose key it is: of a type that is not known, it may be. What is untyped is not expected to be anything. */
  function keyed(/** @type {import("typescript").ObjectLiteralExpression} */ object) {
    const type = checker.getContextualType(object);
    const isOwn = type?.getProperty(name)?.declarations?.some((one) => one.parent === object);
    if (type && !isOwn && !(type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.TypeParameter))) return "";
    const reason = origins.around(object);
    return reason === NOWHERE ? reason : "";
  }
  function based(/** @type {Node} */ holder) {
    const reason = origins.ofBases(holder);
    return reason === NOWHERE ? reason : "";
  }

  /** Whether a value of a type leads to the member, in a few steps. @returns {boolean} */
  function carries(/** @type {import("typescript").Type} */ type, /** @type {number} */ depth) {
    if (depth < 0 || type.flags & PLAIN(ts)) return false;
    const known = memo.get(type);
    if (known !== undefined && known.depth >= depth) return known.found;
    memo.set(type, { depth, found: false });
    const found = leads(type, depth);
    memo.set(type, { depth, found });
    return found;
  }
  function leads(/** @type {import("typescript").Type} */ type, /** @type {number} */ depth) {
    if (type.isUnionOrIntersection()) return type.types.some((one) => carries(one, depth));
    const property = type.getProperty(name);
    if (property && checker.getRootSymbols(property).some((one) => goals.has(one))) return true;
    const symbol = type.symbol ?? type.aliasSymbol;
    if (symbol?.declarations?.some((one) => program.isSourceFileDefaultLibrary(one.getSourceFile()) || one.getSourceFile().fileName.includes("/node_modules/"))) {
      return checker.getTypeArguments(/** @type {any} */ (type)).some((one) => carries(one, depth - 1));
    }
    if (type.getCallSignatures().some((one) => carries(one.getReturnType(), depth - 1)) || type.getConstructSignatures().some((one) => carries(one.getReturnType(), depth - 1))) return true;
    return type.getProperties().slice(0, WIDE).some((one) => one.valueDeclaration !== undefined && carries(checker.getTypeOfSymbol(one), depth - 1));
  }

  /** Whether a node declares one of the symbols that were asked for. */
  function declares(/** @type {Node} */ node, /** @type {import("typescript").Symbol | undefined} */ symbol) {
    return Boolean(symbol && internal.FindAllReferences.isDeclarationOfSymbol(node, symbol));
  }
}

/** What has no member of the workspace. */
const PLAIN = (/** @type {typeof import("typescript")} */ { TypeFlags: flags }) => flags.Any | flags.Unknown | flags.Never | flags.StringLike | flags.NumberLike | flags.BooleanLike | flags.BigIntLike | flags.ESSymbolLike | flags.VoidLike | flags.Null;

function cancel(/** @type {typeof import("typescript")} */ ts) {
  throw new ts.OperationCanceledException();
}

/** Where a word stands in a text. */
function* positions(/** @type {string} */ text, /** @type {string} */ word) {
  const isPart = (/** @type {string | undefined} */ sign) => sign !== undefined && /[\w$\u{80}-\u{10ffff}]/u.test(sign);
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
    if (!isPart(text[at - 1]) && !isPart(text[at + word.length])) yield at;
  }
}
