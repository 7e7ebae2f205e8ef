"""The HTTP door behind uvicorn and a real socket: what only shows there."""

from __future__ import annotations

import asyncio
import http.client
import socket
import threading
import time
from collections.abc import Callable, Iterator

import pytest
import uvicorn

from cn_daemon import lifecycle
from tests.fakes.door import TOKEN, Door

HEADERS = {"Authorization": f"Bearer {TOKEN}"}


class Served:
    def __init__(self) -> None:
        self.socket = lifecycle._bind()
        self.port = self.socket.getsockname()[1]
        self.door = Door(port=self.port)
        self.server = uvicorn.Server(uvicorn.Config(self.door.app, log_config=None, access_log=False, ws="none"))
        self.thread = threading.Thread(target=lambda: asyncio.run(self.server.serve([self.socket])))

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)


@pytest.fixture
def served() -> Iterator[Served]:
    served = Served()
    served.thread.start()
    while not served.server.started:
        time.sleep(0.005)
    yield served
    served.server.should_exit = True
    served.thread.join()
    served.socket.close()


def test_a_kept_connection_answers_at_once(served: Served) -> None:
    connection = served.connect()
    took = []
    for _ in range(30):
        began = time.perf_counter()
        connection.request("POST", "/find", b'{"query":"User"}', HEADERS)
        reply = connection.getresponse()
        reply.read()
        took.append(time.perf_counter() - began)
        assert reply.status == 200
    connection.close()
    # With Nagle's algorithm left on none takes less than 0.04; on a busy machine some do without it, too.
    assert min(took) < 0.02


@pytest.mark.parametrize("chunked", [False, True])
def test_whoever_sends_too_much_is_told_so(served: Served, chunked: bool) -> None:
    connection = served.connect()
    body = b"x" * (3 << 20)
    if chunked:
        pieces = (body[at : at + 65_536] for at in range(0, len(body), 65_536))
        connection.request("POST", "/find", pieces, HEADERS, encode_chunked=True)
    else:
        connection.request("POST", "/find", body, HEADERS)
    reply = connection.getresponse()
    assert reply.status == 413
    assert b"body_too_large" in reply.read()
    connection.close()


def test_hanging_up_cancels_the_question(served: Served) -> None:
    served.door.services.find.delay_s = 30
    with socket.create_connection(("127.0.0.1", served.port)) as stream:
        head = f"GET /find?query=x HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\nAuthorization: Bearer {TOKEN}\r\n\r\n"
        stream.sendall(head.encode())
        until(lambda: served.door.info.activity.in_flight == 1)
    until(served.door.services.find.cancelled.is_set)
    until(lambda: served.door.info.activity.in_flight == 0)


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 5
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)
