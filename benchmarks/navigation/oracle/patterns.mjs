// What patterns take of members where the compiler's references do not tell it: README.md, "A reference".

import { ts } from "./compiler.mjs";
import { inside, place, programs } from "./workspace.mjs";

// No other text holds such a pattern.
const SIGNS = /[}\]]\s*(?:=(?![=>])|of\b)|\]\s*:/;
const isMember = (node) => ts.isClassElement(node) || ts.isTypeElement(node);

// `({ a } = {}) => b`: of a type that comes from around it and may be that of nothing, too, the compiler knows no member.
const isContextual = (node) => ts.isParameter(node) && node.initializer && !node.type;

// The name of a key of a pattern that assigns, that of a parameter with a default, or a computed one of a pattern that declares; and the member it takes.
function taken(checker, node) {
  const { parent } = node;
  if (ts.isObjectLiteralElement(node) && ts.isIdentifier(node.name ?? node)) {
    const takes = ts.isArrayLiteralOrObjectLiteralDestructuringPattern(parent);
    return takes && [node.name, checker.getPropertySymbolOfDestructuringAssignment(node.name)];
  }
  if (ts.isBindingElement(node) && isContextual(parent.parent) && ts.isIdentifier(node.propertyName ?? node.name)) {
    const name = node.propertyName ?? node.name;
    return [name, checker.getNonNullableType(checker.getTypeAtLocation(parent)).getProperty(name.text)];
  }
  const computed = ts.isBindingElement(node) && node.propertyName && ts.isComputedPropertyName(node.propertyName);
  const key = computed && node.propertyName.expression;
  return key && ts.isStringLiteralLike(key) && [key, checker.getTypeAtLocation(parent).getProperty(key.text)];
}

function* keys(program, index, source) {
  const checker = program.getTypeChecker();
  const nodes = [source];
  for (const node of nodes) {
    ts.forEachChild(node, (child) => void nodes.push(child));
    const [name, symbol] = taken(checker, node) || [];
    const from = (symbol && checker.getRootSymbols(symbol).flatMap((root) => root.declarations ?? [])) ?? [];
    const leads = from.map((one) => ({
      where: place(one.getSourceFile(), (ts.getNameOfDeclaration(one) ?? one).getStart()),
      member: isMember(one),
    }));
    const start = name && name.getStart(source) + (ts.isStringLiteralLike(name) ? 1 : 0);
    if (leads.length) yield { index, fileName: source.fileName, start, where: place(source, start), leads };
  }
}

let read;
/** The keys by which patterns take something declared there: {index, fileName, start, where}. own: places that declare
 *  a symbol. uses: those that use it, among them what overrides and implements it. */
export function patternUses(own, uses) {
  read ??= programs.flatMap((program, index) =>
    program
      .getSourceFiles()
      .filter((source) => inside(source.fileName) && SIGNS.test(source.text))
      .flatMap((source) => [...keys(program, index, source)]),
  );
  return read.filter(({ leads }) => leads.some(({ where, member }) => own.has(where) || (member && uses.has(where))));
}
