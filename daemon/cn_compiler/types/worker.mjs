// What types decide, as a process (`process.mjs`). It loads one package, the TypeScript that it is told of, and reads files
// through the listing alone.
//
//   open      {typescript, root, allowed, old}            old: the workspace's TypeScript is older than 6. No file is known yet
//   update    {created, changed, deleted, banned}         as of the bindings
//   mentions  {name, declared, files, ambient, reaching, ms} -> {mentions, unread}
//             of a member: where it is declared ({file, line, character}), the files that may use it, those that declare
//             something for others that do not import them, and which of these lead to it. In so many milliseconds; unread:
//             the files that were not reached. mentions: {file, line, character, length, kind, reason}, kind: use,
//             definition (another declaration of the same member), or doubt; what is something else is left out

import { createRequire } from "node:module";
import { join } from "node:path";

import { linesOf } from "../bindings/facts.mjs";
import { Listing } from "../bindings/listing.mjs";
import { resolver } from "../bindings/resolve.mjs";
import { noting, serve } from "../process.mjs";
import { mentions } from "./mentions.mjs";
import { Programs } from "./programs.mjs";

/** @type {{ ts: typeof import("typescript"), root: string, listing: Listing, programs: Programs } | undefined} */
let own;
/** @type {Set<string>} files whose text ended a process */
let banned = new Set();
const SCRIPT = /\.[mc]?[jt]sx?$/;

function opened() {
  if (!own) throw new Error("not opened");
  return own;
}

serve(
  {
    open({ typescript, root, allowed, old }) {
      const ts = createRequire(import.meta.url)(typescript);
      const listing = new Listing([root, ...allowed]);
      own = { ts, root, listing, programs: new Programs(ts, listing, root, resolver(ts, listing, root), old, (path) => noting(shown(path))) };
      return { version: ts.version };
    },
    update({ created, changed, deleted, banned: given }) {
      const { ts, root, listing, programs } = opened();
      const absolute = (/** @type {string[]} */ paths) => paths.map((path) => join(root, path));
      const before = banned;
      banned = new Set(absolute(given));
      const paths = [...absolute(created), ...absolute(changed), ...absolute(deleted), ...[...before, ...banned].filter((path) => before.has(path) !== banned.has(path))];
      if (created.length || deleted.length) listing.update(absolute(created), absolute(deleted));
      const isListed = !created.length && !deleted.length && changed.every((/** @type {string} */ path) => SCRIPT.test(path) && !/\.config\./.test(path));
      programs.banned = banned;
      programs.update(paths, isListed ? programs.resolver : resolver(ts, listing, root));
      return {};
    },
    mentions({ name, declared, files, ambient, reaching, ms }) {
      const { ts, root, listing, programs } = opened();
      const until = Date.now() + ms;
      if (listing.stale() || programs.isOutdated()) {
        listing.update([]);
        programs.update(programs.installed(), resolver(ts, listing, root));
      }
      const places = declared.map((/** @type {any} */ { file, line, character }) => ({ file: join(root, file), start: offset(join(root, file), line, character) }));
      const homes = [...new Set(places.map((/** @type {any} */ { file }) => file))];
      const leading = new Set(reaching);
      const around = ambient.filter((/** @type {string} */ path) => leading.has(path) || path.endsWith(".d.ts")).map((/** @type {string} */ path) => join(root, path)).filter(programs.declares);
      const asked = [...new Set([...homes, ...files.map((/** @type {string} */ path) => join(root, path))])].filter((path) => SCRIPT.test(path));
      const found = [];
      const unread = [];
      for (const group of programs.of(asked, homes, around)) {
        if (Date.now() >= until) {
          unread.push(...group.files);
          continue;
        }
        const program = group.open();
        noting(""); // no text is read any more
        const answer = mentions(ts, program, { name, declared: places, files: group.files, resolve: programs.resolver.resolve, until });
        found.push(...answer.mentions);
        unread.push(...answer.unread);
      }
      programs.trim();
      return { mentions: found.map((one) => ({ ...one, file: shown(one.file) })), unread: unread.map(shown) };
    },
  },
);

const shown = (/** @type {string} */ path) => (path.startsWith(`${opened().root}/`) ? path.slice(opened().root.length + 1) : path);
/** Where a place lies in a text, counted as TypeScript does. */
function offset(/** @type {string} */ path, /** @type {number} */ line, /** @type {number} */ character) {
  return (linesOf(opened().listing.read(path) ?? "")[line] ?? Number.MAX_SAFE_INTEGER) + character;
}
