"""How long a question may still wait for its server. Deadlines are on the event loop's clock, in seconds."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

from cn_shared.errors import DeadlineError


def time_left(deadline: float, request: str) -> float:
    """In seconds; raises DeadlineError when nothing is left of it for this request."""
    timeout_s = deadline - asyncio.get_running_loop().time()
    if timeout_s <= 0:
        raise DeadlineError("timed_out", f"Time ran out before {request}.")
    return timeout_s


@contextlib.asynccontextmanager
async def locked(lock: asyncio.Lock, deadline: float) -> AsyncIterator[None]:
    """The lock, or DeadlineError when others hold it for too long."""
    try:
        async with asyncio.timeout_at(deadline):
            await lock.acquire()
    except TimeoutError:
        raise DeadlineError("timed_out", "The language server is busy with other questions.") from None
    try:
        yield
    finally:
        lock.release()
