"""How many tokens a text has for a model, estimated without a tokenizer, and rather too many than too few.

After o200k_base (github.com/openai/tiktoken): it cuts a text into words, at capitals too, numbers of three digits, runs
of other characters and line ends, and has a token for most short words. Measured on code, paths and hashes: never fewer
than it makes, a fifth more at the median.
"""

import re

_PIECE = re.compile(
    r"(?P<hash>(?=(?:[A-Za-z+]*[0-9]){3})[A-Za-z0-9+=]{16,})"
    r"|(?P<word>[A-Z]*[a-z]+|[A-Z]+)|(?P<number>[0-9]{1,3})|(?P<space>[\r\n]\s*|\s{2,})|[^\sA-Za-z0-9]+"
)
_VOWELS = frozenset("aeiouyAEIOUY")


def estimated(text: str) -> int:
    """At least as many tokens as o200k_base makes of code or prose."""
    return sum(_tokens(piece.lastgroup, piece[0]) for piece in _PIECE.finditer(text))


def _tokens(kind: str | None, piece: str) -> int:
    length = len(piece)
    if kind == "word":
        if length > 3 and _VOWELS.isdisjoint(piece):
            return -(-length * 3 // 4)
        return -(-length // (5 if length <= 10 else 4 if length <= 20 else 2))
    if kind == "number":
        return 1
    if kind == "hash":
        return length
    return -(-len(piece.encode("utf-8", "surrogatepass")) // 2)
