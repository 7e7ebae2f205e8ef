"""What MCP costs over the use case behind it, in one alternating run.

    python -m benchmarks.mcp [--rounds 40] [--calls 300] [--json FILE]

Starts: whole processes, to the reply to `initialize`, each round one of every kind, so that a change of the machine's
speed meets all alike. Calls: one question (`inspect` of one symbol), each kind in turn; `over` is the median less the
median of the daemon's own time for the same question by HTTP (`Server-Timing`). First by hand, over an open pipe and
one open connection, which is what cn itself costs; then by the Python SDK's client, whose own cost is in it.
Medians in milliseconds, with the least and the 95th percentile.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx2
from mcp.client.client import Client
from mcp.client.sse import sse_client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

SYMBOL = "src/user.ts#User.rename"
CALL: dict[str, Any] = {"name": "inspect", "arguments": {"targetId": SYMBOL}}
INITIALIZE: dict[str, Any] = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}},
}
Row = tuple[str, list[float]]


def cn() -> str:
    return str(Path(sys.executable).with_name("cn"))


def state(root: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((root / ".cn-daemon.json").read_text())
    return document


def bare(root: Path) -> float:
    """A Python that does nothing."""
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", ""], cwd=root, check=True)
    return _ms(began)


def introduced(root: Path) -> float:
    """`cn mcp`, from its start to the reply to `initialize`."""
    began = time.perf_counter()
    with subprocess.Popen([cn(), "mcp"], cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(INITIALIZE).encode() + b"\n")
        process.stdin.flush()
        reply = process.stdout.readline()
        taken = _ms(began)
        process.stdin.close()
    assert b'"serverInfo"' in reply
    return taken


def starts(root: Path, rounds: int) -> list[Row]:
    rows: list[Row] = [("a bare Python start", []), ("cn mcp, to the reply to initialize", [])]
    for _ in range(rounds):
        rows[0][1].append(bare(root))
        rows[1][1].append(introduced(root))
    return rows


def use_case(root: Path) -> float:
    """The daemon's own time for the question."""
    found = state(root)
    connection = http.client.HTTPConnection("127.0.0.1", found["port"])
    headers = {"Authorization": "Bearer " + found["token"]}
    connection.request("GET", f"/inspect?targetId={quote(SYMBOL, safe='')}", headers=headers)
    reply = connection.getresponse()
    reply.read()
    connection.close()
    return float((reply.getheader("Server-Timing") or "=0").rpartition("=")[2])


class Raw:
    """`/mcp` over one open connection, without a client's machinery. session: of the older protocol; else the newer."""

    def __init__(self, root: Path, *, session: bool) -> None:
        found = state(root)
        self._connection = http.client.HTTPConnection("127.0.0.1", found["port"])
        self._headers = {
            "Authorization": "Bearer " + found["token"],
            "Accept": "application/json, text/event-stream",
            "Content-Type": "application/json",
        }
        self._call: dict[str, Any] = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": dict(CALL)}
        if session:
            opened = self._post(INITIALIZE)
            self._headers["Mcp-Session-Id"] = opened.getheader("Mcp-Session-Id") or ""
            self._headers["Mcp-Protocol-Version"] = "2025-11-25"
        else:
            about = "io.modelcontextprotocol/"
            self._call["params"]["_meta"] = {
                about + "protocolVersion": "2026-07-28",
                about + "clientInfo": INITIALIZE["params"]["clientInfo"],
                about + "clientCapabilities": {},
            }
            self._headers |= {
                "Mcp-Protocol-Version": "2026-07-28",
                "Mcp-Method": "tools/call",
                "Mcp-Name": CALL["name"],
            }

    def ask(self) -> None:
        self._post(self._call)

    def _post(self, message: dict[str, Any]) -> http.client.HTTPResponse:
        self._connection.request("POST", "/mcp", json.dumps(message), self._headers)
        reply = self._connection.getresponse()
        text = reply.read()
        assert reply.status == 200, text
        assert b'"isError":true' not in text, text
        return reply


