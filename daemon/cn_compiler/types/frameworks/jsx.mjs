// What JSX takes of components of other frameworks: their tools know, and the declarations of a package alone do not.

import { dirname, join } from "node:path";

const WRITTEN = /\/\.\$(astro|vue)-jsx\.d\.ts$/;
// Of a class of Vue or Svelte what its instances are given, of a function of Svelte its second parameter.
const MANAGED = "C extends new (...args: any) => { $props: infer Q } ? Q : C extends new (...args: any) => { $$prop_def: infer Q } ? Q : C extends (internals: any, props: infer Q) => any ? unknown extends Q ? P : Q : P";

/** @type {Record<string, string>} */
const TEXTS = {
  astro: `import type { JSX as Own } from "astro/jsx-runtime";
export namespace JSX {
  type Element = any;
  interface ElementChildrenAttribute { children: {} }
  interface IntrinsicAttributes extends Own.IntrinsicAttributes {}
  interface IntrinsicElements extends Own.IntrinsicElements {}
  type LibraryManagedAttributes<C, P> = ${MANAGED};
}
`,
  vue: `export namespace JSX {
  type Element = any;
  interface IntrinsicElements { [name: string]: any }
  type LibraryManagedAttributes<C, P> = ${MANAGED};
}
`,
};

/** The file that stands for `astro/jsx-runtime` in files of Astro, and for `vue/jsx-runtime` where that is not installed. */
export function standing(/** @type {string} */ specifier, /** @type {string} */ from, /** @type {boolean} */ isInstalled) {
  if (WRITTEN.test(from)) return undefined;
  const name = specifier === "astro/jsx-runtime" && from.endsWith(".astro") ? "astro" : specifier === "vue/jsx-runtime" && !isInstalled ? "vue" : undefined;
  return name && join(dirname(from), `.$${name}-jsx.d.ts`);
}
/** The text of such a file. */
export const text = (/** @type {string} */ path) => TEXTS[WRITTEN.exec(path)?.[1] ?? ""];
