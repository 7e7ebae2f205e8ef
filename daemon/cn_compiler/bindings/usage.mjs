// What a mention does with what it names, and what a part of a text calls: by the syntax tree. Offsets are UTF-16 units.

/** What a mention does, as bits beside those of `Role` (`facts.mjs`). */
export const Usage = {
  /** It stands in an import, in a list of exports, in a script's `const a = require("b")`, or is what that assigns to its exports. */
  Import: 8192,
  Call: 16384,
  /** Only the type of what is named is used, or a member of it other than `call`, `apply` and `bind`. */
  Part: 32768,
};

/**
 * names: where what is called is named. unnamed: what is called and has no name. aliases: for the names of variables that
 * are other names of something (`const a = b.c`) where that is named.
 * @typedef {{ names: [number, number][], unnamed: string[], aliases: [number, number][] }} Calls
 */

/** @typedef {import("typescript").Node} Node */
/** @typedef {typeof import("typescript")} TypeScript */

const EXPORTS = /^(?:module\.)?exports(?:\.[\w$]+|\[["'][^"'\n]{1,99}["']\])?$/;
const CALLING = new Set(["call", "apply"]);

/** The usage of each mention of a file that does more than name something: bits, by where its name begins. @returns {Map<number, number>} */
export function usagesIn(/** @type {TypeScript} */ ts, /** @type {import("typescript").SourceFile} */ file) {
  const isScript = Boolean(file.flags & ts.NodeFlags.JavaScriptFile);
  /** @type {Map<number, number>} */
  const found = new Map();
  const mark = (/** @type {Node | undefined} */ name, /** @type {number} */ bits) => {
    if (!name) return;
    const start = name.getStart(file) + (ts.isStringLiteralLike(name) ? 1 : 0);
    found.set(start, (found.get(start) ?? 0) | bits);
  };
  const imported = (/** @type {Node} */ node) => {
    // A `require` that the module makes itself is called.
    const isCallee = ts.isCallExpression(node.parent) && node.parent.expression === node;
    if ((ts.isIdentifier(node) && !isCallee) || ts.isStringLiteralLike(node)) mark(node, Usage.Import);
    ts.forEachChild(node, imported);
  };
  const exportedValue = (/** @type {Node} */ node) => {
    if (ts.isIdentifier(node)) mark(node, Usage.Import);
    if (!ts.isObjectLiteralExpression(node)) return;
    for (const one of node.properties) if (ts.isShorthandPropertyAssignment(one) || (ts.isPropertyAssignment(one) && ts.isIdentifier(one.initializer))) mark(ts.isPropertyAssignment(one) ? one.initializer : one.name, Usage.Import);
  };
  const whole = exportedObject(ts, file)?.initializer;
  const visit = (/** @type {any} */ node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference))) return imported(node);
    if (isScript && ts.isVariableDeclaration(node) && isRequired(ts, node)) imported(node);
    if (isScript && ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken && EXPORTS.test(node.left.getText(file))) exportedValue(assignedTo(ts, node));
    if (node === whole) exportedValue(node);
    const callee = calleeOf(ts, node);
    if (callee) {
      const own = bare(ts, callee);
      mark(own.kind === ts.SyntaxKind.ThisKeyword || own.kind === ts.SyntaxKind.SuperKeyword ? own : nameOf(ts, own), Usage.Call);
      // `f.call(…)` calls f.
      if (ts.isPropertyAccessExpression(own) && CALLING.has(own.name.text)) mark(nameOf(ts, own.expression), Usage.Call);
    }
    if (ts.isPropertyAccessExpression(node) && !CALLING.has(node.name.text) && node.name.text !== "bind") mark(nameOf(ts, node.expression), Usage.Part);
    if (ts.isTypeQueryNode(node)) mark(ts.isQualifiedName(node.exprName) ? node.exprName.right : node.exprName, Usage.Part);
    if (ts.isImportTypeNode(node) && node.isTypeOf && node.qualifier) mark(ts.isQualifiedName(node.qualifier) ? node.qualifier.right : node.qualifier, Usage.Part);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** The last value of `a = b = c`. @returns {Node} */
const assignedTo = (/** @type {TypeScript} */ ts, /** @type {Node} */ node) => {
  while (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) node = node.right;
  return node;
};
/** The variable of an object literal that is all that a script exports: `const api = { a }; module.exports = api`. @returns {any} */
export function exportedObject(/** @type {TypeScript} */ ts, /** @type {any} */ file) {
  const assignment = file.commonJsModuleIndicator && file.symbol?.exports?.get("export=")?.valueDeclaration;
  const value = assignment && ts.isBinaryExpression(assignment) && assignedTo(ts, assignment);
  const variable = value && ts.isIdentifier(value) && file.locals?.get(value.escapedText)?.valueDeclaration;
  const isAlone = variable && ts.isVariableDeclaration(variable) && variable.parent.parent.parent === file && variable.initializer && ts.isObjectLiteralExpression(variable.initializer);
  return isAlone && (variable.parent.flags & ts.NodeFlags.Const || keepsItsObject(ts, file, variable)) ? variable : undefined;
}
/** Whether a variable is assigned nothing later but what is made of it: `api = wrap(api)`. */
function keepsItsObject(/** @type {any} */ ts, /** @type {import("typescript").SourceFile} */ file, /** @type {any} */ variable) {
  const { text } = variable.name;
  const names = (/** @type {any} */ node) => (ts.isIdentifier(node) && node.text === text) || ts.forEachChild(node, names) || false;
  const assigned = new RegExp(`(?<![\\w$.])${text.replaceAll("$", "\\$")}(?=\\s{0,9}=(?![=>]))`, "g");
  assigned.lastIndex = variable.end;
  for (let found = assigned.exec(file.text); found; found = assigned.exec(file.text)) {
    const { parent } = ts.getTouchingPropertyName(file, found.index);
    if (!(ts.isBinaryExpression(parent) && parent.left.end === found.index + text.length && names(parent.right))) return false;
  }
  return true;
}