def raw_calls(root: Path, number: int) -> list[Row]:
    """What the daemon and the pump cost, without a client's own cost."""
    with subprocess.Popen([cn(), "mcp"], cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as pipe:
        assert pipe.stdin is not None
        assert pipe.stdout is not None

        def over_the_pipe(message: dict[str, Any]) -> None:
            assert pipe.stdin is not None
            assert pipe.stdout is not None
            pipe.stdin.write(json.dumps(message).encode() + b"\n")
            pipe.stdin.flush()
            assert b'"result"' in pipe.stdout.readline()

        over_the_pipe(INITIALIZE)
        call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": CALL}
        asks: dict[str, Callable[[], float | None]] = {
            "the use case (Server-Timing)": lambda: use_case(root),
            "a call over the pipe of cn mcp": lambda: over_the_pipe(call),
            "a call over /mcp, 2026-07-28": Raw(root, session=False).ask,
            "a call over /mcp, 2025-11-25": Raw(root, session=True).ask,
        }
        rows: list[Row] = [(name, []) for name in asks]
        for _ in range(number):
            for (_, times), ask in zip(rows, asks.values(), strict=True):
                began = time.perf_counter()
                told = ask()
                times.append(_ms(began) if told is None else told)
        pipe.stdin.close()
    return rows


async def calls(root: Path, number: int) -> list[Row]:
    found = state(root)
    base, headers = f"http://127.0.0.1:{found['port']}", {"Authorization": "Bearer " + found["token"]}
    rows: list[Row] = []
    async with AsyncExitStack() as stack:
        http_client = await stack.enter_async_context(httpx2.AsyncClient(headers=headers))
        transports: dict[str, Any] = {
            "stdio (cn mcp)": StdioServerParameters(command=cn(), args=["mcp"], cwd=str(root)),
            "Streamable HTTP": streamable_http_client(base + "/mcp", http_client=http_client),
            "SSE": sse_client(base + "/sse", headers=headers),
        }
        asks: list[Callable[[], Awaitable[Any]]] = []
        for name, transport in transports.items():
            client = await stack.enter_async_context(Client(transport, mode="legacy"))
            await client.list_tools()  # it checks answers against their schemas, and asks for them first
            asks.append(lambda client=client: client.call_tool(**CALL))  # type: ignore[misc]
            rows.append((f"a call by the Python SDK over {name}", []))
        for _ in range(number):
            for (_, times), ask in zip(rows, asks, strict=True):
                began = time.perf_counter()
                await ask()
                times.append(_ms(began))
    return rows


def _ms(began: float) -> float:
    return (time.perf_counter() - began) * 1000


def _table(title: str, rows: list[Row], over: bool) -> None:
    print(f"\n{title:48} {'median':>8} {'least':>8} {'p95':>8} {'over' if over else 'ratio':>8}")
    first = statistics.median(rows[0][1])
    for name, times in rows:
        median = statistics.median(times)
        last = f"{median - first:8.2f}" if over else f"{median / first:7.2f}×"
        most = sorted(times)[int(len(times) * 0.95)]
        print(f"{name:48} {median:8.2f} {min(times):8.2f} {most:8.2f} {last}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.mcp")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--calls", type=int, default=300)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    shop = Path(__file__).resolve().parents[2] / "examples" / "shop"
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve() / "shop"
        shutil.copytree(shop, root)
        (root / ".cn.json").write_text("{}\n")
        try:
            subprocess.run([cn(), "find", "User"], cwd=root, check=True, stdout=subprocess.DEVNULL)
            introduced(root)  # the first one waits for the SDK's import
            started = starts(root, options.rounds)
            called = raw_calls(root, options.calls)
            called += asyncio.run(calls(root, options.calls))
        finally:
            subprocess.run([cn(), "stop"], cwd=root, check=False, stdout=subprocess.DEVNULL)
    _table("starts, ms", started, over=False)
    _table("calls, ms", called, over=True)
    if options.json:
        options.json.write_text(json.dumps(dict(started + called), indent=1) + "\n")


if __name__ == "__main__":
    main()
