"""Verbs over many files: `overview` (`used` counts who uses what), `diagnostics`, and `changed` (by `changes` it knows
what a patch touches).
"""
