"""BM25 as Climpt's own agent ranks (tettuan/climpt, plugins/climpt-agent/lib/similarity.ts).

k1 1.2, b 0.75, each word of a text counted once, words with `-` or `_` as one and in their parts.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from cn_daemon.domain.libraries.ranking.cosine import words

K1, B = 1.2, 0.75


def tokens(text: str) -> dict[str, None]:
    """The different words of a text, in order."""
    found: dict[str, None] = {}
    for word in filter(None, words(text)):
        found[word] = None
        for separator in "-_":
            found.update(dict.fromkeys(filter(None, word.split(separator))))
    return found


def rank(query: str, targets: Sequence[str]) -> list[tuple[int, float]]:
    """(index, score) of every target above 0, best first, equals in their order."""
    texts = [tokens(target) for target in targets]
    holders = Counter(word for text in texts for word in text)
    average = sum(map(len, texts)) / len(texts) if texts else 1.0
    weights = {
        word: math.log((len(texts) - holders[word] + 0.5) / (holders[word] + 0.5) + 1) * (K1 + 1)
        for word in tokens(query)
    }
    scores = [
        (index, sum(weight for word, weight in weights.items() if word in text) / _norm(len(text) / average))
        for index, text in enumerate(texts)
    ]
    return sorted(((index, score) for index, score in scores if score > 0), key=lambda row: -row[1])


def _norm(length: float) -> float:
    """What one occurrence is divided by. length: of its text, beside the average."""
    return 1 + K1 * (1 - B + B * length)
