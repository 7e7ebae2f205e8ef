"""A process that hangs: it owes an answer, and neither it nor its children work at it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
from collections.abc import Callable, Iterator

from cn_daemon.adapters.process_tree import worked_s

log = logging.getLogger(__name__)

# One that owes an answer and does nothing for so long does nothing any more: it was stopped, or its threads wait for
# one another.
IDLE_S = 5.0
# What the clocks of processes can distinguish.
_TICK_S = 0.01


@contextlib.contextmanager
def ended_if_idle(pid: int, name: str, end: Callable[[], None]) -> Iterator[None]:
    """Around a request to a process. end: ends the process, and with it whatever it was asked; that is asked of the
    next one. name: for the log."""
    loop = asyncio.get_running_loop()
    later = loop.call_later(IDLE_S, lambda: look(math.inf, math.inf))

    def look(before: float, due: float) -> None:
        nonlocal later
        worked = worked_s(pid)
        # A look that comes late says that this process was blocked: the answer may be there.
        if abs(worked - before) <= _TICK_S and loop.time() - due < IDLE_S / 2:
            log.warning("%s owes an answer and has done nothing for %.0f s: it is ended", name, IDLE_S)
            end()
        else:
            later = loop.call_later(IDLE_S, look, worked, loop.time() + IDLE_S)

    try:
        yield
    finally:
        later.cancel()
