"""The uses of a symbol, and why some may be missing.

- `references` has the order of the steps, `candidates` and `search` where to look, `hits` what stands at what is found.
- What servers leave out or mix up: `programs` (globals, import aliases), `implied` (`declare module`), `handed`
  (modules as values), `wholes` (`import * as a`), `twins` and `mapped` (what a build wrote), `patterned` (patterns),
  `lax` (`any`), `kin` (what a member overrides), `keyed` (keys that name values), `noted` (types in comments),
  `commonjs` (what scripts export), `required` (what TypeScript takes by `require`).
  By one beginning, `untold`: `made`, `instances`, `private` and `unknown_makers` (members in scripts).
- Why uses may be missing: `links`, `unresolved` and `untyped` (imports that lead nowhere), `unread` (other files),
  `doubts` (other languages); of Python `homonyms` (modules of one name) and `python` (strings, fixtures, manifests).
"""
