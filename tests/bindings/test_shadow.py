"""What `find` answers is compared with the bindings, and stays as it is."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest

from cn_daemon.adapters.compilers.bindings import Bound, Found, Place
from cn_daemon.adapters.compilers.shadow import Shadow, difference
from cn_daemon.application.ports import Answer, Call
from cn_shared.errors import LanguageServerError
from cn_shared.wire import Completeness, FindAnswer, LocationRef


def ref(path: str, line: int) -> LocationRef:
    return LocationRef(f"ref::{path}::{line}::1", path, line, 1, "Class", "")


REFERENCES = [ref("b.ts", 1), ref("b.ts", 2)]
ANSWER = FindAnswer(Completeness("complete", 1, 1, 2), 2, [], ref("a.ts", 1), references=REFERENCES)


def bound(*lines: int, doubts: int = 0, key: str = "a.ts#A") -> Bound:
    places = [Place("b.ts", line - 1, 0) for line in lines]
    return Bound(key, "A", [Place("a.ts", 0, 0)], places, [Place("c.ts", 4, 0, "an import")] * doubts)


class FakeBindings:
    def __init__(self, symbol: Bound | None) -> None:
        self._symbol = symbol

    async def at(self, path: str, line: int, character: int, deadline: float) -> Found:
        if self._symbol is None:
            raise LanguageServerError("timed_out", "bindings: the process was not done in time")
        assert (path, line, character) == ("a.ts", 0, 0)
        return Found([self._symbol], [])


def asked(symbol: Bound | None) -> None:
    async def find(call: Call, query: str, **_: Any) -> Answer:
        return ANSWER

    async def ask() -> None:
        shadow = Shadow(FakeBindings(symbol), find)  # type: ignore[arg-type]
        assert await shadow.find(Call(None, 0.0), "A") is ANSWER
        await shadow.settle()

    asyncio.run(ask())


@pytest.mark.parametrize(
    ("symbol", "words"),
    [
        (bound(1, 2), "2 alike"),
        (bound(1), "1 alike; 1 missing (b.ts:2:1)"),
        (bound(1, 2, 3), "2 alike; 1 more (b.ts:3:1)"),
        (bound(1, 2, doubts=1), "2 alike; 1 doubts (c.ts:5: an import)"),
    ],
)
def test_a_difference_is_told_in_words(symbol: Bound, words: str) -> None:
    assert difference(ANSWER, symbol) == words


@pytest.mark.parametrize(
    ("symbol", "line"),
    [
        (bound(1), "bindings: A: 1 alike; 1 missing (b.ts:2:1)"),
        (None, "bindings: A: bindings: the process was not done in time"),
        (bound(1, key="a.ts#A::member"), None),
        (bound(1, key="a.ts@12"), None),
    ],
)
def test_the_log_tells_it_and_the_answer_stays(
    symbol: Bound | None, line: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        asked(symbol)
    assert [one for one in caplog.messages if "bindings" in one] == ([line] if line else [])
