"""No web page, no stranger and no flood gets past the gate."""

from __future__ import annotations

import asyncio
import gzip
import logging
from collections.abc import AsyncIterator
from typing import Any

import pytest

from cn_daemon.interfaces import gate
from cn_daemon.interfaces.gate import Gate
from cn_shared.verbs import VERBS
from tests.fakes.door import PORT, TOKEN, Door

OPEN = [
    "/health",
    "/docs",
    "/openapi.json",
    "/docs/start.js",
    "/docs/swagger-ui.css",
    "/docs/swagger-ui-bundle.js",
]
MCP = {"/mcp", "/sse", "/messages/", "/messages/?session_id=0123456789abcdef0123456789abcdef"}
ODD = {"/nowhere", "/docs/nowhere", "/health/x", "//health", "/HEALTH", "/%2e/health", "/health/", "/docs/../find"}
GUARDED = sorted({verb.path for verb in VERBS} | {"/environment"} | MCP | ODD)
# What a page can send without asking first: no token, no preflight, a body that is JSON all the same.
SIMPLE = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""]


@pytest.fixture(scope="module")
def shared() -> Door:
    return Door()


@pytest.fixture
def door(shared: Door) -> Door:
    """One app for all of them: what earlier tests asked is forgotten."""
    services = shared.services
    for handler in (services.find, services.map, services.inspect, *services.commands.values()):
        handler.asked.clear()
    shared.shutdowns, services.values = 0, {}
    return shared


def untouched(door: Door) -> bool:
    services = door.services
    asked = any(
        handler.asked for handler in (services.find, services.map, services.inspect, *services.commands.values())
    )
    return not (asked or door.shutdowns or services.values)


@pytest.mark.parametrize("path", OPEN)
def test_what_holds_no_data_needs_no_token(door: Door, path: str) -> None:
    reply = door.ask("GET", path, headers={"Authorization": None})
    assert reply.status_code == 200
    assert TOKEN not in reply.text
    assert str(door.info.root) not in reply.text


@pytest.mark.parametrize("path", GUARDED)
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS"])
def test_everything_else_needs_the_token(door: Door, method: str, path: str) -> None:
    reply = door.ask(method, path, headers={"Authorization": None})
    assert reply.status_code == 401
    assert reply.headers["WWW-Authenticate"] == "Bearer"
    assert reply.headers["Cn-Exit"] == "2"
    assert untouched(door)


@pytest.mark.parametrize("path", OPEN)
def test_an_open_path_is_open_for_reading_only(door: Door, path: str) -> None:
    assert door.ask("POST", path, headers={"Authorization": None}).status_code == 401


@pytest.mark.parametrize(
    "authorization",
    [
        "",
        "Bearer",
        "Bearer ",
        f"Basic {TOKEN}",
        f"Bearer {TOKEN[:-1]}",
        f"Bearer {TOKEN}f",
        TOKEN,
        f"Bearer  {TOKEN}",
        f"Bearer {TOKEN.upper()}",
        f"Bearer {TOKEN}, Bearer {TOKEN}",
        f"Bearer: {TOKEN}",
    ],
)
def test_a_wrong_token_is_refused(door: Door, authorization: str) -> None:
    reply = door.ask("POST", "/find", json={"query": "x"}, headers={"Authorization": authorization})
    assert reply.status_code == 401
    assert reply.json()["error"]["code"] == "bad_token"
    assert TOKEN not in reply.text
    assert untouched(door)


def test_the_schemes_name_may_be_written_in_any_case(door: Door) -> None:
    for scheme in ("bearer", "BEARER"):
        assert door.ask("GET", "/find?query=x", headers={"Authorization": f"{scheme} {TOKEN}"}).status_code == 200


@pytest.mark.parametrize("key", ["token", "access_token", "Token", "%74oken", "authorization"])
def test_a_token_in_the_address_is_refused_even_beside_the_right_header(door: Door, key: str) -> None:
    for headers in ({}, {"Authorization": None}):
        reply = door.ask("GET", f"/find?query=x&{key}={TOKEN}", headers=headers)
        assert reply.status_code == 400
        assert reply.json()["error"]["code"] == "token_in_query"
    assert untouched(door)


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        f"evil.example:{PORT}",
        "127.0.0.1",
        "localhost",
        "127.0.0.1:80",
        f"127.0.0.1.evil.example:{PORT}",
        f"localhost.:{PORT}",
        f"0.0.0.0:{PORT}",
        f"127.0.0.2:{PORT}",
        f"[::]:{PORT}",
        f"2130706433:{PORT}",
        f"127.1:{PORT}",
        f"127.0.0.1:{PORT}@evil.example",
        f"user@127.0.0.1:{PORT}",
        f"127.0.0.1:0{PORT}",
        "",
    ],
)
@pytest.mark.parametrize("path", ["/find?query=x", "/mcp", "/sse", "/messages/", *OPEN[:3]])
def test_a_page_that_rebinds_its_name_is_refused(door: Door, host: str, path: str) -> None:
    reply = door.ask("GET", path, headers={"Host": host})
    assert reply.status_code == 403
    assert reply.json()["error"]["code"] == "bad_host"
    assert untouched(door)


