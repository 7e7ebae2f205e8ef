// The engine over one workspace: facts by content, resolution and symbols as long as no file changes.

import { dirname, join, normalize } from "node:path";

import { Ambients } from "./ambients.mjs";
import { FactsCache } from "./cache.mjs";
import { AutoImports } from "./components/auto_imports.mjs";
import { COMPONENT, nameOf } from "./components/names.mjs";
import { isShown, Owner, Role, member, memberOf } from "./facts.mjs";
import { Imports, importing, specifiersIn, tailOf } from "./imports.mjs";
import { References } from "./references.mjs";
import { Reach } from "./reach.mjs";
import { resolver } from "./resolve.mjs";
import { Store } from "./store.mjs";
import { SYNTHETIC, Symbols, VALUE } from "./symbols.mjs";

/**
 * @typedef {import("./facts.mjs").Facts} Facts
 * @typedef {import("./symbols.mjs").Thing} Thing
 * @typedef {Extract<Thing, { kind: "variable" }>} Variable
 * @typedef {import("./references.mjs").Answer} Answer
 * @typedef {{ byName: Groups, byOwner: Groups, byTarget: Map<number, number[]>, byVariable: Map<number, string[]>, specifiers: number[] }} Index
 */

const SCRIPT = /\.[mc]?[jt]sx?$/;
/** What a script exports otherwise than name by name. */
const UNNAMED = /\bexports\b(?!\s*\.\s*[\w$]+\s*=(?!=))/;
const SCRIPT_ALONE = /\.[mc]?jsx?$/;
/** Their literals name modules. */
const CONFIG = /\.config\.[mc]?[jt]s$/;
const NAMESPACE_ALONE = 1024; // ts.SymbolFlags.NamespaceModule
const ALIAS = 2097152; // ts.SymbolFlags.Alias
const DECLARATIONS = /\.d\.[mc]?ts$/;
const REFERRING = /^\/\/\/\s{0,9}<reference\s{1,9}path=["']([^"'\n]{1,300})["']/gm;
// A text that may export what it does not name.
const REEXPORTING = /\\u|\bexport\s*(?:\*|=|import\b|type\s*\*)|\bexports\b|\b__export/;
/** In so many files it is looked up what a member is. */
const MEMBERS = 10;
/** So many files are parsed before somebody asks for them. */
const PREPARED = 20_000;
/** @type {any[]} */
const NONE = [];

