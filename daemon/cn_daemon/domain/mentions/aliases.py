"""`import A = b.C` gives a part of a namespace a name: the compiler's references end at `C`, those of `A` go on."""

from __future__ import annotations

import re
from typing import NamedTuple

from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document

_ALIAS = re.compile(
    r"import\s+(?:type\s+)?(?P<name>[\w$]+)\s*=\s*(?:[\w$]+\s*\.\s*)*(?P<part>[\w$]+)(?![\w$]|\s*[.(])",
)
_EXPORT = re.compile(r"\bexport\s+$")


class Alias(NamedTuple):
    """The name that is given, and where it stands."""

    name: str
    start: int
    end: int
    exported: bool


def aliases(document: Document) -> dict[int, Alias]:
    """By the offset of the name of what they stand for. To be asked by `Document.once`."""
    if not _ALIAS.search(document.text):
        return {}
    text = document.once(SourceText).text
    return {
        found.start("part"): Alias(
            found["name"],
            *found.span("name"),
            _EXPORT.search(text, max(0, found.start() - 40), found.start()) is not None,
        )
        for found in _ALIAS.finditer(text)
    }
