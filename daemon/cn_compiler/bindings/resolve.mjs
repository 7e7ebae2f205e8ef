// Where a specifier leads from a file: by TypeScript's own resolution with the options of the tsconfig that governs the
// file, then among the packages of the workspace to their sources, then by what is written down for bundlers and runtimes.
// What leads nowhere is outside the workspace only by evidence, else it is open.

import { builtinModules } from "node:module";
import { basename, dirname, join, normalize, relative } from "node:path";

import { GLOBALS } from "./ambients.mjs";
import { COMPONENT } from "./components/names.mjs";
import { matches, tailOf } from "./imports.mjs";
import { literals } from "./literals.mjs";
import { Packages, parsed, sourceAt, split } from "./packages.mjs";
import { Prisma } from "./prisma.mjs";

/**
 * @typedef {{ file: string, others?: string[], isGuessed?: boolean } | { outside: string, open: boolean, namespaces?: string[] }} Target
 * `file`: a file of the workspace; `others`: where further tsconfigs that list the importer lead; `isGuessed`: as the source of
 * what a package is built of. `outside`: the name of the module; `open`: nothing tells that it is outside;
 * `namespaces`: global ones, whose types it hands on.
 */

const SCRIPT = /\.[mc]?[jt]sx?$/;
const READ = /\.(?:[mc]?[jt]sx?|json)$/;
const ASSET = /\.(?!(?:[mc]?[jt]sx?|vue|svelte|astro)$)[a-z][a-z0-9]{1,7}$/i;
/** Packages with a global namespace to which workspaces add types, as `App.Locals`: their values have these. @type {[RegExp, string][]} */
const EXTENDED = [
  [/^(?:astro(?::|\/|$)|@astrojs\/|@sveltejs\/|\$app\/)/, "App"],
  [/^(?:express|passport)(?:[-/]|$)/, "Express"],
  [/^(?:node:)?process$/, "NodeJS"],
];
const VIRTUAL = /^(?:node|bun|deno|npm|jsr|https?|data|virtual|astro|cloudflare|ember|electron|file):|^\0|^\$(?:app|env|service-worker|houdini)\b|^~icons\/|^#(?:imports|app|build|components|internal)\b/;
const LOCKED = /(?<![\w.@-])((?:@[\w.-]{1,99}\/)?[\w.-]{1,99})@(?:[a-z]+:)?[\^~<>=*v\d]|"(?:node_modules\/)?((?:@[^/"]{1,99}\/)?[^/":@]{1,99})": {0,9}[[{]/g;
const bare = (/** @type {string} */ folder) => (folder.length > 1 ? folder.replace(/\/$/, "") : folder);
// What a bundler wrote, and what Yarn brings: what they import was resolved when they were made.
export const BUNDLED = /\/dist\/(?:.*\/)?[^/]*\.[mc]?js$|\/\.yarn\/(?:plugins|releases|sdks)\//;
const BARE = ["", ".ts", ".tsx", ".d.ts", ".js", ".jsx", ".json"];
const BUILTIN = new Set(builtinModules);

/** Whether options are of modules as Node.js has them. */
export const isNodeModuleKind = (/** @type {typeof import("typescript")} */ ts, /** @type {import("typescript").CompilerOptions} */ { module = 0 }) => module >= ts.ModuleKind.Node16 && module < ts.ModuleKind.Preserve;

/** @param {typeof import("typescript")} ts @param {import("./listing.mjs").Files} files @param {string} root */
export function resolver(ts, files, root) {
  /** @type {any} */
  const internal = ts;
  const packages = new Packages(files, outputs);
  const literal = literals(ts, files);
  const prisma = new Prisma(files);
  /** @type {Map<string, Map<string, Target>>} */
  const known = new Map();
  /** @type {Map<string, { near: Map<string, Target>, far: Map<string, Target>, governed: Governed, others: Governed[] }>} */
  const standings = new Map();
  /** @type {Map<string, import("typescript").ParsedCommandLine | undefined>} */
  const configs = new Map();
  /** @typedef {{ at: string, options: import("typescript").CompilerOptions, cache: import("typescript").ModuleResolutionCache, wideCache: import("typescript").ModuleResolutionCache }} Governed */
  /** @type {Map<string, Governed>} */
  const governing = new Map();

  const host = {
    fileExists: (/** @type {string} */ path) => files.has(path) || (path.includes("/node_modules/") && files.isFile(path)),
    directoryExists: (/** @type {string} */ path) => files.hasFolder(bare(path)) || (path.includes("/node_modules") && files.isFolder(bare(path))),
    readFile: files.read,
    realpath: files.real,
    getCurrentDirectory: () => root,
    useCaseSensitiveFileNames: true,
  };
  // TypeScript knows no components, and tries a further ending.
  const ofComponents = { ...host, fileExists: (/** @type {string} */ path) => path.endsWith(".ts") && COMPONENT.test(path.slice(0, -3)) && files.has(path.slice(0, -3)) };
  const plain = (/** @type {string} */ name) => name;
  const packageJsons = ts.createModuleResolutionCache(root, plain).getPackageJsonInfoCache();
  // What git ignores and a build or a generator wrote.
  const wide = { ...host, fileExists: files.isFile, directoryExists: (/** @type {string} */ path) => files.isFolder(bare(path)) };

  // ---- the tsconfig that governs a file

  /** @type {Map<string, import("typescript").ExtendedConfigCacheEntry>} */
  const extended = new Map();
  function config(/** @type {string} */ path) {
    if (configs.has(path)) return configs.get(path);
    configs.set(path, undefined); // a circle of references ends here
    const text = files.read(path);
    if (text === undefined) return undefined;
    const { config } = ts.parseConfigFileTextToJson(path, text);
    const parseHost = { ...wide, readDirectory: () => [] };
    const parsedConfig = ts.parseJsonConfigFileContent(config ?? {}, /** @type {any} */ (parseHost), dirname(path), undefined, path, undefined, undefined, extended);
    configs.set(path, parsedConfig);
    return parsedConfig;
  }
  /** @typedef {{ has: (path: string) => boolean, isRead: (path: string) => boolean, mayHold: (folder: string) => boolean, excludes: (path: string) => boolean }} List */
  /** @type {Map<string, List | undefined>} */
  const lists = new Map();
  /** What a tsconfig names or includes. */
  function listOf(/** @type {string} */ at) {
    const known = lists.get(at);
    const own = known || lists.has(at) ? undefined : config(at);
    if (own) lists.set(at, list(own, dirname(at)));
    return lists.get(at);
  }
  /** @returns {List} */
  function list(/** @type {import("typescript").ParsedCommandLine} */ { raw, options }, /** @type {string} */ folder) {
    const { files: named, include, exclude, compilerOptions: { outDir, declarationDir } = /** @type {any} */ ({}) } = raw ?? {};
    const own = new Set(Array.isArray(named) ? named.map((name) => join(folder, String(name))) : []);
    const pattern = (/** @type {unknown} */ specs, /** @type {string} */ usage) => {
      const text = Array.isArray(specs) && internal.getRegularExpressionForWildcard(specs.filter((spec) => typeof spec === "string"), folder, usage);
      return text ? new RegExp(text) : undefined;
    };
    const specs = include ?? (Array.isArray(named) ? [] : ["**/*"]);
    const [included, around, excluded] = [pattern(specs, "files"), pattern(specs, "directories"), pattern(exclude ?? [outDir, declarationDir], "exclude")];
    const excludes = (/** @type {string} */ path) => Boolean(excluded?.test(path));
    return {
      excludes,
      has: (path) => own.has(path) || (Boolean(included?.test(path)) && !excludes(path)),
      isRead: (path) => Boolean(options.allowJs || options.checkJs) || !/\.[mc]?jsx?$/.test(path),
      mayHold: (path) => [...own].some((one) => one.startsWith(`${path}/`)) || (Boolean(around?.test(path)) && !excludes(path)),
    };
  }
  /** A tsconfig, and those that it refers to. @returns {string[]} */
  function referred(/** @type {string} */ at) {
    const paths = (config(at)?.projectReferences ?? []).map(({ path }) => (path.endsWith(".json") ? path : join(path, "tsconfig.json")));
    return [at, ...paths.filter(files.isFile)];
  }
  /** Whether a tsconfig around a path lists it, or one that it refers to; of a folder, whether it may list something in it. */
  function isIncluded(/** @type {string} */ path, /** @type {boolean} */ isFolder) {
    for (let at = nearestConfig(dirname(path)); at; at = dirname(at) === root ? undefined : nearestConfig(dirname(dirname(at)))) {
      const around = referred(at).map(listOf);
      if (around.some((one) => (isFolder ? one?.mayHold(path) : one?.has(path) && one.isRead(path)))) return true;
      if (around.some((one) => one?.excludes(path))) return false;
    }
    return false;
  }
  /** Whether a tsconfig takes in files of that kind. */
  const isRead = (/** @type {string} */ path) => {
    const nearest = nearestConfig(dirname(path));
    return Boolean(nearest && referred(nearest).some((at) => listOf(at)?.isRead(path)));
  };
  /**
   * The options for a file: of the nearest tsconfig, or of the references of it that list the file, each that leads elsewhere.
   * @returns {Governed[]}
   */
  function governors(/** @type {string} */ path) {
    const nearest = nearestConfig(dirname(path));
    const [own, ...others] = nearest ? referred(nearest) : [];
    const listing = own && others.length && !listOf(own)?.has(path) ? others.filter((at) => listOf(at)?.has(path)) : [];
    const found = (listing.length ? listing : [own ?? ""]).map(governed);
    const ways = found.map(({ options: { paths, baseUrl, rootDirs, customConditions, moduleSuffixes } }) => JSON.stringify([paths, baseUrl, rootDirs, customConditions, moduleSuffixes]));
    return found.filter((_, at) => ways.indexOf(ways[at]) === at);
  }
  /** @type {Map<string, string | undefined>} */
  const nearest = new Map();
  /** @returns {string | undefined} */
  function nearestConfig(/** @type {string} */ folder) {
    if (nearest.has(folder)) return nearest.get(folder);
    const found = ["tsconfig.json", "jsconfig.json"].map((name) => join(folder, name)).find(files.isFile);
    const above = dirname(folder);
    const result = found ?? (folder === root || above === folder ? undefined : nearestConfig(above));
    nearest.set(folder, result);
    return result;
  }
  /** @type {Map<string, string[]>} */
  const mapping = new Map();
  /** The tsconfigs with paths beside another one or above, as `tsconfig.base.json`. @returns {string[]} */
  function others(/** @type {string} */ path) {
    if (!mapping.size) {
      mapping.set("", []);
      for (const one of files.all()) if (/\/[tj]sconfig[^/]*\.json$/.test(one) && config(one)?.options.paths) mapping.set(dirname(one), [...(mapping.get(dirname(one)) ?? []), one]);
    }
    const folder = dirname(path);
    return [...(folder === root || folder === path ? [] : others(folder)), ...(mapping.get(folder) ?? [])].reverse();
  }
  function governed(/** @type {string} */ at) {
    let found = governing.get(at);
    if (found) return found;
    const options = { ...(at ? config(at)?.options : {}), allowJs: true, resolveJsonModule: true };
    const kind = options.moduleResolution ?? (isNodeModuleKind(ts, options) ? ts.ModuleResolutionKind.NodeNext : ts.ModuleResolutionKind.Bundler);
    options.moduleResolution = kind === ts.ModuleResolutionKind.Classic || kind === ts.ModuleResolutionKind.Node10 ? ts.ModuleResolutionKind.Bundler : kind;
    found = { at, options, cache: ts.createModuleResolutionCache(root, plain, options, packageJsons), wideCache: ts.createModuleResolutionCache(root, plain, options) };
    governing.set(at, found);
    return found;
  }

  /** Where the tsconfigs of a folder say that they write, and from where. @returns {[string, string][]} */
  function outputs(/** @type {string} */ folder) {
    let found = written.get(folder);
    if (found) return found;
    written.set(folder, (found = []));
    for (const name of ["tsconfig.json", "tsconfig.build.json", "tsconfig.lib.json", "jsconfig.json"]) {
      const own = files.has(join(folder, name)) ? config(join(folder, name)) : undefined;
      if (!own) continue;
      const { outDir, declarationDir, rootDir } = own.options;
      const source = join(folder, "src");
      const roots = rootDir ? [rootDir] : new Set([commonFolder(own.raw ?? {}, folder), files.hasFolder(source) ? source : folder]);
      for (const out of [outDir, declarationDir]) if (out && out !== folder) for (const root of roots) found.push([out, root]);
    }
    return found;
  }
  /** @type {Map<string, [string, string][]>} */
  const written = new Map();
  /** The innermost folder around all that a tsconfig names or includes: where no root is said, what is written lies as it lies below that. */
  function commonFolder(/** @type {any} */ { files: named, include }, /** @type {string} */ folder) {
    const specs = [named, include].flatMap((one) => (Array.isArray(one) ? one.map(String) : [])).filter((one) => !one.endsWith(".d.ts"));
    const starts = specs.map((one) => join(folder, one.replace("${configDir}", ".").replace(/(?:^|\/)[^/]*[*?].*$/, "")));
    const folders = starts.map((one) => bare(files.has(one) ? dirname(one) : one)).filter((one) => one.startsWith(`${folder}/`));
    if (!folders.length || folders.length < starts.length) return folder;
    let common = folders[0];
    while (!folders.every((one) => one === common || one.startsWith(`${common}/`))) common = dirname(common); // `folder` is around all
    return common;
  }

  // ---- specifiers

  /** @returns {Target} */
  function resolve(/** @type {string} */ specifier, /** @type {string} */ from) {
    const { near, far } = standing(from);
    const results = /^[./]|!/.test(specifier) || packages.isShared(specifier) ? near : far;
    let found = results.get(specifier);
    if (!found) results.set(specifier, (found = withOthers(look(specifier, from, 0), specifier, from)));
    return found;
  }
  /** @returns {Target} */
  function withOthers(/** @type {Target} */ target, /** @type {string} */ specifier, /** @type {string} */ from) {
    const { others } = standing(from);
    if (!others.length || !("file" in target)) return target;
    const files = others.flatMap(({ options, cache }) => inside(lookUp(specifier, from, options, host, cache)?.resolvedFileName ?? "") ?? []);
    return { ...target, others: files.filter((one) => one !== target.file) };
  }
  /**
   * Where a file stands to what its specifiers name. `near`: what paths lead to, alike for a folder and a tsconfig. `far`: what
   * names lead to, alike for a tsconfig, a package, a folder of installed ones, and a table of literals.
   */
  function standing(/** @type {string} */ path) {
    let found = standings.get(path);
    if (found) return found;
    const folder = dirname(path);
    const [governed, ...others] = governors(path);
    const shared = (/** @type {(string | undefined)[]} */ ...parts) => {
      const key = parts.join("\0");
      let results = known.get(key);
      if (!results) known.set(key, (results = new Map()));
      return results;
    };
    const far = shared("far", governed.at, ...others.map(({ at }) => at), packages.around(path)?.folder, installed(folder), literal.around(path));
    standings.set(path, (found = { near: shared("near", governed.at, ...others.map(({ at }) => at), folder), far, governed, others }));
    return found;
  }
  /** @type {Map<string, string>} */
  const installs = new Map();
  /** The nearest folder that has a node_modules. @returns {string} */
  function installed(/** @type {string} */ folder) {
    let found = installs.get(folder);
    if (found !== undefined) return found;
    const above = dirname(folder);
    found = files.isFolder(join(folder, "node_modules")) ? folder : above === folder ? "" : installed(above);
    installs.set(folder, found);
    return found;
  }

  /** @returns {Target} */
  function look(/** @type {string} */ written, /** @type {string} */ from, /** @type {number} */ hops) {
    const specifier = written.replace(/[?].*$/, "").replace(/^.*!/, "");
    const isRelative = /^\.{0,2}\/|^\.{1,2}$/.test(specifier);
    // Most imports are plain: no need to ask for them.
    if (isRelative && !specifier.startsWith("/")) {
      const at = plainly(normalize(join(dirname(from), specifier)));
      if (at) return { file: at };
    } else if (VIRTUAL.test(specifier) || BUILTIN.has(specifier)) return outside(specifier, false);
    const { options, cache, wideCache } = standing(from).governed;
    const mode = ts.ModuleKind.ESNext;
    const isFar = !isRelative && isNowhere(specifier, from, options);
    const resolved = isFar ? undefined : lookUp(specifier, from, options, host, cache, undefined, mode);
    const file = resolved && inside(resolved.resolvedFileName);
    if (file) return { file };
    if (resolved && isCopy(resolved.resolvedFileName, specifier, from)) return outside(specifier, false);
    const mapped = hops < 3 ? literal(specifier, from) : undefined;
    if (mapped !== undefined && mapped !== specifier) {
      const at = mapped.startsWith("/") ? sourceAt(files, mapped) : undefined;
      if (at) return { file: at };
      if (!mapped.startsWith("/")) return look(mapped, from, hops + 1);
    }
    if (!isRelative) {
      const source = specifier.startsWith("#") ? packages.imports(specifier, from) : packages.source(specifier, from);
      if (source) return packages.isWritten(specifier, from, source) ? { file: source } : { file: source, isGuessed: true };
    }
    if (resolved) return outside(specifier, false);
    const generated = isFar ? undefined : lookUp(specifier, from, options, wide, wideCache)?.resolvedFileName;
    // Through a link to a folder of the workspace.
    if (generated && files.has(files.real(generated))) return { file: files.real(generated) };
    if (generated) return packages.sourceOf(generated) ? { file: /** @type {string} */ (packages.sourceOf(generated)), isGuessed: true } : generated.includes("/node_modules/") ? outside(specifier, false) : { file: generated };
    const target = unresolved(specifier, from, isRelative);
    return "file" in target || !BUNDLED.test(from) ? target : { ...target, open: false };
  }

  /** Whether what is installed is another package than the workspace's of that name: a registry's copy, and no link or copy of the own one. */
  function isCopy(/** @type {string} */ path, /** @type {string} */ specifier, /** @type {string} */ from) {
    const [name] = split(specifier);
    return packages.byName.has(name) && files.real(path).includes(`/node_modules/${name}/`) && !packages.isLinked(name, from);
  }
  function byTypeScript(/** @type {Parameters<typeof ts.resolveModuleName>} */ ...question) {
    try {
      return ts.resolveModuleName(...question);
    } catch {
      return undefined; // it follows a circle of `imports` until its stack ends
    }
  }
  function lookUp(/** @type {Parameters<typeof ts.resolveModuleName>} */ ...question) {
    const found = byTypeScript(...question);
    // A cache would keep every path that was looked at in vain: half of what this process holds.
    if (found) Object.assign(found, { failedLookupLocations: undefined, affectingLocations: undefined });
    return found?.resolvedModule;
  }

  /** Whether TypeScript has no place to look for a name: nothing is installed, mapped, or called so itself. */
  function isNowhere(/** @type {string} */ specifier, /** @type {string} */ from, /** @type {import("typescript").CompilerOptions} */ { paths, baseUrl, typeRoots, rootDirs }) {
    if (installed(dirname(from)) || typeRoots || rootDirs || specifier.startsWith("#")) return false;
    const at = baseUrl === undefined ? "" : join(baseUrl, specifier.split("/")[0]);
    if (at && (files.isFolder(at) || BARE.some((ending) => files.isFile(at + ending)))) return false;
    if (paths && Object.keys(paths).some((pattern) => (pattern.includes("*") ? matches(pattern, specifier) : pattern === specifier))) return false;
    return split(specifier)[0] !== packages.around(from)?.json.name;
  }

  /** @returns {Target} */
  function unresolved(/** @type {string} */ specifier, /** @type {string} */ from, /** @type {boolean} */ isRelative) {
    const path = isRelative ? normalize(join(dirname(from), specifier)) : specifier;
    if (COMPONENT.test(specifier)) {
      if (isRelative) return outside(path, true);
      const own = standing(from).governed;
      for (const { options } of [own, ...others(own.at || join(root, "tsconfig.json")).map(governed)]) {
        const found = lookUp(specifier, from, options, ofComponents)?.resolvedFileName.slice(0, -3);
        if (found && files.has(found)) return { file: found };
      }
    }
    if (ASSET.test(basename(specifier)) && (isRelative || /^[@~$#]?\/|^[@~]/.test(specifier))) return outside(path, !isAsset(specifier) && !(isRelative && files.isFile(path)));
    if (isRelative) {
      const source = packages.sourceOf(path) ?? packages.sourceIn(path.replace(/\/$/, "")); // of what is not built
      return source ? { file: source, isGuessed: true } : prisma.holds(path) ? prisma.target(path) : outside(path, true);
    }
    const [name] = split(specifier);
    if (prisma.isOn && /^\.?@?prisma\/client(?:\/|$)/.test(specifier) && !packages.byName.has(name)) return prisma.target(specifier);
    if (isForeign(name)) return outside(specifier, false);
    // By the tsconfigs around, and those of the package that has the name: they map what only its build exports.
    const own = packages.byName.get(name)?.folder;
    for (const at of new Set([standing(from).governed.at || join(root, "tsconfig.json"), ...(own ? [join(own, "tsconfig.json")] : [])].flatMap(others))) {
      const { options, cache } = governed(at);
      const mapped = isNowhere(specifier, from, options) ? undefined : lookUp(specifier, from, options, host, cache);
      const file = mapped && inside(mapped.resolvedFileName);
      if (file) return { file };
    }
    if (prisma.isOn && attempted(specifier, from).some(prisma.holds)) return prisma.target(specifier);
    return outside(specifier, !packages.refuses(specifier));
  }
  /** Whether a manifest or a lock file names a package that is none of the workspace. */
  const isForeign = (/** @type {string} */ name) => !packages.byName.has(name) && (packages.dependencies.has(name) || packages.dependencies.has(typesOf(name)) || locked().has(name));
  /** The paths that TypeScript looked at in vain. @returns {string[]} */
  const attempted = (/** @type {string} */ specifier, /** @type {string} */ from) => /** @type {any} */ (byTypeScript(specifier, from, standing(from).governed.options, wide))?.failedLookupLocations ?? [];
  const typesOf = (/** @type {string} */ name) => `@types/${name.replace(/^@/, "").replace("/", "__")}`;
  const isAsset = (/** @type {string} */ name) => /\.(?:css|s[ac]ss|less|styl|svg|png|jpe?g|gif|webp|avif|ico|woff2?|ttf|eot|otf|mp[34]|webm|wav|pdf|html?|mdx?|txt|ya?ml|toml|wasm|node|glsl|vert|frag|graphql|gql|csv|sql|hbs|ejs)$/i.test(name);
  const outside = (/** @type {string} */ name, /** @type {boolean} */ open) => {
    const namespaces = EXTENDED.flatMap(([names, namespace]) => (names.test(name) ? [namespace] : []));
    return { outside: name, open, ...(namespaces.length && { namespaces }) };
  };

  function plainly(/** @type {string} */ path) {
    if (SCRIPT.test(path) || !files.has(path)) {
      for (const ending of [".ts", ".tsx", ".d.ts"]) if (files.has(path + ending)) return path + ending;
      const script = /^(.*)\.([mc]?)js$/.exec(path);
      for (const ending of script ? [`.${script[2]}ts`, ".tsx", `.d.${script[2]}ts`] : []) if (files.has(/** @type {any} */ (script)[1] + ending)) return /** @type {any} */ (script)[1] + ending;
      if (SCRIPT.test(path) && files.has(path)) return path;
      return undefined; // folders, packages in them and scripts are TypeScript's to find
    }
    return READ.test(path) || COMPONENT.test(path) ? path : undefined;
  }

  /** The workspace's own file, or the source of what is built there. */
  function inside(/** @type {string} */ path) {
    if (files.has(path)) return path.endsWith(".d.ts") || /\/(?:dist|lib|build|out)\//.test(path) ? (declared(path) ?? path) : path;
    return path.startsWith(`${root}/`) && !path.includes("/node_modules/") ? packages.sourceOf(path) : undefined;
  }
  /** What a declaration map beside it names. */
  function declared(/** @type {string} */ path) {
    const map = path.endsWith(".d.ts") && files.isFile(`${path}.map`) ? parsed(files.read(`${path}.map`)) : undefined;
    const source = Array.isArray(map?.sources) && map.sources.length === 1 ? normalize(join(dirname(path), String(map.sourceRoot ?? ""), String(map.sources[0]))) : undefined;
    return source && files.has(source) ? source : undefined;
  }

  /** @type {Set<string> | undefined} */
  let lockedNames;
  /** The packages that lock files name. */
  function locked() {
    if (lockedNames) return lockedNames;
    lockedNames = new Set();
    for (const name of ["package-lock.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock", "deno.lock"]) {
      for (const [, one, other] of (files.read(join(root, name)) ?? "").matchAll(LOCKED)) lockedNames.add(one ?? other);
    }
    return lockedNames;
  }

  /** @type {Map<string, string[]> | undefined} */
  let names;
  /** The packages whose name leads to a file. */
  function namesOf(/** @type {string} */ path) {
    if (!names) {
      names = new Map();
      for (const [name, source] of packages.sources()) if (source) names.set(source, [...(names.get(source) ?? []), name]);
    }
    return names.get(path) ?? [];
  }
  /** How the specifiers that lead to a file may end. */
  function tails(/** @type {string} */ path) {
    const stem = basename(path).replace(/(\.d)?\.[mc]?[jt]sx?$/, "");
    const found = new Set([stem]);
    const own = packages.around(path);
    if (stem === "index") found.add(basename(dirname(path)));
    if (own) {
      for (const name of namesOf(path)) found.add(tailOf(name));
      for (const key of [...Object.keys(own.json.exports ?? {}), ...Object.keys(own.json.imports ?? {})]) if (/[\w$]/.test(key) && !key.includes("*")) found.add(tailOf(key));
    }
    aliases ??= [...files.all()].filter((one) => /\/(?:ts|js)config[^/]*\.json$/.test(one)).flatMap((one) => Object.keys(config(one)?.options.paths ?? {}));
    for (const key of [...aliases, ...literal.names]) if (!key.includes("*")) found.add(tailOf(key));
    return found;
  }
  /** @type {string[] | undefined} */
  let aliases;

  /** Whether a file is a module in CommonJS where Node.js decides, and TypeScript as Node.js does. */
  function isCommonJs(/** @type {string} */ path) {
    const [, kind] = /\.([mc]?)[jt]sx?$/.exec(path) ?? [];
    return isNodeModuleKind(ts, standing(path).governed.options) && (kind ? kind === "c" : kind === "" && packages.around(path)?.json.type !== "module");
  }
  /** Whether Node.js gives to a file all of a module as its default, whatever that exports by the name. */
  const isAssigned = (/** @type {string} */ path, /** @type {string} */ from) => isNodeModuleKind(ts, standing(from).governed.options) && !isCommonJs(from) && isCommonJs(path);
  const isListed = (/** @type {string} */ at, /** @type {string} */ path) => Boolean(listOf(at)?.has(path));
  /** Whether a tsconfig lists a file, and takes files of its kind in. */
  const holds = (/** @type {string} */ at, /** @type {string} */ path) => isListed(at, path) && Boolean(listOf(at)?.isRead(path));
  /** @type {Map<string, string[]>} */
  const programs = new Map();
  /** The tsconfigs of the programs that a file is part of: none of a loose file. */
  function programsOf(/** @type {string} */ path) {
    let found = programs.get(path);
    if (!found) programs.set(path, (found = including(path).filter((at) => holds(at, path))));
    return found;
  }
  /** The tsconfigs of projects: not one that others extend and that says nothing of files, as `tsconfig.base.json`. */
  function projects() {
    const all = [...files.all()].filter((at) => /\/[tj]sconfig[^/]*\.json$/.test(at));
    const extended = new Set(all.flatMap((at) => [config(at)?.raw?.extends ?? []].flat().map((one) => join(dirname(at), String(one).replace(/(?:\.json)?$/, ".json")))));
    const isBase = (/** @type {string} */ at) => extended.has(at) && !/\/[tj]sconfig\.json$/.test(at) && !["files", "include", "references"].some((key) => key in (config(at)?.raw ?? {}));
    return all.filter((at) => !isBase(at));
  }
  /** @type {string[] | undefined} */
  let tsconfigs;
  /** The tsconfigs that list a file. */
  const including = (/** @type {string} */ path) => (tsconfigs ??= projects()).filter((at) => isListed(at, path));
  /** Whether one tsconfig governs and lists all of some files: what one of them declares for all others, each knows. */
  function areTogether(/** @type {string[]} */ paths) {
    if (paths.length < 2) return true;
    const { at } = standing(paths[0]).governed;
    const isIn = (/** @type {string} */ path) => standing(path).governed.at === at && holds(at, path);
    return at !== "" && paths.every(isIn);
  }
  /** @type {Map<string, string[]>} */
  const behind = new Map();
  /** The sources of the workspace's packages on which an installed one depends, by however many others. @returns {string[]} */
  function ownBehind(/** @type {string} */ specifier, /** @type {string} */ from) {
    const [name] = split(specifier);
    for (let folder = installed(dirname(from)); folder; folder = installed(dirname(folder))) {
      const at = join(folder, "node_modules", name);
      if (files.isFile(join(at, "package.json"))) return ownOf(files.real(at));
      if (folder === root) return [];
    }
    return [];
  }
  /** @returns {string[]} */
  function ownOf(/** @type {string} */ folder) {
    const known = behind.get(folder);
    if (known) return known;
    behind.set(folder, []); // packages that depend on each other end here
    const manifest = join(folder, "package.json");
    const { dependencies, peerDependencies, optionalDependencies } = parsed(files.read(manifest));
    const names = Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies });
    const found = [...new Set(names.flatMap((name) => (packages.byName.has(name) ? (packages.source(name, manifest) ?? []) : ownBehind(name, manifest))))];
    behind.set(folder, found);
    return found;
  }

  /** Whether something is there, installed or written, that a specifier may lead to; of what a runtime brings it is not known. */
  function isFound(/** @type {string} */ specifier, /** @type {string} */ from) {
    return VIRTUAL.test(specifier) || BUILTIN.has(specifier) || located(specifier, from) !== undefined;
  }

  /** The file that a specifier leads to, installed ones among them. */
  function located(/** @type {string} */ specifier, /** @type {string} */ from) {
    const { options, wideCache } = standing(from).governed;
    return lookUp(specifier, from, options, wide, wideCache)?.resolvedFileName;
  }

  const optionsFor = (/** @type {string} */ path) => standing(path).governed;

  /** Whether a file, which need not be there, may take of what another one holds: by its package, or by the paths of its tsconfig. */
  function mayTake(/** @type {string} */ path, /** @type {string} */ other) {
    const folder = `${packages.around(other)?.folder}/`;
    return packages.mayTake(path, other) || pathsOf(path).some(([, target]) => `${target}/`.startsWith(folder));
  }
  /** The paths of the tsconfig that governs a file: each pattern with where it leads. @returns {[string, string][]} */
  function pathsOf(/** @type {string} */ path) {
    const { paths = {}, baseUrl, pathsBasePath = root } = /** @type {import("typescript").CompilerOptions} */ (standing(path).governed.options);
    return Object.entries(paths).flatMap(([pattern, targets]) => targets.map((target) => /** @type {[string, string]} */ ([pattern, join(baseUrl ?? String(pathsBasePath), target)])));
  }

  /**
   * The patterns of files that a pattern of specifiers stands for where a file has it: `$lib/*.js` by what maps `$lib/`; none
   * where it names files of a package that is known to lie outside.
   */
  function patternsOf(/** @type {string} */ pattern, /** @type {string} */ from) {
    if (/^!?\.{0,2}\/|^[*{]/.test(pattern)) return [pattern];
    const named = literal(pattern, from);
    const mapped = pathsOf(from).flatMap(([key, target]) => (key.endsWith("*") && pattern.startsWith(key.slice(0, -1)) ? target.replace("*", () => pattern.slice(key.length - 1)) : []));
    const [name, sub] = split(pattern);
    const found = [...(named?.startsWith("/") ? [named] : []), ...mapped, ...packages.foldersOf(name).map((folder) => `${folder}/*${sub}`)];
    if (found.length) return found.map((one) => `./${relative(dirname(from), one)}`.replace(/^\.\/\.\.\//, "../"));
    return isForeign(name) ? [] : [pattern];
  }

  /** The names by which files that do not import an installed module have it. */
  const globalsOf = (/** @type {string} */ specifier, /** @type {string} */ from) => [...(files.read(located(specifier, from) ?? "") ?? "").matchAll(GLOBALS)].map(([, name]) => name);

  return { resolve, tails, packages, isFound, mayTake, patternsOf, located, globalsOf, optionsFor, isIncluded, isRead, isListed, holds, including, programsOf, mapped: declared, areTogether, ownBehind, isCommonJs, isAssigned, namespaces: [...prisma.namespaces, ...EXTENDED.map(([, namespace]) => namespace)], isModule: (/** @type {string} */ path) => standing(path).governed.options.moduleDetection === ts.ModuleDetectionKind.Force };
}
