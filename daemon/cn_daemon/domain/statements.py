"""Which lines the statement has that declares a variable. Read from its tokens: a statement may end without a mark."""

from __future__ import annotations

import re

from cn_daemon.domain.outline import Declaration
from cn_daemon.domain.reading import SourceText
from cn_daemon.domain.text import Lines
from cn_daemon.domain.tokens import tokens

_WORD = re.compile(r"\b(?:const|let|var|using)\b")
# Behind a variable's span: the statement goes on, as its pattern, its value, or the next variable.
_MORE = re.compile(r"\s*[,}\])=:]")
_CLOSING = frozenset(")]}")
# A line that ends with any other mark than these, or begins with one of those, belongs to the statement around it.
_COMPLETE = frozenset({")", "]", "}", "++", "--", "`", "/>", ">", "!"})
_CONTINUING = frozenset(". ?. , = + - * / % & | ^ < > ? : ( [ =>".split())
_BETWEEN = frozenset("in of instanceof as satisfies extends is".split())
_BEFORE = _BETWEEN | frozenset("const let var using typeof await new keyof".split())


def statement_lines(source: SourceText, variable: Declaration) -> Lines:
    """The lines of the whole statement, with the pattern that the variable stands in and the variables beside it."""
    name = source.offset(variable.name_span.start)
    own = Lines(variable.span.start.line, variable.span.end.line)
    start = statement_start(source, name)
    if start is None:
        return own
    first = source.position(start).line
    alone = _WORD.sub("", source.text[start:name]).isspace()
    if alone and not _MORE.match(source.text, source.offset(variable.span.end)):
        return Lines(first, own.last)
    end = start + statement_end(source.text[start:], jsx=source.jsx)
    return Lines(first, source.position(end).line) if end >= name else own


def statement_start(source: SourceText, name: int) -> int | None:
    """Where the statement begins that declares the variable whose name stands there, as far as it can be told."""
    words = list(_WORD.finditer(source.text, max(0, name - 2000), name))
    for word in reversed(words):
        start, between = word.start(), source.text[word.end() : name]
        if between.isspace():
            return start
        near = word is words[-1] or _is_listed(between, jsx=source.jsx)
        if near and start + statement_end(source.text[start:], jsx=source.jsx) >= name:
            return start
    return words[-1].start() if words else None


def _is_listed(text: str, *, jsx: bool) -> bool:
    """Whether a further variable of the statement may follow. The values before it may declare variables too."""
    depth = 0
    word = ""
    for token in tokens(text, jsx=jsx):
        if token.kind != "comment":
            word = text[token.start : token.end]
            depth += (word in "([{") - (word in _CLOSING) if token.kind == "punctuation" else 0
    return depth == 0 and word == ","


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
