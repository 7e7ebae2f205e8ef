// Every case of `heritage/`: the first [|place|] declares a type, all others are what inherits from it or is said to be of it;
// in `members.txt` it declares a member, and the others are the keys of objects. {?clauses?} are in doubt.

import assert from "node:assert/strict";
import { test } from "node:test";

import { shown } from "../bindings/workspace.mjs";
import { cases, inherits, keys } from "./workspace.mjs";

for (const { name, texts, groups, doubts } of cases("heritage")) {
  test(name, () => {
    const told = (/** @type {string[]} */ places) => places.map((place) => shown(texts, place)).sort();
    for (const [first, ...others] of groups.values()) {
      const found = name.startsWith("members") ? { heirs: keys(texts, first), doubts: [] } : inherits(texts, first);
      assert.deepEqual(told(found.heirs), told(others));
      assert.deepEqual(told(found.doubts), told(doubts));
    }
  });
}
