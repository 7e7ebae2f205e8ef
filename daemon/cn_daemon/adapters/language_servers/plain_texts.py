"""What texts tell by themselves, where no syntax tree is read."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile

from cn_daemon.application.ports import Calls, Usage
from cn_daemon.domain.mentions.usage import aliases, calls, is_call
from cn_daemon.domain.source.forms import may_declare, read
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document, Span

# A longer text is read beside other questions.
LARGE = 300_000
_WORD = re.compile(r"(?:[^\W\d]|\$)[\w$]*")


class PlainTexts:
    """Methods of the port `LanguageServer`."""

    async def declaring(
        self, names: Mapping[str, Sequence[str]], read: Callable[[str], Document | None], deadline: float
    ) -> dict[str, list[str]]:
        def may(path: str, name: str) -> bool:
            document = read(path)
            return document is not None and document.known(_may_declare, name)

        return {name: [path for path in paths if may(path, name)] for name, paths in names.items()}

    async def identifiers(self, document: Document, span: Span, deadline: float) -> list[Span]:
        if len(document.text) > LARGE:
            return await asyncio.to_thread(_identifiers, document, span)
        return _identifiers(document, span)

    async def usages(self, mentions: Sequence[tuple[Document, Sequence[Span]]], deadline: float) -> list[list[Usage]]:
        return [[_usage(document, span) for span in spans] for document, spans in mentions]

    async def calls(self, document: Document, span: Span, deadline: float) -> Calls:
        source = document.once(SourceText)
        if source.form is None:
            return Calls([])
        start, end = source.offset(span.start), source.offset(span.end)
        names = [source.span(*name) for name in calls(source.text, start, end, source.form)]
        origins = {source.position(one): source.position(other) for one, other in aliases(source.text, start, end)}
        return Calls(names, aliases=origins)


def _identifiers(document: Document, span: Span) -> list[Span]:
    source = document.once(SourceText)
    start, end = source.offset(span.start), source.offset(span.end)
    if source.form is None:
        words = (word.span() for word in _WORD.finditer(source.text))
    else:
        words = ((first, last) for kind, first, last in read(source.text, source.form) if kind == "name")
    before = takewhile(lambda word: word[0] <= end, words)
    return [source.span(*word) for word in before if word[1] >= start]


def _may_declare(document: Document, name: str) -> bool:
    source = document.once(SourceText)
    return source.form is None or may_declare(source.text, source.form, name)


def _usage(document: Document, span: Span) -> Usage:
    source = document.once(SourceText)
    start, end = source.offset(span.start), source.offset(span.end)
    if source.in_imports(start):
        return Usage("import")
    return Usage("call" if source.form is not None and is_call(source.text, start, end, source.form) else "use")
