// The form of texts for tests in Python: a line of JSON {method, path, text, offset} is answered by one.

import { createRequire } from "node:module";
import { createInterface } from "node:readline";

import { syntax } from "../../daemon/cn_compiler/bindings/syntax.mjs";

const form = syntax(createRequire(import.meta.url)(process.argv[2]));

for await (const line of createInterface({ input: process.stdin })) {
  const { method, path, text, offset } = JSON.parse(line);
  process.stdout.write(`${JSON.stringify(method === "outline" ? JSON.stringify(form.outline(path, text)) : form.around(path, text, offset))}\n`);
}
