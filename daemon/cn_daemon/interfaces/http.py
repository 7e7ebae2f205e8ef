"""The HTTP door: one route per verb of `cn_shared.verbs`, and the daemon's own routes.

The verbs' endpoints take the bare request and return a finished reply. FastAPI still routes, refuses and
documents them, but its dependency and serialisation machinery stays off the path that an agent waits for.
"""

from __future__ import annotations

import asyncio
import difflib
import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from cn_daemon.adapters.process_tree import resident_bytes
from cn_daemon.application.ports import Answer, Handler
from cn_daemon.interfaces import docs, openapi
from cn_daemon.interfaces.gate import Gate
from cn_daemon.interfaces.replies import (
    ChangedEnvironmentError,
    MethodError,
    accept_of,
    answer_reply,
    error_reply,
    plain_reply,
)
from cn_daemon.interfaces.requests import call_of, environment_values, from_body, from_query, request_model
from cn_daemon.settings import Settings, load
from cn_shared import __version__
from cn_shared.environment import fingerprint
from cn_shared.errors import CnError, DeadlineError, InputError, NotFoundError
from cn_shared.verbs import VERBS, Verb
from cn_shared.wire import LanguageServerStatus, StatusAnswer

log = logging.getLogger(__name__)

# A use case keeps its own deadline and answers what it knows; only one that overslept is cut off here.
GRACE_S = 1.0
CLOSED = 499
VERB = {row.name: row for row in VERBS}


class Services(Protocol):
    """What stands behind the door; `bootstrap.Services` is one."""

    handlers: Mapping[str, Handler]
    settings: Settings

    def language_servers(self) -> list[LanguageServerStatus]: ...

    async def reconfigure(self, settings: Settings, values: Mapping[str, str]) -> None:
        """Go on under new settings; `values` are the caller's CN_*, AICMD_* and PATH."""
        ...


@dataclass
class Activity:
    """For the idle clock: how many verbs are being answered, and when one last began or ended.

    last: on the monotonic clock, in seconds.
    """

    in_flight: int = 0
    last: float = field(default_factory=time.monotonic)

    def __enter__(self) -> None:
        self.in_flight += 1
        self.last = time.monotonic()

    def __exit__(self, *_: object) -> None:
        self.in_flight -= 1
        self.last = time.monotonic()


@dataclass
class DaemonInfo:
    """What the daemon knows of itself.

    environment: the fingerprint of what it was set up under; POST /environment changes it.
    started: on the monotonic clock, in seconds.
    """

    root: Path
    pid: int
    port: int
    log: Path
    state_file: Path
    environment: str = ""
    version: str = __version__
    started: float = field(default_factory=time.monotonic)
    activity: Activity = field(default_factory=Activity)
    memory: Callable[[int], int] = resident_bytes


def create_app(
    services: Services, *, token: str, on_shutdown: Callable[[], None], info: DaemonInfo
) -> FastAPI:
    """The app. `on_shutdown` is called before the reply to POST /shutdown: it withdraws the state file."""
    app = FastAPI(
        title="cn",
        version=info.version,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
    )
    openapi.prepare(app)
    for verb in VERBS:
        if verb.name in services.handlers:
            _add_verb(app, verb, services, info)
    _add_lifecycle(app, services, info, on_shutdown)
    docs.add(app)
    app.add_exception_handler(CnError, _cn_error)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_middleware(
        Gate,
        token=token,
        port=info.port,
        body_limit=services.settings.body_limit_bytes,
        open_paths=frozenset({"/health", "/openapi.json", *docs.PATHS}),
    )
    return app


def _add_verb(app: FastAPI, verb: Verb, services: Services, info: DaemonInfo) -> None:
    model = request_model(verb)
    handler = services.handlers[verb.name]

    async def post(request: Request) -> Response:
        return await _answer(request, verb, handler, from_body(model, await request.body()), services, info)

    async def get(request: Request) -> Response:
        return await _answer(request, verb, handler, from_query(model, request.query_params), services, info)

    openapi.add_verb(app, verb, post, "POST", model)
    if verb.reads:
        openapi.add_verb(app, verb, get, "GET", model)


async def _answer(
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
        await asyncio.wait(
            both, timeout=max(0.0, deadline - time.monotonic()), return_when=asyncio.FIRST_COMPLETED
        )
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


def _add_lifecycle(
    app: FastAPI, services: Services, info: DaemonInfo, on_shutdown: Callable[[], None]
) -> None:
    async def health(request: Request) -> Response:
        return plain_reply({"status": "ok"})

    async def status(request: Request) -> Response:
        memory = await asyncio.to_thread(info.memory, info.pid)
        return answer_reply(_status(services, info, memory), accept_of(request))

    async def shutdown(request: Request) -> Response:
        on_shutdown()
        return plain_reply({"status": "stopping"})

    async def environment(request: Request) -> Response:
        values = environment_values(await request.body())
        settings = load(info.root, values)
        await services.reconfigure(settings, values)
        info.environment = fingerprint(values)
        return plain_reply({"status": "ok", "warnings": settings.warnings})

    openapi.add(
        app, "/health", health, "GET", "health", openapi.Acknowledgement, "Tell that the daemon answers."
    )
    openapi.add_verb(app, VERB["status"], status, "GET")
    openapi.add(
        app,
        VERB["stop"].path,
        shutdown,
        "POST",
        "stop",
        openapi.Acknowledgement,
        VERB["stop"].summary,
        VERB["stop"].help,
    )
    openapi.add(
        app,
        "/environment",
        environment,
        "POST",
        "environment",
        openapi.EnvironmentAnswer,
        "Read the settings again, under the caller's environment.",
        "The client sends this after an answer with the code environment_changed, and after cn trust.",
        openapi.EnvironmentRequest,
    )


def _status(services: Services, info: DaemonInfo, memory_bytes: int) -> StatusAnswer:
    return StatusAnswer(
        root=str(info.root),
        pid=info.pid,
        port=info.port,
        version=info.version,
        uptime_s=round(time.monotonic() - info.started, 3),
        memory_bytes=memory_bytes,
        log=str(info.log),
        state_file=str(info.state_file),
        language_servers=services.language_servers(),
        warnings=list(services.settings.warnings),
    )


async def _cn_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, CnError)
    return error_reply(error, accept_of(request))


async def _http_error(request: Request, error: Exception) -> Response:
    """Starlette's own refusals: no such route, not this method."""
    assert isinstance(error, HTTPException)
    path = request.url.path
    if error.status_code == 405:
        # Starlette names the methods of the first route of that path only.
        allowed = ", ".join(
            sorted(
                {
                    method
                    for route in request.app.routes
                    if route.path == path
                    for method in route.methods or ()
                }
            )
        )
        refused = MethodError(
            "method_not_allowed", f"{path} does not take {request.method}.", f"Use {allowed}."
        )
        reply = error_reply(refused, accept_of(request))
        reply.headers["Allow"] = allowed
        return reply
    if error.status_code == 404:
        routes = sorted({route.path for route in request.app.routes})
        near = difflib.get_close_matches(path, routes, 3, 0.5)
        hint = f"Did you mean {' or '.join(near)}?" if near else "GET /docs shows the routes."
        return error_reply(
            NotFoundError("unknown_route", f"There is no route {path}.", hint, near=near), accept_of(request)
        )
    other = InputError("bad_request", str(error.detail))
    other.status = error.status_code
    return error_reply(other, accept_of(request))
