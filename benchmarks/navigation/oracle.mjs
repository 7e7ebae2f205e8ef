// The truth about a workspace, by the TypeScript compiler API: no language server is asked.
//
//   node oracle.mjs <typescript/lib/typescript.js> <root> <seed> <how many>
//
// Every tsconfig*.json and jsconfig.json below the root is a project of its own; files that have none in a folder above
// form one more, with the options an editor would give it. Prints one JSON document:
//   {projects, files, symbols: [{name, kind, path, declarations, references, block}], outlines: {path: [[name, line]]}}
// Places are "path:line:character", 1-based, UTF-16. The rules are in README.md beside this file.

import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";

const [library, rootArgument, seedText, countText] = process.argv.slice(2);
const ts = createRequire(import.meta.url)(path.resolve(library));
const root = fs.realpathSync(rootArgument);
const SKIPPED = new Set(["node_modules", ".git", "dist", "build", "coverage"]);
const SOURCE = /\.(?:[cm]?ts|tsx|[cm]?js|jsx)$/;

function walk(folder, found = []) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory() && !SKIPPED.has(entry.name)) walk(path.join(folder, entry.name), found);
    else if (entry.isFile()) found.push(path.join(folder, entry.name));
  }
  return found;
}

const all = walk(root).sort();
const texts = new Map();
const read = (file) => {
  if (!texts.has(file)) texts.set(file, ts.sys.readFile(file));
  return texts.get(file);
};
const registry = ts.createDocumentRegistry();

function service(files, options) {
  return ts.createLanguageService(
    {
      getCompilationSettings: () => options,
      getScriptFileNames: () => files,
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
    },
    registry,
  );
}

const inside = (file) => file.startsWith(root + path.sep) && !file.includes("/node_modules/");
const services = [];
const owned = new Set();
const configs = all.filter((file) => /(^|\/)(tsconfig[^/]*|jsconfig)\.json$/.test(file));
const extended = new Set();
for (const config of configs) {
  for (const base of [ts.readConfigFile(config, ts.sys.readFile).config?.extends ?? []].flat()) {
    if (/^\.{1,2}\//.test(base)) extended.add(path.resolve(path.dirname(config), base.replace(/(\.json)?$/, ".json")));
  }
}
for (const config of configs) {
  const { config: json, error } = ts.readConfigFile(config, ts.sys.readFile);
  if (error || !json) continue;
  // A base that names no files is there to be extended, not a project of everything below it.
  if (extended.has(config) && !json.files && !json.include && !json.references) continue;
  const parsed = ts.parseJsonConfigFileContent(json, ts.sys, path.dirname(config), undefined, config);
  const files = parsed.fileNames.filter((file) => SOURCE.test(file));
  if (!files.length) continue;
  services.push(service(files, { ...parsed.options, plugins: undefined }));
  files.forEach((file) => owned.add(file));
}
const configured = (file) => {
  for (let folder = path.dirname(file); folder.startsWith(root); folder = path.dirname(folder)) {
    if (["tsconfig.json", "jsconfig.json"].some((name) => fs.existsSync(path.join(folder, name)))) return true;
  }
  return false;
};
const loose = all.filter((file) => SOURCE.test(file) && !owned.has(file) && !configured(file));
if (loose.length) {
  const options = { allowJs: true, target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler ?? ts.ModuleResolutionKind.Node10, jsx: ts.JsxEmit.Preserve };
  services.push(service(loose, options));
}
const programs = services.map((one) => one.getProgram());

function place(source, offset) {
  const { line, character } = source.getLineAndCharacterOfPosition(offset);
  return `${path.relative(root, source.fileName)}:${line + 1}:${character + 1}`;
}

const KINDS = new Map([
  [ts.SyntaxKind.ClassDeclaration, "Class"], [ts.SyntaxKind.InterfaceDeclaration, "Interface"],
  [ts.SyntaxKind.TypeAliasDeclaration, "TypeAlias"], [ts.SyntaxKind.EnumDeclaration, "Enum"],
  [ts.SyntaxKind.EnumMember, "EnumMember"], [ts.SyntaxKind.FunctionDeclaration, "Function"],
  [ts.SyntaxKind.MethodDeclaration, "Method"], [ts.SyntaxKind.MethodSignature, "Method"],
  [ts.SyntaxKind.PropertyDeclaration, "Property"], [ts.SyntaxKind.PropertySignature, "Property"],
  [ts.SyntaxKind.GetAccessor, "Accessor"], [ts.SyntaxKind.SetAccessor, "Accessor"],
  [ts.SyntaxKind.ModuleDeclaration, "Namespace"], [ts.SyntaxKind.Parameter, "Property"],
]);

function named(node) {
  const name = node.name;
  return name && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name)) && name.text ? name : undefined;
}

// visit(node, name, kind, container) for each declaration that an outline shows: no locals of functions.
function declarations(node, container, visit) {
  ts.forEachChild(node, (child) => {
    if (ts.isVariableStatement(child)) {
      const constant = child.declarationList.flags & ts.NodeFlags.Const;
      for (const variable of child.declarationList.declarations) {
        if (!ts.isIdentifier(variable.name)) continue;
        visit(variable, variable.name, constant ? "Constant" : "Variable", container);
        const value = variable.initializer;
        const inner = [...container, variable.name.text];
        if (value && ts.isClassExpression(value)) members(value, inner, visit);
        if (value) keys(value, inner, visit);
      }
    } else if (KINDS.has(child.kind) && !ts.isParameter(child)) {
      const name = named(child);
      if (name) visit(child, name, KINDS.get(child.kind), container);
      const inner = name ? [...container, name.text] : container;
      if (ts.isModuleDeclaration(child)) declarations(child.body ?? child, inner, visit);
      else members(child, inner, visit);
    } else if (ts.isModuleBlock(child)) declarations(child, container, visit);
  });
}

