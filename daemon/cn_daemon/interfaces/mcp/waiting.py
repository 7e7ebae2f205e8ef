"""Telling a client that waits what it is waiting for."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from cn_daemon.interfaces.daemon import Services

T = TypeVar("T")
Report = Callable[[float, str], Awaitable[None]]

FIRST_S = 0.7
EVERY_S = 1.5


async def with_progress(work: Coroutine[Any, Any, T], services: Services, report: Report) -> T:
    """The work's result. While it takes long, `report` hears the seconds passed and what goes on.

    Cancelled, it cancels the work.
    """
    telling = asyncio.ensure_future(_tell(services, report))
    try:
        return await work
    finally:
        telling.cancel()


async def _tell(services: Services, report: Report) -> None:
    began = time.monotonic()
    pause_s = FIRST_S
    while True:
        await asyncio.sleep(pause_s)
        pause_s = EVERY_S
        await report(round(time.monotonic() - began, 1), going_on(services))


def going_on(services: Services) -> str:
    """What the daemon is busy with, in a line."""
    parts = [
        f"{server.name} {server.state}" + (f": {server.detail}" if server.detail else "")
        for server in services.language_servers()
        if server.state in ("starting", "loading", "restarting")
    ]
    parts += [f"{row.name} being read" for row in services.libraries()[0] if row.state == "indexing"]
    return " · ".join(parts) or "working"