/** The name of a class or a function without one that is all of a module: b of `module.exports = a.b = class {}`. @returns {any} */
export function nameInChain(/** @type {TypeScript} */ ts, /** @type {any} */ node) {
  const value = /** @type {any} */ (assignedTo(ts, node));
  if (value.name || !(ts.isClassExpression(value) || ts.isFunctionExpression(value) || ts.isArrowFunction(value))) return undefined;
  let found;
  let isAll = false;
  for (; node !== value; node = node.right) {
    if (!ts.isPropertyAccessExpression(node.left)) continue;
    const holder = node.left.expression.getText();
    if (holder === "module" && node.left.name.text === "exports") isAll = true;
    else if (ts.isIdentifier(node.left.expression) && holder !== "exports") found = node.left.name;
  }
  return isAll ? found : undefined;
}

/** What a node calls, constructs, decorates with or renders. @returns {Node | undefined} */
function calleeOf(/** @type {TypeScript} */ ts, /** @type {Node} */ node) {
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) return node.expression;
  if (ts.isDecorator(node)) return ts.isCallExpression(node.expression) ? undefined : node.expression;
  if (ts.isTaggedTemplateExpression(node)) return node.tag;
  return ts.isJsxOpeningLikeElement(node) ? node.tagName : undefined;
}

/** Without brackets, what is said of its type, and what a comma leaves behind: `(0, f)` is f. */
function bare(/** @type {TypeScript} */ ts, /** @type {any} */ node) {
  for (;;) {
    if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isNonNullExpression(node) || ts.isTypeAssertionExpression(node)) node = node.expression;
    else if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.CommaToken) node = node.right;
    else return node;
  }
}

/** The name that tells what an expression is: b of `a.b` and `a["b"]`. @returns {Node | undefined} */
function nameOf(/** @type {TypeScript} */ ts, /** @type {Node} */ node) {
  const own = bare(ts, node);
  if (ts.isPropertyAccessExpression(own)) return own.name;
  if (ts.isElementAccessExpression(own)) return ts.isStringLiteralLike(own.argumentExpression) ? own.argumentExpression : undefined;
  return ts.isIdentifier(own) ? own : undefined;
}

/** Bits as they are reported: a role, and whether only the type of what is named is used, or a member of it. @returns {["import" | "call" | "use", boolean]} */
export const spelled = (/** @type {number} */ bits) => [bits & Usage.Import ? "import" : bits & Usage.Call ? "call" : "use", Boolean(bits & Usage.Part)];

/** What is called between two offsets. @returns {Calls} */
export function calls(/** @type {TypeScript} */ ts, /** @type {import("typescript").SourceFile} */ file, /** @type {number} */ start, /** @type {number} */ end) {
  /** @type {Calls} */
  const found = { names: [], unnamed: [], aliases: [] };
  const name = (/** @type {Node} */ node) => {
    const quote = ts.isStringLiteralLike(node) ? 1 : 0;
    found.names.push([node.getStart(file) + quote, node.end - quote]);
  };
  const visit = (/** @type {Node} */ node) => {
    if (node.end <= start || node.pos >= end) return;
    const callee = node.getStart(file) >= start ? calleeOf(ts, node) : undefined;
    if (callee) {
      const own = bare(ts, callee);
      const named = nameOf(ts, callee);
      if (named) name(named);
      if (ts.isPropertyAccessExpression(own) && CALLING.has(own.name.text)) {
        const called = nameOf(ts, own.expression);
        if (called) name(called);
      } else if (own.kind === ts.SyntaxKind.SuperKeyword || (own.kind === ts.SyntaxKind.ThisKeyword && ts.isNewExpression(node))) name(own);
      // A function on the spot is read with what holds it, what a call gives is reported by the call.
      const isKnown = named || ts.isFunctionExpression(own) || ts.isArrowFunction(own) || ts.isClassExpression(own) || ts.isCallExpression(own);
      if (!isKnown && (ts.isElementAccessExpression(own) || ts.isParenthesizedExpression(callee))) found.unnamed.push(callee.getText(file).split(/\s+/).join(" "));
    }
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer) {
      const origin = nameOf(ts, node.initializer);
      if (origin) found.aliases.push([node.name.getStart(file), origin.getStart(file)]);
    }
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(file, visit);
  found.names.sort(([one], [other]) => one - other);
  return found;
}

/** Whether a variable of a script has what it has of a module. @param {typeof import("typescript")} ts */
export function isRequired(ts, /** @type {import("typescript").VariableDeclaration} */ node) {
  let own = node.initializer;
  while (own && (ts.isPropertyAccessExpression(own) || ts.isElementAccessExpression(own))) own = own.expression;
  return Boolean(own && ts.isCallExpression(own) && ts.isIdentifier(own.expression) && own.expression.text === "require" && own.arguments.length === 1 && ts.isStringLiteralLike(own.arguments[0]));
}
