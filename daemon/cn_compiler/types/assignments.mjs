// What the workspace puts into what has a type that somebody wrote: `a = one`, `{ a: one }`, `a.set(key, one)`, `a[0] = one`,
// `f(one)` of a parameter, `return one` of a function. By the names of what is declared, and the compiler's symbols.

import { isForeign, positions, sourcesWith } from "./goals.mjs";
import { keptFor } from "./kept.mjs";

/** @typedef {import("typescript").Node} Node @typedef {import("typescript").Expression} Expression */

/** Of a name that is a key of more objects these are not looked through: the compiler would have to read nearly all for what they are. */
const MANY = 300;
export const assignmentsOf = keptFor((/** @type {import("typescript").Program} */ program, /** @type {typeof import("typescript")} */ ts) => new Assignments(ts, program));

class Assignments {
  /** By a name that something is put into: what declares that. @type {Map<Node, readonly Node[]>} */
  #declared = new Map();
  /** By a name: the values that are put into something of that name, and where that is named. @type {Map<string, { name: Node, values: readonly Node[], isWithin: boolean }[]>} */
  #known = new Map();

  /** @param {typeof import("typescript")} ts @param {import("typescript").Program} program */
  constructor(ts, program) {
    this.ts = ts;
    this.program = program;
    this.checker = program.getTypeChecker();
  }

