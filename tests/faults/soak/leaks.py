"""What must not grow or stay: processes, descriptors, memory, files."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import asdict, dataclass
from http.client import HTTPConnection
from pathlib import Path

import psutil

from cn_shared import state
from tests.faults.soak.kills import is_server
from tests.faults.workbench import Workbench

_SETTLES_S = 8.0


@dataclass(frozen=True, slots=True)
class Sample:
    """Of the daemon alone: descriptors, resident memory, threads.

    servers: the language servers it has; servers_mb: what they and all below them take.
    """

    descriptors: int
    memory_mb: float
    threads: int
    servers: int
    servers_mb: float
    zombies: int

    def document(self) -> dict[str, float]:
        return asdict(self)


def settle(bench: Workbench) -> None:
    """Have the daemon there is import what it imports in its first quiet seconds: 20 MB that are no growth."""
    assert bench.cn("start").returncode == 0
    found = bench.state()
    with closing(HTTPConnection("127.0.0.1", found.port, timeout=60)) as connection:
        connection.request("POST", "/mcp", b"{}", {"Authorization": f"Bearer {found.token}"})
        assert connection.getresponse().status < 500


def sample(bench: Workbench) -> Sample:
    """Once nobody asks."""
    found = state.read(str(bench.state_file))
    assert found is not None
    daemon = psutil.Process(found.pid)
    children = daemon.children()
    below = daemon.children(recursive=True)
    zombies = [one for one in below if one.status() == psutil.STATUS_ZOMBIE]
    return Sample(
        daemon.num_fds(),
        round(daemon.memory_info().rss / 2**20, 1),
        daemon.num_threads(),
        sum(1 for one in children if one.status() != psutil.STATUS_ZOMBIE and is_server(one)),
        round(sum(one.memory_info().rss for one in below) / 2**20, 1),
        len(zombies),
    )


def left_behind(bench: Workbench) -> list[str]:
    """After `cn stop`: processes (each gets a moment to see that its daemon has ended) and files."""
    end = time.monotonic() + _SETTLES_S
    while (living := bench.family()) and time.monotonic() < end:
        psutil.wait_procs(living, timeout=0.2)
    found = [f"process {one.pid}: {' '.join(one.cmdline())[:200]}" for one in living]
    places = [Path(bench.environment[name]) for name in ("TMPDIR", "XDG_RUNTIME_DIR", "XDG_STATE_HOME")]
    found += [str(file) for place in places for file in sorted(place.rglob("*")) if not _expected(file)]
    found += [str(file) for file in bench.root.glob(".cn-daemon*")]
    return found


def _expected(file: Path) -> bool:
    """The start lock and the user's key stay for the next start; the log, and the one before it, are to be read."""
    return (file.name == "cn" and file.is_dir()) or file.name.endswith((".lock", ".log", ".log.1", "key"))
