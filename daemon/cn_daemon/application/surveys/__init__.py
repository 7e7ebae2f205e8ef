"""Verbs over many files: `overview`, `diagnostics`, and `changed` (by `changes` it knows what a patch touches)."""
