"""What arrives by HTTP, checked against the table of verbs.

Each verb's model is built from its row: a body's values are read strictly (`"5"` is no integer), a query's
are strings and read as such. Messages name the parameter as the wire spells it.
"""

from __future__ import annotations

import difflib
import json
import math
import re
import time
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import unquote

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, create_model
from starlette.datastructures import QueryParams
from starlette.requests import Request

from cn_daemon.application.ports import Call
from cn_daemon.interfaces.spellings import respelled
from cn_shared.errors import InputError
from cn_shared.verbs import LONGEST, MOST, Parameter, Verb

_KINDS: dict[str, Any] = {
    "string": str,
    "file": str,
    "integer": int,
    "boolean": bool,
    "stdin": str,
    "files": list[str],
    "words": list[str],
    "list": list[str],
    "rest": list[str],
    "object": dict[str, Any],
    "options": dict[str, Any] | list[str],
}
_STRICT = ConfigDict(extra="forbid", strict=True)
_DEADLINE_CEILING_S = 86_400


class NamesRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")
    prefix: str = Field("", alias="prefix", max_length=LONGEST)


def snake(name: str) -> str:
    """`filePath` → `file_path`."""
    return re.sub(r"(?<=[a-z0-9])[A-Z]", lambda match: "_" + match[0], name).lower()


def request_model(verb: Verb) -> type[BaseModel]:
    """The verb's request: fields in snake_case, aliases as on the wire, ranges and choices from the table."""
    parts: dict[str, Any] = {snake(item.name): _field(item) for item in verb.parameters}
    return create_model(f"{verb.name.title().replace(' ', '')}Request", __config__=_STRICT, **parts)


def _field(item: Parameter) -> tuple[Any, Any]:
    kind = Literal[item.choices] if item.choices else _KINDS[item.kind]
    if kind is str and item.longest:
        least = 1 if item.positional and not (item.optional or item.empty) else None
        kind = Annotated[str, StringConstraints(min_length=least, max_length=item.longest)]
    elif kind == list[str]:
        strings = list[Annotated[str, StringConstraints(max_length=item.longest)]]
        kind = Annotated[strings, Field(max_length=MOST)]
    required = item.positional and not item.optional and item.default is None
    if item.default is None and not required:
        kind = kind | None
    return kind, Field(
        ... if required else item.default,
        alias=item.name,
        description=item.help,
        ge=item.minimum,
        le=item.maximum,
    )


def from_body(model: type[BaseModel], body: bytes, verb: str = "") -> dict[str, Any]:
    """The parameters in a JSON body, by their names in snake_case. Raises InputError (`bad_request`).

    verb: what is spelled otherwise is read as its parameters.

    The Content-Type is not looked at, so that `curl -d '{…}'` works: the token, not the type, keeps web
    pages out.
    """
    try:
        return _values(model.model_validate_json(body or b"{}"))
    except ValidationError as error:
        if not (verb and _is_misspelled(error)):
            raise refusal(model, error) from None
    try:
        return _values(model.model_validate(respelled(verb, json.loads(body or b"{}"))))
    except ValidationError as error:
        raise refusal(model, error) from None


def _is_misspelled(error: ValidationError) -> bool:
    return any(fault["type"] in ("extra_forbidden", "missing") for fault in error.errors(include_url=False))


def from_query(model: type[BaseModel], query: QueryParams, verb: str = "") -> dict[str, Any]:
    """The same parameters in a query string. Raises InputError (`bad_request`)."""
    lists = {str(item.alias) for item in model.model_fields.values() if "list[" in str(item.annotation)}
    values: dict[str, Any] = {}
    for name in query:
        given = query.getlist(name)
        if len(given) > 1 and name not in lists:
            raise InputError("bad_request", f"{name} is given more than once.", parameter=name)
        values[name] = given if name in lists else given[0]
    try:
        return _values(model.model_validate(values, strict=False))
    except ValidationError as error:
        if not (verb and _is_misspelled(error)):
            raise refusal(model, error) from None
    try:
        return _values(model.model_validate(respelled(verb, values), strict=False))
    except ValidationError as error:
        raise refusal(model, error) from None


