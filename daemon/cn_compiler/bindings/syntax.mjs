// What TypeScript's own services tell of the form of one text: the same that tsserver answers to `navtree-full`,
// `getOutliningSpans` and `selectionRange`. All places are offsets in UTF-16 units.

/** @typedef {{ start: number, length: number }} Span */
/** @typedef {{ textSpan: Span, parent?: Selection }} Selection */

const LONG = 200_000;
/** So many rows of an array that say the same names are told. */
const ROWS = 1000;

/**
 * TypeScript compares each member of an object with all that have its name: of generated data, in time that grows with the
 * square of its rows. Rows of an array that hold no more than literals go, once all their names were told often.
 * @param {typeof import("typescript")} ts
 */
function thin(ts, /** @type {import("typescript").Node} */ node) {
  if (ts.isArrayLiteralExpression(node) && node.elements.length > ROWS) {
    /** @type {Map<string, number>} */
    const told = new Map();
    const rows = node.elements.filter((row) => {
      const names = ts.isObjectLiteralExpression(row) ? row.properties.map((one) => (ts.isPropertyAssignment(one) && isPlain(ts, one.initializer) && "text" in one.name ? one.name.text : undefined)) : [undefined];
      const isTold = names.every((name) => name !== undefined && (told.get(name) ?? 0) >= ROWS);
      for (const name of names) if (name !== undefined) told.set(name, (told.get(name) ?? 0) + 1);
      return !isTold;
    });
    const { pos, end } = node.elements;
    Object.assign(node, { elements: Object.assign(rows, { pos, end }) });
  }
  ts.forEachChild(node, (child) => thin(ts, child));
}
const isPlain = (/** @type {typeof import("typescript")} */ ts, /** @type {import("typescript").Expression} */ value) =>
  ts.isLiteralExpression(value) || (ts.isPrefixUnaryExpression(value) && ts.isNumericLiteral(value.operand)) || [ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword, ts.SyntaxKind.NullKeyword].includes(value.kind);

/** @param {typeof import("typescript")} ts the pinned one: these services are no public part of it */
export function syntax(ts) {
  /** @type {any} */
  const internal = ts;
  const untiring = { isCancellationRequested: () => false, throwIfCancellationRequested() {} };
  const parsed = (/** @type {string} */ path, /** @type {string} */ text) => ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);

  return {
    outline(/** @type {string} */ path, /** @type {string} */ text) {
      const file = parsed(path, text);
      if (text.length > LONG) thin(ts, file);
      return internal.NavigationBar.getNavigationTree(file, untiring);
    },
    /** @returns {{ textSpan: Span, kind: string }[]} */
    folds: (/** @type {string} */ path, /** @type {string} */ text) =>
      internal.OutliningElementsCollector.collectElements(parsed(path, text), untiring).map((/** @type {any} */ { textSpan, kind }) => ({ textSpan, kind })),
    /** The syntax around a place, innermost first. */
    nesting(/** @type {string} */ path, /** @type {string} */ text, /** @type {number} */ offset) {
      /** @type {Span[]} */
      const spans = [];
      for (let at = /** @type {Selection | undefined} */ (internal.SmartSelectionRange.getSmartSelectionRange(offset, parsed(path, text))); at; at = at.parent) spans.push(at.textSpan);
      return spans;
    },
  };
}
