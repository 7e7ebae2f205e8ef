"""A client of MCP that floods, lies and leaves things open: the daemon answers it, or refuses, and goes on."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from typing import Any

import httpx
import psutil
import pytest

from cn_daemon.interfaces.mcp.door import STREAMS
from tests.faults.workbench import Workbench
from tests.mcp.conftest import LEGACY, Client

PINGS = 5_000
MOST_BYTES = 150 << 20
DEEP = 100_000
HEADERS = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
OPENING = {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    one = Workbench(tmp_path_factory.mktemp("hostile").resolve())
    one.add_command()
    one.start()
    yield one
    one.close()


@pytest.fixture
def client(bench: Workbench) -> Iterator[Client]:
    with Client(bench) as one:
        one.open()
        yield one
        assert one.call("status")["isError"] is False, "it does not go on"
        assert one.close() == 0, "it waits for what was answered"


@pytest.fixture(scope="module")
def http(bench: Workbench) -> Iterator[httpx.Client]:
    found = bench.state()
    headers = {"Authorization": f"Bearer {found.token}", **HEADERS}
    with httpx.Client(base_url=f"http://127.0.0.1:{found.port}", headers=headers, timeout=30) as one:
        yield one
        assert one.get("/status").status_code == 200, "it does not go on"


def say(client: Client, line: bytes) -> None:
    assert client.process.stdin is not None
    client.process.stdin.write(line + b"\n")
    client.process.stdin.flush()


def message(method: str, id: Any = None, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": method, "params": params, **({} if id is None else {"id": id})}


def test_a_flood_of_pings_is_answered_one_by_one(bench: Workbench, client: Client) -> None:
    daemon = psutil.Process(bench.state().pid)
    before = daemon.memory_info().rss

    def flood() -> None:
        for first in range(0, PINGS, 500):
            say(client, b"\n".join(json.dumps(message("ping", id)).encode() for id in range(first, first + 500)))

    thread = threading.Thread(target=flood)
    thread.start()
    answered = [client.receive() for _ in range(PINGS)]
    thread.join()
    assert {row["id"] for row in answered} == set(range(PINGS))
    assert all(row["result"] == {} for row in answered)
    assert daemon.memory_info().rss - before < MOST_BYTES


def test_a_batch_is_refused_whole(client: Client) -> None:
    """MCP has none since 2025-06-18: ten thousand messages in one are no message."""
    say(client, json.dumps([message("ping", id) for id in range(10_000)]).encode())
    assert client.receive()["error"]["code"] == -32700


@pytest.mark.parametrize("shape", ["[", '{"a":', '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":' + "["])
def test_nesting_without_end_is_refused(client: Client, shape: str) -> None:
    say(client, (shape + "[" * DEEP).encode())
    assert client.receive()["error"]["code"] == -32700
    closed = '{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":' + "[" * DEEP + "]" * DEEP + "}}"
    say(client, closed.encode())
    assert client.receive()["error"]["code"] == -32700


@pytest.mark.parametrize("id", [{"a": 1}, [1], True, 1.5, "x" * 100_000, "\ud800", 10**30, -1, ""])
def test_an_id_of_any_kind_is_answered_or_refused(client: Client, id: Any) -> None:
    say(client, json.dumps(message("ping", id)).encode())
    told = client.receive()
    if isinstance(id, bool | float | list | dict) or id == "\ud800":
        assert told["error"]["code"] == -32600
        assert told["id"] == (id if isinstance(id, str) else None)
    else:
        assert told["id"] == id


def test_the_same_id_twice_at_once(client: Client) -> None:
    for _ in range(50):
        client.send("tools/call", {"name": "list_commands", "arguments": {}}, id=5)
    answered = [client.receive() for _ in range(50)]
    assert {row["id"] for row in answered} == {5}
    assert all(("result" in row) or row["error"]["message"] for row in answered)


def test_what_was_never_asked_is_cancelled_without_a_word(client: Client) -> None:
    for id in (99, "no", -1, None, {"a": 1}, [1]):
        client.send("notifications/cancelled", {"requestId": id, "reason": "x"})
    assert client.ask("ping")["result"] == {}


def test_over_http_nesting_and_batches_are_refused(http: httpx.Client) -> None:
    for body in (b"[" * DEEP, b'{"a":' * DEEP, json.dumps([message("ping", 1)] * 1000).encode(), b"", b"\xff", b"1"):
        reply = http.post("/mcp", content=body)
        assert reply.status_code == 400, reply.text
        assert "error" in reply.json()


@pytest.mark.parametrize("session", ["0" * 32, "x", "../../x", "a" * 8000])
def test_a_session_of_the_clients_own_making_is_none(http: httpx.Client, session: str) -> None:
    """Its id is always the daemon's: nobody can be led into one that another knows."""
    asked = message("tools/list", 1)
    reply = http.post("/mcp", json=asked, headers={"Mcp-Session-Id": session})
    assert reply.status_code in (400, 404)
    opened = http.post("/mcp", json=message("initialize", 1, **OPENING), headers={"Mcp-Session-Id": session})
    assert opened.headers.get("Mcp-Session-Id", "") != session
    with http.stream("POST", "/messages/", params={"session_id": session}, json=asked) as posted:
        assert posted.status_code in (400, 404)


def test_a_session_of_one_transport_is_none_of_the_other(http: httpx.Client) -> None:
    opened = http.post("/mcp", json=message("initialize", 1, **OPENING))
    session = opened.headers["Mcp-Session-Id"]
    reply = http.post(f"/messages/?session_id={session}", json=message("tools/list", 2))
    assert reply.status_code == 404
    assert http.delete("/mcp", headers={"Mcp-Session-Id": session}).status_code == 200
    reply = http.post("/mcp", json=message("tools/list", 2), headers={"Mcp-Session-Id": session})
    assert reply.status_code == 404


def test_streams_left_open_leave_room_for_questions(bench: Workbench) -> None:
    found = bench.state()
    head = f"GET /sse HTTP/1.1\r\nHost: 127.0.0.1:{found.port}\r\nAuthorization: Bearer {found.token}\r\n\r\n"
    streams = []
    try:
        for number in range(STREAMS + 1):
            stream = socket.create_connection(("127.0.0.1", found.port), 10)
            streams.append(stream)
            stream.sendall(head.encode())
            wanted = b" 200 " if number < STREAMS else b" 429 "
            assert wanted in stream.recv(4096).split(b"\r\n")[0], number
        assert bench.commands() == ["deploy"]
    finally:
        for stream in streams:
            stream.close()
