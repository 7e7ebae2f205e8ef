"""A daemon that says what a test wants: a thread of the test process, published under its pid."""

from __future__ import annotations

import json
import os
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cn_shared import __version__, process, state


class FakeDaemon:
    """Answers each connection with the next of `replies` (the last one repeats); keeps what it heard in `requests`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.replies: list[bytes] = [reply(b'{"symbols":[]}\n', exit=1)]
        self.requests: list[bytes] = []
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = self._server.getsockname()[1]
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        self.publish()

    def publish(self, **changes: object) -> state.State:
        document: dict[str, object] = {
            "schema": 1,
            "version": __version__,
            "pid": os.getpid(),
            "processStart": process.start_of(os.getpid()),
            "host": "127.0.0.1",
            "port": self.port,
            "token": "ab" * 32,
            "root": str(self.root),
            "startedAt": "2026-01-01T00:00:00+00:00",
            "log": "/nowhere.log",
            "environment": "0",
            **changes,
        }
        return state.publish(state.State(document))

    def close(self) -> None:
        self._server.close()
        (self.root / state.NAME).unlink(missing_ok=True)

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._server.accept()
            except OSError:
                return
            with connection:
                self.requests.append(_whole(connection))
                answer = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
                connection.sendall(answer)


def _whole(connection: socket.socket) -> bytes:
    data = b""
    while b"\r\n\r\n" not in data:
        data += connection.recv(65536)
    head, _, body = data.partition(b"\r\n\r\n")
    for line in head.split(b"\r\n"):
        if line.lower().startswith(b"content-length:"):
            while len(body) < int(line.split(b":")[1]):
                body += connection.recv(65536)
    return head + b"\r\n\r\n" + body


def reply(body: bytes, *, status: int = 200, exit: int = 0) -> bytes:
    head = f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nCn-Exit: {exit}\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


def refusal(code: str, *, status: int = 404, exit: int = 2) -> bytes:
    body = json.dumps({"error": {"code": code, "message": "No.", "hint": "Try another."}}).encode()
    return reply(body, status=status, exit=exit)


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path.resolve()
    (root / ".cn.json").write_text("{}")
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def daemon(workspace: Path) -> Iterator[FakeDaemon]:
    fake = FakeDaemon(workspace)
    yield fake
    fake.close()


Run = Callable[..., tuple[int, bytes, bytes]]


@pytest.fixture
def cn(capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    """Run a command line in this process: exit code, stdout, stderr."""
    from cn_client.__main__ import carry_out

    def run(*arguments: str) -> tuple[int, bytes, bytes]:
        capfdbinary.readouterr()
        code = carry_out(list(arguments))
        out, err = capfdbinary.readouterr()
        return code, out, err

    return run
