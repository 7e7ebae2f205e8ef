// Names of modules that only a framework, a bundler or a runtime knows, where a file writes them down: Deno's import
// maps, SvelteKit's and Nuxt's folders, literal aliases of Vite. The files are parsed, never run.

import { dirname, join } from "node:path";

import { parsed } from "./packages.mjs";

const CONFIGS = /^(?:svelte|nuxt|vite|vitest|astro|webpack|rollup|jest)\.config\.[mc]?[jt]s$/;
// Of the patterns of Jest those that are a prefix or a name: `^@/(.*)$`, `^config$`.
const PATTERN = /^\^((?:[^\\^$*+?.()[\]{}|]|\\.)+)(\(\.[*+]\))?\$?$/;

/**
 * Tables of prefixes by the folder in which they count.
 * @param {typeof import("typescript")} ts @param {import("./listing.mjs").Files} files
 */
export function literals(ts, files) {
  /** @type {Map<string, [string, string][]>} */
  const tables = new Map();
  const add = (/** @type {string} */ folder, /** @type {string} */ prefix, /** @type {string} */ target) => {
    const table = tables.get(folder) ?? [];
    tables.set(folder, table);
    table.push([prefix, /^\.{0,2}\//.test(target) && !target.startsWith("/") ? join(folder, target).replace(/\/$/, "") : target]);
  };
  for (const path of files.all()) {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const folder = dirname(path);
    if (/^deno\.jsonc?$/.test(name)) deno(path, folder);
    else if (name === "package.json") jest(folder, parsed(files.read(path)).jest ?? {});
    else if (CONFIGS.test(name)) {
      if (name.startsWith("svelte")) add(folder, "$lib", "./src/lib");
      if (name.startsWith("nuxt")) nuxt(folder);
      configured(path, folder);
    }
  }
  for (const table of tables.values()) table.sort((one, other) => other[0].length - one[0].length);

  function nuxt(/** @type {string} */ folder) {
    const source = files.hasFolder(join(folder, "app")) ? "./app/" : "./";
    for (const prefix of ["~~", "@@"]) add(folder, prefix, "./");
    for (const prefix of ["~", "@"]) add(folder, prefix, source);
    add(folder, "#shared", "./shared/");
  }

  function jest(/** @type {string} */ folder, /** @type {any} */ { moduleNameMapper, rootDir = "." } = {}) {
    for (const [pattern, target] of Object.entries(moduleNameMapper ?? {})) for (const one of [target].flat()) if (typeof one === "string") named(folder, pattern, one, String(rootDir));
  }
  /** `"^@/(.*)$": "<rootDir>/src/$1"` */
  function named(/** @type {string} */ folder, /** @type {string} */ pattern, /** @type {string} */ target, /** @type {string} */ rootDir) {
    const [, prefix, rest] = PATTERN.exec(pattern) ?? [];
    if (prefix && target.startsWith("<rootDir>") && target.endsWith("$1") === Boolean(rest)) add(folder, prefix.replace(/\\(.)/g, "$1"), `./${join(rootDir, target.slice("<rootDir>".length).replace("$1", ""))}`);
  }

  function deno(/** @type {string} */ path, /** @type {string} */ folder) {
    const json = ts.parseConfigFileTextToJson(path, files.read(path) ?? "{}").config ?? {};
    const map = join(folder, String(json.importMap ?? "."));
    for (const [at, { imports }] of Object.entries({ [path]: json, [map]: parsed(files.read(map)) })) {
      for (const [prefix, target] of Object.entries(imports ?? {})) if (typeof target === "string") add(folder, prefix, /^\.{1,2}\//.test(target) ? join(dirname(at), target) : target);
    }
    for (const one of Array.isArray(json.workspace) ? json.workspace : (json.workspace?.members ?? [])) {
      const below = join(folder, String(one));
      const own = ["deno.json", "deno.jsonc"].map((name) => join(below, name)).find(files.has);
      const member = own ? (ts.parseConfigFileTextToJson(own, files.read(own) ?? "{}").config ?? {}) : {};
      const exports = typeof member.exports === "string" ? { ".": member.exports } : (member.exports ?? {});
      if (member.name) for (const [sub, target] of Object.entries(exports)) add(folder, member.name + sub.slice(1), join(below, String(target)));
    }
  }

  /** `alias: { "@": "./src", "@/": path.resolve(__dirname, "src"), a: fileURLToPath(new URL("./src", import.meta.url)) }` */
  function configured(/** @type {string} */ path, /** @type {string} */ folder) {
    const file = ts.createSourceFile(path, files.read(path) ?? "", ts.ScriptTarget.Latest, true);
    const visit = (/** @type {import("typescript").Node} */ node) => {
      if (ts.isPropertyAssignment(node) && node.name.getText(file) === "moduleNameMapper" && ts.isObjectLiteralExpression(node.initializer)) {
        const root = ts.isObjectLiteralExpression(node.parent) && node.parent.properties.find((one) => ts.isPropertyAssignment(one) && one.name.getText(file) === "rootDir");
        const rootDir = root && ts.isPropertyAssignment(root) && ts.isStringLiteralLike(root.initializer) ? root.initializer.text : ".";
        for (const one of node.initializer.properties) if (ts.isPropertyAssignment(one) && ts.isStringLiteralLike(one.name) && ts.isStringLiteralLike(one.initializer)) named(folder, one.name.text, one.initializer.text, rootDir);
      }
      if (ts.isPropertyAssignment(node) && node.name.getText(file) === "alias") {
        if (ts.isObjectLiteralExpression(node.initializer)) for (const one of node.initializer.properties) if (ts.isPropertyAssignment(one)) pair(folder, one.name, one.initializer);
        if (ts.isArrayLiteralExpression(node.initializer)) {
          for (const one of node.initializer.elements) {
            if (!ts.isObjectLiteralExpression(one)) continue;
            const value = (/** @type {string} */ key) => one.properties.find((/** @type {any} */ entry) => ts.isPropertyAssignment(entry) && entry.name.getText(file) === key);
            const [find, replacement] = [value("find"), value("replacement")];
            if (find && replacement && ts.isPropertyAssignment(find) && ts.isPropertyAssignment(replacement)) pair(folder, find.initializer, replacement.initializer);
          }
        }
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  function pair(/** @type {string} */ folder, /** @type {any} */ key, /** @type {any} */ value) {
    const prefix = ts.isStringLiteralLike(key) || ts.isIdentifier(key) ? key.text : undefined;
    const strings = /** @type {string[]} */ ([]);
    const visit = (/** @type {any} */ node) => {
      if (ts.isStringLiteralLike(node)) strings.push(node.text);
      ts.forEachChild(node, visit);
    };
    visit(value);
    const target = strings.filter((one) => !/^[a-z]+:/.test(one)).join("/");
    if (prefix && target) add(folder, prefix.replace(/\/\*$/, "/"), target.startsWith("/") && files.hasFolder(target) ? target : `./${target.replace(/^\/|\/\*$/g, "")}`);
  }

  /** Where a specifier leads by the nearest table that knows it: a path, or another specifier. */
  function literal(/** @type {string} */ specifier, /** @type {string} */ from) {
    for (let folder = dirname(from); ; folder = dirname(folder)) {
      for (const [prefix, target] of tables.get(folder) ?? []) {
        if (specifier === prefix) return target;
        const open = prefix.endsWith("/") ? prefix : `${prefix}/`;
        if (specifier.startsWith(open)) return target.replace(/\/?$/, "/") + specifier.slice(open.length);
      }
      if (folder === dirname(folder)) return undefined;
    }
  }
  /** The nearest folder around a file that has a table; "" for none. */
  function around(/** @type {string} */ path) {
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      if (tables.has(folder)) return folder;
      if (folder === dirname(folder)) return "";
    }
  }
  return Object.assign(literal, { around, names: [...tables.values()].flat().map(([prefix]) => prefix) });
}
