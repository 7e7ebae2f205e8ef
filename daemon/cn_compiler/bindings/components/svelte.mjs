// A component of Svelte as TypeScript: its scripts, of which the instance's exports are none of the module's, and its markup
// as a function in which each expression stands in the scopes around it. Parsed by `svelte/compiler`.

import { Virtual } from "./virtual.mjs";

const MARKUP = /(?:Tag|Block|Directive|Attribute|Fragment|Element)$|^(?:Svelte\w+|Component|Fragment)$/;
const NAMED = new Set(["UseDirective", "TransitionDirective", "AnimateDirective"]);

/** @param {any} compiler `svelte/compiler` @param {string} text */
export function svelte(compiler, text) {
  const root = compiler.parse(text, { modern: true });
  const isTyped = [root.instance, root.module].some((script) => script?.attributes.some((/** @type {any} */ one) => one.name === "lang" && /^ts$|typescript/.test(one.value?.[0]?.data ?? "")));
  const virtual = new Virtual(text, isTyped ? ".ts" : ".js");
  if (root.module) virtual.copy(root.module.content.start, root.module.content.end).write("\n;");
  if (root.instance) instance(virtual, root.instance.content);
  const generics = root.instance?.attributes.find((/** @type {any} */ one) => one.name === "generics")?.value?.[0];
  if (generics && isTyped) virtual.generics(generics.start, generics.end);
  new Markup(virtual).whole(root.fragment);
  return virtual;
}

/** The script of an instance: what it exports are its props, and `$: a = b` declares a. */
function instance(/** @type {Virtual} */ virtual, /** @type {any} */ program) {
  const known = new Set(program.body.flatMap((/** @type {any} */ one) => declaredBy(one.declaration ?? one)));
  let from = program.start;
  const until = (/** @type {number} */ to, /** @type {number} */ next = to) => (virtual.copy(from, to), (from = next));
  for (const one of program.body) {
    if (one.type === "ExportNamedDeclaration") {
      if (one.declaration) until(one.start, one.declaration.start);
      else {
        until(one.start, one.end);
        for (const { local, exported } of one.specifiers) {
          virtual.write(";").copy(local.start, local.end);
          if (exported.name !== local.name) virtual.given.set(local.name, exported.name);
        }
      }
    }
    const assigned = one.type === "LabeledStatement" && one.label.name === "$" && one.body.type === "ExpressionStatement" ? one.body.expression : undefined;
    if (assigned?.type !== "AssignmentExpression" || assigned.operator !== "=") continue;
    const names = namesIn(assigned.left);
    if (!names.length || names.some((name) => known.has(name))) continue;
    until(one.start, assigned.start);
    virtual.write("let ");
    until(assigned.end, one.end);
    virtual.write(";");
  }
  until(program.end);
  virtual.write("\n;");
}
/** @returns {string[]} */
function declaredBy(/** @type {any} */ one) {
  if (one.type === "VariableDeclaration") return one.declarations.flatMap((/** @type {any} */ each) => namesIn(each.id));
  if (one.type === "ImportDeclaration") return one.specifiers.map((/** @type {any} */ each) => each.local.name);
  return one.id ? [one.id.name] : [];
}
/** The names that a pattern gives. @returns {string[]} */
function namesIn(/** @type {any} */ pattern) {
  switch (pattern?.type) {
    case "Identifier": return [pattern.name];
    case "ObjectPattern": return pattern.properties.flatMap((/** @type {any} */ one) => namesIn(one.value ?? one.argument));
    case "ArrayPattern": return pattern.elements.flatMap(namesIn);
    case "AssignmentPattern": return namesIn(pattern.left);
    case "RestElement": return namesIn(pattern.argument);
    default: return [];
  }
}

class Markup {
  /** @param {Virtual} virtual */
  constructor(virtual) {
    this.virtual = virtual;
  }
  /** Snippets at the top are known to the scripts as well. */
  whole(/** @type {any} */ { nodes }) {
    const isSnippet = (/** @type {any} */ one) => one.type === "SnippetBlock";
    this.walk(nodes.filter(isSnippet));
    this.virtual.write("(() => {");
    this.walk(nodes.filter((/** @type {any} */ one) => !isSnippet(one)));
    this.virtual.write("});\n");
  }
  expression(/** @type {any} */ one) {
    if (one && Number.isInteger(one.start) && one.end > one.start) this.virtual.write("(").copy(one.start, one.end).write(");\n");
  }
  pattern(/** @type {any} */ one) {
    this.virtual.copy(one.start, Math.max(one.end, one.typeAnnotation?.end ?? 0));
  }
  /** What stands in a scope that declares what patterns name. */
  scope(/** @type {any[]} */ patterns, /** @type {() => void} */ inside, head = "((", end = head === "((" ? "});\n" : "}\n") {
    this.virtual.write(head);
    patterns.forEach((one, at) => (at && this.virtual.write(", "), this.pattern(one)));
    this.virtual.write(head === "((" ? ") => {\n" : ") {\n");
    inside();
    this.virtual.write(end);
  }

