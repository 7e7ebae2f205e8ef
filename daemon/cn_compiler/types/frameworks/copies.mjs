// Types that a framework's own tool writes a second time, where the component has them once.

/** @typedef {import("typescript").Node} Node @typedef {import("../components.mjs").Piece} Piece */

/**
 * The pieces of what was written before, as those of its copy.
 * @param {Piece[]} pieces @param {Node | undefined} first @param {Node} copy
 * @returns {Generator<Piece>}
 */
export function* again(pieces, first, copy) {
  if (!first || first.getText() !== copy.getText()) return;
  const by = copy.getStart() - first.getStart();
  for (const piece of pieces) {
    const [start, end] = [Math.max(piece.start, first.getStart()), Math.min(piece.end, first.getEnd())];
    if (start < end) yield { start: start + by, end: end + by, from: piece.from + start - piece.start };
  }
}
