"""TF-IDF weighted cosine (specs/climpt-mcp-integration, Similarity Search Algorithm).

tf is the count, idf = ln((1 + N) / (1 + df)) + 1, over the targets at hand.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from cn_daemon.domain.libraries.ranking.cosine import words


def rank(query: str, targets: Sequence[str]) -> list[tuple[int, float]]:
    """(index, score) of every target above 0, best first, equals in their order."""
    counts = [Counter(word for word in words(target) if word) for target in targets]
    holders: Counter[str] = Counter()
    for count in counts:
        holders.update(count.keys())

    def weighed(count: Counter[str]) -> dict[str, float]:
        return {
            word: number * (math.log((1 + len(targets)) / (1 + holders[word])) + 1) for word, number in count.items()
        }

    wanted = weighed(Counter(word for word in words(query) if word))
    length = _length(wanted)
    rows: list[tuple[int, float]] = []
    for index, count in enumerate(counts):
        if count.keys() & wanted.keys():
            target = weighed(count)
            dot = sum(weight * target.get(word, 0.0) for word, weight in wanted.items())
            rows.append((index, dot / (length * _length(target))))
    return sorted(rows, key=lambda row: -row[1])


def _length(weights: dict[str, float]) -> float:
    return math.sqrt(sum(weight * weight for weight in weights.values()))
