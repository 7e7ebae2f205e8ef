"""Which of the steps a difference needs: what makes none by being left out is left out."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.faults.churn.drive import Churn, Difference, Plan


def shrink(plan: Plan, found: Difference, folder: Path) -> tuple[list[int], Difference]:
    """The steps that are left, and what they come to."""
    steps = list(range(found.step + 1))
    size = max(1, found.step // 2)
    while size:
        start = 0
        while start < len(steps) - 1:
            fewer = steps[:start] + steps[min(start + size, len(steps) - 1) :]
            other = _differs(plan, fewer, found.query, folder)
            if other:
                steps, found = fewer, other
            else:
                start += size
        size //= 2
    return steps, found


def _differs(plan: Plan, steps: Sequence[int], query: str, folder: Path) -> Difference | None:
    trial = Path(tempfile.mkdtemp(dir=folder))
    return next(iter(list(Churn(plan, trial, lambda line: None).run(steps, query))), None)
