// The truth about a workspace, by the TypeScript compiler's API: no language server is asked.
//
//   node oracle/main.mjs <typescript/lib/typescript.js> <root> <seed> <how many symbols> <how many places in bodies> \
//       [only symbols of these names, with commas between them] [how many callables] [and types, for their relations]
//
// Prints one JSON document:
//   {typescript, projects, files, outlines: {path: [[name, line]]}, bodies: [{at, block}],
//    symbols: [{query, name, kind, path, at, declarations, references, allowed, block, use: {at, declarations}}],
//    callers: [{query, name, kind, at, callers: {declaration: the calls in it}}],
//    types: [{query, name, kind, at, implementations, allowed}], judgedTypes}
// A declaration is "path:line name", a file's top level "path".
// Places are "path:line:character", 1-based, UTF-16. The rules are in README.md.

import { block, blockAround, bodyIdentifiers } from "./blocks.mjs";
import { callAt, isCallable, isOfType } from "./calls.mjs";
import { ts } from "./compiler.mjs";
import { isScript, leadsTo } from "./commonjs.mjs";
import { implementations, typePlaces } from "./heirs.mjs";
import { mentions, oneSymbol } from "./mentions.mjs";
import { any, restart, take } from "./random.mjs";
import { bySource, outlines, rowPlaces, symbols } from "./rows.mjs";
import { unreadNotes } from "./unread.mjs";
import { beside, inside, isBuilt, nodeAt, place, programs, relative, services } from "./workspace.mjs";

const [wantedSymbols, wantedBodies] = process.argv.slice(5, 7).map(Number);
const only = process.argv[7] ? process.argv[7].split(",") : undefined;
const [wantedCallables = 0, wantedTypes = 0] = process.argv.slice(8, 10).map(Number);

// The same number of each kind as far as there are some, so that rare kinds count.
function sample(count, wanted = () => true, groupOf = ({ kind }) => kind) {
  const groups = new Map();
  // What has no identifier for a name cannot be asked for by one.
  for (const symbol of symbols.filter(({ name }) => ts.isIdentifier(name) || ts.isPrivateIdentifier(name))) {
    // `{ a }` is as much a use of the variable.
    if (ts.isShorthandPropertyAssignment(symbol.node)) continue;
    // Of a folder that builds write to only what sources lead to is known.
    if (isBuilt(symbol.source.fileName)) continue;
    if ((only && !only.includes(symbol.text)) || !wanted(symbol)) continue;
    const group = groupOf(symbol);
    if (!groups.has(group)) groups.set(group, []);
    groups.get(group).push(symbol);
  }
  const chosen = [];
  while (chosen.length < count && [...groups.values()].some((group) => group.length)) {
    for (const group of groups.values()) if (group.length && chosen.length < count) chosen.push(take(group));
  }
  return chosen;
}

const head = (symbol) => ({
  query: query(symbol),
  name: symbol.text,
  kind: symbol.kind,
  path: relative(symbol.source.fileName),
  at: place(symbol.source, symbol.name.getStart(symbol.source)),
});

function truth(symbol) {
  const { declared, uses, open } = mentions(symbol);
  return {
    ...head(symbol),
    declarations: [...declared].sort(),
    references: [...uses].filter(([, { fileName }]) => !isBuilt(fileName)).map(([where]) => where).sort(),
    allowed: [
      ...open,
      ...[...uses].filter(([, { fileName }]) => isBuilt(fileName)).map(([where]) => where),
      ...unreadNotes(symbol.text, new Set([...declared, ...uses.keys()].map((where) => where.split(":")[0]))),
    ],
    block: block(symbol.node, symbol.source),
    use: use(uses, declared, isScript(symbol.source)),
  };
}

