"""A process and everything below it: who that is, what it weighs, and whether it works."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING

from cn_shared import process

if TYPE_CHECKING:
    import psutil

log = logging.getLogger(__name__)

# One that owes an answer and does nothing for so long does nothing any more: it was stopped, or its threads wait for
# one another.
IDLE_S = 5.0
# What the clocks of processes can distinguish.
_TICK_S = 0.01


def descendants(pid: int) -> list[tuple[int, str]]:
    """The processes below that one: pid and start. Blocks for some milliseconds."""
    import psutil  # late: only a program that must be killed asks

    try:
        below = [one.pid for one in psutil.Process(pid).children(recursive=True)]
    except psutil.Error:
        return []
    return [(one, start) for one in below if (start := process.start_of(one))]


def worked_s(pid: int) -> float:
    """The processor time that a process and its descendants have used."""
    return sum(map(_worked_s, _family(pid)))


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


def own_worked_s(pid: int) -> float:
    """The processor time that a process itself has used: no look at all processes of the system is needed for it."""
    import psutil  # late: only who waits for a process asks

    try:
        return _worked_s(psutil.Process(pid))
    except psutil.Error:
        return 0.0


def resident_by_family(tops: Collection[int]) -> dict[int, int]:
    """The resident memory of each of these processes with its descendants, in bytes: one look at the system for all.

    Blocks for some ten milliseconds.
    """
    import psutil  # late: only after a question

    parents, own = {}, {}
    for one in psutil.process_iter(["ppid", "memory_info"]):
        parents[one.pid] = one.info["ppid"]
        own[one.pid] = one.info["memory_info"].rss if one.info["memory_info"] else 0
    found = dict.fromkeys(tops, 0)
    for pid, size in own.items():
        above: int | None = pid
        while above and above not in found:
            above = parents.get(above)
        if above:
            found[above] += size
    return found


def resident_bytes(pid: int) -> int:
    """The resident memory of a process and its descendants, in bytes.

    Blocks for some milliseconds: call it in a thread.
    """
    import psutil  # late: only `cn status` asks

    total = 0
    for one in _family(pid):
        with contextlib.suppress(psutil.Error):
            total += one.memory_info().rss
    return total


def _worked_s(one: psutil.Process) -> float:
    import psutil

    with contextlib.suppress(psutil.Error):  # it ended between the listing and the question
        used = one.cpu_times()
        return float(used.user + used.system)
    return 0.0


def _family(pid: int) -> list[psutil.Process]:
    import psutil

    try:
        top = psutil.Process(pid)
        return [top, *top.children(recursive=True)]
    except psutil.Error:
        return []
