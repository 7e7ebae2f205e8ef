"""Where a statement ends. Read from its tokens: it may end without a mark."""

from __future__ import annotations

from cn_daemon.domain.source.tokens import tokens

_CLOSING = frozenset(")]}")
# A line that ends with any other mark than these, or begins with one of those, belongs to the statement around it.
_COMPLETE = frozenset({")", "]", "}", "++", "--", "`", "/>", ">", "!"})
_CONTINUING = frozenset(". ?. , = + - * / % & | ^ < > ? : ( [ =>".split())
_BETWEEN = frozenset("in of instanceof as satisfies extends is".split())
_BEFORE = _BETWEEN | frozenset("const let var using typeof await new keyof".split())


def statement_end(text: str, *, jsx: bool) -> int:
    """Where the statement ends that `text` begins with."""
    depth = 0
    end = 0
    last = ("keyword", "")
    for token in tokens(text, jsx=jsx):
        word = text[token.start : token.end]
        if token.kind == "comment":
            continue
        if depth == 0 and end and (word == ";" or breaks(last, (token.kind, word), text[end : token.start])):
            return end
        if token.kind == "punctuation":
            depth += (word in "([{") - (word in _CLOSING)
            if depth < 0:
                return end
        last, end = (token.kind, word), token.end
    return end


def breaks(before: tuple[str, str], after: tuple[str, str], gap: str) -> bool:
    """Whether a statement ends between two tokens."""
    if "\n" not in gap or before[1] in _BEFORE or after[1] in _BETWEEN:
        return False
    if before[0] == "punctuation" and before[1] not in _COMPLETE:
        return False
    return not (after[0] == "punctuation" and after[1] in _CONTINUING)
