// Classes, instances of them and objects that are cast to another type: `new Impl() as Api`, `Impl as unknown as Statics`, `fake as
// unknown as Api`. What is taken of the one by a name may then be the other's member.

import { castTypes } from "../bindings/reach.mjs";
import { isForeign, positions } from "./goals.mjs";
import { keptFor } from "./kept.mjs";

/** @typedef {import("typescript").Node} Node @typedef {import("typescript").Symbol} Symbol @typedef {{ value: Node, type: import("typescript").TypeNode }} Cast */

export const castsOf = keptFor((/** @type {import("typescript").Program} */ program, /** @type {typeof import("typescript")} */ ts) => new Casts(ts, program));

class Casts {
  /** By a word: the files with a cast to a type that is written with it. @type {Map<string, import("typescript").SourceFile[]>} */
  #files = new Map();
  /** By a name in a type to which something is cast. @type {Map<string, Cast[]>} */
  #known = new Map();

  /** @param {typeof import("typescript")} ts @param {import("typescript").Program} program */
  constructor(ts, program) {
    this.ts = ts;
    this.program = program;
    this.checker = program.getTypeChecker();
    for (const source of program.getSourceFiles()) {
      if (isForeign(program, source)) continue;
      for (const word of castTypes(source.text)) this.#files.set(word, [...(this.#files.get(word) ?? []), source]);
    }
  }

  /**
   * Whether a class or an object is cast between a type with a member and one with what is asked for.
   * @param {import("./goals.mjs").Goals} goals @param {Symbol} symbol @param {import("typescript").Type | undefined} receiver of what it is taken
   */
  ties(goals, symbol, receiver) {
    const own = nameOf(symbol);
    const names = new Set([own, receiver?.symbol?.name, receiver?.aliasSymbol?.name, ...goals.holders()].filter((one) => one !== undefined));
    const has = (/** @type {import("typescript").Type} */ type) => {
      const member = type.getProperty(symbol.name);
      return member !== undefined && this.checker.getRootSymbols(member).some((one) => one === symbol || one.valueDeclaration === symbol.valueDeclaration);
    };
    const literals = (symbol.declarations ?? []).flatMap(({ parent }) => (this.ts.isTypeLiteralNode(parent) ? this.#cast(parent) : []));
    return [...literals, ...[...names].flatMap((name) => this.#to(/** @type {string} */ (name)))].some(({ value, type }) => {
      const to = this.checker.getTypeFromTypeNode(type);
      if (!has(to) && !goals.isOf(to)) return false;
      const from = this.#typeOf(value);
      const { flags = 0, valueDeclaration = undefined } = from.symbol ?? {};
      // What an object is spread from keeps the members that it has.
      const isOwn = flags & this.ts.SymbolFlags.ObjectLiteral && from.getProperty(symbol.name)?.valueDeclaration?.parent === valueDeclaration;
      if (!isOwn && !(flags & this.ts.SymbolFlags.Class)) return false;
      return has(to) ? goals.isOf(from) && !has(from) : has(from);
    });
  }
  /** Of what is cast twice the first: `as unknown as`. */
  #typeOf(/** @type {Node} */ value) {
    const { ts } = this;
    let own = value;
    while (ts.isAsExpression(own) || ts.isTypeAssertionExpression(own) || ts.isParenthesizedExpression(own) || ts.isNonNullExpression(own)) own = own.expression;
    return this.checker.getTypeAtLocation(own);
  }
  /** @returns {Cast[]} */
  #to(/** @type {string} */ name) {
    let found = this.#known.get(name);
    if (found) return found;
    this.#known.set(name, (found = []));
    for (const source of this.#files.get(name) ?? []) {
      for (const at of positions(source.text, name)) {
        const node = /** @type {any} */ (this.ts).getTouchingPropertyName(source, at);
        if (this.ts.isIdentifier(node) && node.text === name) found.push(...this.#cast(node));
      }
    }
    return found;
  }
  /** The cast whose type holds a node, in a list or a promise of it as well. @returns {Cast[]} */
  #cast(/** @type {Node} */ node) {
    const { ts } = this;
    let type = node;
    while (ts.isTypeNode(type.parent) || ts.isEntityName(type.parent)) type = type.parent;
    const { parent } = type;
    if ((ts.isAsExpression(parent) || ts.isTypeAssertionExpression(parent)) && parent.type === type) return [{ value: parent.expression, type: parent.type }];
    const { parent: comment } = ts.isJSDocTypeExpression(parent) ? parent.parent : parent;
    const held = comment && ts.isJSDoc(comment) ? comment.parent : undefined;
    return held && ts.isParenthesizedExpression(held) ? [{ value: held.expression, type: /** @type {import("typescript").TypeNode} */ (type) }] : [];
  }
}

/** The name of what a symbol is a member of. */
const nameOf = (/** @type {Symbol} */ symbol) => /** @type {Symbol | undefined} */ (/** @type {any} */ (symbol).parent)?.name;
