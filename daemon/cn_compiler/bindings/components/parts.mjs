// What a component says of itself in calls, options and its template, and no outline of TypeScript lists: props and events as
// strings and keys, what `data` gives, models, slots, snippets.

/**
 * @typedef {import("typescript").Node} Node
 * @typedef {{ name: string, kind: string, nameStart: number, nameEnd: number, start: number, end: number }} Part offsets in a text that stands for the component, or in the component
 */

const CALLS = new Set(["defineProps", "defineEmits", "defineModel"]);
const COMPONENT = /^(?:define\w*Component|extend)$/;
const OPTIONS = new Set(["props", "emits", "computed", "methods"]);

/** @param {import("typescript")} ts @param {string} path whose ending tells the language @param {string} text @returns {Part[]} */
export function parts(ts, path, text) {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  /** @type {Part[]} */
  const found = [];
  const part = (/** @type {Node} */ name, /** @type {Node} */ whole, kind = "Property") => {
    if (!ts.isIdentifier(name) && !ts.isStringLiteralLike(name)) return;
    // As of keys in quotes these belong to the name, and of other strings they do not.
    const quote = ts.isStringLiteralLike(name) && name === whole ? 1 : 0;
    found.push({ name: name.text, kind, nameStart: name.getStart() + quote, nameEnd: name.end - quote, start: whole.getStart(), end: whole.end });
  };
  /** Keys of an object, strings of a list. */
  const listed = (/** @type {Node | undefined} */ value) => {
    if (value && (ts.isAsExpression(value) || ts.isParenthesizedExpression(value))) return listed(value.expression);
    if (value && ts.isArrayLiteralExpression(value)) for (const one of value.elements) part(one, one);
    // Methods are in every outline.
    if (value && ts.isObjectLiteralExpression(value)) for (const one of value.properties) if (ts.isPropertyAssignment(one)) part(one.name, one, ts.isFunctionLike(one.initializer) ? "Method" : "Property");
  };
  const called = (/** @type {import("typescript").CallExpression} */ node) => {
    const { arguments: [first], typeArguments } = node;
    if (first && ts.isStringLiteralLike(first)) return part(first, node);
    listed(first);
    for (const type of typeArguments ?? []) if (ts.isTypeLiteralNode(type)) for (const one of type.members) if (ts.isCallSignatureDeclaration(one)) literals(one.parameters[0]?.type);
  };
  const literals = (/** @type {Node | undefined} */ type) => {
    if (type && ts.isUnionTypeNode(type)) type.types.forEach(literals);
    else if (type && ts.isLiteralTypeNode(type)) part(type.literal, type.literal);
  };
  const options = (/** @type {Node | undefined} */ value) => {
    for (const one of value && ts.isObjectLiteralExpression(value) ? value.properties : []) {
      const name = one.name && ts.isIdentifier(one.name) ? one.name.text : "";
      if (ts.isPropertyAssignment(one) && OPTIONS.has(name)) listed(one.initializer);
      if (name === "data") listed(given(ts.isPropertyAssignment(one) ? one.initializer : one));
    }
  };
  /** What a function returns. @returns {Node | undefined} */
  const given = (/** @type {Node} */ node) => {
    if (!ts.isFunctionLike(node) || !("body" in node) || !node.body) return undefined;
    return ts.isBlock(node.body) ? node.body.statements.find(ts.isReturnStatement)?.expression : /** @type {Node} */ (node.body);
  };
  const visit = (/** @type {Node} */ node) => {
    const callee = ts.isCallExpression(node) ? (ts.isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression) : undefined;
    if (ts.isCallExpression(node) && callee && ts.isIdentifier(callee)) {
      if (CALLS.has(callee.text)) called(node);
      if (COMPONENT.test(callee.text)) options(node.arguments[0]);
    }
    if (ts.isExportAssignment(node)) options(node.expression);
    ts.forEachChild(node, visit);
  };
  if (/\b(?:define[A-Z]|export\s+default|extend\s*\()/.test(text)) visit(file);
  return found;
}
