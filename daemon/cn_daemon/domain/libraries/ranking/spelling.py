"""Spelling correction of a query's words by the library's own words.

A word is corrected when the library does not know it and a known one lies near: one slip (Damerau: a letter wrong,
missing, extra, or two swapped), two from six letters. Among equals, the same first letter and the commoner word win.
"""

from __future__ import annotations

import math
import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple

from cn_daemon.domain.libraries.ranking.stems import stem
from cn_daemon.domain.libraries.ranking.words import fold

WORD = re.compile(r"[^\W\d_]{4,}")
TWO_SLIPS_FROM = 6
_FAR = 9
_SAME_FIRST, _PER_TENFOLD = 0.3, 0.18
_CACHED = 2000


def words_of(text: str) -> set[str]:
    """The words of `text` that a vocabulary keeps: folded, of four letters or more, not stemmed."""
    return {fold(word) for word in set(WORD.findall(text))}


class WordTables(NamedTuple):
    """All that a vocabulary holds, for `kept`. pairs: by two letters, the numbers of the words that hold them."""

    counts: Counter[str]
    stems: set[str]
    words: list[str]
    pairs: dict[str, array[int]]


class Vocabulary:
    """How many texts hold each word, and the words near to a wrong one."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._stems: set[str] = set()
        self._words: list[str] = []
        self._pairs: dict[str, array[int]] = {}
        self._nearest: dict[str, str] = {}

    def add(self, words: Iterable[str]) -> None:
        """Count the words of one more text."""
        self._nearest.clear()
        for word in words:
            if word not in self._counts:
                self._stems.add(stem(word))
                for pair in _pairs(word):
                    self._pairs.setdefault(pair, array("I")).append(len(self._words))
                self._words.append(word)
            self._counts[word] += 1

    def learn(self, stems: Iterable[str]) -> None:
        """Stems that are known without being words of a text."""
        self._stems.update(stems)

    def tables(self) -> WordTables:
        """What it holds now: later changes only append to the arrays of its pairs."""
        return WordTables(self._counts.copy(), set(self._stems), list(self._words), dict(self._pairs))

    @classmethod
    def of_tables(cls, tables: WordTables) -> Vocabulary:
        """A vocabulary as it was."""
        vocabulary = cls()
        vocabulary._counts, vocabulary._stems, vocabulary._words, vocabulary._pairs = tables
        return vocabulary

    def corrected(self, query: str, known: Callable[[str], bool] | None = None) -> tuple[str, dict[str, str]]:
        """The query with its unknown words corrected, and which became what. known: of further stems."""
        changed: dict[str, str] = {}

        def better(match: re.Match[str]) -> str:
            word = fold(match[0])
            near = (
                self.nearest(word)
                if word.isascii() and not (self._knows(word) or (known and known(stem(word))))
                else ""
            )
            if not near:
                return match[0]
            changed[match[0]] = near
            return near

        return WORD.sub(better, query), changed

    def nearest(self, word: str) -> str:
        """The known word that `word` was most likely meant to be, "" when none is near."""
        if word not in self._nearest:
            if len(self._nearest) > _CACHED:
                self._nearest.clear()
            self._nearest[word] = self._search(word)
        return self._nearest[word]

    def _knows(self, word: str) -> bool:
        return word in self._counts or stem(word) in self._stems

    def _search(self, word: str) -> str:
        limit = 1 if len(word) < TWO_SLIPS_FROM else 2
        shared: Counter[int] = Counter()
        for pair in _pairs(word):
            shared.update(self._pairs.get(pair, ()))
        best, cost = "", math.inf
        for number, count in list(shared.items()):
            known = self._words[number]
            # One slip spoils two letter pairs, two swapped letters spoil three.
            if abs(len(known) - len(word)) > limit or count < max(len(word), len(known)) - 2 * limit:
                continue
            slips = distance(word, known, limit)
            if slips <= limit:
                here = slips - _SAME_FIRST * (known[0] == word[0]) - _PER_TENFOLD * math.log10(self._counts[known])
                if (here, known) < (cost, best):
                    best, cost = known, here
        return best


def distance(left: str, right: str, limit: int) -> int:
    """Damerau's distance (optimal string alignment); anything above `limit` may be given as a larger number."""
    if abs(len(left) - len(right)) > limit:
        return _FAR
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, mine in enumerate(left, 1):
        following = [i]
        for j, theirs in enumerate(right, 1):
            value = min(row[j] + 1, following[-1] + 1, row[j - 1] + (mine != theirs))
            if i > 1 and j > 1 and mine == right[j - 2] and left[i - 2] == theirs:
                value = min(value, before[j - 2] + 1)
            following.append(value)
        if min(following) > limit:
            return _FAR
        before, row = row, following
    return row[-1]


def _pairs(word: str) -> set[str]:
    framed = f"^{word}$"
    return {framed[at : at + 2] for at in range(len(framed) - 1)}
