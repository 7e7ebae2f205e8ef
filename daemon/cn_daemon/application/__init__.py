"""The use cases: what a question needs, in which order, and how complete its answer is.

- The verbs about code: `navigation` (map, find, inspect), `portrait` (inspect --with), the packages `relations` and
  `surveys`; `libraries` has those about commands and reports, `configuration` the one about settings.
- One question: `question`. Below it the packages `uses` (who uses a symbol) and `symbols` (which one is meant).
- What all of these share: `context`, `declared`, `documents`, `locations`, `plain_answer`; and what they
  ask of the outside, `ports`.
"""
