"""The routes as the OpenAPI document shows them. Imported when somebody asks for it."""

from __future__ import annotations

import functools
import inspect
import operator
from dataclasses import dataclass, fields, is_dataclass
from typing import Annotated, Any

from fastapi import FastAPI, Query
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from pydantic import BaseModel, ConfigDict, TypeAdapter, with_config
from pydantic.alias_generators import to_camel
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from cn_daemon.application.query_kinds import SUBJECTS
from cn_daemon.interfaces.command_shapes import COMMAND_ANSWERS
from cn_daemon.interfaces.hook import HookRequest
from cn_daemon.interfaces.requests import NamesRequest
from cn_daemon.interfaces.routes import BareRoute
from cn_shared import relations, surveys, wire
from cn_shared.command_verbs import COMMAND_VERBS
from cn_shared.relation_verbs import RELATION_VERBS
from cn_shared.survey_verbs import SURVEY_VERBS

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
    "grep": surveys.GrepAnswer,
    "status": wire.StatusAnswer,
    **COMMAND_ANSWERS,
}
# What is asked of lines, a file, a folder, or names by a pattern is answered by the verb for that
# (application.query_kinds).
_ANSWERED_BY = {"map": ("overview",), **dict.fromkeys(SUBJECTS, ("find", "inspect", "map", "overview"))}

_SHAPES = [
    kind
    for module in (wire, relations, surveys)
    for kind in vars(module).values()
    if isinstance(kind, type) and is_dataclass(kind) and kind.__module__ == module.__name__
]
for _kind in _SHAPES:
    with_config(ConfigDict(alias_generator=to_camel))(_kind)


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


NAMES_QUERY = Annotated[NamesRequest, Query()]


class EnvironmentRequest(BaseModel):
    """The caller's environment: every CN_* and AICMD_* value, and PATH."""

    values: dict[str, str]


# What the daemon's own routes answer and take.
OWN: dict[str, tuple[Any, Any]] = {
    "health": (Acknowledgement, None),
    "stop": (Acknowledgement, None),
    "names": (NamesAnswer, NAMES_QUERY),
    "environment": (EnvironmentAnswer, EnvironmentRequest),
    "hook": (str, HookRequest),
}

_ACTS = "Runs or ends something"
_TAGS = {
    "Code": ("Symbols, their uses and their code.", {"map", "find", "inspect", *(row.name for row in RELATION_VERBS)}),
    "Workspace": ("Surveys, and text.", {row.name for row in SURVEY_VERBS}),
    "Commands and reports": ("Libraries of commands, read.", {row.name for row in COMMAND_VERBS if row.reads}),
    "Daemon": ("Its state.", {"status", "health", "names", "hook"}),
    _ACTS: ("Commands are run, requests sent, settings and the daemon changed.", set[str]()),
}
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


def _documented(route: BareRoute) -> APIRoute:
    """The route that FastAPI reads."""
    described = route.described
    answer, body = OWN.get(described.answer) or (ANSWERS[described.answer], _body_of(route))
    route.endpoint.__signature__ = _signature(body)  # type: ignore[attr-defined]
    answered: dict[str, Any] = {}
    if described.answer in ANSWERS or answer is str:
        answered = {"content": {"text/plain": {"schema": {"type": "string"}}}}
    if described.answer in ANSWERS:
        answered["headers"] = _HEADERS
    return APIRoute(
        route.path,
        route.endpoint,
        methods=[route.method],
        operation_id=described.name,
        tags=[next((title for title, (_, names) in _TAGS.items() if described.answer in names), _ACTS)],
        name=described.name,
        summary=described.summary,
        description=described.description,
        response_model=None if answer is str else _with_others(described.answer, answer),
        response_class=Response if answer is str else JSONResponse,
        response_description="The answer.",
        responses={
            200: answered,
            "4XX": {"model": ErrorAnswer, "description": "The request was refused."},
            "5XX": {"model": ErrorAnswer, "description": "The request failed."},
        },
        openapi_extra={"parameters": list(_ASKED_WITH)} if described.located else None,
    )


def _with_others(verb: str, answer: Any) -> Any:
    others = (ANSWERS[other] for other in _ANSWERED_BY.get(verb, ()))
    return functools.reduce(operator.or_, dict.fromkeys((answer, *others)))


def _body_of(route: BareRoute) -> Any:
    model = route.described.model
    if model is None:
        return None
    return Annotated[model(), Query()] if route.method == "GET" else model()


def _signature(body: Any) -> inspect.Signature:
    parameters = [inspect.Parameter("request", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Request)]
    if body is not None:
        parameters.append(inspect.Parameter("taken", inspect.Parameter.KEYWORD_ONLY, annotation=body))
    return inspect.Signature(parameters)


def document(app: FastAPI) -> dict[str, Any]:
    """Built once."""
    if app.openapi_schema is None:
        schema = get_openapi(
            title="cn",
            version=app.version,
            routes=[_documented(route) for route in app.routes if isinstance(route, BareRoute)],
            separate_input_output_schemas=False,
            summary="Code navigation and command search for coding agents: one warm daemon per workspace.",
            tags=[{"name": title, "description": about} for title, (about, _) in _TAGS.items()],
            description="Every route but /health wants the token of .cn-daemon.json.\n\n"
            "Send `Accept: text/plain` for text.",
        )
        schemas = schema["components"]["schemas"]
        for kind in _SHAPES:
            if kind.__name__ in schemas:
                _as_written(kind, schemas[kind.__name__])
        schema["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        schema["security"] = [{"token": []}]
        schema["paths"]["/health"]["get"]["security"] = []
        _untitled(schema)
        app.openapi_schema = schema
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
