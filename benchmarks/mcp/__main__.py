"""What MCP costs over the use case behind it, in one alternating run.

    python -m benchmarks.mcp [--rounds 40] [--calls 300] [--json FILE]

Starts: whole processes, to the reply to `initialize`, each round one of every kind, so that a change of the machine's
speed meets all alike. Calls: one question (`inspect` of one symbol) over open sessions of each transport, in turn;
`over` is the median less the median of the daemon's own time for the same question by HTTP (`Server-Timing`).
Medians in milliseconds, with the 95th percentile.
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
INITIALIZE = {
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


async def calls(root: Path, number: int) -> list[Row]:
    found = state(root)
    base, headers = f"http://127.0.0.1:{found['port']}", {"Authorization": "Bearer " + found["token"]}
    rows: list[Row] = [("the use case (Server-Timing)", [])]
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
            asks.append(lambda client=client: client.call_tool("inspect", {"targetId": SYMBOL}))  # type: ignore[misc]
            rows.append((f"a call by the Python SDK over {name}", []))
        pipe = await asyncio.create_subprocess_exec(
            cn(), "mcp", cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, limit=1 << 24
        )
        asks.append(lambda: _raw(pipe))
        rows.append(("a call over the pipe of cn mcp, by hand", []))
        await _raw(pipe, INITIALIZE)
        for _ in range(number):
            rows[0][1].append(await asyncio.to_thread(use_case, root))
            for (_, times), ask in zip(rows[1:], asks, strict=True):
                began = time.perf_counter()
                await ask()
                times.append(_ms(began))
        assert pipe.stdin is not None
        pipe.stdin.close()
        await pipe.wait()
    return rows


async def _raw(pipe: asyncio.subprocess.Process, message: dict[str, Any] | None = None) -> None:
    asked = {"name": "inspect", "arguments": {"targetId": SYMBOL}}
    message = message or {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": asked}
    assert pipe.stdin is not None
    assert pipe.stdout is not None
    pipe.stdin.write(json.dumps(message).encode() + b"\n")
    await pipe.stdout.readline()


def _ms(began: float) -> float:
    return (time.perf_counter() - began) * 1000


def _table(title: str, rows: list[Row], over: bool) -> None:
    print(f"\n{title:48} {'median':>8} {'p95':>8} {'over' if over else 'ratio':>8}")
    first = statistics.median(rows[0][1])
    for name, times in rows:
        median = statistics.median(times)
        last = f"{median - first:8.2f}" if over else f"{median / first:7.2f}×"
        print(f"{name:48} {median:8.2f} {sorted(times)[int(len(times) * 0.95)]:8.2f} {last}")


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
            called = asyncio.run(calls(root, options.calls))
        finally:
            subprocess.run([cn(), "stop"], cwd=root, check=False, stdout=subprocess.DEVNULL)
    _table("starts, ms", started, over=False)
    _table("calls, ms", called, over=True)
    if options.json:
        options.json.write_text(json.dumps(dict(started + called), indent=1) + "\n")


if __name__ == "__main__":
    main()
