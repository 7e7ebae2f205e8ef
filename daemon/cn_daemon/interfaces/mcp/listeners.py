"""Whoever wants to hear that prompts and resources changed: sessions of the older protocol, streams of the newer."""

from __future__ import annotations

import logging
from typing import Any

from mcp.server.session import ServerSession
from mcp.server.subscriptions import InMemorySubscriptionBus, PromptsListChanged, ResourcesListChanged

log = logging.getLogger(__name__)


class Listeners:
    def __init__(self) -> None:
        self.bus = InMemorySubscriptionBus()
        self._sessions: dict[int, ServerSession] = {}

    def add(self, session: ServerSession) -> None:
        """Remember an initialized session until its connection closes."""
        # The SDK shows a handler its connection only so: the session of a request is gone with the request, and
        # a connection's end is told on its exit stack alone.
        connection: Any = session._connection
        self._sessions[id(connection)] = session
        connection.exit_stack.callback(self._sessions.pop, id(connection), None)

    async def changed(self) -> None:
        """Tell everybody. A session that cannot be told has gone or will ask again."""
        for session in list(self._sessions.values()):
            try:
                await session.send_prompt_list_changed()
                await session.send_resource_list_changed()
            except Exception:
                log.debug("a session could not be told of a change", exc_info=True)
        await self.bus.publish(PromptsListChanged())
        await self.bus.publish(ResourcesListChanged())

    def __len__(self) -> int:
        return len(self._sessions)
