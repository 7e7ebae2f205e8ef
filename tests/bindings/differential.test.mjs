// Every module-level symbol of every case, and of generated workspaces, against the compiler's language service.

import assert from "node:assert/strict";
import { test } from "node:test";

import { generated } from "./generated.mjs";
import { oracle } from "./oracle.mjs";
import { Memory, cases, engine, shown } from "./workspace.mjs";

// Where the language service tells less, or other: what it lacks there is in the case itself.
const DEPARTURES = new Map([
  ["commonjs: exports by assignment", "of `exports.a` the service loses `require(…).a` that is no declaration"],
  ["commonjs: shorthands and keys of what is exported", "a key is another symbol than what it exports"],
  ["commonjs: all of another module", "a spread and __exportStar are opaque to it"],
  ["commonjs: types of JSDoc", "it tells the typedef's name twice"],
  ["commonjs: types in a namespace that comments declare, in front of a function", "it tells none of them"],
  ["commonjs: types that comments declare in a namespace see each other there", "it tells none of them"],
  ["commonjs: what a module assigns to its exports, and exports beside", "its references end at the second assignment"],
  ["commonjs: exports in a chain, by a key and by what is required", "its references end at the chain"],
  ["commonjs: an object that has a name is all that a module exports", "a key is another symbol than what it exports"],
  ["commonjs: names that are added to an empty object, which is all that a module exports", "a key is another symbol than what it exports"],
  ["commonjs: an object that is all of a module stays that where it is assigned what is made of it", "a key is another symbol than what it exports"],
  ["commonjs: what is added to an object that is all of a module, of a name", "a key is another symbol than what it exports"],
  ["commonjs: keys in quotes of what a script exports", "a key is another symbol than what it exports"],
  ["commonjs: names that are assigned to all exports", "to it Object.assign exports nothing"],
  ["commonjs: the members of one of several modules", "what is required has no type for it there"],
  ["commonjs: a class without a name is the module", "it tells who requires the module, and no use of the class"],
  ["commonjs: a class that is all of a module has the name of what it is assigned to as well", "it tells nothing of it"],
  ["commonjs: a class that is a module, required when it is first needed", "to it the variable is one of its own"],
  ["commonjs: a script that is typed by its ES imports", "members of the default"],
  ["commonjs: in Node.js the default of a module in CommonJS is all of it", "it takes imports of the module for those of its default"],
  ["commonjs: what esbuild and SWC write of a module", "to it a call exports nothing"],
  ["commonjs: other loaders: module.require, System.import and AMD", "they are none to it"],
  ["commonjs: a require that Node.js makes for an ES module", "to it that is any"],
  ["commonjs: what TypeScript requires by what its environment declares", "to it that is any"],
  ["declarations: a constant that is destructured is no export of another", "it adds the keys of what is destructured"],
  ["declarations: ambient modules, with and without a body", "names of a module without a body are none"],
  ["declarations: UMD globals of what a module assigns to its exports", "its references end at the global's name"],
  ["declarations: ambient modules hand on what others declare", "its references end at the alias"],
  ["declarations: ambient modules that assign to their exports", "names taken of what is assigned are none to it"],
  ["declarations: another name of a namespace, for all files", "its references end at the alias"],
  ["declarations: a name that only the script exports, beside declarations by hand", "what declarations leave out is none to it"],
  ["doubts: a module that a cast names", "it does not follow a pattern through a cast"],
  ["modules: types by import", "it loses the key of an indexed module"],
  ["modules: a module, by each specifier and each name that it has as a whole", "no library, no Promise"],
  ["modules: dynamic imports", "no library, no Promise"],
  ["modules: members of what is imported then", "no library, no Promise"],
  ["modules: names in quotes, and patterns in patterns, in assignments", "a key in quotes is none to it there"],
  ["modules: types of what a module exports, without an import", "it follows no variable of such a type"],
  ["modules: modules in a list", "no library, no Promise"],
  ["modules: mocks that give what they mock", "importOriginal is unknown"],
  ["modules: a promise of a module under a name", "no library, no Promise"],
  ["modules: aliases of namespaces", "its references end at the alias"],
  ["modules: a local export wins over stars", "it takes the hidden one for both"],
  ["modules: mocks hold the module", "importActual is unknown"],
  ["modules: imports of what lies outside are one symbol as well", "nothing is installed"],
  ["modules: values of JSON modules", "JSON files are no roots"],
  ["resolution: a file that two tsconfigs list, of which each leads elsewhere", "it has one program, with one set of options"],
]);

/** @param {string} name @param {Record<string, string>} texts */
function compared(name, texts) {
  const files = new Memory(texts);
  const own = engine(files);
  const truth = oracle(files, own);
  for (const path of files.all()) {
    if (!/\.[mc]?[jt]sx?$/.test(path)) continue;
    const facts = own.facts(path);
    facts?.variables.forEach((variable, index) => {
      if ((variable.scope !== "module" && variable.scope !== "static") || variable.target !== undefined || !variable.declarations.length || /^"|^__/.test(variable.name)) return;
      const answer = own.references({ kind: "variable", file: path, variable: index });
      const places = new Set([...answer.definitions, ...answer.references].map((one) => `${one.file}:${one.start}`));
      const expected = new Set(answer.definitions.flatMap((one) => [...truth(one.file, one.start)]));
      const readable = (/** @type {Set<string>} */ set) => [...set].map((one) => shown(texts, one)).sort();
      if (answer.doubts.length) for (const place of expected) places.add(place); // partial: what it tells is right
      assert.deepEqual(readable(places), readable(expected), `${name}: ${variable.text} of ${path}\n${Object.entries(texts).flat().join("\n")}`);
    });
  }
}

for (const { name, texts } of cases()) {
  const isCompilers = !Object.keys(texts).some((path) => /\.(?:vue|svelte|astro)$/.test(path));
  if (isCompilers && !DEPARTURES.has(name)) test(name, () => compared(name, texts));
}

const SEEDS = Number(process.env.CN_SEEDS ?? 40);
test(`${SEEDS} generated workspaces`, () => {
  const first = Number(process.env.CN_SEED ?? 1);
  for (let seed = first; seed < first + SEEDS; seed++) compared(`seed ${seed}`, generated(seed));
});
