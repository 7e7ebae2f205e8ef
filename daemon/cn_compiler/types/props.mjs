// Props of a component of Svelte. `svelte2tsx` lists what an instance is given and gives (`props: { price: price }`,
// `type $$ComponentProps = { label: any }`): no place of the component has these properties, and each stands for a variable
// of its script. So does the prop `modelValue` of Vue for the variable of `defineModel()`.

import { modelAt } from "./events.mjs";

/**
 * @typedef {import("typescript").Node} Node
 * @typedef {import("typescript").SourceFile} SourceFile
 */

// What passes values of others.
const PASSED = new Set(["slots", "events", "bindings"]);

/**
 * The properties of a script that no component holds: where each stands, and the name in the script for which it does.
 * @param {typeof import("typescript")} ts @param {SourceFile} source @param {(start: number) => boolean} isHeld whether the component holds a place
 * @returns {Generator<{ start: number, at: number }>} at: where that name is declared
 */
export function* props(ts, source, isHeld) {
  /** @type {Map<string, number>} */
  const declared = new Map();
  /** @type {[number, string][]} */
  const found = [];
  const visit = (/** @type {Node} */ node) => {
    if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && PASSED.has(node.name.text) && !isHeld(node.name.getStart())) return;
    if ((ts.isVariableDeclaration(node) || ts.isFunctionDeclaration(node)) && node.name && ts.isIdentifier(node.name)) note(node.name);
    if (ts.isBindingElement(node)) note(/** @type {Node} */ (node.propertyName ?? node.name));
    if ((ts.isPropertyAssignment(node) || ts.isPropertySignature(node)) && ts.isIdentifier(node.name) && !isHeld(node.name.getStart())) found.push([node.name.getStart(), standing(node) ?? node.name.text]);
    for (const one of /** @type {any} */ (node).jsDoc ?? []) visit(one);
    ts.forEachChild(node, visit);
  };
  const note = (/** @type {Node} */ name) => {
    if (ts.isIdentifier(name) && !declared.has(name.text) && isHeld(name.getStart())) declared.set(name.text, name.getStart());
  };
  /** The variable that a property is given. */
  function standing(/** @type {import("typescript").PropertyAssignment | import("typescript").PropertySignature} */ node) {
    const value = ts.isPropertyAssignment(node) ? node.initializer : node.type && ts.isTypeQueryNode(node.type) ? node.type.exprName : undefined;
    return value && ts.isIdentifier(value) ? value.text : undefined;
  }
  visit(source);
  for (const [start, name] of found) {
    const at = declared.get(name);
    if (at !== undefined) yield { start, at };
  }
}

/**
 * The properties that `@vue/language-core` lists of models without a name, as of `props`.
 * @param {typeof import("typescript")} ts @param {SourceFile} source @param {(start: number) => boolean} isHeld
 * @returns {Generator<{ start: number, at: number }>}
 */
export function* models(ts, source, isHeld) {
  /** @type {Node[]} */
  const declared = [];
  /** @type {number[]} */
  const listed = [];
  const visit = (/** @type {Node} */ node) => {
    const name = modelAt(ts, node);
    if (name && ts.isIdentifier(name)) declared.push(name);
    if (ts.isPropertySignature(node) && node.name.getText() === "modelValue" && !isHeld(node.name.getStart())) listed.push(node.name.getStart());
    for (const one of /** @type {any} */ (node).jsDoc ?? []) visit(one);
    ts.forEachChild(node, visit);
  };
  if (source.text.includes("defineModel")) visit(source);
  for (const one of declared) for (const start of listed) yield { start, at: one.getStart() };
}
