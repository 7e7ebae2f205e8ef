"""The HTTP door: one route per verb of `cn_shared.verbs`, and the daemon's own routes.

The verbs' endpoints take the bare request and return a finished reply. FastAPI is the app, and documents them; its
dependency and serialisation machinery stays off the path that an agent waits for.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response

from cn_daemon.interfaces import docs, hook, refusals, routes
from cn_daemon.interfaces.calls import Calls
from cn_daemon.interfaces.daemon import Activity, Configured, DaemonInfo, Services
from cn_daemon.interfaces.gate import Gate, Reach
from cn_daemon.interfaces.mcp.asking import Asking
from cn_daemon.interfaces.mcp.door import Door
from cn_daemon.interfaces.replies import accept_of, answer_reply, plain_reply
from cn_daemon.interfaces.requests import NamesRequest, environment_values, from_body, from_query, request_model
from cn_daemon.interfaces.status import status as told
from cn_shared.verbs import VERBS, Verb

__all__ = ["Activity", "DaemonInfo", "Services", "create_app"]

_NAMES = 100

VERB = {row.name: row for row in VERBS}


def create_app(
    services: Services,
    *,
    token: str,
    on_shutdown: Callable[[], None],
    info: DaemonInfo,
    reach: Reach | None = None,
    stateless: bool = False,
) -> FastAPI:
    """The app. `on_shutdown` is called before the reply to POST /shutdown: it withdraws the state file.

    reach: it serves others as well, who may ask but not stop it, configure it, or see its settings. stateless: it
    keeps no MCP sessions on /mcp.
    """
    app = FastAPI(
        title="cn",
        version=info.version,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
    )
    configured = Configured(services, info)
    calls = Calls(services, info, configured)
    app.openapi = lambda: _document(app)  # type: ignore[method-assign]
    for verb in VERBS:
        if verb.name in services.handlers:
            _add_verb(app, verb, calls)
    _add_health(app)
    if reach is None:
        _add_lifecycle(app, services, info, configured, calls, on_shutdown)
    door = Door(Asking(services, info, configured, calls, shows_status=reach is None), token, stateless=stateless)
    app.router.routes.extend(door.routes())
    app.state.mcp = door
    docs.add(app)
    refusals.add(app)
    app.add_middleware(
        Gate,
        token=token,
        port=info.port,
        body_limit=lambda: services.settings.body_limit_bytes,
        open_paths=frozenset({"/health", "/openapi.json", *docs.PATHS}),
        reach=reach,
    )
    return app


def _document(app: FastAPI) -> dict[str, Any]:
    from cn_daemon.interfaces import openapi  # late: the start needs none of it

    return openapi.document(app)


def _add_verb(app: FastAPI, verb: Verb, calls: Calls) -> None:
    model = functools.cache(lambda: request_model(verb))  # built at the first question: the start needs none

    async def post(request: Request) -> Response:
        reply = await calls.answer(request, verb.name, from_body(model(), await request.body(), verb.name))
        if verb.name == "reload":
            await app.state.mcp.changed()
        return reply

    async def get(request: Request) -> Response:
        return await calls.answer(request, verb.name, from_query(model(), request.query_params, verb.name))

    routes.add_verb(app, verb, post, "POST", model)
    if verb.reads:
        routes.add_verb(app, verb, get, "GET", model)


def _add_health(app: FastAPI) -> None:
    async def health(request: Request) -> Response:
        return plain_reply({"status": "ok"})

    routes.add(app, "/health", health, "GET", "health", "Tell that the daemon answers.")


def _add_lifecycle(
    app: FastAPI,
    services: Services,
    info: DaemonInfo,
    configured: Configured,
    calls: Calls,
    on_shutdown: Callable[[], None],
) -> None:
    async def status(request: Request) -> Response:
        return answer_reply(await told(services, info, configured), accept_of(request))

    async def shutdown(request: Request) -> Response:
        on_shutdown()
        return plain_reply({"status": "stopping"})

    async def environment(request: Request) -> Response:
        values = environment_values(await request.body())
        settings = await configured.take(values)
        return plain_reply({"status": "ok", "warnings": settings.warnings})

    async def names(request: Request) -> Response:
        prefix: str = from_query(NamesRequest, request.query_params)["prefix"]
        known = [*calls.recent(prefix), *(services.names(prefix, _NAMES) if prefix else ())]
        return plain_reply({"names": list(dict.fromkeys(known))[:_NAMES]})

    async def searched(request: Request) -> Response:
        return await hook.answered(calls, request)

    routes.add_verb(app, VERB["status"], status, "GET")
    routes.add(
        app,
        "/hook",
        searched,
        "POST",
        "hook",
        "Tell what is known of the symbols that an agent's shell command or search looks for.",
        "For cn hook. Text of at most 400 tokens, by Cn-Deadline (0.2 s without one); empty when nothing is certain.",
    )
    routes.add(
        app,
        "/names",
        names,
        "GET",
        "names",
        "Tell which identifiers of the workspace begin with `prefix`.",
        f"Those asked for last, then the commonest, at most {_NAMES}, at once, for a shell's completion: they may be "
        "out of date. Without a prefix only those asked for.",
    )
    routes.add(
        app,
        VERB["stop"].path,
        shutdown,
        "POST",
        "stop",
        VERB["stop"].summary,
        VERB["stop"].help,
    )
    routes.add(
        app,
        "/environment",
        environment,
        "POST",
        "environment",
        "Read the settings again, under the caller's environment.",
        "The client sends this after an answer with the code environment_changed, and after cn trust.",
    )
