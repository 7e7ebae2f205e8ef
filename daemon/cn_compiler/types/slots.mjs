// Slots of components of Svelte and Astro: where one is declared (`<slot name="header">`), filled (`<b slot="header">`) and asked for
// (`$$slots.header`, `Astro.slots.has("header")`). Those of Vue types tell.

import { Spoken } from "./spoken.mjs";

/** @typedef {import("typescript").Node} Node @typedef {import("./spoken.mjs").Name} Name @typedef {import("./spoken.mjs").Mention} Mention */

export class Slots extends Spoken {
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
