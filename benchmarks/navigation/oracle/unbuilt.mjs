// Uses by imports that lead nowhere, to a package of the workspace that is not built: README.md, "A reference".

import { ts } from "./compiler.mjs";
import { entry, isOwn } from "./packages.mjs";
import { inside, isBuilt, nodeAt, place, programs, services } from "./workspace.mjs";

const isLost = (index, literal) => {
  const { resolvedModule } = ts.resolveModuleName(literal.text, literal.getSourceFile().fileName, programs[index].getCompilerOptions(), ts.sys);
  return !resolvedModule && isOwn(literal.text);
};

/** Where what a module exports by a name is declared, through further packages that are not built. */
function declared(file, name, passed = new Set()) {
  const found = new Set();
  if (!file || passed.has(`${file} ${name}`)) return found;
  passed.add(`${file} ${name}`);
  programs.forEach((program, index) => {
    const source = program.getSourceFile(file);
    const checker = program.getTypeChecker();
    const module = source && checker.getSymbolAtLocation(source);
    const exported = module && checker.getExportsOfModule(module).find((one) => one.escapedName === name);
    const through = (specifier, member) => declared(entry(specifier), member, passed).forEach((where) => found.add(where));
    for (let one = exported; one; ) {
      for (const node of one.declarations ?? []) {
        const label = ts.getNameOfDeclaration(node);
        if (label) found.add(place(node.getSourceFile(), label.getStart()));
        const clause = ts.isImportOrExportSpecifier(node) ? ts.findAncestor(node, (up) => up.moduleSpecifier) : undefined;
        if (clause && isLost(index, clause.moduleSpecifier)) through(clause.moduleSpecifier.text, (node.propertyName ?? node.name).text);
      }
      one = one.flags & ts.SymbolFlags.Alias ? checker.getImmediateAliasedSymbol(one) : undefined;
    }
    for (const node of exported || !source ? [] : source.statements) {
      const all = ts.isExportDeclaration(node) && !node.exportClause && node.moduleSpecifier;
      if (all && isLost(index, node.moduleSpecifier)) through(node.moduleSpecifier.text, name);
    }
  });
  return found;
}

// What a file names of a module: {file, name, nodes}.
function* namedIn(index, source) {
  const parts = (node, specifier) => node.elements.map((one) => ({ specifier, name: (one.propertyName ?? one.name).text, nodes: [one.propertyName, one.name] }));
  for (const node of source.statements) {
    const literal = node.moduleSpecifier;
    if (!literal || !ts.isStringLiteral(literal) || !isLost(index, literal)) continue;
    const clause = ts.isExportDeclaration(node) ? node.exportClause : node.importClause?.namedBindings;
    if (clause && (ts.isNamedImports(clause) || ts.isNamedExports(clause))) yield* parts(clause, literal.text);
    if (node.importClause?.name) yield { specifier: literal.text, name: "default", nodes: [node.importClause.name] };
    if (clause && ts.isNamespaceImport(clause)) yield* members(index, clause.name, literal.text);
  }
  for (const literal of source.imports ?? []) {
    let value = literal.parent;
    if (!ts.isCallExpression(value) || !isLost(index, literal)) continue;
    while (ts.isAwaitExpression(value.parent) || ts.isParenthesizedExpression(value.parent)) value = value.parent;
    const { parent } = value;
    if (ts.isPropertyAccessExpression(parent)) yield { specifier: literal.text, name: parent.name.text, nodes: [parent.name] };
    if (!ts.isVariableDeclaration(parent)) continue;
    if (ts.isObjectBindingPattern(parent.name)) yield* parts(parent.name, literal.text);
    if (ts.isIdentifier(parent.name)) yield* members(index, parent.name, literal.text);
  }
}

// Of a name that stands for a module.
function* members(index, name, specifier) {
  const source = name.getSourceFile();
  for (const { start } of told(index, name)) {
    const node = nodeAt(source, start);
    const { parent } = node;
    if (ts.isPropertyAccessExpression(parent) && parent.expression === node) yield { specifier, name: parent.name.text, nodes: [parent.name] };
    if (ts.isQualifiedName(parent) && parent.left === node) yield { specifier, name: parent.right.text, nodes: [parent.right] };
  }
}

function told(index, node) {
  const { fileName } = node.getSourceFile();
  const found = services[index].findReferences(fileName, node.getStart()) ?? [];
  const entries = found.flatMap(({ references }) => references).filter((one) => inside(one.fileName));
  return entries.map((one) => ({ index, fileName: one.fileName, start: one.textSpan.start }));
}

let all;
function everyName() {
  all ??= programs.flatMap((program, index) =>
    program
      .getSourceFiles()
      .filter(({ fileName }) => inside(fileName) && !isBuilt(fileName))
      .flatMap((source) => [...namedIn(index, source)].map((one) => ({ ...one, index }))),
  );
  return all;
}

/** The uses of what is declared at one of these places: {where, index, fileName, start}. */
export function unbuiltUses(places) {
  const found = [];
  for (const { specifier, name, nodes, index } of everyName()) {
    if (![...declared(entry(specifier), name)].some((where) => places.has(where))) continue;
    for (const node of nodes.filter((one) => one && ts.isIdentifier(one))) {
      const { fileName } = node.getSourceFile();
      found.push({ index, fileName, start: node.getStart() }, ...told(index, node));
    }
  }
  return found.map((one) => ({ ...one, where: place(programs[one.index].getSourceFile(one.fileName), one.start) }));
}
