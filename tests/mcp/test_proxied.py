"""`cn serve` behind a proxy that ends TLS and offers it below a prefix: one server, and two that take turns."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import shutil
import socket
import ssl
import subprocess
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import httpx
import httpx2
import pytest
import uvicorn
from mcp.client.client import Client
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client

from tests.faults.conftest import Workbench
from tests.mcp import library
from tests.mcp.test_serve import TOKEN, TOOLS, served

PREFIX = "/csp/acmt"
HEADERS = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Key and certificate of `localhost`, in one file."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("there is no openssl")
    file = tmp_path_factory.mktemp("tls") / "both.pem"
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    command = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", *subject]
    subprocess.run([*command, "-keyout", file, "-out", f"{file}.crt"], check=True, capture_output=True)
    file.write_text(file.read_text() + Path(f"{file}.crt").read_text())
    return file


class Proxy:
    """An ASGI app that hands each request to the next of `behind`, and the reply back piece by piece.

    asked: how many requests each has got.
    """

    def __init__(self, behind: Sequence[str]) -> None:
        self.asked = dict.fromkeys(behind, 0)
        self._turn = itertools.cycle(behind)
        self.http = httpx.AsyncClient(timeout=None)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        behind = next(self._turn)
        self.asked[behind] += 1
        query = "?" + scope["query_string"].decode() if scope["query_string"] else ""
        body, more = b"", True
        while more:
            message = await receive()
            body, more = body + message.get("body", b""), message.get("more_body", False)
        address = behind + scope["path"] + query
        async with self.http.stream(scope["method"], address, headers=scope["headers"], content=body) as reply:
            await send({"type": "http.response.start", "status": reply.status_code, "headers": reply.headers.raw})
            async for piece in reply.aiter_raw():
                await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b""})


@contextlib.asynccontextmanager
async def proxied(certificate: Path, proxy: Proxy) -> AsyncIterator[tuple[str, ssl.SSLContext]]:
    """`https://localhost:PORT/csp/acmt`, and whom to trust."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        config = uvicorn.Config(proxy, ssl_certfile=certificate, log_level="error", lifespan="off")
        config.timeout_graceful_shutdown = 1
        server = uvicorn.Server(config)
        server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
        running = asyncio.create_task(server.serve(sockets=[listener]))
        while not server.started:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        base = f"https://localhost:{listener.getsockname()[1]}{PREFIX}"
        try:
            yield base, ssl.create_default_context(cafile=f"{certificate}.crt")
        finally:
            server.should_exit = True
            await running
            await proxy.http.aclose()


@contextlib.asynccontextmanager
async def client_of(kind: str, era: str, base: str, trusted: ssl.SSLContext) -> AsyncIterator[Client]:
    if kind == "sse":

        def https(headers: Any = None, timeout: Any = None, auth: Any = None) -> httpx2.AsyncClient:
            return httpx2.AsyncClient(headers=headers, timeout=timeout, auth=auth, verify=trusted)

        stream = sse_client(base + "/sse", headers=HEADERS, httpx_client_factory=https)
        async with Client(stream, mode=era) as client:  # type: ignore[arg-type]
            yield client
        return
    async with (
        httpx2.AsyncClient(headers=HEADERS, timeout=60, verify=trusted) as http,
        Client(streamable_http_client(base + "/mcp", http_client=http), mode=era) as client,  # type: ignore[arg-type]
    ):
        yield client


async def talk(client: Client) -> None:
    assert {tool.name for tool in (await client.list_tools()).tools} == TOOLS
    found = await client.call_tool("search_commands", {"query": "analyse a log"})
    assert "md:analyze_log prompt" in found.content[0].text  # type: ignore[union-attr]
    assert (await client.call_tool("get_command", {"command_name": "none"})).is_error
    assert [prompt.name for prompt in (await client.list_prompts()).prompts] == ["analyze_log"]
    read = await client.read_resource("cn://reports/" + library.REPORT)
    assert "decode_response" in read.contents[0].text  # type: ignore[union-attr]


def test_over_tls_below_a_prefix(bench: Workbench, certificate: Path) -> None:
    config = library.write(bench.root.parent / "library")

    async def run(behind: str) -> None:
        async with proxied(certificate, Proxy([behind])) as (base, trusted):
            for kind, era in itertools.product(("http", "sse"), ("legacy", "auto")):
                async with client_of(kind, era, base, trusted) as client:
                    await talk(client)

    with served(bench, "--config", str(config), "--prefix", PREFIX, "--allowed-host", "localhost") as behind:
        asyncio.run(asyncio.wait_for(run(behind), 120))


def test_two_replicas_that_take_turns(bench: Workbench, certificate: Path) -> None:
    config = library.write(bench.root.parent / "library")
    arguments = ("--config", str(config), "--prefix", PREFIX, "--allowed-host", "localhost", "--stateless")

    async def run(*behind: str) -> None:
        proxy = Proxy(behind)
        async with proxied(certificate, proxy) as (base, trusted):
            for era in ("legacy", "auto"):
                async with client_of("http", era, base, trusted) as client:
                    await talk(client)
                    await talk(client)
        assert min(proxy.asked.values()) >= 8

    with served(bench, *arguments) as first, served(bench, *arguments) as second:
        asyncio.run(asyncio.wait_for(run(first, second), 120))
