"""A language server, driven plainly over its pipes: one request after the other."""

from __future__ import annotations

import itertools
import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any


class Pipes:
    """command: how the server is started, with `cwd` as its current folder. received: bytes of its messages so far."""

    def __init__(self, command: Sequence[str], cwd: Path) -> None:
        self.received = 0
        self._ids = itertools.count(1)
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=cwd
        )

    def notify(self, method: str, parameters: object) -> None:
        self._send({"jsonrpc": "2.0", "method": method, "params": parameters})

    def request(self, method: str, parameters: object) -> Any:
        """The result, None for an error. What the server asks meanwhile is answered with nothing."""
        number = next(self._ids)
        self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": parameters})
        while True:
            message = self._receive()
            if "method" in message and "id" in message:
                asked = message["params"].get("items", []) if isinstance(message.get("params"), dict) else []
                self._send({"jsonrpc": "2.0", "id": message["id"], "result": [None for _ in asked] or None})
            elif message.get("id") == number:
                return message.get("result")

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                pipe.close()

    def _send(self, message: dict[str, object]) -> None:
        assert self._process.stdin is not None
        body = json.dumps(message).encode()
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self._process.stdin.flush()

    def _receive(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        length = 0
        while (line := self._process.stdout.readline().strip()) or not length:
            if not line:
                raise RuntimeError("the language server ended")
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        self.received += length
        message: dict[str, Any] = json.loads(self._process.stdout.read(length))
        return message
