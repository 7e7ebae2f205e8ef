// All references of a symbol that names decide. The search goes by words: the files that hold a name are looked through,
// and each further name under which the symbol goes (an import or an export that renames it, a default) is searched for
// until none is new.


import { autoNames, COMPONENT, kebab } from "./components/names.mjs";
import { isShebang, scripted } from "./embedded.mjs";
import { isShown, Owner, Role } from "./facts.mjs";
import { clausesIn, EMBEDDING, naming } from "./imports.mjs";
import { spread } from "./reach.mjs";
import { MEANINGS, meanings } from "./symbols.mjs";

/**
 * @typedef {import("./symbols.mjs").Thing} Thing
 * @typedef {{ file: string, start: number, length: number, roles: number }} Place start counts UTF-16 units
 * @typedef {{ file: string, start: number, reason: string, name: string, held?: true }} Doubt held: there what holds it leaves its name, as far as types tell
 * @typedef {object} Answer
 * @property {string} name
 * @property {string[]} names by which it goes
 * @property {(Place & { held: boolean })[]} definitions held: in no program with the declaration
 * @property {(Place & { held: boolean })[]} references without the definitions; imports and re-exports are among them
 * @property {Doubt[]} doubts the answer is complete when there is none
 * @property {string[]} wants words whose files are not known: ask again with them
 */

