// Every case of `cases/`, and the same with what the workspace of a case does not hold.

import assert from "node:assert/strict";
import { test } from "node:test";

import { shown } from "../bindings/workspace.mjs";
import { asked, cases } from "./workspace.mjs";

for (const { name, texts, groups, silent, doubts } of cases()) {
  test(name, () => {
    for (const places of groups.values()) {
      const [first, ...others] = places.filter((place) => !silent.has(place));
      const found = asked(texts, first);
      const told = (/** @type {boolean} */ isDoubt) => found.filter(({ kind }) => (kind === "doubt") === isDoubt).map(({ place }) => shown(texts, place)).sort();
      assert.deepEqual(told(false), others.map((place) => shown(texts, place)).sort());
      if (groups.size === 1) assert.deepEqual(told(true), doubts.map((place) => shown(texts, place)).sort());
    }
  });
}
