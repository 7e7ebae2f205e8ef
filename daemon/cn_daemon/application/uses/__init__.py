"""The uses of a symbol, and why some may be missing.

- `references` has the order of the steps, `hits` what stands at what is found.
- Of other languages than TypeScript, `server_uses`: `search` has where to look, `overrides` what a member overrides,
  `doubts` the mentions that the server passed over.
- Of Python `homonyms` (modules of one name), `python` (strings, manifests), `fixtures`, `receivers` and `overlays`
  (what has a member), `arguments` (of calls), `class_hierarchy` (a class with its bases and heirs).
"""
