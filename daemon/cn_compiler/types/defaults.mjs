// Defaults of props of a component of Vue: `withDefaults(defineProps<Props>(), { size: 1 })`. To the compiler what the component has
// is declared by the default alone.

/**
 * The prop for which a symbol is the default, as what its type is made of; else the symbol itself.
 * @param {typeof import("typescript")} ts @param {import("typescript").TypeChecker} checker @param {import("typescript").Symbol} symbol
 * @returns {import("typescript").Symbol[]}
 */
export function ofDefault(ts, checker, symbol) {
  const object = symbol.valueDeclaration?.parent;
  const call = object && ts.isObjectLiteralExpression(object) ? object.parent : undefined;
  if (!call || !ts.isCallExpression(call) || call.arguments[1] !== object || call.expression.getText() !== "withDefaults") return [symbol];
  const prop = checker.getTypeAtLocation(call.arguments[0]).getProperty(symbol.name);
  return prop ? [...checker.getRootSymbols(prop)] : [symbol];
}