export class Engine {
  /** @type {WeakMap<Facts, Index>} */
  #indexes = new WeakMap();
  /** @type {Map<string, string[]>} */
  #words = new Map();
  /** @type {Set<string>} */
  wants = new Set();
  /**
   * @param {typeof import("typescript")} ts
   * @param {import("./listing.mjs").Files} files
   * @param {string} root
   * @param {(word: string) => string[] | undefined} words the files that hold a word; undefined: to be asked for
   * @param {Store} [store]
   * @param {import("./components/reading.mjs").Libraries} [libraries] those that read components
   */
  constructor(ts, files, root, words, store = new Store(""), libraries = missing) {
    this.ts = ts;
    this.files = files;
    this.root = root;
    this.words = words;
    this.resolver = resolver(ts, files, root);
    this.cache = new FactsCache(ts, files, store, (path) => this.resolver.isModule(path), libraries);
    this.imports = new Imports(files);
    this.ambients = new Ambients(files, (word) => this.#ask(word));
    this.autoImports = new AutoImports(files);
    this.reach = new Reach(this);
    this.symbols = this.#symbols();
  }
  #symbols() {
    return new Symbols((path) => this.facts(path), this.resolver.resolve, this.ambients, (word) => this.#ask(word) ?? [], this.#mayExport, this.resolver.isAssigned, this.autoImports, this.writtenOf, this.imports.aliasing.bind(this.imports), this.scriptOf);
  }
  /** What does not hold a name, and exports no other module as a whole, need not be parsed to know that it does not export it. @type {(path: string, name: string) => boolean} */
  #mayExport = (/** @type {string} */ path, /** @type {string} */ name) => {
    const text = this.hasFacts(path) ? undefined : this.text(path);
    const script = this.scriptOf(path);
    return text === undefined || text.includes(name) || REEXPORTING.test(text) || (script !== undefined && this.#mayExport(script, name));
  };
  /** Some of what symbols tell waits for words. */
  #guesses = false;
  #ask(/** @type {string} */ word) {
    const given = this.words(word);
    if (given === undefined) this.wants.add(word), (this.#guesses = true);
    return given;
  }
  /** @type {Map<string, string[]>} */
  #importers = new Map();
  /** @type {Map<string, Map<string, string[]>>} */
  #leads = new Map();

  /** Files that are new, gone or of another content. */
  update(/** @type {string[]} */ changed, isListed = false) {
    this.cache.update(changed);
    this.imports.changed(changed);
    this.ambients.changed(changed);
    // Where specifiers lead depends on which files there are, and on what is no plain script.
    if (!isListed || !changed.every((path) => (SCRIPT.test(path) || COMPONENT.test(path)) && !CONFIG.test(path))) {
      this.resolver = resolver(this.ts, this.files, this.root);
      this.autoImports.listed();
      this.cache.resolved();
    }
    this.reach = new Reach(this);
    this.symbols = this.#symbols();
    this.#importers.clear();
    this.#referred = undefined;
    this.#leads.clear();
    this.#written.clear();
    this.#preparing = undefined;
    this.forget();
  }
  /** @type {Iterator<void> | undefined} */
  #preparing;
  /** Get ready for questions, for so many milliseconds. Whether something is left to do. */
  prepare(/** @type {number} */ ms) {
    const end = Date.now() + ms;
    this.#preparing ??= this.#prepare();
    while (Date.now() < end) if (this.#preparing.next().done) return false;
    return true;
  }
  /** Who imports what, then the facts. */
  *#prepare() {
    const scripts = [...this.files.all()].filter((path) => SCRIPT.test(path) || COMPONENT.test(path)).slice(0, PREPARED);
    for (const path of this.imports.importing()) {
      this.imports.isNamespace(path);
      this.imports.clauses(path);
      yield;
    }
    for (const tail of this.imports.tails()) yield void this.#leading(tail);
    for (const path of scripts) yield this.cache.prepare(path);
    globalThis.gc?.(); // trees and texts were needed on the way, and V8 would keep their room
  }

  /** The declarations beside a script, or the script beside declarations. */
  beside(/** @type {string} */ path) {
    const [, stem, declared, kind, script] = /^(.*?)(?:\.d\.([mc]?)ts|\.([mc]?)js(x?))$/.exec(path) ?? [];
    const endings = stem === undefined ? [] : declared === undefined ? [script ? ".d.ts" : `.d.${kind}ts`] : declared ? [`.${declared}js`] : [".js", ".jsx"];
    return endings.map((ending) => stem + ending).find((one) => this.files.has(one));
  }

  /** The script beside declarations, which exports at least what they declare. */
  scriptOf = (/** @type {string} */ path) => (DECLARATIONS.test(path) ? this.beside(path) : undefined);

  /** The source of which a build wrote a file. */
  writtenOf = (/** @type {string} */ path) => {
    if (!this.#written.has(path)) this.#written.set(path, this.resolver.mapped(path) ?? this.resolver.packages.writtenOf(path));
    return this.#written.get(path);
  };
  /** @type {Map<string, string | undefined>} */
  #written = new Map();

  /** What was told of words counts for one question. */
  forget() {
    this.#words.clear();
    if (this.cache.trim() || this.autoImports.refresh() || this.#guesses) this.symbols = this.#symbols();
    if (this.#guesses) this.reach = new Reach(this);
    this.#guesses = false;
  }

  // ---- facts of a file, and where to find them

  facts = (/** @type {string} */ path) => this.cache.facts(path);
  /** Whether its facts are had without parsing. */
  hasFacts = (/** @type {string} */ path) => this.cache.has(path);
  failure = (/** @type {string} */ path) => this.cache.failure(path);
  text = (/** @type {string} */ path) => this.cache.text(path);
  /** Where those clauses lead, which stand in a file, that may import a name. */
  targets = (/** @type {string} */ path, /** @type {import("./imports.mjs").Clause[]} */ clauses, /** @type {string} */ word) => importing(clauses, word).map(({ specifier, ...rest }) => ({ ...rest, ...this.resolver.resolve(specifier, path) }));
  shown = (/** @type {string} */ path) => (path.startsWith(`${this.root}/`) ? path.slice(this.root.length + 1) : path);

  /** Whether a file may declare something of a name, `#` aside: a variable, a member, a key. */
  mayDeclare(/** @type {string} */ path, /** @type {string} */ name) {
    const facts = this.facts(path);
    // Of constructors, and names that are computed or escaped, the facts have none.
    if (!facts || name === "constructor" || /[[\\]/.test(name)) return true;
    const imported = new Set(facts.variables.filter((one) => one.text === name && one.stands === "module" && one.flags & ALIAS).map((one) => one.start)); // `import * as name`
    // The binder names a private member `__#1@#name`.
    if (facts.declarations.some((one) => (one.name === name || one.name.endsWith(`@#${name}`)) && !imported.has(one.nameStart))) return true;
    const written = facts.names.indexOf(name);
    for (let at = 0; written >= 0 && at < facts.uses.length; at += 4) {
      const roles = facts.uses[at + 3];
      if (facts.uses[at] === written && roles & (Role.Declaration | Role.Key) && !(roles & Role.Alias) && !imported.has(facts.uses[at + 1])) return true;
    }
    return false;
  }

  filesWith(/** @type {string} */ word) {
    let found = this.#words.get(word);
    if (found) return found;
    const given = this.words(word);
    if (given === undefined) this.wants.add(word);
    this.#words.set(word, (found = given ?? []));
    return found;
  }

  #index(/** @type {string} */ path) {
    const facts = this.facts(path);
    if (!facts) return undefined;
    const known = this.#indexes.get(facts);
    if (known) return known;
    const { uses, variables } = facts;
    const [byName, byOwner] = [0, 2].map((column) => new Groups(uses.length / 4, (use) => uses[use * 4 + column]));
    /** @type {Index} */
    const index = { byName, byOwner, byTarget: new Map(), byVariable: new Map(), specifiers: [] };
    for (let at = 0; at < uses.length; at += 4) if (uses[at + 3] & Role.Specifier) index.specifiers.push(at / 4);
    variables.forEach((one, variable) => one.target !== undefined && push(index.byTarget, one.target, variable));
    for (const [name, variable] of facts.exports) push(index.byVariable, variable, name);
    this.#indexes.set(facts, index);
    return index;
  }
  /** @returns {number[]} */
  usesOf = (/** @type {string} */ path, /** @type {string} */ name) => this.#index(path)?.byName.of(/** @type {Facts} */ (this.facts(path)).names.indexOf(name)) ?? NONE;
  /** @returns {number[]} */
  ownedBy = (/** @type {string} */ path, /** @type {number} */ variable) => this.#index(path)?.byOwner.of(variable) ?? NONE;
  /** @returns {number[]} */
  membersOf = (/** @type {string} */ path, /** @type {number} */ use) => this.#index(path)?.byOwner.of(member(use)) ?? NONE;
  /** @returns {number[]} variables that stand for a use */
  standingFor = (/** @type {string} */ path, /** @type {number} */ use) => this.#index(path)?.byTarget.get(use) ?? NONE;
  /** @returns {string[]} */
  exportedAs = (/** @type {string} */ path, /** @type {number} */ variable) => this.#index(path)?.byVariable.get(variable) ?? NONE;
  /** The names by which a file exports one of its variables: where it declares it, and in lists. */
  #knownAs = (/** @type {string} */ path, /** @type {number} */ variable) => [variable, ...this.ownedBy(path, variable).flatMap((use) => this.standingFor(path, use))].flatMap((one) => this.exportedAs(path, one));
  /** @returns {number[]} */
  specifiers = (/** @type {string} */ path) => this.#index(path)?.specifiers ?? NONE;

  /** Specifiers that are patterns. */
  computed = (/** @type {string} */ path) => this.specifiers(path).filter((use) => /** @type {Facts} */ (this.facts(path)).uses[use * 4 + 3] & Role.Pattern);

  /** Words that end the specifiers of modules. */
  tails(/** @type {string[]} */ modules) {
    return new Set(modules.flatMap((one) => [...this.resolver.tails(one)]));
  }

  /** The files that import a module: a path, or the quoted name of an ambient one. */
  importers(/** @type {string} */ module) {
    const known = this.#importers.get(module);
    if (known) return known;
    const found = new Set();
    const name = module.startsWith('"') ? module.slice(1, -1) : "";
    if (name) for (const path of name.includes("*") ? this.imports.matching(name) : (this.imports.ending(tailOf(name)).get(name) ?? [])) found.add(path);
    else for (const tail of [...this.tails([module]), ""]) for (const path of this.#leading(tail).get(module) ?? NONE) found.add(path);
    const files = [...found];
    this.#importers.set(module, files);
    return files;
  }

  /** The files by which a program has a file: what imports it, or names it by `/// <reference path="…" />`. */
  bringing = (/** @type {string} */ file) => [...this.importers(file), ...(this.#referring().get(file) ?? NONE)];
  /** By a path the files that refer to it. */
  #referring() {
    if (this.#referred) return this.#referred;
    /** @type {Map<string, string[]>} */
    const found = new Map();
    const holding = this.filesWith("reference");
    for (const path of holding) for (const [, other] of (this.text(path) ?? "").matchAll(REFERRING)) push(found, normalize(join(dirname(path), other)), path);
    if (!this.wants.has("reference")) this.#referred = found;
    return found;
  }
  /** Until a file changes. @type {Map<string, string[]> | undefined} */
  #referred;

  /** Specifiers that lead nowhere, and end as those of a module do. */
  nowhere(/** @type {string} */ module) {
    const found = [];
    for (const tail of this.tails([module])) {
      const files = new Set([...this.imports.ending(tail).values()].flat());
      for (const file of files) {
        const names = this.facts(file)?.names ?? NONE;
        for (const use of this.specifiers(file)) {
          const isOpen = tailOf(names[/** @type {Facts} */ (this.facts(file)).uses[use * 4]]) === tail && this.symbols.things(file, use).some((one) => one.kind === "outside" && one.open);
          if (isOpen) found.push({ file, use });
        }
      }
    }
    return found;
  }

  /** By the module to which they lead, the files that hold a specifier which ends so. */
  #leading(/** @type {string} */ tail) {
    let found = this.#leads.get(tail);
    if (found) return found;
    this.#leads.set(tail, (found = new Map()));
    for (const [specifier, paths] of this.imports.ending(tail)) {
      for (const path of paths) {
        const target = this.resolver.resolve(specifier, path);
        if ("file" in target) for (const file of [target.file, ...(target.others ?? [])]) push(found, file, path);
      }
    }
    return found;
  }

  /** Where a text that is not parsed names a module first. */
  specifierAt(/** @type {string} */ path, /** @type {string} */ module) {
    const text = this.text(path) ?? "";
    const leads = (/** @type {string} */ specifier) => {
      const target = this.resolver.resolve(specifier, path);
      return "file" in target && target.file === module;
    };
    const [found = ""] = [...specifiersIn(text)].filter(leads);
    return Math.max(0, text.indexOf(found));
  }

  /** Where modules, or those that hand on all of them, leave the name that holds it. */
  namespacesOf(/** @type {string[]} */ modules) {
    const found = [];
    for (const one of modules) {
      for (const name of ["exports", "module"]) {
        const own = one.startsWith('"') ? NONE : this.usesOf(one, name);
        for (const use of own) if (this.symbols.isExports(one, use)) found.push(...this.#leaving(one, [use, ...this.standingFor(one, use).flatMap((variable) => this.ownedBy(one, variable))]));
      }
      const isDefault = !one.startsWith('"') && (this.resolver.isCommonJs(one) || SYNTHETIC.test(one) || this.facts(one)?.isCommonJs);
      for (const path of this.importers(one)) {
        if (!isDefault && !this.imports.isNamespace(path)) continue;
        const facts = this.facts(path);
        if (!facts) continue;
        const { uses, stars } = facts;
        for (const use of [...this.specifiers(path), ...(isDefault ? this.usesOf(path, "default") : [])]) {
          if (!this.symbols.things(path, use).some((thing) => this.symbols.isModule(thing, one))) continue;
          if (stars.includes(use) && !modules.includes(path)) modules.push(path);
          const held = [use, ...this.standingFor(path, use).flatMap((variable) => this.ownedBy(path, variable))];
          found.push(...this.#leaving(path, held));
        }
      }
    }
    return found;
  }

  #leaving(/** @type {string} */ path, /** @type {number[]} */ held) {
    const { uses } = /** @type {Facts} */ (this.facts(path));
    return held.filter((at) => uses[at * 4 + 3] & Role.Leaves).map((at) => ({ file: path, start: uses[at * 4 + 1], length: 0, roles: 0 }));
  }

  /** Where modules are read by a key that is computed: what stands for which. @returns {Generator<{ file: string, use: number, module: Thing }>} */
  *readByKey() {
    for (const file of this.imports.readingByKey()) {
      const uses = this.facts(file)?.uses ?? NONE;
      for (let use = 0; use < uses.length / 4; use++) {
        if (uses[use * 4 + 3] & Role.Computed) for (const module of this.symbols.things(file, use)) if (module.kind === "module") yield { file, use, module };
      }
    }
  }

  // ---- questions

  /** What is quoted begins behind the quote. */
  #unquoted = (/** @type {string} */ path, /** @type {number} */ start) => start + (/["'`]/.test(this.text(path)?.[start] ?? "") ? 1 : 0);
  /** The thing that a place names; the place counts UTF-16 units from 0. @returns {Thing[]} */
  at(/** @type {string} */ path, /** @type {number} */ start) {
    const facts = this.facts(path);
    if (!facts) return [];
    const { uses, names } = facts;
    start = this.#unquoted(path, start);
    /** @type {number[]} */
    const here = [];
    // A component's own name stands at its beginning, where no other one can.
    const lengthOf = (/** @type {number} */ at) => (uses[at + 1] === 0 && COMPONENT.test(path) ? 1 : names[uses[at]].length);
    for (let at = 0; at < uses.length; at += 4) if (uses[at + 1] <= start && start < uses[at + 1] + lengthOf(at) && isShown(uses[at + 3])) here.push(at / 4);
    const nearest = Math.max(...here.map((use) => uses[use * 4 + 1]));
    // A shorthand `{ a }` is a use of a and declares a key; in a pattern it declares a and uses a key.
    const own = here.filter((use) => uses[use * 4 + 1] === nearest).filter((use) => !(uses[use * 4 + 3] & Role.Key));
    const things = (own.length ? own : here).flatMap((use) => this.symbols.things(path, use)).flatMap((one) => (one.kind === "global" ? this.#everywhere(one, path) : [one]));
    const keys = new Set();
    return things.filter((one) => !keys.has(this.symbols.key(one)) && keys.add(this.symbols.key(one)));
  }

  /** The specifier of the import, or of the `require`, that gives a name which stands at a place. */
  importedAt(/** @type {string} */ path, /** @type {number} */ start) {
    const { uses, names, variables } = this.facts(path) ?? { uses: [], names: [], variables: [] };
    for (let at = 0; at < uses.length; at += 4) {
      if (uses[at + 1] !== start || !(uses[at + 3] & Role.Declaration)) continue;
      let use = variables[uses[at + 2]]?.target ?? -1;
      while (use >= 0 && !(uses[use * 4 + 3] & Role.Specifier)) use = memberOf(uses[use * 4 + 2]);
      if (use >= 0) return names[uses[use * 4]];
    }
    return undefined;
  }

  /** What the files of a file's programs declare for all others by a name. @returns {Thing[]} */
  #everywhere(/** @type {Extract<Thing, { kind: "global" }>} */ thing, /** @type {string} */ from) {
    if (thing.path.includes(".")) return [thing];
    const ambient = new Set(this.imports.ambient());
    const { programsOf } = this.resolver;
    const own = programsOf(from);
    const isKnown = (/** @type {string[]} */ others) => !own.length || !others.length || own.some((at) => others.includes(at));
    const found = this.symbols.everywhere(thing.path, this.filesWith(thing.path).filter((path) => ambient.has(path) && isKnown(programsOf(path))));
    return found.length ? found : [thing];
  }
  /**
   * What files mean by a name that a package exports, or that libraries declare for all files ("").
   * @returns {Thing[]} each once
   */
  ofLibrary(/** @type {string} */ library, /** @type {string} */ name) {
    /** @type {Map<string, Thing>} */
    const found = new Map();
    for (const path of this.filesWith(name)) {
      for (const use of this.usesOf(path, name)) {
        for (const thing of this.symbols.things(path, use)) {
          const isIt = thing.kind === "outside" ? library && thing.path === name && `${thing.module}/`.startsWith(`${library}/`) : thing.kind === "global" && !library && thing.path === name;
          if (isIt) found.set(this.symbols.key(thing), thing);
        }
      }
    }
    return [...found.values()];
  }

  /**
   * A place of each thing that files mean by a name: of what modules have, then of what lies outside, of locals, and of some members.
   * lost: the module that it is of, where nothing is installed that could be that.
   * @returns {{ file: string, start: number, lost: string }[]}
   */
  naming(/** @type {string} */ name) {
    /** @type {Map<string, { file: string, start: number, lost: string, rank: number }>} */
    const found = new Map();
    const members = [];
    for (const file of this.filesWith(name)) {
      const { uses = [] } = this.facts(file) ?? {};
      for (const use of this.usesOf(file, name)) {
        if (uses[use * 4 + 3] & (Role.Specifier | Role.Silent)) continue;
        const place = { file, start: uses[use * 4 + 1], lost: "" };
        const things = this.symbols.things(file, use);
        if (!things.length && members.at(-1)?.file !== file && members.length < MEMBERS) members.push(place);
        for (const thing of things) {
          const key = this.symbols.key(thing);
          if (found.has(key)) continue;
          const isLocal = thing.kind === "variable" && this.facts(thing.file)?.variables[thing.variable].scope === "local";
          const lost = thing.kind === "outside" && !this.resolver.isFound(thing.module, thing.from) ? thing.module : "";
          found.set(key, { ...place, lost, rank: isLocal ? 3 : thing.kind === "global" ? 2 : thing.kind === "outside" ? 1 : 0 });
        }
      }
    }
    return [...[...found.values()].sort((one, other) => one.rank - other.rank), ...members];
  }

  /** By how many files each of some things is imported: of a member, what holds it. The texts are not parsed for it. */
  importing(/** @type {Thing[]} */ things) {
    const files = things.map(() => new Set());
    /** @type {Map<string, number[]>} */
    const byKey = new Map();
    /** @type {Map<string, Set<string>>} */
    const byName = new Map();
    things.forEach((thing, index) => {
      const top = this.#holder(thing);
      if (!top) return;
      push(byKey, this.symbols.key(top), index);
      const names = this.#knownAs(top.file, top.variable);
      const text = /** @type {Facts} */ (this.facts(top.file)).variables[top.variable].text;
      for (const name of new Set([text, ...names].filter((one) => one !== "default" && one !== "export="))) {
        const paths = byName.get(name) ?? new Set(this.filesWith(name));
        byName.set(name, paths);
        // Its importers choose the name of a default.
        if (names.includes("default") || names.includes("export=")) for (const path of this.importers(top.file)) paths.add(path);
      }
    });
    for (const [name, paths] of byName) {
      for (const path of paths) {
        for (const target of this.targets(path, this.imports.clauses(path), name)) {
          for (const thing of this.#given(target, name)) for (const index of byKey.get(this.symbols.key(thing)) ?? NONE) if (this.#holder(things[index])?.file !== path) files[index].add(path);
        }
      }
    }
    return files.map((some) => some.size);
  }
  /**
   * What modules export without a name of its own, and files import by this one: each with how many do.
   * @returns {{ thing: Variable, files: number }[]}
   */
  called(/** @type {string} */ name) {
    /** @type {Map<string, { thing: Variable, paths: Set<string> }>} */
    const found = new Map();
    for (const path of this.filesWith(name)) {
      for (const target of this.targets(path, this.imports.clauses(path), name)) {
        for (const thing of target.names && target.isDefault && "file" in target && target.file !== path ? this.symbols.exported(target.file, "default") : NONE) {
          if (thing.kind !== "variable" || !["default", "export="].includes(this.#textOf(thing))) continue;
          const key = this.symbols.key(thing);
          // Beside a default the clause may import the name itself.
          if (!target.isAlone && !this.usesOf(path, name).some((use) => this.symbols.things(path, use).some((one) => this.symbols.key(one) === key))) continue;
          if (!found.has(key)) found.set(key, { thing, paths: new Set() });
          found.get(key)?.paths.add(path);
        }
      }
    }
    return [...found.values()].map(({ thing, paths }) => ({ thing, files: paths.size }));
  }
  /** The package whose scripts a file describes, or of which it is such a script: its folder, or nothing. */
  described(/** @type {string} */ path) {
    const { packages } = this.resolver;
    return SCRIPT_ALONE.test(path) || DECLARATIONS.test(path) ? (packages.declared(path) && packages.around(path)?.folder) : undefined;
  }
  /**
   * What the script of a package exports by the name that its declarations have for a variable: nothing, another thing than one of
   * its scripts and what holds that, or one of these; "open" where no script stands beside them, or it exports what is not known.
   * @returns {"none" | "another" | "own" | "open"}
   */
  ofScript(/** @type {string} */ declarations, /** @type {number} */ variable, /** @type {Thing} */ thing) {
    const { script = "", declarations: types } = this.resolver.packages.declared(declarations) ?? {};
    const facts = types === declarations ? this.facts(script) : undefined;
    if (!facts || thing.kind !== "variable") return "open";
    const things = this.exportedAs(declarations, variable).flatMap((one) => this.symbols.exported(script, one));
    if (things.some((one) => one.kind !== "variable")) return "open";
    if (!things.length) return facts.stars.length || (facts.isCommonJs && UNNAMED.test(this.text(script) ?? "")) ? "open" : "none";
    const own = new Set();
    for (let at = thing.variable; at >= 0; at = /** @type {Facts} */ (this.facts(thing.file)).variables[at].container) own.add(this.symbols.key({ ...thing, variable: at }));
    return things.some((one) => own.has(this.symbols.key(one))) ? "own" : "another";
  }
  /** Whether declarations may describe a script's: of their package, and its script does not export another by that name. */
  mayDescribe(/** @type {Thing} */ one, /** @type {Thing} */ script) {
    if (one.kind !== "variable" || script.kind !== "variable" || !DECLARATIONS.test(one.file) || DECLARATIONS.test(script.file) || !this.described(one.file) || this.described(one.file) !== this.described(script.file)) return false;
    const { variables } = /** @type {Facts} */ (this.facts(one.file));
    let top = one.variable;
    while (variables[top].container >= 0 && variables[top].scope !== "module") top = variables[top].container;
    const isOf = this.ofScript(one.file, top, script);
    return isOf === "open" || (top !== one.variable && isOf !== "another");
  }
  /** What a clause may give to a name. @returns {Thing[]} */
  #given(/** @type {ReturnType<Engine["targets"]>[0]} */ target, /** @type {string} */ name) {
    if (!("file" in target)) return NONE;
    return [...(target.holds ? this.symbols.exported(target.file, name) : NONE), ...(target.isDefault ? this.symbols.exported(target.file, "default") : NONE)];
  }

  /**
   * Of what some files declare and export by a name, that which most files import, with how many; limit: 0 is all.
   * @param {Set<string>} declaring
   * @returns {{ symbols: { thing: Thing, name: string, files: number }[], left: number }} left: how many names may be of further ones
   */
  mostImported(declaring, limit = 0) {
    /** @type {Map<string, Map<string, Thing[]>>} by name the files that import it, and what those access by it of modules that they import as a whole */
    const importers = new Map();
    const add = (/** @type {string} */ name, /** @type {string} */ path, /** @type {Thing[]} */ things) => {
      const paths = importers.get(name) ?? new Map();
      importers.set(name, paths.set(path, [...(paths.get(path) ?? []), ...things]));
    };
    for (const path of this.imports.importing()) {
      for (const { names } of this.imports.clauses(path)) for (const name of names.split(" ")) if (name) add(name, path, NONE);
      for (const thing of this.#membersOfModules(path)) add(this.#textOf(thing), path, [thing]);
    }
    const names = [...importers].sort(([, one], [, other]) => other.size - one.size);
    const named = (/** @type {string} */ path, /** @type {string} */ name) => this.targets(path, this.imports.clauses(path), name).filter((target) => target.names);
    /** @type {Map<string, { thing: Variable, paths: Set<string> }>} */
    const found = new Map();
    // No name is imported by more files than those before it.
    const isEnough = (/** @type {number} */ most) => limit > 0 && found.size >= limit && [...found.values()].filter(({ paths }) => paths.size >= most).length >= limit;
    let looked = 0;
    for (; looked < names.length && !isEnough(names[looked][1].size); looked++) {
      const [name, paths] = names[looked];
      for (const [path, members] of paths) {
        for (const one of [...members, ...named(path, name).flatMap((target) => this.#given(target, name))]) {
          const thing = this.symbols.original(one);
          if (thing.kind !== "variable" || thing.file === path || !declaring.has(thing.file) || ["default", "export="].includes(this.#textOf(thing))) continue;
          const key = this.symbols.key(thing);
          const known = found.get(key) ?? { thing, paths: new Set(this.#importersOfDefault(thing)) };
          found.set(key, known);
          known.paths.add(path);
        }
      }
    }
    const symbols = [...found.values()].map(({ thing, paths }) => ({ thing, name: this.#textOf(thing), files: paths.size })).sort((one, other) => other.files - one.files || (one.name < other.name ? -1 : 1));
    const left = names.slice(looked).filter(([name, paths]) => named([...paths.keys()][0], name).some((target) => "file" in target)).length;
    return limit ? { symbols: symbols.slice(0, limit), left: left + Math.max(0, symbols.length - limit) } : { symbols, left };
  }
  /** The files that import a thing as the default of its file, by whatever name. */
  #importersOfDefault(/** @type {Variable} */ { file, variable }) {
    if (!this.#knownAs(file, variable).some((name) => name === "default" || name === "export=")) return NONE;
    const leads = (/** @type {string} */ path, /** @type {import("./imports.mjs").Clause} */ { specifier }) => {
      const target = this.resolver.resolve(specifier, path);
      return "file" in target && target.file === file;
    };
    return this.importers(file).filter((path) => this.imports.clauses(path).some((one) => one.isDefault && !one.isNamespace && leads(path, one)));
  }
  /** The members that a file accesses of the modules that it imports as a whole: `a.b` behind `import * as a`, the default of `import("./a")`. @returns {Variable[]} */
  #membersOfModules(/** @type {string} */ path) {
    const modules = this.imports.clauses(path).filter((one) => one.isNamespace).flatMap(({ specifier }) => {
      const target = this.resolver.resolve(specifier, path);
      return "file" in target ? [target.file] : [];
    });
    const facts = modules.length && SCRIPT.test(path) ? this.facts(path) : undefined;
    if (!facts) return [];
    /** @type {Map<string, Variable>} */
    const found = new Map();
    for (let at = 0; at < facts.uses.length; at += 4) {
      const roles = facts.uses[at + 3];
      const isModule = roles & Role.Specifier && roles & Role.Leaves;
      if (facts.uses[at + 2] >= Owner.Unknown && !isModule) continue;
      const name = isModule ? "default" : facts.names[facts.uses[at]];
      for (const one of this.symbols.things(path, at / 4)) {
        for (const thing of isModule && one.kind === "module" ? this.symbols.exported(one.file, name) : [one]) {
          const key = this.symbols.key(thing);
          if (thing.kind === "variable" && (isModule || modules.some((file) => this.symbols.exported(file, name).some((other) => this.symbols.key(other) === key)))) found.set(key, thing);
        }
      }
    }
    return [...found.values()];
  }
  #textOf = (/** @type {Variable} */ { file, variable }) => /** @type {Facts} */ (this.facts(file)).variables[variable].text;

  /** What a module or a script declares that is a thing, or holds it. @returns {Extract<Thing, { kind: "variable" }> | undefined} */
  #holder(/** @type {Thing} */ thing) {
    if (thing.kind !== "variable") return undefined;
    const { variables } = /** @type {Facts} */ (this.facts(thing.file));
    let at = thing.variable;
    while (variables[at] && variables[at].scope !== "module" && variables[at].scope !== "local") at = variables[at].container;
    return variables[at]?.scope === "module" ? { ...thing, variable: at } : undefined;
  }

  /**
   * What decides about a thing: "module", as well for the members of namespaces and enums and the static ones of classes that
   * are declared there, "member", "local", "shared" for what several programs may know each in its own way, and "outside" for
   * what no file of the workspace declares.
   * @param {Thing} thing @param {string[]} [paths] the files that declare or name it
   * @returns {"module" | "member" | "local" | "shared" | "outside"}
   */
  scopeOf(thing, paths) {
    if (thing.kind === "module") return "module";
    if (thing.kind !== "variable") return "outside";
    const { variables } = /** @type {Facts} */ (this.facts(thing.file));
    for (let at = thing.variable; at >= 0; at = variables[at].container) {
      const { scope } = variables[at];
      if (scope === "module") break;
      if (scope !== "static") return scope;
    }
    return this.#isShared(thing, paths) ? "shared" : "module";
  }
  /**
   * Whether programs may differ: over what adds to a module, what has its name everywhere where not one tsconfig governs all
   * files that declare or name it, and declarations that may be written of another file.
   * @param {Extract<Thing, { kind: "variable" }>} thing @param {string[]} [paths]
   */
  #isShared(thing, paths) {
    const { variables, ambients } = /** @type {Facts} */ (this.facts(thing.file));
    const key = this.symbols.key(thing);
    const { text, name, flags } = variables[thing.variable];
    if (flags & NAMESPACE_ALONE && !(flags & VALUE) && /\.[mc]?jsx?$/.test(thing.file)) return true; // of comments
    const own = new Set([thing.file, this.beside(thing.file)]);
    if (DECLARATIONS.test(thing.file) && this.#isDeclaredBeyond(own, text)) return true;
    let top = thing.variable;
    while (variables[top].container >= 0) top = variables[top].container;
    if (ambients.includes(top) && variables[top].name !== "__global") return true;
    if (!key.startsWith("global#")) return false;
    const files = paths ?? this.symbols.filesOf(key, name, this.filesWith(text));
    return files.length > 0 && !this.resolver.areTogether(files); // none: the files that hold the word are to be asked for
  }

  /** Whether a further file declares a name: of a module, a namespace or an enum, or a static one. */
  #isDeclaredBeyond(/** @type {Set<string | undefined>} */ own, /** @type {string} */ name) {
    // Behind a dot nothing is declared, but by assignment.
    const word = name.replaceAll("$", "\\$");
    const standing = new RegExp(`(?<![\\w$]|(?<!\\.\\.)\\.)${word}(?![\\w$])|\\bexports\\b|\\.${word}\\s*=(?![=>])|\\\\u`);
    const mayDeclare = (/** @type {string} */ path) => this.hasFacts(path) || (COMPONENT.test(path) && nameOf(path) === name) || standing.test(this.text(path) ?? "");
    const isIt = (/** @type {import("./facts.mjs").Variable} */ one) => one.text === name && one.scope !== "local" && one.scope !== "member" && one.stands !== "alias";
    return this.filesWith(name).some((path) => !own.has(path) && mayDeclare(path) && this.facts(path)?.variables.some(isIt));
  }

  /** Whether a pattern declares a thing and names a member that only types know: both are meant there. */
  isMember(/** @type {Thing} */ thing) {
    if (thing.kind !== "variable") return false;
    const { variables, uses } = /** @type {Facts} */ (this.facts(thing.file));
    const { target, stands } = variables[thing.variable];
    return stands === "value" && target !== undefined && Boolean(uses[target * 4 + 3] & Role.Key) && !this.symbols.things(thing.file, target).length;
  }

  /**
   * What files export that is a member, at places that name the member: their default, or all of it, `export default a.b`, and
   * what a pattern takes by that name, `export const { b } = a`. @returns {Thing[]}
   */
  exportedFrom(/** @type {{ file: string, start: number }[]} */ places) {
    /** @type {Map<string, number[]>} */
    const starts = new Map();
    for (const { file, start } of places) push(starts, file, start);
    return [...starts].flatMap(([file, named]) => {
      const { variables = [], uses = [] } = this.facts(file) ?? {};
      return variables.flatMap((one, variable) => {
        const isWhole = /^(?:default|export=)$/.test(one.name) && one.stands === "alias" && one.target !== undefined && named.includes(uses[one.target * 4 + 1]);
        const isTaken = one.scope === "module" && named.includes(one.start) && this.exportedAs(file, variable).length > 0;
        return isWhole || isTaken ? [/** @type {Thing} */ ({ kind: "variable", file, variable })] : [];
      });
    });
  }

  /** Where a thing is declared first. */
  declared(/** @type {Thing} */ thing) {
    if (thing.kind !== "variable") return { file: "file" in thing ? thing.file : this.root, start: 0, length: 0 };
    const { start, text } = /** @type {Facts} */ (this.facts(thing.file)).variables[thing.variable];
    return { file: thing.file, start, length: text.length };
  }

  /** @returns {Answer} */
  references(/** @type {Thing} */ goal, /** @type {{ file: string, start: number } | undefined} */ asked = undefined) {
    this.wants.clear();
    const search = new References(this, goal).run();
    search.holders();
    const answer = search.answer();
    const start = asked ? this.#unquoted(asked.file, asked.start) : -1;
    const key = asked && search.keys.get(`${asked.file}:${start}`);
    if (key) answer.references.push({ ...key, held: false });
    // The guard: the place that was asked at is in the answer.
    if (asked && !this.wants.size) {
      const isIn = [...answer.definitions, ...answer.references].some((one) => one.file === asked.file && one.start <= start && start < one.start + Math.max(1, one.length));
      if (!isIn) answer.doubts.push({ ...asked, reason: "the place that was asked at is not in the answer", name: answer.name });
    }
    return { ...answer, wants: [...this.wants] };
  }
}

/** @type {import("./components/reading.mjs").Libraries} */
const missing = (name) => {
  throw new Error(`${name} is not installed`);
};

/** The numbers below `count`, grouped by a whole number that belongs to each. Lists in maps took 80 MB more on 7,100 files. */
class Groups {
  /** The lowest of these numbers. */
  #low = 0;
  /** Where each group begins in `#order`, and where the last one ends. */
  #starts = new Int32Array(1);
  #order = new Int32Array(0);
  constructor(/** @type {number} */ count, /** @type {(one: number) => number} */ keyOf) {
    let high = -1;
    for (let one = 0; one < count; one++) {
      this.#low = Math.min(this.#low, keyOf(one));
      high = Math.max(high, keyOf(one));
    }
    this.#starts = new Int32Array(high - this.#low + 2);
    for (let one = 0; one < count; one++) this.#starts[keyOf(one) - this.#low + 1]++;
    for (let at = 1; at < this.#starts.length; at++) this.#starts[at] += this.#starts[at - 1];
    const next = this.#starts.slice();
    this.#order = new Int32Array(count);
    for (let one = 0; one < count; one++) this.#order[next[keyOf(one) - this.#low]++] = one;
  }
  /** @returns {number[]} in order; none for a number that belongs to none */
  of(/** @type {number} */ key) {
    const at = key - this.#low;
    return at >= 0 && at < this.#starts.length - 1 ? Array.from(this.#order.subarray(this.#starts[at], this.#starts[at + 1])) : [];
  }
}

/** @template K, V */
function push(/** @type {Map<K, V[]>} */ map, /** @type {K} */ key, /** @type {V} */ value) {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
