"""The Python SDK's client over HTTP and SSE, with a token."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from typing import Any

import httpx2
from mcp.client.client import Client
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client


@contextlib.asynccontextmanager
async def over_http(base: str, token: str, era: str = "auto", **options: Any) -> AsyncIterator[Client]:
    """`base`: up to the path below which /mcp lies."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with httpx2.AsyncClient(headers=headers, timeout=30) as http:
        transport = streamable_http_client(base + "/mcp", http_client=http)
        async with Client(transport, mode=era, **options) as client:  # type: ignore[arg-type]
            yield client


@contextlib.asynccontextmanager
async def over_sse(base: str, token: str, era: str = "auto", **options: Any) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with Client(sse_client(base + "/sse", headers=headers), mode=era, **options) as client:  # type: ignore[arg-type]
        yield client
