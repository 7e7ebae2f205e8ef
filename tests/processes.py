"""Whether processes have ended."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Collection, Iterable

import psutil

from cn_shared import process


def gone(pid: int) -> bool:
    """A zombie is, too: whoever should reap it may be slow to (pid 1 of a container)."""
    return process.start_of(pid) is None


def outliving(processes: Iterable[psutil.Process], within_s: float) -> list[psutil.Process]:
    """Those that still run after so long."""
    deadline = time.monotonic() + within_s
    while (alive := [one for one in processes if not gone(one.pid)]) and time.monotonic() < deadline:
        time.sleep(0.005)
    return alive


def in_sessions(leaders: Collection[int]) -> list[psutil.Process]:
    """What runs in the sessions that these processes began, also when they have ended themselves."""
    found = []
    for pid in psutil.pids():
        # It may be gone at any moment.
        with contextlib.suppress(ProcessLookupError, psutil.NoSuchProcess):
            if os.getsid(pid) in leaders:
                found.append(psutil.Process(pid))
    return found
