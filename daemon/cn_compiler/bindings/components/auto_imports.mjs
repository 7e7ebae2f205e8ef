// Names that files use without an import, by what Nuxt and unplugin wrote down of them: `components.d.ts`, `auto-imports.d.ts`,
// and the declarations in `.nuxt`, which git ignores. Where Nuxt wrote nothing, by its folders: what two files may give there,
// neither gives.

import { basename, dirname, join } from "node:path";

import { autoNames, COMPONENT } from "./names.mjs";

const DECLARING = /(?:^|\/)(?:components|auto-imports)\.d\.ts$/;
const NUXT = /\/nuxt\.config\.[mc]?[jt]s$/;
// Whose files may name what nothing imports, whatever else stands there.
const IMPORTING = /\/(?:nuxt|nitro|wxt)\.config\.[mc]?[jt]s$/;
const BUNDLER = /\/[\w-]+\.config\.[mc]?[jt]s$/;
const PLUGIN = /\b(?:unplugin-(?:auto-import|vue-components)|unimport)\b/;
const WRITTEN = [".nuxt/components.d.ts", ".nuxt/types/components.d.ts", ".nuxt/types/imports.d.ts", ".nuxt/imports.d.ts"];
const TYPED = /["']?([\w$]+)["']?\s*:\s*(?:\w+<\s*)?typeof\s+import\(\s*["']([^"'\n]+)["']\s*\)\s*(?:\[\s*["']([\w$]+)["']\s*\]|\.([\w$]+))/g;
// Where a configuration says otherwise, folders tell nothing.
const NO_COMPONENTS = /\bcomponents\s*:/;
const NO_FUNCTIONS = /\b(?:autoImport|scan)\s*:\s*false\b/;
const SCANNED = /^(?:app\/|src\/)?(?:composables|utils)\/(?:[^/]+|[^/]+\/index)\.[mc]?[jt]s$/;
const FOLDERS = /^(?:app\/|src\/)?components\//;
export const EXPORTED = /^export\s+(?:async\s+)?(?:function\*?|const|let|class|enum)\s+([\w$]+)/gm;
const LISTED = /\bexport\s*\{([^}]*)\}\s*from\s*["']([^"'\n]+)["']/g;

/** @typedef {{ specifier: string, from: string, name: string }} Import */

export class AutoImports {
  /** @type {Map<string, Import>} */
  #names = new Map();
  /** @type {string[]} */
  #paths = [];
  /** By the folders of Nuxt; of two that would have a name, null. @type {Map<string, Import | null>} */
  #byFolder = new Map();
  /** @type {string[]} */
  #scanned = [];
  #texts = "";
  /** Whether names may come without an import. */
  isOn = false;

  /** @param {import("../listing.mjs").Files} files */
  constructor(files) {
    this.files = files;
    this.listed();
  }
  /** There are other files. */
  listed() {
    const all = [...this.files.all()];
    const nuxt = all.filter((path) => NUXT.test(path));
    const declaring = all.filter((path) => DECLARING.test(path));
    this.#paths = [...declaring, ...nuxt.flatMap((path) => WRITTEN.map((name) => join(dirname(path), name)))];
    this.isOn = declaring.length > 0 || all.some((path) => IMPORTING.test(path) || (BUNDLER.test(path) && PLUGIN.test(this.files.read(path) ?? "")));
    this.#texts = "";
    this.#names.clear();
    this.#byFolder.clear();
    this.#scanned = [];
    for (const path of nuxt) this.#folders(dirname(path), this.files.read(path) ?? "", all);
    this.refresh();
  }
  #folders(/** @type {string} */ root, /** @type {string} */ config, /** @type {string[]} */ all) {
    const inside = all.filter((path) => path.startsWith(`${root}/`));
    const below = (/** @type {RegExp} */ folder) => inside.filter((path) => folder.test(path.slice(root.length + 1)));
    if (!NO_COMPONENTS.test(config)) for (const path of below(FOLDERS)) if (COMPONENT.test(path)) for (const name of autoNames(path)) this.#give(name, path, "default");
    if (!NO_FUNCTIONS.test(config)) this.#scanned.push(...below(SCANNED));
  }
  #give(/** @type {string} */ own, /** @type {string} */ path, /** @type {string} */ name) {
    this.#byFolder.set(own, this.#byFolder.has(own) ? null : { specifier: `./${basename(path)}`, from: path, name });
  }
  /** Read anew what was written since. Whether something was. */
  refresh() {
    if (!this.#paths.length) return false;
    for (const path of this.#scanned.splice(0)) for (const [, name] of (this.files.read(path) ?? "").matchAll(EXPORTED)) this.#give(name, path, name);
    const texts = this.#paths.map((path) => (this.files.isFile(path) ? (this.files.read(path) ?? "") : ""));
    const whole = texts.join("\0");
    if (whole === this.#texts) return false;
    this.#texts = whole;
    this.#names.clear();
    texts.forEach((text, at) => this.#read(text, this.#paths[at]));
    return true;
  }
  #read(/** @type {string} */ text, /** @type {string} */ from) {
    for (const [, own, specifier, quoted, dotted] of text.matchAll(TYPED)) this.#names.set(own, { specifier, from, name: quoted ?? dotted });
    for (const [, list, specifier] of text.matchAll(LISTED)) {
      for (const one of list.split(",")) {
        const [name, own = name] = one.trim().replace(/^type\s+/, "").split(/\s+as\s+/);
        if (name) this.#names.set(own, { specifier, from, name });
      }
    }
  }
  /** Every name that may come so, and from where. @returns {Map<string, Import>} */
  all() {
    const byFolder = [...this.#byFolder].flatMap(([name, found]) => (found ? [/** @type {[string, Import]} */ ([name, found])] : []));
    return new Map([...byFolder, ...this.#names]);
  }
  /** What a name is that nothing imports. */
  get(/** @type {string} */ name) {
    return this.#names.get(name) ?? this.#byFolder.get(name) ?? undefined;
  }
}
