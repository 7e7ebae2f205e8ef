// What declares that which stands at a place: what the compiler's own search says, and what that leaves out.

import { ofDefault } from "./defaults.mjs";
import { Events, modelAt } from "./events.mjs";
import { vuePropOf } from "./goals.mjs";
import { SlotProps, Slots } from "./slots.mjs";
import { propsIn } from "./uses.mjs";

/**
 * @typedef {import("typescript").Node} Node
 * @typedef {import("typescript").Program} Program
 * @typedef {import("./programs.mjs").Programs} Programs
 * @typedef {{ file: string, line: number, character: number, length: number, kind: string }} Definition kind: as tsserver spells it
 * @typedef {{ fileName: string, textSpan: import("typescript").TextSpan, kind: string }} Info
 */

/**
 * What declares that which stands at a place of a file, in all parts of a union; nothing of packages that the workspace has not
 * installed. Of a module the beginning of its file.
 * @param {Programs} programs @param {Program} program @param {import("./goals.mjs").Place} asked
 */
export function definitions(programs, program, asked) {
  const { ts, components } = programs;
  /** @type {any} */
  const internal = ts;
  /** @type {Map<string, Definition>} */
  const found = new Map();
  const places = components.places(asked);
  for (const { file, start } of places) {
    const own = program.getSourceFile(file);
    if (!own) continue;
    /** @type {Info[]} */
    const all = internal.GoToDefinition.getDefinitionAtPosition(program, own, start) ?? [];
    const node = internal.getTouchingPropertyName(own, start);
    // Of `default:` the `switch`; and `{ a }` of a template is written as `{ a: a }`, of which the value is meant.
    const isBoth = node.parent && ts.isPropertyAssignment(node.parent) && node.parent.name === node && places.some((one) => one.file === file && one.start > start && one.start < node.parent.end);
    const defined = all.filter(({ kind, fileName, textSpan }) => kind !== ts.ScriptElementKind.keyword && !(isBoth && fileName === file && textSpan.start === node.getStart())).flatMap((one) => ofProps(ts, program, one));
    const kind = defined[0]?.kind ?? "";
    const bound = node.parent && ts.isBindingElement(node.parent) && node.parent.name === node ? [named(node, "let")] : [];
    const first = [...bound, ...ofClass(ts, node).map((name) => named(name, kind))];
    const componentNames = [Events, Slots, SlotProps].flatMap((one) => one.of(programs, program).at({ file, start }));
    const spelled = componentNames.filter(ts.isStringLiteralLike).map((name) => ({ fileName: name.getSourceFile().fileName, textSpan: spanOf(ts, name), kind: "property" }));
    // What is given to a component by another spelling than it has there is none of the giver's own.
    const isOwn = (/** @type {Info} */ one) => one.fileName === file && one.textSpan.start === node.getStart();
    const parts = [...members(ts, program, node), ...componentNames.filter(ts.isIdentifier)].map((name) => named(name, kind || "property"));
    for (const { fileName, textSpan, kind: one } of [...first, ...(spelled.length ? [] : defined.filter((one) => !parts.length || !isOwn(one))), ...parts, ...spelled]) {
      const source = program.getSourceFile(fileName);
      if (!source || components.tools.holds(fileName)) continue;
      const { start, length } = textSpan;
      // Quotes that a framework's tool wrote around a name stand nowhere.
      const isQuoted = /["'`]/.test(source.text[start]) && components.script(fileName) !== undefined && !components.holds(fileName, start);
      const span = isQuoted ? { start: start + 1, length: length - 2 } : textSpan;
      const placed = components.placed({ file: fileName, ...placeOf(programs, program, source, span, one) });
      const key = placed && `${placed.file}:${placed.line}:${placed.character}`;
      if (placed && key && !found.has(key)) found.set(key, placed);
    }
  }
  return [...found.values()];
}
/** Of a string what stands within its quotes; of the name of a model all of it, as types tell it. */
const spanOf = (/** @type {typeof import("typescript")} */ ts, /** @type {import("typescript").StringLiteralLike} */ name) => (modelAt(ts, name.parent) === name ? { start: name.getStart(), length: name.getWidth() } : { start: name.getStart() + 1, length: name.text.length });
/** @returns {Info} */
const named = (/** @type {Node} */ name, /** @type {string} */ kind) => ({ fileName: name.getSourceFile().fileName, textSpan: { start: name.getStart(), length: name.getWidth() }, kind });

/** Of the default of a prop of Vue where the prop is declared. @returns {Info[]} */
function ofProps(/** @type {typeof import("typescript")} */ ts, /** @type {Program} */ program, /** @type {Info} */ info) {
  const source = program.getSourceFile(info.fileName);
  const key = source && /** @type {any} */ (ts).getTouchingPropertyName(source, info.textSpan.start);
  const checker = program.getTypeChecker();
  const symbol = key?.parent && ts.isObjectLiteralElement(key.parent) ? checker.getSymbolAtLocation(key) : undefined;
  const props = symbol ? ofDefault(ts, checker, symbol) : [];
  if (!symbol || props[0] === symbol) return [info];
  return props.flatMap(({ declarations = [] }) => declarations.flatMap((one) => ts.getNameOfDeclaration(one) ?? [])).map((name) => named(name, info.kind));
}

/** Where a name is that is reported as a span: of a module the beginning of its file, of an export without a name its keyword. */
function placeOf(/** @type {Programs} */ programs, /** @type {Program} */ program, /** @type {import("typescript").SourceFile} */ source, /** @type {import("typescript").TextSpan} */ { start, length }, /** @type {string} */ kind) {
  const { ts } = programs;
  if ((kind === "module" || kind === "script" || source.fileName.endsWith(".json")) && start + length >= source.getEnd()) return { line: 0, character: 0, length: 0, kind: "module" };
  /** @type {any} */
  const exported = source.statements.find((one) => (one.getStart() === start || (ts.isExportAssignment(one) && one.expression.getStart() === start)) && length > 0 && !(/** @type {any} */ (one).name));
  const keyword = [...(exported?.modifiers ?? []), ...(exported && ts.isExportAssignment(exported) ? exported.getChildren() : [])].find((one) => one.kind === ts.SyntaxKind.DefaultKeyword);
  if (keyword) return { ...source.getLineAndCharacterOfPosition(keyword.getStart()), length: keyword.getWidth(), kind: "const" };
  const at = propsIn(programs, program, source.fileName).find((one) => one.start === start)?.at ?? start;
  return { ...source.getLineAndCharacterOfPosition(at), length, kind };
}
/**
 * Where a member is declared that is accessed on a value: of a call the search for definitions finds the one that is called, of
 * `{ "a-b": c }` nothing.
 */
function members(/** @type {typeof import("typescript")} */ ts, /** @type {Program} */ program, /** @type {Node} */ node) {
  const checker = program.getTypeChecker();
  const { parent } = node;
  const isQuoted = parent && ts.isStringLiteralLike(node) && ts.isBindingElement(parent) && parent.propertyName === node;
  const symbol = vuePropOf(ts, checker, node) ?? (isQuoted ? checker.getTypeAtLocation(parent.parent).getNonNullableType().getProperty(node.text) : parent && ts.isPropertyAccessExpression(parent) && parent.name === node ? checker.getSymbolAtLocation(node) : undefined);
  return symbol ? checker.getRootSymbols(symbol).flatMap((one) => ofDefault(ts, checker, one)).flatMap((one) => (one.declarations ?? []).flatMap((declaration) => ts.getNameOfDeclaration(declaration) ?? [])) : [];
}
/** The members that a class declares of what a script assigns to `this` in it: to the compiler each assignment declares one. */
function ofClass(/** @type {typeof import("typescript")} */ ts, /** @type {Node} */ node) {
  const access = node.parent;
  if (!access || !ts.isPropertyAccessExpression(access) || access.name !== node || access.expression.kind !== ts.SyntaxKind.ThisKeyword) return [];
  const method = /** @type {any} */ (ts).getThisContainer(node, false, false);
  const isStatic = (/** @type {Node} */ one) => Boolean(ts.getCombinedModifierFlags(/** @type {any} */ (one)) & ts.ModifierFlags.Static);
  const all = ts.isClassLike(method.parent) ? [...method.parent.members] : [];
  return all.flatMap((one) => (one.name && !ts.isComputedPropertyName(one.name) && one.name.text === access.name.text && isStatic(one) === isStatic(method) ? [one.name] : []));
}
