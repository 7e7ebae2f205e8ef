"""What mentions do, told by the text around them: where no syntax tree is read."""

from __future__ import annotations

from cn_daemon.application.ports import Calls, Usage
from cn_daemon.domain.mentions.usage import calls, given, is_call
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document, Span


def plain_usage(document: Document, span: Span) -> Usage:
    source = document.once(SourceText)
    start, end = source.offset(span.start), source.offset(span.end)
    if source.in_imports(start):
        return Usage("import")
    return Usage("call" if source.form is not None and is_call(source.text, start, end, source.form) else "use")


def plain_calls(document: Document, span: Span) -> Calls:
    source = document.once(SourceText)
    if source.form is None:
        return Calls([])
    start, end = source.offset(span.start), source.offset(span.end)
    names = [source.span(*name) for name in calls(source.text, start, end, source.form)]
    origins = {source.position(one): source.position(other) for one, other in given(source.text, start, end)}
    return Calls(names, given=origins)
