// A file is parsed once, in however many programs it stands.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Programs } from "../../daemon/cn_compiler/types/programs.mjs";
import { Memory, ROOT, engine, ts } from "../bindings/workspace.mjs";

test("programs of Node's modules and of bundlers share what is parsed", () => {
  const files = new Memory({
    [`${ROOT}/node_modules/kit/index.d.ts`]: "export declare const kit: 1;",
    [`${ROOT}/a.ts`]: "export const a = 1;",
    [`${ROOT}/node/tsconfig.json`]: '{ "compilerOptions": { "module": "nodenext" } }',
    [`${ROOT}/node/b.ts`]: 'import { a } from "../a"; export const b = a;',
    [`${ROOT}/bundled/tsconfig.json`]: '{ "compilerOptions": { "module": "preserve" } }',
    [`${ROOT}/bundled/c.ts`]: 'import { b } from "../node/b"; export const c = b;',
  });
  const programs = new Programs(ts, files, ROOT, engine(files, undefined).resolver, false);
  const paths = [`${ROOT}/node/b.ts`, `${ROOT}/bundled/c.ts`];
  const opened = programs.of(paths, [], []).map((group) => group.open());
  assert.equal(opened.length, 2);
  for (const path of [`${ROOT}/a.ts`, paths[0], ts.getDefaultLibFilePath({}).replace(/[^/]*$/, "lib.es5.d.ts")]) assert.ok(opened[0].getSourceFile(path) && opened[0].getSourceFile(path) === opened[1].getSourceFile(path), path);
});
