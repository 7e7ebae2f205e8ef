"""The routes as the OpenAPI document shows them.

FastAPI reads an endpoint's signature and answer type to document it, which takes longer for all verbs than the rest of
the start. So `BareRoute` answers requests by itself (validation happens once, in `requests`), and tells FastAPI what it
needs to know when somebody asks for the document.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Annotated, Any

from fastapi import FastAPI, Query
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, with_config
from pydantic.alias_generators import to_camel
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cn_daemon.interfaces.command_shapes import COMMAND_ANSWERS
from cn_shared import relations, surveys, wire
from cn_shared.verbs import LONGEST, Verb

Endpoint = Callable[[Request], Awaitable[Response]]
# Makes the model of a request, which takes its time.
Model = Callable[[], type[BaseModel]]

ANSWERS: dict[str, Any] = {
    "map": wire.MapAnswer,
    "find": wire.FindAnswer,
    "inspect": wire.InspectAnswer,
    "refs": relations.RefsAnswer,
    "callers": relations.CallersAnswer,
    "callees": relations.CalleesAnswer,
    "impls": relations.ImplsAnswer,
    "types": relations.TypesAnswer,
    "hover": relations.HoverAnswer,
    "overview": surveys.OverviewAnswer,
    "changed": surveys.ChangedAnswer,
    "diagnostics": surveys.DiagnosticsAnswer,
    "status": wire.StatusAnswer,
    **COMMAND_ANSWERS,
}

_SHAPES = [
    kind
    for module in (wire, relations, surveys)
    for kind in vars(module).values()
    if isinstance(kind, type) and is_dataclass(kind) and kind.__module__ == module.__name__
]


class ErrorBody(BaseModel):
    """What went wrong, and what to do about it; more keys say more about the case."""

    model_config = ConfigDict(extra="allow")
    code: str
    message: str
    hint: str = ""


class ErrorAnswer(BaseModel):
    """Every refusal and every failure has this shape; the header Cn-Exit tells the exit code of `cn`.

    Where a specification words an error of Climpt's commands, `error` is its sentence, and `code` and the rest stand
    beside it.
    """

    model_config = ConfigDict(extra="allow")
    error: ErrorBody | str


@dataclass(frozen=True)
class Acknowledgement:
    """It was done."""

    status: str


@dataclass(frozen=True)
class EnvironmentAnswer:
    """The settings were read again; warnings: what was passed over in them."""

    status: str
    warnings: list[str]


@dataclass(frozen=True)
class NamesAnswer:
    """Identifiers, the commonest first."""

    names: list[str]


class NamesRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")
    prefix: str = Field("", alias="prefix", max_length=LONGEST)


NAMES_QUERY = Annotated[NamesRequest, Query()]


class EnvironmentRequest(BaseModel):
    """The caller's environment: every CN_* and AICMD_* value, and PATH."""

    values: dict[str, str]


class BareRoute(Route):
    """A route that hands the request to its endpoint. documented: makes of it the one that FastAPI reads."""

    def __init__(self, path: str, endpoint: Endpoint, method: str, documented: Callable[[], APIRoute]) -> None:
        super().__init__(path, endpoint, methods=[method])
        self.methods = {method}  # without the HEAD that starlette adds to a GET
        self.documented = documented


def prepare(app: FastAPI) -> None:
    """Before the first question: camelCase answers, a document built when it is first asked for."""
    for kind in _SHAPES:
        with_config(ConfigDict(alias_generator=to_camel))(kind)
    app.openapi = lambda: _document(app)  # type: ignore[method-assign]


_HEADERS = {
    "Cn-Exit": {"description": "The exit code of `cn`.", "schema": {"type": "integer"}},
    "Cn-Outcome": {"description": "found, empty or partial.", "schema": {"type": "string"}},
    "Server-Timing": {"description": "The daemon's own time, in ms.", "schema": {"type": "string"}},
}
_ASKED_WITH = [
    {
        "name": "Cn-Cwd",
        "in": "header",
        "required": False,
        "schema": {"type": "string"},
        "description": "The caller's current folder, absolute and percent-encoded: where relative paths start.",
    },
    {
        "name": "Cn-Deadline",
        "in": "header",
        "required": False,
        "schema": {"type": "number", "exclusiveMinimum": 0, "maximum": 86400},
        "description": "Answer within this many seconds, with what is known by then.",
    },
]


