// How components are named: by their files, and in the tags of templates.

import { basename, dirname } from "node:path";

export const COMPONENT = /\.(?:vue|svelte|astro)$/;

/** `account-avatar` and `accountAvatar` -> `AccountAvatar`. */
export const pascal = (/** @type {string} */ name) => name.replace(/(?:^|[-_. ]+)([\p{L}\p{N}$])/gu, (_, letter) => letter.toUpperCase());
/** `account-avatar` -> `accountAvatar`. */
export const camel = (/** @type {string} */ name) => name.replace(/-+(\w)/g, (_, letter) => letter.toUpperCase());
/** `AccountAvatar` -> `account-avatar`. */
export const kebab = (/** @type {string} */ name) => name.replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, "-").toLowerCase();

/** The name of the component that a file holds: `AccountAvatar.vue`, `account-avatar.vue`; of `cards/index.vue` that of its folder. */
export function nameOf(/** @type {string} */ path) {
  const stem = basename(path).replace(/\.[^.]*$/, "");
  const own = stem === "index" ? basename(dirname(path)) : stem;
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(own) ? own : /^[\p{L}][\p{L}\p{N}-]*$/u.test(own) ? pascal(own) : stem;
}

/** What Nuxt calls a component of the folders `components`: `components/base/Button.vue` is `BaseButton` and `LazyBaseButton`. */
export function autoNames(/** @type {string} */ path) {
  const parts = path.split("/");
  const below = parts.slice(parts.lastIndexOf("components") + 1, -1);
  if (below.length === parts.length - 1) return [];
  const prefix = below.map(pascal).join("");
  const own = pascal(basename(path).replace(/(?:\.(?:client|server|global))?\.[^.]*$/, ""));
  // A name that begins as its folders end is not doubled.
  let shared = 0;
  for (let length = Math.min(prefix.length, own.length); length && !shared; length--) if (prefix.endsWith(own.slice(0, length)) && /^(?:\p{Lu}|$)/u.test(own.slice(length)) && /^\p{Lu}/u.test(own)) shared = length;
  const name = own === "Index" ? prefix : prefix + own.slice(shared);
  return [name, `Lazy${name}`];
}
