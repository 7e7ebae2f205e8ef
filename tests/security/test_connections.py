"""Nobody holds the daemon's connections who asks nothing: slow heads, endless bodies, floods, what is no HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from cn_daemon import lifecycle, server
from cn_daemon.interfaces.connections import Connection, Limits
from cn_daemon.interfaces.mcp import door as mcp_door
from tests.fakes.door import TOKEN, Door

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Served:
    """The door behind our own server; `connect` gives a bare connection."""

    def __init__(self, limits: Limits) -> None:
        self.listener, self.pumps = lifecycle._bind(), lifecycle._bind()
        self.port = self.listener.getsockname()[1]
        self.door = Door(port=self.port)
        self.stopping, self.ready = asyncio.Event(), asyncio.Event()
        connection = type("Limited", (Connection,), {"limits": limits})
        self.server = server.Server(self.door.app, self.stopping, self.ready.set, connection)
        self.opened: list[asyncio.StreamWriter] = []

    async def connect(self, sent: bytes = b"", port: int = 0) -> Streams:
        streams = await asyncio.open_connection("127.0.0.1", port or self.port)
        self.opened.append(streams[1])
        streams[1].write(sent)
        return streams

    def head(self, path: str = "/find?query=x", method: str = "GET", token: str = TOKEN, more: str = "") -> bytes:
        lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", f"Authorization: Bearer {token}"]
        return ("\r\n".join(lines) + f"\r\n{more}\r\n").encode()


def scene(
    play: Callable[[Served], Awaitable[None]], *, head_s: float = 60, most: int = 100, within_s: float = 20
) -> None:
    async def run() -> None:
        async with serving(Limits(head_s, most)) as served:
            await asyncio.wait_for(play(served), within_s)

    asyncio.run(run())


@asynccontextmanager
async def serving(limits: Limits) -> AsyncIterator[Served]:
    served = Served(limits)
    task = asyncio.create_task(served.server.serve([served.listener]))
    try:
        await served.ready.wait()
        yield served
    finally:
        for writer in served.opened:
            writer.transport.abort()
        served.stopping.set()
        await task
        await served.door.app.state.mcp.close()
        served.listener.close()
        served.pumps.close()


async def status_of(reader: asyncio.StreamReader) -> int:
    return int((await reader.readline()).split()[1])


@pytest.mark.parametrize("sent", [b"", b"G", b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: "])
def test_a_head_that_never_ends_is_given_up(sent: bytes) -> None:
    async def play(served: Served) -> None:
        reader, _ = await served.connect(sent)
        assert await reader.read() == b""

    scene(play, head_s=0.1)


def test_bytes_that_drip_in_do_not_put_the_clock_back() -> None:
    async def play(served: Served) -> None:
        reader, writer = await served.connect()

        async def drip() -> None:
            for letter in served.head(more="X-Slow: " + "x" * 10_000):
                writer.write(bytes([letter]))
                await asyncio.sleep(0.02)

        dripping = asyncio.create_task(drip())
        # Who writes on past the end is told so by a reset, which may come before the end is read.
        with contextlib.suppress(ConnectionResetError):
            assert await reader.read() == b""
        dripping.cancel()

    scene(play, head_s=0.2)


def test_a_body_that_goes_on_after_its_refusal_is_given_up() -> None:
    """Without the token: the reply is there, the body need never end."""

    async def play(served: Served) -> None:
        head = served.head("/find", "POST", "wrong", "Transfer-Encoding: chunked\r\n")
        reader, writer = await served.connect(head)
        assert await status_of(reader) == 401

        async def flood() -> None:
            while True:
                writer.write(b"1\r\nx\r\n")
                await writer.drain()
                await asyncio.sleep(0.01)

        flooding = asyncio.create_task(flood())
        with pytest.raises(ConnectionError):
            await flooding

    scene(play, head_s=0.2)


def test_who_asks_for_the_end_and_does_not_read_the_answer_is_given_up() -> None:
    """Without the token: what was closed already was kept for as long as its caller liked."""

    async def play(served: Served) -> None:
        with socket.socket() as stranger:
            stranger.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)  # the smallest there is
            stranger.connect(("127.0.0.1", served.port))
            while not served.server.server_state.connections:  # noqa: ASYNC110  (it tells nobody)
                await asyncio.sleep(0.01)
            (connection,) = served.server.server_state.connections
            connection.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)
            end = served.head("/docs/start.js", more="Connection: close\r\n")
            stranger.sendall(served.head("/docs/start.js") * 60 + end)
            while not connection.transport.is_closing():  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            assert connection.transport.get_write_buffer_size()
            while served.server.server_state.connections:  # noqa: ASYNC110
                await asyncio.sleep(0.05)

    scene(play, head_s=0.5)


def test_a_question_that_takes_longer_is_answered() -> None:
    async def play(served: Served) -> None:
        served.door.services.find.delay_s = 0.8
        reader, _ = await served.connect(served.head())
        assert await status_of(reader) == 200

    scene(play, head_s=0.4)


def test_the_clock_of_a_kept_connection_starts_anew_with_every_answer() -> None:
    async def play(served: Served) -> None:
        reader, writer = await served.connect()
        last = 0.0
        for _ in range(3):
            writer.write(served.head("/health"))
            assert await status_of(reader) == 200
            await reader.readuntil(b"}\n")
            (connection,) = served.server.server_state.connections
            assert connection._patience.when() > last
            last = connection._patience.when()

    scene(play)


def test_thousands_of_idle_connections_keep_nobody_out() -> None:
    async def play(served: Served) -> None:
        idle = [await served.connect() for _ in range(200)]
        reader, _ = await served.connect(served.head())
        assert await status_of(reader) == 200
        assert len(served.server.server_state.connections) <= 20
        gone = await asyncio.gather(*(one.read() for one, _ in idle[:150]), return_exceptions=True)
        assert len(gone) == 150

    scene(play, most=20)


def test_who_is_being_answered_is_not_closed_to_make_room() -> None:
    async def play(served: Served) -> None:
        served.door.services.find.delay_s = 0.5
        asking = [(await served.connect(served.head()))[0] for _ in range(4)]
        while served.door.info.activity.in_flight < 4:  # noqa: ASYNC110  (it tells nobody)
            await asyncio.sleep(0.01)
        for _ in range(50):
            await served.connect(b"GET")
        assert [await status_of(reader) for reader in asking] == [200] * 4

    scene(play, most=5)


def test_who_never_reads_the_answers_to_questions_without_a_token_makes_room() -> None:
    async def play(served: Served) -> None:
        deaf = [await served.connect(served.head("/docs/swagger-ui-bundle.js", token="wrong") * 30) for _ in range(5)]
        reader, _ = await served.connect(served.head())
        assert await status_of(reader) == 200
        assert len(deaf) == 5

    scene(play, most=5)


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        (b"nonsense\r\n\r\n", 400, "bad_http"),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400, "bad_http"),
        (b"GET / HTTP/1.1\r\n\r\n", 400, "bad_http"),
        (b"GET /find HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", 400, "bad_http"),
        (b"GET /find HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n", 400, "bad_http"),
        (b"GET /\x00 HTTP/1.1\r\nHost: x\r\n\r\n", 400, "bad_http"),
        (b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"x" * 40_000, 431, "head_too_large"),
    ],
)
def test_what_is_no_http_is_refused_in_our_shape(sent: bytes, status: int, code: str) -> None:
    async def play(served: Served) -> None:
        reader, _ = await served.connect(sent)
        head, _, body = (await reader.read()).partition(b"\r\n\r\n")
        assert head.startswith(f"HTTP/1.1 {status} ".encode())
        assert b"\r\ncn-exit: 2" in head.lower()
        assert json.loads(body)["error"]["code"] == code

    scene(play)


BODIED = "POST /find HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n"


@pytest.mark.parametrize(
    "rest",
    [
        "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n0\r\n\r\n",
        "Content-Length: 4\r\nContent-Length: 5\r\n\r\n{}   ",
        "Content-Length: 4, 5\r\n\r\n{}   ",
        "Content-Length: +2\r\n\r\n{}",
        "Content-Length: 0x2\r\n\r\n{}",
        "Content-Length : 2\r\n\r\n{}",
        "Content-Length\t: 2\r\n\r\n{}",
        "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n-1\r\n{}\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n0x2\r\n{}\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n2 \t;x\r\n{}\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n" + "f" * 30 + "\r\n{}\r\n0\r\n\r\n",
        "X: a\rContent-Length: 2\r\n\r\n{}",
        "X\0: a\r\n\r\n",
        "Host: 127.0.0.1:{port}\r\n\r\n",
    ],
)
def test_a_request_that_two_readers_would_end_in_two_places_is_refused(rest: str) -> None:
    """What comes after it is never taken for a request of its own: the connection ends."""

    async def play(served: Served) -> None:
        smuggled = served.head("/find?query=smuggled").decode()
        sent = BODIED.format(port=served.port, token=TOKEN) + rest.replace("{port}", str(served.port)) + smuggled
        reader, _ = await served.connect(sent.encode("latin-1"))
        answer = await reader.read()
        assert answer[:12] in (b"HTTP/1.1 400", b"HTTP/1.1 501")
        assert len(re.findall(rb"HTTP/1.1 \d", answer)) == 1
        assert b"\r\nconnection: close" in answer.lower()
        assert not served.door.services.find.asked

    scene(play)


@pytest.mark.parametrize("rest", [
    "Content-Length: 15\r\nContent-Length: 15\r\n\r\n", "X: a\r\n Content-Length: 2\r\nContent-Length: 15\r\n\r\n",
])  # fmt: skip
def test_what_may_be_read_in_one_way_only_is_read_so(rest: str) -> None:
    """RFC 9110, 8.6: a length that is said twice alike; RFC 9112, 5.2: a folded line is one value."""

    async def play(served: Served) -> None:
        sent = BODIED.format(port=served.port, token=TOKEN) + rest + '{"query": "one"}'[:15] + "X"
        reader, _ = await served.connect(sent.encode())
        assert await status_of(reader) == 400  # the body is cut: 15 bytes of 16 are no JSON
        assert not served.door.services.find.asked

    scene(play)


def test_a_body_that_is_no_chunk_ends_the_question(caplog: pytest.LogCaptureFixture) -> None:
    async def play(served: Served) -> None:
        reader, writer = await served.connect(served.head("/find", "POST", more="Transfer-Encoding: chunked\r\n"))
        writer.write(b"1\r\n{\r\nnonsense\r\n")
        assert b" 400 " in (await reader.read()).partition(b"\r\n")[0]
        assert not served.door.services.find.asked

    scene(play)
    assert "Traceback" not in caplog.text


def test_a_gigabyte_is_refused_by_its_announcement() -> None:
    async def play(served: Served) -> None:
        reader, _ = await served.connect(served.head("/find", "POST", more="Content-Length: 1073741824\r\n"))
        assert await status_of(reader) == 413

    scene(play)


def test_a_gigabyte_in_chunks_is_refused_in_bounded_memory() -> None:
    async def play(served: Served) -> None:
        reader, writer = await served.connect(served.head("/find", "POST", more="Transfer-Encoding: chunked\r\n"))
        chunk = b"100000\r\n" + b"x" * (1 << 20) + b"\r\n"
        sent = 0
        try:
            while sent < 1024:
                writer.write(chunk)
                await writer.drain()
                sent += 1
        except ConnectionError:
            pass
        assert sent < 200  # what the sockets hold, and what is read away so that the caller sees the refusal
        assert not served.door.services.find.asked
        reader.feed_eof()

    scene(play)


def test_strangers_at_the_pumps_port_make_room_for_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mcp_door, "GREETINGS", 4)

    async def play(served: Served) -> None:
        mcp = served.door.app.state.mcp
        await mcp.listen(served.pumps)
        port = served.pumps.getsockname()[1]
        silent = [await served.connect(port=port) for _ in range(10)]
        ends = await asyncio.gather(*(reader.read() for reader, _ in silent[:6]), return_exceptions=True)
        assert all(end == b"" or isinstance(end, ConnectionError) for end in ends)
        page = await served.connect(b"POST / HTTP/1.1\r\nHost: x\r\n\r\n{}\n", port)
        assert await page[0].read() == b""
        assert len(mcp._greeting) <= 4

    scene(play)
