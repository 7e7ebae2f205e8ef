// Which component a tag, or a value that holds one, stands for: by its symbol, through imports, constants, registrations and
// what is imported later.

import { COMPONENT } from "../bindings/components/names.mjs";

/**
 * @typedef {import("typescript").Node} Node
 * @typedef {import("typescript").Symbol} Symbol
 * @typedef {{ paths: Set<string>, isKnown: boolean }} Rendered paths: of components. isKnown: it is none but these
 */

/** What `svelte2tsx`, `@astrojs/compiler` and `@vue/language-core` call the component that they write. */
const WRITTEN = /__(?:Svelte|Astro)Component_$|^__VLS_(?:export|base)$/;
const DEEP = 8;

export class Rendering {
  /** @param {typeof import("typescript")} ts @param {import("./components.mjs").Components} components @param {import("typescript").Program} program */
  constructor(ts, components, program) {
    this.ts = ts;
    this.components = components;
    this.program = program;
    this.checker = program.getTypeChecker();
  }

  /** @returns {Rendered} */
  by = (/** @type {Node | undefined} */ expression) => {
    /** @type {Rendered} */
    const found = { paths: new Set(), isKnown: true };
    this.#expression(expression, found, DEEP);
    return found;
  };
  /** Of a property, such as a name that is registered. */
  of(/** @type {Symbol | undefined} */ symbol) {
    /** @type {Rendered} */
    const found = { paths: new Set(), isKnown: true };
    this.#symbol(symbol, found, DEEP);
    return found;
  }

  /** @returns {void} */
  #expression(/** @type {Node | undefined} */ node, /** @type {Rendered} */ found, /** @type {number} */ depth) {
    const { ts, checker } = this;
    if (!node || depth < 0) return void (found.isKnown = false);
    if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isNonNullExpression(node) || ts.isSatisfiesExpression(node)) return this.#expression(node.expression, found, depth);
    if (ts.isConditionalExpression(node)) return this.#expression(node.whenTrue, found, depth), this.#expression(node.whenFalse, found, depth);
    // `A || A` of `@vue/language-core` is one.
    if (ts.isBinaryExpression(node)) return this.#expression(node.left, found, depth), node.left.getText() === node.right.getText() ? undefined : this.#expression(node.right, found, depth);
    if (ts.isIdentifier(node) || ts.isPropertyAccessExpression(node)) return this.#symbol(checker.getSymbolAtLocation(node), found, depth - 1);
    if (ts.isCallExpression(node)) {
      // `markRaw(A)`, `defineAsyncComponent(() => import("./A.vue"))`, `__VLS_unwrap(A, …)`
      const modules = this.#imported(node);
      if (modules.length) return modules.forEach((one) => this.#module(one, found, depth));
      return this.#expression(node.arguments[0], found, depth);
    }
    found.isKnown = false;
  }
  /** What is named in `import("a")` and `typeof import("a")` below a node. @returns {Node[]} */
  #imported(/** @type {Node} */ node) {
    const { ts } = this;
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return [node.argument.literal];
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) return node.arguments.slice(0, 1);
    /** @type {Node[]} */
    const found = [];
    ts.forEachChild(node, (one) => void found.push(...this.#imported(one)));
    return found;
  }
  #module(/** @type {Node} */ specifier, /** @type {Rendered} */ found, /** @type {number} */ depth) {
    const module = this.checker.getSymbolAtLocation(specifier);
    this.#symbol(module?.exports?.get(this.ts.InternalSymbolName.Default), found, depth - 1);
  }
  /** @returns {void} */
  #symbol(/** @type {Symbol | undefined} */ symbol, /** @type {Rendered} */ found, /** @type {number} */ depth) {
    const { ts, checker } = this;
    const own = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const [declaration] = own ? checker.getRootSymbols(own).flatMap((one) => one.declarations ?? []) : [];
    if (!own || !declaration || depth < 0) return void (found.isKnown = false);
    const file = declaration.getSourceFile().fileName;
    const source = this.components.source(file);
    if (source !== file && COMPONENT.test(source) && (ts.isExportAssignment(declaration) || WRITTEN.test(own.name) || own.name === "default")) return void found.paths.add(source);
    if (ts.isExportAssignment(declaration)) return this.#expression(declaration.expression, found, depth);
    if (ts.isShorthandPropertyAssignment(declaration)) return this.#symbol(checker.getShorthandAssignmentValueSymbol(declaration), found, depth - 1);
    if (ts.isPropertyAssignment(declaration)) return this.#expression(declaration.initializer, found, depth - 1);
    if (ts.isVariableDeclaration(declaration) && declaration.initializer) return this.#expression(declaration.initializer, found, depth - 1);
    if ((ts.isPropertySignature(declaration) || ts.isVariableDeclaration(declaration)) && declaration.type) {
      const modules = this.#imported(declaration.type);
      if (modules.length) return modules.forEach((one) => this.#module(one, found, depth));
      if (ts.isTypeQueryNode(declaration.type)) return this.#symbol(checker.getSymbolAtLocation(declaration.type.exprName), found, depth - 1);
    }
    // Of packages, and functions that are components themselves.
    found.isKnown = file.includes("/node_modules/") || ts.isFunctionDeclaration(declaration) || ts.isClassDeclaration(declaration) || found.isKnown && ts.isVariableDeclaration(declaration) && !declaration.type;
  }
}
