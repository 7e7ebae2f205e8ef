"""Who answered a question: of each the requests, the time they took, and how many uses and doubts it found. Kept where
it is wanted."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from cn_shared.wire import Engine


@dataclass
class _Row:
    uses: int | None = None
    doubts: int | None = None
    requests: int = 0
    seconds: float = 0.0


_ROWS: ContextVar[dict[str, _Row] | None] = ContextVar("rows", default=None)


@contextmanager
def explaining() -> Iterator[None]:
    """Around a question: what it asks is kept, also in tasks that it begins."""
    token = _ROWS.set({})
    try:
        yield
    finally:
        _ROWS.reset(token)


@contextmanager
def asking(engine: str) -> Iterator[None]:
    """Around a request."""
    rows, began = _ROWS.get(), time.monotonic()
    try:
        yield
    finally:
        if rows is not None:
            row = rows.setdefault(engine, _Row())
            row.requests += 1
            row.seconds += time.monotonic() - began


def count_engine(engine: str, uses: int, doubts: int) -> None:
    """What one of them tells of the symbol."""
    rows = _ROWS.get()
    if rows is not None:
        row = rows.setdefault(engine, _Row())
        row.uses, row.doubts = uses, doubts


def explained() -> list[Engine] | None:
    """Those of the question, in the order in which they were asked first; None where nobody wants them."""
    rows = _ROWS.get()
    if rows is None:
        return None
    return [Engine(name, one.requests, round(one.seconds * 1000), one.uses, one.doubts) for name, one in rows.items()]