  /**
   * The values that are put into what a node declares, of those that may lead to what is asked for.
   * @param {Node} declaration @param {boolean} isHolding whether it holds others: what is put into it counts as well
   * @param {(value: Node) => boolean} mayLead @returns {Node[]}
   */
  into(declaration, isHolding, mayLead) {
    const { ts } = this;
    if (ts.isFunctionLike(declaration)) return returned(ts, declaration).filter(mayLead);
    const { name, initializer } = /** @type {any} */ (declaration);
    const handed = ts.isParameter(declaration) ? this.#handed(declaration) : [];
    if (!name || !ts.isIdentifier(name)) return handed.filter(mayLead);
    const values = this.#named(name.text).flatMap(({ name: named, values: put, isWithin }) => {
      if ((isWithin && !isHolding) || !this.#mayName(named, declaration, isHolding)) return [];
      // What the value of a key is the compiler knows sooner than what is expected of the object around.
      const leading = this.#isKey(named) || this.#isOf(named, declaration) ? put.filter(mayLead) : [];
      return leading.length && this.#isOf(named, declaration) ? leading : [];
    });
    return [...values, ...[...(initializer ? [initializer] : []), ...handed].filter(mayLead)];
  }
  /** Whether a name may be that of a declaration, by where they stand: a variable of a function is known in its file alone, and a constant stays. */
  #mayName(/** @type {Node} */ name, /** @type {Node} */ declaration, /** @type {boolean} */ isHolding) {
    const { ts } = this;
    if (!ts.isVariableDeclaration(declaration) && !ts.isBindingElement(declaration) && !(ts.isParameter(declaration) && !declaration.modifiers)) return true;
    if (this.#isKey(name) || (!isHolding && ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Constant)) return false;
    return name.getSourceFile() === declaration.getSourceFile() || !ts.findAncestor(declaration, ts.isFunctionLike);
  }
  /** Whether it names a key of an object, or what a value is given to by its own name. */
  #isKey = (/** @type {Node} */ { parent }) => this.ts.isShorthandPropertyAssignment(parent) || this.ts.isPropertyAssignment(parent);
  #isOf(/** @type {Node} */ name, /** @type {Node} */ declaration) {
    const { checker } = this;
    let found = this.#declared.get(name);
    if (!found) {
      const symbol = this.#isKey(name) ? checker.getContextualType(/** @type {any} */ (name.parent.parent))?.getProperty(/** @type {any} */ (name).text) : checker.getSymbolAtLocation(name);
      this.#declared.set(name, (found = symbol?.declarations ?? []));
    }
    return found.includes(declaration);
  }
  /** What a parameter is given where its function is called by its name. @returns {Node[]} */
  #handed(/** @type {import("typescript").ParameterDeclaration} */ parameter) {
    const { ts, checker } = this;
    const own = parameter.parent;
    const at = own.parameters.indexOf(parameter);
    const holder = ts.isConstructorDeclaration(own) ? own.parent : ts.isVariableDeclaration(own.parent) || ts.isPropertyAssignment(own.parent) || ts.isPropertyDeclaration(own.parent) ? own.parent : own;
    const { name } = /** @type {any} */ (holder);
    return this.calls(name && ts.isIdentifier(name) ? name.text : "").flatMap((call) => {
      const given = parameter.dotDotDotToken ? call.arguments?.slice(at) : call.arguments?.slice(at, at + 1);
      return given?.length && checker.getResolvedSignature(call)?.getDeclaration() === own ? given : [];
    });
  }
  /**
   * What a callback may be called with that is given to a method, `emitter.on(event, callback)`: what else that object is given, and what
   * the event is emitted with. Functions are no payload.
   * @param {import("typescript").CallExpression | import("typescript").NewExpression} call @param {Node} callback
   * @param {(value: Node) => boolean} mayLead @returns {Node[]}
   */
  handedTo({ expression, arguments: values }, callback, mayLead) {
    const { ts, checker } = this;
    const holder = ts.isPropertyAccessExpression(expression) ? expression.expression : undefined;
    if (!holder) return [];
    const event = /** @type {Node} */ (values?.[0]);
    const isSame = (/** @type {Node | undefined} */ other) => !other || !ts.isStringLiteralLike(event) || !ts.isStringLiteralLike(other) || other.text === event.text;
    const emitting = this.calls("emit");
    const emitted = event === callback ? [] : emitting.flatMap(({ arguments: given }) => (isSame(given?.[0]) ? (given ?? []).slice(1) : []));
    const declarations = checker.getSymbolAtLocation(ts.isPropertyAccessExpression(holder) ? holder.name : holder)?.declarations ?? [];
    const isPayload = (/** @type {Node} */ one) => mayLead(one) && !checker.getTypeAtLocation(one).getCallSignatures().length;
    const given = declarations.flatMap((one) => (ts.isFunctionLike(one) || isForeign(this.program, one) ? [] : this.into(one, true, isPayload)));
    return [...emitted.filter(isPayload), ...given.filter(({ parent }) => !emitting.includes(/** @type {any} */ (parent)))];
  }
  /** The calls of what goes by a name. @returns {(import("typescript").CallExpression | import("typescript").NewExpression)[]} */
  calls(/** @type {string} */ name) {
    let found = this.#calling.get(name);
    if (!found) this.#calling.set(name, (found = this.#called(name)));
    return found;
  }
  /** @type {Map<string, (import("typescript").CallExpression | import("typescript").NewExpression)[]>} */
  #calling = new Map();
  #called(/** @type {string} */ name) {
    const { ts } = this;
    return this.#nodes(name).flatMap((node) => {
      const called = ts.isPropertyAccessExpression(node.parent) && node.parent.name === node ? node.parent : node;
      const { parent } = called;
      return (ts.isCallExpression(parent) || ts.isNewExpression(parent)) && parent.expression === called ? parent : [];
    });
  }
  #named(/** @type {string} */ text) {
    let found = this.#known.get(text);
    if (found) return found;
    const all = this.#nodes(text).flatMap((name) => this.#put(name) ?? []).filter(({ values }) => !values.every((one) => isPlain(this.ts, one)));
    const others = all.filter(({ name }) => !this.#isKey(name));
    this.#known.set(text, (found = all.length - others.length > MANY ? others : all));
    return found;
  }
  /** What is put into what an identifier names. */
  #put(/** @type {Node} */ name) {
    const { ts } = this;
    const { parent } = name;
    if (ts.isPropertyAssignment(parent) && parent.name === name) return { name, values: [parent.initializer], isWithin: false };
    if (ts.isShorthandPropertyAssignment(parent)) return { name, values: [name], isWithin: false };
    let whole = ts.isPropertyAccessExpression(parent) && parent.name === name ? parent : name;
    for (let isWithin = false, above = whole.parent; ; isWithin = true, whole = above, above = above.parent) {
      if (ts.isBinaryExpression(above) && above.left === whole && above.operatorToken.kind === ts.SyntaxKind.EqualsToken) return { name, values: [above.right], isWithin };
      if (ts.isCallExpression(above) && above.expression === whole && isWithin) return { name, values: above.arguments, isWithin };
      const isTaken = (ts.isPropertyAccessExpression(above) || ts.isElementAccessExpression(above) || ts.isNonNullExpression(above)) && above.expression === whole;
      if (!isTaken) return undefined;
    }
  }
  /** The identifiers of the workspace with a text. @returns {Node[]} */
  #nodes(/** @type {string} */ text) {
    const { ts, program } = this;
    return sourcesWith(program, text).flatMap((source) => [...positions(source.text, text)].flatMap((at) => {
      const node = /** @type {any} */ (ts).getTouchingPropertyName(source, at);
      return ts.isIdentifier(node) && node.text === text ? node : [];
    }));
  }
  /** What stands for a type parameter of a class, an interface or an alias, wherever types are written or instances made. @returns {import("typescript").Type[]} */
  given(/** @type {import("typescript").TypeParameterDeclaration} */ parameter) {
    const { ts, checker } = this;
    const holder = /** @type {any} */ (parameter.parent);
    const at = holder.typeParameters?.indexOf(parameter) ?? -1;
    const written = [parameter.default, parameter.constraint].flatMap((one) => (one ? checker.getTypeFromTypeNode(one) : []));
    if (at < 0 || !holder.name || ts.isFunctionLike(holder)) return written;
    const isHolder = (/** @type {Node} */ node) => {
      const symbol = checker.getSymbolAtLocation(node);
      const own = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      return Boolean(own?.declarations?.includes(holder));
    };
    return [...written, ...this.#nodes(holder.name.text).filter(isHolder).flatMap(({ parent }) => {
      if (ts.isNewExpression(parent) && !parent.typeArguments) return checker.getTypeArguments(/** @type {any} */ (checker.getTypeAtLocation(parent)))[at] ?? [];
      const argument = ts.isTypeReferenceNode(parent) || ts.isExpressionWithTypeArguments(parent) || ts.isNewExpression(parent) ? parent.typeArguments?.[at] : undefined;
      return argument ? checker.getTypeFromTypeNode(argument) : [];
    })];
  }
}

