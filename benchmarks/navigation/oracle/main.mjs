// The truth about a workspace, by the TypeScript compiler's API: no language server is asked.
//
//   node oracle/main.mjs <typescript/lib/typescript.js> <root> <seed> <how many symbols> <how many places in bodies> \
//       [only symbols of these names, with commas between them]
//
// Prints one JSON document:
//   {typescript, projects, files, outlines: {path: [[name, line]]}, bodies: [{at, block}],
//    symbols: [{query, name, kind, path, at, declarations, references, block, use: {at, declarations}}]}
// Places are "path:line:character", 1-based, UTF-16. The rules are in README.md.

import { block, blockAround, bodyIdentifiers } from "./blocks.mjs";
import { ts } from "./compiler.mjs";
import { declarations } from "./declarations.mjs";
import { inside, place, programs, relative, services, sources } from "./workspace.mjs";

const [seed, wantedSymbols, wantedBodies] = process.argv.slice(4, 7).map(Number);
const only = process.argv[7]?.split(",");

// A small seeded generator (mulberry32), so that a run can be repeated.
let state = seed >>> 0;
function random() {
  state = (state + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
}
const any = (list) => list[Math.floor(random() * list.length)];
const take = (list) => list.splice(Math.floor(random() * list.length), 1)[0];

const symbols = [];
const bySource = new Map();
const outlines = {};
const rowPlaces = new Set();
for (const source of sources()) {
  const rows = [];
  const own = [];
  declarations(source, (row) => {
    rows.push([row.text, source.getLineAndCharacterOfPosition(row.name.getStart(source)).line + 1]);
    own.push({ ...row, source });
    rowPlaces.add(place(source, row.name.getStart(source)));
  });
  outlines[relative(source.fileName)] = rows;
  bySource.set(source, own);
  symbols.push(...own);
}

// The same number of each kind as far as there are some, so that rare kinds count.
function sample(count) {
  const groups = new Map();
  // What has no identifier for a name cannot be asked for by one.
  for (const symbol of symbols.filter(({ name }) => ts.isIdentifier(name) || ts.isPrivateIdentifier(name))) {
    if (only && !only.includes(symbol.text)) continue;
    if (!groups.has(symbol.kind)) groups.set(symbol.kind, []);
    groups.get(symbol.kind).push(symbol);
  }
  const chosen = [];
  while (chosen.length < count && [...groups.values()].some((group) => group.length)) {
    for (const group of groups.values()) if (group.length && chosen.length < count) chosen.push(take(group));
  }
  return chosen;
}

const scope = (node) => {
  while (ts.isBindingElement(node) || ts.isBindingName(node)) node = node.parent;
  // The members of one name in the literals of a union are one symbol, when they have the same containers.
  if (ts.isTypeElement(node) && ts.isTypeLiteralNode(node.parent)) return ts.findAncestor(node, ts.isTypeAliasDeclaration);
  return ts.isVariableDeclaration(node) ? node.parent.parent.parent : node.parent;
};
const isStatic = (node) => Boolean(ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Static);
const oneSymbol = (one, other) =>
  one.source === other.source &&
  one.text === other.text &&
  one.container.join() === other.container.join() &&
  scope(one.node) === scope(other.node) &&
  isStatic(one.node) === isStatic(other.node);

function truth(symbol) {
  // A value and a type of one name, and the signatures of an overload, are one symbol: all are asked for.
  const together = bySource.get(symbol.source).filter((other) => oneSymbol(symbol, other));
  const declared = new Set(together.map(({ source, name }) => place(source, name.getStart(source))));
  const uses = new Map();
  for (const { source, name } of together) {
    services.forEach((one, index) => {
      if (!programs[index].getSourceFile(source.fileName)) return;
      for (const { references } of one.findReferences(source.fileName, name.getStart(source)) ?? []) {
        for (const entry of references) {
          if (!inside(entry.fileName)) continue;
          const file = programs[index].getSourceFile(entry.fileName);
          const where = place(file, entry.textSpan.start);
          if (entry.isDefinition) declared.add(where);
          else uses.set(where, { one, index, fileName: entry.fileName, start: entry.textSpan.start });
        }
      }
    });
  }
  for (const where of declared) uses.delete(where);
  const at = place(symbol.source, symbol.name.getStart(symbol.source));
  return {
    query: query(symbol),
    name: symbol.text,
    kind: symbol.kind,
    path: relative(symbol.source.fileName),
    at,
    declarations: [...declared].sort(),
    references: [...uses.keys()].sort(),
    block: block(symbol.node, symbol.source),
    use: use(uses, declared),
  };
}

// One of the uses, and the places that are right as its definition: what the compiler calls its declarations, with all
// declarations of the symbol when one of them is among these; and the place itself, when it declares as well.
function use(uses, declared) {
  if (!uses.size) return null;
  const [at, { one, index, fileName, start }] = any([...uses]);
  const source = programs[index].getSourceFile(fileName);
  const found = (one.getDefinitionAtPosition(fileName, start) ?? []).filter((entry) => inside(entry.fileName));
  const right = new Set(
    found.map((entry) => place(programs[index].getSourceFile(entry.fileName), entry.textSpan.start)),
  );
  if (!right.size) return null;
  for (const where of parts(programs[index].getTypeChecker(), source, start)) right.add(where);
  if ([...right].some((where) => declared.has(where))) declared.forEach((where) => right.add(where));
  if (rowPlaces.has(at) || bindsAt(source, start)) right.add(at);
  return { at, declarations: [...right] };
}

// Of a call of a union's member the compiler names the one whose signature it took, by accident of what it read first.
function parts(checker, source, start) {
  const node = nodeAt(source, start);
  const symbol = node.parent && ts.isPropertyAccessExpression(node.parent) && checker.getSymbolAtLocation(node);
  const members = symbol ? checker.getRootSymbols(symbol) : [];
  const named = members.flatMap((member) => member.declarations ?? []).map((one) => one.name ?? one);
  return named
    .filter((name) => inside(name.getSourceFile().fileName))
    .map((name) => place(name.getSourceFile(), name.getStart()));
}

function nodeAt(source, start) {
  let node = source;
  for (let inner = node; inner; ) {
    node = inner;
    inner = ts.forEachChild(node, (child) => (child.getStart(source) <= start && start < child.getEnd() ? child : undefined));
  }
  return node;
}

// `const { a } = b` uses the member and declares the variable; a method of an object that is passed on is both, too.
function bindsAt(source, start) {
  const node = nodeAt(source, start);
  if (node.parent?.name !== node) return false;
  return ts.isBindingElement(node.parent) || ts.isMethodDeclaration(node.parent);
}

// A symbol that has its qualified name for itself is asked for by that; another one in its file; another one by place.
const holders = new Map();
for (const symbol of symbols) {
  const name = [...symbol.container, symbol.text].join(".");
  if (!holders.has(name)) holders.set(name, []);
  const known = holders.get(name);
  if (!known.some((other) => oneSymbol(other, symbol))) known.push(symbol);
}
function query(symbol) {
  const name = [...symbol.container, symbol.text].join(".");
  const path = relative(symbol.source.fileName);
  const rivals = holders.get(name);
  if (![...symbol.container, symbol.text].every((part) => /^#?[\p{L}_$][\p{L}\p{N}_$]*$/u.test(part))) {
    return place(symbol.source, symbol.name.getStart(symbol.source));
  }
  if (rivals.length === 1 && !symbol.text.startsWith("#")) return name;
  if (rivals.filter((other) => other.source === symbol.source).length === 1) return `${path}#${name}`;
  return place(symbol.source, symbol.name.getStart(symbol.source));
}

function bodies(count) {
  const pool = [...bySource.keys()].flatMap((source) => bodyIdentifiers(source).map((node) => [node, source]));
  const found = [];
  while (found.length < count && pool.length) {
    const [node, source] = take(pool);
    const lines = blockAround(node, source);
    if (lines) found.push({ at: place(source, node.getStart(source)), block: lines });
  }
  return found;
}

process.stdout.write(
  JSON.stringify({
    typescript: ts.version,
    projects: services.length,
    files: bySource.size,
    symbols: sample(wantedSymbols).map(truth),
    outlines,
    bodies: bodies(wantedBodies),
  }),
);
