// Generic types of which each member gives another instance have no end.

import assert from "node:assert/strict";
import { test } from "node:test";

import { ROOT } from "../bindings/workspace.mjs";
import { asked } from "./workspace.mjs";

test("what is handed over is of a generic type without an end", () => {
  const members = Array.from({ length: 150 }, (_, at) => `m${at}<U>(one: U): Chain<[T, U, ${at}]>;`);
  const texts = {
    [`${ROOT}/a.ts`]: "export class Box { size = 1; }",
    [`${ROOT}/b.ts`]: `import { Box } from "./a"; interface Chain<T> { ${members.join(" ")} } declare const chain: Chain<0>; new Box();\nfunction use(given) { given.m0().m1().size; } use(chain);`,
  };
  const began = process.cpuUsage();
  assert.deepEqual(asked(texts, `${ROOT}/a.ts:19`), []);
  assert.ok(process.cpuUsage(began).user < 5_000_000);
});
