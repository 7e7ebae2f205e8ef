// Why a mention may be a use that types do not know as one.

import { castsOf } from "./casts.mjs";
import { holding, isForeign, isMemberOf, startOf } from "./goals.mjs";
import { GIVEN, NOWHERE, Origins, TOLD, UNTYPED, clausesOf } from "./origins.mjs";

/** @typedef {import("typescript").Node} Node @typedef {import("typescript").Type} Type */

/** The functions of the language that add to an object. */
const ADDING = /^(?:Object\.(?:assign|define\w+|setPrototypeOf)|Reflect\.(?:define\w+|setPrototypeOf))$/;
const LACKING = "a value whose type is not known to have the member";
const CAST = "a member of a type to or from which a value is cast";
const PARTLY = "a value that may be of a type without the member";
/** So many members of a type are looked through. */
const WIDE = 200;
const VUE = /\.vue\.\$\d+\.ts$/;
/** `Object`, `{ type: Object }`, `{ type: [Object, String] }` */
const OBJECT = /^(?:\{[^]*\btype\s*:\s*)?\[?[\w\s,]*\bObject\b(?!\s+as\b)/;

export class Doubts {
  /** In so few steps a type leads to the member, and in so many it does not, as far as that was asked. @type {Map<Type, { least: number, most: number }>} */
  #carrying = new Map();

  /**
   * @param {typeof import("typescript")} ts @param {import("typescript").Program} program @param {import("./goals.mjs").Goals} goals
   * @param {ConstructorParameters<typeof Origins>[2]} resolve
   */
  constructor(ts, program, goals, resolve) {
    this.ts = ts;
    /** @type {any} */
    this.internal = ts;
    this.program = program;
    this.checker = program.getTypeChecker();
    this.goals = goals;
    this.casts = castsOf(program, ts);
    this.origins = new Origins(ts, program, resolve, (type, hops) => this.#carries(type, hops));
  }

  /** Of what a member's name stands for. */
  ofMember(/** @type {Node} */ node) {
    const { ts, origins } = this;
    const parent = holding(ts, node);
    const symbol = this.goals.named(node);
    const receiver = symbol && isMemberOf(ts, node) ? this.checker.getTypeAtLocation(/** @type {any} */ (parent).expression) : undefined;
    if (symbol && this.goals.isOwn(symbol) && this.casts.ties(this.goals, symbol, receiver)) return CAST;
    if (ts.isJsxAttribute(parent) && parent.name === node) return origins.isAny(parent.parent.parent.tagName) ? origins.of(parent.parent.parent.tagName) : this.#keyed(parent.parent, node);
    if (ts.isObjectLiteralElement(parent) && ts.isObjectLiteralExpression(parent.parent)) return this.#assigned(parent.parent) ?? this.#keyed(parent.parent, node);
    if (ts.isClassElement(parent) && ts.isClassLike(parent.parent)) return this.#based(parent.parent);
    return this.ofTaken(node);
  }
  /** Of a name that is taken of a value. */
  ofTaken(/** @type {Node} */ node) {
    const { ts } = this;
    const parent = holding(ts, node);
    if (isMemberOf(ts, node)) return this.#received(/** @type {any} */ (parent).expression, node);
    if (ts.isBindingElement(parent)) return this.#patterned(parent, node);
    if (ts.isObjectLiteralElement(parent) && ts.isObjectLiteralExpression(parent.parent)) return this.#assigned(parent.parent) ?? "";
    return "";
  }
  #received(/** @type {Node} */ receiver, /** @type {Node} */ node) {
    const own = this.checker.getTypeAtLocation(receiver);
    const type = own.flags & this.ts.TypeFlags.TypeParameter ? (this.checker.getBaseConstraintOfType(own) ?? own) : own;
    if (type.flags & this.ts.TypeFlags.Any) return this.origins.of(receiver);
    // Of what is unknown the compiler lets nothing be taken: it knows less than who wrote that, or a script goes on without asking.
    const unknown = type.flags & this.ts.TypeFlags.Unknown ? this.origins.of(receiver) : "";
    if (unknown) return unknown;
    if (this.checker.getSymbolAtLocation(node)) return "";
    if (this.#isOfPart(type, node)) return PARTLY;
    const declared = type.flags & this.ts.TypeFlags.Never ? this.#declared(receiver) : undefined;
    if (declared) return this.#carries(declared, 0) ? UNTYPED : this.origins.of(receiver);
    if (this.origins.isEmpty(type)) return this.origins.ofEmpty(receiver);
    return this.#isUntyped(receiver, type) ? UNTYPED : this.origins.missing(type) || (this.#isAddedTo(receiver, type) ? LACKING : "");
  }
  /** Whether a script takes of an instance what its class is not known to have, and gives the instances to what may add it: a mixin. */
  #isAddedTo(/** @type {Node} */ receiver, /** @type {Type} */ type) {
    const { ts, checker } = this;
    if (!(receiver.flags & ts.NodeFlags.JavaScriptFile)) return false;
    for (let one = /** @type {Type | undefined} */ (type); one; one = one.isClassOrInterface() ? checker.getBaseTypes(one)[0] : undefined) {
      const declared = one.symbol?.valueDeclaration;
      if (declared && ts.isClassLike(declared) && this.#isGivenAway(declared)) return true;
    }
    return false;
  }
  /** Whether a class gives `this` to a function that may add to it. @type {(node: import("typescript").ClassLikeDeclaration) => boolean} */
  #isGivenAway(node) {
    let found = this.#givenAway.get(node);
    if (found !== undefined) return found;
    const { ts } = this;
    /** @type {(one: Node) => boolean} */
    const gives = (one) => (ts.isCallExpression(one) && one.arguments.some((given, at) => given.kind === ts.SyntaxKind.ThisKeyword && this.#mayAdd(one, at))) || ts.forEachChild(one, gives) || false;
    this.#givenAway.set(node, (found = gives(node)));
    return found;
  }
  /** @type {Map<Node, boolean>} */
  #givenAway = new Map();
  /** Whether a function that is called may add to what it is given: it hands that on, or assigns to it. */
  #mayAdd(/** @type {import("typescript").CallExpression} */ call, /** @type {number} */ at) {
    const { ts, checker } = this;
    if (this.origins.isAny(call.expression)) return true;
    const own = checker.getResolvedSignature(call)?.getDeclaration();
    const { body } = /** @type {any} */ (own ?? {});
    if (!own || !body) return ADDING.test(call.expression.getText());
    const name = own.parameters[at]?.name.getText();
    /** @type {(one: Node) => boolean} */
    const adds = (one) => {
      const isHanded = ts.isCallExpression(one) && one.arguments.some((given) => given.getText() === name);
      const left = ts.isBinaryExpression(one) && one.operatorToken.kind === ts.SyntaxKind.EqualsToken ? one.left : undefined;
      const isAssigned = left && (ts.isPropertyAccessExpression(left) || ts.isElementAccessExpression(left)) && left.expression.getText() === name;
      return isHanded || isAssigned || ts.forEachChild(one, adds) || false;
    };
    return adds(body);
  }
  /** Whether some types of a union have the member, and others have none of its name: to the compiler an error, which scripts do not show. */
  #isOfPart(/** @type {Type} */ type, /** @type {Node} */ node) {
    const parts = type.isUnion() ? type.types.map((one) => (this.checker.getBaseConstraintOfType(one) ?? one).getProperty(/** @type {any} */ (node).text)) : [];
    return parts.includes(undefined) && parts.some((one) => one !== undefined && this.goals.has(one));
  }
  /** The type of a variable of which a guard leaves nothing, as one does that asks for a type that is not known: `(a): a is Unknown`. @returns {Type | undefined} */
  #declared(/** @type {Node} */ receiver) {
    const symbol = this.ts.isIdentifier(receiver) ? this.checker.getSymbolAtLocation(receiver) : undefined;
    const type = symbol && this.checker.getTypeOfSymbol(symbol);
    const whole = type && (this.checker.getBaseConstraintOfType(type) ?? type);
    return whole && !this.origins.isEmpty(whole) ? whole : undefined;
  }
  /** Whether a component of Vue is given a value of which it says no more than `Object` or `Array`. */
  #isUntyped(/** @type {Node} */ receiver, /** @type {Type} */ type) {
    const { ts, checker } = this;
    if (type.flags & ts.TypeFlags.Unknown) return VUE.test(receiver.getSourceFile().fileName);
    if (!(type.isUnion() ? type.types : [type]).some(({ aliasSymbol }) => aliasSymbol?.name === "Record")) return false;
    const named = checker.getSymbolAtLocation(receiver);
    const own = named?.valueDeclaration;
    const { initializer = undefined } = own && ts.isBindingElement(own) ? ts.walkUpBindingElementsAndPatterns(own) : {};
    const given = own && initializer && ts.isBindingElement(own) ? checker.getTypeAtLocation(initializer).getProperty((own.propertyName ?? own.name).getText()) : named;
    return Boolean(given?.declarations?.some((one) => ts.isPropertyAssignment(one) && OBJECT.test(one.initializer.getText())));
  }
  #patterned(/** @type {import("typescript").BindingElement} */ element, /** @type {Node} */ node) {
    if (!this.ts.isObjectBindingPattern(element.parent) || (element.propertyName && element.name === node)) return "";
    const type = this.checker.getTypeAtLocation(element.parent);
    if (this.origins.isEmpty(type)) return UNTYPED;
    if (this.#isOfPart(type, node)) return PARTLY;
    const { initializer } = this.ts.walkUpBindingElementsAndPatterns(element);
    if (initializer && !type.getProperty(/** @type {any} */ (node).text) && this.#isUntyped(initializer, type)) return UNTYPED;
    // Of a parameter without a type the pattern itself is one.
    const known = type.flags & this.ts.TypeFlags.Any ? undefined : type.getProperty(/** @type {any} */ (node).text);
    return !(known?.declarations ?? []).some((one) => one.parent !== element.parent) ? this.origins.ofPattern(element) : "";
  }
  /** Of a pattern of an assignment, `({ a } = b)`; undefined for an object. */
  #assigned(/** @type {import("typescript").ObjectLiteralExpression} */ object) {
    const { ts } = this;
    if (!this.internal.isArrayLiteralOrObjectLiteralDestructuringPattern(object)) return undefined;
    if (!(/** @type {any} */ (this.checker).getTypeOfAssignmentPattern(object).flags & ts.TypeFlags.Any)) return "";
    const whole = ts.findAncestor(object, (one) => ts.isBinaryExpression(one) && one.operatorToken.kind === ts.SyntaxKind.EqualsToken || ts.isForOfStatement(one));
    return whole && ts.isBinaryExpression(whole) ? this.origins.of(whole.right) : whole && ts.isForOfStatement(whole) ? this.origins.of(whole.expression) : "";
  }
  /** An object whose key it is: of a type that is not known, it may be. What is untyped is not expected to be anything. */
  #keyed(/** @type {import("typescript").ObjectLiteralExpression | import("typescript").JsxAttributes} */ object, /** @type {Node} */ node) {
    const { ts } = this;
    const type = this.checker.getContextualType(object);
    const isOwn = type?.getProperty(/** @type {any} */ (node).text)?.declarations?.some((one) => one.parent === object);
    const isKnown = type && !isOwn && !(type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.TypeParameter));
    // Of a type that is known a base may not be.
    const reason = !isKnown ? this.origins.around(object) : type.getProperty(/** @type {any} */ (node).text) ? "" : this.origins.missing(type);
    return reason === NOWHERE || reason === TOLD ? reason : "";
  }
  #based(/** @type {Node} */ holder) {
    const reason = this.origins.ofBases(holder);
    return reason === NOWHERE || reason === TOLD || reason === GIVEN ? reason : "";
  }

  /** Whether a value of a type leads to the member, in a few steps. @returns {boolean} */
  #carries(/** @type {Type} */ type, /** @type {number} */ depth) {
    return depth >= 0 && this.#parts(type).some((part) => {
      const { least = Infinity, most = -1 } = this.#carrying.get(part) ?? {};
      if (depth >= least || depth <= most) return depth >= least;
      const found = this.#leads(part, depth);
      this.#carrying.set(part, found ? { least: depth, most } : { least, most: depth });
      return found;
    });
  }
  /** What a value of a type may be. Of a generic type it is looked at once what its members are: its instances have no end. @returns {Type[]} */
  #parts(/** @type {Type} */ type) {
    const { checker } = this;
    const { Conditional, IndexedAccess, Instantiable } = this.ts.TypeFlags;
    /** @type {Set<Type>} */
    const found = new Set([type]);
    for (const one of found) {
      const { target, root, objectType } = /** @type {any} */ (one);
      const further = one.isUnionOrIntersection() ? one.types
        : one.flags & Instantiable ? [checker.getBaseConstraintOfType(one), ...(one.flags & Conditional ? [root.node.trueType, root.node.falseType].map(checker.getTypeFromTypeNode) : []), ...(one.flags & IndexedAccess ? [objectType] : [])]
        : [target?.isClassOrInterface() ? target : undefined];
      for (const part of further) if (part && !(part.flags & PLAIN(this.ts))) found.add(part);
    }
    return [...found].filter((one) => !one.isUnionOrIntersection() && !(one.flags & (Instantiable | PLAIN(this.ts))));
  }
  #leads(/** @type {Type} */ type, /** @type {number} */ depth) {
    const { checker, program } = this;
    const { target } = /** @type {any} */ (type);
    if (target !== type && (target?.isClassOrInterface() || checker.isTupleType(type))) return checker.getTypeArguments(/** @type {any} */ (type)).some((one) => this.#carries(one, depth - 1));
    if (this.goals.isOf(type)) return true;
    // What bases are generic over, of those that are not known as well.
    if (clausesOf(this.ts, checker, type).some(({ typeArguments = [] }) => typeArguments.some((one) => this.#carries(checker.getTypeFromTypeNode(one), depth - 1)))) return true;
    const symbol = type.symbol ?? type.aliasSymbol;
    if (symbol?.declarations?.some((one) => isForeign(program, one))) return false;
    for (const one of [...type.getCallSignatures(), ...type.getConstructSignatures()]) {
      if (this.#carries(one.getReturnType(), depth - 1) || one.parameters.some((given) => this.#carries(checker.getTypeOfSymbol(given), depth - 1))) return true;
    }
    return type.getProperties().slice(0, WIDE).some((one) => one.valueDeclaration !== undefined && this.#carries(checker.getTypeOfSymbol(one), depth - 1));
  }
}

/** What has no member of the workspace. */
const PLAIN = (/** @type {typeof import("typescript")} */ { TypeFlags: flags }) => flags.Any | flags.Unknown | flags.Never | flags.StringLike | flags.NumberLike | flags.BooleanLike | flags.BigIntLike | flags.ESSymbolLike | flags.VoidLike | flags.Null;
