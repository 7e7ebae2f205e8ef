"""The comments of a declaration: those that end on the line above it."""

from __future__ import annotations

import re

from cn_daemon.domain.source.text import Document, Lines


def comment_above(document: Document, first: int) -> Lines | None:
    """The comment that ends right above line `first`."""
    start = with_comment(document, first)
    return Lines(start, first - 1) if start < first else None


def with_comment(document: Document, first: int) -> int:
    """Where the comment begins that ends right above line `first`; `first` without one. `///` and `//#` are none."""
    line = first
    while line > 1:
        above = document.line(line - 1).strip()
        if above.startswith("//") and not above.startswith(("///", "//#")):
            line -= 1
        elif above.endswith("*/"):
            opening = line - 1
            # A line of the comment may speak of another one.
            while opening > 1 and ("/*" not in document.line(opening) or document.line(opening).lstrip()[:1] == "*"):
                opening -= 1
            # It goes back to one above that is not closed.
            while opening > 1 and _opens(document.line(opening - 1)):
                opening -= 1
            if not document.line(opening).lstrip().startswith("/*"):
                break
            line = opening
        else:
            break
    return line


def _opens(line: str) -> bool:
    return line.lstrip().startswith("/*") and "*/" not in line


def documentation(document: Document, first: int) -> str:
    """The words of the comment above line `first`, without its markers."""
    lines = comment_above(document, first)
    if lines is None:
        return ""
    words = []
    for number in range(lines.first, lines.last + 1):
        text = document.line(number).strip()
        text = re.sub(r"^/\*+|\*+/$", "", text).strip()
        words.append(re.sub(r"^(?:\*|//)\s?", "", text).rstrip())
    return "\n".join(words).strip()[:1000]
