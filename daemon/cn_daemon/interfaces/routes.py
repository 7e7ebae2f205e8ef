"""The routes: each answers requests by itself, and says of itself what goes into the OpenAPI document.

FastAPI reads an endpoint's signature and answer type to document it, which takes longer for all verbs than the rest of
the start: `openapi` has it done when somebody asks for the document. Validation happens once, in `requests`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from fastapi import FastAPI
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cn_shared.verbs import Verb

Endpoint = Callable[[Request], Awaitable[Response]]
# Makes the model of a request, which takes its time.
Model = Callable[[], type[BaseModel]]


@dataclass(frozen=True, slots=True)
class Described:
    """A route in words. name: its operation's. answer: of the table `openapi.ANSWERS`, or `openapi.OWN`.

    model: of its body or query, None for that of `openapi.OWN`. located: whether it reads where and how long is asked.
    """

    name: str
    answer: str
    summary: str
    description: str = ""
    model: Model | None = None
    located: bool = False


class BareRoute(Route):
    """A route that passes the request to its endpoint."""

    def __init__(self, path: str, endpoint: Endpoint, method: str, described: Described) -> None:
        super().__init__(path, endpoint, methods=[method])
        self.methods = {method}  # without the HEAD that starlette adds to a GET
        self.method = method
        self.described = described


def add_verb(app: FastAPI, verb: Verb, endpoint: Endpoint, method: str, model: Model | None = None) -> None:
    """A verb's route. Its request is a JSON body for POST, a query for GET."""
    name = f"{verb.name.replace(' ', '_')}_{method.lower()}"
    described = Described(name, verb.name, verb.summary, verb.help, model, bool(verb.parameters))
    app.router.routes.append(BareRoute(verb.path, endpoint, method, described))


def add(
    app: FastAPI, path: str, endpoint: Endpoint, method: str, name: str, summary: str, description: str = ""
) -> None:
    """One of the daemon's own routes."""
    app.router.routes.append(BareRoute(path, endpoint, method, Described(name, name, summary, description)))
