"""One `cn serve`, as a process, and what a client asks of it."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import psutil

TOKEN = "a-token-of-some-length"
_READY_S = 600.0


class Question(NamedTuple):
    """verb: its path."""

    verb: str
    query: str


class Replica:
    """library: holds `Reports` and `Commands`. url: of the index, with its password."""

    def __init__(self, name: str, library: Path, url: str, work: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as listening:
            self.port: int = listening.getsockname()[1]
        home = work / name
        home.mkdir()
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "CN_TOKEN": TOKEN,
            "CN_COMMANDS_DIRECTORY": str(library / "Commands"),
            "CN_REPORTS_DIRECTORY": str(library / "Reports"),
            "CN_REPORTS_DATABASE": url,
        }
        with (home / "log").open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "cn_daemon.serving", "--port", str(self.port)],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=home,
            )

    def wait(self) -> None:
        """Until it answers whole."""
        end = time.monotonic() + _READY_S
        while time.monotonic() < end and self.process.poll() is None:
            with contextlib.suppress(OSError, http.client.HTTPException), self.client() as client:
                if all(client.ask(Question(verb, "any"))[1] for verb in ("search", "reports/search")):
                    return
            time.sleep(0.2)
        raise RuntimeError("a replica did not get ready")

    def client(self) -> Client:
        return Client(self.port)

    def cpu_s(self) -> float:
        times = psutil.Process(self.process.pid).cpu_times()
        return float(times.user + times.system)

    def memory_mb(self) -> float:
        return float(psutil.Process(self.process.pid).memory_info().rss) / 1e6

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()


class Client:
    """One connection. `ask` raises OSError and HTTPException."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def ask(self, question: Question) -> tuple[bytes, bool]:
        """The answer, and whether it is whole."""
        body = json.dumps({"query": question.query})
        headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
        self._connection.request("POST", f"/{question.verb}", body, headers)
        response = self._connection.getresponse()
        answer = response.read()
        if response.status != 200:
            raise http.client.HTTPException(f"{response.status}: {answer[:200]!r}")
        return answer, response.headers.get("Cn-Outcome") != "partial"
