"""Which symbol is meant: `resolve` goes from what was typed to it, `symbols_at` from a place to what it leads to.

`pointing` reads what stands at a place.
"""
