"""A document by offsets: where a position lies in the whole text, its tokens and imports, the brackets of a place."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import cached_property
from itertools import accumulate

from cn_daemon.domain.source import forms
from cn_daemon.domain.source.components import is_component, readable
from cn_daemon.domain.source.text import Document, Position, Span

SCRIPTS = (".js", ".jsx", ".mjs", ".cjs")
# Files that a compiler of TypeScript reads.
COMPILED = (*SCRIPTS, ".ts", ".tsx", ".mts", ".cts")
# Files that only declare.
DECLARATIONS = (".d.ts", ".d.mts", ".d.cts")


_WORD = re.compile(r"\w+")


class SourceText:
    """A document with offsets: where a position lies in the whole text, and back."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.form = forms.form_of(document.path)
        self.text = "\n".join(document.lines) if "\r" in document.text else document.text
        if is_component(document.path):
            self.text = readable(document.path, self.text)
        self._ascii = self.text.isascii()

    @cached_property
    def _starts(self) -> list[int]:
        """Where each line begins."""
        return [0, *accumulate(len(line) + 1 for line in self.document.lines)]

    @cached_property
    def _imports(self) -> list[tuple[int, int]]:
        return [found.span() for found in self.form.imports.finditer(self.text)] if self.form is not None else []

    def cut(self, span: Span) -> str:
        return self.text[self.offset(span.start) : self.offset(span.end)]

    def offset(self, position: Position) -> int:
        line = min(position.line, len(self.document.lines))
        return self._starts[line - 1] + self.document.index(Position(line, position.character))

    def position(self, offset: int) -> Position:
        line = bisect_right(self._starts, offset)
        index = offset - self._starts[line - 1]
        return Position(line, index + 1 + (0 if self._ascii else bisect_left(self.document.pairs(line), index)))

    def span(self, start: int, end: int) -> Span:
        return Span(self.position(start), self.position(end))

    @cached_property
    def imported_words(self) -> frozenset[str]:
        """The words of all imports; not of TypeScript and JavaScript."""
        return frozenset(word for start, end in self._imports for word in _WORD.findall(self.text, start, end))

    def in_imports(self, offset: int) -> bool:
        """Whether an import stands there; of TypeScript and JavaScript facts tell it."""
        row = bisect_right(self._imports, (offset, len(self.text) + 1)) - 1
        start, end = self._imports[row] if row >= 0 else (0, 0)
        return start <= offset < end
