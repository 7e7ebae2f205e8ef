// Events of components of Vue and Svelte: where one is declared (`defineEmits`, `emits`, `createEventDispatcher<{}>`, a model), sent
// (`emit("picked")`) and listened to (`@picked`, `on:picked`, `onPicked`). Types do not lead from one to the other: Vue and Svelte
// make the names of listeners from those of events.

import { camel, COMPONENT, nameOf } from "../bindings/components/names.mjs";
import { ComponentNames } from "./component_names.mjs";

/** @typedef {import("typescript").Node} Node @typedef {import("./component_names.mjs").Name} Name @typedef {import("./component_names.mjs").Mention} Mention */

const DISPATCHERS = new Set(["defineEmits", "createEventDispatcher"]);
const RUNTIME = /\/node_modules\/(?:@vue\/runtime-core|vue|svelte)\//;

export class Events extends ComponentNames {
  static known = new WeakMap();
  reason = "an event that may be another component's";
  declaring = /\b(?:defineEmits|defineModel|emits?|createEventDispatcher)\b/;

  /** `update:draft` of the model "draft". */
  called(/** @type {Name} */ name) {
    if (!this.#isModel(name)) return name.text;
    return `update:${this.ts.isIdentifier(name) ? "modelValue" : name.text}`;
  }
  /** `@row-picked` and `@rowPicked` hear what is sent as "row-picked" and as "rowPicked". */
  key(/** @type {string} */ name) {
    return camel(name);
  }
  isSpelled(/** @type {Name} */ name) {
    return !this.#isModel(name) && super.isSpelled(name);
  }
  #isModel(/** @type {Name} */ name) {
    return modelAt(this.ts, this.ts.isIdentifier(name) ? variableOf(this.ts, name)?.initializer : name.parent) === name;
  }

