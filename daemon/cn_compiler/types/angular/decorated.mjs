// The classes of a script that Angular's `@Component` or `@Directive` decorates.

import { Template } from "./template.mjs";

/**
 * @typedef {import("typescript").Node} Node
 * @typedef {{ tag: string, attributes: string[], isExact: boolean }} Selector tag: "" for any. isExact: without further
 * conditions, as `:not(…)` and `.a` are
 * @typedef {object} Decorated
 * @property {number} start where the class begins
 * @property {string} url of its template
 * @property {Template | undefined} template that which is written in the script
 * @property {[number, number][]} host where expressions stand in the decorator, as `(click)` of it
 * @property {Selector[]} selectors
 * @property {boolean} isFurther whether it lists inputs by name, or other directives
 */

const DECORATORS = new Set(["Component", "Directive"]);
const PART = /^[\w-]+|\[([\w-]+)(?:=[^\]]*)?\]/g;

/** @param {typeof import("typescript")} ts @param {import("typescript").SourceFile} source @returns {Decorated[]} */
export function decorated(ts, source) {
  /** @type {Decorated[]} */
  const found = [];
  const visit = (/** @type {Node} */ node) => {
    const given = ts.isClassLike(node) && metadata(ts, node);
    if (given) found.push(described(ts, source, node, given));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
/** What the decorator of a class is given. */
function metadata(/** @type {typeof import("typescript")} */ ts, /** @type {import("typescript").ClassLikeDeclaration} */ node) {
  for (const { expression } of ts.getDecorators(node) ?? []) {
    if (!ts.isCallExpression(expression) || !ts.isIdentifier(expression.expression) || !DECORATORS.has(expression.expression.text)) continue;
    const [given] = expression.arguments;
    return given && ts.isObjectLiteralExpression(given) ? given.properties.filter(ts.isPropertyAssignment) : [];
  }
  return undefined;
}
/** @returns {Decorated} */
function described(/** @type {typeof import("typescript")} */ ts, /** @type {import("typescript").SourceFile} */ source, /** @type {Node} */ node, /** @type {import("typescript").PropertyAssignment[]} */ properties) {
  const value = (/** @type {string} */ key) => properties.find(({ name }) => /** @type {any} */ (name).text === key)?.initializer;
  const text = (/** @type {string} */ key) => literals(ts, value(key)).map(([start, end]) => source.text.slice(start, end)).join("");
  const written = literals(ts, value("template"));
  const host = value("host");
  const isBound = (/** @type {import("typescript").ObjectLiteralElementLike} */ one) => ts.isPropertyAssignment(one) && ts.isStringLiteral(one.name) && /^[[(]/.test(one.name.text) && ts.isStringLiteralLike(one.initializer);
  const bound = host && ts.isObjectLiteralExpression(host) ? host.properties.filter(isBound) : [];
  return {
    start: node.getStart(source),
    url: text("templateUrl"),
    template: written.length ? inline(ts, source.text, written) : undefined,
    host: bound.map((one) => [/** @type {any} */ (one).initializer.getStart(source) + 1, one.end - 1]),
    selectors: selectors(text("selector")),
    isFurther: Boolean(value("inputs") ?? value("outputs") ?? value("hostDirectives")),
  };
}
/** Where the text of a value stands that is written in several strings. @returns {[number, number][]} */
function literals(/** @type {typeof import("typescript")} */ ts, /** @type {Node | undefined} */ value) {
  /** @type {[number, number][]} */
  const found = [];
  const visit = (/** @type {Node} */ node) => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateTail(node)) found.push([node.getStart() + 1, node.end - 1]);
    else if (ts.isTemplateHead(node) || ts.isTemplateMiddle(node)) found.push([node.getStart() + 1, node.end - 2]);
    else ts.forEachChild(node, visit);
  };
  if (value) visit(value);
  return found;
}
/** A template in which every part stands where it does in the script. */
function inline(/** @type {typeof import("typescript")} */ ts, /** @type {string} */ text, /** @type {[number, number][]} */ parts) {
  const [[first]] = parts;
  let whole = "";
  for (const [start, end] of parts) whole += " ".repeat(start - first - whole.length) + text.slice(start, end).replace(/\\(?=["'`])/g, " ");
  return new Template(ts, whole, first);
}
/** @returns {Selector[]} */
function selectors(/** @type {string} */ text) {
  const parts = text.split(",").map((part) => part.trim()).filter(Boolean);
  return parts.map((one) => {
    const found = [...one.matchAll(PART)];
    const tag = found.find(([, attribute]) => attribute === undefined)?.[0] ?? "";
    return { tag, attributes: found.flatMap(([, attribute]) => attribute ?? []), isExact: one.replace(PART, "") === "" };
  });
}
/** Whether an element may be meant. */
export const takes = (/** @type {Selector} */ { tag, attributes }, /** @type {{ tag: string, attributes: Set<string> }} */ element) => (!tag || tag === element.tag) && attributes.every((one) => element.attributes.has(one));
