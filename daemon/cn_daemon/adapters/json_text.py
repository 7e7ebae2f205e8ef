"""JSON that anybody may have written, as values that can be written as JSON again."""

from __future__ import annotations

import json
import math
import re
from typing import Any

# A part takes some 60 bytes.
_PARTS_MOST = 3_000_000
_DIGITS_MOST = 300
_DEEPEST = 200
_COMMENT = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def load(content: bytes) -> Any:
    """The document; numbers beyond those of a machine are text. Raises ValueError, whatever is wrong with it."""
    text = content.decode("utf-8-sig")
    if text.count(",") + text.count("[") + text.count("{") > _PARTS_MOST:
        raise ValueError(f"it has more than {_PARTS_MOST} parts")
    try:
        value = json.loads(text, parse_int=_integer, parse_float=_float, parse_constant=_refused)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    _measure(value)
    if _SURROGATE.search(text):
        # Half of a pair is no character, and could not be encoded.
        value = json.loads(json.dumps(value, ensure_ascii=False).encode("utf-16", "replace").decode("utf-16"))
    return value


def _measure(value: Any) -> None:
    """What reads a document does so by recursion, with more calls for each level than the parser of JSON."""
    level = [value]
    for _ in range(_DEEPEST):
        level = [part for one in level if isinstance(one, list | dict)
                 for part in (one.values() if isinstance(one, dict) else one)]  # fmt: skip
    if level:
        raise ValueError(f"it is nested more than {_DEEPEST} deep")


def _integer(digits: str) -> int | str:
    return int(digits) if len(digits) <= _DIGITS_MOST else digits


def _float(digits: str) -> float | str:
    value = float(digits)
    return value if math.isfinite(value) else digits


def _refused(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def without_comments(text: str) -> str:
    """Without comments and trailing commas, line by line the same."""
    plain = _COMMENT.sub(lambda found: found[0] if found[0][0] == '"' else "\n" * found[0].count("\n"), text)
    return re.sub(r",(\s*[}\]])", r"\1", plain).strip()
