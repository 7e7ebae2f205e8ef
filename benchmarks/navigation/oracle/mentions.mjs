// What declares a symbol and what uses it: README.md, "One symbol", "A reference" and "In a script".

import { additions } from "./additions.mjs";
import { givenTogether, impliedUses, isExportedName, isImplied, isScript, scriptUses, typeUses } from "./commonjs.mjs";
import { ts } from "./compiler.mjs";
import { isRequired } from "./declarations.mjs";
import { patternUses } from "./patterns.mjs";
import { bySource, rowPlaces } from "./rows.mjs";
import { beside, inside, isOthers, namesOf, nodeAt, place, programs, services, shipped } from "./workspace.mjs";

const scope = (node) => {
  while (ts.isBindingElement(node) || ts.isBindingName(node)) node = node.parent;
  // The members of one name in the literals of a union are one symbol where each part of the union has one.
  if (ts.isTypeElement(node) && ts.isUnionTypeNode(node.parent.parent) && isInEachPart(node)) return node.parent.parent;
  return ts.isVariableDeclaration(node) ? node.parent.parent.parent : node.parent;
};
function isInEachPart({ name, parent }) {
  const source = parent.getSourceFile();
  const checker = programs.find((one) => one.getSourceFile(source.fileName) === source).getTypeChecker();
  return Boolean(checker.getPropertyOfType(checker.getTypeFromTypeNode(parent.parent), name.text));
}
const isStatic = (node) => Boolean(ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Static);
/** Whether two rows declare one symbol. */
export const oneSymbol = (one, other) =>
  one.source === other.source &&
  one.text === other.text &&
  one.container.join() === other.container.join() &&
  scope(one.node) === scope(other.node) &&
  isStatic(one.node) === isStatic(other.node);

/** The places that declare a symbol, its uses: place -> {one: the service, index, fileName, start}, and what may be told or not. */
export function mentions(symbol) {
  // A value and a type of one name, and the signatures of an overload, are one symbol: all are asked for.
  const together = bySource.get(symbol.source).filter((other) => oneSymbol(symbol, other));
  together.push(...twins(symbol));
  const declared = new Set(together.map(({ source, name }) => place(source, name.getStart(source))));
  const ends = new Set(together.map(({ source }) => source.fileName));
  const added = additions(together);
  for (const { where } of added) declared.add(where);
  let uses = told(together, declared, ends, added);
  for (const [where, use] of together.flatMap((one) => [...ownUses(one), ...spacedUses(one)])) if (!declared.has(where) && !uses.has(where)) uses.set(where, use);
  const script = together.some(({ source }) => isScript(source));
  // `declare module "a" { interface B {} }` may add to what another file declares.
  // Of what is private `findReferences` knows the uses in its class, and no others.
  const hidden = together.some(({ node }) => ts.getEffectiveModifierFlags(node) & ts.ModifierFlags.Private);
  const classes = hidden ? together.map(({ node }) => ts.findAncestor(node, ts.isClassLike)) : [];
  const known = (source, start) => classes.some((one) => one?.getSourceFile().fileName === source.fileName && one.pos <= start && start < one.end);
  const implied = hidden || added.length || [...uses.values()].some(isPart) || (declared.size > together.length ? rowsAt(declared) : together).some(({ node }) => isImplied(node));
  // What holds a module as a value (`import * as a`, then `{ a }`) gives what it exports to files that import it not.
  const exported = !symbol.container.length && isExported(symbol.node);
  const read = (implied || exported || script ? impliedUses : scriptUses)(declared)
    .filter(({ index, fileName, start }) => {
      const source = programs[index].getSourceFile(fileName);
      return script || (implied && !known(source, start)) || isScript(source) || (exported && isTaken(nodeAt(source, start)));
    })
    .concat(typeUses(declared))
    .map(({ where, ...found }) => [where, { one: services[found.index], ...found }]);
  // Of what declarations beside a script tell again the compiler's references count as well.
  const scripts = together.every(({ source }) => isScript(source));
  // A name in a pattern, and a key of what a script exports, are members as well.
  const member = symbol.container.length || ts.isBindingElement(symbol.node) || ts.isObjectLiteralElement(symbol.node);
  const patterned = (member ? patternUses(declared, uses) : []).map(({ where, ...found }) => [
    where,
    { one: services[found.index], ...found },
  ]);
  // `this` in a static method is no name.
  uses = new Map([...patterned, ...read, ...[...uses].filter(([, use]) => !scripts || member || isThis(use))]);
  for (const where of [...uses.keys()]) if (declared.has(where) || isExportedName(where)) uses.delete(where);
  for (const [where, use] of uses) if (isOthers(use, [...ends])) uses.delete(where);
  const open = givenTogether(together).filter((where) => !declared.has(where));
  for (const where of open) uses.delete(where);
  return { declared, uses, open };
}

