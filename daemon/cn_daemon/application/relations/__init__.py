"""How symbols hang together: `relations` has the verbs (refs, callers, callees, impls, types, hover).

Callers and trees of them: `trees`; `callees`. Types: `types` and `impls`, made of `heirs` (one step below) and `bases`
(what a call or a value makes). `mentions` is how a use is told.
"""
