"""The MCP door of the daemon: `/mcp`, `/sse` with `/messages/`, and the pump of `cn mcp`.

The SDK is imported when a client first asks: a daemon that only command lines ask does without. Streams and pumps are
kept open for as long as the client likes; `hang_up` ends them at once.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from cn_daemon.interfaces.connections import DESCRIPTORS, QUEUE, Connection
from cn_daemon.interfaces.mcp import pump
from cn_daemon.interfaces.mcp.asking import Asking
from cn_daemon.interfaces.mcp.caller import noticing
from cn_daemon.interfaces.places import Places
from cn_shared.errors import InputError

if TYPE_CHECKING:
    from cn_daemon.interfaces.mcp.transports import Transports

log = logging.getLogger(__name__)

# Pumps, and those that have not shown the token yet. So many of these are accepted at once, before the first is looked
# at, that one which says its greeting at once must not be the oldest by then.
PUMPS = min(256, max(8, DESCRIPTORS // 8))
GREETINGS = PUMPS
# A stream keeps its connection for as long as the client likes: those of questions must not run out.
STREAMS = Connection.limits.most // 2
MESSAGES = "/messages/"


class TooManyStreamsError(InputError):
    status = 429


class Door:
    """Nothing is imported before `ready`."""

    def __init__(self, asking: Asking, token: str, *, stateless: bool = False) -> None:
        self._asking = asking
        self._token = token
        self._stateless = stateless
        self._loading: asyncio.Task[Transports] | None = None
        self._waiting: set[asyncio.Future[Any]] = set()
        self._streams: Places[asyncio.Future[Any]] = Places(STREAMS)
        self._greeting: Places[asyncio.StreamWriter] = Places(GREETINGS)
        self._pumps: Places[asyncio.StreamWriter] = Places(PUMPS)
        self._closing = False
        self._listening: asyncio.Server | None = None

    def routes(self) -> list[Route]:
        """To be mounted behind the gate."""
        return [
            Route("/mcp", _Endpoint(self._streamable), include_in_schema=False),
            Route("/sse", _Endpoint(self._sse), methods=["GET"], include_in_schema=False),
            Route(MESSAGES, _Endpoint(self._messages), methods=["POST"], include_in_schema=False),
        ]

    async def listen(self, listener: socket.socket) -> None:
        """Take the pumps that connect to that socket."""
        self._listening = await asyncio.start_server(
            self._pumped, sock=listener, limit=pump.PIECE, backlog=max(4, self._greeting.most // 4)
        )
        listener.listen(QUEUE)

    async def ready(self) -> Transports:
        if self._loading is None:
            self._loading = asyncio.create_task(self._load())
        return await asyncio.shield(self._loading)

    async def changed(self) -> None:
        """The libraries were read again: tell whoever listens."""
        if self._loading is not None and self._loading.done():
            await self._loading.result().server.listeners.changed()

    def hang_up(self) -> None:
        """The daemon stops: end every stream and pump now. What is asked by a request of its own goes on."""
        self._closing = True
        if self._listening is not None:
            self._listening.close()
        for task in self._waiting:
            task.cancel()

    async def close(self) -> None:
        """End what is left."""
        self.hang_up()
        await asyncio.gather(*self._waiting, return_exceptions=True)
        if self._loading is not None:
            with contextlib.suppress(Exception):
                await (await self._loading).close()

    async def _load(self) -> Transports:
        def imported() -> type[Transports]:
            from cn_daemon.interfaces.mcp.transports import Transports

            return Transports

        transports = (await asyncio.to_thread(imported))(self._asking, MESSAGES, stateless=self._stateless)
        await transports.start()
        return transports

    async def _streamable(self, scope: Scope, receive: Receive, send: Send) -> None:
        transports = await self.ready()
        if scope["method"] == "POST":
            # The older protocol lets a server go on for a client that comes back for its answer; here it cannot.
            scope, receive = noticing(scope, receive)
        # GET opens a stream that lasts; the newer protocol's listening is a POST that does.
        await self._hold(transports.streamable, scope, receive, send, lasting=scope["method"] == "GET")

    async def _sse(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._hold((await self.ready()).sse, scope, receive, send, lasting=True)

    async def _messages(self, scope: Scope, receive: Receive, send: Send) -> None:
        await (await self.ready()).messages(scope, receive, send)

    async def _hold(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send, *, lasting: bool) -> None:
        """Run a request that may last; an open one keeps the daemon from falling asleep.

        Raises TooManyStreamsError.
        """
        with self._asking.info.activity:
            if not lasting:
                return await app(scope, receive, send)
            reply = _Reply(send)
            stream = asyncio.ensure_future(app(scope, receive, reply))
            self._streams.take(stream, (scope.get("client") or ("",))[0])
            try:
                self._make_room(stream)
                if await self._until_hung_up(stream):
                    await reply.end()
            finally:
                stream.cancel()
                self._streams.leave(stream)

    def _make_room(self, stream: asyncio.Future[Any]) -> None:
        """Raises TooManyStreamsError unless another client has more of them."""
        oldest = self._streams.excess()
        if oldest is None:
            return
        if self._streams.client(oldest) == self._streams.client(stream):
            hint = "Close those that nobody reads, or use /mcp without its stream."
            raise TooManyStreamsError("too_many_streams", f"There are {STREAMS} open streams already.", hint)
        self._streams.leave(oldest)
        oldest.cancel()

    async def _pumped(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            lines = pump.Lines(reader)
            greeting = await self._greeted(lines, writer)
            if greeting is not None and not self._closing:
                self._pumps.take(writer)
                _end_oldest(self._pumps)
                with self._asking.info.activity:
                    await self._until_hung_up(asyncio.ensure_future(self._pump(lines, writer, greeting)))
        except Exception:
            log.exception("a pump failed")
        finally:
            self._pumps.leave(writer)
            with contextlib.suppress(OSError):
                writer.close()

    async def _greeted(self, lines: pump.Lines, writer: asyncio.StreamWriter) -> dict[str, Any] | None:
        # Whoever can connect may leave connections open that never say the token: the oldest of them makes room.
        self._greeting.take(writer)
        _end_oldest(self._greeting)
        try:
            return await pump.hello(lines, self._token)
        finally:
            self._greeting.leave(writer)

    async def _pump(self, lines: pump.Lines, writer: asyncio.StreamWriter, greeting: dict[str, Any]) -> None:
        transports = await self.ready()
        pump.introduce(greeting)
        await pump.serve(lines, writer, transports.run, lambda: self._pumps.use(writer))

    async def _until_hung_up(self, task: asyncio.Future[Any]) -> bool:
        """Whether it was `hang_up`, or another client's need of its place, that ended the work."""
        self._waiting.add(task)
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            if not task.cancelled():
                task.cancel()
                raise
            return True
        finally:
            self._waiting.discard(task)
        return False


def _end_oldest(places: Places[asyncio.StreamWriter]) -> None:
    """At once: a pump that was idle connects anew with its client's next request."""
    oldest = places.excess()
    if oldest is not None:
        places.leave(oldest)
        oldest.transport.abort()


class _Endpoint:
    """An ASGI app as a route's endpoint: starlette takes a function for one that answers requests."""

    def __init__(self, app: Callable[[Scope, Receive, Send], Awaitable[None]]) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)


class _Reply:
    """`send`, which knows whether its reply was begun and not ended."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._open = False

    async def __call__(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self._open = True
        elif not message.get("more_body", False):
            self._open = False
        await self._send(message)

    async def end(self) -> None:
        if self._open:
            with contextlib.suppress(Exception):
                await self._send({"type": "http.response.body", "body": b"", "more_body": False})
