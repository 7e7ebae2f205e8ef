"""Refusals that are raised below an endpoint, or instead of one, turned into replies."""

from __future__ import annotations

import difflib

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from cn_daemon.interfaces.replies import MethodError, accept_of, error_reply
from cn_shared.errors import CnError, InputError, NotFoundError


def add(app: FastAPI) -> None:
    app.add_exception_handler(CnError, _cn_error)
    app.add_exception_handler(HTTPException, _http_error)


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
            sorted({method for route in request.app.routes if route.path == path for method in route.methods or ()})
        )
        refused = MethodError("method_not_allowed", f"{path} does not take {request.method}.", f"Use {allowed}.")
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
