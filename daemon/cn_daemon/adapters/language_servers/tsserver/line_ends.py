"""tsserver's lines and ours: it ends them at U+2028 and U+2029 too, as neither LSP does, nor editors, nor grep."""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from functools import lru_cache

from cn_daemon.domain.source.text import Position, Span, utf16_length

_END = re.compile("\r\n|[\n\r]")
_SEPARATOR = re.compile("[\u2028\u2029]")


class LineEnds:
    """Of one text that has such characters. tsserver's lines: of each the line of ours that it is in, from 1, and how
    many characters of that stand before it."""

    def __init__(self, text: str) -> None:
        self._begun: list[tuple[int, int]] = []
        for number, line in enumerate(_END.split(text), 1):
            before = 0
            for part in _SEPARATOR.split(line):
                self._begun.append((number, before))
                before += utf16_length(part) + 1

    def sent(self, place: Position) -> Position:
        """As tsserver counts."""
        line = bisect_right(self._begun, (place.line, place.character - 1))
        number, before = self._begun[line - 1]
        return Position(line, place.character - before) if number == place.line else place

    def received(self, span: Span) -> Span:
        """As we count, of a range that tsserver answered."""
        return Span(self._ours(span.start), self._ours(span.end))

    def _ours(self, place: Position) -> Position:
        number, before = self._begun[min(place.line, len(self._begun)) - 1]
        return Position(number, place.character + before)


def line_ends(text: str) -> LineEnds | None:
    """None where both count alike."""
    return LineEnds(text) if "\u2028" in text or "\u2029" in text else None


def line_ends_of(path: str) -> LineEnds | None:
    """Of a file. Of one that cannot be read, none."""
    try:
        facts = os.stat(path)
        return _read(path, facts.st_mtime_ns, facts.st_size)
    except OSError:
        return None


@lru_cache(maxsize=8192)
def _read(path: str, _changed: int, _size: int) -> LineEnds | None:
    with open(path, "rb") as file:
        content = file.read()
    utf16 = content[:2] in (b"\xff\xfe", b"\xfe\xff")
    return line_ends(content.decode("utf-16" if utf16 else "utf-8-sig", "replace"))