export const NOWHERE = "an import that leads nowhere";
const UNREAD = "a file that is not read";
const UNDECLARED = "a name that nothing declares: it may be registered, or imported for the file";
const OF_PAGE = "a name of a page's script that another one may declare";
const REEXPORTED = "a name of another package, which may export it again";
const UNINSTALLED = "a global, which may be that of a package that is not installed";
const BUILT = "declarations that may stand for the sources";
const DECLARATIONS = /\.d\.[mc]?ts$/;
const MANY = 25;
const FAR = 500;
const LONG = 100_000;
// Documentation types name values too.
const SCRIPT_ALONE = /\.[mc]?jsx?$/;
const SCRIPT = /\.[mc]?[jt]sx?$/;
// The samples in Markdown are no scripts.
const code = (/** @type {string} */ file, /** @type {string} */ text) => (/\.html?$/.test(file) ? scripted(text) : file.endsWith(".mdx") ? text.replace(/^([ \t]{0,20})(```+|~~~+)[^]*?^[ \t]{0,20}\2|`[^`\n]*`/gm, (sample) => " ".repeat(sample.length)).replace(/(?<=[^\n])\b(?:im|ex)port\b/g, "      ") : text);

/** Whether a word of MDX stands in a tag, in braces or in an import, and not in prose. */
const isCode = (/** @type {string} */ text, /** @type {number} */ at) => /(?:<\/?|\{[^{}]*|^(?:import|export)\b[^;"']*|<[\w.]+\s[^<>]*)$/m.test(text.slice(Math.max(0, at - 500), at));

/**
 * The first place of a word in a text that holds it only as a member of what can be no module: `a().find`, `b.find` of a b
 * that the text neither imports nor assigns. Such a text need not be parsed. -1 in any other, and where to find out would
 * take longer than to parse it.
 */
function onlyMember(/** @type {string} */ text, /** @type {string} */ word) {
  if (text.length > LONG || /\\u|import\s*\(|require\s*\(/.test(text)) return -1;
  /** @type {Map<string, boolean>} */
  const locals = new Map();
  let first = -1;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = text[at - 1] ?? " ";
    if (/[\w$]/.test(before) || /[\w$]/.test(text[at + word.length] ?? " ")) continue;
    if (before !== "." || text[at - 2] === ".") return -1;
    const [, root = ""] = /(?<![\w$.\])}"'`])([\w$]*)[\w$.?!]*$/.exec(text.slice(Math.max(0, at - 80), at)) ?? [];
    if (!locals.has(root)) locals.set(root, !root || root === "this" || isLocal(text, root.replaceAll("$", "\\$")));
    if (!locals.get(root) || locals.size > MANY) return -1;
    if (first < 0) first = at;
  }
  return first;
}
/** Whether a text declares a name, and neither imports nor assigns it: a parameter, mostly. */
const isLocal = (/** @type {string} */ text, /** @type {string} */ name) =>
  new RegExp(`(?<![\\w$.])${name}(?![\\w$]|\\s{0,9}[.?[(!])`).test(text) &&
  !new RegExp(`(?:[{,*]|\\bas|\\bimport)\\s{0,99}${name}\\b[^;]{0,2000}?\\bfrom\\b|(?<![\\w$.])${name}\\s{0,9}(?::[^=\\n]{0,200})?=(?![=>])`).test(text);

/** A name without what packages and globals write in their own ways: `prop-types`, `PropTypes`. */
const plain = (/** @type {string} */ name) => name.toLowerCase().replace(/[^a-z\d]/g, "");

export class References {
  /** @type {Map<string, Place>} */
  found = new Map();
  /** @type {Map<string, Place>} */
  declared = new Map();
  /** The keys of what scripts export: told where one was asked at. @type {Map<string, Place>} */
  keys = new Map();
  /** @type {Map<string, Doubt>} */
  doubts = new Map();
  /** @type {Set<string>} */
  #closed = new Set();
  /** @type {Set<string>} modules whose importers choose its name */
  #chosen = new Set();
  /** @type {Set<string>} modules that export it */
  #through = new Set();
  /** @type {string[]} */
  #words = [];
  /** Names of the tags by which a component may be used without an import. @type {Set<string>} */
  #tags = new Set();
  /** @type {Set<string>} */
  #queued = new Set();
  /** The keys of what is the same in other files. @type {Set<string>} */
  #twins;
  /** Where such files declare it. @type {[string, number][]} */
  #copies = [];
  /** What is imported of modules that are not there, and may be the goal: each with a use. @type {[Extract<Thing, { kind: "outside" }>, string, number][]} */
  #unresolved = [];
  /** Members of what names do not tell: they count when a holder leaves its name. @type {Place[]} */
  #open = [];
  #isModuleLevel = false;
  #isLocal = false;
  #isOfPage = false;
  /** Uses of it that leave their name. @type {Place[]} */
  leaving = [];

  /** @param {import("./engine.mjs").Engine} engine @param {Thing} goal */
  constructor(engine, goal) {
    this.engine = engine;
    this.symbols = engine.symbols;
    this.goal = goal;
    this.key = this.symbols.key(goal);
    this.#twins = goal.kind === "variable" ? this.#declaredAgain(goal) : new Set();
    const scope = goal.kind === "variable" ? this.#facts(goal.file).variables[goal.variable].scope : "";
    this.#isModuleLevel = scope === "module";
    this.#isLocal = scope === "local";
    this.name = goal.kind === "variable" ? this.#facts(goal.file).variables[goal.variable].text : goal.kind === "module" ? "" : /** @type {string} */ (goal.path.split(".").pop());
  }

  /** Search until nothing is new. */
  run() {
    const { goal } = this;
    if (goal.kind === "variable" && COMPONENT.test(goal.file) && this.engine.exportedAs(goal.file, goal.variable).includes("default")) this.#tags = new Set([this.name, ...(this.engine.autoImports.isOn ? autoNames(goal.file) : [])]);
    if (goal.kind === "module") {
      this.#importers(goal.file);
      for (const { file, use } of this.engine.nowhere(goal.file)) this.#doubt(file, use, NOWHERE);
      this.#patterns(this);
    }
    // Other files know what a function or a block declares only where it is exported.
    else if (goal.kind === "variable" && this.#isLocal) this.#visit(goal.file, this.name);
    else this.#search(this.name);
    // Its importers choose the name of a package, and of its default.
    if (goal.kind === "outside" && (this.name === "" || goal.path === "default")) this.#importers(`"${goal.module}"`);
    if (goal.kind === "variable") this.#close(goal.file, goal.variable);
    for (const [file, variable] of this.#copies) this.#close(file, variable);
    if (goal.kind === "variable" && !/[\p{L}_$]/u.test(this.name)) this.doubts.set(this.key, { ...this.engine.declared(goal), reason: "a name that is no word", name: this.name });
    for (let word = this.#words.pop(); word !== undefined; word = this.#words.pop()) for (const path of this.engine.filesWith(word)) this.#visit(path, word);
    this.#tagged();
    this.#addUnresolved();
    if (goal.kind === "variable") this.#built(goal.file);
    const [first] = this.found.values();
    if (first && (goal.kind === "global" || goal.kind === "outside") && goal.path.includes(".") && !this.declared.size) this.doubts.set(this.key, { ...first, reason: "a member of what is declared outside", name: this.name });
    return this;
  }

  /** Imports of what is not there are doubts, but of a file of a package that takes nothing of those that export the goal. */
  #addUnresolved() {
    const exporting = [...this.#through, ...(this.goal.kind === "variable" ? [this.goal.file] : [])].filter((one) => !one.startsWith('"'));
    for (const [{ module }, file, use] of this.#unresolved) {
      if (!module.startsWith("/") || !exporting.length || exporting.some((one) => this.engine.resolver.mayTake(module, one))) this.#doubt(file, use, NOWHERE);
    }
  }
  /** What a build wrote and is kept tells the same again as its source; imports of it lead to that. */
  #built(/** @type {string} */ file) {
    const { writtenOf } = this.engine;
    const source = writtenOf(file);
    const isUsed = [...this.found.values()].some((one) => one.file !== file);
    if (source && isUsed) return;
    if (source) this.doubts.set(`${source}:0`, { file: source, start: 0, reason: `${this.engine.shown(file)} is built of it, and so are its uses`, name: this.name });
    else for (const all of [this.found, this.doubts]) for (const [at, one] of all) if (writtenOf(one.file)) all.delete(at);
  }
  /** @returns {import("./facts.mjs").Facts} */
  #facts(/** @type {string} */ file) {
    return /** @type {any} */ (this.engine.facts(file));
  }
  #search(/** @type {string} */ word) {
    if (word && !this.#queued.has(word)) this.#queued.add(word), this.#words.push(word);
  }
  /** Uses of a component by tags: `<account-avatar>`, and the names that Nuxt gives. */
  #tagged() {
    for (const name of this.#tags) for (const word of new Set([name, kebab(name)])) for (const path of this.engine.filesWith(word)) this.#visit(path, name);
  }
  isGoal = (/** @type {Thing} */ thing) => this.symbols.key(thing) === this.key || (this.#twins.size > 0 && this.#twins.has(this.symbols.key(thing))) || (this.goal.kind !== "variable" && this.#ofPackage(thing) === "its");
  /**
   * Whether one of the goal and a thing is what a package has, and the other what its `export as namespace` gives to files that do not
   * import it: "its" by its declarations, "unknown" where they are not installed and only the name speaks for it.
   */
  #ofPackage(/** @type {Thing} */ thing) {
    const [global, own] = this.goal.kind === "global" ? [this.goal, thing] : [thing, this.goal];
    if (global.kind !== "global" || own.kind !== "outside") return "no";
    const path = own.path === "default" ? "" : own.path;
    const name = path ? global.path.slice(0, -path.length - 1) : global.path;
    if (!name || global.path !== (path ? `${name}.${path}` : name)) return "no";
    const { isFound, globalsOf } = this.engine.resolver;
    if (isFound(own.module, own.from)) return globalsOf(own.module, own.from).includes(name) ? "its" : "no";
    return !/[a-z]/i.test(name) || plain(name) === plain(own.module) ? "unknown" : "no";
  }
  /** What declarations tell again of a script, or the script of which they tell: those beside, and those of its package. @returns {Set<string>} */
  #declaredAgain(/** @type {Extract<Thing, { kind: "variable" }>} */ { file, variable }) {
    const { name, text, scope } = this.#facts(file).variables[variable];
    const found = new Set();
    if (scope !== "module") return found;
    const add = (/** @type {string} */ path, /** @type {number} */ index) => {
      this.#copies.push([path, index]);
      for (const thing of this.symbols.variable(path, index)) if (thing.kind === "variable" && thing.file === path) found.add(this.symbols.key(thing));
    };
    const names = this.engine.exportedAs(file, variable);
    const beside = this.engine.beside(file);
    if (beside) {
      this.engine.facts(beside)?.variables.forEach((one, index) => {
        const isSame = one.scope === "module" && (one.name === name || one.text === text || this.engine.exportedAs(beside, index).some((own) => names.includes(own)));
        if (isSame) add(beside, index);
      });
    }
    const own = SCRIPT_ALONE.test(file) || DECLARATIONS.test(file) ? this.engine.resolver.packages.declared(file) : undefined;
    if (!own || this.engine.beside(own.script) === own.declarations) return found;
    const [from, to] = SCRIPT_ALONE.test(file) ? [own.script, own.declarations] : [own.declarations, own.script];
    for (const exported of new Set([text, ...names, ...(this.engine.facts(from)?.exports.keys() ?? [])])) {
      const things = this.#exports(from, exported) ? this.symbols.exported(to, exported) : [];
      for (const thing of things) if (thing.kind === "variable") add(thing.file, thing.variable);
    }
    return found;
  }

  /** Whether a file exports the goal by a name. */
  #exports = (/** @type {string} */ file, /** @type {string} */ name) => this.symbols.exported(file, name).some((thing) => this.symbols.key(thing) === this.key);

  /** Each use of a word in a file. */
  #visit(/** @type {string} */ file, /** @type {string} */ word) {
    if (this.#isModuleLevel && !this.engine.hasFacts(file) && SCRIPT.test(file)) {
      const start = onlyMember(this.engine.text(file) ?? "", word);
      if (start >= 0) return void this.#open.push({ file, start, length: word.length, roles: 0 });
    }
    const facts = this.engine.facts(file);
    if (!facts) return this.#unread(file, word);
    if (facts.errors) this.#torn(file, word, facts);
    if (facts.unread) this.#inUnread(file, word, facts.unread);
    for (const use of this.engine.usesOf(file, word)) this.#judge(file, use, facts);
  }

  #judge(/** @type {string} */ file, /** @type {number} */ use, /** @type {import("./facts.mjs").Facts} */ facts) {
    const owner = facts.uses[use * 4 + 2];
    const roles = facts.uses[use * 4 + 3];
    const things = this.symbols.things(file, use);
    if (things.some(this.isGoal)) {
      if (this.#isOther(file, things, roles)) return;
      if (!things.every(this.isGoal)) this.#doubt(file, use, "a name that two modules export");
      return this.#hit(file, use);
    }
    const built = things.find((thing) => thing.kind === "variable" && this.#mayStandFor(thing));
    if (built) this.#doubt(file, use, BUILT);
    for (const thing of things) if (thing.kind === "outside" && thing.open && this.#mayBe(thing)) this.#unresolved.push([thing, thing.use >= 0 ? thing.from : file, thing.use >= 0 ? thing.use : use]);
    if (things.some((thing) => this.#isOfAnother(thing))) this.#doubt(file, use, REEXPORTED);
    if (things.some((thing) => this.#ofPackage(thing) === "unknown")) this.#doubt(file, use, UNINSTALLED);
    if (owner === Owner.Free && this.#mayComeUnsaid(file, roles, things, facts.names[facts.uses[use * 4]])) this.#doubt(file, use, UNDECLARED);
    if (roles & Role.Page && this.#isOfPage) this.#doubt(file, use, OF_PAGE);
    const isMember = owner < Owner.Free && !(roles & (Role.Declaration | Role.Specifier));
    if (!isMember || things.length || (roles & Role.Key && !(roles & Role.Value))) return;
    this.#open.push(this.#place(file, use));
  }
  /** Whether another package exports a name, which it may have of the goal's. */
  #isOfAnother(/** @type {Thing} */ thing) {
    return this.goal.kind === "outside" && thing.kind === "outside" && thing.path === this.goal.path && thing.path !== "default";
  }
  /** Whether a name that nothing declares may be the goal: of a registered component, or by an auto-import. */
  #mayComeUnsaid(/** @type {string} */ file, /** @type {number} */ roles, /** @type {Thing[]} */ things, /** @type {string} */ name) {
    const { goal } = this;
    if (goal.kind !== "variable" || things.some((one) => one.kind !== "global")) return false;
    if (roles & Role.Template && this.#tags.has(name)) return true;
    return this.engine.autoImports.isOn && this.engine.exportedAs(goal.file, goal.variable).some((own) => own === name || this.#tags.has(name));
  }
  /** Whether a global's name stands for something that the goal is not: where that is an interface alone, for a value. */
  #isOther(/** @type {string} */ file, /** @type {Thing[]} */ things, /** @type {number} */ roles) {
    if (!(roles & MEANINGS) || SCRIPT_ALONE.test(file) || things.some((one) => one.kind !== "global")) return false;
    this.#meanings ??= this.symbols.flagsOf(this.key, this.name, this.engine.filesWith(this.name));
    return this.#meanings > 0 && !(this.#meanings & meanings(roles));
  }
  /** @type {number | undefined} ts.SymbolFlags of all that declares the goal */
  #meanings;
  /** Whether it is declared in what was written of sources, or lies behind a link, by the name that is searched for. */
  #mayStandFor(/** @type {Extract<Thing, { kind: "variable" }>} */ { file, variable }) {
    if (this.goal.kind !== "variable" || file === this.goal.file) return false;
    const { isModule, variables } = this.#facts(file);
    const { scope, name, stands } = variables[variable];
    if (stands === "umd") return false;
    if ((this.engine.files.has(file) && !DECLARATIONS.test(file)) || !this.#queued.has(name)) return false;
    // A default has no name of its own but that of its file.
    if (name === "default" && !this.#isChosen(file.replace(DECLARATIONS, ""))) return false;
    const own = this.#facts(this.goal.file);
    if ([scope, own.variables[this.goal.variable].scope].includes("local")) return false;
    // What a module exports is written as no member of a type, and where there is no module, as one of the workspace's.
    if (scope === "member" && own.variables[this.goal.variable].scope !== "member") return false;
    let top = variable;
    while (variables[top].container >= 0) top = variables[top].container;
    const isOf = this.engine.ofScript(file, top, this.goal);
    // What the script does not export may be a base of what it does, with these members.
    if (isOf === "another" || (isOf === "none" && top === variable)) return false;
    if (isModule || !own.isModule) return true;
    const module = this.symbols.ambientName(file, top);
    return module !== undefined && "file" in this.symbols.resolve(module.slice(1, -1), file);
  }
  #mayBe(/** @type {Extract<Thing, { kind: "outside" }>} */ thing) {
    if (this.goal.kind === "outside") return false;
    const last = thing.path.slice(thing.path.lastIndexOf(".") + 1);
    if (last !== "default") return this.#queued.has(last);
    return this.#isChosen(thing.module.replace(/\.[a-z]+$/, ""));
  }
  /** Whether a path or a specifier ends as one does of a module whose default it is. */
  #isChosen = (/** @type {string} */ path) => this.engine.tails([...this.#chosen]).has(path.slice(path.lastIndexOf("/") + 1));

  #place(/** @type {string} */ file, /** @type {number} */ use) {
    const { uses, names } = this.#facts(file);
    return { file, start: uses[use * 4 + 1], length: names[uses[use * 4]].length, roles: uses[use * 4 + 3] };
  }

  /** A use of the goal; what it is handed to stands for the goal as well. */
  #hit(/** @type {string} */ file, /** @type {number} */ use) {
    const at = `${file}:${use}`;
    if (this.#closed.has(at)) return;
    this.#closed.add(at);
    const facts = this.#facts(file);
    const place = this.#place(file, use);
    const owner = facts.uses[use * 4 + 2];
    if (place.roles & Role.Leaves) this.leaving.push(place);
    if (place.roles & Role.Branch) this.#asDefault(file);
    const declares = place.roles & Role.Declaration && owner >= 0 && !(place.roles & Role.Alias);
    const isOwn = declares && this.symbols.key({ kind: "variable", file, variable: owner }) === this.key;
    // The key of what a script exports, `exports.b = a`, is neither.
    const isKey = declares && place.roles & (Role.Key | Role.Value) && /^(?:alias|module)$/.test(facts.variables[owner].stands ?? "");
    if (isKey) this.keys.set(`${file}:${place.start}`, place);
    else if (isOwn && this.goal.kind === "variable" && file !== this.goal.file && this.engine.writtenOf(file)) return void this.#close(file, owner); // says the same again
    else if ((isOwn ? isShown(place.roles) : !(place.roles & Role.Silent)) && (isOwn || !declares || !this.#twins.size || !this.#isTwin(file, owner))) {
      (isOwn ? this.declared : this.found).set(`${file}:${place.start}`, place);
    }
    for (const variable of this.engine.standingFor(file, use)) {
      if (this.symbols.variable(file, variable).some(this.isGoal)) this.#close(file, variable);
    }
    if (owner >= 0 && !(place.roles & Role.Declaration)) this.#close(file, owner);
  }

  /** Of what a module exports one of several values as its default, or what a call makes of it, who imports that uses each of them. */
  #asDefault(/** @type {string} */ file) {
    const variable = this.#facts(file).exports.get("default");
    if (variable === undefined) return;
    this.#twins.add(this.symbols.key({ kind: "variable", file, variable }));
    this.#exported(file, "default");
  }
  #isTwin = (/** @type {string} */ file, /** @type {number} */ variable) => this.#twins.has(this.symbols.key({ kind: "variable", file, variable }));

  /** All uses of a variable that is the goal, or stands for it, and the names by which it is exported. */
  #close(/** @type {string} */ file, /** @type {number} */ variable) {
    const at = `${file}#${variable}`;
    if (this.#closed.has(at)) return;
    this.#closed.add(at);
    const facts = this.#facts(file);
    for (const use of this.engine.ownedBy(file, variable)) if (this.symbols.things(file, use).some(this.isGoal)) this.#hit(file, use);
    const own = facts.variables[variable];
    for (const name of this.engine.exportedAs(file, variable)) this.#exported(file, name);
    if (own.isOfPage) this.#isOfPage = true, this.#search(own.name);
    if (own.scope === "module" && !facts.isModule) this.#search(own.name);
    if (own.scope !== "static" && own.scope !== "member") return;
    const module = this.symbols.ambientName(file, own.container);
    if (module) this.#through.add(module);
    if (module && (own.name === "default" || own.name === "export=")) this.#importers(module);
    else this.#search(own.name);
    // A namespace that is the whole module exports its default.
    if (!module && own.scope === "static" && own.name === "default") this.#importers(file);
  }
  #exported(/** @type {string} */ file, /** @type {string} */ name) {
    this.#through.add(file);
    if (name !== "default" && name !== "export=") return this.#search(name);
    this.#importers(file);
    const declared = this.#declaredBeside(file);
    if (declared && !this.engine.facts(declared)?.exports.has("default")) this.#importers(declared);
  }

  /** The declarations beside a script. */
  #declaredBeside = (/** @type {string} */ file) => (DECLARATIONS.test(file) ? undefined : this.engine.beside(file));

  /** Files that import a module: what they take of it by a name of their own. */
  #importers(/** @type {string} */ module) {
    if (this.#chosen.has(module)) return;
    this.#chosen.add(module);
    if (!module.startsWith('"')) this.#facts(module).variables.forEach((one, index) => {
      if (one.stands === "umd" && this.symbols.variable(module, index).some(this.isGoal)) this.#close(module, index), this.#search(one.name);
    });
    for (const file of this.engine.importers(module)) {
      const facts = this.engine.facts(file);
      if (!facts) {
        this.doubts.set(`${file}:0`, { file, start: this.engine.specifierAt(file, module), reason: this.engine.failure(file) ?? UNREAD, name: this.name });
        continue;
      }
      for (const use of this.engine.specifiers(file)) {
        const things = this.symbols.things(file, use);
        if (!things.some((one) => this.symbols.isModule(one, module))) continue;
        if (things.some(this.isGoal)) this.#hit(file, use);
        for (const variable of this.engine.standingFor(file, use)) if (this.symbols.variable(file, variable).some(this.isGoal)) this.#close(file, variable);
      }
      for (const use of this.engine.usesOf(file, "default")) if (this.symbols.things(file, use).some(this.isGoal)) this.#hit(file, use);
    }
  }

  // ---- what is not decided

  #doubt(/** @type {string} */ file, /** @type {number} */ use, /** @type {string} */ reason, isHeld = false) {
    const { start } = this.#place(file, use);
    this.doubts.set(`${file}:${start}`, { file, start, reason, name: this.name, ...(isHeld && { held: true }) });
  }
  /** A text that is not parsed: it may use the goal when it holds its name and imports where that leads. */
  #unread(/** @type {string} */ file, /** @type {string} */ word) {
    const failed = this.engine.failure(file);
    const whole = this.engine.text(file) ?? "";
    if (!failed && !EMBEDDING.test(file) && !isShebang(file, whole)) return;
    const text = code(file, whole);
    const [start = -1, ...further] = [...text.matchAll(new RegExp(`(?<![\\w$])${word.replace(/[$]/g, "\\$")}(?![\\w$])`, "g"))].map(({ index }) => index);
    if (start < 0 && !failed) return;
    const leads = (/** @type {ReturnType<import("./engine.mjs").Engine["targets"]>[0]} */ target) =>
      "file" in target ? (target.isDefault && this.#chosen.has(target.file)) || (target.holds && this.symbols.exported(target.file, word).some(this.isGoal)) : target.open && target.names && this.goal.kind !== "outside";
    if (!failed && !this.key.startsWith("global#") && !this.engine.autoImports.isOn && !this.engine.targets(file, clausesIn(text), word).some(leads)) return;
    const named = failed ? [] : further.filter((at) => !file.endsWith(".mdx") || isCode(text, at));
    for (const at of [Math.max(0, start), ...named]) this.doubts.set(`${file}:${at}`, { file, start: at, reason: failed ?? UNREAD, name: word });
  }
  /** What of a component is not read may use what its words name. */
  #inUnread(/** @type {string} */ file, /** @type {string} */ word, /** @type {{ reason: string, spans: [number, number][] }} */ { reason, spans }) {
    const text = this.engine.text(file) ?? "";
    const known = new Set(this.engine.usesOf(file, word).map((use) => this.#place(file, use).start));
    const any = [word, kebab(word)].map((one) => one.replaceAll("$", "\\$")).join("|");
    for (const { index } of text.matchAll(new RegExp(`(?<![\\w$-])(?:${any})(?![\\w$-])`, "g"))) {
      if (!known.has(index) && spans.some(([start, end]) => start <= index && index < end)) this.doubts.set(`${file}:${index}`, { file, start: index, reason, name: this.name });
    }
  }
  /** Where the syntax is broken, a word that no use stands for is not read. */
  #torn(/** @type {string} */ file, /** @type {string} */ word, /** @type {import("./facts.mjs").Facts} */ facts) {
    if (this.engine.usesOf(file, word).length || !this.engine.text(file)?.includes(word)) return;
    this.doubts.set(`${file}:0`, { file, start: 0, reason: `${facts.errors} errors of syntax`, name: word });
  }

  /** Modules that a pattern may name: `import.meta.glob("./pages/*.tsx")`, `import("./lang/" + code)`. */
  #patterns(/** @type {References} */ container) {
    const modules = [...container.#through, ...container.#chosen];
    if (!modules.length || !(this.#open.length || container.#chosen.size)) return;
    for (const file of new Set([...this.engine.imports.computed(), ...this.#open.map((one) => one.file)])) {
      for (const use of this.engine.computed(file)) {
        const place = this.#place(file, use);
        const text = this.#facts(file).names[this.#facts(file).uses[use * 4]];
        const patterns = this.engine.resolver.patternsOf(text, file).map((pattern) => naming(pattern, file));
        const named = text === "*" ? modules : modules.filter((one) => patterns.some((mayName) => mayName(one)));
        const isDefault = text !== "*" && named.some((one) => container.#chosen.has(one));
        if (isDefault || (named.length && this.#isTaken(file, use, text))) this.doubts.set(`${file}:${place.start}`, { file, start: place.start, reason: "a module that is imported by a pattern", name: this.name });
      }
    }
  }
  /** Whether a name of it is taken of a use, or of what stands for that, or leaves its name to where it may be. */
  #isTaken(/** @type {string} */ file, /** @type {number} */ use, /** @type {string} */ text) {
    const { uses, names } = this.#facts(file);
    const held = [use, ...this.engine.standingFor(file, use).flatMap((variable) => this.engine.ownedBy(file, variable))];
    return held.some((at) => this.engine.membersOf(file, at).some((one) => this.#queued.has(names[uses[one * 4]])) || (text !== "*" && uses[at * 4 + 3] & Role.Leaves && this.#reaches(file)));
  }
  /**
   * Whether a member that stands open may have what leaves its name in a file: only what imports that file knows its types, and
   * what the file imports may be given it as a value.
   */
  #reaches(/** @type {string} */ file) {
    const facts = this.#facts(file);
    if (!facts.isModule || facts.ambients.length) return true;
    const open = [...new Set(this.#open.map((one) => one.file))];
    this.#above ??= this.#importing(open);
    const known = this.#importing([file]);
    return !known || !this.#above || this.#above.has(file) || open.some((one) => known.has(one));
  }
  /** The files with such a member, and who imports these; null for too many. @type {Set<string> | null | undefined} */
  #above;
  /** Some files and all that import them, by however many others; null for too many. */
  #importing(/** @type {string[]} */ files) {
    const seen = new Set(files);
    for (const one of seen) {
      if (seen.size > FAR) return null;
      for (const importer of this.engine.importers(one)) seen.add(importer);
      // An import of declarations is one of their script.
      const declared = this.#declaredBeside(one);
      if (declared) seen.add(declared);
    }
    return seen;
  }

  /** Holders that leave their name, where a member of the goal's name stands open. */
  holders() {
    const { goal } = this;
    const own = goal.kind === "variable" ? this.#facts(goal.file).variables[goal.variable] : undefined;
    if (!own || goal.kind !== "variable") return;
    if (own.scope === "module") this.#readByKey();
    // What holds it, and what holds that.
    const container = own.scope === "static" ? new References(this.engine, { kind: "variable", file: goal.file, variable: own.container }).run() : this;
    this.#patterns(container);
    if (!this.#open.length) return;
    this.#lost([...this.#through, ...container.#through]);
    const leaving = [...(container === this ? [] : container.leaving), ...this.engine.namespacesOf([...this.#through, ...container.#through])];
    /** @type {Map<string, boolean>} */
    const reached = new Map();
    for (const place of leaving) {
      if (this.doubts.size > MANY) return;
      if (!reached.has(place.file)) reached.set(place.file, this.#reaches(place.file));
      if (reached.get(place.file)) this.#leaves(place);
    }
  }
  /** A module that has it, as a value, is read by a key that is computed. */
  #readByKey() {
    for (const { file, use, module } of this.engine.readByKey()) {
      if (![...this.#queued].some((name) => this.symbols.member(module, name, Role.Value).some(this.isGoal))) continue;
      this.#doubt(file, use, `the module of ${this.name} is read by a computed key`);
    }
  }
  /** Files with such a member that import of one of the modules what it does not export: as far as is known, any of its types. */
  #lost(/** @type {string[]} */ modules) {
    const open = new Set(this.#open.map((one) => one.file));
    for (const module of modules) {
      for (const file of this.engine.importers(module)) {
        if (!open.has(file) || !this.engine.facts(file)) continue;
        const taken = this.engine.specifiers(file).filter((use) => this.symbols.things(file, use).some((one) => this.symbols.isModule(one, module)));
        const lost = taken.flatMap((use) => this.engine.membersOf(file, use)).find((use) => this.#facts(file).uses[use * 4 + 3] & Role.Alias && !this.symbols.things(file, use).length);
        if (lost !== undefined) this.#doubt(file, lost, "a name that its module does not export", true);
      }
    }
  }
  #leaves(/** @type {Place} */ { file, start }) {
    const { file: at } = this.#open[0];
    this.doubts.set(`${file}:${start}`, { file, start, reason: `what has ${this.name} is passed on here as a value, and ${this.engine.shown(at)} names such a member`, name: this.name, held: true });
  }

  /** Whether no program holds a file and the goal's declaration: what has its name everywhere may be another one there. */
  isApart(/** @type {string} */ file) {
    const { goal } = this;
    if (goal.kind !== "variable" || file === goal.file || !this.key.startsWith("global#")) return false;
    this.#programs ??= new Set([...spread([goal.file], this.engine.bringing)].flatMap(this.#listing));
    if (!this.#programs.size) return false;
    const seen = new Set([file]);
    let isApart = true;
    for (const one of seen) {
      isApart = this.#apart.get(one) ?? !this.#listing(one).some((at) => this.#programs?.has(at));
      if (!isApart) break;
      if (!this.#apart.has(one)) for (const next of this.engine.bringing(one)) seen.add(next);
    }
    for (const one of isApart ? seen : [file]) this.#apart.set(one, isApart);
    return isApart;
  }
  /** The tsconfigs of the programs that hold the goal's declaration. @type {Set<string> | undefined} */
  #programs;
  /** What is known of files, and of those that bring them. @type {Map<string, boolean>} */
  #apart = new Map();
  /** The tsconfigs that list or govern a file. */
  #listing = (/** @type {string} */ path) => [...this.engine.resolver.programsOf(path), this.engine.resolver.optionsFor(path).at].filter(Boolean);
  /** @returns {Answer} */
  answer() {
    const { given } = this.goal.kind === "variable" ? this.#facts(this.goal.file).variables[this.goal.variable] : {};
    const order = (/** @type {{ file: string, start: number }} */ one, /** @type {{ file: string, start: number }} */ other) => (one.file < other.file ? -1 : one.file > other.file ? 1 : one.start - other.start);
    const held = (/** @type {Place} */ one) => ({ ...one, held: this.isApart(one.file) });
    return {
      name: this.name,
      names: [...new Set([...this.#queued, ...(this.#isLocal ? [this.name] : [])]), ...(given === undefined ? [] : [given])],
      definitions: [...this.declared.values()].sort(order).map(held),
      references: [...this.found.values()].sort(order).map(held),
      doubts: [...this.doubts.values()].sort(order),
      wants: [],
    };
  }
}
