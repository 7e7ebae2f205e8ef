"""The sessions of `/mcp`: how many there are, whose, and which one makes room.

The SDK keeps sessions for half an hour after their last request, and past its limit refuses new ones: whoever opens a
thousand and goes away keeps everybody else out. Here one that is not in use ends as by its client's own DELETE; that
client gets 404 for its next request, and opens another (MCP, Session Management).
"""

from __future__ import annotations

import logging
from collections import Counter

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cn_daemon.interfaces.places import Places

log = logging.getLogger(__name__)

SESSIONS = 1000
_ID = b"mcp-session-id"


class Sessions:
    """ASGI, before the SDK's own."""

    def __init__(self, app: ASGIApp, most: int) -> None:
        self._app = app
        self._places: Places[bytes] = Places(most)
        self._busy: Counter[bytes] = Counter()

    def __len__(self) -> int:
        return len(self._places)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        session = _session_in(scope["headers"])
        opened: list[bytes] = []

        async def noticing(message: Message) -> None:
            if message["type"] == "http.response.start":
                if session is None and message["status"] < 400 and (new := _session_in(message["headers"])):
                    opened.append(new)
                    self._places.take(new, (scope.get("client") or ("",))[0])
                    self._busy[new] += 1
                    await self._make_room()
                elif session is not None and (message["status"] == 404 or scope["method"] == "DELETE"):
                    self._places.leave(session)
            await send(message)

        if session is not None:
            self._busy[session] += 1
        try:
            await self._app(scope, receive, noticing)
        finally:
            for one in (*opened, *([session] if session is not None else [])):
                self._busy[one] -= 1
                if not self._busy[one]:
                    del self._busy[one]
                self._places.use(one)

    async def _make_room(self) -> None:
        oldest = self._places.excess(self._busy)
        if oldest is None:
            return
        log.warning("more than %d sessions: the one that was not used for longest ends", self._places.most)
        self._places.leave(oldest)
        await self._app(_ending(oldest), _nothing, _unheard)


def _session_in(headers: list[tuple[bytes, bytes]]) -> bytes | None:
    return next((value for name, value in headers if name.lower() == _ID), None)


def _ending(session: bytes) -> Scope:
    return {
        "type": "http", "method": "DELETE", "path": "/mcp", "raw_path": b"/mcp", "query_string": b"", "root_path": "",
        "http_version": "1.1", "scheme": "http", "server": None, "client": None, "headers": [(_ID, session)],
    }  # fmt: skip


async def _nothing() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


async def _unheard(message: Message) -> None:
    pass
