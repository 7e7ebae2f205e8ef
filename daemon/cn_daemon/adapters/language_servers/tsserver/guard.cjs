// Preloaded into tsserver: a file that lies outside of what may be read is none to it. TypeScript reads files by
// fs.readFileSync alone, and looks whether they are there by fs.statSync. typescript-language-server, which starts
// tsserver with its own variables, is left as it is.
"use strict";
const fs = require("node:fs");
const path = require("node:path");

/**
 * Where the opened file really lies: a link may be put in its place between a look at its name and the reading.
 * @param {number} descriptor
 * @param {string} file
 * @returns {string}
 */
function lies(descriptor, file) {
  if (process.platform === "linux") return fs.readlinkSync(`/proc/self/fd/${descriptor}`);
  const real = fs.realpathSync.native(file);
  const [named, opened] = [fs.statSync(real), fs.fstatSync(descriptor)];
  return named.ino === opened.ino && named.dev === opened.dev ? real : "";
}

/**
 * By the folder's real path, which is looked for once: a look is no reading.
 * @param {Map<string, string>} folders
 * @param {string} file
 * @returns {string}
 */
function seems(folders, file) {
  const folder = path.dirname(file);
  let real = folders.get(folder);
  if (real === undefined) folders.set(folder, (real = fs.realpathSync.native(folder)));
  return path.join(real, path.basename(file));
}

/** @param {{below: string[], above: string[]}} readable */
function guard({ below, above }) {
  const { readFileSync: read, statSync: stat } = fs;
  const folders = new Map();
  const own = path.join(fs.realpathSync.native(path.dirname(process.argv[1])), "/");
  const users = [0, process.geteuid?.()];

  /** @param {string} real */
  function isReadable(real) {
    if (real.startsWith(own) || below.some((folder) => real.startsWith(folder))) return true;
    const at = real.indexOf("/node_modules/");
    if (at < 0 || !above.includes(real.slice(0, at + 1))) return false;
    return users.includes(fs.lstatSync(real.slice(0, at + "/node_modules".length)).uid);
  }

  fs.readFileSync = function readFileSync(file, options) {
    if (typeof file !== "string") return read(file, options);
    const descriptor = fs.openSync(file, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0));
    try {
      if (isReadable(lies(descriptor, file))) return read(descriptor, options);
    } finally {
      fs.closeSync(descriptor);
    }
    throw missing(file);
  };

  fs.statSync = function statSync(file, options) {
    const found = stat(file, options);
    if (!found?.isFile() || typeof file !== "string" || isReadable(seems(folders, file))) return found;
    if (options?.throwIfNoEntry === false) return undefined;
    throw missing(file);
  };
}

/** @param {string} file */
function missing(file) {
  return Object.assign(new Error(`ENOENT: it is outside of what may be read, open '${file}'`), { code: "ENOENT" });
}

if (path.basename(process.argv[1] ?? "") === "tsserver.js" && process.env.CN_READABLE) {
  guard(JSON.parse(process.env.CN_READABLE));
}
