"""One call of a verb: under its deadline, and only as long as somebody waits for it."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from cn_daemon.application.ports import Answer, Handler
from cn_daemon.interfaces.daemon import DaemonInfo, Services
from cn_daemon.interfaces.replies import ChangedEnvironmentError, accept_of, answer_reply
from cn_daemon.interfaces.requests import call_of
from cn_shared.errors import DeadlineError
from cn_shared.verbs import Verb

log = logging.getLogger(__name__)

# A use case keeps its own deadline and answers what it knows; only one that overslept is cut off here.
GRACE_S = 1.0
CLOSED = 499


async def answer_call(
    request: Request,
    verb: Verb,
    handler: Handler,
    parameters: dict[str, object],
    services: Services,
    info: DaemonInfo,
) -> Response:
    _same_environment(request, info)
    call = call_of(request, services.settings.request_timeout_s)
    with info.activity:
        task = asyncio.ensure_future(handler(call, **parameters))
        answer = await _while_connected(request, task, call.deadline + GRACE_S)
    if answer is None:
        log.info("%s: the caller went away", verb.name)
        return Response(status_code=CLOSED)
    return answer_reply(answer, accept_of(request))


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


def _same_environment(request: Request, info: DaemonInfo) -> None:
    theirs = request.headers.get("cn-environment")
    if theirs is not None and theirs != info.environment:
        raise ChangedEnvironmentError(
            "environment_changed",
            "The daemon was set up under another environment.",
            "POST /environment, then ask again.",
        )
