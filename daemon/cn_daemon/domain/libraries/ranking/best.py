"""The default ranking: BM25F over what is known of a command, with spelling correction and a glossary.

S. Robertson, H. Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond (2009), section 3.6: the counts of
a word in the fields are weighed, divided by each field's relative length, summed, and only then saturated. Postings
hold the saturated sums, so that a question only multiplies and adds.
"""

from __future__ import annotations

import math
import zlib
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from cn_daemon.domain.libraries.commands import CommandText
from cn_daemon.domain.libraries.ranking.actions import METHODS, fitting, marked
from cn_daemon.domain.libraries.ranking.glossary import brought_in, glossary
from cn_daemon.domain.libraries.ranking.japanese import in_english
from cn_daemon.domain.libraries.ranking.spelling import Vocabulary, words_of
from cn_daemon.domain.libraries.ranking.stopwords import ASKING, STOPWORDS
from cn_daemon.domain.libraries.ranking.words import counted, terms


class Field(NamedTuple):
    """weight: of one occurrence. b: how much a long field dilutes it, 0–1."""

    weight: float
    b: float


# The one table of weights, in the order of `_texts`: name, description, headings, body, words of the glossary.
FIELDS = (Field(4, 0.3), Field(3, 0.75), Field(1, 0.75), Field(0.5, 0.75), Field(1.5, 0.75))
K1 = 2.5
BODY_CHARACTERS = 2500
STOPWORD_WEIGHT, ASKING_WEIGHT = 0.15, 0.5
# A Japanese word is many terms, its characters and pairs; its English is one or two.
CHARACTER_WEIGHT, PAIR_WEIGHT, TRANSLATED_WEIGHT = 0.3, 0.7, 1.5
# A word counts by its rarity to this power: at 1, one rare word that a text holds by chance beats three that are meant.
RARITY = 0.5
# How much of a score hangs on the share of the query that matched; what matching the whole name adds.
COVERAGE, NAMED = 0.4, 0.2
_GLOSSED_HEADINGS = 200
_CACHED = 500
_NAMED_AMONG = 200
_NUMBER = 24
_BITS, _MOST = 12, (1 << 12) - 1
# All fields but the last, the glossary's.
_OWN = (1 << (_BITS * (len(FIELDS) - 1))) - 1
# Averages move slowly: the postings are rebuilt when this share of the commands changed.
_DRIFT = 0.25


class Ranked(NamedTuple):
    """relevance: 0–99; 100 is an exact name's. matched: the share of the query that it holds, 0–1."""

    key: Hashable
    score: float
    relevance: int
    matched: float


class Prepared(NamedTuple):
    """One command's texts as terms; counts: of each term, 12 bits a field. lengths: of each field, in terms. beyond:
    what only the rest of a long body holds, as `_mark`s: it is found there, and not ranked by it."""

    words: tuple[str, ...]
    counts: array[int]
    lengths: tuple[int, ...]
    name: tuple[str, ...]
    plain_words: frozenset[str]
    beyond: array[int]

    def holds(self, word: str) -> bool:
        """Whether a text of its own holds a term that it is found by."""
        return bool(self.counts[self.words.index(word)] & _OWN)


Postings: TypeAlias = "dict[str, tuple[array[int], array[float]]]"


class Tables(NamedTuple):
    """All that an index holds, for `kept`. keys: by number, None for a command that is gone. beyond: marks with
    numbers, sorted."""

    prepared: dict[Hashable, Prepared]
    keys: list[Hashable | None]
    postings: Postings
    beyond: array[int]
    totals: list[int]
    averages: list[float]
    changes: int


def prepare(text: CommandText) -> Prepared:
    """The costly half of indexing: safe in any thread."""
    name, description, headings, body = _texts(text)
    fields = [counted(part) for part in (name, description, headings, body)]
    head = (name, description, headings[:_GLOSSED_HEADINGS])
    english = terms(in_english(" ".join(head)))
    glossed = [*map(terms, head), english]
    fields.append(Counter(set(english).union(*map(brought_in, glossed))))
    packed: dict[str, int] = {}
    for number, words in enumerate(fields):
        for word, count in words.items():
            packed[word] = packed.get(word, 0) + (min(count, _MOST) << (_BITS * number))
    if text.command.http is not None:
        packed[marked(text.command.http.method)] = 1 << (_BITS * (len(fields) - 1))
    lengths = tuple(sum(words.values()) for words in fields)
    plain_words = frozenset(words_of(f"{name.replace('_', ' ')} {description} {headings} {body}"))
    beyond = array("Q", {_mark(word) for word in counted(text.body[BODY_CHARACTERS:]).keys() - packed.keys()})
    return Prepared(tuple(packed), array("Q", packed.values()), lengths, tuple(fields[0]), plain_words, beyond)


def _texts(text: CommandText) -> tuple[str, str, str, str]:
    command = text.command
    name = f"{command.name} {text.folders} {' '.join(command.keywords)}"
    return name, command.description, text.headings, text.body[:BODY_CHARACTERS]


