"""Who asks: what a connection tells of itself once, for all its calls."""

from __future__ import annotations

import asyncio
import contextvars
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.types import Message, Receive, Scope

from cn_daemon.application.ports import Call
from cn_daemon.interfaces.requests import call_of

# The folder of the process behind a pump. Every task of a connection inherits it.
FOLDER: contextvars.ContextVar[Path | None] = contextvars.ContextVar("FOLDER", default=None)
# The CN_* and AICMD_* values it was started with: what a client's configuration says under `env`.
VALUES: contextvars.ContextVar[Mapping[str, str]] = contextvars.ContextVar("VALUES")
# The options it was started with, `cn mcp --structured`.
OPTIONS: contextvars.ContextVar[Mapping[str, Any]] = contextvars.ContextVar("OPTIONS")
_GONE = "cn.gone"


def call(request: Any, deadline_s: float) -> Call:
    """The call's folder and deadline: by HTTP from its headers, as for every verb; else from the pump.

    Raises InputError (`bad_header`).
    """
    if isinstance(request, Request):
        return call_of(request, deadline_s)
    return Call(FOLDER.get(), time.monotonic() + deadline_s)


def noticing(scope: Scope, receive: Receive) -> tuple[Scope, Receive]:
    """The same request, of which `gone` tells when its caller hangs up."""
    hung_up: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def receive_noticing() -> Message:
        message = await receive()
        if message["type"] == "http.disconnect" and not hung_up.done():
            hung_up.set_result(None)
        return message

    return {**scope, _GONE: hung_up}, receive_noticing


def gone(request: Any) -> asyncio.Future[None] | None:
    """Done when whoever waits for the answer to this request has hung up; None where the transport tells of that."""
    return request.scope.get(_GONE) if isinstance(request, Request) else None
