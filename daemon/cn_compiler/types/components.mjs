// Components of Vue, Svelte and Astro in programs of the compiler: the scripts that the frameworks' own tools write of them
// (`@vue/language-core`, `svelte2tsx`, `@astrojs/compiler`), and where each word of these stands in the component. Nothing
// of the workspace's configuration is read: no plugin of a framework is loaded.

import Module, { createRequire } from "node:module";
import { dirname, join } from "node:path";

import { TYPED } from "../bindings/components/kit.mjs";
import { COMPONENT } from "../bindings/components/names.mjs";
import { linesOf } from "../bindings/facts.mjs";
import { written as astro } from "./frameworks/astro.mjs";
import { written as kit } from "./frameworks/kit.mjs";
import { written as svelte } from "./frameworks/svelte.mjs";
import { written as vue } from "./frameworks/vue.mjs";

/**
 * @typedef {{ start: number, end: number, from: number }} Piece start, end: in the script; from: in the component
 * @typedef {{ text: string, kind: import("typescript").ScriptKind, pieces: Piece[] }} Script pieces: by start
 * @typedef {{ scripts: Script[], unread: [number, number][] }} Written unread: what of the component no script stands for
 * @typedef {(tools: Tools, path: string, text: string, isInstalled: (name: string) => boolean) => Written} Framework
 * isInstalled: whether the workspace has a package there
 */

const WRITTEN = /^(.*\.(?:vue|svelte|astro)|.*\/\+(?:page|layout|server)(?:\.server)?\.ts)\.\$(\d+)\.ts$/;
const TORN = "a component that cannot be parsed";
const MISSING = "a component that is not read";
/** What the frameworks' own tools import in what they write. */
const PACKAGES = /^(?:vue|svelte|@vue\/[\w-]+)(?:\/|$)/;

/** The frameworks' own packages. */
export class Tools {
  /** @param {typeof import("typescript")} ts @param {string | undefined} folder the folder that has them in node_modules */
  constructor(ts, folder) {
    this.ts = ts;
    this.folder = folder;
    this.require = folder ? createRequire(join(folder, "package.json")) : undefined;
    if (this.require) share(ts);
  }
  /** What a package exports. Throws where it is not installed. */
  load(/** @type {string} */ name) {
    if (!this.require) throw new Error(`${name} is not installed`);
    return this.require(name);
  }
  /** Whether a file is of these packages. */
  holds = (/** @type {string} */ path) => this.folder !== undefined && path.startsWith(`${this.folder}/`);
  file(/** @type {string} */ name) {
    return join(this.folder ?? "", "node_modules", name);
  }
}
/** These packages take the TypeScript that there is. */
function share(/** @type {typeof import("typescript")} */ ts) {
  /** @type {any} */
  const loader = Module;
  const load = loader._load;
  loader._load = (/** @type {string} */ name, /** @type {any[]} */ ...rest) => (name === "typescript" ? ts : load(name, ...rest));
}

export class Components {
  /** @type {Map<string, Written & { text: string, reason: string }>} by path of a component */
  #written = new Map();
  /** In which line what is written behind the text of a script begins. @type {Map<string, number>} */
  written = new Map();

  /**
   * @param {typeof import("typescript")} ts
   * @param {import("../bindings/listing.mjs").Files} files
   * @param {string} root of the workspace
   * @param {string | undefined} folder as of Tools
   * @param {(path: string) => void} reading called with each component before it is read
   */
  constructor(ts, files, root, folder, reading) {
    this.files = files;
    this.root = root;
    this.tools = new Tools(ts, folder);
    this.reading = reading;
  }

  /** The component that a script is written of; of another file, itself. */
  source = (/** @type {string} */ path) => WRITTEN.exec(path)?.[1] ?? path;
  /** The files of a program that stand for a file. */
  standing = (/** @type {string} */ path) => {
    const isTyped = TYPED.test(path);
    if (!isTyped && !COMPONENT.test(path)) return [path];
    const written = this.#read(path).scripts.map((_, index) => `${path}.$${index}.ts`);
    return isTyped ? [path, ...written] : written;
  };
  /** Whether a script stands for a file that is in programs itself, and knows more. */
  isTyped = (/** @type {string} */ path) => TYPED.test(path) && this.standing(path).length > 1;
  /** The script of that path, when it is one that is written here. */
  script(/** @type {string} */ path) {
    const [, component, index] = WRITTEN.exec(path) ?? [];
    return component === undefined ? undefined : this.#read(component).scripts[Number(index)];
  }
  /** A component has changed: the scripts that were written of it. */
  forget(/** @type {string} */ path) {
    const scripts = this.#written.has(path) ? this.standing(path) : [];
    this.#written.delete(path);
    return scripts;
  }

