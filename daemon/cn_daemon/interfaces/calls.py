"""One call of a verb: under its deadline, and only as long as somebody waits for it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from cn_daemon.application.ports import Answer, Call
from cn_daemon.interfaces.daemon import Configured, DaemonInfo, Services
from cn_daemon.interfaces.replies import ChangedEnvironmentError, accept_of, answer_reply
from cn_daemon.interfaces.requests import call_of
from cn_daemon.interfaces.typed import typed
from cn_shared.errors import DeadlineError
from cn_shared.verbs import verb

log = logging.getLogger(__name__)

# A use case keeps its own deadline and answers what it knows; only one that overslept is cut off here.
GRACE_S = 1.0
CLOSED = 499
# How many identifiers that were asked for are kept for a shell's completion.
RECENT = 30


class Calls:
    """The verbs' calls, over what stands behind the door."""

    def __init__(self, services: Services, info: DaemonInfo, configured: Configured) -> None:
        self._services = services
        self._info = info
        self._configured = configured
        # The identifiers that were asked for, the last one last.
        self._recent: dict[str, None] = {}

    def recent(self, prefix: str) -> list[str]:
        """The identifiers that were asked for and found, the last first."""
        return [name for name in reversed(self._recent) if name.startswith(prefix)]

    async def answer(self, request: Request, name: str, parameters: dict[str, object]) -> Response:
        """The reply to one call of the verb `name`. Raises CnError."""
        self._same_environment(request)
        call = call_of(request, self.patience_s(name))
        gone = asyncio.ensure_future(_disconnected(request))
        try:
            answer = await self.carry_out(name, call, parameters, gone)
        finally:
            gone.cancel()
        if answer is None:
            log.info("%s: the caller went away", name)
            return Response(status_code=CLOSED)
        if answer.outcome() != "empty":
            self._note(parameters)
        accept = accept_of(request)
        command = typed(name, parameters, self._info.root, call.cwd) if "budget=" in accept else ""
        return answer_reply(answer, accept, name, command, passed_over(name, parameters))

    def _note(self, parameters: dict[str, object]) -> None:
        name = parameters.get("query") or parameters.get("target_id")
        if isinstance(name, str) and name.replace("$", "_").isidentifier():
            self._recent.pop(name, None)
            self._recent[name] = None
            if len(self._recent) > RECENT:
                del self._recent[next(iter(self._recent))]

    def patience_s(self, name: str) -> float:
        """The deadline of a call that brings none."""
        settings, row = self._services.settings, verb(name)
        return settings.execute_timeout_s if row and row.runs else settings.request_timeout_s

    async def carry_out(
        self, name: str, call: Call, parameters: dict[str, object], gone: asyncio.Future[None] | None = None
    ) -> Answer | None:
        """The verb's answer, whatever door asked. None when `gone` (the caller's going away) came first.

        When the caller's own task is cancelled the use case is as well, so that the language server hears of it.
        Raises CnError.
        """
        with self._info.activity:
            await self._configured.refresh()
            task = asyncio.ensure_future(self._services.handlers[name](call, **parameters))
            return await _while_wanted(task, gone, call.deadline + GRACE_S)

    def _same_environment(self, request: Request) -> None:
        theirs = request.headers.get("cn-environment")
        if theirs is not None and theirs != self._info.environment:
            raise ChangedEnvironmentError(
                "environment_changed",
                "The daemon was set up under another environment.",
                "POST /environment, then ask again.",
            )


def passed_over(name: str, parameters: Mapping[str, object]) -> int | None:
    """How many places the cursor of this call has passed over; None for a verb that takes no cursor."""
    row = verb(name)
    if row is None or all(item.name != "cursor" for item in row.parameters):
        return None
    cursor = str(parameters.get("cursor") or "")
    return int(cursor) if cursor.isdecimal() else 0


async def _while_wanted(
    task: asyncio.Future[Answer], gone: asyncio.Future[None] | None, deadline: float
) -> Answer | None:
    """The task's answer, or None when the caller hung up first.

    The task is cancelled when nobody waits for it any more, so that the language server hears of it too.
    """
    both: set[asyncio.Future[Any]] = {task} if gone is None else {task, gone}
    try:
        await asyncio.wait(both, timeout=max(0.0, deadline - time.monotonic()), return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        if gone is not None and gone.done():
            return None
        raise DeadlineError(
            "deadline_passed",
            "Time ran out before anything was known.",
            "Ask again: the language server goes on loading. Or allow more time with --deadline "
            "(over HTTP: the header Cn-Deadline).",
        )
    finally:
        if not task.done():
            task.cancel()
            # Long enough to send the cancellation on; a task that ignores it must not hold the connection.
            await asyncio.wait({task}, timeout=GRACE_S)
        if task.done() and not task.cancelled():
            task.exception()  # looked at, so that asyncio does not report it as lost


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
