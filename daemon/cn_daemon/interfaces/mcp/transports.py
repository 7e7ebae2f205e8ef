"""One server over its transports. Importing this module imports the SDK."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

from mcp.server.sse import SseServerTransport
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.types import Receive, Scope, Send

from cn_daemon.interfaces.mcp import sessions
from cn_daemon.interfaces.mcp.asking import Asking
from cn_daemon.interfaces.mcp.server import McpServer
from cn_daemon.interfaces.mcp.sessions import Sessions

# Host and Origin are the gate's business, for every route alike.
_GATED = TransportSecuritySettings(enable_dns_rebinding_protection=False)


class Transports:
    """`start` before anything else; `close` ends all sessions."""

    def __init__(self, asking: Asking, messages: str, *, stateless: bool) -> None:
        self.server = McpServer(asking)
        limit = asking.services.settings.body_limit_bytes
        self._options = self.server.sdk.create_initialization_options()
        self._sse = SseServerTransport(messages, security_settings=_GATED, max_request_body_size=limit)
        self._manager = StreamableHTTPSessionManager(
            self.server.sdk,
            json_response=False,
            stateless=stateless,
            security_settings=_GATED,
            max_request_body_size=limit,
            max_sessions=None,
        )
        self._sessions = Sessions(self._manager.handle_request, sessions.SESSIONS)
        self._stop = asyncio.Event()
        self._running: asyncio.Task[None] | None = None

    async def start(self) -> None:
        started = asyncio.Event()

        async def run() -> None:
            # In a task of its own: a task group must be left by the task that entered it.
            async with self._manager.run():
                started.set()
                await self._stop.wait()

        self._running = asyncio.create_task(run())
        await started.wait()

    async def close(self) -> None:
        await self.server.listeners.close()
        self._stop.set()
        if self._running is not None:
            with contextlib.suppress(Exception):
                await self._running

    async def streamable(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._sessions(scope, receive, send)

    async def sse(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with self._sse.connect_sse(scope, receive, send) as (read_stream, write_stream):
            await self.run(read_stream, write_stream)

    async def messages(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._sse.handle_post_message(scope, receive, send)

    async def run(self, read_stream: Any, write_stream: Any) -> None:
        """Serve one client over a pair of message streams, in the era it opens with."""
        await self.server.sdk.run(read_stream, write_stream, self._options)
