"""Word-based cosine similarity (specs/climpt-command-operations, Search Operation), and its TF-IDF sibling's base.

Scores equal those of the reference implementation to the last digit: counts are whole numbers, so dot products and
squared lengths are exact, and only the two roots, their product and the quotient are rounded, in its order.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

# As JavaScript's \\s: Python's own class also holds \\x1c-\\x1f and \\x85, and lacks the byte order mark.
SPACE = re.compile(r"[\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+")


def words(text: str) -> list[str]:
    """Lower-cased and split on white space; like `split(/\\s+/)`, white space at an end leaves an empty word."""
    return SPACE.split(text.lower())


def similarity(left: Counter[str], right: Counter[str]) -> float:
    """The cosine of two word counts, 0 when either is nothing."""
    dot = sum(count * right[word] for word, count in left.items())
    if not dot:
        return 0.0
    return dot / (
        math.sqrt(sum(count * count for count in left.values()))
        * math.sqrt(sum(count * count for count in right.values()))
    )


def rank(query: str, targets: Sequence[str]) -> list[tuple[int, float]]:
    """(index, score) of every target above 0, best first, equals in their order."""
    wanted = Counter(words(query))
    scores = [(index, similarity(wanted, Counter(words(target)))) for index, target in enumerate(targets)]
    return sorted(((index, score) for index, score in scores if score > 0), key=lambda row: -row[1])
