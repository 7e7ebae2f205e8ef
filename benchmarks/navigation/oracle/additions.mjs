// What `declare module "a" { interface B {} }` adds to: README.md, "A reference". Where `a` only hands B on, the compiler
// merges it with a copy of its own for each such module, and knows of no other one at B itself.

import { ts } from "./compiler.mjs";
import { inside, namesOf, place, programs } from "./workspace.mjs";

function* names(block) {
  for (const statement of block?.statements ?? []) {
    if (statement.name && !ts.isStringLiteral(statement.name)) yield statement.name;
    if (statement.body && ts.isModuleDeclaration(statement.body)) yield statement.body.name;
    let inner = statement.body;
    while (inner && ts.isModuleDeclaration(inner)) inner = inner.body;
    if (inner && ts.isModuleBlock(inner)) yield* names(inner);
  }
}

// place -> {fileName, start} of what one name in such a block is merged with.
function merged(name, checker) {
  const declared = (checker.getSymbolAtLocation(name)?.declarations ?? []).map((one) => ts.getNameOfDeclaration(one) ?? one);
  return new Map(
    declared
      .filter((one) => inside(one.getSourceFile().fileName))
      .map((one) => [one.getSourceFile(), one.getStart()])
      .map(([source, start]) => [place(source, start), { fileName: source.fileName, start }]),
  );
}

const groups = new Map();
function groupsOf(index) {
  if (!groups.has(index)) {
    const checker = programs[index].getTypeChecker();
    const sources = programs[index].getSourceFiles().filter(({ fileName }) => inside(fileName));
    const blocks = sources
      .filter(ts.isExternalModule)
      .flatMap(({ statements }) => statements.filter((one) => ts.isModuleDeclaration(one) && ts.isStringLiteral(one.name)));
    const all = blocks.flatMap(({ body }) => [...names(body)]).map((name) => merged(name, checker));
    groups.set(index, all.filter(({ size }) => size > 1));
  }
  return groups.get(index);
}

/** The other declarations of what some rows declare, in the projects that hold one of them: {index, fileName, start, where}. */
export function additions(rows) {
  const found = [];
  const own = rows.map(({ source, name }) => place(source, name.getStart(source)));
  const files = rows.flatMap(({ source }) => namesOf(source.fileName));
  for (const index of programs.keys()) {
    if (!files.some((file) => programs[index].getSourceFile(file))) continue;
    const known = new Set(own);
    for (const where of known) {
      for (const group of groupsOf(index).filter((one) => one.has(where))) {
        for (const [other, at] of group) {
          if (!known.has(other)) found.push({ index, ...at, where: other });
          known.add(other);
        }
      }
    }
  }
  return found;
}
