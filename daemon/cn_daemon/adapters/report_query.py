"""What a question for reports looks for: corrected, and cut down to what can be answered in time."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, Protocol

from cn_daemon.domain.libraries.ranking.spelling import TWO_SLIPS_FROM, distance
from cn_daemon.domain.libraries.ranking.stems import stem
from cn_daemon.domain.libraries.ranking.stopwords import STOPWORDS
from cn_daemon.domain.libraries.ranking.words import raw_words
from cn_daemon.domain.libraries.reports import ReportQuery, spelled

# bm25 is computed for every report that holds a word: beyond this many, the commonest words are left out.
BUDGET = 8_000
_MOST_WORDS, _MOST_PAIRS = 24, 6
_QUOTED = re.compile(r"\"([^\"]+)\"")
_ASKING = frozenset("show me all the report reports find list about of for please give get".split())


class Match(NamedTuple):
    """any: words and pairs of them, of which a report holds one at least. all: phrases, of which it holds each."""

    any: tuple[tuple[str, ...], ...] = ()
    all: tuple[tuple[str, ...], ...] = ()


class Counting(Protocol):
    """What is asked of a database of reports to read a question."""

    def count(self, words: Sequence[str], most: int) -> int: ...

    def candidates(self, beginning: str, shortest: int, longest: int) -> list[tuple[str, int]]: ...


class ParsedQuery(NamedTuple):
    """match: an empty one asks for no words. words: those that excerpts look for. command: a folder's, spelled
    alike. weights: of the words that the library has, how much each tells; total: of all words of the question."""

    match: Match
    words: frozenset[str]
    command: str
    weights: Mapping[str, float] = MappingProxyType({})
    total: float = 1.0


def parsed(database: Counting, query: ReportQuery, commands: frozenset[str], memory: dict[str, int]) -> ParsedQuery:
    """commands: spelled alike. memory: how many reports hold a word, kept between questions of one generation."""
    command, text = _command(query, commands)
    phrases = [tuple(words) for found in _QUOTED.findall(text) if len(words := raw_words(found)) > 1]
    words = list(dict.fromkeys(raw_words(text)))[:_MOST_WORDS]
    # "latest reports": what else is asked for says which, and these words are no topic.
    narrowed = command or query.latest or query.since or query.until or query.wanted
    counted = [word for word in words if stem(word) not in STOPWORDS and not (word in _ASKING and narrowed)] or (
        [] if narrowed else words
    )
    weights: dict[str, float] = {}
    total = 0.0
    for word in counted:
        found = _known(database, word, memory)
        weight = _weight(_count(database, found, memory) if found else 0)
        total += weight
        if found:
            # What stands for a word that nobody wrote may mean something else.
            weights[found] = weight if found == word else weight / 2
    known = list(weights)
    days = [day for first, last in query.wanted if (day := _day_word(first, last))]
    for day in days:
        weights[day] = _weight(_count(database, day, memory))
        total += weights[day]
    chosen = list(_within(dict.fromkeys(known + days), memory, database))
    pairs = [pair for pair in itertools.pairwise(known) if {*pair} <= {*chosen}]
    match = Match((*((word,) for word in chosen), *pairs[:_MOST_PAIRS]), tuple(phrases))
    return ParsedQuery(match, frozenset(stem(word) for word in known), command, weights, total or 1.0)


def _weight(holders: int) -> float:
    """How much a word tells that so many reports hold, up to BUDGET."""
    return math.log(2 + BUDGET / (1 + holders))


def _command(query: ReportQuery, commands: frozenset[str]) -> tuple[str, str]:
    """The command that is asked about, and the words without it: given, or named inside the sentence."""
    if query.command:
        return spelled(query.command), query.words
    for token in query.words.split():
        name = spelled(token.strip("`'\"?!,;"))
        if "-" in name and name in commands:
            return name, query.words.replace(token, " ")
    return "", query.words


def _known(database: Counting, word: str, memory: dict[str, int]) -> str:
    """The word, or the library's nearest when it holds no such word; "" when there is none near."""
    if _count(database, word, memory):
        return word
    if not (word.isascii() and word.isalpha()) or len(word) < 4:
        return ""
    wrong, limit = stem(word), 1 if len(word) < TWO_SLIPS_FROM else 2
    near = [
        (distance(wrong, term, limit), -docs, term)
        for term, docs in database.candidates(wrong[0], len(wrong) - limit, len(wrong) + limit)
        if len({*term} ^ {*wrong}) <= 2 * limit
    ]
    best = min(near, default=(limit + 1, 0, ""))
    return best[2] if best[0] <= limit else ""


def _within(words: dict[str, None], memory: dict[str, int], database: Counting) -> Iterator[str]:
    """The rarest words, as many as the budget allows, and one at least."""
    spent = 0
    for number, word in enumerate(sorted(words, key=lambda word: _count(database, word, memory))):
        spent += _count(database, word, memory)
        if number and spent > BUDGET:
            return
        yield word


def _count(database: Counting, word: str, memory: dict[str, int]) -> int:
    if word not in memory:
        if len(memory) > 20_000:
            memory.clear()
        memory[word] = database.count([word], BUDGET + 1)
    return memory[word]


def _day_word(first: str, last: str) -> str:
    """The word that finds a day, a month or a year; see `report_text.date_words`."""
    if first == last:
        return "d" + first.replace("-", "")
    if first[:7] == last[:7]:
        return "m" + first[:7].replace("-", "")
    return "y" + first[:4] if first[:4] == last[:4] and first.endswith("-01-01") else ""