function members(owner, container, visit) {
  const lists = [owner.members ?? []];
  if (ts.isTypeAliasDeclaration(owner) && owner.type && ts.isTypeLiteralNode(owner.type)) lists.push(owner.type.members);
  for (const member of lists.flat()) {
    const name = named(member);
    if (name && KINDS.has(member.kind)) visit(member, name, KINDS.get(member.kind), container);
    if (ts.isConstructorDeclaration(member)) {
      for (const parameter of member.parameters) {
        if (ts.isParameterPropertyDeclaration(parameter, member) && named(parameter)) {
          visit(parameter, parameter.name, "Property", container);
        }
      }
    }
  }
}

// The members of an object literal that is the whole value of a constant, and of those that are the value of a member.
function keys(value, container, visit) {
  while (ts.isAsExpression(value) || ts.isSatisfiesExpression?.(value) || ts.isParenthesizedExpression(value)) {
    if (ts.isParenthesizedExpression(value)) return;
    value = value.expression;
  }
  if (!ts.isObjectLiteralExpression(value)) return;
  for (const property of value.properties) {
    const name = named(property);
    if (!name) continue;
    visit(property, name, ts.isMethodDeclaration(property) ? "Method" : ts.isAccessor(property) ? "Accessor" : "Property",
      container);
    if (ts.isPropertyAssignment(property)) keys(property.initializer, [...container, name.text], visit);
  }
}

// The lines of a declaration: its statement, with decorators, and the comment that ends on the line above.
function block(node, source) {
  let whole = node;
  if (ts.isVariableDeclaration(node)) whole = node.parent.parent;
  const line = (offset) => source.getLineAndCharacterOfPosition(offset).line + 1;
  let first = line(whole.getStart(source));
  const last = line(whole.getEnd());
  const comments = ts.getLeadingCommentRanges(source.text, whole.getFullStart()) ?? [];
  for (const comment of comments.reverse()) {
    const opens = source.text.slice(source.getPositionOfLineAndCharacter(line(comment.pos) - 1, 0), comment.pos).trim() === "";
    const banner = source.text.startsWith("///", comment.pos);
    if (line(comment.end) === first - 1 && opens && !banner) first = line(comment.pos);
    else break;
  }
  return [first, last];
}

const symbols = [];
const outlines = {};
const seen = new Set();
for (const program of programs) {
  for (const source of program.getSourceFiles()) {
    if (!inside(source.fileName) || seen.has(source.fileName)) continue;
    seen.add(source.fileName);
    const relative = path.relative(root, source.fileName);
    const rows = [];
    declarations(source, [], (node, name, kind, container) => {
      rows.push([name.text, source.getLineAndCharacterOfPosition(name.getStart(source)).line + 1]);
      symbols.push({ node, name, kind, container, source, relative });
    });
    outlines[relative] = rows;
  }
}

// A small seeded generator (mulberry32), so that a run can be repeated.
let state = Number(seedText) >>> 0;
function random() {
  state = (state + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
}

// The same number of each kind as far as there are some, so that rare kinds count.
const groups = new Map();
for (const symbol of symbols) groups.set(symbol.kind, [...(groups.get(symbol.kind) ?? []), symbol]);
const chosen = [];
const wanted = Math.min(Number(countText), symbols.length);
while (chosen.length < wanted) {
  for (const group of groups.values()) {
    if (group.length && chosen.length < wanted) chosen.push(group.splice(Math.floor(random() * group.length), 1)[0]);
  }
}

function truth({ node, name, kind, container, source, relative }) {
  const offset = name.getStart(source);
  const declared = new Set([place(source, offset)]);
  const uses = new Set();
  const pending = [[source.fileName, offset]];
  const asked = new Set();
  while (pending.length) {
    const [file, position] = pending.pop();
    if (asked.has(`${file}:${position}`)) continue;
    asked.add(`${file}:${position}`);
    services.forEach((one, index) => {
      if (!programs[index].getSourceFile(file)) return;
      for (const found of one.findReferences(file, position) ?? []) {
        for (const entry of found.references) {
          if (!inside(entry.fileName)) continue;
          const where = place(programs[index].getSourceFile(entry.fileName), entry.textSpan.start);
          (entry.isDefinition ? declared : uses).add(where);
        }
      }
    });
    // A value and a type of one name, and the signatures of an overload, are one symbol.
    for (const other of symbols) {
      if (other.source === source && other.name.text === name.text && scope(other.node) === scope(node)
        && isStatic(other.node) === isStatic(node)) {
        const start = other.name.getStart(source);
        if (!asked.has(`${source.fileName}:${start}`)) {
          declared.add(place(source, start));
          pending.push([source.fileName, start]);
        }
      }
    }
  }
  return {
    name: name.text, kind, container, path: relative, at: place(source, offset),
    declarations: [...declared].sort(), references: [...uses].filter((use) => !declared.has(use)).sort(),
    block: block(node, source),
  };
}

const scope = (node) => (ts.isVariableDeclaration(node) ? node.parent.parent.parent : node.parent);
const isStatic = (node) => Boolean(ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Static);
const names = new Map();
for (const { container, name } of symbols) {
  const qualified = [...container, name.text].join(".");
  names.set(qualified, (names.get(qualified) ?? 0) + 1);
}
process.stdout.write(JSON.stringify({
  typescript: ts.version,
  projects: services.length,
  files: seen.size,
  names: Object.fromEntries(names),
  symbols: chosen.map(truth),
  outlines,
  judged: [...seen].map((file) => path.relative(root, file)),
}));
