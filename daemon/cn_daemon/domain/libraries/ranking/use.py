"""How much sooner a command comes that was used before: a weak signal, for what is nearly as good as another."""

from __future__ import annotations

import math
from datetime import date
from typing import NamedTuple

# The most that use adds to a score, and the days in which half of that is gone.
_MOST, _HALF_LIFE = 0.05, 90


class Use(NamedTuple):
    """times: how often it was invoked. last: the ISO day."""

    times: int
    last: str


def raised(score: float, use: Use | None, today: date) -> float:
    """The score of a command of that use. Ten times is nearly as much as any number of times."""
    if use is None:
        return score
    age = max(0, (today - date.fromisoformat(use.last)).days)
    return score * (1 + _MOST * (1 - math.pow(0.8, use.times)) * math.pow(0.5, age / _HALF_LIFE))