class BestIndex:
    """Commands by key. One thread at a time; `extend` with many is best done before the index is shown around.

    vocabulary: of an earlier index, to go on with.
    """

    def __init__(self, vocabulary: Vocabulary | None = None) -> None:
        self.vocabulary = vocabulary or Vocabulary()
        self._prepared: dict[Hashable, Prepared] = {}
        self._keys: list[Hashable | None] = []
        self._numbers: dict[Hashable, int] = {}
        self._postings: Postings = {}
        # A third of all terms stand only there: as numbers they take a tenth of what texts would.
        self._beyond = array("Q")
        self._late: dict[int, list[int]] = {}
        self._totals = [0] * len(FIELDS)
        self._averages = [1.0] * len(FIELDS)
        self._changes = 0
        self._idfs: dict[str, float] = {}
        self._own: dict[str, list[Hashable]] = {}
        self._names: dict[int, float] = {}
        self._taught = False

    def __len__(self) -> int:
        return len(self._numbers)

    def extend(self, prepared: Iterable[tuple[Hashable, Prepared]]) -> None:
        """Add or replace commands."""
        fresh = dict(prepared)
        self._teach()
        for key in fresh:
            self._forget(key)
        for key, item in fresh.items():
            # The plain words are the bulk of it, and only the vocabulary needs them.
            self._prepared[key] = item._replace(plain_words=frozenset())
            self._totals = [total + length for total, length in zip(self._totals, item.lengths, strict=True)]
            self.vocabulary.add(item.plain_words)
        self._settle(fresh)

    def remove(self, keys: Iterable[Hashable]) -> None:
        for key in keys:
            self._forget(key)
        self._settle(())

    def prepared(self) -> dict[Hashable, Prepared]:
        return dict(self._prepared)

    def tables(self) -> Tables:
        """What it holds now: later changes only append to the arrays of its postings."""
        return Tables(
            dict(self._prepared),
            list(self._keys),
            dict(self._postings),
            self._merged(),
            self._totals,
            self._averages,
            self._changes,
        )

    @classmethod
    def of_tables(cls, tables: Tables, vocabulary: Vocabulary) -> BestIndex:
        """An index as it was; its vocabulary knows the glossary already."""
        index = cls(vocabulary)
        index._prepared, index._keys, index._postings, index._beyond = tables[:4]
        index._totals, index._averages, index._changes = tables[4:]
        index._numbers = {key: number for number, key in enumerate(index._keys) if key is not None}
        index._taught = True
        return index

    def _teach(self) -> None:
        """Let no word of the glossary be corrected as a slip."""
        if not self._taught:
            self._taught = True
            for members in glossary().values():
                self.vocabulary.learn(word for _, others in members for word in others)

    def _forget(self, key: Hashable) -> None:
        item = self._prepared.pop(key, None)
        if item is not None:
            self._totals = [total - length for total, length in zip(self._totals, item.lengths, strict=True)]
            # Its numbers stay in the postings and count no more.
            self._keys[self._numbers.pop(key)] = None
            self._changes += 1

    def _settle(self, fresh: Iterable[Hashable]) -> None:
        added = list(fresh)
        self._idfs.clear()
        self._own.clear()
        self._names.clear()
        self._changes += len(added)
        if self._changes > _DRIFT * len(self._prepared):
            self._postings, self._keys, self._numbers, self._changes = {}, [], {}, 0
            self._beyond, self._late = array("Q"), {}
            count = max(1, len(self._prepared))
            self._averages = [max(1.0, total / count) for total in self._totals]
            added = list(self._prepared)
        for key in added:
            self._post(key, self._prepared[key])
        if not self._changes:
            self._beyond, self._late = self._merged(), {}

    def _merged(self) -> array[int]:
        late = [mark << _NUMBER | number for mark, numbers in self._late.items() for number in numbers]
        return array("Q", sorted([*self._beyond, *late])) if late else self._beyond

    def _further(self, word: str) -> Iterator[int]:
        """The numbers of those that hold the term in the rest of a long body only."""
        mark, beyond = _mark(word), self._beyond
        at = bisect_left(beyond, mark << _NUMBER)
        while at < len(beyond) and beyond[at] >> _NUMBER == mark:
            yield beyond[at] & ((1 << _NUMBER) - 1)
            at += 1
        yield from self._late.get(mark, ())

    def _post(self, key: Hashable, item: Prepared) -> None:
        number = self._numbers[key] = len(self._keys)
        self._keys.append(key)
        norms = [
            field.weight / (1 - field.b + field.b * length / average)
            for field, length, average in zip(FIELDS, item.lengths, self._averages, strict=True)
        ]
        postings = self._postings
        for word, packed in zip(item.words, item.counts, strict=True):
            sum_ = 0.0
            for norm in norms:
                if packed & _MOST:
                    sum_ += (packed & _MOST) * norm
                packed >>= _BITS
            posting = postings.get(word)
            if posting is None:
                posting = postings[word] = (array("I"), array("f"))
            posting[0].append(number)
            posting[1].append(sum_ * (K1 + 1) / (K1 + sum_))
        for mark in item.beyond:
            self._late.setdefault(mark, []).append(number)

    def search(self, query: str, limit: int) -> list[Ranked]:
        """The best commands for a query that is already spelled right, best first, equals in the order of adding."""
        wanted = list(dict.fromkeys(terms(query)))
        weights = {word: self._idf(word) * _weight(word) for word in wanted}
        for word in terms(in_english(query)):
            weights.setdefault(word, self._idf(word) * TRANSLATED_WEIGHT)
        total_weight = sum(weights.values()) or 1.0
        scores = [0.0] * len(self._keys)
        weight_held = [0.0] * len(self._keys)
        for word, weight in weights.items():
            numbers, sums = self._postings.get(word, ((), ()))
            for number, value in zip(numbers, sums, strict=True):
                scores[number] += value * weight
                weight_held[number] += weight
        self._hold_back(query, scores)
        found = [
            (score * (1 - COVERAGE + COVERAGE * weight_held[number] / total_weight), number)
            for number, score in enumerate(scores)
            if score and self._keys[number] is not None
        ]
        wanted_most = max(limit, _NAMED_AMONG)
        if len(found) > wanted_most:
            least = sorted([score for score, _ in found])[-wanted_most]
            found = [row for row in found if row[0] >= least]
        found.sort(key=_best_first)
        named = [(score * (1 + NAMED * self._share(number, weights)), number) for score, number in found[:wanted_most]]
        named.sort(key=_best_first)
        return [
            self._ranked(score, number, weight_held[number] / total_weight, total_weight)
            for score, number in named[:limit]
        ]

    def _hold_back(self, query: str, scores: list[float]) -> None:
        """Lower the operations whose method does something else than the query wants."""
        methods, verbs, kept = fitting(query)
        for method in METHODS - methods:
            numbers, _ = self._postings.get(marked(method), ((), ()))
            for number in numbers:
                key = self._keys[number]
                if scores[number] and key is not None and verbs.isdisjoint(self._prepared[key].name):
                    scores[number] *= kept

    def holders(self, word: str, *, names: bool = False) -> list[Hashable]:
        """The commands whose own texts hold this term, or their name; the glossary's words are not theirs."""
        numbers, _ = self._postings.get(word, ((), ()))
        keys = [key for number in numbers if (key := self._keys[number]) is not None]
        if names:
            return [key for key in keys if word in self._prepared[key].name]
        own = self._own.get(word)
        if own is None:
            if len(self._own) > _CACHED:
                self._own.clear()
            own = self._own[word] = [key for key in keys if self._prepared[key].holds(word)]
            own += [key for number in self._further(word) if (key := self._keys[number]) is not None]
        return own

    def corrected(self, query: str, *, with_bodies: bool = False) -> tuple[str, dict[str, str]]:
        """The query with its unknown words corrected, and which became what. with_bodies: the rest of long bodies is
        known as well, where an author's slips would pass for words."""
        known = (lambda term: next(self._further(term), None) is not None) if with_bodies else None
        return self.vocabulary.corrected(query, known)

    def _ranked(self, score: float, number: int, share: float, total_weight: float) -> Ranked:
        # The most a query can reach is every word saturated, which no real text does.
        reached = min(1.0, score / (total_weight * (K1 + 1) * 0.6))
        return Ranked(self._keys[number], score, max(1, min(99, round(100 * math.sqrt(reached)))), share)

    def _share(self, number: int, weights: Mapping[str, float]) -> float:
        """The share of the name's own words that the query holds."""
        key = self._keys[number]
        name: Sequence[str] = self._prepared[key].name if key is not None else ()
        total_weight = self._names.get(number)
        if total_weight is None:
            total_weight = self._names[number] = sum(map(self._idf, name))
        return sum([self._idf(word) for word in name if word in weights]) / total_weight if total_weight else 0.0

    def _idf(self, word: str) -> float:
        known = self._idfs.get(word)
        if known is None:
            posting = self._postings.get(word)
            holders = len(posting[0]) if posting else 0
            known = self._idfs[word] = math.log(1 + (len(self._keys) - holders + 0.5) / (holders + 0.5)) ** RARITY
        return known


def _weight(word: str) -> float:
    """How much a term of a query counts, besides its rarity."""
    if word in STOPWORDS:
        return STOPWORD_WEIGHT
    if word in ASKING:
        return ASKING_WEIGHT
    if word.isascii() or len(word) > 2:
        return 1.0
    return CHARACTER_WEIGHT if len(word) == 1 else PAIR_WEIGHT


def _mark(word: str) -> int:
    """A term as a number of 40 bits; two of a library's hundred thousand are hardly ever the same."""
    text = word.encode(errors="surrogatepass")
    return (len(text) & 0xFF) << 32 | zlib.crc32(text)


def _best_first(row: tuple[float, int]) -> tuple[float, int]:
    return -row[0], row[1]
