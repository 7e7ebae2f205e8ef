// Programs of the compiler over few files: those that are asked about, what their imports lead to, and what is declared for
// all. Files that are compiled alike share a program, whatever tsconfig governs them: where imports lead is ours to say.

import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";

import { folderOf } from "../bindings/components/kit.mjs";
import { COMPONENT } from "../bindings/components/names.mjs";
import { linesOf } from "../bindings/facts.mjs";
import { isNodeModuleKind } from "../bindings/resolve.mjs";
import { Automatic } from "./automatic.mjs";
import { Components } from "./components.mjs";
import { virtual } from "./frameworks/astro.mjs";
import * as foreign from "./frameworks/declared.mjs";
import * as jsx from "./frameworks/jsx.mjs";
import * as kit from "./frameworks/kit.mjs";
import { keptFor } from "./kept.mjs";
import { required } from "./required.mjs";

/**
 * @typedef {import("typescript").CompilerOptions} Options
 * @typedef {ReturnType<typeof import("../bindings/resolve.mjs").resolver>} Resolver
 * @typedef {{ key: string, options: Options, roots: string[], version: number, at: number, service: import("typescript").LanguageService, built: import("typescript").Program | undefined, used: number, order: number, isAsked: boolean, resolver: Resolver | undefined }} Program at: the version that is built. used: the last question of which it is one, order: its place in it. isAsked: since it let go what it knows of types
 * @typedef {{ roots: string[], declaring: string[], alike: () => string[] }} Wanted the files that a question asks for, those that may declare something for what it asks, and the files of TypeScript that are compiled alike and declare nothing for others
 */

