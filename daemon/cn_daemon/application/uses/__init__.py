"""The uses of a symbol, and why some may be missing.

- `references` has the order of the steps, `hits` what stands at what is found.
- Of other languages than TypeScript, `plain`: `search` has where to look, `overrides` what a member overrides, `doubts`
  the mentions that the server passed over; of Python `homonyms` (modules of one name), `python` (strings, manifests),
  `fixtures`, `receivers` and `supposed` (what a member is taken of).
"""
