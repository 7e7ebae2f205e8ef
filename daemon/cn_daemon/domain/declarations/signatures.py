"""A declaration without its body, on one line."""

from __future__ import annotations

import re

from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Span

LONGEST = 300
_STATEMENT = re.compile(r"\s*((?:export\s+|declare\s+|default\s+)*(?:const|let|var|using)\s+)")


def signature(source: SourceText, declaration: Declaration) -> str:
    """At most `LONGEST` characters."""
    text = source.cut(Span(declaration.span.start, declaration.head_end or declaration.span.end))
    if declaration.head_end is None:
        text = text.partition("\n")[0].rstrip("{ ")
    prefix = ""
    if declaration.kind in ("Constant", "Variable"):
        match = _STATEMENT.match(source.document.line(declaration.name_span.start.line))
        prefix = match[1] if match else ""
    head = re.sub(r"\s+", " ", prefix + text).strip().rstrip(";,").rstrip()
    return head if len(head) <= LONGEST else head[: LONGEST - 1] + "…"
