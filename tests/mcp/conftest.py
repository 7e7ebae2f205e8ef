"""What the tests of the MCP door stand on: a pump spoken to line by line, and the daemon behind it."""

from __future__ import annotations

import json
import select
import subprocess
from typing import Any

from cn_shared.state import State
from tests.faults.conftest import Workbench, bench, warm_bench

__all__ = ["Client", "bench", "warm_bench"]

LEGACY = "2025-11-25"


class Client:
    """Speaks to `cn mcp` over its pipes, as an agent does: the SDKs' own clients hide what arrives."""

    def __init__(self, bench: Workbench, *arguments: str, folder: str = "") -> None:
        self.bench = bench
        self.process = subprocess.Popen(
            bench.command("mcp", *arguments),
            cwd=folder or bench.root,
            env=bench.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._rest = b""
        self._id = 0

    def send(self, method: str, params: Any = None, *, id: Any = None) -> None:
        message = {"jsonrpc": "2.0", "method": method, **({} if params is None else {"params": params})}
        if id is not None:
            message["id"] = id
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def receive(self, timeout_s: float = 30.0) -> dict[str, Any]:
        """The next message."""
        assert self.process.stdout is not None
        descriptor = self.process.stdout.fileno()
        while b"\n" not in self._rest:
            ready, _, _ = select.select([descriptor], [], [], timeout_s)
            assert ready, "nothing arrived"
            piece = self.process.stdout.read1(65536)  # type: ignore[attr-defined]
            assert piece, self.stderr()
            self._rest += piece
        line, _, self._rest = self._rest.partition(b"\n")
        message: dict[str, Any] = json.loads(line)
        self.bench.note()
        return message

    def ask(self, method: str, params: Any = None, timeout_s: float = 30.0) -> dict[str, Any]:
        """The answer to one request, whole."""
        self._id += 1
        self.send(method, params or {}, id=self._id)
        while True:
            message = self.receive(timeout_s)
            if message.get("id") == self._id:
                return message

    def open(self, version: str = LEGACY) -> dict[str, Any]:
        """Introduce ourselves; the server's answer."""
        asked = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
        answer = self.ask("initialize", asked)
        self.send("notifications/initialized")
        result: dict[str, Any] = answer["result"]
        return result

    def reach(self) -> State:
        """Introduce ourselves, and wait for the daemon behind the pump, which opens a session without one."""
        self.open()
        assert self.call("status")["isError"] is False
        return self.bench.state()

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        answer = self.ask("tools/call", {"name": tool, "arguments": arguments})
        assert "result" in answer, answer
        result: dict[str, Any] = answer["result"]
        return result

    def said(self, tool: str, **arguments: Any) -> str:
        """The text of an answer, which is all of it."""
        answer = self.call(tool, **arguments)
        assert "structuredContent" not in answer
        return "".join(content["text"] for content in answer["content"])

    def stderr(self) -> str:
        assert self.process.stderr is not None
        self.process.kill()
        return self.process.stderr.read().decode()

    def close(self) -> int:
        """Close its stdin, as clients do; the exit code."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        try:
            return self.process.wait(10)
        finally:
            self.process.kill()
            for stream in (self.process.stdout, self.process.stderr):
                assert stream is not None
                stream.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