def add_verb(app: FastAPI, verb: Verb, endpoint: Endpoint, method: str, model: Model | None = None) -> None:
    """A verb's route. Its request is a JSON body for POST, a query for GET."""

    def taken() -> Any:
        if model is None:
            return None
        return Annotated[model(), Query()] if method == "GET" else model()

    name = f"{verb.name.replace(' ', '_')}_{method.lower()}"
    asked_with = _ASKED_WITH if verb.parameters else []
    add(app, verb.path, endpoint, method, name, ANSWERS[verb.name], verb.summary, verb.help, taken, asked_with)


def add(
    app: FastAPI,
    path: str,
    endpoint: Endpoint,
    method: str,
    name: str,
    answer: Any,
    summary: str,
    description: str = "",
    taken: Callable[[], Any] = lambda: None,
    asked_with: Sequence[dict[str, Any]] = (),
) -> None:
    """One route. taken: tells the annotation of its body or query. asked_with: headers it reads, as OpenAPI
    parameters."""

    def documented() -> APIRoute:
        endpoint.__signature__ = _signature(taken())  # type: ignore[attr-defined]
        answered: dict[str, Any] = {"headers": _HEADERS} if answer in ANSWERS.values() else {}
        if answered:
            answered["content"] = {"text/plain": {"schema": {"type": "string"}}}
        return APIRoute(
            path,
            endpoint,
            methods=[method],
            operation_id=name,
            name=name,
            summary=summary,
            description=description,
            response_model=answer,
            response_description="The answer.",
            responses={
                200: answered,
                "4XX": {"model": ErrorAnswer, "description": "The request was refused."},
                "5XX": {"model": ErrorAnswer, "description": "The request failed."},
            },
            openapi_extra={"parameters": list(asked_with)} if asked_with else None,
        )

    app.router.routes.append(BareRoute(path, endpoint, method, documented))


def _signature(taken: Any) -> inspect.Signature:
    parameters = [inspect.Parameter("request", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Request)]
    if taken is not None:
        parameters.append(inspect.Parameter("taken", inspect.Parameter.KEYWORD_ONLY, annotation=taken))
    return inspect.Signature(parameters)


def _document(app: FastAPI) -> dict[str, Any]:
    if app.openapi_schema is None:
        document = get_openapi(
            title="cn",
            version=app.version,
            routes=[route.documented() for route in app.routes if isinstance(route, BareRoute)],
            separate_input_output_schemas=False,
            summary="Code navigation and command search for coding agents: one warm daemon per workspace.",
            description="Every route but /health wants the token of .cn-daemon.json.\n\n"
            "Send `Accept: text/plain` for text.",
        )
        schemas = document["components"]["schemas"]
        for kind in _SHAPES:
            if kind.__name__ in schemas:
                _as_written(kind, schemas[kind.__name__])
        document["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        document["security"] = [{"token": []}]
        document["paths"]["/health"]["get"]["security"] = []
        _untitled(document)
        app.openapi_schema = document
    return app.openapi_schema


def schema_of(kind: type) -> dict[str, Any]:
    """The JSON Schema of an answer of `wire`, as it is written. For the other doors."""
    shape = TypeAdapter(kind).json_schema(by_alias=True, mode="serialization")
    shapes = {kind.__name__: shape, **shape.get("$defs", {})}
    for inner in _SHAPES:
        if inner.__name__ in shapes:
            _as_written(inner, shapes[inner.__name__])
    _untitled(shape)
    return shape


def _untitled(shape: Any) -> None:
    """Drop the titles that pydantic makes of field names: "Filepath" helps nobody."""
    for name, inner in shape.items() if isinstance(shape, dict) else enumerate(shape):
        if name == "properties":
            for entry in inner.values():
                entry.pop("title", None)
        elif name == "schema":
            inner.pop("title", None)
        if isinstance(inner, dict | list):
            _untitled(inner)


def _as_written(kind: type, shape: dict[str, Any]) -> None:
    """Say what `wire.document` does: it leaves a None out or, where declared so, writes null."""
    required = []
    for item in fields(kind):
        key = to_camel(item.name)
        entry = shape["properties"][key]
        nullable = "nullable" in item.metadata
        entry.pop("default", None)
        if item.default is not None or nullable:
            required.append(key)
        if not nullable and "anyOf" in entry:
            entry.update(next(option for option in entry.pop("anyOf") if option != {"type": "null"}))
    shape["required"] = required
