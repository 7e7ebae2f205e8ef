"""The types that a script declares in comments: `@typedef {…} Name`, `@callback Name`. Each server lists other ones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.tokens import Token, tokens

_TAG = re.compile(r"@(?:typedef|callback)\b")
# What servers make rows of: `@import` imports.
_TOLD = re.compile(r"@(?:typedef|callback|import)\b")
_SPACE = re.compile(r"(?:\s|\*(?!/))*")
# Of `a.b.C` the last: the others are namespaces, which are no rows.
_NAME = re.compile(r"(?:[^\W\d][\w$]*\.)*(?P<name>[^\W\d][\w$]*|\$[\w$]*)(?![\w$.~#:])")


def add_typedefs(source: SourceText, roots: list[Declaration]) -> None:
    """Add those at the top of the file to its outline. The comment is the declaration. In TypeScript it declares
    nothing, though one server lists it."""
    if not _TOLD.search(source.text):
        return
    comments = [
        (token, depth) for token, depth in _comments(source) if _TOLD.search(source.text, token.start, token.end)
    ]
    for root in roots:
        root.children = _outside(source, root.children, comments)
    declared = _declared(source, comments) if source.script else ()
    roots[:] = [*_outside(source, roots, comments), *declared]


def declares_type(text: str, name: str) -> bool:
    """Whether some comment of a script may declare a type of that name."""
    return any(re.search(rf"\b{re.escape(name)}\b", text[tag.end() : tag.end() + 4000]) for tag in _TAG.finditer(text))


def _comments(source: SourceText) -> Iterator[tuple[Token, int]]:
    """Those that document something, each with how many brackets are open there."""
    depth = 0
    for token in tokens(source.text, jsx=source.jsx):
        if token.kind == "punctuation":
            word = source.text[token.start : token.end]
            depth += (word in "([{") - (word in ")]}")
        elif token.kind == "comment" and source.text.startswith("/**", token.start):
            yield token, depth


def _outside(
    source: SourceText, declared: Iterable[Declaration], comments: Sequence[tuple[Token, int]]
) -> list[Declaration]:
    """What does not stand in one of the comments. Each server tells other ones of those. One without a name is told by
    that of what it stands above, and ends in its comment all the same."""
    return [
        one
        for one in declared
        if not any(
            token.start < place < token.end
            for place in map(source.offset, (one.position, one.span.end))
            for token, _ in comments
        )
    ]


def _declared(source: SourceText, comments: Iterable[tuple[Token, int]]) -> Iterator[Declaration]:
    for token in (token for token, depth in comments if depth == 0):
        for tag in _TAG.finditer(source.text, token.start, token.end):
            name = _NAME.match(source.text, _behind_type(source.text, tag.end(), token.end), token.end)
            if name is not None:
                place, span = source.span(*name.span("name")), source.span(token.start, token.end)
                yield Declaration(source.document.path, name["name"], "TypeAlias", place, span, exported=True)


def _behind_type(text: str, start: int, end: int) -> int:
    """Where the name stands: behind the type in braces, when there is one."""
    place = _space(text, start, end)
    if not text.startswith("{", place):
        return place
    depth = 0
    for number in range(place, end):
        depth += (text[number] == "{") - (text[number] == "}")
        if depth == 0:
            return _space(text, number + 1, end)
    return end


def _space(text: str, start: int, end: int) -> int:
    found = _SPACE.match(text, start, end)
    return found.end() if found else start
