// Events of components of Vue and Svelte: where one is declared (`defineEmits`, `emits`, `createEventDispatcher<{}>`), sent
// (`emit("picked")`) and listened to (`@picked`, `on:picked`, `onPicked`). Types do not lead from one to the other: Vue and Svelte
// make the names of listeners from those of events.

import { basename } from "node:path";

import { COMPONENT, kebab, nameOf } from "../bindings/components/names.mjs";
import { Rendering } from "./rendered.mjs";

/**
 * @typedef {import("typescript").Node} Node
 * @typedef {import("typescript").StringLiteralLike | import("typescript").Identifier} Name
 * @typedef {{ name: string, node: Node, kind: "sent" | "heard", rendered?: import("./rendered.mjs").Rendered, isOpen?: boolean }} Mention
 * name: as declared; rendered: by whom it is heard, of what components; isOpen: whether another function may be called
 */

const DECLARING = /\b(?:defineEmits|emits|createEventDispatcher)\b/;
const DISPATCHERS = new Set(["defineEmits", "createEventDispatcher"]);
const RUNTIME = /\/node_modules\/(?:@vue\/runtime-core|vue|svelte)\//;
export const EVENT = "an event that may be another component's";

/** @type {WeakMap<import("typescript").Program, Events>} */
const known = new WeakMap();

export class Events {
  /** Those of a program: what was read of its files stays with it. */
  static of(/** @type {import("./programs.mjs").Programs} */ { ts, components }, /** @type {import("typescript").Program} */ program) {
    let found = known.get(program);
    if (!found) known.set(program, (found = new Events(ts, components, program)));
    return found;
  }

  /** @type {Map<string, Name[]>} */
  #declared = new Map();
  /** @type {Map<string, Mention[]>} */
  #mentions = new Map();

  /** @param {typeof import("typescript")} ts @param {import("./components.mjs").Components} components @param {import("typescript").Program} program */
  constructor(ts, components, program) {
    this.ts = ts;
    this.components = components;
    this.program = program;
    this.checker = program.getTypeChecker();
    this.rendering = new Rendering(ts, components, program);
  }

  /** Where a component declares events. */
  declared(/** @type {string} */ component) {
    let found = this.#declared.get(component);
    if (!found) this.#declared.set(component, (found = this.#declarations(component)));
    return found;
  }
  /** Those of them that stand at a place. */
  declaredAt(/** @type {string} */ component, /** @type {import("./goals.mjs").Place} */ place) {
    return this.declared(component).filter((node) => isAt(node, place));
  }
  /** Where the event is declared that is named at a place of a script. @returns {Name[]} */
  at(/** @type {import("./goals.mjs").Place} */ place) {
    const component = this.components.source(place.file);
    const own = this.declaredAt(component, place);
    const mention = own.length ? undefined : this.mentions(place.file).find(({ node }) => isAt(node, place));
    if (!mention) return own;
    const paths = mention.kind === "sent" ? [component] : [...(mention.rendered?.paths ?? [])];
    return paths.flatMap((path) => this.declared(path).filter(({ text }) => text === mention.name));
  }

