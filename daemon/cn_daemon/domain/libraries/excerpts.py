"""A piece of a text around what was looked for."""

from __future__ import annotations

import re
from collections.abc import Collection

from cn_daemon.domain.libraries.front_matter import front_matter
from cn_daemon.domain.libraries.ranking.words import terms

WIDTH = 200
_LEAD = 60
_WORD = re.compile(r"\S+")
_CHARACTERS = 60_000
_HEAD = 4000
_LONGEST = 160
_SPLIT = 12
_BEGINNING, _TELLING = 5, 3


def excerpt(text: str, wanted: Collection[str], width: int = WIDTH) -> str:
    """The line that holds most of the `wanted` terms, cut to `width` characters around the first of them.

    The first line with words when none holds any.
    """
    # Splitting a line into terms is the costly part: only lines that hold the beginning of a telling one are split.
    telling = [word for word in wanted if len(word) >= _TELLING or not word.isascii()] or list(wanted)
    text = text[:_CHARACTERS]
    best, most = "", 0
    beginnings = _Beginnings(text, {word[:_BEGINNING] for word in telling})
    at, split = 0, 0
    while split < _SPLIT and (found := beginnings.after(at)):
        start = text.rfind("\n", 0, found[0]) + 1
        end = text.find("\n", found[1])
        at = end if end >= 0 else len(text)
        line = text[max(start, found[0] - _LONGEST) : min(at, found[1] + _LONGEST)]
        count = len(set(terms(line)) & set(wanted))
        split += 1
        if count > most:
            best, most = line, count
            if most == len(wanted):
                break
    return cut((best or _first(text)).strip().lstrip("#>*- "), wanted, width)


class _Beginnings:
    """Where any of some beginnings of words stands next, in either case. Ten times faster than one regex for all."""

    def __init__(self, text: str, beginnings: Collection[str]) -> None:
        lowered = text.lower()
        # A letter that grows when lowered (İ) would shift every place behind it.
        self._text = lowered if len(lowered) == len(text) else text
        self._next = {word: self._text.find(word) for word in sorted(beginnings)}

    def after(self, at: int) -> tuple[int, int] | None:
        """The first one at or behind `at`, as its start and end."""
        first: tuple[int, int] | None = None
        for word, place in self._next.items():
            if 0 <= place < at:
                place = self._next[word] = self._text.find(word, at)
            if place >= 0 and (first is None or place < first[0]):
                first = place, place + len(word)
        return first


def without_frontmatter(text: str) -> str:
    """A Markdown text from behind its frontmatter."""
    found = front_matter(text)
    return text[found.end :] if found else text


def _first(text: str) -> str:
    return next((line for line in text[:_HEAD].splitlines() if len(line.strip("#>*- ")) > 2), "")


def cut(line: str, wanted: Collection[str], width: int = WIDTH) -> str:
    """The line, or the part of it around the first wanted term, with … where something is missing."""
    line = " ".join(line.split())
    if len(line) <= width:
        return line
    start = 0
    for word in _WORD.finditer(line):
        if set(terms(word[0])) & set(wanted):
            start = max(0, min(word.start() - _LEAD, len(line) - width))
            break
    if start:
        start = line.find(" ", start) + 1 or start
    piece = line[start : start + width]
    return ("…" if start else "") + piece.rstrip() + ("…" if start + width < len(line) else "")
