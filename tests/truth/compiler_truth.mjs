// What the TypeScript compiler itself says of a workspace: every declaration, and all references to it.
//
//   node compiler_truth.mjs <typescript/lib/typescript.js> <root> <tsconfig.json> [<tsconfig.json> …]
//
// Prints {"<path>#Container.member": {"declarations": ["path:line:character"], "references": [...]}} with 1-based
// lines and UTF-16 characters. Declarations of one name in one place (overloads, merged ones) are one symbol. The
// references are those of every project together, without the declarations themselves.

import path from "node:path";
import { createRequire } from "node:module";

const [library, rootArgument, ...configs] = process.argv.slice(2);
const ts = createRequire(import.meta.url)(path.resolve(library));
const root = ts.sys.realpath(path.resolve(rootArgument));

function service(config) {
  const { config: json } = ts.readConfigFile(config, ts.sys.readFile);
  const parsed = ts.parseJsonConfigFileContent(json, ts.sys, path.dirname(config));
  return ts.createLanguageService({
    getCompilationSettings: () => parsed.options,
    getScriptFileNames: () => parsed.fileNames,
    getScriptVersion: () => "1",
    getScriptSnapshot: (file) => {
      const text = ts.sys.readFile(file);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: (options) => ts.getDefaultLibFilePath(options),
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    realpath: ts.sys.realpath,
  });
}

const inside = (file) => file.startsWith(root + "/") && !file.includes("/node_modules/");

function place(source, offset) {
  const { line, character } = source.getLineAndCharacterOfPosition(offset);
  return `${path.relative(root, source.fileName)}:${line + 1}:${character + 1}`;
}

// Calls visit(qualified name, name node) for each declaration that an outline of the file would show.
function declarations(node, container, visit) {
  const named = (child) => {
    const { name } = child;
    if (!name) return undefined;
    if (ts.isIdentifier(name) || ts.isPrivateIdentifier(name)) return name.text;
    return ts.isStringLiteral(name) && ts.isModuleDeclaration(child) ? name.text : undefined;
  };
  const qualified = (name) => (container ? `${container}.${name}` : name);
  ts.forEachChild(node, (child) => {
    if (ts.isVariableStatement(child)) {
      for (const variable of child.declarationList.declarations) {
        if (ts.isIdentifier(variable.name)) visit(qualified(variable.name.text), variable.name);
      }
      return;
    }
    const members =
      ts.isClassDeclaration(child) || ts.isInterfaceDeclaration(child) || ts.isEnumDeclaration(child) ||
      ts.isModuleDeclaration(child) || ts.isTypeAliasDeclaration(child);
    const callable = ts.isFunctionDeclaration(child) || ts.isMethodDeclaration(child) ||
      ts.isMethodSignature(child) || ts.isAccessor(child);
    const field = ts.isPropertyDeclaration(child) || ts.isPropertySignature(child) || ts.isEnumMember(child);
    if (members || callable || field) {
      const name = named(child);
      if (name === undefined) return;
      const global = ts.isModuleDeclaration(child) && name === "global";
      if (!global) visit(qualified(name), child.name);
      if (members) declarations(child, global ? container : qualified(name), visit);
    } else if (ts.isConstructorDeclaration(child)) {
      for (const parameter of child.parameters) {
        if (ts.isParameterPropertyDeclaration(parameter, child)) visit(qualified(parameter.name.text), parameter.name);
      }
    } else if (ts.isModuleBlock(child) || ts.isTypeLiteralNode(child) || ts.isUnionTypeNode(child)) {
      declarations(child, container, visit);
    }
  });
}

const symbols = new Map();
const services = configs.map((config) => service(path.resolve(config)));
for (const each of services) {
  for (const source of each.getProgram().getSourceFiles().filter((file) => inside(file.fileName))) {
    declarations(source, "", (name, node) => {
      const key = `${path.relative(root, source.fileName)}#${name}`;
      const symbol = symbols.get(key) ?? { file: source.fileName, declarations: new Map() };
      symbol.declarations.set(place(source, node.getStart(source)), node.getStart(source));
      symbols.set(key, symbol);
    });
  }
}

const natural = (left, right) => left.localeCompare(right, "en", { numeric: true });
const truth = {};
for (const [key, symbol] of [...symbols].sort(([left], [right]) => natural(left, right))) {
  const references = new Set();
  for (const each of services) {
    const program = each.getProgram();
    if (!program.getSourceFile(symbol.file)) continue;
    for (const offset of symbol.declarations.values()) {
      for (const group of each.findReferences(symbol.file, offset) ?? []) {
        for (const { fileName, textSpan } of group.references) {
          if (inside(fileName)) references.add(place(program.getSourceFile(fileName), textSpan.start));
        }
      }
    }
  }
  truth[key] = {
    declarations: [...symbol.declarations.keys()].sort(natural),
    references: [...references].filter((at) => !symbol.declarations.has(at)).sort(natural),
  };
}
const lines = Object.entries(truth).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
process.stdout.write(`{\n${lines.join(",\n")}\n}\n`);
