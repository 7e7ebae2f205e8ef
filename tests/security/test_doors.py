"""No door can be used up by one caller: silent connections, deaf ones, sessions and streams that are left open."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import os
import resource
import socket
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from cn_daemon.interfaces.connections import Limits
from cn_daemon.interfaces.mcp import sessions
from tests.fakes.door import PORT, TOKEN, Door
from tests.faults.workbench import Workbench
from tests.mcp.conftest import LEGACY, Client
from tests.security.test_connections import Served, scene, serving, status_of

SILENT = 1500
IN_TIME_S = 20.0
OPENING = {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
HEADERS = {"Authorization": f"Bearer {TOKEN}", "Accept": "application/json, text/event-stream"}


def test_an_admitted_answer_that_nobody_reads_is_given_up() -> None:
    async def play() -> None:
        async with serving(Limits(60, 100, read_s=0.2)) as served:
            deaf = served.head("/docs/swagger-ui-bundle.js") * 30
            with socket.create_connection(("127.0.0.1", served.port)) as stranger:
                stranger.sendall(deaf)
                async with asyncio.timeout(15):
                    while not served.server.server_state.total_requests:  # noqa: ASYNC110  (it tells nobody)
                        await asyncio.sleep(0.01)
                    while served.server.server_state.connections:  # noqa: ASYNC110
                        await asyncio.sleep(0.05)

    asyncio.run(play())


class Remote:
    """A client of `/mcp` that comes from an address of its own."""

    def __init__(self, door: Door, address: str) -> None:
        transport = httpx.ASGITransport(door.app, client=(address, 4711))
        self.http = httpx.AsyncClient(transport=transport, base_url=f"http://127.0.0.1:{PORT}", headers=HEADERS)

    async def said(self, method: str, session: str = "", **params: Any) -> httpx.Response:
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        return await self.http.post("/mcp", json=message, headers={"Mcp-Session-Id": session} if session else {})

    async def opened(self) -> str:
        reply = await self.said("initialize", **OPENING)
        assert reply.status_code == 200
        return reply.headers["Mcp-Session-Id"]

    async def alive(self, session: str) -> bool:
        return (await self.said("ping", session)).status_code == 200


def play_remote(play: Callable[[Door], Awaitable[None]]) -> None:
    async def run() -> None:
        door = Door()
        try:
            await asyncio.wait_for(play(door), 30)
        finally:
            await door.app.state.mcp.close()

    asyncio.run(run())


def test_who_opens_sessions_without_end_ends_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the token, over the network: everybody else got 503."""
    monkeypatch.setattr(sessions, "SESSIONS", 10)

    async def play(door: Door) -> None:
        neighbour, flooder = Remote(door, "10.0.0.1"), Remote(door, "10.0.0.2")
        mine = [await neighbour.opened() for _ in range(3)]
        theirs = [await flooder.opened() for _ in range(40)]
        assert [await neighbour.alive(one) for one in mine] == [True] * 3
        assert await neighbour.opened()
        living = [await flooder.alive(one) for one in theirs]
        assert (any(living[:-7]), sum(living)) == (False, 6)

    play_remote(play)


def test_alone_too_a_client_always_gets_a_session_and_keeps_the_one_it_uses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "SESSIONS", 5)

    async def play(door: Door) -> None:
        client = Remote(door, "10.0.0.1")
        used = await client.opened()
        for _ in range(30):
            await client.opened()
            assert await client.alive(used)

    play_remote(play)


def test_a_session_that_ended_is_counted_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "SESSIONS", 3)

    async def play(door: Door) -> None:
        client = Remote(door, "10.0.0.1")
        kept = await client.opened()
        for _ in range(10):
            ended = await client.opened()
            assert (await client.http.delete("/mcp", headers={"Mcp-Session-Id": ended})).status_code == 200
        assert await client.alive(kept)
        counted = (await door.app.state.mcp.ready())._sessions
        assert (len(counted), len(counted._busy)) == (1, 0)

    play_remote(play)


@asynccontextmanager
async def from_address(served: Served, address: str, sent: bytes, port: int = 0) -> AsyncIterator[asyncio.StreamReader]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port or served.port, local_addr=(address, 0))
    served.opened.append(writer)
    writer.write(sent)
    yield reader


@pytest.mark.skipif(sys.platform != "linux", reason="all of 127/8 is this machine's there")
def test_who_has_every_connection_answered_makes_room_for_another_client() -> None:
    async def play(served: Served) -> None:
        served.door.services.find.delay_s = 1.0
        asking = [(await served.connect(served.head()))[0] for _ in range(6)]
        while served.door.info.activity.in_flight < 5:  # noqa: ASYNC110  (it tells nobody)
            await asyncio.sleep(0.01)
        async with from_address(served, "127.0.0.2", served.head("/health")) as reader:
            assert await status_of(reader) == 200
        answered = await asyncio.gather(*map(status_of, asking), return_exceptions=True)
        assert answered.count(200) in (4, 5)

    scene(play, most=5)


@pytest.mark.filterwarnings("ignore:Unclosed <MemoryObject:ResourceWarning")
@pytest.mark.skipif(sys.platform != "linux", reason="all of 127/8 is this machine's there")
def test_streams_of_one_client_make_room_for_another_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play(served: Served) -> None:
        served.door.app.state.mcp._streams.most = 4
        mine = [(await served.connect(served.head("/sse")))[0] for _ in range(4)]
        assert [await status_of(reader) for reader in mine] == [200] * 4
        assert await status_of((await served.connect(served.head("/sse")))[0]) == 429
        async with from_address(served, "127.0.0.2", served.head("/sse")) as reader:
            assert await status_of(reader) == 200
            await mine[0].read()  # the oldest ended
        assert len(served.door.app.state.mcp._streams) == 4

    scene(play)
    # The SDK does not close all the streams of a cancelled /sse: what Python says of that is not a later test's.
    gc.collect()