  /** @returns {Name[]} */
  declarationsIn(/** @type {Node} */ node) {
    const { ts } = this;
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && DISPATCHERS.has(node.expression.text)) {
      const [type] = node.typeArguments ?? [];
      return type ? this.#typed(type) : this.#listed(node.arguments[0]);
    }
    const model = modelAt(ts, node);
    if (model) return [model];
    const isOption = ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && node.name.text === "emits" && ts.isCallExpression(node.parent.parent);
    return isOption ? this.#listed(node.initializer) : [];
  }
  /** `["picked"]`, `{ picked: null }` @returns {Name[]} */
  #listed(/** @type {Node | undefined} */ value) {
    const { ts } = this;
    if (value && ts.isAsExpression(value)) return this.#listed(value.expression);
    if (value && ts.isArrayLiteralExpression(value)) return value.elements.filter(ts.isStringLiteralLike);
    if (value && ts.isObjectLiteralExpression(value)) return value.properties.flatMap(({ name }) => (name && (ts.isIdentifier(name) || ts.isStringLiteralLike(name)) ? [name] : []));
    return [];
  }
  /** `{ picked: [item: Item] }`, `{ (event: "picked", item: Item): void }` @returns {Name[]} */
  #typed(/** @type {import("typescript").TypeNode} */ type) {
    const { ts, checker } = this;
    const own = checker.getTypeFromTypeNode(type);
    const properties = own.getProperties().flatMap((one) => checker.getRootSymbols(one).flatMap((root) => (root.declarations ?? []).flatMap((each) => ts.getNameOfDeclaration(/** @type {any} */ (each)) ?? [])));
    const first = own.getCallSignatures().flatMap(({ declaration }) => (declaration && "parameters" in declaration ? (/** @type {any} */ (declaration.parameters[0])?.type ?? []) : []));
    return [...properties, ...first.flatMap((one) => this.#literals(one))].filter((one) => ts.isIdentifier(one) || ts.isStringLiteralLike(one));
  }
  /** @returns {Name[]} */
  #literals(/** @type {Node} */ type) {
    const { ts, checker } = this;
    if (ts.isLiteralTypeNode(type)) return ts.isStringLiteralLike(type.literal) ? [type.literal] : [];
    if (ts.isUnionTypeNode(type)) return type.types.flatMap((one) => this.#literals(one));
    const alias = ts.isTypeReferenceNode(type) ? checker.getSymbolAtLocation(type.typeName)?.declarations?.find(ts.isTypeAliasDeclaration) : undefined;
    return alias ? this.#literals(alias.type) : [];
  }

  at(/** @type {import("./goals.mjs").Place} */ place) {
    const own = this.inSignature(place);
    return own && [...this.components.files.all()].some((path) => COMPONENT.test(path)) ? [own] : super.at(place);
  }
  /** The string of a signature in an interface of a script that may stand for an event: `{ (event: "picked", item: Item): void }`. */
  inSignature(/** @type {import("./goals.mjs").Place} */ { file, start }) {
    const { ts } = this;
    const source = COMPONENT.test(this.components.source(file)) ? undefined : this.program.getSourceFile(file);
    const node = source && /** @type {any} */ (ts).getTouchingPropertyName(source, start);
    if (!node || !ts.isStringLiteral(node)) return undefined;
    const parameter = ts.findAncestor(node.parent, (one) => !ts.isLiteralTypeNode(one) && !ts.isUnionTypeNode(one));
    return parameter && ts.isParameter(parameter) && ts.isCallSignatureDeclaration(parameter.parent) && parameter.parent.parameters[0] === parameter ? node : undefined;
  }

  /** @returns {Mention[]} */
  mentionsIn(/** @type {Node} */ node) {
    const { ts } = this;
    if (ts.isCallExpression(node)) return this.#called(node);
    if (ts.isExpressionStatement(node)) return this.#bound(node);
    if (ts.isJsxAttribute(node)) return this.#given(node.name, () => this.rendering.by(node.parent.parent.tagName));
    if (ts.isVariableDeclaration(node) && node.initializer && ts.isObjectLiteralExpression(node.initializer)) return this.#listener(node, node.initializer);
    return [];
  }
  /** @returns {Mention[]} */
  #called(/** @type {import("typescript").CallExpression} */ node) {
    const { ts } = this;
    const [first, given] = node.arguments;
    // `__VLS_unwrap(emit, …)("picked")` of `@vue/language-core`
    const callee = ts.isCallExpression(node.expression) ? node.expression.arguments[0] ?? node.expression : node.expression;
    // `h(Card, { onPicked })`
    if (ts.isIdentifier(callee) && callee.text === "h" && given) return this.#keys(given, first);
    const tag = this.#tagOf(node.expression);
    if (tag && first) return this.#keys(first, tag);
    if (!first || !ts.isStringLiteralLike(first)) return [];
    if (ts.isPropertyAccessExpression(callee) && callee.name.text === "$on") return [{ name: first.text, node: first, kind: "heard", rendered: this.instance(callee.expression) }];
    const name = ts.isPropertyAccessExpression(callee) ? callee.name : callee;
    if (!ts.isIdentifier(name)) return [];
    const declaration = this.checker.getSymbolAtLocation(name)?.valueDeclaration;
    const value = this.initializerOf(name);
    const isDispatcher = value && ts.isCallExpression(value) && ts.isIdentifier(value.expression) && DISPATCHERS.has(value.expression.text);
    if (!isDispatcher && !/^\$?emit$/.test(name.text)) return [];
    const isSender = isDispatcher || name.text === "$emit" || (declaration && RUNTIME.test(declaration.getSourceFile().fileName));
    return [{ name: first.text, node: first, kind: "sent", isOpen: !isSender }];
  }
  /** What a call of `@vue/language-core` gives props to: `__VLS_1(…)` of `const __VLS_1 = __VLS_asFunctionalComponent1(Card, …)`. */
  #tagOf(/** @type {Node} */ callee) {
    const { ts } = this;
    const value = ts.isIdentifier(callee) && callee.text.startsWith("__VLS_") ? this.initializerOf(callee) : undefined;
    return value && ts.isCallExpression(value) && /^__VLS_asFunctionalComponent\d$/.test(value.expression.getText()) ? value.arguments[0] : undefined;
  }
  /** The listeners among the keys of an object of props, also of one in it. @returns {Mention[]} */
  #keys(/** @type {Node} */ object, /** @type {Node} */ tag) {
    const { ts } = this;
    if (ts.isParenthesizedExpression(object)) return this.#keys(object.expression, tag);
    if (!ts.isObjectLiteralExpression(object)) return [];
    return object.properties.flatMap((one) => (ts.isSpreadAssignment(one) ? this.#keys(one.expression, tag) : one.name ? this.#given(one.name, () => this.#tagged(tag)) : []));
  }
  #tagged(/** @type {Node} */ tag) {
    const declaration = this.ts.isIdentifier(tag) ? this.checker.getSymbolAtLocation(tag)?.valueDeclaration : undefined;
    return declaration && this.ts.isVariableDeclaration(declaration) && this.#type(declaration) ? this.#tag(declaration) : this.rendering.by(tag);
  }
  /** The keys of what a tag is bound to, `v-on="{ picked: f }"`: behind what is given to the tag stands its value. @returns {Mention[]} */
  #bound(/** @type {import("typescript").ExpressionStatement} */ node) {
    const { ts } = this;
    const { parent, expression } = node;
    if (!ts.isParenthesizedExpression(expression) || !(ts.isBlock(parent) || ts.isSourceFile(parent))) return [];
    const { text } = node.getSourceFile();
    const written = this.components.spelled(expression.expression);
    if (!written || !/(?:\bv-on|@)\s*=\s*["']?\s*$/.test(this.components.before(written))) return [];
    const tag = parent.statements.slice(0, parent.statements.indexOf(node)).reduce((/** @type {Node | undefined} */ found, one) => {
      const [declaration] = ts.isVariableStatement(one) ? one.declarationList.declarations : [];
      const call = declaration?.initializer && ts.isCallExpression(declaration.initializer) ? declaration.initializer : undefined;
      return (call && this.#tagOf(call.expression)) ?? (/^__VLS_asFunctionalElement/.test(text.slice(one.getStart(), one.getStart() + 30)) ? undefined : found);
    }, undefined);
    if (!tag) return [];
    const keys = this.checker.getTypeAtLocation(expression.expression).getProperties().flatMap(({ declarations = [] }) => declarations.flatMap((one) => ts.getNameOfDeclaration(one) ?? []));
    return keys.flatMap((key) => (ts.isIdentifier(key) || ts.isStringLiteralLike(key) ? [{ name: key.text, node: key, kind: /** @type {const} */ ("heard"), rendered: this.#tagged(tag) }] : []));
  }
  /** `onPicked` of what is rendered. @returns {Mention[]} */
  #given(/** @type {Node} */ name, /** @type {() => import("./rendered.mjs").Rendered} */ rendered) {
    const { ts } = this;
    const [, event] = ts.isIdentifier(name) || ts.isStringLiteralLike(name) ? (/^on(\p{Lu}.*)$/u.exec(name.text) ?? []) : [];
    return event ? [{ name: event[0].toLowerCase() + event.slice(1), node: name, kind: "heard", rendered: rendered() }] : [];
  }
  /** The keys of an object of `__VLS_ResolveEvent<typeof a, typeof b, "onPicked", "picked", "picked">`, as `@vue/language-core` writes it. @returns {Mention[]} */
  #listener(/** @type {import("typescript").VariableDeclaration} */ object, /** @type {import("typescript").ObjectLiteralExpression} */ { properties }) {
    const { ts } = this;
    const [, emits, , , event] = this.#arguments(this.#type(object), "__VLS_ResolveEvent");
    if (!emits || !event || !ts.isLiteralTypeNode(event) || !ts.isStringLiteral(event.literal)) return [];
    const [component] = this.#arguments(this.#type(this.#variable(emits)), "__VLS_ResolveEmits");
    const value = this.#variable(component);
    const rendered = value && this.#tag(value);
    const { text } = event.literal;
    return properties.flatMap(({ name: node }) => (node ? [{ name: text, node, kind: "heard", rendered }] : []));
  }
  /** The type that is written of a variable: in a script in its comment, or in that of its value. */
  #type(/** @type {import("typescript").VariableDeclaration | undefined} */ variable) {
    const { ts } = this;
    return variable && (variable.type ?? ts.getJSDocType(variable) ?? (variable.initializer && ts.getJSDocType(variable.initializer)));
  }
  /** What a type of that name is given, somewhere in another one. @returns {readonly Node[]} */
  #arguments(/** @type {Node | undefined} */ type, /** @type {string} */ name) {
    const { ts } = this;
    if (type && ts.isTypeReferenceNode(type) && ts.isIdentifier(type.typeName) && type.typeName.text === name) return type.typeArguments ?? [];
    /** @type {readonly Node[]} */
    let found = [];
    if (type) ts.forEachChild(type, (one) => void (found.length || (found = this.#arguments(one, name))));
    return found;
  }
  /** The variable of `typeof a`. */
  #variable(/** @type {Node | undefined} */ type) {
    const declaration = type && this.ts.isTypeQueryNode(type) ? this.checker.getSymbolAtLocation(type.exprName)?.valueDeclaration : undefined;
    return declaration && this.ts.isVariableDeclaration(declaration) ? declaration : undefined;
  }
  /** What a variable of `@vue/language-core` holds: a component that a script names, or one that is registered. */
  #tag(/** @type {import("typescript").VariableDeclaration} */ value) {
    const { ts, checker } = this;
    const names = this.#arguments(this.#type(value), "__VLS_WithComponent").slice(5).flatMap((one) => (ts.isLiteralTypeNode(one) && ts.isStringLiteral(one.literal) ? [one.literal.text] : []));
    if (!names.length) return this.rendering.by(value.initializer);
    const registered = /** @type {any} */ (checker).resolveName("__VLS_components", value, ts.SymbolFlags.Value, false);
    const properties = names.flatMap((name) => (registered && checker.getTypeOfSymbol(registered).getProperty(name)) ?? []);
    const own = this.components.source(value.getSourceFile().fileName);
    if (!properties.length && names.includes(nameOf(own))) return { paths: new Set([own]), isKnown: true };
    return this.rendering.of(properties[0]);
  }
}

/** What declares the model of `defineModel("draft")`, and of `const model = defineModel()`. @returns {Name | undefined} */
export function modelAt(/** @type {typeof import("typescript")} */ ts, /** @type {Node | undefined} */ call) {
  if (!call || !ts.isCallExpression(call) || call.expression.getText() !== "defineModel") return undefined;
  const [first] = call.arguments;
  if (first && ts.isStringLiteralLike(first)) return first;
  const name = ts.isVariableDeclaration(call.parent) ? call.parent.name : undefined;
  const [element] = name && ts.isArrayBindingPattern(name) ? name.elements : [];
  const own = element && ts.isBindingElement(element) ? element.name : name;
  return own && ts.isIdentifier(own) ? own : undefined;
}
const variableOf = (/** @type {typeof import("typescript")} */ ts, /** @type {Node} */ name) => /** @type {import("typescript").VariableDeclaration | undefined} */ (ts.findAncestor(name, ts.isVariableDeclaration));
