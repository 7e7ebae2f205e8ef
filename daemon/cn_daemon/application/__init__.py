"""The use cases: what a question needs, in which order, and how complete its answer is.

- The verbs: `navigation` (map, find, inspect), `portrait` (inspect --with), `relations` (refs, callers, callees, impls,
  types, hover), `overview`, `changed`, `diagnostics`, `configuration`; `commands`, `execution` and `reports`.
- One question: `question`; from what was typed to a symbol: `resolve`, `declared`, `symbols_at`, `origins`, `pointing`;
  what its parts share and how places are told: `context`, `documents`, `locations`, `mentions`.
- The uses of a symbol: `references` has the order of the steps, `search` and `candidates` where to look.
  What servers leave out or mix up: `programs` (globals, import aliases), `implied` (`declare module`), `handed`
  (modules as values), `wholes` (`import * as a`), `built`, `twins` and `mapped` (what a build wrote), `commonjs`,
  `made`, `noted` and `instances` (scripts), `patterned` (patterns), `lax` (`any`), `kin` (what a member overrides).
  Why uses may be missing: `links`, `reach`, `unresolved` and `untyped` (imports that lead nowhere), `unread` (other
  files), `doubts` (other languages); `verdicts` says it.
- Types: `types`, `heirs` (one step below), `bases` (what a call or a value makes). Callers: `trees`; `callees`.
- Modules: `modules`, `exports`, and `leads` (where specifiers lead).
- Command libraries: `library`, `command_search`, and how each kind is run: `climpt`, `api_calls`, `prompting`.
- What all this asks of the outside: `ports`, `library_ports`, `program_ports`.
"""
