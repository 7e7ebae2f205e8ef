// Who uses what a script exports by assignment, or what is exported without the word: README.md, "In a script" and "A
// reference". At every name the checker's symbols decide.

import { ts } from "./compiler.mjs";
import { bySource, rowPlaces } from "./rows.mjs";
import { inside, place, programs } from "./workspace.mjs";

/** Whether a file exports by assignment. */
export const isScript = (source) => Boolean(source.commonJsModuleIndicator);
const isAssignment = (node) => ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken;
const isNamed = (node) => (ts.isFunctionExpression(node) || ts.isClassExpression(node)) && node.name;

function* nodes(node) {
  yield node;
  const children = [...(node.jsDoc ?? [])];
  ts.forEachChild(node, (child) => void children.push(child));
  for (const child of children) yield* nodes(child);
}

// `module` and `exports` name no declaration. A text names a member between brackets.
function isName(node) {
  if (ts.isStringLiteralLike(node)) return ts.isElementAccessExpression(node.parent);
  return ts.isMemberName(node) && !(/^(module|exports)$/.test(node.text) && isScript(node.getSourceFile()));
}

// As the compiler has it, a text's place is behind its quote.
const startOf = (name) => name.getStart() + (ts.isStringLiteralLike(name) ? 1 : 0);
const placeOf = (name) => place(name.getSourceFile(), startOf(name));

// What a type names of a module: `import("a").b`, `import("a").default.c`, `(typeof import("a"))["b"]`.
function isOfModule(name) {
  if (name.flags & ts.NodeFlags.JSDoc && !ts.isSourceFileJS(name.getSourceFile())) return false;
  if (ts.isStringLiteral(name)) {
    const type = name.parent.parent;
    return ts.isLiteralTypeNode(name.parent) && ts.isIndexedAccessTypeNode(type) && ts.isImportTypeNode(type.objectType);
  }
  if (!ts.isIdentifier(name)) return false;
  let { parent } = name;
  while (ts.isQualifiedName(parent)) parent = parent.parent;
  return ts.isImportTypeNode(parent);
}

// What stands for something that is declared elsewhere: a name, a function's or class' own, `require("a")`, `require("a").b`,
// `exports.b`.
function valueName(value) {
  if (ts.isIdentifier(value) || ts.isRequireCall(value, true)) return value;
  if (!ts.isPropertyAccessExpression(value)) return undefined;
  if (ts.isRequireCall(value.expression, true) || /^(module\.)?exports$/.test(value.expression.getText())) return value.name;
  return undefined;
}

