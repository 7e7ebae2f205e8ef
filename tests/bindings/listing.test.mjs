// What is looked for on the disk: what appears is seen, and what is not to be read never does.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { Listing } from "../../daemon/cn_compiler/bindings/listing.mjs";

/** @param {(folder: string) => void} work */
function inFolder(work) {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), "cn-listing-")));
  try {
    work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("what appears where it was looked for in vain makes the listing stale, once it is looked at anew no more", () => {
  inFolder((folder) => {
    const root = join(folder, "work");
    mkdirSync(root);
    const listing = new Listing([root]);
    assert.equal(listing.isFile(join(root, ".gen/a/tsconfig.json")), false);
    assert.equal(listing.isFolder(join(root, "node_modules")), false);
    assert.equal(listing.stale(), false);
    mkdirSync(join(root, ".gen"));
    assert.equal(listing.stale(), true);
    listing.update([]);
    assert.equal(listing.isFile(join(root, ".gen/a/tsconfig.json")), false);
    mkdirSync(join(root, ".gen/a"));
    writeFileSync(join(root, ".gen/a/tsconfig.json"), "{}");
    assert.equal(listing.stale(), true);
    listing.update([]);
    assert.equal(listing.isFile(join(root, ".gen/a/tsconfig.json")), true);
    assert.equal(listing.stale(), false);
  });
});

test("what lies beyond the root is never there, and no reason to look again", () => {
  inFolder((folder) => {
    const root = join(folder, "work");
    mkdirSync(root);
    writeFileSync(join(folder, "a.ts"), "");
    symlinkSync(join(folder, "a.ts"), join(root, "link.ts"));
    const listing = new Listing([root]);
    for (const path of [join(folder, "a.ts"), `${folder}//work/a.ts`, join(root, "link.ts")]) assert.equal(listing.isFile(path), false, path);
    for (const path of [folder, `${folder}//work`, "/"]) assert.equal(listing.isFolder(path), false, path);
    assert.equal(listing.stale(), false);
  });
});
