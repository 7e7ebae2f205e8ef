// The form of one text: what it declares, and what TypeScript's own services tell of its folds and of the syntax around a
// place, as tsserver answers to `getOutliningSpans` and `selectionRange`. All places are offsets in UTF-16 units.

import { outline } from "./outline.mjs";

/** @typedef {{ start: number, length: number }} Span */
/** @typedef {{ textSpan: Span, parent?: Selection }} Selection */

/** @param {typeof import("typescript")} ts the pinned one: these services are no public part of it */
export function syntax(ts) {
  /** @type {any} */
  const internal = ts;
  const untiring = { isCancellationRequested: () => false, throwIfCancellationRequested() {} };
  const parsed = (/** @type {string} */ path, /** @type {string} */ text) => ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);

  return {
    outline: (/** @type {string} */ path, /** @type {string} */ text) => outline(ts, parsed(path, text)),
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
