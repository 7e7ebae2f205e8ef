"""Places in a text. Lines and characters are 1-based here, as on the wire and in tsserver; characters count
UTF-16 code units. An adapter that speaks LSP (0-based) converts at its own seam.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar, cast

Fact = TypeVar("Fact")
T = TypeVar("T")
# Texts whose outlines are kept, of each some 25 KB.
TEXTS_KEPT = 2000
WORDS_KEPT = 16
# Characters of a line before a place in it.
LINE_READ = 2000
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")
_ESCAPE = re.compile(r"\\u(?:([\da-fA-F]{4})|\{0*([\da-fA-F]{1,6})\})")


class Position(NamedTuple):
    line: int
    character: int


class Span(NamedTuple):
    """From `start` up to, not including, `end`."""

    start: Position
    end: Position

    def holds(self, place: Position) -> bool:
        """Whether `place` lies in the span or touches its end, as a caret does."""
        return self.start <= place <= self.end

    def encloses(self, other: Span) -> bool:
        return self.start <= other.start and other.end <= self.end


# Of a file, without a length.
BEGINNING = Span(Position(1, 1), Position(1, 1))


class Lines(NamedTuple):
    """First and last line, 1-based, both shown."""

    first: int
    last: int

    @property
    def length(self) -> int:
        return self.last - self.first + 1


def utf16_length(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def character_at(line: str, index: int) -> int:
    """The 1-based UTF-16 character of `line[index]`."""
    return utf16_length(line[:index]) + 1


def index_at(line: str, character: int) -> int:
    """The index into `line` of a 1-based UTF-16 character, at most the line's length."""
    if line.isascii():
        return min(character - 1, len(line))
    encoded = line.encode("utf-16-le", "surrogatepass")[: (character - 1) * 2]
    return len(encoded.decode("utf-16-le", "replace"))


def shortened(text: str) -> str:
    """As a place is shown: at most 100 characters."""
    return text[:100].rstrip()


def unescaped(text: str) -> str:
    """With `\\u0041` and `\\u{41}` read as the letters they stand for: a name may be written so."""

    def letter(match: re.Match[str]) -> str:
        code = int(match[1] or match[2], 16)
        return chr(code) if code < 0x110000 else match[0]

    return _ESCAPE.sub(letter, text)


def line_start(text: str, place: int) -> int:
    """Where the line of a place begins. Of a line as long as a file only the nearest part is looked at: asked at each
    word of it, all before it would be read as many times."""
    nearest = max(0, place - LINE_READ)
    return max(nearest, text.rfind("\n", nearest, place) + 1)


def occurrences(text: str, word: str) -> Iterator[int]:
    """Where `word` stands in `text` as a whole word: not inside a longer identifier. Many times faster than `re`. An
    empty one is no word: it stands nowhere."""
    width = len(word)
    start = text.find(word) if word else -1
    while start >= 0:
        end = start + width
        if not _continues(text[start - 1 : start]) and not _continues(text[end : end + 1]):
            yield start
        start = text.find(word, end)


def _continues(character: str) -> bool:
    return character.isalnum() or character in ("_", "$")


class Document:
    """A text and its lines, as LSP, editors and grep count them: LF, CRLF and CR end them, and nothing else does (to
    TypeScript U+2028 and U+2029 do, to Python's `splitlines` many others)."""

    __slots__ = ("_answers", "_facts", "_lines", "_pairs", "path", "text")

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self._lines: list[str] | None = None
        self._facts: dict[object, object] = {}
        self._pairs: dict[int, list[int]] = {}
        self._answers: dict[tuple[object, str], object] = {}

    def once(self, compute: Callable[[Document], Fact]) -> Fact:
        """`compute` of this document, worked out at its first asking."""
        fact = self._facts.get(compute)
        if fact is None:
            fact = self._facts[compute] = compute(self)
        return cast(Fact, fact)

    def known(self, compute: Callable[[Document, str], Fact], word: str) -> Fact:
        """`compute` of this document and a word, kept for the words that were asked about last."""
        key = (compute, word)
        if key not in self._answers:
            if len(self._answers) >= WORDS_KEPT:
                del self._answers[next(iter(self._answers))]
            self._answers[key] = compute(self, word)
        return cast(Fact, self._answers[key])

    @property
    def lines(self) -> list[str]:
        if self._lines is None:
            self._lines = self.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        return self._lines

    def line(self, number: int) -> str:
        """The line of that 1-based number, without its end; empty past the last."""
        lines = self._lines or self.lines
        return lines[number - 1] if 0 < number <= len(lines) else ""

    def at(self, span: Span) -> str:
        """The text of a span within one line."""
        line = self.line(span.start.line)
        if line.isascii():
            return line[span.start.character - 1 : span.end.character - 1]
        return line[self.index(span.start) : self.index(span.end)]

    def index(self, place: Position) -> int:
        """The index into its line of a place, at most the line's length."""
        line, units = self.line(place.line), place.character - 1
        if not line.isascii():
            pairs = self.pairs(place.line)
            # The n-th of them begins at its index and n code units more.
            units -= bisect_left(range(len(pairs)), units, key=lambda number: pairs[number] + number)
        return min(units, len(line))

    def pairs(self, number: int) -> list[int]:
        """The indices in a line of the characters of two code units. Kept: a line may be the whole file."""
        pairs = self._pairs.get(number)
        if pairs is None:
            pairs = self._pairs[number] = [match.start() for match in _ASTRAL.finditer(self.line(number))]
        return pairs

    def preview(self, number: int) -> str:
        """The line, trimmed, at most 100 characters."""
        return shortened(self.line(number).strip())


class AnswersByText(Generic[T]):
    """What a server has answered about a text, until that of its file is another one."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, tuple[str, T]] = OrderedDict()

    async def of(
        self, documents: Sequence[Document], fetch: Callable[[Sequence[Document]], Awaitable[Sequence[T]]]
    ) -> dict[str, T]:
        """By path. fetch: asks the server, for the texts of which nothing is kept."""
        # Held from here on: while the server is asked, another question may put another text in its place.
        found = {
            one.path: kept[1]
            for one in documents
            if (kept := self._kept.get(one.path)) is not None and kept[0] == one.text
        }
        missing = [one for one in documents if one.path not in found]
        if missing:
            found.update(zip((one.path for one in missing), await fetch(missing), strict=True))
        for one in documents:
            self._kept[one.path] = (one.text, found[one.path])
            self._kept.move_to_end(one.path)
        while len(self._kept) > max(TEXTS_KEPT, len(documents)):
            self._kept.popitem(last=False)
        return found
