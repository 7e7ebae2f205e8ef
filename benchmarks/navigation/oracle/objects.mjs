// Which keys of object literals implement a member, by the type that the compiler expects where the object stands:
// README.md, "An implementation".

import { ts } from "./compiler.mjs";
import { inside, place, programs } from "./workspace.mjs";

// By the place of a member, of what is expected: the places of the keys, and whether nothing else could be meant.
const keys = new Map();
const every = new Set();
for (const program of programs) {
  const checker = program.getTypeChecker();
  for (const source of program.getSourceFiles()) if (inside(source.fileName)) read(source, checker);
}

function read(source, checker) {
  const visit = (node) => {
    if (ts.isObjectLiteralExpression(node)) keep(node, source, checker);
    ts.forEachChild(node, visit);
  };
  visit(source);
}

function keep(object, source, checker) {
  const expected = checker.getContextualType(object);
  if (!expected) return;
  const type = checker.getNonNullableType(expected);
  for (const property of object.properties) {
    if (!property.name || ts.isComputedPropertyName(property.name)) continue;
    const where = place(source, property.name.getStart(source));
    // One of several types, or a name that stands for a value as well.
    const sure = !type.isUnion() && !ts.isShorthandPropertyAssignment(property);
    for (const one of type.isUnion() ? type.types : [type]) {
      const member = checker.getPropertyOfType(one, property.name.text);
      for (const declaration of member?.declarations ?? []) {
        const file = declaration.getSourceFile();
        if (!inside(file.fileName) || !declaration.name) continue;
        const found = place(file, declaration.name.getStart(file));
        const told = keys.get(found) ?? keys.set(found, new Map()).get(found);
        told.set(where, told.get(where) || sure);
        every.add(where);
      }
    }
  }
}

/** [[place, sure]] of the keys that implement the member at a place. */
export const keysOf = (where) => [...(keys.get(where) ?? [])];

/** The places of all keys that implement something. */
export const keyPlaces = () => [...every];