/** Whether nothing is in it yet: `[]`, `{}`, `new Map()`. */
export function isEmpty(/** @type {typeof import("typescript")} */ ts, /** @type {Node} */ node) {
  if (ts.isArrayLiteralExpression(node)) return !node.elements.length;
  if (ts.isObjectLiteralExpression(node)) return !node.properties.length;
  return ts.isNewExpression(node) && !node.arguments?.length;
}
/** Whether a value is written that has no member of the workspace: a text, a number. */
const isPlain = (/** @type {typeof import("typescript")} */ { SyntaxKind: kinds }, /** @type {Node} */ { kind }) => PLAIN.some((one) => kind === kinds[one]);
const PLAIN = /** @type {const} */ (["StringLiteral", "NoSubstitutionTemplateLiteral", "TemplateExpression", "NumericLiteral", "BigIntLiteral", "PrefixUnaryExpression", "TrueKeyword", "FalseKeyword", "NullKeyword"]);
/** What a function returns. @returns {Expression[]} */
export function returned(/** @type {typeof import("typescript")} */ ts, /** @type {Node} */ own) {
  const { body } = /** @type {any} */ (own);
  if (!body || !ts.isBlock(body)) return body ? [body] : [];
  /** @type {Expression[]} */
  const values = [];
  const visit = (/** @type {Node} */ one) => {
    if (ts.isReturnStatement(one) && one.expression) values.push(one.expression);
    if (!ts.isFunctionLike(one)) ts.forEachChild(one, visit);
  };
  visit(body);
  return values;
}
