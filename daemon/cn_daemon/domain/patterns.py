"""Keys of patterns (`{ a: b } = c`) of which language servers may not tell whose member they take."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from cn_daemon.domain.brackets import Brackets, brackets
from cn_daemon.domain.reading import SourceText
from cn_daemon.domain.text import Document, occurrences

# Where a pattern may begin that assigns. Few files have one, and only they are read to the end.
_ASSIGNING = re.compile(r"(?:^|[;{}])[ \t]*\(\s*[{\[]|^[ \t]*;?[ \t]*\[\s*\{|\bfor\s*\(\s*[{\[]", re.MULTILINE)
_QUOTES = ("'", '"', "`")
_BEFORE = re.compile(r"[{,]\s*(?P<computed>\[\s*)?['\"`]?\Z")
_BEHIND = re.compile(r"\s*(?:[:,}]|=(?![=>]))")
_BEHIND_COMPUTED = re.compile(r"\s*\]\s*:")
# So much text before a name is looked at.
_NEAR = 80
_DECLARING = frozenset({"const", "let", "var", "using"})


class Key(NamedTuple):
    """place: the offset of the name, within its quotes. computed: `["a"]: b`."""

    place: int
    computed: bool


def doubtful_keys(document: Document, name: str) -> tuple[Key, ...]:
    """Those of that name in patterns that assign, and the computed ones in all patterns."""
    return tuple(_keys(document, name))


def _keys(document: Document, name: str) -> Iterator[Key]:
    text = document.once(SourceText).text
    assigning = document.once(_assigns)
    for start in occurrences(text, name):
        quote, behind = text[max(0, start - 1) : start], start + len(name)
        quoted = quote in _QUOTES
        if not (text.startswith(quote, behind) if quoted else assigning):
            continue
        before = _BEFORE.search(text[max(0, start - _NEAR) : start])
        computed = before is not None and before["computed"] is not None
        is_key = (_BEHIND_COMPUTED if computed else _BEHIND).match(text, behind + quoted)
        if before and is_key and (quoted if computed else assigning):
            script = brackets(document)
            declares = _declares(script, script.at(start - len(before[0].lstrip("{,").lstrip())))
            if declares is not None and (computed or not declares):
                yield Key(start, computed)


def _assigns(document: Document) -> bool:
    return _ASSIGNING.search(document.once(SourceText).text) is not None


def _declares(script: Brackets, at: int) -> bool | None:
    """Whether the pattern around a word declares variables, or assigns; None: there is no pattern around it."""
    around, whole = script.opener[at], 0
    while script.text(around) in ("{", "["):
        behind = script.closer.get(around, -1) + 1
        if script.text(behind) == "of" or (script.text(behind) == "=" and script.text(behind + 1) != "="):
            whole = around
        around = script.opener[around]
    before = script.text(whole - 1) if whole else ""
    if script.text(around) != "(" or before in _DECLARING:
        return before in _DECLARING or before == "," if whole else None
    behind = script.closer.get(around, -1) + 1
    called = script.words[around - 1].is_name and script.text(around - 1) != "for"
    if script.text(behind) in ("=>", ":") or (called and script.text(behind) == "{"):
        return True
    return called if whole else None