// To the compiler `this.a = …` in a constructor above a method or an accessor `a` of a script declares another `a`.
function ownUses({ node, source, text }) {
  const found = [];
  if (!ts.isSourceFileJS(source) || !ts.isClassLike(node.parent)) return found;
  const index = programs.findIndex((one) => one.getSourceFile(source.fileName) === source);
  const visit = (one) => {
    if (ts.isPropertyAccessExpression(one) && one.name.text === text && one.expression.kind === ts.SyntaxKind.ThisKeyword) {
      const around = ts.getThisContainer(one, false, false);
      const start = one.name.getStart(source);
      const use = { one: services[index], index, fileName: source.fileName, start, own: true };
      if (around.parent === node.parent && isStatic(around) === isStatic(node)) found.push([place(source, start), use]);
    }
    ts.forEachChild(one, visit);
  };
  visit(node.parent);
  return found;
}

// Of `@typedef {…} a.b.C` the compiler's references tell nothing where C is declared.
function spacedUses({ source, name }) {
  const found = [];
  if (!ts.isModuleDeclaration(name.parent) || name.parent.body !== name) return found;
  const tag = ts.findAncestor(name, ts.isJSDocTag);
  const index = programs.findIndex((one) => one.getSourceFile(source.fileName) === source);
  const checker = programs[index].getTypeChecker();
  const visit = (one) => {
    if (ts.isIdentifier(one) && one !== name && checker.getSymbolAtLocation(one)?.declarations?.includes(tag)) {
      const start = one.getStart(source);
      found.push([place(source, start), { one: services[index], index, fileName: source.fileName, start, own: true }]);
    }
    one.jsDoc?.forEach(visit);
    ts.forEachChild(one, visit);
  };
  visit(source);
  return found;
}

// In the list of a namespace that is the whole module: of what is imported of that `findReferences` knows nothing.
const isPart = ({ index, fileName, start }) => {
  const { parent } = nodeAt(programs[index].getSourceFile(fileName), start);
  return parent && ts.isExportSpecifier(parent) && ts.isModuleBlock(parent.parent.parent.parent);
};
const isListed = (statement, name) =>
  ts.isExportAssignment(statement)
    ? statement.expression.text === name
    : ts.isExportDeclaration(statement) &&
      !statement.moduleSpecifier &&
      (statement.exportClause?.elements ?? []).some((one) => (one.propertyName ?? one.name).text === name);
// By the word, or in a list (`export { a }`), or as the default.
const isExported = (node) =>
  Boolean(ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Export) ||
  node.getSourceFile().statements.some((one) => isListed(one, node.name?.text));
// Of something, as a member is. To the checker the `this` of `typeof this.a` is a name of the class.
const isTaken = ({ parent, text }) =>
  parent &&
  text !== "this" &&
  (ts.isPropertyAccessExpression(parent) ||
    ts.isElementAccessExpression(parent) ||
    ts.isQualifiedName(parent) ||
    (ts.isBindingElement(parent) && ts.isObjectBindingPattern(parent.parent)));

const isThis = ({ index, fileName, start }) => nodeAt(programs[index].getSourceFile(fileName), start).kind === ts.SyntaxKind.ThisKeyword;

const rowsAt = (declared) =>
  [...bySource].flatMap(([source, rows]) => rows.filter(({ name }) => declared.has(place(source, name.getStart(source)))));

