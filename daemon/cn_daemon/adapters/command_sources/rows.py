"""The rows of a file that should each be a command, and what is reported of those that are none."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

# How many of the rows that were left out are named.
_NAMED = 3


def sound(rows: Iterable[Any], fault: Callable[[Any], str]) -> tuple[list[Any], str]:
    """The rows without a fault, and a sentence on the others; "" when there are none.

    fault: what is wrong with a row, as `has no name`; "" for a sound one.
    """
    faults = [(row, number, fault(row)) for number, row in enumerate(rows, 1)]
    odd = [f"row {number} {why}" for _, number, why in faults if why]
    others = ", ..." if len(odd) > _NAMED else ""
    complaint = f"{len(odd)} of {len(faults)} rows are left out: {', '.join(odd[:_NAMED])}{others}." if odd else ""
    return [row for row, _, why in faults if not why], complaint
