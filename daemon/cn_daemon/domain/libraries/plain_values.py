"""Values of YAML and TOML as JSON can carry them. YAML's aliases can hold themselves, or double ten times over."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

CUT = "…"
_MOST, _DEPTH = 5000, 20
_DOCUMENT_MOST, _DOCUMENT_DEPTH = 1_000_000, 200


def plain(value: Any) -> Any:
    """The value with its keys as text and its dates too; what goes beyond some thousand parts is written as "…"."""
    return _Plain(_MOST).of(value, _DEPTH)


def plain_document(value: Any) -> Any:
    """A whole document. Raises ValueError when it has no end."""
    reading = _Plain(_DOCUMENT_MOST)
    found = reading.of(value, _DOCUMENT_DEPTH)
    if reading.cut:
        raise ValueError("it expands without end")
    return found


class _Plain:
    def __init__(self, most: int) -> None:
        self._left = most
        self.cut = False

    def of(self, value: Any, depth: int) -> Any:
        self._left -= 1
        if value is None or isinstance(value, str | bool | int) or (isinstance(value, float) and math.isfinite(value)):
            return value
        if not isinstance(value, Mapping | list | tuple | set):
            return str(value)
        if not depth or self._left < 0:
            self.cut = True
            return CUT
        if isinstance(value, Mapping):
            return {str(key): self.of(item, depth - 1) for key, item in value.items() if self._more()}
        return [self.of(item, depth - 1) for item in value if self._more()]

    def _more(self) -> bool:
        self.cut = self.cut or self._left <= 0
        return self._left > 0
