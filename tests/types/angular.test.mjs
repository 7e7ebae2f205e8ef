// Templates of Angular that nobody would write are read in a time that grows with their length.

import assert from "node:assert/strict";
import { test } from "node:test";

import { memberMentions } from "../../daemon/cn_compiler/bindings/embedded.mjs";
import { Template } from "../../daemon/cn_compiler/types/angular/template.mjs";
import { ts } from "../bindings/workspace.mjs";

const TEMPLATES = ["{{ '", '\\"', "<a x ", "[x]='a' ", "@let a = '", "@if (a; as b; ", "@for (a of b; ", "{a, plural, ", "a(", "<!--"];
const EMBEDDED = ["```\n", "`", "/* ", "<A name ", '["', "](a/", "{ name, ", "<script ", "onclick= ", "<!--"];

for (const part of TEMPLATES) {
  test(`a template of nothing but ${part}`, () => {
    const began = Date.now();
    new Template(ts, `{{ ${part.repeat(30_000 / part.length)} name`).mentions("name");
    assert.ok(Date.now() - began < 5000);
  });
}
for (const part of EMBEDDED) {
  test(`MDX and a page of nothing but ${part.trim()}`, () => {
    const began = Date.now();
    for (const file of ["/a.mdx", "/a.html"]) memberMentions([file], "name", () => `${part.repeat(30_000 / part.length)} a.name`, () => true);
    assert.ok(Date.now() - began < 5000);
  });
}
