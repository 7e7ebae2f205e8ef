"""kill -9 of the language server, of tsserver and of the daemon, or a stop of some seconds."""

from __future__ import annotations

import threading
import time
from collections import Counter
from random import Random

import psutil

from cn_shared import state
from tests.faults.workbench import Workbench

# The supervisor rests after four crashes within a minute: seldom more, or the soak would be all rest.
_CRASHES, _WINDOW_S, _REST_S = 3, 62.0, 15.0
_FROZEN_S = 5.0


class Killer:
    """Thread-safe."""

    def __init__(self, bench: Workbench, random: Random) -> None:
        self.counts: Counter[str] = Counter()
        self._bench = bench
        self._random = random
        self._lock = threading.Lock()
        self._log: list[tuple[float, str]] = []

    def strike(self, *, daemon: bool) -> None:
        """Kill one of them, whatever it is doing. daemon: it may be the daemon's turn."""
        with self._lock:
            recent = self._since(time.monotonic() - _WINDOW_S).count("server")
            victims = ["server", "tsserver", "daemon"] if daemon else ["server", "tsserver"]
            if recent >= _CRASHES and self._random.random() < 0.95:
                if not daemon:
                    return
                victims = ["daemon"]
            victim = self._random.choice(victims)
            process = self._process(victim)
            if process is None:
                return
            # Noted first: whoever meets the death finds its cause.
            self._log.append((time.monotonic(), "daemon" if victim == "daemon" else "server"))
            self.counts[victim] += 1
            try:
                process.kill()
            except psutil.NoSuchProcess:
                pass

    def freeze(self) -> None:
        """Stop one of them, whatever it is doing, and let it go on after some seconds: who asks has to wait."""
        victim = self._random.choice(["server", "tsserver", "daemon"])
        process = self._process(victim)
        if process is None:
            return
        try:
            process.suspend()
            self.counts[f"{victim} frozen"] += 1
            time.sleep(self._random.random() * _FROZEN_S)
            process.resume()
        except psutil.NoSuchProcess:
            pass

    def cause(self, since: float, victim: str) -> bool:
        with self._lock:
            return victim in self._since(since)

    def resting(self) -> bool:
        """Whether the supervisor may be resting: so many crashes that a clear refusal is right."""
        with self._lock:
            return self._since(time.monotonic() - _WINDOW_S - _REST_S).count("server") > _CRASHES

    def _since(self, moment: float) -> list[str]:
        return [victim for when, victim in self._log if when >= moment]

    def _process(self, victim: str) -> psutil.Process | None:
        found = state.read(str(self._bench.state_file))
        try:
            daemon = psutil.Process(found.pid) if found and found.runs() else None
            if daemon is None or victim == "daemon":
                return daemon
            servers = [one for one in daemon.children() if is_server(one)]
            below = [one for server in servers for one in server.children() if "tsserver.js" in str(one.cmdline())]
            if victim == "tsserver" and below:  # the native server has none
                servers = below
            return self._random.choice(servers) if servers else None
        except psutil.Error:
            return None


def is_server(process: psutil.Process) -> bool:
    line = process.cmdline()
    return "--stdio" in line
