// What widely used packages declare, for workspaces that have not installed them: only what hands on types that it is given,
// as all their versions do. What is not declared here stays unknown.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("../declared/", import.meta.url));
/** By specifier. @type {Record<string, string>} */
const FILES = { react: "react", "preact/hooks": "react", "preact/compat": "react", express: "express", "express-serve-static-core": "express", "node:async_hooks": "async_hooks", async_hooks: "async_hooks" };
// Modules in CommonJS, whatever the manifest of the workspace says of its own: what they assign to `exports` is their default.
const FILE = /^\/node_modules\/\.\$(\w+)\.d\.cts$/;
/** @type {Map<string, string>} */
const texts = new Map();

/** @returns {import("typescript").ResolvedModuleFull | undefined} */
export function resolved(/** @type {string} */ root, /** @type {string} */ specifier) {
  if (!Object.hasOwn(FILES, specifier)) return undefined;
  return { resolvedFileName: `${root}/node_modules/.$${FILES[specifier]}.d.cts`, extension: ".d.cts", isExternalLibraryImport: true };
}
/** The text of such a file. */
export function text(/** @type {string} */ root, /** @type {string} */ path) {
  const [, name] = (path.startsWith(root) && FILE.exec(path.slice(root.length))) || [];
  if (!name) return undefined;
  let found = texts.get(name);
  if (found === undefined) texts.set(name, (found = readFileSync(join(FOLDER, `${name}.d.ts`), "utf8")));
  return found;
}
