// What a use stands for, across files: through imports, re-exports, namespaces and the members of holders.

import { Owner, Role, memberOf } from "./facts.mjs";

/**
 * @typedef {import("./facts.mjs").Facts} Facts
 * @typedef {{ kind: "variable", file: string, variable: number }
 *   | { kind: "module", file: string }
 *   | { kind: "global", path: string }
 *   | { kind: "outside", module: string, path: string, open: boolean, from: string, use: number }} Thing
 * A thing: a variable of a file, a module, what has a name everywhere, or what lies outside of what is read (`open`:
 * nothing tells that it really does; `from` and `use`: the specifier that leads there).
 */

const ALIAS = 1 << 21; // ts.SymbolFlags.Alias
export const VALUE = 111551;
const TYPE = 788968;
const NAMESPACE = 1920;
const CLASS = 32;
const FUNCTION = 16;
export const MEANINGS = Role.Value | Role.Type | Role.Namespace;
/** Names of the object that holds what is global. */
const GLOBAL = /^(?:globalThis|global|window|self)$/;
const MODULE_EXPORTS = 1 << 27;
const SCRIPT = /\.[mc]?[jt]sx?$/;
const HOPS = 64;
/** Modules that may be their own default. */
export const SYNTHETIC = /\.(?:json|d\.[mc]?ts)$/;

/** @returns {number} */
export const meanings = (/** @type {number} */ roles) => (roles & Role.Value ? VALUE : 0) | (roles & Role.Type ? TYPE : 0) | (roles & Role.Namespace ? NAMESPACE : 0);

export class Symbols {
  /** @type {Map<string, Map<number, Thing[]>>} */
  #things = new Map();
  /** @type {Map<string, Thing[]>} */
  #exports = new Map();
  /** @type {Map<string, string>} */
  #keys = new Map();
  #depth = 0;

  /**
   * @param {(path: string) => Facts | undefined} facts
   * @param {(specifier: string, from: string) => import("./resolve.mjs").Target} resolve
   * @param {import("./ambients.mjs").Ambients} ambients
   * @param {(word: string) => string[]} holding the files that hold a word
   * @param {(path: string, name: string) => boolean} mayExport by its text
   * @param {(path: string, from: string) => boolean} isAssigned whether Node.js gives to a file all of a module as its default
   * @param {import("./components/auto_imports.mjs").AutoImports} autoImports
   * @param {(path: string) => string | undefined} writtenOf the source of which a build wrote a file
   * @param {(name: string) => string[]} aliasing the files that give a name to something of a namespace, for all files
   * @param {(path: string) => string | undefined} scriptOf the script beside declarations
   */
  constructor(facts, resolve, ambients, holding, mayExport, isAssigned, autoImports, writtenOf, aliasing, scriptOf) {
    this.scriptOf = scriptOf;
    this.aliasing = aliasing;
    this.writtenOf = writtenOf;
    this.isAssigned = isAssigned;
    this.autoImports = autoImports;
    this.holding = holding;
    this.mayExport = mayExport;
    this.facts = facts;
    this.resolve = resolve;
    this.ambients = ambients;
  }