@pytest.mark.parametrize("host", [f"127.0.0.1:{PORT}", f"localhost:{PORT}", f"LOCALHOST:{PORT}", f"[::1]:{PORT}"])
def test_our_own_names_are_taken(door: Door, host: str) -> None:
    assert door.ask("GET", "/find?query=x", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "null",
        "",
        f"https://127.0.0.1:{PORT}",
        "http://127.0.0.1",
        "http://localhost:3000",
        f"http://127.0.0.1:{PORT}.evil.example",
        "file://",
        "chrome-extension://abc",
    ],
)
@pytest.mark.parametrize("path", ["/find?query=x", "/mcp", "/sse", "/messages/", *OPEN[:3]])
def test_a_page_of_another_origin_is_refused(door: Door, origin: str, path: str) -> None:
    reply = door.ask("GET", path, headers={"Origin": origin})
    assert reply.status_code == 403
    assert reply.json()["error"]["code"] == "bad_origin"
    assert not [name for name in reply.headers if name.startswith("access-control")]
    assert untouched(door)


@pytest.mark.parametrize("path", GUARDED)
@pytest.mark.parametrize("kind", SIMPLE)
def test_a_form_or_a_text_that_a_page_posts_unasked_reaches_nothing(door: Door, path: str, kind: str) -> None:
    for page in ({"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}, {}):
        headers = {"Authorization": None, "Content-Type": kind, "Cookie": f"token={TOKEN}", **page}
        reply = door.ask("POST", path, content=b'{"query":"x","filePath":"a.ts"}', headers=headers)
        assert reply.status_code == (403 if page else 401)
    assert untouched(door)


@pytest.mark.parametrize("path", GUARDED)
@pytest.mark.parametrize("key", ["token", "access_token"])
def test_on_no_route_does_a_token_in_the_address_count(door: Door, path: str, key: str) -> None:
    address = f"{path}{'&' if '?' in path else '?'}{key}={TOKEN}"
    for method in ("GET", "POST"):
        assert door.ask(method, address, headers={"Authorization": None}).status_code == 400
    assert untouched(door)


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "x-gzip", "gzip, gzip"])
def test_a_compressed_body_is_not_expanded(door: Door, encoding: str) -> None:
    bomb = gzip.compress(b'{"query":"x"}' + b" " * (1 << 20))
    reply = door.ask("POST", "/find", content=bomb, headers={"Content-Encoding": encoding})
    assert reply.status_code == 400
    assert reply.json()["error"]["code"] == "bad_request"
    assert untouched(door)


def test_our_own_page_is_taken(door: Door) -> None:
    headers = {"Origin": f"http://localhost:{PORT}", "Sec-Fetch-Site": "same-origin"}
    assert door.ask("POST", "/find", json={"query": "x"}, headers=headers).status_code == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site", "none, cross-site"])
def test_a_page_of_another_site_is_refused(door: Door, site: str) -> None:
    assert door.ask("GET", "/health", headers={"Sec-Fetch-Site": site}).status_code == 403


def test_a_preflight_is_refused(door: Door) -> None:
    headers = {"Access-Control-Request-Method": "POST", "Origin": f"http://127.0.0.1:{PORT}"}
    reply = door.ask("OPTIONS", "/find", headers=headers)
    assert reply.status_code == 403
    assert "access-control-allow-origin" not in reply.headers


def test_two_hosts_are_refused() -> None:
    sent = asyncio.run(raw(headers=[(b"host", HOST), (b"host", HOST)]))
    assert sent[0]["status"] == 403


def test_no_host_is_refused() -> None:
    assert asyncio.run(raw(headers=[(b"authorization", b"Bearer " + TOKEN.encode())]))[0]["status"] == 403


def test_a_second_origin_cannot_hide_behind_ours() -> None:
    ours = f"http://127.0.0.1:{PORT}".encode()
    sent = asyncio.run(raw(headers=[(b"host", HOST), (b"origin", ours), (b"origin", b"https://evil.example")]))
    assert sent[0]["status"] == 403


def test_a_web_socket_is_refused() -> None:
    assert asyncio.run(raw(kind="websocket", headers=[(b"host", HOST)])) == [{"type": "websocket.close", "code": 1008}]