// What the compiler's references tell at these rows, and at what is one with them in one project; `declared` grows by the declarations among them, `ends` by the files of
// what a member overrides.
function told(together, declared, ends, added) {
  const uses = new Map();
  const imports = new Set();
  const own = new Set(together.flatMap(({ source }) => namesOf(source.fileName)));
  const asked = together.flatMap(({ source, name }) => namesOf(source.fileName).map((file) => [file, name.getStart(source)]));
  for (const { index, fileName, start } of added) asked.push([fileName, start, false, index]);
  const kin = new Set();
  // A key of `export default { … }` has no container.
  const isMember = together[0].container.length || ts.isObjectLiteralElement(together[0].node);
  for (const [fileName, start, isKin, only] of asked) {
    services.forEach((one, index) => {
      if (!programs[index].getSourceFile(fileName) || (only !== undefined && only !== index)) return;
      // What a member overrides is asked for where the member itself is not known.
      if (isKin && [...own].some((file) => programs[index].getSourceFile(file))) return;
      const groups = (one.findReferences(fileName, start) ?? []).filter(({ definition }) => !isApart(index, definition, together[0].node));
      const made = new Set(groups.flatMap(({ references }) => references.flatMap((entry) => madeDefault(index, entry))));
      // Twice: what one overrides may be told behind it.
      for (const { definition } of isMember ? [...groups, ...groups] : []) {
        const { fileName, textSpan } = definition;
        const above = `${fileName}:${textSpan.start}`;
        if (kin.has(above) || !declaresMember(index, definition, together[0].text)) continue;
        if (isOthers({ fileName, start: textSpan.start }, [...ends])) continue;
        kin.add(above);
        ends.add(fileName);
        for (const name of namesOf(fileName)) asked.push([name, textSpan.start, true]);
      }
      for (const { references } of groups) {
        for (const entry of references) {
          if (!inside(entry.fileName)) continue;
          const file = programs[index].getSourceFile(entry.fileName);
          const where = place(file, entry.textSpan.start);
          const found = { one, index, fileName: entry.fileName, start: entry.textSpan.start };
          const node = nodeAt(file, entry.textSpan.start);
          if (isOthersDefault(index, node, own)) continue;
          if (made.size && isImported(index, node, made)) continue;
          if (isParameters(file, entry.textSpan.start)) continue;
          if (entry.isDefinition && !isKin && !imports.has(where) && !isAssigned(node, where)) declared.add(where);
          else if (!uses.has(where)) {
            uses.set(where, found);
            // `const b = require("a").b`, `import b = a.b`: the compiler's references end there, b's own go on.
            const name = boundBy(node);
            if (name) {
              imports.add(place(file, name.getStart(file)));
              for (const alike of namesOf(entry.fileName)) asked.push([alike, name.getStart(file)]);
            }
          }
        }
      }
    });
  }
  return uses;
}

// `{ a } = b` takes a member and declares a variable: at the one `findReferences` tells uses of the other.
const MEMBERS = new Set(["property", "method", "getter", "setter", "accessor", "JSX attribute"]);
const isTakenKey = (node) => ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent) && !node.propertyName;
function isApart(index, { fileName, textSpan, kind }, asked) {
  if (isTakenKey(asked)) return MEMBERS.has(kind);
  if (kind !== "alias" || !inside(fileName)) return false;
  const checker = programs[index].getTypeChecker();
  const symbol = checker.getSymbolAtLocation(nodeAt(programs[index].getSourceFile(fileName), textSpan.start));
  const declared = symbol && symbol.flags & ts.SymbolFlags.Alias ? (checker.getAliasedSymbol(symbol).declarations ?? []) : [];
  return declared.length > 0 && declared.every((one) => isTakenKey(one) && one !== asked);
}

// `@param {Object} a` where `@param {string} a.b` follows: `findReferences` takes either a for whatever is called so, and the checker
// for the parameter. Those of constructors may be members as well.
function isParameters(file, start) {
  const name = ts.getTokenAtPosition(file, start);
  const tag = ts.findAncestor(name, ts.isJSDocParameterTag);
  if (!tag || tag.name.getStart(file) !== start) return false;
  const host = ts.getHostSignatureFromJSDoc(tag);
  return !host || !ts.isConstructorDeclaration(host);
}

// Of a default, `findReferences` also tells who imports the own default of a module that hands the former on (`export { default as a }
// from "b"`) or the names beside it (`export * from "b"`): what a default import stands for, the checker is asked.
function isOthersDefault(index, node, own) {
  const checker = programs[index].getTypeChecker();
  const symbol = checker.getSymbolAtLocation(node);
  if (!symbol?.declarations?.some(ts.isImportClause)) return false;
  const declared = checker.getAliasedSymbol(symbol).declarations ?? [];
  return declared.length > 0 && !declared.some((one) => own.has(one.getSourceFile().fileName));
}