  #declarations(/** @type {string} */ component) {
    /** @type {Name[]} */
    const found = [];
    if (!DECLARING.test(this.components.files.read(component) ?? "")) return found;
    for (const path of this.components.standing(component)) this.#walk(path, (node) => found.push(...this.#declarationsIn(node)));
    return found;
  }
  /** @returns {Name[]} */
  #declarationsIn(/** @type {Node} */ node) {
    const { ts } = this;
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && DISPATCHERS.has(node.expression.text)) {
      const [type] = node.typeArguments ?? [];
      return type ? this.#typed(type) : this.#listed(node.arguments[0]);
    }
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

  /** Every event that a script sends or listens to. */
  mentions(/** @type {string} */ path) {
    let found = this.#mentions.get(path);
    if (!found) {
      /** @type {Mention[]} */
      const all = [];
      this.#mentions.set(path, (found = all));
      this.#walk(path, (node) => all.push(...this.#mentionsIn(node)));
    }
    return found;
  }
  #walk(/** @type {string} */ path, /** @type {(node: Node) => void} */ take) {
    const source = this.program.getSourceFile(path);
    const visit = (/** @type {Node} */ node) => {
      take(node);
      this.ts.forEachChild(node, visit);
    };
    if (source) visit(source);
  }
  /** @returns {Mention[]} */
  #mentionsIn(/** @type {Node} */ node) {
    const { ts } = this;
    if (ts.isCallExpression(node)) return this.#called(node);
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
    if (ts.isIdentifier(callee) && callee.text === "h" && given && ts.isObjectLiteralExpression(given)) return given.properties.flatMap((one) => (one.name ? this.#given(one.name, () => this.rendering.by(first)) : []));
    if (!first || !ts.isStringLiteralLike(first)) return [];
    if (ts.isPropertyAccessExpression(callee) && callee.name.text === "$on") return [{ name: first.text, node: first, kind: "heard", rendered: this.#instance(callee.expression) }];
    const name = ts.isPropertyAccessExpression(callee) ? callee.name : callee;
    if (!ts.isIdentifier(name)) return [];
    const declaration = this.checker.getSymbolAtLocation(name)?.valueDeclaration;
    const made = declaration && ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
    const isMade = made && ts.isCallExpression(made) && ts.isIdentifier(made.expression) && DISPATCHERS.has(made.expression.text);
    if (!isMade && !/^\$?emit$/.test(name.text)) return [];
    const isSender = isMade || name.text === "$emit" || (declaration && RUNTIME.test(declaration.getSourceFile().fileName));
    return [{ name: first.text, node: first, kind: "sent", isOpen: !isSender }];
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
  /** Of what an instance of Svelte was made. */
  #instance(/** @type {Node} */ instance) {
    const { ts, checker } = this;
    const made = (/** @type {Node} */ node) => {
      const declaration = checker.getSymbolAtLocation(node)?.valueDeclaration;
      return declaration && ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
    };
    const value = made(instance);
    return this.rendering.by(value && ts.isNewExpression(value) ? made(value.expression) ?? value.expression : undefined);
  }

  /**
   * What each mention of an event is in some files.
   * @param {string} name @param {import("./goals.mjs").Place[]} places where it is declared @param {Iterable<string>} files
   * @returns {Generator<{ node: Node, kind: "use" | "doubt" }>}
   */
  *uses(name, places, files) {
    const owns = (/** @type {string} */ path) => places.some((place) => this.declaredAt(path, place).length);
    const homes = places.map(({ file }) => this.components.source(file)).filter(owns);
    for (const path of files) {
      const component = this.components.source(path);
      for (const mention of this.mentions(path)) {
        if (mention.name !== name && mention.name !== kebab(name)) continue;
        const kind = mention.kind === "sent" ? this.#sent(mention, component, owns) : this.#heard(mention, name, owns, homes);
        if (kind) yield { node: mention.node, kind };
      }
    }
  }
  #sent(/** @type {Mention} */ { isOpen }, /** @type {string} */ component, /** @type {(path: string) => boolean} */ owns) {
    // What a script is handed may be of any component.
    if (!COMPONENT.test(component)) return "doubt";
    return owns(component) ? (isOpen ? "doubt" : "use") : undefined;
  }
  #heard(/** @type {Mention} */ { rendered }, /** @type {string} */ name, /** @type {(path: string) => boolean} */ owns, /** @type {string[]} */ homes) {
    const paths = [...(rendered?.paths ?? [])];
    if (paths.some(owns)) return "use";
    // What a component does not declare may go on to one in it.
    const handsOn = (/** @type {string} */ path) => !this.declared(path).some(({ text }) => text === name) && homes.some((home) => this.#names(path, home));
    return !rendered?.isKnown || paths.some(handsOn) ? "doubt" : undefined;
  }
  /** Whether a component may render another one. */
  #names(/** @type {string} */ path, /** @type {string} */ other) {
    const text = this.components.files.read(path) ?? "";
    return text.includes(basename(other)) || new RegExp(`<(?:${nameOf(other)}|${kebab(nameOf(other))})\\b`).test(text);
  }
}

const isAt = (/** @type {Node} */ node, /** @type {import("./goals.mjs").Place} */ { file, start }) => node.getSourceFile().fileName === file && node.getStart() <= start && start < node.getEnd();
