// Types that a script's comments name where the compiler reads no comment: above an element, before brackets. Who reads
// the file takes them for uses; they may be told or not.

import { ts } from "./compiler.mjs";
import { bySource } from "./rows.mjs";
import { place } from "./workspace.mjs";

const comments = new Map();

function* attached(node) {
  for (const comment of node.jsDoc ?? []) yield comment.pos;
  const children = [];
  ts.forEachChild(node, (child) => void children.push(child));
  for (const child of children) yield* attached(child);
}

// [offset, text] of the comments of a script that no node has.
function unread(source) {
  if (!comments.has(source)) {
    const read = new Set(attached(source));
    const all = [...source.text.matchAll(/\/\*\*[^]*?\*\//g)].map((found) => [found.index, found[0]]);
    comments.set(source, all.filter(([start]) => !read.has(start)));
  }
  return comments.get(source);
}

/** Where such comments name it, in the files (by their paths) that declare or use it under its own name. */
export function unreadNotes(name, files) {
  const found = [];
  for (const source of bySource.keys()) {
    if (!files.has(place(source, 0).split(":")[0]) || !ts.isSourceFileJS(source)) continue;
    for (const [start, text] of unread(source)) {
      for (const type of text.matchAll(/@\w+\s*\{[^}]*\}/g)) {
        for (const word of type[0].matchAll(/[\w$]+/g)) {
          if (word[0] === name) found.push(place(source, start + type.index + word.index));
        }
      }
    }
  }
  return found;
}
