// The form of one text: what it declares, what is around a place, and its folds, as tsserver answers to
// `getOutliningSpans`. All places are offsets in UTF-16 units.

import { outline } from "./outline.mjs";
import { calls } from "./usage.mjs";

/** @typedef {{ start: number, length: number }} Span */

/** @param {typeof import("typescript")} ts the pinned one: these services are no public part of it */
export function syntax(ts) {
  /** @type {any} */
  const internal = ts;
  const untiring = { isCancellationRequested: () => false, throwIfCancellationRequested() {} };
  /** @type {{ path: string, text: string, file: import("typescript").SourceFile } | undefined} the tree that was asked for last: a question asks several things of one text */
  let last;
  function parsed(/** @type {string} */ path, /** @type {string} */ text) {
    if (last?.path !== path || last.text !== text) last = { path, text, file: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) };
    return last.file;
  }

  return {
    outline: (/** @type {string} */ path, /** @type {string} */ text) => outline(ts, parsed(path, text)),
    calls: (/** @type {string} */ path, /** @type {string} */ text, /** @type {number} */ start, /** @type {number} */ end) => calls(ts, parsed(path, text), start, end),
    /** Where identifiers stand between two offsets, those that touch these as well, in order; nothing of comments. @returns {[number, number][]} */
    identifiers(/** @type {string} */ path, /** @type {string} */ text, /** @type {number} */ start, /** @type {number} */ end) {
      const file = parsed(path, text);
      /** @type {[number, number][]} */
      const found = [];
      const visit = (/** @type {import("typescript").Node} */ node) => {
        if (node.end < start || node.pos > end) return;
        if ((ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) && node.end > node.pos) {
          const { parent } = node;
          const isElement = (ts.isJsxOpeningLikeElement(parent) || ts.isJsxClosingElement(parent)) && parent.tagName === node && internal.isIntrinsicJsxName(node.text);
          const at = node.getStart(file);
          if (!isElement && at <= end) found.push([at, node.end]);
        }
        ts.forEachChild(node, visit);
      };
      ts.forEachChild(file, visit);
      return found.sort(([one], [other]) => one - other);
    },
    /** What is around a place: the functions without a name, innermost first, and the statement at the top of the file; and all folds. */
    around(/** @type {string} */ path, /** @type {string} */ text, /** @type {number} */ offset) {
      const file = parsed(path, text);
      while (text[offset] === " " || text[offset] === "\t") offset++;
      const collected = internal.OutliningElementsCollector.collectElements(file, untiring);
      const folds = collected.map((/** @type {any} */ { textSpan, kind }) => ({ textSpan, kind }));
      /** @type {{ folds: { textSpan: Span, kind: string }[], functions: Span[], statement: Span | null }} */
      const found = { folds, functions: [], statement: null };
      const visit = (/** @type {import("typescript").Node} */ node) => {
        const start = node.getStart(file);
        if (offset < start || offset >= node.end) return;
        const span = { start, length: node.end - start };
        if (node.parent === file && !ts.isImportDeclaration(node) && !ts.isImportEqualsDeclaration(node)) found.statement = span;
        if (ts.isArrowFunction(node) || (ts.isFunctionExpression(node) && !node.name)) found.functions.unshift(span);
        ts.forEachChild(node, visit);
      };
      ts.forEachChild(file, visit);
      return found;
    },
  };
}
