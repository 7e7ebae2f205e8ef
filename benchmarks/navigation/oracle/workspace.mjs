// The projects of a workspace, as programs: every tsconfig*.json and jsconfig.json is one, and the files that none of
// them names form one more, with the options that an editor would give them.

import fs from "node:fs";
import path from "node:path";
import { ts } from "./compiler.mjs";
import { entry, know, unwritten, writes } from "./packages.mjs";

export const root = fs.realpathSync(process.argv[3]);
const SKIPPED = new Set(["node_modules", ".git", ".yarn", "dist", "build", "coverage"]);
const SOURCE = /\.(?:[cm]?ts|tsx|[cm]?js|jsx)$/;

function walk(folder, found = []) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory() && !SKIPPED.has(entry.name)) walk(path.join(folder, entry.name), found);
    else if (entry.isFile()) found.push(path.join(folder, entry.name));
  }
  return found;
}

const texts = new Map();
const read = (file) => {
  if (!texts.has(file)) texts.set(file, ts.sys.readFile(file));
  return texts.get(file);
};
const registry = ts.createDocumentRegistry();

// The tsconfigs with `paths`, those of the innermost folders first.
const aliasing = [];

// A program that reads a file of another project does not know the aliases of that one's tsconfig.
function unaliased(specifier, file) {
  const above = aliasing.find(({ folder }) => file.startsWith(folder + path.sep));
  const found = above && ts.resolveModuleName(specifier, file, above.options, ts.sys).resolvedModule?.resolvedFileName;
  return found && inside(found) && !isBuilt(found) ? found : undefined;
}

// A path that leads nowhere in a project of Node's modules, without an ending or to a folder: who runs it finds what bundlers find.
function bundled(specifier, file) {
  const options = { moduleResolution: ts.ModuleResolutionKind.Bundler, module: ts.ModuleKind.ESNext, allowJs: true };
  const found = specifier.startsWith(".") && ts.resolveModuleName(specifier, file, options, ts.sys).resolvedModule?.resolvedFileName;
  return found && inside(found) && !isBuilt(found) && SOURCE.test(found) ? found : undefined;
}

// What modules of the workspace add to packages that are not installed stands in one without anything else.
const added = new Map();
function augmented(files) {
  for (const file of files.filter((one) => /\.[cm]?tsx?$/.test(one) && read(one)?.includes("declare module"))) {
    const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest);
    for (const { name } of source.statements.filter(ts.isModuleDeclaration)) {
      const empty = source.externalModuleIndicator && added.get(name.text) !== null;
      if (ts.isStringLiteral(name)) added.set(name.text, empty ? path.join(root, "node_modules", ".added", `${name.text}.d.ts`) : null);
    }
  }
  for (const file of added.values()) if (file) texts.set(file, "export {};");
}

// What is built of a package of the workspace is read from its sources, also where nothing is built yet.
function resolver(options) {
  const cache = ts.createModuleResolutionCache(root, (file) => file, options);
  return (literals, file, redirected, own, source) =>
    literals.map((literal) => {
      const mode = ts.getModeForUsageLocation(source, literal, own);
      const found = ts.resolveModuleName(literal.text, file, own, ts.sys, cache, redirected, mode);
      const name = found.resolvedModule?.resolvedFileName;
      const written = literal.text.startsWith(".") ? path.resolve(path.dirname(file), literal.text) : undefined;
      // A script that stands there without declarations is read itself.
      const apart = written && isBuilt(written) && !isBuilt(file) && ts.isDeclarationFileName(name ?? "");
      const led = !name || (written ? apart : inside(name) && isBuilt(name));
      const made = led ? (written ? (unwritten(written) ?? (name ? undefined : bundled(literal.text, file))) : (entry(literal.text) ?? (name ? undefined : unaliased(literal.text, file)))) : undefined;
      const empty = !made && !name && added.get(literal.text);
      if (empty) return { resolvedModule: { resolvedFileName: empty, extension: ".d.ts", isExternalLibraryImport: true } };
      if (!made) return found;
      const extension = made.match(/(?:\.d)?\.[cm]?[jt]sx?$/)[0];
      return { resolvedModule: { resolvedFileName: made, extension, isExternalLibraryImport: false } };
    });
}

function service(files, options, references) {
  return ts.createLanguageService(
    {
      getCompilationSettings: () => options,
      getScriptFileNames: () => files,
      getProjectReferences: () => references,
      useSourceOfProjectReferenceRedirect: () => true,
      getScriptVersion: () => "1",
      getScriptSnapshot: (file) => {
        const text = read(file);
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
      },
      getCurrentDirectory: () => root,
      getDefaultLibFileName: (chosen) => ts.getDefaultLibFilePath(chosen),
      fileExists: ts.sys.fileExists,
      readFile: read,
      readDirectory: ts.sys.readDirectory,
      directoryExists: ts.sys.directoryExists,
      getDirectories: ts.sys.getDirectories,
      realpath: ts.sys.realpath,
      resolveModuleNameLiterals: resolver(options),
    },
    registry,
  );
}

