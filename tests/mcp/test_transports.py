"""One daemon, three transports, both eras; many clients at once; clients that leave in the middle."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
import time
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters

from cn_shared.state import State
from tests.faults.conftest import Workbench
from tests.mcp.http import over_http, over_sse

KINDS = ("stdio", "http", "sse")
ERAS = ("legacy", "auto")


@contextlib.asynccontextmanager
async def connected(bench: Workbench, found: State, kind: str, era: str, **options: Any) -> AsyncIterator[Client]:
    if kind == "stdio":
        command = StdioServerParameters(
            command=sys.executable,
            args=bench.command("mcp")[1:],
            cwd=str(bench.root),
            env=bench.environment,
        )
        async with Client(command, mode=era, **options) as client:  # type: ignore[arg-type]
            yield client
    else:
        over = over_http if kind == "http" else over_sse
        async with over(f"http://127.0.0.1:{found.port}", found.token, era, **options) as client:
            yield client


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("era", ERAS)
def test_each_transport_in_each_era(warm_bench: Workbench, kind: str, era: str) -> None:
    found = warm_bench.start()

    async def talk() -> None:
        async with connected(warm_bench, found, kind, era) as client:
            tools = await client.list_tools()
            assert {"find", "inspect", "map_file", "status"} <= {tool.name for tool in tools.tools}
            status = await client.call_tool("status", {})
            assert f" pid {found.pid} " in status.content[0].text  # type: ignore[union-attr]
            failed = await client.call_tool("map_file", {"path": "nowhere.ts"})
            assert failed.is_error
            assert json.loads(failed.content[0].text)["error"]["code"] == "file_not_found"  # type: ignore[union-attr]

    asyncio.run(asyncio.wait_for(talk(), 60))


def test_fifty_sessions_at_once(warm_bench: Workbench) -> None:
    found = warm_bench.start()

    async def session(number: int) -> int:
        kind = ("http", "sse", "http")[number % 3]
        async with connected(warm_bench, found, kind, ERAS[number % 2]) as client:
            await client.list_tools()
            calls = [client.call_tool(*call) for call in (
                ("status", {}), ("map_file", {"path": f"nowhere{number}.ts"}), ("status", {}),
            )]  # fmt: skip
            first, failed, last = await asyncio.gather(*calls)
            assert f"nowhere{number}.ts" in failed.content[0].text  # type: ignore[union-attr]
            for one in (first, last):
                assert f" pid {found.pid} " in one.content[0].text  # type: ignore[union-attr]
            return number

    async def talk() -> list[int]:
        return await asyncio.gather(*(session(number) for number in range(50)))

    assert sorted(asyncio.run(asyncio.wait_for(talk(), 120))) == list(range(50))


def test_a_stop_ends_open_streams_at_once(bench: Workbench) -> None:
    found = bench.start()
    headers = {"Authorization": f"Bearer {found.token}"}
    with (
        httpx.Client(base_url=f"http://127.0.0.1:{found.port}", headers=headers, timeout=20) as http,
        http.stream("GET", "/sse") as stream,
    ):
        lines = stream.iter_lines()
        assert next(lines) == "event: endpoint"
        began = time.monotonic()
        assert bench.cn("stop").returncode == 0
        assert time.monotonic() - began < 4
        rest = list(lines)  # it ends whole, not torn
        assert not [line for line in rest if line.startswith("event: message")]
    assert not bench.alive()


@pytest.mark.parametrize("path", ["/mcp", "/sse", "/messages/?session_id=0"])
def test_the_gate_stands_before_every_route(warm_bench: Workbench, path: str) -> None:
    found = warm_bench.start()
    address = f"http://127.0.0.1:{found.port}{path}"
    method = "GET" if path == "/sse" else "POST"
    right = {"Authorization": f"Bearer {found.token}", "Accept": "application/json, text/event-stream"}
    for headers, status in (
        ({}, 401),
        ({"Authorization": "Bearer wrong"}, 401),
        ({**right, "Host": "evil.example"}, 403),
        ({**right, "Origin": "https://evil.example"}, 403),
        ({**right, "Sec-Fetch-Site": "cross-site"}, 403),
    ):
        refused = httpx.request(method, address, headers=headers, timeout=60, json={} if method == "POST" else None)
        assert refused.status_code == status
        assert refused.json()["error"]["code"]


def test_a_client_that_vanishes_in_the_middle_of_a_call(bench: Workbench) -> None:
    found = bench.start()
    headers = {"Authorization": f"Bearer {found.token}", "Accept": "application/json, text/event-stream"}
    body = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}}  # fmt: skip
    with httpx.Client(base_url=f"http://127.0.0.1:{found.port}", headers=headers, timeout=10) as http:
        with http.stream("POST", "/mcp", json=body) as stream:
            assert stream.status_code == 200  # and away, in the middle of the answer
        assert http.get("/health").json() == {"status": "ok"}
    assert bench.status()["pid"] == found.pid