def environment_values(body: bytes) -> dict[str, str]:
    """The body of POST /environment: `{"values": {name: value}}`. Raises InputError (`bad_request`).

    Not through pydantic: a value may hold bytes that are not UTF-8, which arrive as lone surrogates.
    """
    try:
        values = json.loads(body)["values"]
        if all(isinstance(value, str) and "\0" not in value for value in values.values()):
            return dict(values)
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        pass
    raise InputError(
        "bad_request", 'The body must be {"values": {name: value}}, with strings only.', parameter="values"
    )


def _values(request: BaseModel) -> dict[str, Any]:
    return dict(request)


def refusal(model: type[BaseModel], error: ValidationError) -> InputError:
    """The first thing wrong, as a sentence. An unknown key outranks the missing one that it stands for."""
    faults = error.errors(include_url=False, include_context=True)
    fault = next((item for item in faults if item["type"] == "extra_forbidden"), faults[0])
    name = str(fault["loc"][0]) if fault["loc"] else ""
    names = [str(item.alias) for item in model.model_fields.values()]
    data: dict[str, object] = {"parameter": name} if name else {}
    hint = f"It takes {', '.join(names)}." if names else "It takes no parameters."
    match fault["type"]:
        case "extra_forbidden":
            near = difflib.get_close_matches(name, names, 3, 0.5)
            message = f"There is no parameter {name!r} here."
            if near:
                hint = f"Did you mean {' or '.join(near)}?"
                data["near"] = near
        case "missing":
            message = f"{name} is missing."
        case "json_invalid" if "surrogate" in str(fault.get("ctx")):
            message, hint = (
                "A string of the body is not Unicode text.",
                "A file whose name is not UTF-8 has to be renamed.",
            )
        case "json_invalid" | "model_type" | "model_attributes_type":
            message = "The body must be a JSON object."
        case _:
            message = f"{name} {_expectation(fault)}."
            hint = model.model_fields[_field_of(model, name)].description or ""
    return InputError("bad_request", message, hint, **data)


def _expectation(fault: Any) -> str:
    context = fault.get("ctx", {})
    match fault["type"]:
        case "greater_than_equal":
            return f"must be at least {context['ge']}"
        case "less_than_equal":
            return f"must be at most {context['le']}"
        case "literal_error":
            return f"must be {context['expected']}"
        case "string_too_short":
            return "must not be empty"
        case "string_too_long":
            each = "have strings of" if len(fault["loc"]) > 1 else "have"
            return f"must {each} at most {context['max_length']} characters"
        case "too_long":
            return f"must have at most {context['max_length']} items"
        case "int_type" | "int_parsing" | "int_from_float" | "int_parsing_size":
            return "must be a whole number"
        case "bool_type" | "bool_parsing":
            return "must be true or false"
        case "string_type":
            return "must be a string"
        case "string_unicode":
            return "must be valid Unicode"
        case "list_type":
            return "must be an array of strings"
        case "dict_type":
            return "must be an object"
    message: str = fault["msg"]
    return "is not valid: " + message[:1].lower() + message[1:]


def _field_of(model: type[BaseModel], alias: str) -> str:
    return next(
        (name for name, item in model.model_fields.items() if item.alias == alias),
        next(iter(model.model_fields)),
    )


def call_of(request: Request, default_deadline_s: float) -> Call:
    """The caller's folder and deadline, from `Cn-Cwd` (percent-encoded) and `Cn-Deadline` (seconds)."""
    headers = request.headers
    return Call(
        _folder(headers.get("cn-cwd", "")),
        time.monotonic() + _seconds(headers.get("cn-deadline", ""), default_deadline_s),
    )


def _folder(encoded: str) -> Path | None:
    if not encoded:
        return None
    folder = Path(unquote(encoded, errors="surrogateescape"))
    if not folder.is_absolute() or "\0" in str(folder):
        raise InputError("bad_header", "Cn-Cwd must be an absolute folder, percent-encoded.", header="Cn-Cwd")
    return folder


def _seconds(text: str, default: float) -> float:
    if not text:
        return default
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds <= _DEADLINE_CEILING_S:
        raise InputError(
            "bad_header",
            f"Cn-Deadline must be seconds, above 0 and at most {_DEADLINE_CEILING_S}.",
            header="Cn-Deadline",
        )
    return seconds
