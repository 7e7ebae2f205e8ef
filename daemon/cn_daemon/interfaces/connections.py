"""HTTP connections below the gate: how long one may hold a place without asking anything, and how many there may be.

uvicorn waits for ever for a request's head, and for the rest of a body that was answered already. Whoever can connect,
with the token or without, could so use up the daemon's descriptors.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from dataclasses import dataclass
from typing import Any, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from cn_daemon.interfaces.replies import json_bytes
from cn_shared import process
from cn_shared.errors import InputError

log = logging.getLogger(__name__)

ADMITTED = "cn.admitted"  # in a request's state, once the gate let it pass
_MOST = 512
_HEAD = (
    ("content-type", "application/json"),
    ("cn-exit", "2"),
    ("cache-control", "no-store"),
    ("x-content-type-options", "nosniff"),
    ("connection", "close"),
)


@dataclass(frozen=True, slots=True)
class Limits:
    """head_s: for a request's head to be whole, from the connection or from the last answer on. most: connections."""

    head_s: float = 10.0
    most: int = _MOST


class Connection(H11Protocol):
    """One of them. Past `most`, the one that has been of no use for longest makes room."""

    limits: ClassVar[Limits] = Limits(most=min(_MOST, max(32, process.most_open_files() // 2)))

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._began = time.monotonic()
        self._patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._watch()
        if len(self.connections) > self.limits.most:
            self._make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        self._calm()
        super().connection_lost(exc)

    def handle_events(self) -> None:
        super().handle_events()
        self._watch()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._watch()

    def send_400_response(self, msg: str) -> None:
        """For what is no HTTP: the shape of every other refusal."""
        error = _refusal(getattr(sys.exception(), "error_status_hint", 400))
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            body = json_bytes(error.document())
            length = ("content-length", str(len(body)))
            events = (h11.Response(status_code=error.status, headers=[*_HEAD, length]), h11.Data(body))
            for event in (*events, h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        if self._busy:  # it was within a body: whoever waits for the rest of it hears that there is none
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self.transport.close()

    @property
    def _busy(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    @property
    def _useful(self) -> bool:
        return self._busy and ADMITTED in self.cycle.scope["state"]

    def _watch(self) -> None:
        """The clock runs from when nothing is asked, and is not put back by bytes that come one at a time."""
        if self._busy or self.transport.is_closing():
            self._calm()
        elif self._patience is None:
            self._patience = self.loop.call_later(self.limits.head_s, self._give_up)

    def _calm(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _give_up(self) -> None:
        self._patience = None
        self.transport.close()

    def _make_room(self) -> None:
        others = [one for one in self.connections if isinstance(one, Connection) and not one._useful]
        oldest = min(others, key=lambda one: one._began, default=self)
        log.warning("more than %d connections: one that asks nothing is closed", self.limits.most)
        self.connections.discard(oldest)
        oldest.transport.abort()


def _refusal(status: int) -> InputError:
    if status == 431:
        error = InputError("head_too_large", "The request's head is larger than 16 KB.")
    else:
        error = InputError("bad_http", "This is no HTTP/1.1 request.")
    error.status = status
    return error
