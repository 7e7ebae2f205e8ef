"""HTTP connections below the gate: how long one may hold a place without asking anything, and how many there may be.

uvicorn waits for ever for a request's head, and for the rest of a body that was answered already. Whoever can connect,
with the token or without, could so use up the daemon's descriptors. Of these a quarter is for HTTP, and an eighth each
for pumps and for those that have not said yet that they are one: more than a third is kept for language servers and
files, whoever connects.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections import Counter
from dataclasses import dataclass
from typing import Any, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from cn_daemon.interfaces.replies import json_bytes
from cn_shared import process
from cn_shared.errors import InputError

log = logging.getLogger(__name__)

ADMITTED = "cn.admitted"  # in a request's state, once the gate let it pass
DESCRIPTORS = process.most_open_files()
# Connections that the system keeps until they are accepted; past it, a caller is heard a second later. asyncio accepts
# as many in one go, before it looks at the first, as it lets the system keep: it is given a smaller number.
QUEUE = 1024
_HEAD = (
    ("content-type", "application/json"),
    ("cn-exit", "2"),
    ("cache-control", "no-store"),
    ("x-content-type-options", "nosniff"),
    ("connection", "close"),
)


@dataclass(frozen=True, slots=True)
class Limits:
    """head_s: for a request's head to arrive, from the connection or from the last answer on. most: connections.
    read_s: for a caller to go on reading an answer."""

    head_s: float = 10.0
    most: int = min(512, max(32, DESCRIPTORS // 4))
    read_s: float = 30.0


class Connection(H11Protocol):
    """One of them. Past `most`, the one that has been of no use for longest makes room."""

    limits: ClassVar[Limits] = Limits()

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._idle_since = self.loop.time()
        self._host = ""
        self._patience: asyncio.TimerHandle | None = None
        self._deaf: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._host = self.client[0] if self.client else ""
        self._watch()
        if len(self.connections) > self.limits.most:
            self._make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        self._calm()
        self._heard()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._heard()
        self._deaf = self.loop.call_later(self.limits.read_s, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._heard()

    def handle_events(self) -> None:
        super().handle_events()
        self._watch()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._idle_since = self.loop.time()
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
        """The clock runs from when nothing is asked, and is not put back by bytes that come one at a time. One that is
        closed stays for as long as its caller does not read what was answered."""
        if self._busy or (self.transport.is_closing() and not self.transport.get_write_buffer_size()):
            self._calm()
        elif self._patience is None:
            self._patience = self.loop.call_later(self.limits.head_s, self._give_up)

    def _calm(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _heard(self) -> None:
        if self._deaf is not None:
            self._deaf.cancel()
            self._deaf = None

    def _give_up(self) -> None:
        self._patience = None
        # A close would wait for what was answered to be read.
        (self.transport.abort if self.transport.get_write_buffer_size() else self.transport.close)()

    def _make_room(self) -> None:
        """Of whoever has most connections, the one that has asked nothing for longest; where all are being answered,
        the last one of a caller who has more of them than this one, or this one."""
        others = [one for one in self.connections if isinstance(one, Connection) and one is not self]
        counts = Counter(one._host for one in others)
        idle = [one for one in others if not one._useful]
        busy = [one for one in others if counts[one._host] > counts[self._host] + 1]
        if idle:
            victim = min(idle, key=lambda one: (-counts[one._host], one._idle_since))
        else:
            victim = max(busy, key=lambda one: (counts[one._host], one._idle_since), default=self)
        log.warning("more than %d connections: one that is of least use is closed", self.limits.most)
        self.connections.discard(victim)
        victim.transport.abort()


def _refusal(status: int) -> InputError:
    if status == 431:
        error = InputError("head_too_large", "The request's head is larger than 16 KB.")
    else:
        error = InputError("bad_http", "This is not an HTTP/1.1 request.")
    error.status = status
    return error
