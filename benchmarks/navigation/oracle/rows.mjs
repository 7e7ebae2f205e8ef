// The rows of all outlines.

import { declarations } from "./declarations.mjs";
import { place, relative, sources } from "./workspace.mjs";

export const symbols = [];
export const bySource = new Map();
export const outlines = {};
export const rowPlaces = new Set();
for (const source of sources()) {
  const rows = [];
  const own = [];
  declarations(source, (row) => {
    rows.push([row.text, source.getLineAndCharacterOfPosition(row.name.getStart(source)).line + 1]);
    own.push({ ...row, source });
    rowPlaces.add(place(source, row.name.getStart(source)));
  });
  outlines[relative(source.fileName)] = rows;
  bySource.set(source, own);
  symbols.push(...own);
}
