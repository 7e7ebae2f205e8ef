// Names that components declare, and that others use by a string or an attribute, so that types do not lead from one to the
// other: of events, of slots and of what slots give.

import { basename } from "node:path";

import { COMPONENT, kebab, nameOf } from "../bindings/components/names.mjs";
import { Rendering } from "./rendered.mjs";

/**
 * @typedef {import("typescript").Node} Node
 * @typedef {import("typescript").StringLiteralLike | import("typescript").Identifier} Name
 * @typedef {{ name: string, node: Node, kind: "sent" | "heard", rendered?: import("./rendered.mjs").Rendered, isOpen?: boolean }} Mention
 * name: as declared; sent: of the component in which it stands; rendered: by whom it is heard, of what components; isOpen: whether
 * another function may be called
 */

export class ComponentNames {
  /** Those of a program: what was read of its files stays with it. @type {WeakMap<import("typescript").Program, ComponentNames>} */
  static known;
  /** Why a mention of it may be one. */
  reason = "";
  /** What the text of a component that declares some holds. */
  declaring = /^/;

  /**
   * @template {typeof ComponentNames} T
   * @this {T}
   * @param {import("./programs.mjs").Programs} programs @param {import("typescript").Program} program @returns {InstanceType<T>}
   */
  static of({ ts, components }, program) {
    let found = this.known.get(program);
    if (!found) this.known.set(program, (found = new this(ts, components, program)));
    return /** @type {InstanceType<T>} */ (found);
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

  /** How others speak of what a name declares. */
  called(/** @type {Name} */ name) {
    return name.text;
  }
  /** What the spellings of a name have in common. */
  key(/** @type {string} */ name) {
    return name;
  }
  /** Whether no types lead to what a name declares. */
  isSpelled(/** @type {Name} */ name) {
    const { ts } = this;
    return ts.isStringLiteralLike(name) && !ts.isObjectLiteralElementLike(name.parent) && !ts.isTypeElement(name.parent);
  }

  /** The names that a node declares. @returns {Name[]} */
  declarationsIn(/** @type {Node} */ _) {
    return [];
  }
  /** The names that a node speaks of. @returns {Mention[]} */
  mentionsIn(/** @type {Node} */ _) {
    return [];
  }

  /** Where a component declares some; what it sends alone is declared where it is sent first. */
  declared(/** @type {string} */ component) {
    let found = this.#declared.get(component);
    if (found) return found;
    this.#declared.set(component, (found = []));
    if (!this.declaring.test(this.components.files.read(component) ?? "")) return found;
    const paths = this.components.standing(component);
    for (const path of paths) this.#walk(path, (node) => void found?.push(...this.declarationsIn(node)));
    const known = new Set(found.map((one) => this.key(this.called(one))));
    for (const { name, node, kind, isOpen } of COMPONENT.test(component) ? paths.flatMap((path) => this.mentions(path)) : []) {
      if (kind === "sent" && !isOpen && !known.has(this.key(name)) && known.add(this.key(name))) found.push(/** @type {Name} */ (node));
    }
    return found;
  }
  /** Those of them that stand at a place. */
  declaredAt(/** @type {string} */ component, /** @type {import("./goals.mjs").Place} */ place) {
    return this.declared(component).filter((node) => isAt(node, place));
  }
  /** Where that is declared which is named at a place of a script. @returns {Name[]} */
  at(/** @type {import("./goals.mjs").Place} */ place) {
    const component = this.components.source(place.file);
    const own = this.declaredAt(component, place);
    const mention = own.length ? undefined : this.mentions(place.file).find(({ node }) => isAt(node, place));
    if (!mention) return own;
    const paths = mention.kind === "sent" ? [component] : [...(mention.rendered?.paths ?? [])];
    return paths.flatMap((path) => this.declared(path).filter((one) => this.key(this.called(one)) === this.key(mention.name)));
  }

  /** Every one that a script speaks of. */
  mentions(/** @type {string} */ path) {
    let found = this.#mentions.get(path);
    if (!found) {
      /** @type {Mention[]} */
      const all = [];
      this.#mentions.set(path, (found = all));
      this.#walk(path, (node) => void all.push(...this.mentionsIn(node)));
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
  /** Of what an instance of Svelte was made. */
  instance(/** @type {Node} */ instance) {
    const value = this.initializerOf(instance);
    return this.rendering.by(value && this.ts.isNewExpression(value) ? this.initializerOf(value.expression) ?? value.expression : undefined);
  }
  /** What the variable is initialized with that a name means. */
  initializerOf(/** @type {Node} */ name) {
    const declaration = this.checker.getSymbolAtLocation(name)?.valueDeclaration;
    return declaration && this.ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
  }

  /**
   * What each mention of a name is in some files.
   * @param {string} name @param {import("./goals.mjs").Place[]} places where it is declared @param {Iterable<string>} files
   * @returns {Generator<{ node: Node, kind: "use" | "doubt" }>}
   */
  *uses(name, places, files) {
    const owns = (/** @type {string} */ path) => places.some((place) => this.declaredAt(path, place).length);
    const homes = places.map(({ file }) => this.components.source(file)).filter(owns);
    for (const path of files) {
      const component = this.components.source(path);
      for (const mention of this.mentions(path)) {
        if (this.key(mention.name) !== this.key(name)) continue;
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
    const reexports = (/** @type {string} */ path) => !this.declared(path).some((one) => this.key(this.called(one)) === this.key(name)) && homes.some((home) => this.#names(path, home));
    return !rendered?.isKnown || paths.some(reexports) ? "doubt" : undefined;
  }
  /** Whether a component may render another one. */
  #names(/** @type {string} */ path, /** @type {string} */ other) {
    const text = this.components.files.read(path) ?? "";
    return text.includes(basename(other)) || new RegExp(`<(?:${nameOf(other)}|${kebab(nameOf(other))})\\b`).test(text);
  }
}

const isAt = (/** @type {Node} */ node, /** @type {import("./goals.mjs").Place} */ { file, start }) => node.getSourceFile().fileName === file && node.getStart() <= start && start < node.getEnd();
