// Routes of SvelteKit: what `./$types` says of a folder comes from the scripts there, and from those of layouts above.

import { basename, dirname, join } from "node:path";

const TYPES = /^(\.{1,2}(?:\/\.\.)*)\/\$types(?:\.[cm]?[jt]s|\.d\.ts)?$/;
/** What loads the data of a page or a layout. */
export const LOADING = /\/\+(?:page|layout)(?:\.server)?\.[jt]s$/;
/** Scripts of which SvelteKit knows the types of what they take. */
export const TYPED = /\/\+(?:(?:page|layout)(?:\.server)?|server)\.ts$/;
/** What is given that data. */
export const SHOWN = /\/\+(?:page|layout|error)(?:@[^/]*)?\.svelte$/;

/** @typedef {{ isFile(path: string): boolean }} Files */

/** The folder of whose routes a specifier tells. */
export function folderOf(/** @type {Files} */ files, /** @type {string} */ specifier, /** @type {string} */ from) {
  const folder = TYPES.test(specifier) ? join(dirname(from), dirname(specifier)) : undefined;
  return folder !== undefined && (basename(from).startsWith("+") || loading(files, folder).length) ? folder : undefined;
}
/** The script of a folder that loads, by its name without an ending. */
export const script = (/** @type {Files} */ files, /** @type {string} */ folder, /** @type {string} */ name) => [".ts", ".js"].map((ending) => join(folder, name + ending)).find((path) => files.isFile(path));

/** The folder above that may have a layout. */
export function above(/** @type {string} */ folder) {
  return basename(folder) === "routes" || dirname(folder) === folder ? undefined : dirname(folder);
}
/** All that load for the routes of a folder. @returns {string[]} */
export function loading(/** @type {Files} */ files, /** @type {string} */ folder) {
  const own = ["+page", "+page.server", "+layout", "+layout.server"].flatMap((name) => script(files, folder, name) ?? []);
  const parent = above(folder);
  return parent === undefined ? own : [...own, ...loading(files, parent).filter((path) => basename(path).startsWith("+layout"))];
}