// `export default wrap(a)`, `new A()` and `a.b`: `findReferences` takes who imports that for uses of `wrap`, `A` and `a`, next to which the
// export stands, too.
function madeDefault(index, { fileName, textSpan }) {
  const node = inside(fileName) ? nodeAt(programs[index].getSourceFile(fileName), textSpan.start) : undefined;
  const by = node?.parent;
  const isBy = by && (ts.isCallExpression(by) || ts.isNewExpression(by) || ts.isPropertyAccessExpression(by)) && by.expression === node;
  return isBy && ts.isExportAssignment(by.parent) && !by.parent.isExportEquals ? [by.parent.symbol] : [];
}
function isImported(index, node, made) {
  const checker = programs[index].getTypeChecker();
  const symbol = checker.getSymbolAtLocation(node);
  return Boolean(symbol && symbol.flags & ts.SymbolFlags.Alias && made.has(checker.getImmediateAliasedSymbol(symbol)));
}

// Of that name: a mapped type may give it another.
function declaresMember(index, { fileName, textSpan }, text) {
  if (!inside(fileName)) return false;
  const node = nodeAt(programs[index].getSourceFile(fileName), textSpan.start);
  const parent = node.parent;
  const isMember = parent && (ts.isClassElement(parent) || ts.isTypeElement(parent) || ts.isParameterPropertyDeclaration(parent, parent.parent));
  return isMember && parent.name === node && node.text === text;
}

// A script's declaration and the one that the declaration file beside it tells again are one symbol.
function twins(symbol) {
  const { fileName } = symbol.source;
  const near = beside(fileName);
  // `{ a }` uses the variable that a declaration tells again.
  const same = (other) =>
    other.text === symbol.text && other.container.join() === symbol.container.join() && !ts.isShorthandPropertyAssignment(other.node);
  const manifest = exportedTwins(symbol);
  return [...bySource].flatMap(([source, rows]) =>
    source.fileName !== fileName && near.includes(source.fileName) ? rows.filter(same) : rows.filter((other) => manifest.has(place(source, other.name.getStart(source)))),
  );
}

// So is what the "main" of a package exports by a name, and what its "types" do by that.
function exportedTwins(symbol) {
  const files = symbol.container.length ? undefined : shipped(symbol.source.fileName);
  if (!files || beside(files[0]).includes(files[1])) return new Set();
  const own = place(symbol.source, symbol.name.getStart(symbol.source));
  const sides = files.map((file) => exportedPlaces(file, symbol.text));
  const at = sides.findIndex((places) => places.has(own));
  return at < 0 ? new Set() : sides[1 - at];
}
function exportedPlaces(file, name) {
  const places = new Set();
  for (const program of programs) {
    const source = program.getSourceFile(file);
    const checker = program.getTypeChecker();
    const module = source && checker.getSymbolAtLocation(source);
    const found = module && checker.getExportsOfModule(module).find((one) => one.name === name);
    const meant = found && found.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found;
    // `exports.a = require("b")` hands on what b is.
    const value = meant && checker.getTypeOfSymbol(meant).symbol?.declarations?.filter(({ name: own }) => own && inside(own.getSourceFile().fileName));
    for (const { name: own } of value?.length ? value : (meant?.declarations ?? [])) if (own && inside(own.getSourceFile().fileName)) places.add(place(own.getSourceFile(), own.getStart()));
  }
  return places;
}

// To the compiler each `this.a = …` of a script declares `a`.
function isAssigned(node, where) {
  const target = node.parent;
  if (isExportedName(where)) return true;
  const isTarget = target && ts.isAccessExpression(target) && ts.isBinaryExpression(target.parent) && target.parent.left === target;
  return isTarget && !rowPlaces.has(where);
}

function boundBy(node) {
  const access = node.parent;
  const alias = ts.findAncestor(node, (one) => !ts.isEntityName(one));
  if (alias && ts.isImportEqualsDeclaration(alias)) {
    const named = alias.moduleReference;
    return node === named || node === named.right ? alias.name : undefined;
  }
  const variable = access?.parent;
  const bound = access && ts.isPropertyAccessExpression(access) && access.name === node && ts.isVariableDeclaration(variable ?? node);
  return bound && variable.initializer === access && isRequired(variable) && ts.isIdentifier(variable.name) ? variable.name : undefined;
}
