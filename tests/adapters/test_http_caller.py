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
from types import SimpleNamespace
from typing import Any

import psutil
import pytest

from cn_daemon.adapters.runners.addresses import is_public
from cn_daemon.adapters.runners.http import HttpxCaller
from cn_daemon.application.libraries.library_ports import HttpResponse
from cn_daemon.domain.libraries.http_requests import HttpRequest
from cn_shared.errors import DeadlineError, ExecutionError, ForbiddenError

NUMBERS = ("127.1", "2130706433", "0x7f000001", "0x7f.1", "017700000001", "0177.0.0.1", "0")
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
    for host in ("127.0.0.1", "localhost", "app.localhost.", *NUMBERS, "[::ffff:7f00:1]", "metadata.google.internal"):
        with pytest.raises((ForbiddenError, ExecutionError)):
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


@pytest.mark.parametrize("host", [
    "127.0.0.1", "127.255.0.1", "localhost", "10.0.0.1", "169.254.169.254", "100.100.100.200", "255.255.255.255",
    "224.0.0.1", "0.0.0.0", *NUMBERS, "１２７.0.0.1",
])  # fmt: skip
def test_private_addresses_are_asked_only_when_allowed(host: str) -> None:
    with pytest.raises((ForbiddenError, ExecutionError)) as refused:
        send(HttpRequest("GET", f"http://{host}:9/x", {}), private=False)
    # httpx takes these two for no URL.
    assert refused.value.code == ("unreachable" if host in ("0177.0.0.1", "１２７.0.0.1") else "private_address")


@pytest.mark.parametrize("host", ["::1", "::", "::ffff:127.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::",
                                  "fd00:ec2::254"])  # fmt: skip
def test_private_addresses_of_ipv6_are_never_connected_to(host: str) -> None:
    """A system without IPv6 may not even read them as addresses."""
    with pytest.raises((ForbiddenError, ExecutionError)) as refused:
        send(HttpRequest("GET", f"http://[{host}]:9/x", {}), private=False)
    assert refused.value.code in ("private_address", "unreachable")
    assert not is_public(host)


def test_the_address_that_was_checked_is_the_one_that_is_asked(base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that is another address a moment later."""
    asked = []

    async def lookup(self: Any, host: str, port: int, **_: Any) -> list[Any]:
        asked.append(host)
        return [(2, 1, 6, "", ("127.0.0.1", port))]

    monkeypatch.setattr(asyncio.base_events.BaseEventLoop, "getaddrinfo", lookup)
    url = base.replace("127.0.0.1", "moving.example") + "/to/there"
    told = json.loads(send(HttpRequest("GET", url, {})).body)
    assert told["headers"]["host"] == "moving.example:" + base.rpartition(":")[2]
    assert asked == ["moving.example"] * 2  # once for each of the two requests
    with pytest.raises(ForbiddenError):
        send(HttpRequest("GET", url, {}), private=False)


@pytest.mark.parametrize("address", ["203.1.113.9", "2a01:4f8::9"])
def test_an_address_of_this_machine_is_private_though_it_is_the_publics(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert is_public(address)
    interface = [
        SimpleNamespace(address=address),
        SimpleNamespace(address="fe80::1%eth0"),
        SimpleNamespace(address="00:11:22:33:44:55"),
    ]
    monkeypatch.setattr(psutil, "net_if_addrs", lambda: {"eth0": interface})
    assert not is_public(address)
    assert not is_public("::ffff:" + address if "." in address else address)


PUBLIC = ["93.184.216.34", "2606:2800:220:1::1", "64:ff9b::5db8:d822", "1.1.1.1", "api.example.com", "2002:5db8:d822::"]
PRIVATE = [
    "127.0.0.1", "192.168.1.1", "172.16.0.1", "100.64.0.1", "169.254.1.1", "192.0.0.192", "168.63.129.16", "198.18.0.1",
    "192.0.2.1", "240.0.0.1", "255.255.255.255", "224.0.0.1", "0.0.0.0", "0.1.2.3", *NUMBERS,
    "::1", "::", "fe80::1", "fe80::1%eth0", "fe80::1%25eth0", "fd00::1", "fc00::1", "fec0::1", "ff02::1", "ff0e::1",
    "::ffff:10.0.0.1", "::ffff:0:7f00:1", "::127.0.0.1", "::8.8.8.8", "64:ff9b::7f00:1", "64:ff9b::a00:1",
    "64:ff9b:1::1", "2002:7f00:1::", "2002:a9fe:a9fe::", "2001:0:5ef5:79fd:0:0:80ff:fffe", "2001:db8::1", "4000::1",
    "2600::5efe:7f00:1", "2600::200:5efe:10.0.0.1", "localhost", "a.localhost", "metadata", "metadata.google.internal.",
    "127.0.0.1.", "printer.local",
]  # fmt: skip


@pytest.mark.parametrize("host", PUBLIC)
def test_what_is_public(host: str) -> None:
    assert is_public(host)


@pytest.mark.parametrize("host", PRIVATE)
def test_what_is_not(host: str) -> None:
    assert not is_public(host)


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
