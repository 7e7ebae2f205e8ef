"""Blocks, signatures and documentation of declarations in languages other than TypeScript, by their form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from cn_daemon.domain.declarations.outline import CONTAINERS, Declaration, enclosing
from cn_daemon.domain.source import python_parser
from cn_daemon.domain.source.form_table import Form
from cn_daemon.domain.source.forms import head_end
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document, Lines, Position

LONGEST = 300
_BODIES = frozenset({"Function", "Method", "Constructor", "Accessor"})
_DOCSTRING = re.compile(r"\s*[rRuU]?(?P<text>\"\"\"[\s\S]*?\"\"\"|'''[\s\S]*?'''|\"[^\"\n]*\"|'[^'\n]*')")


def block_lines(document: Document, form: Form, declaration: Declaration) -> Lines:
    """The lines of a declaration with what decorates it and the comment right above."""
    first = _decorated(document, form, declaration.span.start.line)
    while first > 1 and document.line(first - 1).strip().startswith(form.comments):
        first -= 1
    last = declaration.span.end
    ends_before = last.character == 1 and last.line > declaration.span.start.line
    return Lines(first, last.line - 1 if ends_before else last.line)


def enclosing_block(
    document: Document,
    form: Form,
    outline: Sequence[Declaration],
    place: Position,
    longest: int,
    folds: Iterable[Lines],
) -> tuple[Lines, Declaration | None]:
    """The block around a place: the innermost function, method or type that is short enough, else the smallest fold."""
    around = enclosing(outline, place)
    owner = next(
        (one for one in reversed(around) if one.kind in _BODIES or one.kind in CONTAINERS or one.parent is None), None
    )
    if owner is not None:
        lines = block_lines(document, form, owner)
        if lines.length <= longest:
            return lines, owner
    inside = [one for one in folds if one.first <= place.line <= one.last and 1 < one.length <= longest]
    return min(inside, key=lambda one: one.length, default=Lines(place.line, place.line)), owner


def signature(source: SourceText, form: Form, declaration: Declaration) -> str:
    """A declaration without its body, on one line, at most `LONGEST` characters."""
    text = _undecorated(source, form, declaration)
    if declaration.span == declaration.name_span:
        text = source.document.line(declaration.span.start.line).strip()
    value = declaration.kind in ("Constant", "Variable", "Property") and form.body == ":"
    line = re.sub(r"\s+", " ", text if value else text[: head_end(text, form)]).strip()
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"


def documentation(source: SourceText, form: Form, declaration: Declaration) -> str:
    """The docstring of a declaration, or the words of the comment above it."""
    document, text = source.document, _undecorated(source, form, declaration)
    if form.body == ":":
        found = _DOCSTRING.match(text, head_end(text, form) + 1)
        if found and declaration.kind not in ("Constant", "Variable", "Property"):
            return _unindented(found["text"])[:1000]
    lines = block_lines(document, form, declaration)
    words = [document.line(number).strip() for number in range(lines.first, declaration.name_span.start.line + 1)]
    plain = [word.lstrip("/#!*").strip() for word in words if word.startswith(form.comments)]
    return "\n".join(plain).strip()[:1000]


def _undecorated(source: SourceText, form: Form, declaration: Declaration) -> str:
    """The text of a declaration, without what decorates it."""
    text = source.cut(declaration.span)
    first = declaration.name_span.start.line - declaration.span.start.line
    if first and form.decorator and text.startswith((*form.decorator, *form.comments)):
        return "\n".join(text.split("\n")[first:])
    return text


def _unindented(literal: str) -> str:
    content = python_parser.string(literal)
    if content is None:
        content = literal.strip("\"'")
    return "\n".join(line.strip() for line in content.strip().split("\n"))


def _decorated(document: Document, form: Form, first: int) -> int:
    """The line of the first decorator above line `first`: servers differ in whether they tell it."""
    if not form.decorator:
        return first
    indent = _indent(document.line(first))
    line = first
    while line > 1:
        above = line - 1
        # The end of a decorator over several lines leads up to its beginning.
        while above > 1 and above > line - 20 and not _decorates(document.line(above), form, indent):
            text = document.line(above)
            if not text.strip() or (_indent(text) <= indent and text.strip()[0] not in ")]}"):
                return line
            above -= 1
        if not _decorates(document.line(above), form, indent):
            return line
        line = above
    return line


def _decorates(line: str, form: Form, indent: int) -> bool:
    return _indent(line) == indent and line.lstrip().startswith(form.decorator)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
