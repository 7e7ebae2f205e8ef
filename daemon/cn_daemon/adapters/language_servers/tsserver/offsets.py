"""Places that tsserver tells as offsets into a text, in UTF-16 code units."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

from cn_daemon.domain.source.text import Position, Span

_END = re.compile("\r\n|[\n\r]")
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


class Offsets:
    """Of one text."""

    def __init__(self, text: str) -> None:
        ends = [found.end() for found in _END.finditer(text)]
        if not text.isascii():
            pairs = [found.start() for found in _ASTRAL.finditer(text)]
            ends = [end + bisect_left(pairs, end) for end in ends]
        self._starts = [0, *ends]

    def span(self, row: dict[str, int]) -> Span:
        """Of a row {start, length}."""
        return self.between(row["start"], row["start"] + row["length"])

    def between(self, start: int, end: int) -> Span:
        return Span(self.place(start), self.place(end))

    def of(self, place: Position) -> int:
        """The offset of a place; the end of the text where it has no such line."""
        line = min(place.line, len(self._starts))
        return self._starts[line - 1] + place.character - 1

    def place(self, offset: int) -> Position:
        line = bisect_right(self._starts, offset)
        return Position(line, offset - self._starts[line - 1] + 1)
