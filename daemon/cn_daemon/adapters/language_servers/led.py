"""The text of a file that a server is given, in which paths stand for specifiers that mean the sources there."""

from __future__ import annotations

import os
from collections.abc import Mapping

from cn_daemon.domain.mentions.noted import specifiers
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document, Position, Span, utf16_length

# How compilers have a source imported.
_IMPORTED = {".ts": ".js", ".tsx": ".js", ".mts": ".mjs", ".cts": ".cjs"}


class Led:
    """Lines stay lines; what stands behind a specifier in its line is at another character in the server's text."""

    def __init__(self, document: Document, meant: Mapping[str, str]) -> None:
        """meant: by specifier, the path of the source."""
        source = document.once(SourceText)
        parts, done = [], 0
        # By line: the character at which each specifier ends, and by how much it grew, in order.
        self._grown: dict[int, list[tuple[int, int]]] = {}
        for specifier, offset in specifiers(document):
            if specifier in meant:
                stem, ending = os.path.splitext(meant[specifier])
                parts += [source.text[done:offset], stem, _IMPORTED.get(ending, ending)]
                done = offset + len(specifier)
                line, character = source.position(done)
                grown = sum(map(utf16_length, parts[-2:])) - utf16_length(specifier)
                self._grown.setdefault(line, []).append((character, grown))
        self.text = "".join([*parts, source.text[done:]])

    def there(self, place: Position) -> Position:
        """Where the server has it."""
        grown = sum(by for end, by in self._grown.get(place.line, ()) if end <= place.character)
        return Position(place.line, place.character + grown)

    def back(self, span: Span) -> Span:
        """Where the file has what the server tells."""
        return Span(self._back(span.start), self._back(span.end))

    def _back(self, place: Position) -> Position:
        line, character = place
        for end, grown in self._grown.get(line, ()):
            if character < end + grown:
                # Of what stands for a specifier only the two ends are known.
                return Position(line, min(character, end))
            character -= grown
        return Position(line, character)
