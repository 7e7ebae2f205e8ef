// Which files may hold a use of a member: those from which a chain of imports leads to where the member is declared, and
// those of programs for which a declaration without imports brings it. The types of all others cannot name it, so that no
// compiler needs to load their projects.
//
// Chains are read from the texts without parsing them, with any comment that looks like an import: too many, never too few.
// Only a text by which an import seems to lead nowhere is parsed, as that may lead to everything.

import { dirname, join, normalize } from "node:path";

import { folderOf, loading, LOADING, SHOWN } from "./components/kit.mjs";
import { camel, COMPONENT, kebab, pascal } from "./components/names.mjs";
import { Role } from "./facts.mjs";
import { EMBEDDING, IMPORTING, naming } from "./imports.mjs";
import { BUNDLED } from "./resolve.mjs";

/** @typedef {import("./engine.mjs").Engine} Engine @typedef {{ targets: string[], isOpen: boolean }} Step */

const MODULES = new RegExp(`${IMPORTING}(["'\`])([^"'\`\\n]{1,300})\\1`, "g");
const DIRECTIVES = /^\s*\/\/\/\s*<reference\s+(path|types)\s*=\s*(["'])([^"'\n]+)\2/gm;
/** The types in casts, `as unknown as A<B>`, `<A>b`, in scripts `@type {A}` before parentheses; and more that looks like one. */
const CASTING = /\bas\s+(?!(?:const|any|never|string|number|boolean|keyof)\b)([\w$(["'][^\n;{}]{0,300})|@type\s*\{([^}]*)\}\s*\*\/\s*\(|(?<![\w$)\]>])<([\w$][^\n;{}()]{0,200}?)>\s*[\w$({[]/g;
const JSX = /@jsxImportSource\s+(\S+)/;
const UMD = /\bexport\s+as\s+namespace\b/;
const SCRIPT_ALONE = /\.[mc]?jsx?$/;
const SOURCE = /\.(?:[mc]?[jt]sx?|vue|svelte|astro)$/;
/** What a build may have written. */
const BUILT = /\.d\.[mc]?ts$|\/(?:dist|build|out|lib|es|esm|cjs)\/(?:.*\/)?[^/]*\.[mc]?jsx?$/;

export class Reach {
  /** @type {Map<string, Step>} until a file changes */
  #steps = new Map();
  /** @param {Engine} engine */
  constructor(engine) {
    this.engine = engine;
  }

  /**
   * The files that hold the name of a member, those of them that may use it, and those that declare for files which do not
   * import them something from which it may be had.
   * @param {string[]} ends where it is declared @param {string} name @param {string[]} words of which a file holds one that is
   * asked about @param {{ file: string, start: number }[]} places where in these files, as far as that is known
   */
  using(ends, name, words = [name], places = []) {
    const candidates = [...new Set(words.flatMap((word) => this.#candidates(word)))];
    if (this.engine.autoImports.isOn) return { candidates, files: candidates, ambient: this.engine.imports.ambient() };
    const known = this.#closure([...candidates, ...this.engine.imports.ambient()]);
    const brings = this.#bringing(ends);
    const built = [...known].filter((path) => this.#isBuilt(path) && this.engine.files.read(path)?.includes(name) && brings(path));
    // An import that leads nowhere may lead to it.
    const open = [...known].filter((path) => this.#step(path).isOpen);
    const back = this.#back(known);
    const { types, casting } = this.#cast(ends, name, candidates, places);
    const reached = reaching([...ends, ...built, ...open, ...this.#bases(ends, name, candidates, places), ...types], back);
    const ambient = this.engine.imports.ambient().filter((path) => reached.has(path));
    const affected = this.#affected(ambient.filter((path) => this.#adds(path).isForAll));
    // What is added to a module of the workspace is had through that.
    const adding = ambient.filter((path) => !this.#adds(path).isForAll && this.#adds(path).modules.length).map((path) => ({ through: reaching(this.#adds(path).modules, back), configs: this.#affected([path]) }));
    const isBrought = (/** @type {string} */ path) => this.#isIn(affected, path) || adding.some(({ through, configs }) => through.has(path) && this.#isIn(configs, path));
    const untyped = this.#untyped(ends, candidates.filter((path) => (SCRIPT_ALONE.test(path) || COMPONENT.test(path)) && !reached.has(path)));
    const mayUse = (/** @type {string} */ path) => reached.has(path) || untyped.has(path) || (!BUNDLED.test(path) && isBrought(path));
    return { candidates, files: [...new Set([...candidates.filter(mayUse), ...casting])], ambient };
  }

  /** Of scripts, whose parameters need no types, and of components and their props, those that who knows the member's type may give a value of it. */
  #untyped(/** @type {string[]} */ ends, /** @type {string[]} */ scripts) {
    if (!scripts.length) return new Set();
    const known = this.#closure(spread(ends, (path) => this.engine.importers(path)));
    return new Set(scripts.filter((path) => known.has(path)));
  }

  /** The files that hold the name of a member: templates of Vue spell it in camel case and in kebab case, and who listens to an event says `onName`. */
  #candidates(/** @type {string} */ name) {
    const found = this.engine.filesWith(name);
    if (!/^\w/.test(name) || !(this.#isVue ??= this.#hasVue())) return found;
    const others = [camel(name), ...(name === "modelValue" ? ["v-model"] : [])];
    const spelled = others.flatMap((word) => this.engine.filesWith(word)).filter((path) => path.endsWith(".vue"));
    return [...new Set([...found, ...spelled, ...this.engine.filesWith(kebab(name)), ...this.engine.filesWith(`on${pascal(camel(name))}`)])];
  }
  /** Whether there are components of Vue. @type {boolean | undefined} */
  #isVue;
  #hasVue() {
    const { files } = this.engine;
    return [...files.all()].some((path) => path.endsWith(".vue") || (path.endsWith("/package.json") && /"vue"\s*:/.test(files.read(path) ?? "")));
  }
  /** Where the types may declare it that its own type extends or implements: a use of theirs may be a use of it. */
  #bases(/** @type {string[]} */ ends, /** @type {string} */ name, /** @type {string[]} */ candidates, /** @type {{ file: string, start: number }[]} */ places) {
    if (places.length ? places.every(({ file, start }) => this.#isPlain(file, start)) : ends.every((path) => this.#standsAlone(path, name))) return [];
    const known = this.#closure(ends);
    return candidates.filter((path) => known.has(path) && this.#declares(path, name));
  }
  /** Where the types may declare it to which a class or an object that has it is cast, `new Impl() as Api`: a use of theirs may be a use of it. casting: the files with such casts. @returns {{ types: string[], casting: string[] }} */
  #cast(/** @type {string[]} */ ends, /** @type {string} */ name, /** @type {string[]} */ candidates, /** @type {{ file: string, start: number }[]} */ places) {
    const owners = new Set(ends.flatMap((path) => {
      const { declarations = [] } = this.engine.facts(path) ?? {};
      return declarations.flatMap((one) => (one.name === name && declarations[one.container]?.kind === "Class" ? declarations[one.container].name : []));
    }));
    const isEnd = new Set(ends);
    // What holds an object its file names, or who imports that.
    const objects = places.flatMap(({ file, start }) => (this.engine.facts(file)?.variables.some((one) => one.start === start && one.scope === "member") ? file : []));
    const others = owners.size || objects.length ? candidates.filter((one) => !isEnd.has(one) && this.#declares(one, name)) : [];
    const holders = new Set(others.flatMap((path) => {
      const { declarations = [] } = this.engine.facts(path) ?? {};
      return declarations.flatMap((one) => (one.name === name ? (declarations[one.container]?.name ?? []) : []));
    }));
    if (!holders.size) return { types: [], casting: [] };
    const naming = [...[...owners].flatMap((owner) => (/^[\w$]+$/.test(owner) ? this.engine.filesWith(owner) : [])), ...objects.flatMap((path) => [path, ...this.engine.importers(path)])];
    const found = naming.flatMap((path) => {
      const types = castTypes(this.engine.files.read(path) ?? "");
      const known = [...types].some((type) => holders.has(type)) ? this.#closure([path]) : new Set();
      return [...isEnd].some((end) => known.has(end)) ? { path, types: others.filter((one) => known.has(one)) } : [];
    });
    return { types: found.flatMap(({ types }) => types), casting: found.map(({ path }) => path) };
  }
  /** Whether every member of that name in a file belongs to a class, an interface or a type literal without a base. */
  #standsAlone(/** @type {string} */ path, /** @type {string} */ name) {
    const facts = this.engine.facts(path);
    if (!facts) return false;
    const { variables, heritage, declarations } = facts;
    const owners = declarations.filter((one) => one.name === name && one.container >= 0).map((one) => declarations[one.container]);
    return owners.length > 0 && owners.every((one) => hasNoBase(one, heritage)) && variables.every((one) => one.text !== name || one.scope === "member" || one.scope === "static");
  }
  /** Whether what a place declares belongs to such a one, or to an object literal that has no contextual type. */
  #isPlain(/** @type {string} */ path, /** @type {number} */ start) {
    const { declarations = [], heritage = [], variables = [] } = this.engine.facts(path) ?? {};
    const own = declarations.find((one) => one.nameStart === start);
    if (own) return own.container >= 0 && hasNoBase(declarations[own.container], heritage);
    return variables.some((one) => one.start === start && one.scope === "member" && variables[one.container]?.hasNoContext);
  }
  /** Whether a file declares a member or a key of that name. */
  #declares(/** @type {string} */ path, /** @type {string} */ name) {
    const facts = this.engine.facts(path);
    // What cannot be parsed may.
    return !facts || facts.errors > 0 || facts.declarations.some((one) => one.name === name) || facts.variables.some((one) => one.text === name && one.scope !== "local") || this.engine.usesOf(path, name).some((use) => facts.uses[use * 4 + 3] & Role.Key);
  }

  /** Whether a build may have written a file: of what is declared anywhere. */
  #isBuilt = (/** @type {string} */ path) => !this.engine.files.has(path) || (BUILT.test(path) && this.engine.resolver.packages.ships(path));

  /** Whether what a build wrote may hold what is declared there: a build brings what the sources of its package import. */
  #bringing(/** @type {string[]} */ ends) {
    const { files, resolver } = this.engine;
    /** @type {Map<string, boolean>} */
    const known = new Map();
    const isEnd = new Set(ends);
    return (/** @type {string} */ path) => {
      const own = resolver.packages.around(path);
      const source = files.has(path) && typeof own?.json.name === "string" ? resolver.packages.source(own.json.name, path) : undefined;
      if (!own || !source || BUILT.test(source)) return true;
      let found = known.get(own.folder);
      if (found === undefined) {
        const sources = [...files.all()].filter((one) => SOURCE.test(one) && one.startsWith(`${own.folder}/`) && !BUILT.test(one));
        found = sources.some((one) => isEnd.has(one)) || [...this.#closure(sources)].some((one) => isEnd.has(one) || this.#step(one).isOpen);
        known.set(own.folder, found);
      }
      return found;
    };
  }

  /** Of what some files import: which of them import it. */
  #back(/** @type {Iterable<string>} */ files) {
    /** @type {Map<string, string[]>} */
    const back = new Map();
    for (const path of files) {
      for (const target of this.#step(path).targets) {
        const list = back.get(target);
        if (list) list.push(path);
        else back.set(target, [path]);
      }
    }
    return back;
  }
  /** These files, and all to which their imports lead. */
  #closure = (/** @type {Iterable<string>} */ starts) => spread(starts, (path) => this.#step(path).targets);

  /** Whether one of these tsconfigs governs a file, or lists it. */
  #isIn(/** @type {Set<string>} */ configs, /** @type {string} */ path) {
    const { optionsFor, isListed } = this.engine.resolver;
    return configs.has(optionsFor(path).at) || [...configs].some((at) => isListed(at, path));
  }

  /** The tsconfigs of the programs that hold one of some ambient files. */
  #affected(/** @type {string[]} */ ambient) {
    /** @type {Set<string>} */
    const found = new Set();
    if (!ambient.length) return found;
    const { resolver, imports } = this.engine;
    this.#importing ??= this.#back(this.#closure(imports.importing()));
    for (const path of reaching(ambient, this.#importing)) found.add(resolver.optionsFor(path).at);
    for (const path of ambient) for (const config of resolver.including(path)) found.add(config);
    return found;
  }
  /** Who imports each file of the workspace. @type {Map<string, string[]> | undefined} */
  #importing;
  /** @type {Map<string, { modules: string[], isForAll: boolean }>} */
  #additions = new Map();
  /**
   * The modules of the workspace to which an ambient file adds something, and whether it may declare more than that, and than
   * what is had by the name of a package: who imports that imports the file as well, as long as it is not installed.
   */
  #adds(/** @type {string} */ path) {
    const known = this.#additions.get(path);
    if (known) return known;
    const facts = this.engine.facts(path);
    const { resolver, files } = this.engine;
    const found = { modules: /** @type {string[]} */ ([]), isForAll: !facts?.isModule || facts.errors > 0 || UMD.test(files.read(path) ?? "") };
    for (const variable of facts?.ambients ?? []) {
      const use = facts?.specifiers.get(variable);
      const specifier = facts && use !== undefined ? facts.names[facts.uses[use * 4]] : undefined;
      const target = specifier === undefined ? undefined : resolver.resolve(specifier, path);
      if (target && "file" in target) found.modules.push(target.file, ...(target.others ?? []));
      else found.isForAll ||= !target || target.open || resolver.isFound(/** @type {string} */ (specifier), path);
    }
    this.#additions.set(path, found);
    return found;
  }

  /** @returns {Step} */
  #step(/** @type {string} */ path) {
    let step = this.#steps.get(path);
    if (!step) this.#steps.set(path, (step = this.#read(path)));
    return step;
  }
  /** @returns {Step} */
  #read(/** @type {string} */ path) {
    const text = this.engine.files.read(path) ?? "";
    /** @type {Set<string>} */
    let targets = new Set();
    let isOpen = false;
    // What a build writes has the types of its source.
    const written = (/** @type {string} */ file) => {
      const script = this.engine.scriptOf(file);
      if (script) targets.add(script);
      const source = BUILT.test(file) && file.startsWith(`${this.engine.root}/`) ? this.engine.resolver.packages.sourceOf(file) : undefined;
      if (source) targets.add(source);
      return Boolean(source);
    };
    const lead = (/** @type {string} */ specifier) => {
      const routes = specifier.includes("$types") ? folderOf(this.engine.files, specifier, path) : undefined;
      if (routes !== undefined) return loading(this.engine.files, routes).forEach((one) => targets.add(one));
      if (/\\|\$\{/.test(specifier)) return void (isOpen = true);
      const target = this.engine.resolver.resolve(specifier, path);
      if ("file" in target) {
        for (const file of [target.file, ...(target.others ?? [])]) targets.add(file), written(file);
        return;
      }
      const declaring = this.engine.ambients.modules(specifier);
      for (const one of [...declaring, ...(target.namespaces ?? []).flatMap((name) => this.engine.ambients.namespaces(name))]) targets.add(one.path);
      for (const own of this.engine.resolver.ownBehind(specifier, path)) targets.add(own);
      const source = /^\.{1,2}\//.test(specifier) && written(normalize(join(dirname(path), specifier)));
      isOpen ||= target.open && !declaring.length && !source;
    };
    for (const [, , specifier] of text.matchAll(MODULES)) lead(specifier);
    const facts = isOpen ? this.engine.facts(path) : undefined;
    if (facts && !facts.errors) {
      targets = new Set();
      isOpen = false;
      for (const use of this.engine.specifiers(path)) {
        const specifier = facts.names[facts.uses[use * 4]];
        if (!(facts.uses[use * 4 + 3] & Role.Pattern)) lead(specifier);
        else {
          const patterns = this.engine.resolver.patternsOf(specifier, path).map((pattern) => naming(pattern, path));
          for (const one of patterns.length ? this.engine.files.all() : []) if (patterns.some((mayName) => mayName(one))) targets.add(one);
        }
      }
    }
    if (SHOWN.test(path) || LOADING.test(path)) lead("./$types");
    const jsx = /\.[jt]sx$/.test(path) && (JSX.exec(text)?.[1] ?? this.engine.resolver.optionsFor(path).options.jsxImportSource);
    if (jsx) lead(`${jsx}/jsx-runtime`);
    if (!EMBEDDING.test(path)) {
      for (const [, kind, , specifier] of text.matchAll(DIRECTIVES)) {
        if (kind === "types") lead(specifier);
        else targets.add(normalize(join(dirname(path), specifier)));
      }
    }
    return { targets: [...targets], isOpen };
  }
}

const hasNoBase = (/** @type {import("./facts.mjs").Declaration} */ owner, /** @type {import("./facts.mjs").Facts["heritage"]} */ heritage) => ["Class", "Interface", "TypeAlias"].includes(owner.kind) && !heritage.some(({ variable }) => variable === owner.variable);

/** Those from which one of the ends is reached. back: who imports a file */
const reaching = (/** @type {Iterable<string>} */ ends, /** @type {Map<string, string[]>} */ back) => spread(ends, (path) => back.get(path) ?? []);

/** The files that are reached from some. @returns {Set<string>} */
export function spread(/** @type {Iterable<string>} */ starts, /** @type {(path: string) => Iterable<string>} */ next) {
  const found = new Set(starts);
  for (const path of found) for (const one of next(path)) found.add(one); // a set is walked through to what is added meanwhile
  return found;
}

/** The words of the types to which a text casts something. */
export const castTypes = (/** @type {string} */ text) => new Set([...text.matchAll(CASTING)].flatMap(([, written, commented, asserted]) => (written ?? commented ?? asserted).match(/[\w$]+/g) ?? []));
