"""What a checkup finds: one finding per thing looked at, each with what to do about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "warn", "fail"]

_ORDER: tuple[State, ...] = ("ok", "warn", "fail")


@dataclass(frozen=True, slots=True)
class Finding:
    """check: what was looked at, in a word. message: half a sentence. fix: what to type or change; "" when all is well.

    fail: questions get no answer, or may get a wrong one. warn: answers are slower or less than they could be.
    """

    check: str
    state: State
    message: str
    fix: str = ""


def worst(findings: Iterable[Finding]) -> State:
    return max((one.state for one in findings), key=_ORDER.index, default="ok")
