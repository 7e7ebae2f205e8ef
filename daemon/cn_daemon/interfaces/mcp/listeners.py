"""Whoever wants to hear that prompts and resources changed: sessions of the older protocol, streams of the newer.

As long as there is one, the libraries are looked at every now and then: a new command shows up in the client's menu
without a question that would have noticed it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Hashable
from typing import Any

from mcp.server.session import ServerSession
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    PromptsListChanged,
    ResourcesListChanged,
    ServerEvent,
    ToolsListChanged,
)

log = logging.getLogger(__name__)

LOOK_S = 2.0


class Listeners:
    """revision: what changes whenever a command or a report does; None while they are being read.

    toolsets: which tools have something to tell of.
    """

    def __init__(
        self, revision: Callable[[], Awaitable[Hashable | None]], toolsets: Callable[[], Awaitable[Hashable]]
    ) -> None:
        self.bus = _Bus(self._listened)
        self._revision = revision
        self._toolsets = toolsets
        self._listed: Hashable | None = None
        self._known: Hashable | None = None
        self._sessions: dict[int, ServerSession] = {}
        self._watching: asyncio.Task[None] | None = None

    def add(self, session: ServerSession) -> None:
        """Remember an initialized session until its connection closes."""
        # The SDK shows a handler its connection only so: the session of a request is gone with the request, and
        # a connection's end is announced on its exit stack alone.
        connection: Any = session._connection
        self._sessions[id(connection)] = session
        connection.exit_stack.callback(self._sessions.pop, id(connection), None)
        self._listened()

    def listed(self, toolsets: Hashable) -> None:
        """Somebody was given the list of these tools."""
        if self._listed is None:
            self._listed = toolsets

    async def changed(self) -> None:
        """The libraries were read again: tell everybody."""
        self._known = await self._revision()
        await self._tell()
        await self._tell_of_tools()

    async def close(self) -> None:
        if self._watching is not None:
            self._watching.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._watching

    def __len__(self) -> int:
        return len(self._sessions) + len(self.bus)

    def _listened(self) -> None:
        if self._watching is None or self._watching.done():
            self._watching = asyncio.create_task(self._watch())

    async def _watch(self) -> None:
        try:
            self._known = await self._revision()
            while len(self):
                await asyncio.sleep(LOOK_S)
                before, now = self._known, await self._revision()
                if now is None:
                    continue
                self._known = now
                if before not in (None, now):
                    await self._tell()
                await self._tell_of_tools()
        except Exception:
            log.exception("the libraries are not watched any more")

    async def _tell(self) -> None:
        await self._each(lambda session: session.send_prompt_list_changed())
        await self._each(lambda session: session.send_resource_list_changed())
        await self.bus.publish(PromptsListChanged())
        await self.bus.publish(ResourcesListChanged())

    async def _tell_of_tools(self) -> None:
        """When there are others than those that were listed."""
        before, now = self._listed, await self._toolsets()
        if before in (None, now):
            return
        self._listed = now
        await self._each(lambda session: session.send_tool_list_changed())
        await self.bus.publish(ToolsListChanged())

    async def _each(self, tell: Callable[[ServerSession], Awaitable[None]]) -> None:
        """A session that cannot be notified has gone or will ask again."""
        for session in list(self._sessions.values()):
            try:
                await tell(session)
            except Exception:
                log.debug("a session could not be told of a change", exc_info=True)


class _Bus(InMemorySubscriptionBus):
    """Tells when a stream opens."""

    def __init__(self, opened: Callable[[], None]) -> None:
        super().__init__()
        self._opened = opened

    def subscribe(self, listener: Callable[[ServerEvent], None]) -> Callable[[], None]:
        leave = super().subscribe(listener)
        self._opened()
        return leave

    def __len__(self) -> int:
        return len(self._listeners)