def test_a_burst_at_the_pumps_port_ends_others_than_the_one_that_greets() -> None:
    """The limit aborted the oldest of them again and again, as long as its task had not run, and let all others be."""

    async def play(served: Served) -> None:
        mcp = served.door.app.state.mcp
        await mcp.ready()
        mcp._greeting.most = 16
        await mcp.listen(served.pumps)
        port = served.pumps.getsockname()[1]
        for _ in range(5):
            silent = await asyncio.gather(*(served.connect(port=port) for _ in range(40)))
            greeting = json.dumps({"token": TOKEN}).encode() + b"\n"
            asked = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode() + b"\n"
            reader, _ = await served.connect(greeting + asked, port)
            assert json.loads(await reader.readline())["id"] == 1
            ends = asyncio.as_completed([reader.read() for reader, _ in silent], timeout=5)
            for _ in range(40 - 16):
                with contextlib.suppress(ConnectionError):
                    await next(ends)
            assert len(mcp._greeting) <= 16

    scene(play)


def test_a_greeting_without_end_is_not_kept() -> None:
    async def play(served: Served) -> None:
        mcp = served.door.app.state.mcp
        await mcp.listen(served.pumps)
        reader, writer = await served.connect(port=served.pumps.getsockname()[1])
        sent = 0
        with contextlib.suppress(ConnectionError):
            while sent < 64 << 20:
                writer.write(b"x" * (1 << 16))
                await writer.drain()
                sent += 1 << 16
        assert sent < 32 << 20  # what the sockets hold, and a quarter of a megabyte
        reader.feed_eof()

    scene(play)


def test_a_pump_past_the_limit_takes_the_place_of_the_one_that_was_silent_for_longest() -> None:
    async def play(served: Served) -> None:
        mcp = served.door.app.state.mcp
        await mcp.ready()
        mcp._pumps.most = 3
        await mcp.listen(served.pumps)
        port = served.pumps.getsockname()[1]
        greeting = json.dumps({"token": TOKEN}).encode() + b"\n"
        ping = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode() + b"\n"
        pumps = []
        for _ in range(4):
            pumps.append(await served.connect(greeting + ping, port))
            assert json.loads(await pumps[-1][0].readline())["result"] == {}
            if len(pumps) == 3:
                pumps[0][1].write(ping)
                await pumps[0][0].readline()
        assert await pumps[1][0].read() == b""
        for reader, writer in (pumps[0], pumps[2], pumps[3]):
            writer.write(ping)
            assert json.loads(await reader.readline())["result"] == {}

    scene(play)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    bench = Workbench(tmp_path.resolve())
    bench.add_command()
    registry = bench.root / ".agent" / "climpt" / "registry.json"
    registry.parent.mkdir(parents=True)
    registry.write_text(json.dumps({"tools": {"commands": [{"c1": "a", "c2": "b", "c3": "c", "description": "d"}]}}))
    bench.environment["CN_CLIMPT_COMMAND"] = json.dumps([sys.executable, "-c", "print('ran')"])
    yield bench
    bench.close()


@pytest.fixture
def descriptors() -> Iterator[int]:
    """How many connections this test may hold at each of two ports."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = 4096 if hard == resource.RLIM_INFINITY else min(4096, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))
    yield min(SILENT, (most - 300) // 2)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def hold(stack: contextlib.ExitStack, port: int, sent: bytes) -> None:
    stranger = stack.enter_context(socket.socket())
    stranger.setblocking(False)
    with contextlib.suppress(BlockingIOError):
        stranger.connect(("127.0.0.1", port))
    with contextlib.suppress(OSError):
        stranger.send(sent)


@pytest.mark.parametrize("limit", [256, pytest.param(1024, marks=pytest.mark.slow)])
@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells how many files a process has open")
def test_fifteen_hundred_silent_connections_at_each_port(bench: Workbench, descriptors: int, limit: int) -> None:
    """They left the daemon no descriptor for a file or a program: it answered nobody, and could not even be stopped."""

    def bounded() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))

    assert bench.cn("start", preexec_fn=bounded).returncode == 0
    found = bench.state()
    head = f"GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: 127.0.0.1:{found.port}\r\n"
    kinds = (b"", b"GET / HT", (head + "X-Slow: ").encode(), (head + "\r\n").encode() * 20, b"POST /mcp HTTP/1.1\r\n")
    with contextlib.ExitStack() as stack, contextlib.ExitStack() as agent:
        client, late = agent.enter_context(Client(bench)), agent.enter_context(Client(bench))
        client.open()
        for number in range(descriptors):
            hold(stack, found.port, kinds[number % len(kinds)])
            hold(stack, found.pump_port, (b"", b'{"token"', b"x" * 1000)[number % 3])
            if number % (descriptors // 3) == descriptors // 6:
                began = time.monotonic()
                assert bench.commands() == ["a b c", "deploy"]
                assert client.call("status")["isError"] is False
                done = bench.cn("execute", "a", "b", "c")
                assert (done.returncode, done.stdout) == (0, "ran\n"), done.stderr
                assert time.monotonic() - began < IN_TIME_S
        # Who is refused has a descriptor from being accepted to being closed, in the next turns of the event loop.
        until = time.monotonic() + IN_TIME_S
        while len(os.listdir(f"/proc/{found.pid}/fd")) >= limit * 0.7:
            assert time.monotonic() < until, "the refused are kept"
            time.sleep(0.05)
        late.open()
        assert late.call("status")["isError"] is False
        assert (late.close(), client.close()) == (0, 0)
        assert bench.cn("stop").returncode == 0
