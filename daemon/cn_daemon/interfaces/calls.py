"""One call of a verb: under its deadline, and only as long as somebody waits for it."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from cn_daemon.application.ports import Answer
from cn_daemon.interfaces.configured import Configured
from cn_daemon.interfaces.daemon import DaemonInfo, Services
from cn_daemon.interfaces.replies import ChangedEnvironmentError, accept_of, answer_reply
from cn_daemon.interfaces.requests import call_of
from cn_shared.errors import DeadlineError

log = logging.getLogger(__name__)

# A use case keeps its own deadline and answers what it knows; only one that overslept is cut off here.
GRACE_S = 1.0
CLOSED = 499


class Calls:
    """The verbs' calls, over what stands behind the door."""

    def __init__(self, services: Services, info: DaemonInfo, configured: Configured) -> None:
        self._services = services
        self._info = info
        self._configured = configured

    async def answer(self, request: Request, name: str, parameters: dict[str, object]) -> Response:
        """The reply to one call of the verb `name`. Raises CnError."""
        self._same_environment(request)
        call = call_of(request, self._services.settings.request_timeout_s)
        with self._info.activity:
            await self._configured.refresh()
            task = asyncio.ensure_future(self._services.handlers[name](call, **parameters))
            answer = await _while_connected(request, task, call.deadline + GRACE_S)
        if answer is None:
            log.info("%s: the caller went away", name)
            return Response(status_code=CLOSED)
        return answer_reply(answer, accept_of(request))

    def _same_environment(self, request: Request) -> None:
        theirs = request.headers.get("cn-environment")
        if theirs is not None and theirs != self._info.environment:
            raise ChangedEnvironmentError(
                "environment_changed",
                "The daemon was set up under another environment.",
                "POST /environment, then ask again.",
            )


async def _while_connected(request: Request, task: asyncio.Future[Answer], deadline: float) -> Answer | None:
    """The task's answer, or None when the caller hung up first.

    The task is cancelled when nobody waits for it any more, so that the language server hears of it too.
    """
    gone = asyncio.ensure_future(_disconnected(request))
    both: set[asyncio.Future[Any]] = {task, gone}
    try:
        await asyncio.wait(both, timeout=max(0.0, deadline - time.monotonic()), return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        if gone.done():
            return None
        raise DeadlineError(
            "deadline_passed",
            "Time ran out before anything was known.",
            "Ask again: the language server goes on loading. Or allow more time with Cn-Deadline.",
        )
    finally:
        gone.cancel()
        if not task.done():
            task.cancel()
            # Long enough to send the cancellation on; a task that ignores it must not hold the connection.
            await asyncio.wait({task}, timeout=GRACE_S)
        if task.done() and not task.cancelled():
            task.exception()  # looked at, so that asyncio does not report it as lost


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
