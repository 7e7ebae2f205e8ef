"""Requests to a real server on this machine."""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
import threading
import time
import tracemalloc
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from cn_daemon.adapters.runners.http import HttpxCaller, _is_public
from cn_daemon.application.libraries.library_ports import HttpResponse
from cn_daemon.domain.libraries.http_requests import HttpRequest
from cn_shared.errors import DeadlineError, ExecutionError, ForbiddenError

_BOMB = gzip.compress(bytes(1 << 25))


class _Echo(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path.startswith("/slow"):
            time.sleep(3)
        if self.path.startswith("/to/"):
            self._reply(302, b"", {"Location": self.path[3:]})
        elif self.path.startswith("/away"):
            self._reply(307, b"", {"Location": "http://elsewhere.example/x"})
        elif self.path.startswith("/large"):
            self._reply(200, b"x" * 100_000)
        elif self.path.startswith("/packed/"):
            self._packed(self.path.rpartition("/")[2])
        else:
            told = {
                "method": self.command,
                "path": self.path,
                "headers": dict(self.headers),
                "body": body.decode(),
            }
            self._reply(404 if self.path.startswith("/none") else 200, json.dumps(told).encode())

    def _packed(self, how: str) -> None:
        content = gzip.compress(b'{"packed":true}') if how == "gzip" else _BOMB
        sent = {"cut": content[: len(content) // 2], "wrong": b"x" * 100}.get(how, content)
        self._reply(200, sent, {"Content-Encoding": "br" if how == "br" else "gzip"})

    do_POST = do_GET  # noqa: N815

    def _reply(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass


class _Server(ThreadingHTTPServer):
    def handle_error(self, *_: Any) -> None:
        """Who was slow finds that nobody listens any more, seconds later: that is written in no other test's stderr."""


@pytest.fixture
def base() -> Iterator[str]:
    server = _Server(("127.0.0.1", 0), _Echo)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def send(request: HttpRequest, *, private: bool = True, seconds: float = 10, limit: int = 50_000) -> HttpResponse:
    caller = HttpxCaller(lambda: limit, lambda: private)
    return asyncio.run(caller.send(request, time.monotonic() + seconds))


def test_a_request_arrives_as_made(base: str) -> None:
    request = HttpRequest("POST", f"{base}/a/b%2Fc?x=1&x=%20", {"authorization": "Bearer t", "x-a": "1"}, b'{"y":2}')
    response = send(request)
    told = json.loads(response.body)
    assert (told["method"], told["path"], told["body"]) == ("POST", "/a/b%2Fc?x=1&x=%20", '{"y":2}')
    headers = {name.lower(): value for name, value in told["headers"].items()}
    assert headers["authorization"] == "Bearer t"
    assert headers["host"] == base.removeprefix("http://")
    assert headers["user-agent"].startswith("cn/")
    assert response.status == 200


def test_a_proxy_is_asked_when_one_is_set(base: str) -> None:
    caller = HttpxCaller(lambda: 50_000, lambda: False, lambda: base)
    request = HttpRequest("GET", "http://api.nowhere.invalid/x?a=1", {"authorization": "t"})
    told = json.loads(asyncio.run(caller.send(request, time.monotonic() + 10)).body)
    assert told["path"] == "http://api.nowhere.invalid/x?a=1"
    for host in ("127.0.0.1", "localhost", "app.localhost."):
        with pytest.raises(ForbiddenError):
            asyncio.run(caller.send(request._replace(url=f"http://{host}/x"), time.monotonic() + 10))


def test_a_proxy_that_is_none_is_told_without_its_secret(base: str) -> None:
    caller = HttpxCaller(lambda: 50_000, lambda: True, lambda: "http://me:hush@[x")
    with pytest.raises(ExecutionError) as failed:
        asyncio.run(caller.send(HttpRequest("GET", f"{base}/x", {}), time.monotonic() + 10))
    assert "hush" not in json.dumps(failed.value.document())


def test_another_status_comes_back_whole(base: str) -> None:
    response = send(HttpRequest("GET", f"{base}/none", {}))
    assert (response.status, json.loads(response.body)["path"]) == (404, "/none")


def test_a_body_is_bounded(base: str) -> None:
    response = send(HttpRequest("GET", f"{base}/large", {}))
    assert (len(response.body), response.truncated) == (50_000, True)


def test_a_packed_answer_is_unpacked(base: str) -> None:
    assert send(HttpRequest("GET", f"{base}/packed/gzip", {})).body == b'{"packed":true}'


def test_an_answer_that_expands_a_thousandfold_is_bounded_while_it_is_unpacked(base: str) -> None:
    tracemalloc.start()
    try:
        response = send(HttpRequest("GET", f"{base}/packed/bomb", {}))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (len(response.body), response.truncated) == (50_000, True)
    assert peak < 1 << 24  # one piece of it holds 32 MB


@pytest.mark.parametrize(
    ("how", "code"), [("cut", "bad_encoding"), ("wrong", "bad_encoding"), ("br", "unknown_encoding")]
)
def test_an_answer_that_cannot_be_unpacked_says_so(base: str, how: str, code: str) -> None:
    with pytest.raises(ExecutionError) as caught:
        send(HttpRequest("GET", f"{base}/packed/{how}", {}), limit=1 << 28)
    assert caught.value.code == code


def test_redirects_stay_within_the_origin(base: str) -> None:
    assert json.loads(send(HttpRequest("GET", f"{base}/to/there", {"x-a": "1"})).body)["path"] == "/there"
    away = send(HttpRequest("GET", f"{base}/away", {"authorization": "secret"}))
    assert (away.status, away.headers["location"]) == (307, "http://elsewhere.example/x")
    assert send(HttpRequest("POST", f"{base}/to/there", {}, b"{}")).status == 302
    other_port = send(HttpRequest("GET", f"{base}/to//127.0.0.1:1/x", {}))
    assert other_port.status == 302


def test_a_circle_of_redirects_ends(base: str) -> None:
    with pytest.raises(ExecutionError) as circle:
        send(HttpRequest("GET", f"{base}/to/to/to/to/to/to/to/to/x", {}))
    assert circle.value.code == "redirected"


def test_the_deadline(base: str) -> None:
    with pytest.raises(DeadlineError):
        send(HttpRequest("GET", f"{base}/slow", {}), seconds=0.3)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "10.0.0.1",
                                  "169.254.169.254", "[::ffff:127.0.0.1]",
                                  "0.0.0.0", "127.1", "2130706433"])  # fmt: skip
def test_private_addresses_are_asked_only_when_allowed(host: str) -> None:
    with pytest.raises((ForbiddenError, ExecutionError)) as refused:
        send(HttpRequest("GET", f"http://{host}:9/x", {}), private=False)
    assert refused.value.code in ("private_address", "unreachable")
    if host in ("127.0.0.1", "10.0.0.1", "169.254.169.254"):
        assert refused.value.code == "private_address"


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True),
        ("2606:2800:220:1::1", True),
        ("127.0.0.1", False),
        ("192.168.1.1", False),
        ("100.64.0.1", False),
        ("::1", False),
        ("fe80::1", False),
        ("fd00::1", False),
        ("::ffff:10.0.0.1", False),
        ("2002:7f00:1::", False),
        ("224.0.0.1", False),
    ],
)
def test_what_is_public(address: str, public: bool) -> None:
    assert _is_public(address) is public


@pytest.mark.parametrize("url", ["http://nowhere.invalid/x?key=hush", "http://127.0.0.1:1/x?key=hush"])
def test_errors_and_logs_hold_no_secret(url: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG), pytest.raises(ExecutionError) as failed:
        send(HttpRequest("GET", url.replace("//", "//me:hush@"), {"authorization": "hush"}))
    assert failed.value.code == "unreachable"
    assert "hush" not in json.dumps(failed.value.document()) + caplog.text


def test_a_request_that_succeeds_leaves_no_secret_in_the_log(base: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        send(HttpRequest("GET", f"{base}/x?key=hush", {"authorization": "hush"}))
    assert "hush" not in caplog.text