const SCRIPT = /\.[mc]?[jt]sx?$/;
const TYPESCRIPT = /\.[mc]?tsx?$/;
const KIND = (/** @type {typeof import("typescript")} */ ts, /** @type {string} */ path) => /** @type {any} */ (ts).getScriptKindFromFileName(path);
const VUE = /\bfrom\s*["']vue["']/;
/** A text that imports or exports itself, and not in a module that it declares. */
const MODULE = /^(?:import|export)\b/m;
/** So many programs stay in memory, as long as their files have no more nodes than that: 300,000 take 100 MB. */
const KEPT = 8;
const NODES = 2_200_000;
/** So many nodes all files that are compiled alike may have, of which a program keeps those of earlier questions. */
const GROWING = 1_500_000;
/** From so many bytes on memory is collected when a program goes. V8 would wait until its limit is near. */
const ROOM = 750_000_000;
/** And so many bytes more than were left the last time: it takes a second or two. */
const GONE = 200_000_000;
/** Where memory is nearly full it is collected when so many bytes more are used than were left the last time. */
const GROWN = 80_000_000;
/** The key of the program beside another one ends so: it has no files of earlier questions that change what the compiler tells of this one's. */
const APART = " apart";
/** If so many are left, of the 1.5 GB that the process may take, programs let go what they know of types. */
const FULL = 1_300_000_000;
/** The bytes that a program which is built may need for what it learns of types, for each file that is asked for. */
const LEARNT = 200_000;
// What of a tsconfig decides about types. All else is alike for all: the strictest reading knows the most.
const OWN = /** @type {const} */ (["noLib", "jsxFactory", "jsxFragmentFactory", "jsxImportSource", "esModuleInterop", "allowSyntheticDefaultImports", "allowUmdGlobalAccess"]);

const NODE = (/** @type {typeof import("typescript")} */ ts) => ({ module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext });
const BUNDLED = (/** @type {typeof import("typescript")} */ ts) => ({ module: ts.ModuleKind.Preserve, moduleResolution: ts.ModuleResolutionKind.Bundler });

/** What is parsed is shared by programs of the same options. */
function nodesIn(/** @type {Program[]} */ programs) {
  const files = new Set(programs.flatMap(({ built }) => built?.getSourceFiles() ?? []));
  return [...files].reduce((sum, file) => sum + /** @type {any} */ (file).nodeCount, 0);
}

/** Makes a checker remember what it told of nodes: it works out the types of expressions, and what is expected of objects, anew each time. */
const remembering = keptFor((/** @type {any} */ checker) => {
  for (const method of ["getTypeAtLocation", "getContextualType"]) {
    const ask = checker[method];
    const known = new Map();
    checker[method] = (/** @type {import("typescript").Node} */ node, /** @type {unknown} */ flags) => {
      if (flags) return ask(node, flags);
      if (!known.has(node)) known.set(node, ask(node));
      return known.get(node);
    };
  }
  return checker;
});

/** Whether a file is no module, and declares something for all others of its program. */
const isScript = (/** @type {any} */ file) => SCRIPT.test(file?.fileName ?? "") && !file.isDeclarationFile && !file.externalModuleIndicator && !file.commonJsModuleIndicator && file.locals?.size > 0;

/** The programs of the last question first, in the order in which it asked them. */
const byUse = (/** @type {Program} */ one, /** @type {Program} */ other) => other.used - one.used || one.order - other.order;
/** Whether most of the roots of two programs are roots of both. */
function areMostShared(/** @type {string[]} */ roots, /** @type {string[]} */ others) {
  const known = new Set(others);
  return roots.filter((path) => known.has(path)).length * 2 > Math.max(roots.length, others.length);
}

export class Programs {
  /** @type {Set<Program>} */
  #programs = new Set();
  /** @type {Map<string, number>} of files that changed */
  #versions = new Map();
  /** @type {Map<string, import("typescript").IScriptSnapshot>} */
  #snapshots = new Map();
  #question = 0;
  /** Files whose text ended a process. @type {Set<string>} */
  banned = new Set();
  /** @type {Map<string, import("typescript").ModuleResolutionCache>} */
  #caches = new Map();
  /** What the programs themselves read of manifests, for the format of files and the types that are there for all. @type {import("typescript").ModuleResolutionCache | undefined} */
  #formats = undefined;
  /** The stamps of manifests below `node_modules`, of which the daemon tells no change. @type {Map<string, string>} */
  #manifests = new Map();

  /**
   * @param {typeof import("typescript")} ts
   * @param {import("../bindings/listing.mjs").Files} files
   * @param {string} root
   * @param {Resolver} resolver
   * @param {boolean} isOld whether the workspace's TypeScript is older than 6, which changed defaults
   * @param {(path: string) => void} [reading] called with each text before it is read
   * @param {string} [tools] the folder with the packages that read components
   */
  constructor(ts, files, root, resolver, isOld, reading = () => {}, tools = undefined) {
    this.ts = ts;
    this.files = files;
    this.root = root;
    this.resolver = resolver;
    this.isOld = isOld;
    this.reading = reading;
    this.registry = this.#documents();
    this.components = new Components(ts, files, root, tools, reading);
    this.automatic = new Automatic(files, root, this.components.tools);
    /** Folders of ours, and of no workspace. */
    this.own = [dirname(ts.getDefaultLibFilePath({})), ...(tools ? [tools] : [])].map((folder) => `${folder}/`);
  }

  /** Whether a package was installed anew whose manifest was read. */
  isOutdated() {
    return [...this.#manifests].some(([path, stamp]) => this.files.stamp(path) !== stamp);
  }
  /** The files of packages that were read. */
  installed = () => [...this.#snapshots.keys()].filter((path) => path.includes("/node_modules/"));

  /** Files of another content, or that came and went. */
  update(/** @type {Iterable<string>} */ paths, /** @type {Resolver} */ resolver) {
    if (resolver !== this.resolver) this.#caches.clear(), this.#roots.clear(), this.#bare.clear(), (this.#beside = undefined), this.#manifests.clear(), this.#forms.clear(), (this.#formats = undefined);
    if (resolver !== this.resolver || this.automatic.names.isOn) this.automatic.outdated();
    this.resolver = resolver;
    // A script of a route that comes or goes changes what is said of its folder.
    this.#changed([...paths, ...[...this.#snapshots.keys()].filter(kit.isTypes)]);
  }
  #changed(/** @type {Iterable<string>} */ paths) {
    for (const path of paths) {
      this.#versions.set(path, (this.#versions.get(path) ?? 0) + 1);
      for (const one of [path, ...this.components.forget(path)]) this.#snapshots.delete(one);
      this.#ambient.delete(path);
      this.#scripts.delete(path);
    }
    this.#keep(this.#latest());
    for (const program of this.#programs) program.version++;
    this.#byOptions.clear();
  }

  /**
   * The programs that hold some files, each with those of them that are its own, and how to have it. Files that are compiled alike share one,
   * unless what is declared for all of their projects differs.
   * @param {Iterable<string>} paths @param {string[]} everywhere files of each program @param {string[]} ambient
   * @param {string[]} apart files that declare something for all: in the programs of the projects that list them, and in no other
   * @param {string[]} others all files that declare something for others: none of them comes in unasked
   */
  of(paths, everywhere, ambient, apart = [], others = ambient) {
    this.#question++;
    if (this.automatic.refresh(this.resolver)) this.#changed([this.automatic.path]);
    const automatic = this.automatic.text ? [this.automatic.path] : [];
    /** @type {Map<string, string[]>} */
    const around = new Map();
    for (const path of ambient.filter((one) => !apart.includes(one))) {
      // Declarations may lie outside of the folder of a tsconfig that lists them.
      const listing = path.endsWith(".d.ts") ? this.resolver.programsOf(path) : [];
      for (const at of new Set([this.resolver.optionsFor(path).at, ...listing])) around.set(at, [...(around.get(at) ?? []), path]);
    }
    const projects = apart.map((path) => /** @type {const} */ ([path, this.#projects(path)]));
    /** @type {{ key: string, options: Options, files: Set<string>, ambient: Map<string, string>, projects: Set<string>, everywhere: string[] }[]} */
    const groups = [];
    for (const path of paths) {
      const { at, options } = this.resolver.optionsFor(path);
      const own = this.#options(options, path, at);
      const listed = !at || this.resolver.holds(at, path);
      const here = projects.flatMap(([one, all]) => (one === path || (listed ? all.has(at) : [...all].some((own) => this.resolver.holds(own, path))) ? [one] : []));
      const key = JSON.stringify([own, ...here]);
      const alike = groups.filter((group) => group.key === key);
      let group = alike.find((one) => one.projects.has(at)) ?? alike.find((one) => this.#agree(one.ambient, around.get(at) ?? []));
      if (!group) groups.push((group = { key, options: own, files: new Set(), ambient: new Map(), projects: new Set(), everywhere: [...everywhere, ...here] }));
      if (!group.projects.has(at)) for (const one of around.get(at) ?? []) for (const name of this.#declared(one)) if (!group.ambient.has(name)) group.ambient.set(name, one);
      group.projects.add(at);
      group.files.add(path);
    }
    const declaring = [...ambient, ...apart];
    const notAlike = new Set([...others, ...apart]);
    const keyOf = (/** @type {string} */ key, /** @type {number} */ index) => `${key}${groups.slice(0, index).filter((one) => one.key === key).length}`;
    return groups.map(({ key, options, files, ambient, everywhere }, index) => {
      const roots = [...new Set([...everywhere, ...automatic, ...ambient.values(), ...files])].sort().flatMap(this.components.standing);
      const alike = () => this.#alike(options).filter((path) => !notAlike.has(path));
      return { files, open: () => this.#program(keyOf(key, index), index, options, { roots, declaring, alike }) };
    });
  }
  /** The files of TypeScript that are compiled by some options. @returns {string[]} */
  #alike(/** @type {Options} */ options) {
    if (!this.#byOptions.size) {
      for (const path of this.files.all()) {
        if (!TYPESCRIPT.test(path) || /\.d\.[mc]?ts$/.test(path)) continue;
        const { at, options } = this.resolver.optionsFor(path);
        const key = JSON.stringify(this.#options(options, path, at));
        const alike = this.#byOptions.get(key);
        if (alike) alike.push(path);
        else this.#byOptions.set(key, [path]);
      }
    }
    return this.#byOptions.get(JSON.stringify(options)) ?? [];
  }
  /** @type {Map<string, string[]>} */
  #byOptions = new Map();
  /** The tsconfigs that list a file; of one that none lists, the one that governs it. */
  #projects(/** @type {string} */ path) {
    const listing = this.resolver.including(path);
    return new Set(listing.length ? listing : [this.resolver.optionsFor(path).at]);
  }
  /** Tells of a file which tsconfig lists it and one of some that declare something for all; "" of a file that none lists. */
  around(/** @type {string[]} */ homes) {
    const listing = [...new Set(homes.filter(this.declares).flatMap((path) => this.resolver.including(path)))];
    return (/** @type {string} */ path) => listing.find((at) => this.resolver.holds(at, path)) ?? (listing.length && !this.resolver.programsOf(path).length ? "" : undefined);
  }
  /** Whether files declare nothing for all by a name that others have, unless they are copies. */
  #agree(/** @type {Map<string, string>} */ known, /** @type {string[]} */ paths) {
    return paths.every((path) => this.#declared(path).every((name) => !known.has(name) || this.files.read(/** @type {string} */ (known.get(name))) === this.files.read(path)));
  }
  /** The names that a file declares for all: of a script its own, of a module those that it adds. @returns {string[]} */
  #declared(/** @type {string} */ path) {
    let found = this.#ambient.get(path);
    if (found) return found;
    const { ts } = this;
    const source = ts.createSourceFile(path, this.files.read(path) ?? "", ts.ScriptTarget.ESNext);
    const isModule = ts.isExternalModule(source);
    const own = (/** @type {readonly import("typescript").Node[]} */ statements, /** @type {string} */ within) =>
      statements.flatMap((/** @type {any} */ one) => (one.declarationList?.declarations ?? [one]).flatMap((/** @type {any} */ { name }) => (name?.text ? [`${within}${name.text}`] : [])));
    found = source.statements.flatMap((one) => {
      if (!ts.isModuleDeclaration(one) || ts.isIdentifier(one.name) && one.name.text !== "global") return isModule ? [] : own([one], "");
      const within = one.name.text === "global" ? "" : `${one.name.text}/`;
      return [...(within && !isModule ? [within] : []), ...(one.body && ts.isModuleBlock(one.body) ? own(one.body.statements, within) : [])];
    });
    this.#ambient.set(path, found);
    return found;
  }
  /** @type {Map<string, string[]>} */
  #ambient = new Map();
  /** Whether a file declares something for all. */
  declares = (/** @type {string} */ path) => TYPESCRIPT.test(path) && this.#declared(path).length > 0;

  /** Whether a file declares a namespace of which what is generated hands on the types. */
  isMergedNamespace = (/** @type {string} */ path) => this.resolver.namespaces.some((name) => this.#declared(path).includes(name));

  /**
   * The options of its tsconfig by which a file of the workspace is parsed, whatever program it stands in: the format that its modules
   * have, and what makes a module of it.
   * @returns {Options | undefined}
   */
  #form(/** @type {string} */ path) {
    if (path.includes("/node_modules/") || this.#isOurs(path)) return undefined;
    let form = this.#forms.get(path);
    if (!form) {
      const { ts } = this;
      const { options } = this.resolver.optionsFor(this.components.source(path));
      const { jsx, moduleDetection = ts.ModuleDetectionKind.Auto } = options;
      this.#forms.set(path, (form = { ...(isNodeModuleKind(ts, options) ? NODE(ts) : BUNDLED(ts)), moduleDetection, ...(jsx && { jsx }) }));
    }
    return form;
  }
  /** @type {Map<string, Options>} */
  #forms = new Map();
  /** A registry by which each file of the workspace is parsed by its own form, so that programs may hold files of all. */
  #documents() {
    const { ts, root } = this;
    const registry = ts.createDocumentRegistry(true, root);
    const indicate = (/** @type {import("typescript").SourceFile} */ file) => /** @type {any} */ (ts).getSetExternalModuleIndicator(this.#form(file.fileName))(file);
    const formed = (/** @type {typeof registry.acquireDocumentWithKey} */ acquire) => /** @type {typeof registry.acquireDocumentWithKey} */ ((path, at, host, key, snapshot, version, kind, given) => {
      const form = this.#form(path);
      const own = form && { impliedNodeFormat: ts.getImpliedNodeFormatForFile(at, this.#formats?.getPackageJsonInfoCache(), /** @type {any} */ (host), form), packageJsonScope: undefined, setExternalModuleIndicator: indicate };
      return acquire(path, at, host, key, snapshot, version, kind, own ? { .../** @type {any} */ (given), ...own } : given);
    });
    // Else each file would be parsed for programs of Node's modules and again for those of bundlers.
    const keyOf = (/** @type {Options} */ options) => registry.getKeyForCompilationSettings({ ...options, ...BUNDLED(ts) });
    return { ...registry, getKeyForCompilationSettings: keyOf, acquireDocumentWithKey: formed(registry.acquireDocumentWithKey), updateDocumentWithKey: formed(registry.updateDocumentWithKey) };
  }
  /** What a bundler imports it takes as it is, whatever Node makes of its format. */
  #syntax(/** @type {any} */ program) {
    const { getEmitSyntaxForUsageLocation: syntaxOf } = program;
    program.getEmitSyntaxForUsageLocation = (/** @type {import("typescript").SourceFile} */ file, /** @type {import("typescript").StringLiteralLike} */ usage) => {
      const form = this.#form(file.fileName);
      return form && !isNodeModuleKind(this.ts, form) ? undefined : syntaxOf(file, usage);
    };
  }

  /** @returns {Options} */
  #options(/** @type {Options} */ given, /** @type {string} */ path, /** @type {string} */ at) {
    const { ts } = this;
    /** @type {Options} */
    const own = {};
    for (const name of OWN) if (given[name] !== undefined) Object.assign(own, { [name]: given[name] });
    // Unless a tsconfig says otherwise, JSX beside Vue is Vue's.
    if (!given.jsxFactory && !given.jsxImportSource && /\.[jt]sx$/.test(path) && VUE.test(this.files.read(path) ?? "")) own.jsxImportSource = "vue";
    if (own.jsxImportSource === "react" && given.jsx !== ts.JsxEmit.React) delete own.jsxImportSource; // as it is without
    own.esModuleInterop ??= !this.isOld || isNodeModuleKind(ts, given) || given.module === ts.ModuleKind.Preserve;
    own.allowSyntheticDefaultImports ??= true;
    const typeRoots = given.typeRoots ?? this.#typeRoots(dirname(path));
    if (typeRoots.length) Object.assign(own, { typeRoots, types: given.types ?? (this.isOld || !at ? ["*"] : []) });
    if (given.lib) own.lib = [...new Set(["lib.esnext.d.ts", ...given.lib.filter((one) => !/^lib\.(?:es\d|esnext)/.test(one))])].sort();
    return {
      ...own,
      target: ts.ScriptTarget.ESNext,
      ...(isNodeModuleKind(ts, given) || (!this.#governing.has(at) && this.#hasNoPackages(dirname(path))) ? NODE(ts) : BUNDLED(ts)),
      jsx: own.jsxFactory || given.jsx === ts.JsxEmit.React ? ts.JsxEmit.React : ts.JsxEmit.ReactJSX,
      strict: true,
      allowJs: true,
      noEmit: true,
      skipLibCheck: true,
      resolveJsonModule: true,
      allowImportingTsExtensions: true,
      experimentalDecorators: true,
      disableSizeLimit: true,
    };
  }
  /**
   * Whether no package is installed for the files of a folder. Only there files of Node's modules and of bundlers stand in one program:
   * packages have other files for each, and what is added to the one is not there for the other. The same is so beside components,
   * which bring packages.
   * @returns {boolean}
   */
  #hasNoPackages(/** @type {string} */ folder) {
    const known = this.#bare.get(folder);
    if (known !== undefined) return known;
    const above = dirname(folder);
    const found = !this.files.isFolder(join(folder, "node_modules")) && (folder === this.root || above === folder || this.#hasNoPackages(above));
    this.#bare.set(folder, found);
    return found;
  }
  /** @type {Map<string, boolean>} */
  #bare = new Map();
  /** The tsconfigs that govern components. */
  get #governing() {
    return (this.#beside ??= new Set(this.components.tools ? [...this.files.all()].filter((path) => COMPONENT.test(path)).map((path) => this.resolver.optionsFor(path).at) : []));
  }
  /** @type {Set<string> | undefined} */
  #beside = undefined;
  /** @returns {string[]} */
  #typeRoots(/** @type {string} */ folder) {
    let found = this.#roots.get(folder);
    if (found) return found;
    const above = dirname(folder);
    const own = join(folder, "node_modules/@types");
    found = [...(this.files.isFolder(own) ? [own] : []), ...(folder === this.root || above === folder ? [] : this.#typeRoots(above))];
    this.#roots.set(folder, found);
    return found;
  }
  /** @type {Map<string, string[]>} */
  #roots = new Map();

  /**
   * The program of some files. If it has what changes something for them, because of other files, they are asked in another one.
   * @returns {import("typescript").Program}
   */
  #program(/** @type {string} */ key, /** @type {number} */ order, /** @type {Options} */ options, /** @type {Wanted} */ wanted) {
    const { program, roots } = this.#chosen(key, options, wanted);
    Object.assign(program, { used: this.#question, order });
    this.#trim(program);
    this.#build(program, roots);
    if (this.#isTouched(program, wanted)) {
      if (!key.endsWith(APART)) return this.#program(key + APART, order, options, wanted);
      this.#build(program, wanted.roots);
    }
    this.#trim(program, true);
    this.#makeRoom(program, wanted.roots.length * LEARNT);
    program.isAsked = true;
    const built = /** @type {import("typescript").Program} */ (program.built);
    remembering(built.getTypeChecker());
    return built;
  }
  /**
   * The program for a question, and the roots that this program shall have. Of the programs of a key it is the one that has the most of the files
   * that are asked for; a new one, where most files of that are others. Both share what is parsed.
   */
  #chosen(/** @type {string} */ key, /** @type {Options} */ options, /** @type {Wanted} */ wanted) {
    const candidates = [...this.#programs].filter((one) => one.key === key).map((program) => ({ program, held: wanted.roots.filter((path) => program.built?.getSourceFile(path)).length }));
    const nearest = candidates.sort((one, other) => other.held - one.held || byUse(one.program, other.program))[0]?.program;
    const roots = nearest ? this.#rootsFor(nearest, wanted) : wanted.roots;
    const isNew = !nearest || (!this.#isStale(nearest) && roots === wanted.roots && !areMostShared(nearest.roots, roots));
    return { program: isNew ? this.#added(key, options) : nearest, roots };
  }
  /** Whether something changed since a program was built. */
  #isStale = (/** @type {Program} */ { at, version, resolver }) => at !== version || resolver !== this.resolver;
  #added(/** @type {string} */ key, /** @type {Options} */ options) {
    /** @type {Program} */
    const program = { key, options, roots: [], version: 0, at: 0, service: /** @type {any} */ (undefined), built: undefined, used: 0, order: 0, isAsked: false, resolver: undefined };
    program.service = this.ts.createLanguageService(this.#host(program), this.registry);
    this.#programs.add(program);
    return program;
  }
  #build(/** @type {Program} */ program, roots = program.roots) {
    if (roots !== program.roots) Object.assign(program, { roots, version: program.version + 1 });
    const built = /** @type {import("typescript").Program} */ (program.service.getProgram());
    if (built !== program.built && isNodeModuleKind(this.ts, program.options)) this.#syntax(built);
    Object.assign(program, { built, at: program.version, resolver: this.resolver, isAsked: program.isAsked && built === program.built });
  }
  /**
   * The roots that a program shall have. It keeps those modules that a question does not ask for: what is known of types stays where all that
   * is asked for is there already. Soon it is: where a program that grows has a third of the files that are compiled alike, the others come in.
   * Where all of these would take too much room it begins anew: what it kept would be bound, and looked through, with each question.
   * @param {Program} program @param {Wanted} wanted
   */
  #rootsFor(program, { roots: asked, alike }) {
    const { built, roots } = program;
    if (!built || this.#isStale(program)) return asked;
    const isAsked = new Set(asked);
    for (const path of roots) if (isScript(built.getSourceFile(path))) this.#scripts.add(path);
    const kept = roots.filter((path) => isAsked.has(path) || !this.#scripts.has(path));
    if (kept.length === roots.length && asked.every((path) => built.getSourceFile(path))) return roots;
    const own = built.getSourceFiles().filter((one) => !built.isSourceFileDefaultLibrary(one));
    const nodes = own.reduce((sum, one) => sum + /** @type {any} */ (one).nodeCount, 0) / own.length;
    const all = alike().filter((path) => !this.#scripts.has(path));
    if (all.length * nodes > GROWING) return asked;
    const grown = [...new Set([...kept, ...asked])];
    return (grown.length * 3 < all.length ? grown : [...new Set([...grown, ...all])]).sort();
  }
  /** Roots that turned out to be no modules. @type {Set<string>} */
  #scripts = new Set();
  /** Whether a program has a file that declares something for what a question asks, or a script without modules, and none of the files that are asked for leads there. */
  #isTouched(/** @type {Program} */ { built }, /** @type {Wanted} */ { roots, declaring }) {
    const program = /** @type {any} */ (built);
    program.getTypeChecker(); // it tells which scripts are modules of CommonJS
    const scripts = program.getSourceFiles().filter((/** @type {any} */ file) => isScript(file) && !program.isSourceFileFromExternalLibrary(file));
    const asked = new Set(roots);
    const isReached = (/** @type {string} */ path) => {
      const reached = new Set([path]);
      for (const one of reached) {
        if (asked.has(one)) return true;
        for (const { file } of program.getFileIncludeReasons().get(one) ?? []) if (file) reached.add(file);
      }
      return false;
    };
    return [...declaring.filter((path) => program.getSourceFile(path)), ...scripts.map((/** @type {any} */ { fileName }) => fileName)].some((path) => !isReached(path));
  }
  /**
   * Before a program is built, and after it: those of the last questions stay, and of this one, which may need more than there is room for,
   * the first: the next question begins with them.
   */
  #trim(/** @type {Program} */ wanted, isBuilt = false) {
    const before = this.#programs.size;
    this.#dispose(wanted, isBuilt);
    if (this.#programs.size < before && process.memoryUsage().heapUsed > Math.max(ROOM, this.#collected + GONE)) this.#collect();
  }
  /**
   * Disposes of programs for which there is no room: first of those whose key another program has that was asked later. Of the wanted program's key
   * the one that was asked last stays until the wanted program is built, as both share what is parsed. A variable of this function keeps a program
   * alive until the function returns, so that memory is collected by its caller.
   */
  #dispose(/** @type {Program} */ wanted, /** @type {boolean} */ isBuilt) {
    const others = [...this.#programs].filter((one) => one !== wanted).sort(byUse);
    const sharing = isBuilt ? undefined : others.find((one) => one.key === wanted.key);
    const latest = this.#latest();
    const kept = [...others.filter((one) => latest.has(one)), ...others.filter((one) => !latest.has(one))].filter((one) => one !== sharing);
    while (kept.length >= KEPT || (kept.length && nodesIn(kept) > NODES)) kept.pop();
    this.#keep(new Set([wanted, ...(sharing ? [sharing] : []), ...kept]));
  }
  /** Of each key the program that was asked last. */
  #latest() {
    const reversed = [...this.#programs].sort(byUse).reverse();
    return new Set(new Map(reversed.map((one) => [one.key, one])).values());
  }
  /** Disposes of all programs but some. */
  #keep(/** @type {Set<Program>} */ kept) {
    for (const program of this.#programs) {
      if (kept.has(program)) continue;
      program.service.dispose();
      this.#programs.delete(program);
    }
  }
  /**
   * After a program is built, if memory is nearly full: the tokens of files go, which are made where a place is looked for, then what the
   * other programs know of types, the smaller ones first, and at last what the program itself knows.
   */
  #makeRoom(/** @type {Program} */ wanted, /** @type {number} */ learnt) {
    const full = wanted.isAsked ? FULL : FULL - learnt;
    if (process.memoryUsage().heapUsed < Math.max(full, this.#collected + GROWN)) return;
    this.#forgetTokens();
    if (this.#collect() < full) return;
    const asked = [...this.#programs].filter((one) => one !== wanted && one.isAsked).sort((one, other) => one.roots.length - other.roots.length);
    for (const some of [asked.slice(0, -1), asked.slice(-1), wanted.isAsked ? [wanted] : []]) {
      for (const one of some) this.#forget(one);
      if (some.length && this.#collect() < full) return;
    }
  }
  /** Lets the tokens of files go: the compiler makes them again where a place is looked for. */
  #forgetTokens() {
    for (const { built } of this.#programs) for (const file of built?.getSourceFiles() ?? []) /** @type {any} */ (this.ts).transferSourceFileChildren(file, {});
  }
  /** Collects memory. @returns {number} the bytes that are left */
  #collect() {
    globalThis.gc?.();
    return (this.#collected = process.memoryUsage().heapUsed);
  }
  /** Let go what a program knows of types, and keep what is parsed. */
  #forget(/** @type {Program} */ program) {
    Object.assign(program, { isAsked: false, version: program.version + 1 });
    this.#build(program);
  }

  /** The bytes that were left when memory was collected last. */
  #collected = 0;

  /** @returns {import("typescript").LanguageServiceHost} */
  #host(/** @type {Program} */ program) {
    const { files, ts, components } = this;
    const read = (/** @type {string} */ path) => (this.#isOurs(path) ? ts.sys.readFile(path) : path === this.automatic.path ? this.automatic.text : (components.script(path)?.text ?? jsx.text(path) ?? foreign.text(this.root, path) ?? this.#routes(path) ?? this.#script(path)));
    return /** @type {import("typescript").LanguageServiceHost} */ ({
      getProjectVersion: () => String(program.version),
      // Without it what a file imports is not looked for anew while its text stays.
      hasInvalidatedResolutions: () => program.resolver !== this.resolver,
      // Nor is this. Without it a program whose files are what they were is not built anew.
      hasChangedAutomaticTypeDirectiveNames: () => program.at !== program.version && !program.isAsked,
      getCompilationSettings: () => program.options,
      getScriptFileNames: () => program.roots,
      getScriptVersion: (path) => `${this.#versions.get(components.source(path)) ?? 0} ${JSON.stringify(this.#form(path))}`,
      getScriptKind: (path) => components.script(path)?.kind ?? KIND(ts, path),
      getScriptSnapshot: (path) => this.#snapshot(path, read),
      getCurrentDirectory: () => this.root,
      getDefaultLibFileName: (options) => ts.getDefaultLibFilePath(options),
      fileExists: this.#isFile,
      readFile: read,
      directoryExists: this.#isFolder,
      getDirectories: (path) => (files.isFolder(path) ? readdirSync(files.real(path), { withFileTypes: true }).filter((one) => !one.name.startsWith(".")).map((one) => one.name) : []),
      realpath: this.#real,
      useCaseSensitiveFileNames: () => true,
      // Not declared for language services. Without it each manifest is parsed anew for each file.
      getModuleResolutionCache: () => (this.#formats ??= ts.createModuleResolutionCache(this.root, (name) => name)),
      resolveModuleNameLiterals: (literals, from, redirected, options, source) => literals.map((literal) => ({ resolvedModule: this.#resolved(literal.text, from, options, ts.getModeForUsageLocation(source, literal, options)) })),
    });
  }
  /** The text of a script, with what `require` gives there, and what Astro declares. */
  #script(/** @type {string} */ path) {
    const text = this.files.read(path);
    const further = text === undefined || path.includes("/node_modules/") ? "" : required(path, text) + (MODULE.test(text) ? virtual(text) : "");
    this.components.written.set(path, further ? linesOf(/** @type {string} */ (text)).length : Infinity);
    return text && text + further;
  }
  #routes = (/** @type {string} */ path) => (kit.isTypes(path) ? kit.text(this.files, dirname(path), (one) => /** @type {string} */ (this.components.standing(one).at(-1))) : undefined);
  #isOurs = (/** @type {string} */ path) => this.own.some((folder) => path.startsWith(folder));
  #isFile = (/** @type {string} */ path) => (this.#isOurs(path) ? this.ts.sys.fileExists(path) : this.files.isFile(path));
  #isFolder = (/** @type {string} */ path) => (this.#isOurs(path) ? this.ts.sys.directoryExists(path) : this.files.isFolder(path.replace(/(?<=.)\/$/, "")));
  #real = (/** @type {string} */ path) => (this.#isOurs(path) ? path : this.files.real(path));
  #snapshot(/** @type {string} */ path, /** @type {(path: string) => string | undefined} */ read) {
    let snapshot = this.#snapshots.get(path);
    if (!snapshot) {
      const source = this.components.source(path);
      const text = this.banned.has(source) ? undefined : read(path);
      if (text === undefined) return undefined;
      this.reading(source);
      this.#snapshots.set(path, (snapshot = this.ts.ScriptSnapshot.fromString(text)));
    }
    return snapshot;
  }

  /** @returns {import("typescript").ResolvedModuleFull | undefined} */
  #resolved(/** @type {string} */ specifier, /** @type {string} */ importing, /** @type {Options} */ options, /** @type {any} */ mode) {
    const from = this.components.source(importing);
    // What `svelte-kit sync` wrote may be old, and stands for copies of the scripts.
    const routes = specifier.includes("$types") ? folderOf(this.files, specifier, from) : undefined;
    const own = routes !== undefined ? kit.types(routes) : kit.isTypes(from) && specifier.startsWith("/") ? specifier : undefined;
    if (own) return { resolvedFileName: own, extension: kit.isTypes(own) ? ".d.ts" : ".ts", isExternalLibraryImport: false };
    const found = this.#target(specifier, from, options, mode);
    const written = jsx.standing(specifier, from, found !== undefined);
    if (written) return { resolvedFileName: written, extension: ".d.ts", isExternalLibraryImport: false };
    return found ?? this.components.installed(specifier, options, this.#disk) ?? foreign.resolved(this.root, specifier);
  }
  /** @returns {import("typescript").ResolvedModuleFull | undefined} */
  #target(/** @type {string} */ specifier, /** @type {string} */ from, /** @type {Options} */ options, /** @type {any} */ mode) {
    const { files, components } = this;
    const isWithin = !from.includes("/node_modules/");
    const target = from === this.automatic.path && this.files.has(specifier) ? { file: specifier } : isWithin ? this.resolver.resolve(specifier, from) : undefined;
    const isRelative = /^\.{1,2}(?:\/|$)/.test(specifier);
    const installed = target && "file" in target && isRelative ? undefined : this.#installed(specifier, from, options, mode, isWithin);
    // A copy that is installed is another package than the workspace's of that name.
    if (!target || (!isRelative && installed && files.real(installed.resolvedFileName).includes("/node_modules/"))) return installed;
    if (!("file" in target)) return installed;
    if (COMPONENT.test(target.file)) {
      const [script] = components.standing(target.file);
      return script === undefined ? undefined : { resolvedFileName: script, extension: ".ts", isExternalLibraryImport: false };
    }
    const source = this.#source(target.file);
    const extension = /(?:\.d)?\.[mc]?[jt]sx?$|\.json$/.exec(source)?.[0];
    return extension ? { resolvedFileName: source, extension, isExternalLibraryImport: false } : undefined;
  }
  /** What declarations that a build wrote were written of. */
  #source(/** @type {string} */ path) {
    const source = /\.d\.[mc]?ts$/.test(path) ? this.resolver.packages.sourceOf(path) : undefined;
    return source && !/\.d\.[mc]?ts$/.test(source) && SCRIPT.test(source) ? source : path;
  }
  #manifest = (/** @type {string} */ path) => {
    if (this.#isOurs(path)) return this.ts.sys.readFile(path);
    if (!this.files.has(path)) this.#manifests.set(path, this.files.stamp(path));
    return this.files.read(path);
  };
  #disk = { fileExists: this.#isFile, directoryExists: this.#isFolder, readFile: this.#manifest, realpath: this.#real, getCurrentDirectory: () => this.root };
  /** What TypeScript itself finds. */
  #installed(/** @type {string} */ specifier, /** @type {string} */ from, /** @type {Options} */ options, /** @type {any} */ mode, /** @type {boolean} */ isWithin) {
    const { ts } = this;
    const governed = isWithin ? this.resolver.optionsFor(from).options : options;
    const key = isWithin ? this.resolver.optionsFor(from).at : "";
    let cache = this.#caches.get(key);
    if (!cache) this.#caches.set(key, (cache = ts.createModuleResolutionCache(this.root, (name) => name, governed)));
    try {
      const found = ts.resolveModuleName(specifier, from, governed, this.#disk, cache, undefined, mode);
      // The cache would keep every path that was looked at in vain.
      Object.assign(found, { failedLookupLocations: undefined, affectingLocations: undefined });
      return found.resolvedModule;
    } catch {
      return undefined; // a circle of `imports`
    }
  }
}