/** [the name by which a script exports something, what stands for that] of an assignment. */
function handedOn(assignment) {
  const { left } = assignment;
  let value = assignment.right;
  while (isAssignment(value)) value = value.right;
  const target = left.getText();
  if (/^(module\.)?exports(\.[\w$]+|\[(["'])[^"']*\3\])$/.test(target)) {
    const name = valueName(value);
    return name || ts.isVoidExpression(value) ? [[left.name ?? left.argumentExpression, name]] : [];
  }
  if (!/^(module\.)?exports$/.test(target)) return [];
  const own = valueName(value) ?? (isNamed(value) || undefined);
  if (own) return [[left, own]];
  return ts.isObjectLiteralExpression(value) ? value.properties.flatMap(handedKey) : [];
}

function handedKey(property) {
  if (ts.isShorthandPropertyAssignment(property)) return [[property.name, property.name]];
  const name = ts.isPropertyAssignment(property) && valueName(property.initializer);
  return name ? [[property.name, name]] : [];
}

// Where the checker ties a member to no row: of a variable whose type it does not know, `A.b`, and `this.b` in a function
// that is assigned to a member of A or of its prototype, are rows of the file; `this.b = …` in a literal's method is the
// literal's `b`.
function ofHolder(name, checker) {
  const { parent } = name;
  if (!ts.isPropertyAccessExpression(parent) || parent.name !== name) return [];
  const own = thisOf(parent.expression, checker);
  const holder = own ? holderOfThis(own) : parent.expression;
  const rows = (bySource.get(name.getSourceFile()) ?? []).filter(({ text }) => text === name.text);
  const mine = (row) => {
    if (own && isPrototype(holder)) return row.container.join() === holder.expression.getText() && isMade(row);
    return ts.isIdentifier(holder) ? row.container.join() === holder.text : row.node.parent === holder;
  };
  return holder ? rows.filter(mine).map((row) => placeOf(row.name)) : [];
}

// `this`, or that of `self = this`.
function thisOf(expression, checker) {
  const given = ts.isIdentifier(expression) && checker.getSymbolAtLocation(expression)?.valueDeclaration;
  const value = given && ts.isVariableDeclaration(given) ? given.initializer : expression;
  return value?.kind === ts.SyntaxKind.ThisKeyword ? value : undefined;
}

function holderOfThis(node) {
  let inner = ts.getThisContainer(node, false, false);
  if (ts.isFunctionExpression(inner)) inner = inner.parent;
  if (ts.isObjectLiteralElement(inner)) return inner.parent;
  if (!isAssignment(inner)) return undefined;
  while (isAssignment(inner.parent)) inner = inner.parent;
  return ts.isPropertyAccessExpression(inner.left) ? inner.left.expression : undefined;
}

// `exports.a = …`.
function givesExport(name) {
  const { parent } = name;
  if (!ts.isPropertyAccessExpression(parent) || parent.name !== name) return false;
  const assigned = isAssignment(parent.parent) && parent.parent.left === parent;
  return assigned && isScript(name.getSourceFile()) && /^(module\.)?exports$/.test(parent.expression.getText());
}
// That is no row: who takes `a` takes what a row declares, or this.
const isAssignedAgain = (name) => givesExport(name) && !rowPlaces.has(placeOf(name));

/** The places that give an export which is one symbol with a variable of its name: each of these rows declares it. */
export function givenTogether(rows) {
  const given = rows.filter(({ name }) => givesExport(name));
  if (!given.length || given.length === rows.length) return [];
  const alike = (one) => ts.isIdentifier(one) && one.text === given[0].text && givesExport(one);
  return [...nodes(given[0].source)].filter(alike).map(placeOf);
}

const isPrototype = (node) => node && ts.isPropertyAccessExpression(node) && node.name.text === "prototype";

// Whether what `new A` makes has a member of A, and not A itself.
function isMade({ name: { parent } }) {
  if (ts.isPropertyAccessExpression(parent)) return isPrototype(parent.expression);
  const around = parent.parent;
  if (ts.isObjectLiteralExpression(around)) return isAssignment(around.parent) && isPrototype(around.parent.left);
  return ts.isClassLike(around) && !ts.isStatic(parent);
}

// The prototypes that a script gives the members of others: [what makes the one, what makes the other].
function* given(node) {
  const maker = (one) => isPrototype(one) && one.expression;
  if (ts.isCallExpression(node)) {
    const called = node.expression.name?.text ?? node.expression.text;
    const [heir, ...bases] = node.arguments;
    if (called === "inherits" && bases.length === 1) yield [heir, bases[0]];
    if (/^(assign|extend|mixin|setPrototypeOf)$/.test(called) && maker(heir)) {
      for (const base of bases.map(maker).filter(Boolean)) yield [maker(heir), base];
    }
  } else if (isAssignment(node)) {
    const isProto = ts.isPropertyAccessExpression(node.left) && node.left.name.text === "__proto__";
    const heir = maker(isProto ? node.left.expression : node.left);
    const value = node.right;
    const created = ts.isCallExpression(value) && value.expression.getText() === "Object.create" && maker(value.arguments[0]);
    const base = created || maker(value) || (ts.isNewExpression(value) && value.expression);
    if (heir && base) yield [heir, base];
  }
}

// In TypeScript, where that is any: the specifier of `require("a")` which a value is, or a variable has.
function requiredBy(value, checker) {
  if (ts.isRequireCall(value, true)) return value.arguments[0].text;
  const symbol = ts.isIdentifier(value) && checker.getSymbolAtLocation(value);
  const variable = symbol && symbol.valueDeclaration;
  if (!variable || !ts.isVariableDeclaration(variable)) return undefined;
  if (variable.initializer) return ts.isRequireCall(variable.initializer, true) ? variable.initializer.arguments[0].text : undefined;
  const given = [...nodes(variable.getSourceFile())].find(
    (node) => isAssignment(node) && ts.isRequireCall(node.right, true) && checker.getSymbolAtLocation(node.left) === symbol,
  );
  return given?.right.arguments[0].text;
}

// `Object.defineProperty(exports, "a", { get: function () { return b.c; } })`: as compilers write `export { c as a } from`.
function handedByGetter(node) {
  if (!ts.isCallExpression(node) || node.expression.getText() !== "Object.defineProperty") return undefined;
  const [target, key, given] = node.arguments;
  if (!given || target.getText() !== "exports" || !ts.isStringLiteral(key) || !ts.isObjectLiteralExpression(given)) return undefined;
  const getter = given.properties.find((one) => one.name?.getText() === "get");
  const [only] = (getter?.initializer ?? getter)?.body?.statements ?? [];
  const value = only && ts.isReturnStatement(only) && only.expression;
  return value && ts.isPropertyAccessExpression(value) && ts.isIdentifier(value.expression) ? [key, value.name] : undefined;
}

// In a script: that of `__importStar(require("a"))`, which compilers write for `import * as`, to the checker any.
function starredBy(value, checker) {
  const symbol = ts.isIdentifier(value) && checker.getSymbolAtLocation(value);
  const call = symbol ? symbol.valueDeclaration?.initializer : value;
  const named = call && ts.isCallExpression(call) && /(^|\.)_*(importStar|interopRequireWildcard)$/.test(call.expression.getText());
  const required = named && call.arguments[0];
  return required && ts.isRequireCall(required, true) ? required.arguments[0].text : undefined;
}

// In `.mjs`: that of a default import. All that a script exports is its default to Node, `__esModule` or not; the checker knows no
// default of it but in projects of Node's modules.
function wholeBy(value, checker) {
  if (!ts.isIdentifier(value) || !/\.m[jt]s$/.test(value.getSourceFile().fileName)) return undefined;
  const isDefault = (one) => ts.isImportClause(one) || (ts.isImportSpecifier(one) && one.propertyName?.text === "default");
  const imported = checker.getSymbolAtLocation(value)?.declarations?.find(isDefault);
  return imported && ts.findAncestor(imported, ts.isImportDeclaration).moduleSpecifier.text;
}

class Scripts {
  constructor(program, index) {
    this.program = program;
    this.index = index;
    this.checker = program.getTypeChecker();
    this.sources = program.getSourceFiles().filter((source) => inside(source.fileName));
    this.places = new Map();
    this.handed = new Map();
    // The `a` of `exports.a = b` and of `module.exports = { a: b }`. `{ a }` is a use.
    this.keys = new Set();
    this.heirs = this.sources
      .filter((source) => ts.isSourceFileJS(source))
      .flatMap((source) => [...nodes(source)])
      .flatMap((node) => [...given(node)])
      .map((pair) => pair.map((one) => this.checker.getSymbolAtLocation(one.name ?? one)));
    const written = this.sources.filter(isScript).flatMap((source) => [...nodes(source)]);
    for (const [key, name] of written.map(handedByGetter).filter(Boolean)) this.handed.set(placeOf(key), this.valueOf(name));
    for (const node of written.filter(isAssignment)) {
      for (const [key, name] of handedOn(node)) {
        this.handed.set(placeOf(key), name && this.valueOf(name));
        if (key !== name) this.keys.add(placeOf(key));
      }
    }
  }

  valueOf(name) {
    const { parent } = name;
    if (ts.isCallExpression(name)) {
      const module = this.checker.getSymbolAtLocation(name.arguments[0]);
      return module && this.checker.resolveExternalModuleSymbol(module);
    }
    if (ts.isShorthandPropertyAssignment(parent)) return this.checker.getShorthandAssignmentValueSymbol(parent);
    return this.checker.getSymbolAtLocation(name);
  }

  // Every symbol that a name may stand for by itself.
  *symbols(name) {
    const { parent } = name;
    const isTaken = ts.isSourceFileJS(name.getSourceFile()) || !isAssignment(parent.parent) || parent.parent.left !== parent;
    const own = isTaken && ts.isPropertyAccessExpression(parent) && /^(module\.)?exports$/.test(parent.expression.getText());
    // Where all that it exports is `exports.b` the checker does not know that.
    const told = this.checker.getSymbolAtLocation(name) ?? (own && name.getSourceFile().symbol?.exports?.get(name.escapedText));
    if (told) yield told;
    if (!told || !ts.isSourceFileJS(name.getSourceFile()) || ts.isBindingElement(parent)) yield* this.ofAny(name);
    if (ts.isShorthandPropertyAssignment(parent)) yield this.valueOf(name);
    if (ts.isBindingElement(parent) && ts.isObjectBindingPattern(parent.parent) && !parent.propertyName) {
      if (parent.name === name) yield this.checker.getTypeAtLocation(parent.parent).getProperty(name.text);
    }
    // `({ a } = b)`.
    if (ts.isObjectLiteralElement(parent) && ts.isArrayLiteralOrObjectLiteralDestructuringPattern(parent.parent)) {
      yield this.checker.getPropertySymbolOfDestructuringAssignment(name);
    }
  }

  // `require("a").b` and `{ b } = require("a")` in TypeScript, `__importStar(require("a")).b` in scripts, `a.b` of `import a from "a"` in `.mjs`.
  *ofAny(name) {
    const { parent, text } = name;
    const pattern = ts.isBindingElement(parent) && (parent.propertyName ?? parent.name) === name && parent.parent.parent;
    const value = pattern ? ts.isVariableDeclaration(pattern) && pattern.initializer : parent.name === name && parent.expression;
    if (!value || !(pattern || ts.isPropertyAccessExpression(parent))) return;
    const required = (ts.isSourceFileJS(name.getSourceFile()) ? starredBy : requiredBy)(value, this.checker);
    const specifier = required ?? wholeBy(value, this.checker);
    if (!specifier) return;
    const { resolvedModule } = ts.resolveModuleName(specifier, name.getSourceFile().fileName, this.program.getCompilerOptions(), ts.sys);
    const holding = [this.program, ...programs].find((one) => one.getSourceFile(resolvedModule?.resolvedFileName ?? ""));
    const source = holding?.getSourceFile(resolvedModule.resolvedFileName);
    const module = source && (required || isScript(source)) ? source.symbol : undefined;
    const checker = holding?.getTypeChecker();
    const symbol = module && checker.getExportsOfModule(module).find((one) => one.name === text);
    if (symbol) yield symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  }

  // What is assigned again, and not what that hands on.
  again(name) {
    if (!isAssignedAgain(name)) return [];
    const module = this.checker.resolveExternalModuleSymbol(name.getSourceFile().symbol);
    const told = this.checker.getTypeOfSymbol(module).getProperty(name.text)?.declarations ?? [];
    return told.map((declaration) => placeOf(ts.getNameOfDeclaration(declaration) ?? declaration));
  }

  // `A.b` where A is required, and the checker does not know its type, and `A.prototype.b` of a function: a row of the
  // file that declares A.
  ofRequired(name) {
    const { parent, text } = name;
    if (!ts.isPropertyAccessExpression(parent) || parent.name !== name) return [];
    const made = ts.isPropertyAccessExpression(parent.expression) && parent.expression.name.text === "prototype";
    const holder = made ? parent.expression.expression : parent.expression;
    if (!ts.isIdentifier(holder) || !(this.checker.getTypeAtLocation(parent.expression).flags & ts.TypeFlags.Any)) return [];
    const symbol = this.checker.getSymbolAtLocation(holder);
    if (!symbol || !(made || symbol.flags & ts.SymbolFlags.Alias)) return [];
    const declared = this.declared(symbol);
    const isOf = (row, rows) => rows.some((one) => declared.has(placeOf(one.name)) && row.container.join() === one.text);
    const mine = (rows) => rows.filter((row) => row.text === text && isOf(row, rows) && isMade(row) === made);
    return [...bySource.values()].flatMap(mine).map((row) => placeOf(row.name));
  }

  // `a.b` where the checker does not know it, and what makes `a` was given the prototype of another one.
  ofGiven(name) {
    const { parent, text } = name;
    if (!this.heirs.length || !ts.isPropertyAccessExpression(parent) || parent.name !== name) return [];
    const { symbol } = this.checker.getTypeAtLocation(parent.expression);
    const isMaker = symbol && this.checker.getTypeOfSymbol(symbol) === this.checker.getTypeAtLocation(parent.expression);
    if (!symbol || isMaker) return [];
    const makers = this.declared(symbol);
    const found = new Set(makers);
    for (const one of found) {
      const bases = this.heirs.filter(([heir, base]) => heir && base && this.declared(heir).has(one));
      for (const [, base] of bases) this.declared(base).forEach((where) => found.add(where));
    }
    const isOf = (row, rows) => rows.some((one) => found.has(placeOf(one.name)) && row.container.join() === one.text);
    const mine = (rows) => rows.filter((row) => row.text === text && isOf(row, rows) && isMade(row));
    return [...bySource.values()].flatMap(mine).map((row) => placeOf(row.name));
  }

  // Where a symbol is declared, and all that it leads to as an alias or as what a script hands on.
  declared(symbol) {
    const known = this.places.get(symbol);
    if (known) return known;
    const found = new Set();
    this.places.set(symbol, found);
    const follow = (next) => next && this.declared(next).forEach((one) => found.add(one));
    for (const declaration of symbol.declarations ?? []) {
      if (!inside(declaration.getSourceFile().fileName)) continue;
      const where = placeOf(ts.getNameOfDeclaration(declaration) ?? declaration);
      found.add(where);
      follow(this.handed.get(where));
    }
    if (symbol.flags & ts.SymbolFlags.Alias) follow(this.aliased(symbol));
    return found;
  }

  // The compiler asserts that an alias has a declaration; one that it made up of others leads nowhere.
  aliased(symbol) {
    try {
      return this.checker.getImmediateAliasedSymbol(symbol);
    } catch {
      return undefined;
    }
  }

  /** The uses of what is declared at each place: place -> [{index, fileName, start, where}]. */
  uses(isWanted = isName) {
    const found = new Map();
    for (const source of this.sources) {
      for (const name of [...nodes(source)].filter(isWanted)) {
        const use = { index: this.index, fileName: source.fileName, start: startOf(name), where: placeOf(name) };
        const symbols = [...this.symbols(name)].filter(Boolean);
        const means = [...symbols.flatMap((symbol) => [...this.declared(symbol)]), ...this.again(name)];
        if (!means.some((where) => rowPlaces.has(where))) {
          means.push(...ofHolder(name, this.checker), ...this.ofRequired(name), ...(symbols.length ? [] : this.ofGiven(name)));
        }
        for (const where of new Set(means)) {
          if (!found.has(where)) found.set(where, []);
          found.get(where).push(use);
        }
      }
    }
    return found;
  }
}

let read;
function everything() {
  if (!read) {
    const scripts = programs.map((program, index) => new Scripts(program, index)).filter((one) => one.sources.some(isScript));
    read = { scripts, uses: scripts.map((one) => one.uses()), keys: new Set(scripts.flatMap((one) => [...one.keys])) };
  }
  return read;
}

/** Whether a row is exported though nothing says so, in `declare module "a"` and in declaration files that are modules;
 *  or as a part of a namespace that is the whole module (`export = A`). */
export function isImplied(node) {
  const around = (ts.isVariableDeclaration(node) ? node.parent.parent : node).parent;
  const space = ts.isModuleBlock(around) && ts.isIdentifier(around.parent.name);
  const module = space ? around.parent.parent : around;
  if (!(ts.isModuleBlock(module) ? ts.isStringLiteral(module.parent.name) : ts.isSourceFile(module) && ts.isExternalModule(module))) return false;
  if (space) return module.statements.some((one) => ts.isExportAssignment(one) && one.isExportEquals);
  const ambient = ts.isModuleBlock(module) || module.isDeclarationFile;
  return ambient && !(ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Export);
}

let plain;
/** The same, of what is exported without the word, in projects without scripts too. */
export function impliedUses(declared) {
  const known = new Set(everything().scripts.map(({ index }) => index));
  plain ??= programs.flatMap((program, index) => (known.has(index) ? [] : [new Scripts(program, index).uses()]));
  const further = plain.flatMap((uses) => [...declared].flatMap((where) => uses.get(where) ?? []));
  return [...scriptUses(declared), ...further];
}

let typed;
/** The uses in what types name of modules: `findReferences` knows only the plainest. */
export function typeUses(declared) {
  typed ??= programs.map((program, index) => new Scripts(program, index).uses(isOfModule));
  return typed.flatMap((uses) => [...declared].flatMap((where) => uses.get(where) ?? []));
}

/** The uses of what is declared at these places: {index, fileName, start, where}. */
export const scriptUses = (declared) =>
  everything().uses.flatMap((uses) => [...declared].flatMap((where) => uses.get(where) ?? []));

/** Where the name there leads: what its symbols declare, and what that hands on. */
export const leadsTo = (index, name) => {
  const scripts = isName(name) && everything().scripts.find((one) => one.index === index);
  return scripts ? [...scripts.symbols(name)].filter(Boolean).flatMap((symbol) => [...scripts.declared(symbol)]) : [];
};

/** Whether a name there only says by which name a script exports something. */
export const isExportedName = (where) => everything().keys.has(where);
