// What is called, and what is asked for its relations: README.md, "A caller" and "An implementation".

import { ts } from "./compiler.mjs";
import { programs } from "./workspace.mjs";

/** Whether the name at `node` (or the `this` of a static method) is the callee of a call: `f()`, `new F`, a template's
 * tag, a decorator, an element. */
export function callAt(node) {
  // A comment names it, otherwise.
  const isThis = node.kind === ts.SyntaxKind.ThisKeyword;
  if (!ts.isMemberName(node) && !ts.isStringLiteralLike(node) && !isThis) return false;
  let callee = node;
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) callee = parent;
  if (ts.isElementAccessExpression(parent) && parent.argumentExpression === node) callee = parent;
  while (ts.isOuterExpression(callee.parent) || isLast(callee)) callee = callee.parent;
  return isCallee(callee) || isCalledWithThis(callee);
}

// `f` of `(0, f)`, as compilers write a call without a `this`.
function isLast(node) {
  const { parent } = node;
  return ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.CommaToken && parent.right === node;
}

function isCallee(node) {
  const { parent } = node;
  if (ts.isCallOrNewExpression(parent) || ts.isDecorator(parent)) return parent.expression === node;
  if (ts.isTaggedTemplateExpression(parent)) return parent.tag === node;
  return ts.isJsxOpeningLikeElement(parent) && parent.tagName === node;
}

// `f.call(…)` and `f.apply(…)` call f.
function isCalledWithThis(node) {
  const { parent } = node;
  if (!ts.isPropertyAccessExpression(parent) || parent.expression !== node) return false;
  return ["call", "apply"].includes(parent.name.text) && ts.isCallExpression(parent.parent) && isCallee(parent);
}

/** Whether a row of an outline can be called: a function, a method, a class, a variable whose type has signatures. */
export function isCallable({ kind, node, name, source }) {
  if (["Function", "Method", "Class"].includes(kind)) return true;
  if (kind !== "Constant" && kind !== "Variable") return false;
  const program = programs.find((one) => one.getSourceFile(source.fileName) === source);
  const type = program.getTypeChecker().getTypeAtLocation(ts.isIdentifier(name) ? name : node);
  return type.getCallSignatures().length + type.getConstructSignatures().length > 0;
}

/** Whether a row of an outline is a class, an interface, or a member of one that others can implement or override. */
export function isOfType({ kind, node, name }) {
  if (kind === "Class" || kind === "Interface") return true;
  if (!["Method", "Property", "Accessor"].includes(kind) || ts.isPrivateIdentifier(name)) return false;
  const flags = ts.getCombinedModifierFlags(node);
  if (flags & (ts.ModifierFlags.Static | ts.ModifierFlags.Private)) return false;
  return ts.isClassLike(node.parent) || ts.isInterfaceDeclaration(node.parent);
}
