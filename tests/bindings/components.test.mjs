// The way back from what a component stands for: every use that is told stands where its name does, in torn texts too.

import assert from "node:assert/strict";
import { test } from "node:test";

import { autoNames, kebab, nameOf } from "../../daemon/cn_compiler/bindings/components/names.mjs";
import { components } from "../../daemon/cn_compiler/bindings/components/reading.mjs";
import { Owner, Role, memberOf, reader } from "../../daemon/cn_compiler/bindings/facts.mjs";
import { Memory, cases, engine, libraries, shown, ts } from "./workspace.mjs";

const COMPONENT = /\.(?:vue|svelte|astro)$/;
const missing = (/** @type {string} */ name) => {
  throw new Error(`${name} is not installed`);
};
const texts = cases().flatMap(({ texts }) => Object.entries(texts).filter(([path]) => COMPONENT.test(path)));

for (const [title, own] of [["with its framework's parser", libraries], ["without it", missing]]) {
  test(`a component is read ${title}, and every use stands where its name does`, () => {
    const read = components(reader(ts), /** @type {any} */ (own ?? missing));
    let state = 1;
    const chance = (/** @type {number} */ below) => (state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff) % below;
    const signs = ["`", "{", "}", "(", "<", "'", "\n", "{#if ", "{{", "---\n", "</script>", "é", "🙂", "\r\n", "&amp;"];
    for (const [path, whole] of texts) {
      for (let round = 0; round < 8; round++) {
        const cut = chance(whole.length);
        const text = round ? whole.slice(0, cut) + signs[chance(signs.length)] + whole.slice(cut + chance(5)) : whole;
        const { uses, names, variables, declarations } = read(path, text);
        for (let at = 0; at < uses.length; at += 4) {
          const [name, start] = [names[uses[at]], uses[at + 1]];
          assert.ok(uses[at + 2] < variables.length && memberOf(uses[at + 2]) < uses.length / 4);
          if (uses[at + 3] & Role.Silent || name === "this" || !/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) || (name === "default" && start === 0)) continue;
          const isThere = [name, kebab(name), name[0].toLowerCase() + name.slice(1)].some((one) => text.startsWith(one, start)) || text.slice(start).replace(/\\u\{?[\da-f]+\}?/i, "").length < text.length - start;
          assert.ok(isThere, `${name} at ${start} of\n${text}`);
        }
        for (const one of declarations) assert.ok(one.nameStart < 0 || (one.start <= one.nameStart && one.nameEnd <= one.end && one.end <= text.length), `${one.name} of\n${text}`);
      }
    }
  });
}

test("where nothing reads templates, scripts are read, and what templates name is a doubt", () => {
  const texts = {
    "/work/user.ts": "export const user = 1;",
    "/work/Card.vue": "<template><b /></template>",
    "/work/App.vue": '<script setup lang="ts">\nimport { user } from "./user";\nimport Card from "./Card.vue";\nuser;\n</script>\n<template>{{ user }}<card /></template>\n<style>.user {}</style>\n',
  };
  const own = engine(new Memory(texts), missing);
  const told = (/** @type {string} */ path, /** @type {number} */ start) => {
    const [answer] = own.at(path, start).map((thing) => own.references(thing));
    const readable = (/** @type {{ file: string, start: number }[]} */ places) => places.map((one) => shown(texts, `${one.file}:${one.start}`)).sort();
    return [readable([...answer.definitions, ...answer.references]), readable(answer.doubts), answer.doubts[0].reason];
  };
  const reason = "a template that is not read: @vue/compiler-dom is not installed";
  assert.deepEqual(told("/work/user.ts", 13), [["App.vue:2:10", "App.vue:4:1", "user.ts:1:14"], ["App.vue:6:14"], reason]);
  assert.deepEqual(told("/work/Card.vue", 0), [["App.vue:3:8", "Card.vue:1:1"], ["App.vue:6:22"], reason]);
});

test("names of components", () => {
  assert.deepEqual(["AccountAvatar", "UIButton2Row", "Card"].map(kebab), ["account-avatar", "ui-button2-row", "card"]);
  assert.deepEqual(["/a/AccountAvatar.vue", "/a/account-avatar.vue", "/a/card/index.vue", "/a/+page.svelte", "/a/[id].astro"].map(nameOf), ["AccountAvatar", "AccountAvatar", "card", "+page", "[id]"]);
  assert.deepEqual(["/a/components/base/Button.vue", "/a/components/base/BaseButton.vue", "/a/components/Card.client.vue", "/a/pages/x.vue"].map((path) => autoNames(path)[0]), ["BaseButton", "BaseButton", "Card", undefined]);
});
