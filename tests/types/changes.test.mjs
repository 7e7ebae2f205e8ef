// Components, and what files use without an import, after edits: as a fresh process would tell them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Programs } from "../../daemon/cn_compiler/types/programs.mjs";
import { uses } from "../../daemon/cn_compiler/types/uses.mjs";
import { Memory, ROOT, engine, ts } from "../bindings/workspace.mjs";

/** What a workspace tells of `label` of `item.ts`, in one component, with the texts of now. @param {Record<string, string>} texts */
function workspace(texts) {
  const files = new Memory(texts);
  const { resolver } = engine(files, undefined);
  const programs = new Programs(ts, files, ROOT, resolver, false, undefined, process.env.CN_COMPONENTS);
  const declared = { file: `${ROOT}/item.ts`, start: texts[`${ROOT}/item.ts`].indexOf("label") };
  return {
    change(/** @type {string} */ name, /** @type {string} */ text) {
      files.texts.set(`${ROOT}/${name}`, text);
      programs.update([`${ROOT}/${name}`], resolver);
    },
    told: (/** @type {string} */ name) =>
      programs.of([`${ROOT}/${name}`], [declared.file], []).flatMap(({ files: own, open }) => uses(programs, open(), { names: ["label"], declared: [declared], files: own }).mentions.map(({ line, character, kind }) => `${line}:${character} ${kind}`)),
  };
}

test("a component that changes tells what it holds now", () => {
  const own = workspace({
    [`${ROOT}/item.ts`]: "export const item = { label: 1 };\n",
    [`${ROOT}/Row.vue`]: '<script setup>\nimport { item } from "./item";\n</script>\n<template>{{ item.label }}</template>\n',
  });
  assert.deepEqual(own.told("Row.vue"), ["3:18 use"]);
  own.change("Row.vue", '<script setup lang="ts">\nimport { item } from "./item";\n</script>\n<template><b>{{ item.label }}</b></template>\n');
  assert.deepEqual(own.told("Row.vue"), ["3:21 use"]);
  own.change("Row.vue", "<template>{{ item.label </template>\n");
  assert.deepEqual(own.told("Row.vue"), ["0:18 doubt"]);
});

test("what Nuxt imports is what its folders export now", () => {
  const own = workspace({
    [`${ROOT}/nuxt.config.ts`]: "export default {};\n",
    [`${ROOT}/item.ts`]: "export const item = { label: 1 };\n",
    [`${ROOT}/composables/items.ts`]: "export {};\n",
    [`${ROOT}/Row.vue`]: "<template>{{ useItem().label }}</template>\n",
  });
  assert.deepEqual(own.told("Row.vue"), ["0:23 doubt"]);
  own.change("composables/items.ts", 'import { item } from "../item";\nexport const useItem = () => item;\n');
  assert.deepEqual(own.told("Row.vue"), ["0:23 use"]);
  own.change("composables/items.ts", "export const useItem = () => ({ label: 1 });\n");
  assert.deepEqual(own.told("Row.vue"), []);
});
