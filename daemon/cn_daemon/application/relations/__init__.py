"""How symbols hang together: `relations` has the verbs (refs, callers, callees, impls, types, hover).

Callers and trees of them: `trees`; `callees`. Types: `types` and `impls`, built on `heirs` (one step up or down), which
types tell (`typed_heirs`) or, in other languages, clauses (`named_heirs`). `mentions` is how a use is described.
"""