  /** What a use stands for: nothing where names do not tell it. @returns {Thing[]} */
  things(/** @type {string} */ file, /** @type {number} */ use) {
    let known = this.#things.get(file);
    if (!known) this.#things.set(file, (known = new Map()));
    let found = known.get(use);
    if (!found) {
      known.set(use, []); // a circle leads nowhere
      if (this.#depth++ > HOPS) found = [];
      else found = this.#look(file, use);
      this.#depth--;
      known.set(use, found);
    }
    return found;
  }

  /** @returns {Thing[]} */
  #look(/** @type {string} */ file, /** @type {number} */ use) {
    const facts = /** @type {Facts} */ (this.facts(file));
    const owner = facts.uses[use * 4 + 2];
    // Documentation types of a script name values too.
    const roles = facts.uses[use * 4 + 3] | (/\.[mc]?jsx?$/.test(file) ? MEANINGS : 0);
    if (roles & Role.Specifier) return this.#module(file, use, facts, roles);
    const name = facts.names[facts.uses[use * 4]];
    if (owner >= 0) return this.variable(file, owner, roles);
    if (name === "exports" && this.isExports(file, use)) return [{ kind: "module", file }];
    if (owner === Owner.Free) return this.#imported(name) ?? (roles & Role.Template ? [] : this.#global(name, file, facts.inside.get(use)));
    if (owner === Owner.Unknown) return [];
    const holder = memberOf(owner);
    const specifier = name === "default" ? (facts.variables[facts.uses[holder * 4 + 2]]?.target ?? holder) : -1;
    const modules = facts.uses[specifier * 4 + 3] & Role.Specifier ? this.things(file, specifier) : [];
    const whole = modules.filter((one) => one.kind === "module" && this.isAssigned(one.file, file));
    if (whole.length) return whole.flatMap((one) => this.#whatIs(one, "module"));
    const found = this.#members(this.things(file, holder), name, roles);
    // What a module assigns to its exports may have no such member, and the module export it beside.
    const stands = found.length ? undefined : facts.variables[facts.uses[holder * 4 + 2]];
    return stands?.stands === "module" && stands.target !== undefined ? this.#members(this.things(file, stands.target).filter(this.#isModule), name, roles) : found;
  }

  /** Whether a use is what a module in CommonJS exports, or holds that: `exports`, `module.exports`, `module`. */
  isExports(/** @type {string} */ file, /** @type {number} */ use) {
    if (!SCRIPT.test(file)) return false;
    const { uses, names, variables } = /** @type {Facts} */ (this.facts(file));
    const isGiven = (/** @type {number} */ owner) => owner === Owner.Free || (owner >= 0 && Boolean(variables[owner].flags & MODULE_EXPORTS));
    const owner = uses[use * 4 + 2];
    if (owner >= Owner.Free) return isGiven(owner);
    const holder = owner === Owner.Unknown ? -1 : memberOf(owner);
    return holder >= 0 && names[uses[use * 4]] === "exports" && names[uses[holder * 4]] === "module" && isGiven(uses[holder * 4 + 2]);
  }

  /** @returns {Thing[]} */
  #module(/** @type {string} */ file, /** @type {number} */ use, /** @type {Facts} */ facts, /** @type {number} */ roles) {
    if (roles & Role.Pattern) return [];
    const name = facts.names[facts.uses[use * 4]];
    const target = this.resolve(name, file);
    if ("file" in target) return [target.file, ...(target.others ?? [])].map((file) => ({ kind: "module", file }));
    const ambient = this.#ambient(name);
    return ambient.length ? ambient : [{ kind: "outside", module: target.outside, path: "", open: target.open, from: file, use }];
  }
  /** `declare module "a" { … }`, wherever it stands. @returns {Thing[]} */
  #ambient(/** @type {string} */ name) {
    return this.ambients.modules(name).flatMap(({ path, name: own }) => {
      const facts = this.facts(path);
      if (!facts || facts.isModule) return []; // there it adds to a module
      return [...facts.specifiers].filter(([, use]) => facts.names[facts.uses[use * 4]] === own).map(([variable]) => ({ kind: /** @type {const} */ ("variable"), file: path, variable }));
    });
  }
  /** The quoted name of an ambient module. */
  ambientName(/** @type {string} */ file, /** @type {number} */ variable) {
    const facts = this.facts(file);
    return facts?.specifiers.has(variable) && !facts.isModule ? facts.variables[variable].name : undefined;
  }
  /** Whether a thing is a module: a path, or the quoted name of an ambient one, or of a package. */
  isModule(/** @type {Thing} */ thing, /** @type {string} */ module) {
    if (thing.kind === "outside") return !thing.path && module === `"${thing.module}"`;
    return thing.kind === "module" ? thing.file === module : thing.kind === "variable" && this.ambientName(thing.file, thing.variable) === module;
  }

  /** What a name is that a plugin imports. @returns {Thing[] | undefined} */
  #imported(/** @type {string} */ name) {
    const found = this.autoImports.get(name);
    const target = found && this.resolve(found.specifier, found.from);
    return target && "file" in target ? this.exported(target.file, /** @type {any} */ (found).name) : undefined;
  }

  /** @returns {Thing[]} */
  #global(/** @type {string} */ name, /** @type {string} */ file, /** @type {number | undefined} */ namespace) {
    for (let at = namespace ?? -1; at >= 0; at = /** @type {Facts} */ (this.facts(file)).variables[at].container) {
      const key = `${this.key({ kind: "variable", file, variable: at })}.${name}`;
      const found = key.startsWith("global#") ? this.#declaring(key, name, this.holding(name)) : [];
      if (found.length) return found;
    }
    const named = this.ambients.globals(name);
    // A global that is declared takes the place of a module's own name for itself.
    const declared = named.length ? this.#declaring(`global#${name}`, name, this.holding(name)).filter((one) => one.kind === "variable" && this.facts(one.file)?.variables[one.variable].stands !== "umd") : [];
    if (declared.length) return declared;
    for (const { path } of named) {
      const index = this.facts(path)?.variables.findIndex((one) => one.stands === "umd" && one.name === name) ?? -1;
      if (index >= 0) return this.variable(path, index);
    }
    const aliased = this.#declaring(`global#${name}`, name, this.aliasing(name));
    return aliased.length ? aliased : [{ kind: "global", path: name }];
  }

  /** What some files declare by a name for all others. */
  everywhere = (/** @type {string} */ name, /** @type {string[]} */ paths) => this.#declaring(`global#${name}`, name, paths);
  /** The variables of files that go by a key. @returns {Thing[]} */
  #declaring(/** @type {string} */ key, /** @type {string} */ name, /** @type {Iterable<string>} */ paths) {
    for (const path of paths) {
      for (const [variable, one] of this.facts(path)?.variables.entries() ?? []) {
        if (one.name === name && this.key({ kind: "variable", file: path, variable }) === key) return this.variable(path, variable);
      }
    }
    return [];
  }
  /** The files of which a variable goes by a key. */
  filesOf(/** @type {string} */ key, /** @type {string} */ name, /** @type {string[]} */ paths) {
    return paths.filter((file) => this.facts(file)?.variables.some((one, variable) => one.name === name && this.key({ kind: "variable", file, variable }) === key));
  }
  /** The flags of all variables that go by a key. */
  flagsOf(/** @type {string} */ key, /** @type {string} */ name, /** @type {Iterable<string>} */ paths) {
    let flags = 0;
    for (const file of paths) for (const [variable, one] of this.facts(file)?.variables.entries() ?? []) if (one.name === name && this.key({ kind: "variable", file, variable }) === key) flags |= one.flags;
    return flags;
  }
  /** @type {Map<string, string[]> | undefined} module -> the files that add to it */
  #additions;
  /** What other files add to a module: `declare module "./a" { … }`. */
  #adding(/** @type {string} */ file) {
    if (!this.#additions) {
      this.#additions = new Map();
      for (const [path, { modules }] of this.ambients.all()) {
        for (const name of new Set(modules)) {
          const target = this.resolve(name, path);
          if ("file" in target && target.file !== path) this.#additions.set(target.file, [...(this.#additions.get(target.file) ?? []), path]);
        }
      }
    }
    return this.#additions.get(file) ?? [];
  }

  /** What a variable stands for, by the meanings among `roles`. @returns {Thing[]} */
  variable(/** @type {string} */ file, /** @type {number} */ index, roles = MEANINGS) {
    const variable = /** @type {Facts} */ (this.facts(file)).variables[index];
    /** @type {Thing} */
    const self = { kind: "variable", file, variable: index };
    const assigned = variable.stands === "umd" ? this.#assigned({ kind: "module", file }) : [];
    if (assigned.length) return assigned;
    const isAlias = variable.target !== undefined && variable.stands !== "value";
    if (!isAlias) return this.#means(self, roles) ? [self] : [];
    // A declaration beside an import of its name.
    const own = variable.flags & ALIAS && variable.flags & meanings(roles);
    if (own && !(roles & Role.Alias)) return [self];
    const target = this.things(file, /** @type {number} */ (variable.target));
    const found = target.flatMap((one) => (this.#isModule(one) ? this.#whatIs(one, variable.stands) : [one]));
    if (!found.length) return [self];
    return [...(own ? [self] : []), ...found.filter((one) => this.#means(one, roles))];
  }
  /** Whether a thing has one of the meanings: an interface is no value. What is neither, as an export by assignment, has any. */
  #means(/** @type {Thing} */ thing, /** @type {number} */ roles) {
    if (thing.kind !== "variable" || !(roles & MEANINGS)) return true;
    const { flags } = /** @type {Facts} */ (this.facts(thing.file)).variables[thing.variable];
    return Boolean(flags & (meanings(roles) | ALIAS)) || !(flags & (VALUE | TYPE | NAMESPACE));
  }

  /** What a name is that stands for a module: the module, or what that assigns to its exports. @returns {Thing[]} */
  #whatIs(/** @type {Thing} */ module, /** @type {string | undefined} */ stands) {
    const assigned = stands === "module" ? this.#assigned(module) : [];
    return assigned.length ? assigned : [module];
  }
  #isModule = (/** @type {Thing} */ thing) => thing.kind === "module" || (thing.kind === "variable" && this.ambientName(thing.file, thing.variable) !== undefined);
  /** What a module assigns to its exports: `export = a`. @returns {Thing[]} */
  #assigned(/** @type {Thing} */ module) {
    const own = module.kind === "module" || module.kind === "variable" ? this.#own(module, "export=") : undefined;
    if (own === undefined || !("file" in module)) return [];
    const key = `${module.file}#${own}`;
    if (this.#assigning.has(key)) return []; // modules that assign each other have nothing else
    this.#assigning.add(key);
    const found = this.variable(module.file, own);
    this.#assigning.delete(key);
    return found;
  }
  /** The assignments that are followed now. @type {Set<string>} */
  #assigning = new Set();
  /** The modules that a module assigns to its exports. @returns {Extract<Thing, { kind: "module" }>[]} */
  #assignedModules(/** @type {Extract<Thing, { file: string }>} */ module) {
    const own = this.#own(module, "export=");
    const variable = own === undefined ? undefined : this.facts(module.file)?.variables[own];
    const target = variable?.stands === "module" ? variable.target : undefined;
    return target === undefined ? [] : this.things(module.file, target).flatMap((one) => (one.kind === "module" ? [one] : []));
  }
  /** The variable that a module or another holder declares by a name. */
  #own(/** @type {Extract<Thing, { file: string }>} */ holder, /** @type {string} */ name) {
    const facts = this.facts(holder.file);
    return holder.kind === "module" ? facts?.exports.get(name) : facts?.members.get(`${holder.variable}.${name}`);
  }

  /** @returns {Thing[]} */
  #members(/** @type {Thing[]} */ holders, /** @type {string} */ name, /** @type {number} */ roles) {
    return holders.flatMap((holder) => this.member(holder, name, roles));
  }

  /** The member of a holder. @returns {Thing[]} */
  member(/** @type {Thing} */ holder, /** @type {string} */ name, roles = MEANINGS, /** @type {Set<string>} */ seen = new Set()) {
    switch (holder.kind) {
      case "module":
        return this.exported(holder.file, name, roles);
      case "outside":
        // To importers the default of a package may be all of it.
        return [{ ...holder, path: holder.path && holder.path !== "default" ? `${holder.path}.${name}` : name }];
      case "global":
        return GLOBAL.test(holder.path) ? this.#global(name, "", undefined) : [{ kind: "global", path: `${holder.path}.${name}` }];
      case "variable": {
        const key = `${holder.file}\0${holder.variable}`;
        if (seen.has(key)) return [];
        seen.add(key);
        const facts = /** @type {Facts} */ (this.facts(holder.file));
        const variable = facts.variables[holder.variable];
        if (variable.stands === "umd") return this.exported(holder.file, name, roles);
        const own = facts.members.get(`${holder.variable}.${name}`);
        if (own !== undefined) return this.variable(holder.file, own, roles);
        if (this.#isModule(holder)) return this.#ofAmbient(holder, name, roles);
        const next = variable.target ?? variable.base;
        if (next === undefined && this.isShared(holder)) return [{ kind: "global", path: `${this.key(holder).slice(7)}.${name}` }];
        if (next === undefined) return variable.flags & NAMESPACE && variable.scope !== "local" ? this.#declaring(`${this.key(holder)}.${name}`, name, this.#adding(holder.file)) : [];
        return this.things(holder.file, next).flatMap((one) => this.member(one, name, roles, seen));
      }
    }
  }

  /** Whether what has this name everywhere may have members in other files. */
  isShared(/** @type {Extract<Thing, { kind: "variable" }>} */ thing) {
    const { flags } = /** @type {Facts} */ (this.facts(thing.file)).variables[thing.variable];
    return Boolean(flags & (NAMESPACE | CLASS | FUNCTION)) && this.key(thing).startsWith("global#");
  }

  /** What a module exports by a name. @returns {Thing[]} */
  exported(/** @type {string} */ file, /** @type {string} */ name, roles = MEANINGS) {
    const key = `${file}\0${name}\0${roles & MEANINGS}`;
    let found = this.#exports.get(key);
    if (!found) {
      this.#exports.set(key, []);
      this.#exports.set(key, (found = this.#export(file, name, roles)));
    }
    return found;
  }

  /** @returns {Thing[]} */
  #export(/** @type {string} */ file, /** @type {string} */ name, /** @type {number} */ roles) {
    const facts = this.facts(file);
    if (!facts) return [{ kind: "outside", module: file, path: name, open: name !== "default", from: file, use: -1 }];
    const own = facts.exports.get(name);
    if (own !== undefined) return this.variable(file, own, roles);
    // What declarations leave out their script may export.
    const script = this.scriptOf(file);
    if (script && name === "default" && this.facts(script)?.exports.has(name)) return this.exported(script, name, roles);
    const beyond = this.#beyond({ kind: "module", file }, facts.isCommonJs || SYNTHETIC.test(file), facts.stars, name, roles);
    // What another file adds to a module is merged with what that exports again.
    const added = beyond.some((one) => one.kind === "variable") ? [] : this.#declaring(`${file}#${name}`, name, this.#adding(file));
    if (added.length || beyond.length || !script) return added.length ? added : beyond;
    return this.exported(script, name, roles);
  }
  /** A member of an ambient module; one without a body has any. @returns {Thing[]} */
  #ofAmbient(/** @type {Extract<Thing, { kind: "variable" }>} */ holder, /** @type {string} */ name, /** @type {number} */ roles) {
    const { file, variable } = holder;
    const facts = /** @type {Facts} */ (this.facts(file));
    const stars = facts.ambientStars.get(variable) ?? [];
    const isShort = !stars.length && ![...facts.members.keys()].some((key) => key.startsWith(`${variable}.`));
    const module = facts.variables[variable].name.slice(1, -1);
    return isShort ? [{ kind: "outside", module, path: name, open: false, from: file, use: -1 }] : this.#beyond(holder, true, stars, name, roles);
  }
  /** What a module exports that it does not declare. @returns {Thing[]} */
  #beyond(/** @type {Extract<Thing, { file: string }>} */ module, /** @type {boolean} */ isDefault, /** @type {number[]} */ stars, /** @type {string} */ name, /** @type {number} */ roles) {
    const { file } = module;
    const assigned = this.#assigned(module);
    if (assigned.length) {
      const members = this.#members(assigned, name, roles);
      if (members.length) return members;
      if (name === "default") return assigned;
    }
    // `module.exports = require("./a")`: what that exports beside.
    for (const one of this.#assignedModules(module)) {
      const members = this.exported(one.file, name, roles);
      if (members.length) return members;
    }
    // To importers a module without a default may be its own.
    if (name === "default") return isDefault ? [module] : [];
    // A declared export wins over stars; what two stars export under one name is ambiguous.
    /** @type {Map<string, Thing>} */
    const found = new Map();
    for (const star of stars) {
      for (const from of this.things(file, star)) {
        if (from.kind !== "module" || this.mayExport(from.file, name)) for (const one of this.member(from, name, roles)) found.set(this.key(one), one);
      }
    }
    const inside = [...found.values()].filter((one) => one.kind !== "outside");
    return inside.length ? inside : [...found.values()];
  }

  /** What the source of declarations that a build wrote declares in their stead. @returns {Extract<Thing, { kind: "variable" }> | undefined} */
  #inSource(/** @type {string} */ file, /** @type {string} */ name) {
    const source = /\.d\.[mc]?ts$/.test(file) ? this.writtenOf(file) : undefined;
    const facts = source && this.facts(source);
    if (!source || !facts) return undefined;
    // TypeScript gives a default without a name this one.
    for (const own of name === "_default" ? [name, "default"] : [name]) {
      const variable = facts.variables.findIndex((one) => one.name === own && one.scope === "module");
      if (variable >= 0) return { kind: "variable", file: source, variable };
    }
    return undefined;
  }
  #sourceKey(/** @type {string} */ file, /** @type {string} */ name) {
    const own = this.#inSource(file, name);
    if (!own) return undefined;
    const [same] = this.variable(own.file, own.variable);
    return same && same.kind === "variable" && same.file !== file ? this.key(same) : `${own.file}#${/** @type {Facts} */ (this.facts(own.file)).variables[own.variable].name}`;
  }
  /** A thing as its source declares it, where a build wrote the declarations that were found. @returns {Thing} */
  original(/** @type {Thing} */ thing) {
    if (thing.kind !== "variable") return thing;
    const { name, scope } = /** @type {Facts} */ (this.facts(thing.file)).variables[thing.variable];
    return (scope === "module" && this.#inSource(thing.file, name)) || thing;
  }
  /** One text for one symbol, wherever it is asked for. */
  key(/** @type {Thing} */ thing) {
    switch (thing.kind) {
      case "module":
        return `module:${thing.file}`;
      case "global":
        return `global#${thing.path}`;
      case "outside":
        return `"${thing.module}"#${thing.path}`;
      case "variable": {
        const at = `${thing.file}\0${thing.variable}`;
        let key = this.#keys.get(at);
        if (key === undefined) this.#keys.set(at, (key = this.#variableKey(thing.file, thing.variable)));
        return key;
      }
    }
  }

  /** @returns {string} */
  #variableKey(/** @type {string} */ file, /** @type {number} */ index) {
    const facts = /** @type {Facts} */ (this.facts(file));
    const { name, scope, container, start } = facts.variables[index];
    if (scope === "local") return `${file}@${start}`;
    if (scope === "module") return facts.isModule ? (this.#sourceKey(file, name) ?? `${file}#${name}`) : `global#${name}`;
    const specifier = facts.specifiers.get(container);
    if (specifier !== undefined) {
      // `declare module "./a" { … }` adds to what a exports.
      const target = this.resolve(facts.names[facts.uses[specifier * 4]], file);
      if (!("file" in target)) return `"${target.outside}"#${name}`;
      const [same] = this.exported(target.file, name);
      return same && !(same.kind === "variable" && same.file === file && same.variable === index) ? this.key(same) : `${target.file}#${name}`;
    }
    if (facts.variables[container]?.name === "__global") return `global#${name}`;
    const holder = this.key({ kind: "variable", file, variable: container });
    // `window.a = 1`
    if (scope === "static" && holder.startsWith("global#") && GLOBAL.test(holder.slice(7))) return `global#${name}`;
    return `${holder}${scope === "static" ? "." : "::"}${name}`;
  }
}
