"""The daemons of one user, who share the machine's memory: each has language servers, and stays for half an hour.

Each has a file in one folder, whose name is its process and whose time is that of its last question. After a question,
whoever answered it looks whether all of them take too much together; then the one that has been idle for longest is
notified by a signal, and puts its language servers to rest.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from cn_daemon.adapters.process_tree import resident_by_family
from cn_shared import process

# Two that ask at the same time are not put to rest for each other.
IDLE_S = 30.0
_CGROUP = Path("/sys/fs/cgroup/memory.max")


class Neighbour(NamedTuple):
    """idle_since: of the last question, in seconds since the epoch."""

    pid: int
    idle_since: float


class Neighbours:
    """folder: of the user's own, the same for all of them. weigh: the bytes of each process with what is below it."""

    def __init__(self, folder: Path, weigh: Callable[[Collection[int]], dict[int, int]] = resident_by_family) -> None:
        self._folder = folder
        self._weigh = weigh
        self._file = folder / f"{os.getpid()} {process.start_of(os.getpid())}"

    def use(self) -> None:
        """A question began or ended here."""
        with contextlib.suppress(OSError):  # a full disk: nobody counts us
            self._folder.mkdir(mode=0o700, exist_ok=True)
            self._file.touch(0o600)

    def leave(self) -> None:
        """With the files of those who were killed, and with the folder where nobody is left."""
        with contextlib.suppress(OSError):
            self._file.unlink(missing_ok=True)
            if not list(self._running()):
                self._folder.rmdir()

    def relieve(self, limit_bytes: int) -> tuple[int, int] | None:
        """Where all take more than the limit, tell the one that has been idle for longest: its pid, and the bytes.

        Blocks for some ten milliseconds.
        """
        running = list(self._running())
        others = [one for one in running if one.pid != os.getpid() and one.idle_since < time.time() - IDLE_S]
        if not others:
            return None
        total = sum(self._weigh([one.pid for one in running]).values())
        if total <= limit_bytes:
            return None
        oldest = min(others, key=lambda one: one.idle_since)
        os.kill(oldest.pid, signal.SIGUSR1)
        return oldest.pid, total

    def _running(self) -> Iterator[Neighbour]:
        """Those that run; the files of others are removed."""
        for path in self._folder.glob("* *"):
            pid, _, start = path.name.partition(" ")
            with contextlib.suppress(OSError):
                if pid.isdecimal() and process.alive(int(pid), start):
                    yield Neighbour(int(pid), path.stat().st_mtime)
                else:
                    path.unlink()


def share_bytes(limit_mb: int) -> int:
    """The limit of all of them together; 0 is half of what this machine, or this container, has."""
    if limit_mb:
        return limit_mb << 20
    import psutil  # late: only after a question

    total = int(psutil.virtual_memory().total)
    with contextlib.suppress(OSError, ValueError):
        total = min(total, int(_CGROUP.read_text()))
    return total // 2
