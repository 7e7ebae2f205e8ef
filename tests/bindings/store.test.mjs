// Facts as bytes, in the file that keeps them, and in a second process that finds them there.

import assert from "node:assert/strict";
import { closeSync, fstatSync, ftruncateSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { Changed, FactsCache } from "../../daemon/cn_compiler/bindings/cache.mjs";
import { Engine } from "../../daemon/cn_compiler/bindings/engine.mjs";
import { reader } from "../../daemon/cn_compiler/bindings/facts.mjs";
import { packed, unpacked } from "../../daemon/cn_compiler/bindings/pack.mjs";
import { Store } from "../../daemon/cn_compiler/bindings/store.mjs";
import { Memory, ROOT, cases, ts } from "./workspace.mjs";

const LIMIT = 1_000_000;
const texts = Object.assign({}, ...cases().map((one, at) => Object.fromEntries(Object.entries(one.texts).map(([path, text]) => [path.replace(ROOT, `${ROOT}/${at}`), text]))));

/** @param {(descriptor: number) => void} work */
function inFile(work) {
  const folder = mkdtempSync(join(tmpdir(), "cn-facts-"));
  const descriptor = openSync(join(folder, "facts"), "w+");
  try {
    work(descriptor);
  } finally {
    closeSync(descriptor);
    rmSync(folder, { recursive: true });
  }
}
const opened = (/** @type {number} */ descriptor, version = "1", writable = true, limit = LIMIT) => new Store(version, { descriptor, writable, limit });
const bytes = (/** @type {string} */ text) => new Uint8Array(Buffer.from(text));
const key = (/** @type {string} */ name) => name.padEnd(20);
/** Three batches of two. */
function filled(/** @type {number} */ descriptor) {
  const store = opened(descriptor);
  for (const name of ["a", "b", "c"]) {
    store.put(key(name), bytes(name.repeat(100)));
    store.put(key(name + name), bytes(""));
    store.flush();
  }
  return fstatSync(descriptor).size;
}
const kept = (/** @type {Store} */ store) => ["a", "b", "c"].filter((name) => Buffer.from(store.get(key(name)) ?? []).toString() === name.repeat(100));

test("facts are the same after they were bytes", () => {
  const read = reader(ts);
  for (const [path, text] of Object.entries(texts)) {
    if (!/\.(?:[mc]?[jt]sx?|json)$/.test(path)) continue;
    const facts = read(path, text);
    const back = /** @type {any} */ (unpacked(packed(facts)));
    for (const list of /** @type {const} */ (["variables", "declarations"])) {
      const keys = new Set(facts[list].flatMap(Object.keys));
      const plain = (/** @type {any} */ row) => Object.fromEntries([...keys].map((key) => [key, row[key]]));
      assert.deepEqual(back[list].map(plain), facts[list].map(plain), path);
    }
    const others = (/** @type {any} */ all) => ({ ...all, variables: [], declarations: [], lines: [...all.lines] });
    assert.deepEqual(others(back), others(facts), path);
  }
});

test("what is written is there for the next, and for one that may only read", () => {
  inFile((descriptor) => {
    filled(descriptor);
    assert.deepEqual(kept(opened(descriptor)), ["a", "b", "c"]);
    const reading = opened(descriptor, "1", false);
    assert.deepEqual(kept(reading), ["a", "b", "c"]);
    const { size } = fstatSync(descriptor);
    reading.put(key("d"), bytes("d"));
    reading.flush();
    assert.equal(fstatSync(descriptor).size, size);
    assert.deepEqual(Buffer.from(reading.get(key("d")) ?? []).toString(), "d");
  });
});

test("a file that is cut anywhere keeps what is whole, and goes on from there", () => {
  inFile((descriptor) => {
    const size = filled(descriptor);
    for (let length = size - 1; length >= 0; length -= 7) {
      ftruncateSync(descriptor, length);
      const found = kept(opened(descriptor));
      assert.deepEqual(found, ["a", "b", "c"].slice(0, found.length));
      assert.ok(found.length < 3);
      filled(descriptor);
      assert.equal(fstatSync(descriptor).size, size);
      assert.deepEqual(kept(opened(descriptor)), ["a", "b", "c"]);
    }
  });
});

test("of a file in which a byte is another nothing wrong is told", () => {
  inFile((descriptor) => {
    const size = filled(descriptor);
    const whole = Buffer.alloc(size);
    readSync(descriptor, whole, 0, size, 0);
    for (let at = 0; at < size; at++) {
      writeSync(descriptor, bytes(String.fromCharCode(whole[at] ^ 0x55)), 0, 1, at);
      const store = opened(descriptor, "1", false);
      for (const name of ["a", "b", "c"]) {
        const found = store.get(key(name));
        assert.ok(found === undefined || Buffer.from(found).toString() === name.repeat(100), `${at}`);
      }
      writeSync(descriptor, whole, at, 1, at);
    }
  });
});

test("what another version wrote is replaced, and so is a file that is full", () => {
  inFile((descriptor) => {
    const size = filled(descriptor);
    assert.deepEqual(kept(opened(descriptor, "2")), []);
    assert.ok(fstatSync(descriptor).size < size);
    filled(descriptor);
    const full = opened(descriptor, "1", true, size);
    full.put(key("d"), bytes("d"));
    full.flush();
    assert.equal(fstatSync(descriptor).size, size);
    assert.equal(Buffer.from(full.get(key("d")) ?? []).toString(), "d");
    assert.deepEqual(kept(opened(descriptor, "1", true, size - 1)), []);
  });
});

test("a second process parses nothing and tells the same", () => {
  inFile((descriptor) => {
    const files = new Memory(texts);
    const ask = () => {
      const engine = new Engine(ts, files, ROOT, files.words, opened(descriptor, "1", true, 100 * LIMIT));
      const answers = [...files.all()].flatMap((path) => engine.at(path, texts[path].search(/\b(?:A|a|x)\b/)).map((thing) => engine.references(thing)));
      engine.cache.store.flush();
      return { answers, parsed: engine.cache.parsed };
    };
    const first = ask();
    assert.ok(first.parsed > 100 && first.answers.length > 4);
    assert.deepEqual(ask(), { answers: first.answers, parsed: 0 });
  });
});

test("an outline that was told before is told again without parsing, of the same text and the same kind of file alone", () => {
  inFile((descriptor) => {
    const tell = (/** @type {string} */ path, /** @type {string} */ text, /** @type {string} */ told) => {
      const { cache } = new Engine(ts, new Memory({}), ROOT, () => [], opened(descriptor, "1", true, LIMIT));
      const outline = cache.outline(path, text, () => told);
      cache.store.flush();
      return outline;
    };
    assert.equal(tell("/work/a.ts", "let é", "first"), "first");
    assert.equal(tell("/work/b.ts", "let é", "another"), "first");
    assert.equal(tell("/work/a.ts", "let e", "changed"), "changed");
    assert.equal(tell("/work/a.d.ts", "let é", "declared"), "declared");
  });
});

test("what is prepared is parsed once, slice by slice, and an edit begins anew", () => {
  const files = new Memory({ ...texts, "/work/zz.ts": "export const z = 1;" });
  const engine = new Engine(ts, files, ROOT, files.words);
  assert.equal(engine.prepare(0), true);
  assert.equal(engine.cache.parsed, 0);
  while (engine.prepare(1));
  const { parsed } = engine.cache;
  assert.ok(parsed > 100);
  for (const path of files.texts.keys()) if (/\.[mc]?[jt]sx?$/.test(path) && files.has(path)) assert.ok(engine.hasFacts(path), path);
  files.texts.set("/work/zz.ts", "export const zz = 1;");
  engine.update(["/work/zz.ts"], true);
  while (engine.prepare(1));
  assert.deepEqual([...(engine.facts("/work/zz.ts")?.exports.keys() ?? [])], ["zz"]);
  assert.equal(engine.cache.parsed, parsed + 1);
});

test("a text that has changed unheard is not taken for the one that was read", () => {
  const files = new Memory({ "/work/a.ts": "export const a = 1;" });
  const store = new Store("");
  store.put = () => {};
  const cache = new FactsCache(ts, files, store, () => false, () => {});
  cache.prepare("/work/a.ts");
  files.texts.set("/work/a.ts", "export const b = 1;");
  cache.trim(); // the next question
  assert.throws(() => cache.facts("/work/a.ts"), Changed);
  cache.update(["/work/a.ts"]);
  assert.deepEqual([...(cache.facts("/work/a.ts")?.exports.keys() ?? [])], ["b"]);
});

test("a file that becomes a module by its tsconfig is read as one", () => {
  const files = new Memory({ "/work/a.ts": "const a = 1;", "/work/b.ts": "a;", "/work/tsconfig.json": "{}" });
  const engine = new Engine(ts, files, ROOT, files.words);
  const uses = () => engine.at("/work/a.ts", 6).flatMap((thing) => engine.references(thing).references.length);
  assert.deepEqual(uses(), [1]);
  files.texts.set("/work/tsconfig.json", '{ "compilerOptions": { "moduleDetection": "force" } }');
  engine.update(["/work/tsconfig.json"], true);
  assert.deepEqual(uses(), [0]);
});
