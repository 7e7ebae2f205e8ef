// What declares a member that a type has by its bases.

/**
 * @typedef {import("typescript").Symbol} Symbol
 * @typedef {import("./definitions.mjs").Definition} Definition
 */

/**
 * Where a member of that which a place declares is declared: of a class that of its instances, or its own. A name may stand for
 * a private one, which no heir has.
 * @param {import("./programs.mjs").Programs} programs @param {import("typescript").Program} program
 * @param {import("./goals.mjs").Place} asked @param {string} name
 * @returns {Definition[]}
 */
export function inherited({ ts, components }, program, asked, name) {
  const checker = program.getTypeChecker();
  /** @type {any} */
  const internal = ts;
  return components.places(asked).flatMap(({ file, start }) => {
    const source = program.getSourceFile(file);
    const node = source && internal.getTouchingPropertyName(source, start);
    /** @type {Symbol | undefined} */
    const symbol = node && (exported(ts, node)?.symbol ?? checker.getSymbolAtLocation(node));
    if (!symbol) return [];
    const isType = symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias);
    const types = [...(isType ? [checker.getDeclaredTypeOfSymbol(symbol)] : []), checker.getTypeOfSymbolAtLocation(symbol, node)];
    const member = types.map((type) => checker.getPropertyOfType(type, name)).find(Boolean);
    const names = member ? checker.getRootSymbols(member).flatMap(({ declarations = [] }) => declarations.flatMap((one) => ts.getNameOfDeclaration(one) ?? [])) : [];
    return names.flatMap((one) => {
      const at = one.getSourceFile();
      const kind = internal.SymbolDisplay.getSymbolKind(checker, member, one);
      const placed = components.placed({ file: at.fileName, ...at.getLineAndCharacterOfPosition(one.getStart()), length: one.getWidth() });
      return placed ? [{ ...placed, kind }] : [];
    });
  });
}

/** The class that a module exports as a whole, or as its default, where the export begins: it has no name. @returns {any} */
function exported(/** @type {typeof import("typescript")} */ ts, /** @type {import("typescript").Node} */ node) {
  const whole = node.parent && ts.isExportAssignment(node.parent) ? node.parent : node.parent?.parent;
  const isAssigned = whole && ts.isBinaryExpression(whole) && whole.left === node.parent && /** @type {any} */ (ts).isModuleExportsAccessExpression(whole.left);
  let value = whole && ts.isExportAssignment(whole) ? whole.expression : isAssigned ? whole.right : undefined;
  while (value && (ts.isParenthesizedExpression(value) || ts.isBinaryExpression(value))) value = ts.isBinaryExpression(value) ? value.right : value.expression;
  return value && ts.isClassExpression(value) ? value : undefined;
}
