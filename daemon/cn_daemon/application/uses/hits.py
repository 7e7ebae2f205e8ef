"""What stands at the hits of a language server, by the text around them: a declaration, an import, a key, a use."""

from __future__ import annotations

import re
from collections.abc import Iterable

from cn_daemon.domain.source.text import Document, Position, Span

# What several files may declare, and before the name of such a declaration.
MERGED = ("Interface", "Class", "Namespace", "Module")
_MERGING = re.compile(r"\b(?:interface|namespace)\s+\Z")
_KEY = re.compile(r"(['\"])[\w$]+\1")
# As compilers begin what they write: `exports.b = exports.a = void 0;` announces both.
_ASSIGNMENT = re.compile(r"(?:['\"]\])?\s*=(?![=>])(?!(?:[^;=]*=)*\s*void 0;)")


def is_merged(document: Document, span: Span) -> bool:
    """Whether another declaration of it is named there: natively no definition for who asks in a project that does not
    hold it."""
    return _MERGING.search(document.line(span.start.line)[: document.index(span.start)]) is not None


def is_key(document: Document, position: Position) -> bool:
    """Whether a word in quotes stands there, `a["b"]`."""
    line, index = document.line(position.line), position.character - 1
    return any(found.start() <= index < found.end() for found in _KEY.finditer(line))


def is_assigned(document: Document | None, span: Span) -> bool:
    """Whether a member is assigned there: to compilers each `this.a = …` of a script declares `a`, each `f.a = …` and
    `f["a"] = …` of a function."""
    if document is None:
        return False
    line = document.line(span.start.line)
    before, behind = line[: document.index(span.start)], line[document.index(span.end) :]
    return before.endswith((".", '["', "['")) and _ASSIGNMENT.match(behind) is not None


def overlap(one: Span, others: Iterable[Span]) -> bool:
    """The servers begin the name of a quoted key within its quotes, and that of a constructor before its line."""
    return any(one.start < other.end and other.start < one.end for other in others)