  /** @param {any} one @returns {void} */
  walk(one) {
    if (!one || typeof one !== "object") return;
    if (Array.isArray(one)) return void one.forEach((each) => this.walk(each));
    if (one.type === "Fragment") {
      this.virtual.write("{");
      this.walk(one.nodes);
      return void this.virtual.write("}");
    }
    if (!one.type || one.type === "Text" || one.type === "Comment") return;
    if (!MARKUP.test(one.type)) return this.expression(one);
    this.#named(one);
    if (/^(?:Component|SvelteComponent|SvelteSelf)$/.test(one.type)) this.#given(one);
    switch (one.type) {
      case "EachBlock": return this.#each(one);
      case "AwaitBlock":
        this.walk(one.pending);
        this.#awaited(one);
        return this.scope(one.error ? [one.error] : [], () => this.walk(one.catch));
      case "SlotElement": {
        const value = one.attributes.find((/** @type {any} */ each) => each.name === "name")?.value?.[0];
        if (value?.type === "Text") this.virtual.parts.push({ name: value.data, kind: "Property", nameStart: value.start, nameEnd: value.end, start: one.start, end: one.end });
        break;
      }
      case "SnippetBlock": {
        if (!this.#props.has(one)) this.virtual.parts.push({ name: one.expression.name, kind: "Function", nameStart: one.expression.start, nameEnd: one.expression.end, start: one.start, end: one.end });
        // What a component is given is declared there.
        const isProp = this.#props.has(one);
        this.virtual.write(isProp ? "({ " : "function ").copy(one.expression.start, one.expression.end).write(isProp ? ": " : "");
        this.scope(one.parameters, () => this.walk(one.body), isProp ? "((" : "(", isProp ? "}) });\n" : "}\n");
        return;
      }
      case "ConstTag":
        for (const { id, init } of one.declaration.declarations) this.virtual.write("const "), this.pattern(id), this.virtual.write(" = ").copy(init.start, init.end).write(";\n");
        return;
      case "DebugTag":
        return this.walk(one.identifiers);
    }
    const given = (one.attributes ?? []).filter((/** @type {any} */ each) => each.type === "LetDirective");
    for (const part of [one.tag, one.test, one.expression, one.attributes?.filter((/** @type {any} */ each) => !given.includes(each)), one.value]) if (typeof part !== "string" && part !== true) this.walk(part);
    const inside = () => [one.fragment, one.consequent, one.alternate].forEach((part) => this.walk(part));
    if (!given.length) return inside();
    this.virtual.write("(({");
    for (const each of given) this.#slotProp(each);
    this.virtual.write("}) => {\n");
    inside();
    this.virtual.write("});\n");
  }
  /** Snippets that are props of the component around them, unless something there renders them by their names. @type {Set<any>} */
  #props = new Set();
  #given(/** @type {any} */ { start, end, fragment }) {
    const text = this.virtual.source.slice(start, end);
    for (const one of fragment.nodes) if (one.type === "SnippetBlock" && !new RegExp(`@render\\s+${one.expression.name.replaceAll("$", "\\$")}\\b`).test(text)) this.#props.add(one);
  }
  /** What `{#await}` gives: of a module what it exports. */
  #awaited(/** @type {any} */ { expression, value, then }) {
    this.virtual.write("(async () => {\nconst $$awaited = await ").copy(expression.start, expression.end).write(";\n{\n");
    if (value) this.virtual.write("const "), this.pattern(value), this.virtual.write(" = $$awaited;\n");
    this.walk(then);
    this.virtual.write("}});\n");
  }
  /** `let:item` and `let:item={{ a }}` give what a slot passes. */
  #slotProp(/** @type {any} */ one) {
    const from = one.start + "let:".length;
    this.virtual.copy(from, from + one.name.length);
    if (one.expression) this.virtual.write(": "), this.pattern(one.expression);
    this.virtual.write(", ");
  }
  #each(/** @type {any} */ one) {
    this.walk(one.expression);
    const context = one.context;
    this.virtual.write("((");
    if (context) this.pattern(context);
    else this.virtual.write("_");
    if (one.index) {
      const from = this.virtual.source.indexOf(one.index, (context ?? one.expression).end);
      this.virtual.write(", ").copy(from, from + one.index.length);
    }
    this.virtual.write(") => {\n");
    this.expression(one.key);
    this.walk(one.body);
    this.virtual.write("});\n");
    this.walk(one.fallback);
  }
  /** The names of components and directives, and short forms that are a name. */
  #named(/** @type {any} */ one) {
    const { source } = this.virtual;
    const copy = (/** @type {number} */ from) => void this.virtual.copy(from, from + one.name.length).write(";\n");
    const behind = () => source.indexOf(":", one.start) + 1;
    if (one.type === "Component") {
      copy(one.start + 1);
      const closing = source.lastIndexOf("</", one.end) + 2;
      if (closing > one.start + one.name.length && source.startsWith(one.name, closing) && /^\s*>$/.test(source.slice(closing + one.name.length, one.end))) copy(closing);
    }
    if (NAMED.has(one.type) && /^[\w$.]+$/.test(one.name)) copy(behind());
    if (one.type === "StyleDirective" && one.value === true && /^[\w$]+$/.test(one.name)) copy(behind());
  }
}
