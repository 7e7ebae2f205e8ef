"""Keys of patterns (`{ a: b } = c`) of which language servers may not tell whose member they take."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from cn_daemon.domain.brackets import Brackets, brackets
from cn_daemon.domain.reading import SourceText
from cn_daemon.domain.text import Document

# Where a pattern may begin that assigns. Few files have one, and only they are read to the end.
_ASSIGNING = re.compile(r"(?:^|[;{}])[ \t]*\(\s*[{\[]|^[ \t]*;?[ \t]*\[\s*\{|\bfor\s*\(\s*[{\[]", re.MULTILINE)
_DECLARING = frozenset({"const", "let", "var", "using"})


class Key(NamedTuple):
    """place: the offset of the name, within its quotes. computed: `["a"]: b`."""

    place: int
    computed: bool


def doubtful_keys(document: Document, name: str) -> Iterator[Key]:
    """Those of that name in patterns that assign, and the computed ones in all patterns."""
    text = document.once(SourceText).text
    key = re.compile(
        rf"[{{,]\s*(?P<computed>\[\s*(?=['\"`]))?(?P<quote>['\"`]?){re.escape(name)}(?P=quote)"
        r"(?(computed)\s*\]\s*:|\s*(?:[:,}]|=(?![=>])))"
    )
    assigning = _ASSIGNING.search(text) is not None
    for found in key.finditer(text):
        computed = found["computed"] is not None
        if computed or assigning:
            script = brackets(document)
            declares = _declares(script, script.at(found.start("computed" if computed else "quote")))
            if declares is not None and (computed or not declares):
                yield Key(found.end("quote"), computed)


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
