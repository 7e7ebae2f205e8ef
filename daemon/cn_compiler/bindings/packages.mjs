// The packages of the workspace, and where their names lead among its sources: installed or not, built or not.

import { dirname, join, normalize } from "node:path";

import { matches } from "./imports.mjs";

const ENDINGS = ["", ".ts", ".tsx", ".mts", ".cts", ".d.ts", ".d.mts", ".d.cts", ".js", ".jsx", ".mjs", ".cjs", ".json", "/index.ts", "/index.tsx", "/index.mts", "/index.d.ts", "/index.js", "/index.jsx", "/index.mjs"];
const BUILT = /^(?:\.\/)?(?:dist|lib|build|out|esm|cjs|es)(?:\/(?:esm|cjs|es|types|node|browser))?\//;
/** What a build writes. */
const WRITTEN = /\.d\.[mc]?ts$|\.[mc]?jsx?$/;
// Conditions that name sources come before those that name what is built, and last those that only some tools take: `react-server`.
const COMMON = /^(?:types|import|require|node|module|default)/;
const SOURCE = /source|^src$|^development$|^bun$|^deno$/;

/** A version that names a folder: it may be copied into node_modules. */
const LINKED = /^(?:workspace|file|link|portal):/;
/** What a manifest depends on. */
const DEPENDING = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];

/** @typedef {{ folder: string, json: Record<string, any> }} Package */

/** A source below a path without its ending, or with that of what is built from it. */
export function sourceAt(/** @type {import("./listing.mjs").Files} */ files, /** @type {string} */ path) {
  // As the compiler has it, what describes a script goes before it.
  const [, stem, kind] = /^(.*)\.([mc]?)jsx?$/.exec(path) ?? [];
  for (const ending of stem === undefined ? [] : [`.${kind}ts`, ".tsx", `.d.${kind}ts`]) if (files.has(stem + ending)) return stem + ending;
  for (const ending of ENDINGS) if (files.has(path + ending)) return path + ending;
  const script = /^(.*)\.(?:d\.)?([mc]?)[jt]s(x?)$/.exec(path);
  if (!script) return undefined;
  return [`.${script[2]}ts`, ".tsx", ".ts", `.${script[2]}js`, ".jsx"].map((ending) => script[1] + ending).find(files.has);
}

export class Packages {
  /** @type {Map<string, Package>} */
  byName = new Map();
  /** @type {Map<string, Package>} */
  byFolder = new Map();
  /** @type {Set<string>} names of packages that some manifest, lock file or import map depends on */
  dependencies = new Set();

