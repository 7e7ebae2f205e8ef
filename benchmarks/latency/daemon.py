"""A workspace's daemon, asked without a client."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

DEADLINE_S = 120


def cn() -> str:
    return str(Path(sys.executable).with_name("cn"))


class Daemon:
    """Started when it is made, stopped by `close`; each question opens a connection, as the client does."""

    def __init__(self, root: Path) -> None:
        self.root = root
        subprocess.run([cn(), "start"], cwd=root, check=True, stdout=subprocess.DEVNULL)
        state = json.loads((root / ".cn-daemon.json").read_text("utf-8"))
        self.pid: int = state["pid"]
        self.port: int = state["port"]
        self._authorization = "Bearer " + state["token"]

    def get(self, verb: str, accept: str = "application/json", **parameters: Any) -> tuple[float, bytes]:
        """The daemon's own time in ms, and the body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=DEADLINE_S)
        headers = {"Authorization": self._authorization, "Accept": accept}
        connection.request("GET", path_of(verb, parameters), headers=headers)
        reply = connection.getresponse()
        body = reply.read()
        connection.close()
        return float((reply.getheader("Server-Timing") or "=0").rpartition("=")[2]), body

    def ask(self, verb: str, **parameters: Any) -> Any:
        return json.loads(self.get(verb, **parameters)[1])

    def curl(self, verb: str, **parameters: Any) -> list[str]:
        """The command that asks the same."""
        address = f"http://127.0.0.1:{self.port}{path_of(verb, parameters)}"
        return ["curl", "-s", "-H", f"Authorization: {self._authorization}", address]

    def memory_mb(self) -> float:
        """The daemon's own resident memory, without its language servers."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text("ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    def close(self) -> None:
        stop(self.root)


def path_of(verb: str, parameters: dict[str, object]) -> str:
    return f"/{verb}?{urlencode(parameters)}"


def stop(root: Path) -> None:
    """Nothing of the workspace runs when this returns."""
    subprocess.run([cn(), "stop"], cwd=root, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
