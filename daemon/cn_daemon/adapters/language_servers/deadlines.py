"""How long a question may still wait for its server. Deadlines are on the event loop's clock, in seconds."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable
from typing import TypeVar

from cn_shared.errors import DeadlineError

T = TypeVar("T")


def time_left(deadline: float, request: str) -> float:
    """In seconds; raises DeadlineError when nothing is left of it for this request."""
    timeout_s = deadline - asyncio.get_running_loop().time()
    if timeout_s <= 0:
        raise DeadlineError("timed_out", f"Time ran out before {request}.")
    return timeout_s


async def in_turns(items: Iterable[T], deadline: float, work: str) -> AsyncIterator[T]:
    """The items, each a piece of work on texts: other questions go on between them, and DeadlineError ends it."""
    for item in items:
        time_left(deadline, work)
        yield item
        await asyncio.sleep(0)


@contextlib.asynccontextmanager
async def awaiting_others(deadline: float) -> AsyncIterator[None]:
    """Around what waits for others: DeadlineError when they take too long."""
    try:
        async with asyncio.timeout_at(deadline):
            yield
    except TimeoutError:
        raise DeadlineError("timed_out", "The language server is busy with other questions.") from None


@contextlib.asynccontextmanager
async def held(lock: asyncio.Lock, deadline: float) -> AsyncIterator[None]:
    """The lock, or DeadlineError when others hold it for too long."""
    async with awaiting_others(deadline):
        await lock.acquire()
    try:
        yield
    finally:
        lock.release()