// One of the uses, and the places that are right as its definition: what the compiler calls its declarations, with all
// declarations of the symbol when one of them is among these, or a script's text leads there; and the place itself, when it declares as well.
function use(uses, declared, script) {
  if (!uses.size) return null;
  const [at, { one, index, fileName, start, own }] = any([...uses]);
  const source = programs[index].getSourceFile(fileName);
  const found = (one.getDefinitionAtPosition(fileName, start) ?? []).filter((entry) => inside(entry.fileName));
  const right = new Set(
    found.map((entry) => place(programs[index].getSourceFile(entry.fileName), entry.textSpan.start)),
  );
  if (!right.size || isLibrarys(fileName, start)) return null;
  for (const { fileName, textSpan } of found) {
    const file = programs[index].getSourceFile(fileName);
    defaultWord(nodeAt(file, textSpan.start), right);
    // A module is its file, whatever comment that begins with.
    if (textSpan.start === file.getStart()) right.add(place(file, 0));
  }
  for (const where of parts(programs[index].getTypeChecker(), source, start)) right.add(where);
  if (script || own || [...right].some((where) => declared.has(where))) declared.forEach((where) => right.add(where));
  leadsTo(index, nodeAt(source, start)).filter((where) => rowPlaces.has(where)).forEach((where) => right.add(where));
  for (const { source, name } of symbols) if (right.has(place(source, name.getStart(source)))) wholeScript(name, right);
  if (rowPlaces.has(at) || bindsAt(source, start)) right.add(at);
  return { at, declarations: [...right] };
}

// Whether a project leads from there to a library's alone, as where another one adds to a global.
const isLibrarys = (fileName, start) =>
  services.some((one, index) => {
    const leads = programs[index].getSourceFile(fileName) ? one.getDefinitionAtPosition(fileName, start) : undefined;
    return leads?.length && !leads.some((entry) => inside(entry.fileName));
  });

// What declarations name in `export = a` is the script beside them as a whole.
function wholeScript(node, right) {
  const file = node.getSourceFile();
  const whole = file.statements.find((one) => ts.isExportAssignment(one) && one.isExportEquals);
  if (!file.isDeclarationFile || !whole || whole.expression.text !== node.text) return;
  for (const script of beside(file.fileName)) right.add(`${relative(script)}:1:1`);
}

// Of `export default a()` the compiler names the statement, and what has no name is called `default`.
function defaultWord(node, right) {
  if (!ts.isExportAssignment(node) || node.isExportEquals) return;
  const source = node.getSourceFile();
  right.add(place(source, source.text.indexOf("default", node.getStart())));
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

// The innermost row of the outline around a place; the file, at its top level.
function holder(fileName, offset) {
  const [source, rows] = [...bySource].find(([one]) => relative(one.fileName) === relative(fileName));
  const around = rows.filter(({ node }) => node.getStart(source) <= offset && offset < node.getEnd());
  const inner = around.sort((one, other) => one.node.getWidth(source) - other.node.getWidth(source))[0];
  if (!inner) return relative(fileName);
  return `${relative(fileName)}:${source.getLineAndCharacterOfPosition(inner.name.getStart(source)).line + 1} ${inner.text}`;
}

function callers(symbol) {
  const found = {};
  for (const [where, { index, fileName, start }] of mentions(symbol).uses) {
    const source = programs[index].getSourceFile(fileName);
    if (callAt(nodeAt(source, start))) (found[holder(fileName, start)] ??= []).push(where);
  }
  return { ...head(symbol), callers: found };
}

function callables(count) {
  restart();
  return sample(count, isCallable).map(callers);
}

function types(count) {
  restart();
  const known = new Map();
  const of = (symbol) => known.get(symbol) ?? known.set(symbol, implementations(symbol)).get(symbol);
  const group = (symbol) => `${symbol.kind} ${of(symbol).implementations.length > 0}`;
  return sample(count, isOfType, group).map((symbol) => ({ ...head(symbol), ...of(symbol) }));
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
    callers: callables(wantedCallables),
    types: types(wantedTypes),
    judgedTypes: typePlaces(),
  }),
);
