// Each form in which a symbol is named, asked at every place of it.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Memory, cases, engine, shown } from "./workspace.mjs";

for (const { name, texts, groups, silent, doubts } of cases()) {
  test(name, () => {
    for (const expected of groups.values()) {
      for (const asked of expected.filter((one) => !silent.has(one))) {
        const own = engine(new Memory(texts));
        const [path, start] = asked.split(":");
        const answers = own.at(path, Number(start)).map((thing) => own.references(thing, { file: path, start: Number(start) }));
        const told = new Set(answers.flatMap((one) => [...one.definitions, ...one.references]).map((one) => `${one.file}:${one.start}`));
        const readable = (/** @type {Iterable<string>} */ places) => [...places].map((one) => shown(texts, one)).sort();
        assert.deepEqual(readable(told), readable(expected), `asked at ${shown(texts, asked)}`);
        const open = new Set(answers.flatMap((one) => one.doubts).map((one) => `${one.file}:${one.start}`));
        assert.deepEqual(readable(open), readable(doubts), `doubts, asked at ${shown(texts, asked)}`);
      }
    }
  });
}
