"""Values of YAML and TOML as JSON can carry them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

MOST, DEPTH = 5000, 20
CUT = "…"


def plain(value: Any, most: int = MOST) -> Any:
    """The value with its keys as text, its dates too, and at most `most` parts.

    YAML's aliases can hold themselves, or double ten times over: what goes beyond is told as "…".
    """
    return _Plain(most).of(value, DEPTH)


class _Plain:
    def __init__(self, most: int) -> None:
        self._left = most

    def of(self, value: Any, depth: int) -> Any:
        self._left -= 1
        if self._left < 0:
            return CUT
        if value is None or isinstance(value, str | bool | int) or (isinstance(value, float) and math.isfinite(value)):
            return value
        if isinstance(value, Mapping):
            return {str(key): self.of(item, depth - 1) for key, item in self._some(value.items())} if depth else CUT
        if isinstance(value, list | tuple | set):
            return [self.of(item, depth - 1) for item in self._some(value)] if depth else CUT
        return str(value)

    def _some(self, items: Any) -> Any:
        for item in items:
            if self._left <= 0:
                return
            yield item
