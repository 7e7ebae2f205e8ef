"""An index as lists of texts and numbers, for a file; rebuilt from them it answers as the original.

Splitting a library into terms takes seconds, and so does counting them; reading the numbers back takes neither.
"""

from __future__ import annotations

import itertools
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias

from cn_daemon.domain.libraries.ranking.best import BestIndex, Postings, Prepared, Tables
from cn_daemon.domain.libraries.ranking.spelling import Vocabulary, WordTables

Numbers: TypeAlias = "array[Any]"


class Frozen(NamedTuple):
    """An index at one moment: copied at once, to be flattened in a thread while the index goes on."""

    tables: Tables
    words: WordTables


class Flat(NamedTuple):
    """keys: as the index calls its commands, None for one that is gone."""

    keys: list[Hashable | None]
    texts: Mapping[str, list[str]]
    numbers: Mapping[str, Numbers]


def frozen(index: BestIndex) -> Frozen:
    return Frozen(index.tables(), index.vocabulary.tables())


def flat(moment: Frozen) -> Flat:
    """The index as it was at that moment."""
    tables, words = moment
    numbers: dict[str, Numbers] = {
        "totals": array("Q", tables.totals),
        "averages": array("d", tables.averages),
        "changes": array("Q", [tables.changes]),
        "word counts": array("I", (words.counts[word] for word in words.words)),
        **_postings(tables),
        **_prepared(tables),
    }
    pairs = [(pair, known[: bisect_left(known, len(words.words))]) for pair, known in words.pairs.items()]
    numbers["pair sizes"], numbers["pairs"] = _joined("I", (known for _, known in pairs))
    texts = {
        "terms": list(tables.postings),
        "words": words.words,
        "stems": list(words.stems),
        "pairs": [pair for pair, _ in pairs],
    }
    return Flat(tables.keys, texts, numbers)


def index_of(kept: Flat) -> BestIndex:
    """The index. Raises KeyError, IndexError, TypeError or ValueError for one that `flat` did not make."""
    texts, numbers = kept.texts, kept.numbers
    terms, words = texts["terms"], texts["words"]
    postings: Postings = dict(
        zip(
            terms,
            zip(
                _split(numbers["posting sizes"], numbers["postings"]),
                _split(numbers["posting sizes"], numbers["sums"]),
                strict=True,
            ),
            strict=True,
        )
    )
    pairs = dict(zip(texts["pairs"], _split(numbers["pair sizes"], numbers["pairs"]), strict=True))
    tables = Tables(
        _prepared_of(kept),
        kept.keys,
        postings,
        numbers["beyond"],
        [*map(int, numbers["totals"])],
        [*numbers["averages"]],
        int(numbers["changes"][0]),
    )
    counts = Counter(dict(zip(words, numbers["word counts"], strict=True)))
    vocabulary = Vocabulary.of_tables(WordTables(counts, set(texts["stems"]), words, pairs))
    return BestIndex.of_tables(tables, vocabulary)


def _postings(tables: Tables) -> dict[str, Numbers]:
    # Numbers rise within a posting: what was added since that moment is at its end.
    most = len(tables.keys)
    ends = [bisect_left(numbers, most) for numbers, _ in tables.postings.values()]
    _, numbers = _joined("I", (row[0][:end] for row, end in zip(tables.postings.values(), ends, strict=True)))
    _, sums = _joined("f", (row[1][:end] for row, end in zip(tables.postings.values(), ends, strict=True)))
    return {"posting sizes": array("I", ends), "postings": numbers, "sums": sums, "beyond": tables.beyond}


def _prepared(tables: Tables) -> dict[str, Numbers]:
    place = {term: number for number, term in enumerate(tables.postings)}
    items = [tables.prepared[key] for key in tables.keys if key is not None]
    sizes, words = _joined("I", (array("I", map(place.__getitem__, item.words)) for item in items))
    _, counts = _joined("Q", (item.counts for item in items))
    name_sizes, names = _joined("I", (array("I", map(place.__getitem__, item.name)) for item in items))
    rest_sizes, rests = _joined("Q", (item.beyond for item in items))
    lengths = array("Q", itertools.chain.from_iterable(item.lengths for item in items))
    return {
        "sizes": sizes,
        "prepared": words,
        "counts": counts,
        "name sizes": name_sizes,
        "names": names,
        "rest sizes": rest_sizes,
        "rests": rests,
        "lengths": lengths,
    }


def _prepared_of(kept: Flat) -> dict[Hashable, Prepared]:
    numbers, none = kept.numbers, frozenset[str]()
    living = [key for key in kept.keys if key is not None]
    width = len(numbers["lengths"]) // max(1, len(living))
    term = kept.texts["terms"].__getitem__
    rows = zip(
        living,
        _split(numbers["sizes"], numbers["prepared"]),
        _split(numbers["sizes"], numbers["counts"]),
        _split(itertools.repeat(width, len(living)), numbers["lengths"]),
        _split(numbers["name sizes"], numbers["names"]),
        _split(numbers["rest sizes"], numbers["rests"]),
        strict=True,
    )
    return {
        key: Prepared(tuple(map(term, words)), counts, tuple(lengths), tuple(map(term, name)), none, rest)
        for key, words, counts, lengths, name, rest in rows
    }


def _joined(kind: str, parts: Iterable[Numbers]) -> tuple[Numbers, Numbers]:
    sizes: Numbers = array("I")
    joined: Numbers = array(kind)
    for part in parts:
        sizes.append(len(part))
        joined.extend(part)
    return sizes, joined


def _split(sizes: Iterable[int], joined: Numbers) -> list[Numbers]:
    ends = [*itertools.accumulate(map(int, sizes), initial=0)]
    if ends[-1] != len(joined):
        raise ValueError("the sizes do not add up")
    return [joined[start:end] for start, end in itertools.pairwise(ends)]