// A base that names no files is there to be extended, not a project of everything below it: but for a tsconfig.json with
// files that no other project holds, or only one further out: editors take it for theirs.
function bases(configs) {
  const extended = new Set();
  for (const config of configs) {
    for (const base of [ts.readConfigFile(config, ts.sys.readFile).config?.extends ?? []].flat()) {
      if (/^\.{1,2}\//.test(base)) extended.add(path.resolve(path.dirname(config), base.replace(/(\.json)?$/, ".json")));
    }
  }
  return extended;
}

// A file behind a link is another one to the compiler, which keeps the name that it was listed or imported by.
const reals = new Map();
function real(file) {
  if (!reals.has(file)) {
    const found = file.startsWith(root + path.sep) && fs.existsSync(file) ? fs.realpathSync(file) : file;
    reals.set(file, found.startsWith(root + path.sep) ? found : file);
  }
  return reals.get(file);
}

export const inside = (file) => file.startsWith(root + path.sep) && !real(file).includes("/node_modules/");
export const isBuilt = (file) => path.relative(root, file).split(path.sep).some((part) => SKIPPED.has(part));

// Editors find a tsconfig.json, and what it refers to: a file that only a tsconfig of another name holds is loose to them.
function found(readable) {
  const queue = readable.filter(({ config }) => /^[tj]sconfig\.json$/.test(path.basename(config)));
  for (const { config, json } of queue) {
    for (const { path: reference } of json.references ?? []) {
      const target = path.resolve(path.dirname(config), reference);
      const next = readable.find((one) => one.config === target || one.config === path.join(target, "tsconfig.json"));
      if (next && !queue.includes(next)) queue.push(next);
    }
  }
  return new Set(queue);
}

// By service: the folder of its tsconfig, and the files that this lists.
const lists = [];

function load() {
  const all = walk(root).sort();
  know(all.filter((file) => path.basename(file) === "package.json"));
  augmented(all);
  const configs = all.filter((file) => /(^|\/)(tsconfig[^/]*|jsconfig)\.json$/.test(file));
  const extended = bases(configs);
  const services = [];
  // The folders of the projects that hold a file.
  const owned = new Map();
  const isBase = (config, { files, include, references }) => extended.has(config) && !files && !include && !references;
  const readable = configs.flatMap((config) => {
    const { config: json, error } = ts.readConfigFile(config, ts.sys.readFile);
    if (error || !json) return [];
    const parsed = ts.parseJsonConfigFileContent(json, ts.sys, path.dirname(config), undefined, config);
    return [{ config, parsed, json, base: isBase(config, json) }];
  });
  for (const { config, parsed } of readable) writes(path.dirname(config), parsed.options);
  for (const { config, parsed } of readable) if (parsed.options.paths) aliasing.push({ folder: path.dirname(config), options: parsed.options });
  aliasing.sort((one, other) => other.folder.length - one.folder.length);
  const known = found(readable);
  const held = new Set();
  for (const one of readable.sort((one, other) => one.base - other.base)) {
    const { config, parsed, base } = one;
    if (base && path.basename(config) !== "tsconfig.json") continue;
    const files = parsed.fileNames.filter((file) => SOURCE.test(file));
    const folder = path.dirname(config);
    const isOwned = (file) => owned.get(real(file))?.some((other) => `${other}/`.startsWith(`${folder}/`));
    if (!files.length || (base && files.every(isOwned))) continue;
    // Whether the compiler is to complain of an unknown `this` or not, a literal's methods are called on the literal.
    const options = { ...parsed.options, plugins: undefined, noImplicitThis: true, noImplicitAny: true };
    services.push(service(files, options, parsed.projectReferences));
    lists.push({ folder: path.dirname(config) + path.sep, files: new Set(files.map(real)) });
    for (const file of files) owned.set(real(file), [...(owned.get(real(file)) ?? []), folder]);
    // What a project's files import belongs to it as well.
    if (known.has(one)) for (const source of services.at(-1).getProgram().getSourceFiles()) held.add(real(source.fileName));
  }
  const loose = all.filter((file) => SOURCE.test(file) && !held.has(file));
  if (loose.length) {
    const options = {
      allowJs: true,
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      allowImportingTsExtensions: true,
      jsx: ts.JsxEmit.Preserve,
      strict: true,
    };
    services.push(service(loose, options));
    lists.push({ folder: "", files: new Set(loose) });
  }
  return services;
}

export const services = load();
export const programs = services.map((one) => one.getProgram());

// To the compiler U+2028 and U+2029 end a line as well: not to LSP, editors, grep and git, whose lines are told.
for (const source of new Set(programs.flatMap((one) => one.getSourceFiles()))) {
  if (!/[\u2028\u2029]/.test(source.text)) continue;
  source.lineMap = [0, ...[...source.text.matchAll(/\r\n|[\n\r]/g)].map((end) => end.index + end[0].length)];
}

const names = new Map();
for (const file of new Set(programs.flatMap((one) => one.getSourceFiles().map(({ fileName }) => fileName)))) {
  names.set(real(file), [...(names.get(real(file)) ?? []), file]);
}
/** The names by which programs hold a file. */
export const namesOf = (file) => names.get(real(file)) ?? [file];

/** The projects that a file is at home in: those of the innermost folder above that list it. */
function homes(file) {
  const listing = [...lists.keys()].filter((index) => lists[index].files.has(real(file)) && real(file).startsWith(lists[index].folder));
  const nearest = Math.max(...listing.map((index) => lists[index].folder.length));
  return listing.filter((index) => lists[index].folder.length === nearest);
}

const isHeld = (file, index) => namesOf(file).some((name) => programs[index].getSourceFile(name));
/** Whether a project that one of two files is at home in holds the other. */
const together = (one, other) => homes(one).some((index) => isHeld(other, index)) || homes(other).some((index) => isHeld(one, index));

/** Whether the projects that a file is at home in, which hold none of these others, know what stands there. */
export function isOthers({ fileName, start }, files) {
  if (!homes(fileName).length || files.some((file) => together(fileName, file))) return false;
  return homes(fileName).some((index) => {
    const source = namesOf(fileName).map((name) => programs[index].getSourceFile(name)).find(Boolean);
    const checker = programs[index].getTypeChecker();
    const symbol = checker.getSymbolAtLocation(nodeAt(source, start));
    const meant = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    return Boolean(meant?.declarations?.length);
  });
}
/** By its real path, whichever name a program has it by. */
/** Where declarations may stand that tell a script again, or the script of which these tell. */
export const beside = (file) =>
  file.endsWith(".d.ts")
    ? [".js", ".jsx"].map((ending) => file.replace(/\.d\.ts$/, ending))
    : [file.replace(/\.jsx?$/, ".d.ts"), file.replace(/\.mjs$/, ".d.mts"), file.replace(/\.cjs$/, ".d.cts")].filter((one) => one !== file);
/** The script that the package around a file is by its manifest, and the declarations that this names for it. */
export function shipped(file) {
  for (let folder = path.dirname(file); folder.startsWith(root); folder = path.dirname(folder)) {
    const manifest = path.join(folder, "package.json");
    if (!fs.existsSync(manifest)) continue;
    const { exports, types, typings, module, main = "index.js" } = JSON.parse(fs.readFileSync(manifest, "utf8"));
    const own = exports?.["."] ?? exports ?? {};
    const flat = (value) => (typeof value === "string" ? [value] : Object.values(value ?? {}).flatMap(flat));
    const named = [types, typings, ...(Object.keys(own).some((key) => key.startsWith(".")) ? [] : flat(own)), module, main].filter(Boolean).map((one) => path.join(folder, one));
    const first = (endings, kind) => named.flatMap((one) => endings.map((ending) => one + ending)).find((one) => kind.test(one) && fs.existsSync(one));
    const script = first(["", ".js", "/index.js"], /\.[mc]?jsx?$/);
    const declarations = first(["", ".d.ts", "/index.d.ts"], /\.d\.[mc]?ts$/);
    return script && declarations ? [script, declarations] : undefined;
  }
  return undefined;
}
export const relative = (file) => path.relative(root, real(file));

/** "path:line:character", 1-based, UTF-16. */
export function place(source, offset) {
  const { line, character } = source.getLineAndCharacterOfPosition(offset);
  return `${relative(source.fileName)}:${line + 1}:${character + 1}`;
}

/** The workspace's sources, each once, though several projects may hold it. */
export function sources() {
  const seen = new Map();
  for (const program of programs) {
    for (const source of program.getSourceFiles()) {
      const file = real(source.fileName);
      if (inside(file) && SOURCE.test(file) && !seen.has(file)) seen.set(file, source);
    }
  }
  return [...seen.values()];
}

/** The innermost node at an offset. */
export function nodeAt(source, start) {
  let node = source;
  for (let inner = node; inner; ) {
    node = inner;
    inner = ts.forEachChild(node, (child) => (child.getStart(source) <= start && start < child.getEnd() ? child : undefined));
  }
  return node;
}
