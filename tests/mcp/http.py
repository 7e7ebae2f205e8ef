"""The Python SDK's client over HTTP and SSE, with a token."""

from __future__ import annotations

import contextlib
import ssl
from collections.abc import AsyncIterator
from typing import Any

import httpx2
from mcp.client.client import Client
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client

# No call is encrypted. A client that reads the system's certificates takes 80 ms of the event loop: fifty of them,
# on a busy machine, and the first ones' connections are past their time before anybody looks at them.
_UNUSED = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def _http(headers: dict[str, str] | None = None, timeout: Any = 30, auth: httpx2.Auth | None = None) -> Any:
    return httpx2.AsyncClient(headers=headers, timeout=timeout, auth=auth, verify=_UNUSED)


@contextlib.asynccontextmanager
async def over_http(base: str, token: str, era: str = "auto", **options: Any) -> AsyncIterator[Client]:
    """`base`: up to the path below which /mcp lies."""
    async with _http(_bearer(token)) as http:
        transport = streamable_http_client(base + "/mcp", http_client=http)
        async with Client(transport, mode=era, **options) as client:  # type: ignore[arg-type]
            yield client


@contextlib.asynccontextmanager
async def over_sse(base: str, token: str, era: str = "auto", **options: Any) -> AsyncIterator[Client]:
    transport = sse_client(base + "/sse", headers=_bearer(token), httpx_client_factory=_http)
    async with Client(transport, mode=era, **options) as client:  # type: ignore[arg-type]
        yield client


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"} if token else {}
