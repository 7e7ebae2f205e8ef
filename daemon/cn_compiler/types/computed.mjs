// Names in brackets that are worked out: `[KIND]`, `[Symbol.iterator]`. What stands there is a value of its own; the member that it
// stands for is known by the type of the value, as long as that is one string, number or unique symbol.

/** @typedef {import("typescript").Node} Node @typedef {import("typescript").Expression} Expression @typedef {import("typescript").TypeChecker} Checker @typedef {import("typescript").Symbol} Symbol */

/** The expression in brackets of which a node is the name, in a declaration or an access; undefined where it is a string or a number. @returns {Expression | undefined} */
export function computedOf(/** @type {typeof import("typescript")} */ ts, /** @type {Node} */ node) {
  let own = node;
  while (own.parent && ts.isPropertyAccessExpression(own.parent) && own.parent.name === own) own = own.parent;
  const { parent } = own;
  const isKey = parent && ((ts.isElementAccessExpression(parent) && parent.argumentExpression === own) || (ts.isComputedPropertyName(parent) && parent.expression === own));
  return isKey && (ts.isIdentifier(own) || ts.isPropertyAccessExpression(own)) ? own : undefined;
}

/** The member of a type that an expression in brackets stands for. @returns {Symbol | undefined} */
export function memberOf(/** @type {typeof import("typescript")} */ ts, /** @type {Checker} */ checker, /** @type {import("typescript").Type | undefined} */ type, /** @type {Expression} */ expression) {
  const key = checker.getTypeAtLocation(expression);
  const own = type && checker.getNonNullableType(type);
  if (key.isStringLiteral() || key.isNumberLiteral()) return own?.getProperty(String(key.value));
  const name = key.flags & ts.TypeFlags.UniqueESSymbol ? /** @type {import("typescript").UniqueESSymbolType} */ (key).escapedName : undefined;
  return name === undefined || !own ? undefined : checker.getPropertiesOfType(own).find((one) => one.escapedName === name);
}
/** The property of a type that has the name of another one: by that of a unique symbol, `__@dispose@7`, `getProperty` looks for a word. */
export const sameOf = (/** @type {Checker} */ checker, /** @type {import("typescript").Type} */ type, /** @type {Symbol} */ { name, escapedName }) =>
  name.startsWith("__@") ? checker.getPropertiesOfType(type).find((one) => one.escapedName === escapedName) : type.getProperty(name);

/** What a name in brackets declares. @returns {Symbol | undefined} */
export function declaredBy(/** @type {typeof import("typescript")} */ ts, /** @type {Checker} */ checker, /** @type {import("typescript").ComputedPropertyName} */ name) {
  const member = name.parent;
  const holder = /** @type {any} */ (member.parent);
  const isStatic = ts.isClassElement(member) && Boolean(ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Static);
  return memberOf(ts, checker, isStatic ? checker.getTypeOfSymbol(holder.symbol) : checker.getTypeAtLocation(holder), name.expression);
}

/** The words by which a member goes whose name in brackets begins at a place: the last of the expression, and what that is worth. @returns {string[]} */
export function wordsAt(/** @type {typeof import("typescript")} */ ts, /** @type {import("typescript").Program} */ program, /** @type {{ file: string, start: number }} */ { file, start }) {
  const source = program.getSourceFile(file);
  const node = source && /** @type {any} */ (ts).getTokenAtPosition(source, start);
  const expression = node?.parent && ts.isComputedPropertyName(node.parent) ? node.parent.expression : undefined;
  if (!expression) return [];
  const key = program.getTypeChecker().getTypeAtLocation(expression);
  const last = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
  return [...("text" in last ? [last.text] : []), ...(key.isStringLiteral() || key.isNumberLiteral() ? [String(key.value)] : [])];
}