def test_a_body_over_the_limit_is_refused_by_its_announced_length(door: Door) -> None:
    limit = door.services.settings.body_limit_bytes
    reply = door.ask("POST", "/find", content=b'{"query":"' + b"x" * limit + b'"}')
    assert reply.status_code == 413
    assert reply.json()["error"]["code"] == "body_too_large"
    assert reply.headers["Cn-Exit"] == "2"
    assert reply.headers["Connection"] == "close"
    assert untouched(door)


def test_a_body_over_the_limit_is_refused_while_it_streams(door: Door) -> None:
    drawn = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal drawn
        while True:
            drawn += 1
            yield b"x" * 65_536

    assert door.ask("POST", "/find", content=endless()).status_code == 413
    # The limit, and what is read away so that the caller sees the reply.
    assert drawn <= 18 + gate.DRAIN_BYTES // 65_536
    assert untouched(door)


def test_a_body_at_the_limit_is_read(door: Door) -> None:
    limit = door.services.settings.body_limit_bytes
    body = b'{"query":"x"}' + b" " * (limit - 13)
    assert door.ask("POST", "/find", content=body).status_code == 200


def test_a_body_that_lies_about_its_length_is_still_counted(door: Door) -> None:
    async def flood() -> AsyncIterator[bytes]:
        for _ in range(40):
            yield b"x" * 65_536

    assert door.ask("POST", "/find", content=flood(), headers={"Content-Length": "5"}).status_code == 413


def test_the_token_is_asked_for_before_the_body_is_read(door: Door) -> None:
    async def never() -> AsyncIterator[bytes]:
        raise AssertionError("the body was read")
        yield b""

    assert door.ask("POST", "/find", content=never(), headers={"Authorization": None}).status_code == 401


def test_a_body_that_drips_in_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    async def drip() -> dict[str, Any]:
        await asyncio.sleep(0.01)
        return {"type": "http.request", "body": b" ", "more_body": True}

    sent = asyncio.run(raw(receive=drip, body_timeout_s=0.1))
    assert sent[0]["status"] == 408
    assert b"slow_body" in sent[1]["body"]


def test_a_caller_who_hangs_up_within_the_body_is_let_go() -> None:
    messages: list[dict[str, Any]] = [
        {"type": "http.disconnect"},
        {"type": "http.request", "body": b"{", "more_body": True},
    ]

    async def receive() -> dict[str, Any]:
        return messages.pop()

    assert asyncio.run(raw(receive=receive)) == []


def test_a_defect_after_the_reply_began_sends_no_second_one(caplog: pytest.LogCaptureFixture) -> None:
    async def breaks(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        raise ZeroDivisionError

    with caplog.at_level(logging.ERROR):
        sent = asyncio.run(raw(app=breaks))
    assert [message["type"] for message in sent] == ["http.response.start"]
    assert "ZeroDivisionError" in caplog.text


def test_every_reply_carries_the_exit_code_and_is_not_kept(door: Door) -> None:
    for method, path, headers in [
        ("GET", "/health", {}),
        ("GET", "/docs", {}),
        ("GET", "/nowhere", {}),
        ("GET", "/find", {}),
        ("GET", "/find", {"Host": "evil"}),
        ("POST", "/docs", {}),
        ("GET", "/find?query=x", {}),
        ("GET", "/openapi.json", {}),
    ]:
        reply = door.ask(method, path, headers=headers)
        assert reply.headers["Cn-Exit"] in "0123456789"
        assert reply.headers["Cache-Control"] == "no-store"
        assert reply.headers["X-Content-Type-Options"] == "nosniff"


def test_the_docs_page_loads_nothing_from_elsewhere(door: Door) -> None:
    page = door.ask("GET", "/docs")
    assert "http://" not in page.text
    assert "https://" not in page.text
    assert "<script>" not in page.text
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe-inline" not in policy.split("style-src")[0]


HOST = f"127.0.0.1:{PORT}".encode()
HEADERS = [
    (b"host", HOST),
    (b"authorization", b"Bearer " + TOKEN.encode()),
    (b"transfer-encoding", b"chunked"),
]


async def raw(
    *,
    kind: str = "http",
    headers: list[tuple[bytes, bytes]] = HEADERS,
    receive: Any = None,
    app: Any = None,
    body_timeout_s: float = gate.BODY_TIMEOUT_S,
) -> list[dict[str, Any]]:
    """What the gate sends, asked below HTTP: for what no client library would send."""
    sent: list[dict[str, Any]] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def nothing() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    guarded = Gate(app or Door().app, token=TOKEN, port=PORT, body_limit=lambda: 1 << 20, body_timeout_s=body_timeout_s)
    scope = {"type": kind, "method": "POST", "path": "/find", "query_string": b"", "headers": headers}
    await asyncio.wait_for(guarded(scope, receive or nothing, send), 5)
    return sent
