// Which lines are the block of a declaration, and of a place in a body: README.md, "A block".

import { ts } from "./compiler.mjs";

const WHOLE_LINES = 80;

const lineOf = (source, offset) => source.getLineAndCharacterOfPosition(offset).line + 1;

/** The first and last line of a declaration: its statement, with decorators, and the comment that ends right above. */
export function block(node, source) {
  const whole = statement(node);
  if (ts.isJSDoc(whole)) return [lineOf(source, whole.pos), lineOf(source, whole.end)];
  let first = lineOf(source, whole.getStart(source));
  const comments = ts.getLeadingCommentRanges(source.text, whole.getFullStart()) ?? [];
  for (const comment of comments.reverse()) {
    if (lineOf(source, comment.pos) === first) continue;
    const start = source.getPositionOfLineAndCharacter(lineOf(source, comment.pos) - 1, 0);
    const alone = source.text.slice(start, comment.pos).trim() === "";
    const directive = /^\/\/[/#]/.test(source.text.slice(comment.pos, comment.pos + 3));
    if (lineOf(source, comment.end) !== first - 1 || !alone || directive) break;
    first = lineOf(source, comment.pos);
  }
  return [first, lineOf(source, whole.getEnd())];
}

function statement(node) {
  while (ts.isBindingElement(node) || ts.isBindingName(node)) node = node.parent;
  if (ts.isVariableDeclaration(node) && ts.isVariableDeclarationList(node.parent)) node = node.parent.parent;
  // `namespace A.B`
  while (ts.isModuleDeclaration(node) && ts.isModuleDeclaration(node.parent)) node = node.parent;
  return node;
}

const isCallback = (node) => ts.isArrowFunction(node) || ts.isFunctionExpression(node);

// A named function expression, unless a variable, a field or what a script assigns has it for its value, and so another
// name.
function isNamedExpression(node) {
  if (!ts.isFunctionExpression(node) || !node.name) return false;
  const wraps = (one) => ts.isAsExpression(one) || ts.isSatisfiesExpression(one) || ts.isParenthesizedExpression(one);
  const holder = ts.findAncestor(node.parent, (one) => !wraps(one));
  return !ts.isVariableDeclaration(holder) && !ts.isPropertyDeclaration(holder) && !isAssignedInScript(holder);
}

function isAssignedInScript(node) {
  if (!ts.isInJSFile(node) || !ts.isBinaryExpression(node)) return false;
  const statement = ts.findAncestor(node, (one) => !ts.isBinaryExpression(one));
  return ts.isExpressionStatement(statement) && ts.isSourceFile(statement.parent);
}

// A function, method, class or field, or whatever stands at the top of a module or a namespace.
function isOwner(node) {
  return (
    ts.isFunctionDeclaration(node) ||
    isNamedExpression(node) ||
    ts.isClassDeclaration(node) ||
    ts.isConstructorDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isMethodSignature(node) ||
    ts.isAccessor(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isEnumDeclaration(node) ||
    ts.isSourceFile(node.parent) ||
    ts.isModuleBlock(node.parent)
  );
}

/** The block around an identifier, or undefined when the rules name none. */
export function blockAround(identifier, source) {
  let callback;
  for (let node = identifier.parent; node && !ts.isSourceFile(node); node = node.parent) {
    if (isOwner(node)) {
      const lines = block(node, source);
      if (lines[1] - lines[0] < WHOLE_LINES) return lines[1] > lines[0] ? lines : undefined;
      return callback;
    }
    if (isCallback(node) && !callback) {
      const lines = [lineOf(source, node.getStart(source)), lineOf(source, node.getEnd())];
      if (lines[1] > lines[0] && lines[1] - lines[0] < WHOLE_LINES) callback = lines;
    }
  }
  return undefined;
}

/** The identifiers in bodies that name no declaration: where a developer who reads may point. */
export function bodyIdentifiers(source) {
  const found = [];
  const visit = (node, within) => {
    const declares = node.parent?.name === node || (node.parent && ts.isLabeledStatement(node.parent));
    if (within && ts.isIdentifier(node) && node.text && !declares) found.push(node);
    const body = ts.isBlock(node) && ts.isFunctionLike(node.parent);
    ts.forEachChild(node, (child) => visit(child, within || body));
  };
  visit(source, false);
  return found;
}