  /** Where what stands at a place of a file is in the files that stand for it. @returns {import("./goals.mjs").Place[]} */
  places = (/** @type {import("./goals.mjs").Place} */ { file, start }) => {
    return this.standing(file).flatMap((path) => {
      if (path === file) return [{ file, start }];
      const { pieces } = /** @type {Script} */ (this.script(path));
      return pieces.filter((one) => one.from <= start && start < one.from + one.end - one.start).map((one) => ({ file: path, start: one.start + start - one.from }));
    });
  };
  /**
   * Where a mention stands that was found in a program; undefined of one that no text of the workspace has.
   * @template {{ file: string, line: number, character: number, length: number }} Found
   * @param {Found} found @returns {Found | undefined}
   */
  placed(found) {
    const script = this.script(found.file);
    if (!script) return found.line < (this.written.get(found.file) ?? Infinity) ? found : undefined;
    const file = this.source(found.file);
    const start = linesOf(script.text)[found.line] + found.character;
    const first = pieceAt(script.pieces, start);
    const last = pieceAt(script.pieces, start + found.length - 1);
    if (!first || !last) return undefined;
    const from = first.from + start - first.start;
    return { ...found, file, ...this.#at(file, from), length: last.from + start + found.length - last.start - from };
  }
  /**
   * Where a name stands in a file that is written otherwise in a program: in a component `item-closed` of `onItemClosed`.
   * @param {import("typescript").Node} node
   */
  spelled(node) {
    const { fileName, text } = node.getSourceFile();
    const file = this.source(fileName);
    const quote = /["'`]/.test(text[node.getStart()]) ? 1 : 0;
    const [start, end] = [node.getStart() + quote, node.getEnd() - quote];
    if (file === fileName) return { file, ...this.#at(file, start), length: end - start };
    const piece = this.script(fileName)?.pieces.find((one) => start < one.end && one.start < end);
    if (!piece) return undefined;
    const from = piece.from + Math.max(0, start - piece.start);
    const [word] = /^[\w$:.-]+/.exec(this.#text(file).slice(from)) ?? [""];
    return { file, ...this.#at(file, from), length: word.length };
  }
  /** What stands before a place in its line. */
  before(/** @type {{ file: string, line: number, character: number }} */ { file, line, character }) {
    const text = this.#text(file);
    const start = linesOf(text)[line];
    return text.slice(start, start + character);
  }
  /** Whether what stands at a place of a script stands in the component. */
  holds = (/** @type {string} */ path, /** @type {number} */ at) => pieceAt(this.script(path)?.pieces ?? [], at) !== undefined;
  /** A place of a file by which mentions are distinguished. */
  key = (/** @type {import("./goals.mjs").Place} */ { file, start }) => {
    const { line, character } = this.#at(file, start);
    return `${file}:${line}:${character}`;
  };
  /** The mentions of a name in what of a component is not read. isTorn: that is all of it. */
  doubts(/** @type {string} */ file, /** @type {string} */ name, /** @type {boolean} */ isTorn) {
    if (!COMPONENT.test(file)) return [];
    const { text, reason, ...found } = this.#read(file);
    const unread = isTorn ? [[0, text.length]] : found.unread;
    const word = new RegExp(`(?<![\\p{L}\\p{N}_$])${name.replaceAll("$", "\\$")}(?![\\p{L}\\p{N}_$])`, "gu");
    return [...text.matchAll(word)]
      .filter(({ index }) => unread.some(([start, end]) => start <= index && index < end))
      .map(({ index }) => ({ file, ...this.#at(file, index), length: name.length, kind: /** @type {const} */ ("doubt"), reason }));
  }
  #text = (/** @type {string} */ file) => (COMPONENT.test(file) ? this.#read(file).text : (this.files.read(file) ?? ""));
  #at(/** @type {string} */ file, /** @type {number} */ offset) {
    const starts = linesOf(this.#text(file));
    const line = starts.findLastIndex((start) => start <= offset);
    return { line, character: offset - starts[line] };
  }

  /** Of a package that the workspace has not installed, the declarations that are here. */
  installed(/** @type {string} */ specifier, /** @type {import("typescript").CompilerOptions} */ options, /** @type {import("typescript").ModuleResolutionHost} */ host) {
    const { ts, folder } = this.tools;
    if (!folder || !PACKAGES.test(specifier)) return undefined;
    const name = specifier === "vue" ? "@vue/runtime-dom" : specifier;
    return ts.resolveModuleName(name, join(folder, "index.ts"), options, host).resolvedModule;
  }

  /** Whether a package is installed for the files of a folder. @returns {boolean} */
  #has(/** @type {string} */ name, /** @type {string} */ folder) {
    return this.files.isFolder(join(folder, "node_modules", name)) || (folder.startsWith(`${this.root}/`) && this.#has(name, dirname(folder)));
  }

  #read(/** @type {string} */ path) {
    let found = this.#written.get(path);
    if (!found) this.#written.set(path, (found = this.#write(path, this.files.read(path) ?? "")));
    return found;
  }
  #write(/** @type {string} */ path, /** @type {string} */ text) {
    this.reading(path);
    /** @type {[number, number][]} */
    const whole = [[0, text.length]];
    try {
      const framework = path.endsWith(".vue") ? vue : path.endsWith(".svelte") ? svelte : path.endsWith(".astro") ? astro : kit;
      return { ...framework(this.tools, path, text, (name) => this.#has(name, dirname(path))), text, reason: TORN };
    } catch {
      return { scripts: [], unread: whole, text, reason: this.tools.folder ? TORN : MISSING };
    }
  }
}

/** The piece that holds an offset of a script. */
function pieceAt(/** @type {Piece[]} */ pieces, /** @type {number} */ at) {
  let low = 0;
  let high = pieces.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pieces[middle].start <= at) low = middle + 1;
    else high = middle;
  }
  const found = pieces[low - 1];
  return found && at < found.end ? found : undefined;
}
