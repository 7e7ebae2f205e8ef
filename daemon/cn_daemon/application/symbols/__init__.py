"""Which symbol is meant: `resolve` goes from what was typed to it, `symbols_at` from a place where a server leads to.

`pointing` reads what stands at a place; `built` and `origins` go between sources and what a build wrote of them.
"""
