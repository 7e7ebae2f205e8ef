"""The statement that declares a variable: with which word, and which lines it has."""

from __future__ import annotations

import re

from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.source.brackets import brackets
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.statements import statement_end
from cn_daemon.domain.source.text import Lines

# The word just before the name, or a pattern's bracket, and nothing behind it in which another might stand.
_NEAR = re.compile(r"\b(?:const|let|var|using)(?:\s+|\s*[{\[][^=;()}\]/]*)\Z")
_ALONE = re.compile(r"\w+\s+")
_REACH = 80
# Behind a variable's span: the statement goes on, as its pattern, its value, or the next variable.
_MORE = re.compile(r"\s*[,}\])=:]")


def declaring_word(source: SourceText, name: int) -> int | None:
    """Where the word stands by which the statement declares the variable whose name is at that offset: it may stand
    far from it, and other statements in the values between."""
    near = _NEAR.search(source.text, max(0, name - _REACH), name)
    if near is not None:
        return near.start()
    script = brackets(source.document)
    word = script.declaring(script.at(name))
    return script.words[word].start if word else None


def statement_lines(source: SourceText, variable: Declaration) -> Lines:
    """The lines of the whole statement, with the pattern that the variable stands in and the variables beside it."""
    name = source.offset(variable.name_span.start)
    own = Lines(variable.span.start.line, variable.span.end.line)
    start = declaring_word(source, name)
    if start is None:
        return own
    first = source.position(start).line
    alone = _ALONE.fullmatch(source.text, start, name) is not None
    if alone and not _MORE.match(source.text, source.offset(variable.span.end)):
        return Lines(first, own.last)
    end = start + statement_end(source.text[start:], jsx=source.jsx)
    return Lines(first, source.position(end).line) if end >= name else own
