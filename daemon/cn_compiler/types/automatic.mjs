// What files use without an import, where Nuxt or unplugin import it for them, as declarations for the compiler.

import { AutoImports, EXPORTED } from "../bindings/components/auto_imports.mjs";
import { COMPONENT } from "../bindings/components/names.mjs";

const IDENTIFIER = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;
/** It leads nowhere: what is declared by it may be anything of the workspace. */
const NOWHERE = "./.$unknown";

export class Automatic {
  /** The file of the declarations. */
  path;
  text = "";
  #isOld = true;

  /**
   * @param {import("../bindings/listing.mjs").Files} files @param {string} root
   * @param {import("./components.mjs").Tools} tools
   */
  constructor(files, root, tools) {
    this.files = files;
    this.tools = tools;
    this.path = `${root}/.$automatic.d.ts`;
    this.names = new AutoImports(files);
  }

  /** Files changed, of which some may export names. */
  outdated() {
    this.names.listed();
    this.#isOld = true;
  }
  /** Read anew what was written since. Whether that declares something else. */
  refresh(/** @type {import("./programs.mjs").Resolver} */ resolver) {
    const isNew = this.names.refresh();
    if (!isNew && !this.#isOld) return false;
    this.#isOld = false;
    const before = this.text;
    this.text = this.names.isOn ? this.#declarations(resolver) : "";
    return this.text !== before;
  }
  #declarations(/** @type {import("./programs.mjs").Resolver} */ resolver) {
    /** @type {[string, string][]} each with its type */
    const globals = [];
    /** @type {[string, string][]} */
    const components = [];
    const known = new Set();
    const declare = (/** @type {string} */ name, /** @type {string} */ specifier, /** @type {string} */ exported) => {
      known.add(name);
      if (IDENTIFIER.test(name)) (COMPONENT.test(specifier) ? components : globals).push([name, `(typeof import(${JSON.stringify(specifier)}))[${JSON.stringify(exported)}]`]);
    };
    for (const [name, { specifier, from, name: exported }] of this.names.all()) {
      const target = resolver.resolve(specifier, from);
      // What a file of the workspace declares for all the program has of that.
      if (this.files.has(from) && /\.d\.ts$/.test(from)) known.add(name);
      else declare(name, "file" in target ? target.file : resolver.located(specifier, from) ?? specifier, exported);
    }
    for (const name of this.#vue()) if (!known.has(name)) declare(name, "vue", name);
    for (const path of this.files.all()) {
      if (/\.[mc]?[jt]s$/.test(path)) for (const [, name] of (this.files.read(path) ?? "").matchAll(EXPORTED)) if (!known.has(name)) declare(name, NOWHERE, name);
    }
    const lines = (/** @type {[string, string][]} */ all, /** @type {(name: string, type: string) => string} */ line) => all.map((one) => `  ${line(...one)};\n`).join("");
    const own = lines(globals, (name, type) => `const ${name}: ${type}`);
    // A template has the value of what holds one.
    const unwrapped = lines(globals, (name, type) => `${name}: Unwrapped<${type}>`);
    return `export {};\ntype Unwrapped<T> = 0 extends 1 & T ? T : import("vue").UnwrapRef<T>;\ndeclare global {\n${own}}\ndeclare module "vue" {\ninterface GlobalComponents {\n${lines(components, (name, type) => `${name}: ${type}`)}}\ninterface ComponentCustomProperties {\n${unwrapped}}\n}\n`;
  }
  /** What Vue itself exports. @returns {string[]} */
  #vue() {
    try {
      return Object.keys(this.tools.load("@vue/runtime-dom"));
    } catch {
      return [];
    }
  }
}
