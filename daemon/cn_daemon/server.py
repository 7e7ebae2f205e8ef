"""uvicorn, as a daemon needs it."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable, Iterator

import uvicorn

from cn_daemon.interfaces.connections import QUEUE, Connection

REQUESTS_S = 5  # what is in flight may take this long when the daemon stops


class Server(uvicorn.Server):
    """uvicorn, without its signal handlers (it raises a signal again, and no code after it runs) and its ten
    wake-ups
    per second. `started`: called once the socket answers."""

    def __init__(
        self,
        app: object,
        stopping: asyncio.Event,
        started: Callable[[], None],
        connection: type[Connection] = Connection,
    ) -> None:
        super().__init__(
            uvicorn.Config(
                app,  # type: ignore[arg-type]
                http=connection,
                log_config=None,
                access_log=False,
                server_header=False,
                date_header=False,
                ws="none",
                # So many are accepted at once, before the first of them is looked at.
                backlog=max(8, connection.limits.most // 4),
                timeout_graceful_shutdown=REQUESTS_S,  # without it an open stream blocks the stop for ever
            )
        )
        self._stopping = stopping
        self._started = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for listener in sockets or ():
            listener.listen(QUEUE)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def main_loop(self) -> None:
        await self.on_tick(0)
        self._started()
        await self._stopping.wait()
