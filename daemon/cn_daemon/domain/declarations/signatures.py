"""A declaration without its body, on one line."""

from __future__ import annotations

import re

from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.source.functions import arrow_at, body_at
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.tokens import tokens

LONGEST = 300
_STATEMENT = re.compile(r"\s*((?:export\s+|declare\s+|default\s+)*(?:const|let|var|using)\s+)")


def signature(source: SourceText, declaration: Declaration) -> str:
    """At most `LONGEST` characters."""
    text = source.cut(declaration.span)
    prefix = ""
    if declaration.kind in ("Constant", "Variable"):
        match = _STATEMENT.match(source.document.line(declaration.name_span.start.line))
        prefix = match[1] if match else ""
    head = re.sub(r"\s+", " ", prefix + text[: _body_start(text, declaration.kind, jsx=source.jsx)])
    head = head.strip().rstrip(";,").rstrip()
    return head if len(head) <= LONGEST else head[: LONGEST - 1] + "…"


def _body_start(text: str, kind: str, *, jsx: bool) -> int:
    """Where the body or the value begins that is left out, the end of the text without one."""
    if kind in ("Constant", "Variable", "Property"):
        return _value_start(text, jsx=jsx)
    return len(text) if kind in ("TypeAlias", "EnumMember") else body_at(text, jsx=jsx)


def _value_start(text: str, *, jsx: bool) -> int:
    """The arrow of an arrow function; the equals sign, when a type or a line break tells that the value is long; else
    the end."""
    depth = 0
    for token in tokens(text, jsx=jsx):
        word = text[token.start : token.end]
        if word == "=" and depth == 0:
            break
        if token.kind == "punctuation":
            depth += (word in "([{") - (word in ")]}")
    else:
        return len(text)
    arrow = arrow_at(text[token.end :], jsx=jsx)
    if arrow is not None:
        return token.end + arrow
    return token.start if ":" in text[: token.start] or "\n" in text else len(text)
