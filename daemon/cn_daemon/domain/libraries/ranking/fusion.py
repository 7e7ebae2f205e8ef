"""Several rankings as one, by reciprocal rank: Cormack, Clarke, Büttcher, SIGIR 2009."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

# What the paper found best: how much less the second of a ranking counts than the first.
_SMOOTHING = 60


def fused(rankings: Sequence[Sequence[Hashable]]) -> list[Hashable]:
    """Each key once, best first; among equals the order of the first ranking that has them."""
    scores: dict[Hashable, float] = {}
    for ranking in rankings:
        for place, key in enumerate(ranking):
            scores[key] = scores.get(key, 0.0) + 1 / (_SMOOTHING + place)
    return sorted(scores, key=lambda key: -scores[key])


def phrasings(texts: Sequence[str]) -> list[str]:
    """A question in different words. Single words, as a shell divides a question without quotes, are one question's."""
    told = list(dict.fromkeys(text for text in texts if text.strip()))
    return told if len(told) < 2 or any(" " in text.strip() for text in told) else [" ".join(told)]
