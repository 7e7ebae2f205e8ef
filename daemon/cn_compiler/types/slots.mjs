// Slots of components of Svelte and Astro: where one is declared (`<slot name="header">`), filled (`<b slot="header">`) and asked for
// (`$$slots.header`, `Astro.slots.has("header")`), and what slots of Svelte give (`<slot name="header" title={a}>`, `let:title`). Those of Vue types tell.

import { ComponentNames } from "./component_names.mjs";

/** @typedef {import("typescript").Node} Node @typedef {import("./component_names.mjs").Name} Name @typedef {import("./component_names.mjs").Mention} Mention */

export class Slots extends ComponentNames {
  static known = new WeakMap();
  reason = "a slot that may be another component's";
  declaring = /<slot\b/;

  /** @returns {Name[]} */
  declarationsIn(/** @type {Node} */ node) {
    const { ts } = this;
    // `__sveltets_createSlot("header", {})` of `svelte2tsx`
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === "__sveltets_createSlot") return node.arguments.slice(0, 1).filter(ts.isStringLiteralLike);
    const isSlot = ts.isJsxAttribute(node) && node.name.getText() === "name" && node.parent.parent.tagName.getText() === "slot";
    return isSlot && node.initializer && ts.isStringLiteral(node.initializer) ? [node.initializer] : [];
  }
  /** @returns {Mention[]} */
  mentionsIn(/** @type {Node} */ node) {
    const { ts } = this;
    if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression) && ts.isPropertyAccessExpression(node.expression) && node.expression.name.text === "$$slot_def") {
      return [{ name: node.argumentExpression.text, node: node.argumentExpression, kind: "heard", rendered: this.instance(node.expression.expression) }];
    }
    if (ts.isJsxAttribute(node) && node.name.getText() === "slot" && node.initializer && ts.isStringLiteral(node.initializer)) return this.#filled(node.parent.parent, node.initializer);
    if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === "$$slots") return [{ name: node.name.text, node: node.name, kind: "sent" }];
    const [name] = ts.isCallExpression(node) && /^Astro\.slots\.(?:has|render)$/.test(node.expression.getText()) ? node.arguments : [];
    return name && ts.isStringLiteralLike(name) ? [{ name: name.text, node: name, kind: "sent" }] : [];
  }
  /** By the element around it that stands for a component. @returns {Mention[]} */
  #filled(/** @type {Node} */ element, /** @type {import("typescript").StringLiteral} */ node) {
    const { ts } = this;
    const isComponent = (/** @type {Node} */ one) => ts.isJsxElement(one) && one.openingElement !== element && !/^(?:Fragment$|[a-z])/.test(one.openingElement.tagName.getText());
    const holder = /** @type {import("typescript").JsxElement | undefined} */ (ts.findAncestor(element, isComponent));
    return holder ? [{ name: node.text, node, kind: "heard", rendered: this.rendering.by(holder.openingElement.tagName) }] : [];
  }
}

/** What slots of Svelte give those that fill them. Where `$$Slots` says it, types tell. */
export class SlotProps extends ComponentNames {
  static known = new WeakMap();
  reason = "what a slot gives that may be another component's";
  declaring = /<slot\b/;

  /** With the name of its slot. */
  called(/** @type {Name} */ name) {
    const { ts } = this;
    const call = /** @type {import("typescript").CallExpression} */ (ts.findAncestor(name, ts.isCallExpression));
    return `${/** @type {any} */ (call.arguments[0]).text}/${name.text}`;
  }
  isSpelled() {
    return true;
  }
  /** @returns {Name[]} */
  declarationsIn(/** @type {Node} */ node) {
    const { ts } = this;
    if (!ts.isCallExpression(node) || node.expression.getText() !== "__sveltets_createSlot" || node.getSourceFile().text.includes("__sveltets_2_createCreateSlot<")) return [];
    const [name, given] = node.arguments;
    if (!ts.isStringLiteralLike(name) || !given || !ts.isObjectLiteralExpression(given)) return [];
    return given.properties.flatMap(({ name: key }) => (key && (ts.isIdentifier(key) || ts.isStringLiteralLike(key)) ? [key] : []));
  }
  /** `const { title: own } = $$_tsiL0.$$slot_def["header"]` of `svelte2tsx` @returns {Mention[]} */
  mentionsIn(/** @type {Node} */ node) {
    const { ts } = this;
    if (!ts.isVariableDeclaration(node) || !node.initializer || !ts.isObjectBindingPattern(node.name)) return [];
    const slot = node.initializer;
    const name = ts.isElementAccessExpression(slot) && ts.isStringLiteralLike(slot.argumentExpression) ? slot.argumentExpression.text : ts.isPropertyAccessExpression(slot) ? slot.name.text : undefined;
    const holder = name !== undefined && (ts.isElementAccessExpression(slot) || ts.isPropertyAccessExpression(slot)) ? slot.expression : undefined;
    if (!holder || !ts.isPropertyAccessExpression(holder) || holder.name.text !== "$$slot_def") return [];
    const rendered = this.instance(holder.expression);
    return node.name.elements.flatMap(({ propertyName, name: own }) => {
      const key = propertyName ?? own;
      return ts.isIdentifier(key) && key.text !== "$$_$$" ? [{ name: `${name}/${key.text}`, node: key, kind: /** @type {const} */ ("heard"), rendered }] : [];
    });
  }
}
