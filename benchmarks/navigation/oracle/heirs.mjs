// Which classes implement or extend a type, and which of their members, and keys of objects, a member: README.md, "An
// implementation".

import { ts } from "./compiler.mjs";
import { keyPlaces, keysOf } from "./objects.mjs";
import { beside, inside, place, programs } from "./workspace.mjs";

// A class that is the value of a variable or a field, or, without a name of its own, of a key or what is assigned to a variable or
// a member, is known by that name.
const known = (node) => {
  if (!ts.isClassExpression(node)) return node;
  const { parent } = node;
  const assigned = !node.name && ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken;
  if (assigned && ts.isIdentifier(parent.left)) return { name: parent.left };
  if (assigned && ts.isPropertyAccessExpression(parent.left)) return parent.left;
  return ts.isVariableDeclaration(parent) || ts.isPropertyDeclaration(parent) || (!node.name && ts.isPropertyAssignment(parent)) ? parent : node;
};
const placeOf = (node) => place(node.getSourceFile(), (known(node).name ?? node).getStart());
const isType = (node) => ts.isClassLike(node) || ts.isInterfaceDeclaration(node);
const isStatic = (node) => Boolean(ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Static);
// `abstract` and `declare` promise a member; a signature of an overload names one.
const isPromise = (node) =>
  Boolean(ts.getCombinedModifierFlags(node) & (ts.ModifierFlags.Abstract | ts.ModifierFlags.Ambient)) ||
  ((ts.isMethodDeclaration(node) || ts.isAccessor(node)) && !node.body && !(node.flags & ts.NodeFlags.Ambient));

// By the place of a type: the types that say that they extend or implement it, as {node, checker}.
const heirs = new Map();
const judged = new Set();
// By file and name: the places of the classes at its top.
const tops = new Map();
for (const program of programs) {
  const checker = program.getTypeChecker();
  for (const source of program.getSourceFiles()) if (inside(source.fileName)) read(source, checker);
}

function read(source, checker) {
  const visit = (node) => {
    if (isType(node)) {
      judged.add(placeOf(node));
      if (ts.isClassDeclaration(node) && ts.isSourceFile(node.parent) && node.name) tops.set(`${source.fileName}#${node.name.text}`, placeOf(node));
      for (const member of membersOf(node)) judged.add(placeOf(member));
      for (const base of bases(node, checker)) {
        const told = heirs.get(base) ?? heirs.set(base, new Map()).get(base);
        if (!told.has(placeOf(node))) told.set(placeOf(node), { node, checker });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}

// A constructor's parameter can be a member.
function membersOf(node) {
  // A script's function has members that are assigned, and no list of them.
  if (!node.members) return [];
  const own = node.members.filter((member) => member.name);
  const constructors = ts.isClassLike(node) ? node.members.filter(ts.isConstructorDeclaration) : [];
  const parameters = constructors.flatMap((one) => one.parameters);
  return [...own, ...parameters.filter((one) => ts.isParameterPropertyDeclaration(one, one.parent))];
}

// Of a class also those of the interfaces that merge with it: the compiler's findImplementations tells it for them.
function clauses(node, checker) {
  const symbol = ts.isClassLike(node) && node.name ? checker.getSymbolAtLocation(node.name) : undefined;
  const types = (symbol?.declarations ?? []).filter((one) => one !== node && isType(one));
  return [node, ...types].flatMap((one) => one.heritageClauses ?? []);
}

// The places of the types in the heritage clauses: by their names, and by the types of these (a mixin's call has no name).
function bases(node, checker) {
  const found = new Set();
  for (const one of clauses(node, checker).flatMap((clause) => [...clause.types])) {
    let symbol = checker.getSymbolAtLocation(one.expression);
    if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
    const type = checker.getTypeAtLocation(one);
    const parts = type.isIntersection() ? type.types : [type];
    const named = [symbol, ...parts.map((part) => part.symbol)].flatMap((each) => each?.declarations ?? []);
    // `Omit<A, "b">` has the members of A: the compiler's findImplementations tells those of such a class for them.
    const kept = parts.filter((part) => part.objectFlags & ts.ObjectFlags.Mapped).flatMap((part) => part.getProperties());
    const held = kept.flatMap((member) => (member.declarations ?? []).map((declaration) => declaration.parent));
    for (const declaration of [...named, ...held]) {
      if (isType(declaration) && inside(declaration.getSourceFile().fileName)) found.add(placeOf(declaration));
    }
  }
  return found;
}

function below(places) {
  const found = new Map();
  const open = [...places];
  while (open.length) {
    for (const [where, heir] of heirs.get(open.pop()) ?? []) {
      if (found.has(where) || places.includes(where)) continue;
      found.set(where, heir);
      open.push(where);
    }
  }
  return [...found.values()];
}

// The places of all declarations of the type: an interface can have several, one beside a class among them. Of a script's
// class the declarations beside it are another.
function together(node) {
  const again = beside(node.getSourceFile().fileName).map((fileName) => tops.get(`${fileName}#${node.name?.text}`));
  const places = new Set([placeOf(node), ...again.filter((one) => one && ts.isSourceFile(node.parent))]);
  for (const program of programs) {
    const source = program.getSourceFile(node.getSourceFile().fileName);
    if (source !== node.getSourceFile()) continue;
    const symbol = program.getTypeChecker().getSymbolAtLocation(node.name ?? node) ?? node.symbol;
    for (const one of symbol?.declarations ?? []) {
      if (isType(one) && inside(one.getSourceFile().fileName)) places.add(placeOf(one));
    }
  }
  return [...places];
}

/** {implementations, allowed} of a row that is a type or a member of one. allowed: right when told, but not asked for. */
export function implementations({ node, text }) {
  const type = isType(node) ? node : node.parent.parameters ? node.parent.parent : node.parent;
  const found = { implementations: new Set(), allowed: new Set() };
  for (const { node: heir, checker } of below(together(type))) {
    if (!isType(node)) objects(heir, text, found);
    if (!ts.isClassLike(heir)) continue;
    if (isType(node)) found[heir.name ? "implementations" : "allowed"].add(placeOf(heir));
    else members(heir, checker, text, found);
  }
  if (!isType(node)) objects(type, text, found);
  const wanted = [...found.implementations].sort();
  return { implementations: wanted, allowed: [...found.allowed].filter((where) => !found.implementations.has(where)) };
}

function members(heir, checker, text, found) {
  const own = membersOf(heir).filter((member) => member.name.text === text && !isStatic(member));
  for (const member of own) found[isPromise(member) ? "allowed" : "implementations"].add(placeOf(member));
  if (own.length) return;
  // What a class inherits may implement the interface that it names.
  const type = checker.getDeclaredTypeOfSymbol(heir.symbol);
  for (const one of checker.getPropertyOfType(type, text)?.declarations ?? []) {
    if (inside(one.getSourceFile().fileName)) found.allowed.add(placeOf(one));
  }
}

function objects(type, text, found) {
  for (const member of membersOf(type)) {
    if (member.name.text !== text || isStatic(member)) continue;
    for (const [where, sure] of keysOf(placeOf(member))) found[sure ? "implementations" : "allowed"].add(where);
  }
}

/** The places of all types, members of types and keys that implement one: what an answer tells elsewhere is not judged. */
export const typePlaces = () => [...new Set([...judged, ...keyPlaces()])].sort();
