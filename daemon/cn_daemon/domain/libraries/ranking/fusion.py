"""Several rankings as one, by reciprocal rank: Cormack, Clarke, Büttcher, SIGIR 2009."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

T = TypeVar("T")
# What the paper found best: how much less the second of a ranking counts than the first.
_SMOOTHING = 60


def fused(rankings: Sequence[Sequence[T]], key: Callable[[T], Hashable], score: Callable[[T], float]) -> list[T]:
    """Each thing once, best first; among equals the order of the first ranking that has them. Of the hits of one thing
    that of the highest score. A single ranking stays as it is."""
    if len(rankings) == 1:
        return list(rankings[0])
    best: dict[Hashable, T] = {}
    ranks: dict[Hashable, float] = {}
    for ranking in rankings:
        for place, hit in enumerate(ranking):
            ranks[key(hit)] = ranks.get(key(hit), 0.0) + 1 / (_SMOOTHING + place)
            best[key(hit)] = max(best.get(key(hit), hit), hit, key=score)
    return [best[one] for one in sorted(ranks, key=lambda one: -ranks[one])]


def phrasings(texts: Sequence[str]) -> list[str]:
    """A question in different words. Single words, as a shell divides a question without quotes, are one question's."""
    distinct = list(dict.fromkeys(text for text in texts if text.strip()))
    return distinct if len(distinct) < 2 or any(" " in text.strip() for text in distinct) else [" ".join(distinct)]