  /** @param {import("./listing.mjs").Files} files @param {(folder: string) => [string, string][]} outputs folders that are written to from others */
  constructor(files, outputs) {
    this.files = files;
    this.outputs = outputs;
    for (const path of files.all()) {
      if (!path.endsWith("/package.json")) continue;
      const json = parsed(files.read(path));
      const own = { folder: dirname(path), json };
      this.byFolder.set(own.folder, own);
      if (typeof json.name === "string") {
        if (!this.byName.has(json.name)) this.byName.set(json.name, own);
        this.#namesakes.set(json.name, [...(this.#namesakes.get(json.name) ?? []), own]);
      }
      for (const kind of DEPENDING) {
        for (const [name, wanted] of Object.entries(json[kind] ?? {})) {
          this.dependencies.add(name);
          // "alias": "workspace:name@*", "link:../name", "file:../name"; "npm:name@1" is the registry's copy.
          const [, renamed] = /^workspace:((?:@[^/]+\/)?[^@]+)@/.exec(String(wanted)) ?? [];
          if (renamed) this.#renamed.push([name, renamed]);
          const [, folder] = /^(?:workspace|link|file|portal):(\.{1,2}\/.*)$/.exec(String(wanted)) ?? [];
          if (folder) this.#linked.push([name, join(own.folder, folder)]);
        }
      }
    }
    for (const [name, other] of this.#renamed) if (!this.byName.has(name) && this.byName.has(other)) this.byName.set(name, /** @type {Package} */ (this.byName.get(other)));
    for (const [name, folder] of this.#linked) if (!this.byName.has(name) && this.byFolder.has(folder)) this.byName.set(name, /** @type {Package} */ (this.byFolder.get(folder)));
  }
  /** @type {Map<string, Package[]>} */
  #namesakes = new Map();
  /** @type {[string, string][]} */
  #renamed = [];
  /** @type {[string, string][]} */
  #linked = [];

  /** Whether several packages have the name. */
  isShared = (/** @type {string} */ specifier) => (this.#namesakes.get(split(specifier)[0])?.length ?? 0) > 1;

  /** The folders of the packages of a name. */
  foldersOf = (/** @type {string} */ name) => [...new Set([...(this.#namesakes.get(name) ?? []), this.byName.get(name)])].flatMap((one) => one?.folder ?? []);

  /** The names of packages, each with a source that it leads to from somewhere. */
  *sources() {
    for (const [name, one] of this.byName) for (const own of new Set([one, ...(this.#namesakes.get(name) ?? [])])) yield /** @type {[string, string | undefined]} */ ([name, this.#inside(own, "")]);
  }

  /** The package that a path lies in. */
  around(/** @type {string} */ path) {
    for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
      const found = this.byFolder.get(folder);
      if (found) return found;
    }
    return undefined;
  }

  /**
   * Whether a file may take of what another one holds: one package is around them, or that of the first depends on the other,
   * by as many further ones of the workspace as there are.
   */
  mayTake(/** @type {string} */ path, /** @type {string} */ other) {
    const own = this.around(path);
    const wanted = this.around(other);
    if (!own || !wanted || other.startsWith(`${own.folder}/`) || path.startsWith(`${wanted.folder}/`)) return true;
    let reached = this.#reached.get(own);
    if (!reached) {
      this.#reached.set(own, (reached = new Set([own])));
      for (const one of reached) for (const next of this.#needs(one)) reached.add(next);
    }
    return reached.has(wanted);
  }
  /** The packages of the workspace on which one depends, by however many others. @type {Map<Package, Set<Package>>} */
  #reached = new Map();
  /** The packages of the workspace that a package, or one around it, depends on. */
  *#needs(/** @type {Package} */ own) {
    for (let one = /** @type {Package | undefined} */ (own); one; one = this.around(one.folder)) {
      for (const kind of DEPENDING) for (const name of Object.keys(one.json[kind] ?? {})) {
        const named = this.byName.get(name);
        if (named) yield* new Set([named, ...(this.#namesakes.get(named.json.name) ?? [])]);
      }
    }
  }

  /** The source that "name/sub" leads to from a file. */
  source(/** @type {string} */ specifier, /** @type {string} */ from) {
    const [name, sub] = split(specifier);
    const found = this.#named(name, from);
    return found && this.#inside(found, sub);
  }
  /** Whether a tsconfig says that what "name/sub" leads to from a file is written of that source. */
  isWritten(/** @type {string} */ specifier, /** @type {string} */ from, /** @type {string} */ source) {
    const [name, sub] = split(specifier);
    const own = this.#named(name, from);
    return own !== undefined && targets(own, sub).some((target) => this.#written(own.folder, normalize(join(own.folder, target))).some((at) => bare(at) === bare(source)));
  }
  /** The package of a name: of several the one that shares the most folders with a file, and lies the least deep. */
  #named(/** @type {string} */ name, /** @type {string} */ from) {
    const namesakes = this.#namesakes.get(name) ?? [];
    if (namesakes.length < 2) return this.byName.get(name);
    const parts = from.split("/");
    const order = namesakes.map((own) => {
      const folders = own.folder.split("/");
      return { own, shared: folders.findIndex((part, at) => part !== parts[at]) >>> 0, deep: folders.length };
    });
    return order.sort((one, other) => other.shared - one.shared || one.deep - other.deep || (one.own.folder < other.own.folder ? -1 : 1))[0].own;
  }

  /** Whether a package of the workspace exports files that are there, and "name/sub" is none of them: of what is to be built others may be. */
  refuses(/** @type {string} */ specifier) {
    const [name, sub] = split(specifier);
    const { folder = "", json: { exports = undefined } = {} } = this.byName.get(name) ?? {};
    return sub !== "" && !targetsOf(exports, sub).length && flat(exports).some((target) => this.files.has(join(folder, target)));
  }

  /** The source that "#a" of the "imports" of the package around leads to. */
  imports(/** @type {string} */ specifier, /** @type {string} */ from) {
    const own = this.around(from);
    const table = Object.fromEntries(Object.entries(own?.json.imports ?? {}).map(([key, value]) => [`./${key}`, value]));
    for (const target of targetsOf(table, specifier)) {
      const found = target.startsWith(".") ? this.#built(/** @type {Package} */ (own), target) : this.source(target, from);
      if (found) return found;
    }
    return undefined;
  }

  /** The source of what a folder with a manifest stands for: `require("..")`. */
  sourceIn(/** @type {string} */ folder) {
    const own = this.byFolder.get(folder);
    return own && this.#inside(own, "");
  }

  /** Whether who depends on a name, in the package around a file or one around that, says that the workspace's own is meant: `workspace:*`, `file:../a`. */
  isLinked(/** @type {string} */ name, /** @type {string} */ from) {
    for (let own = this.around(from); own; own = this.around(own.folder)) {
      const { json } = own;
      const wanted = DEPENDING.map((kind) => json[kind]?.[name]).find((one) => typeof one === "string");
      if (wanted !== undefined) return LINKED.test(wanted);
    }
    return false;
  }

  /** The source of what is built: `packages/a/dist/b.d.ts`. */
  sourceOf(/** @type {string} */ path) {
    const own = this.around(path);
    return own && this.#built(own, path.slice(own.folder.length + 1));
  }

  /** The source that stands of these declarations that a build wrote, or of this script beside some. By hand it is where it takes what is built. @returns {string | undefined} */
  writtenOf(/** @type {string} */ path) {
    const own = this.around(path);
    const inside = own && path.slice(own.folder.length + 1);
    if (!inside || !WRITTEN.test(path) || !BUILT.test(inside)) return undefined;
    const stem = path.replace(WRITTEN, "");
    if (![".d.ts", ".d.mts", ".d.cts"].some((ending) => this.files.has(stem + ending))) return undefined;
    const source = this.#built(own, inside);
    if (!source || WRITTEN.test(source)) return undefined;
    const [top] = inside.split("/");
    const isByHand = [...(this.files.read(path) ?? "").matchAll(/["'](\.\.\/[^"'\n]*)["']/g)].some(([, up]) => {
      const target = normalize(join(dirname(path), up)).slice(own.folder.length + 1);
      return BUILT.test(target) && target.split("/")[0] !== top;
    });
    return isByHand ? undefined : source;
  }

  /** Whether a package names a script or declarations for others, or what lies beside: a build may have written it. */
  ships(/** @type {string} */ path) {
    const own = this.around(path);
    if (!own || !WRITTEN.test(path)) return false;
    const { exports, main, module, browser, types, typings, typesVersions } = own.json;
    const named = [exports, main, module, browser, types, typings, ...Object.values(typesVersions ?? {})].flatMap(flat).map((one) => normalize(one));
    const inside = path.slice(own.folder.length + 1);
    return named.some((one) => (WRITTEN.test(one) || !/\.\w+$/.test(one)) && (dirname(one) === dirname(inside) || (one.includes("/") && inside.startsWith(`${one.split("/")[0]}/`))));
  }

  /** The script that the package around a path is, and the declarations that it names for it. @returns {{ script: string, declarations: string } | undefined} */
  declared(/** @type {string} */ path) {
    const own = this.around(path);
    if (own && !this.#declared.has(own)) {
      const { exports, types, typings, module, main = "index" } = own.json;
      const named = [types, typings, ...targetsOf(exports, ""), module, main].filter((one) => typeof one === "string").map((one) => normalize(join(own.folder, one)));
      const first = (/** @type {string[]} */ endings, /** @type {RegExp} */ kind) => named.flatMap((one) => endings.map((ending) => one + ending)).find((one) => kind.test(one) && this.files.has(one));
      const script = first(["", ".js", "/index.js"], /\.[mc]?jsx?$/);
      const declarations = first(["", ".d.ts", "/index.d.ts"], /\.d\.[mc]?ts$/);
      this.#declared.set(own, script && declarations ? { script, declarations } : undefined);
    }
    return own && this.#declared.get(own);
  }
  /** @type {Map<Package, { script: string, declarations: string } | undefined>} */
  #declared = new Map();

  #inside(/** @type {Package} */ own, /** @type {string} */ sub) {
    for (const target of targets(own, sub)) {
      const found = this.#built(own, target);
      if (found) return found;
    }
    return undefined;
  }

  #built(/** @type {Package} */ { folder }, /** @type {string} */ target) {
    const whole = normalize(join(folder, target));
    const written = this.#written(folder, whole);
    // Sources first: what is built and kept in git tells the same again.
    for (const at of [...written, ...(BUILT.test(target) ? [target.replace(BUILT, "src/"), target.replace(BUILT, "")] : []).map((one) => normalize(join(folder, one))), whole]) {
      const found = sourceAt(this.files, at) ?? (bare(target) !== target ? sourceAt(this.files, bare(at)) : undefined);
      // `lib/a.d.ts` that is there has its name from no folder `src/a`.
      const isOther = at !== whole && found && (this.#takes(found, whole) || (this.files.has(whole) && dirname(found) === bare(at)));
      if (found && !found.endsWith("/package.json") && !isOther) return found;
    }
    return undefined;
  }
  /** Of what the tsconfigs of a folder say that a path is written. */
  #written = (/** @type {string} */ folder, /** @type {string} */ path) => this.outputs(folder).filter(([out]) => path === out || path.startsWith(`${out}/`)).map(([out, from]) => from + path.slice(out.length));
  /** Whether a file imports what it would be the source of: that was written by hand. */
  #takes(/** @type {string} */ source, /** @type {string} */ built) {
    const wanted = bare(built);
    const kept = [built, ...[".d.ts", ".d.mts", ".d.cts"].map((ending) => wanted + ending)].some((path) => path !== source && this.files.has(path));
    if (!kept || !/\.[mc]?[jt]sx?$/.test(source)) return false;
    const found = [...(this.files.read(source) ?? "").matchAll(/\b(?:from|import|require)\b\s{0,9}\(?\s{0,9}["'](\.{1,2}\/[^"'\n]*)["']/g)];
    return found.some(([, specifier]) => bare(normalize(join(dirname(source), specifier))) === wanted);
  }
}

/** @returns {Record<string, any>} */
export function parsed(/** @type {string | undefined} */ text) {
  try {
    const value = JSON.parse(text ?? "{}");
    return value && typeof value === "object" && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

export function split(/** @type {string} */ specifier) {
  const parts = specifier.split("/");
  const length = specifier.startsWith("@") ? 2 : 1;
  return [parts.slice(0, length).join("/"), parts.slice(length).join("/")];
}

/** A path without the ending of a script or of declarations. */
const bare = (/** @type {string} */ path) => path.replace(/(?:\.d)?\.[mc]?[jt]sx?$/, "");

/** What a manifest names for "./sub", then where that is by custom. */
function targets(/** @type {Package} */ { folder, json }, /** @type {string} */ sub) {
  const found = targetsOf(json.exports, sub);
  if (!sub) {
    for (const key of ["source", "types", "typings", "module", "main", "svelte", "browser"]) if (typeof json[key] === "string") found.push(json[key]);
    return [...found, "./src/index", "./index", "./src/main", "./lib/index", `./src/${folder.split("/").pop()}`];
  }
  // A resolution that does not know "exports" finds it there.
  return found.length || !json.exports ? [...found, `./${sub}`, `./src/${sub}`, `./lib/${sub}`] : [`./${sub}`];
}

/** What "exports" names for "./sub", sources first. */
function targetsOf(/** @type {any} */ exports, /** @type {string} */ sub) {
  const key = sub ? `./${sub}` : ".";
  const table = Object.keys(exports ?? {}).some((one) => one.startsWith(".")) ? exports : { ".": exports };
  if (key in table) return flat(table[key]);
  for (const pattern of Object.keys(table).sort((one, other) => other.length - one.length)) {
    if (!pattern.includes("*") || !matches(pattern, key)) continue;
    const [before, after] = pattern.split("*");
    const star = key.slice(before.length, key.length - after.length);
    return flat(table[pattern]).map((target) => target.replaceAll("*", star));
  }
  return [];
}

/** @returns {string[]} */
function flat(/** @type {any} */ value) {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(flat);
  const entries = Object.entries(value ?? {});
  const order = (/** @type {string} */ key) => (SOURCE.test(key) ? 0 : COMMON.test(key) ? 1 : 2);
  return entries.sort(([one], [other]) => order(one) - order(other)).flatMap(([, one]) => flat(one));
}
