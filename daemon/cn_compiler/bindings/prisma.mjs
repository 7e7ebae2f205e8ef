// What Prisma writes: a client of the types of a schema and of no others, but for those that a further generator has it take
// of a global namespace.

import { dirname, join, normalize } from "node:path";

const GENERATOR = /\bgenerator\s{1,99}\w{1,99}\s{0,99}\{([^{}]{0,9999})\}/g;
const SETTING = (/** @type {string} */ block, /** @type {string} */ name) => new RegExp(`\\b${name}\\s{0,99}=\\s{0,99}"([^"\\n]{1,999})"`).exec(block)?.[1];

export class Prisma {
  /** @type {string[]} */
  #folders = [];
  /** @type {string[]} */
  namespaces = [];
  isOn = false;

  /** @param {import("./listing.mjs").Files} files */
  constructor(files) {
    for (const path of files.all()) {
      if (!path.endsWith(".prisma")) continue;
      this.isOn = true;
      for (const [, block] of (files.read(path) ?? "").matchAll(GENERATOR)) {
        const [provider, output] = [SETTING(block, "provider") ?? "", SETTING(block, "output")];
        if (/^prisma-client(?:-js)?$/.test(provider) && output) this.#folders.push(normalize(join(dirname(path), output)));
        if (provider.includes("json-types")) this.namespaces.push(SETTING(block, "namespace") ?? "PrismaJson");
      }
    }
  }
  /** Whether it writes a path. */
  holds = (/** @type {string} */ path) => this.#folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
  target = (/** @type {string} */ outside) => ({ outside, open: false, namespaces: this.namespaces });
}
