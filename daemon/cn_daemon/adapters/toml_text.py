"""TOML that anybody may have written."""

from __future__ import annotations

from typing import Any

# A key of many parts (`a.a.a…`) costs tomllib the square of their number.
_DOTS_IN_LINE = 200


def load(text: str) -> dict[str, Any]:
    """The document. Raises ValueError, RecursionError."""
    import tomllib  # late: a start needs none

    if any(line.count(".") > _DOTS_IN_LINE for line in text.split("\n")):
        raise ValueError("a line holds more dots than a key may have")
    return tomllib.loads(text)
