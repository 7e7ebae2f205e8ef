"""A server of TypeScript that hangs: it owes an answer, and neither it nor its children work at it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cn_daemon.adapters.process_tree import worked_s

if TYPE_CHECKING:
    from cn_daemon.adapters.language_servers.session import PyglsSession

log = logging.getLogger(__name__)

# One that owes an answer and does nothing for so long does nothing any more: it was stopped, or its threads wait for
# one another.
IDLE_S = 5.0
# What the clocks of processes tell apart.
_TICK_S = 0.01


@contextlib.contextmanager
def ended_if_idle(session: PyglsSession) -> Iterator[None]:
    """Around a request. What was asked of the server ends with it, and is asked of the next one."""
    loop = asyncio.get_running_loop()
    later = loop.call_later(IDLE_S, lambda: look(math.inf, math.inf))

    def look(before: float, due: float) -> None:
        nonlocal later
        worked = worked_s(session.process.pid)
        # A look that comes late says that this process was held up: the answer may be there.
        if abs(worked - before) <= _TICK_S and loop.time() - due < IDLE_S / 2:
            log.warning("%s owes an answer and has done nothing for %.0f s: it is ended", session.name, IDLE_S)
            session.was_idle = True
            session.kill()
        else:
            later = loop.call_later(IDLE_S, look, worked, loop.time() + IDLE_S)

    try:
        yield
    finally:
        later.cancel()
