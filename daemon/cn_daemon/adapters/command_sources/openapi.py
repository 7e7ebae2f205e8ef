"""OpenAPI 3.0 and 3.1 documents, Swagger 2.0 as one of these: one command per operation, checked by openapi-pydantic.

Names are formed as in catalog manifests: the path's words without versions and parameters, then the action:
`GET /services/{id}/deploys` → `services:deploys:list`. Only references within the document are followed: a catalog
must not make the daemon fetch or read anything else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from cn_daemon.adapters.command_sources.manifest import Entry, Origin, Unfit, finished, listed, text
from cn_daemon.adapters.command_sources.swagger import upgraded
from cn_daemon.domain.libraries.commands import Argument, Catalog, CommandText, HttpCall, Place

METHODS = ("get", "post", "put", "patch", "delete", "head")
_ACTIONS = {"post": "create", "put": "update", "patch": "update", "delete": "delete", "head": "head"}
_VERSION = re.compile(r"v\d+(?:\.\d+)*", re.I)
_DEPTH = 6
# Schemas hold each other: filled in without end, a few of them become millions. Their keys and properties count, each
# as often as it is filled in: for one operation, and for all of a document.
_MOST_PARTS = 20_000
_MOST_PARTS_OF_DOCUMENT = 2_000_000
# What operations share by reference, each of them has: so many arguments, or a hundred times as many characters.
_MOST_ARGUMENTS = 300_000
_CHARACTERS_OF_ARGUMENT = 100
_LONGEST_REFERENCE = 1000
# How a value is written where a document does not say.
_STYLES = {"path": "simple", "query": "form", "header": "simple", "cookie": "form"}
_MULTIPART = "multipart/form-data"
_BODY_TYPES = ("application/json", "application/x-www-form-urlencoded", _MULTIPART)


def openapi_commands(document: Mapping[str, Any], entry: Entry, origin: Origin) -> list[CommandText]:
    """The operations of a document, in its order. Raises Unfit."""
    if str(document.get("swagger", "")) == "2.0":
        document = upgraded(document)
        check(document, "Swagger 2.0")
    else:
        check(document)
    reading = _Document(document, entry, origin)
    return list(reading.commands())


def check(document: Mapping[str, Any], written: str = "") -> None:
    """Raises Unfit, telling the first thing wrong, unless it is a valid OpenAPI 3.0 or 3.1 document. written: what it
    was written as."""
    version = str(document.get("openapi", ""))
    if not version.startswith(("3.0", "3.1")):
        raise Unfit(f"It is OpenAPI {version or document.get('swagger', '')}; 2.0, 3.0 and 3.1 are read")
    # 0.3 s and 22 MB: only once there is a document, and in this source's own thread.
    from openapi_pydantic import parse_obj
    from pydantic import ValidationError

    try:
        parse_obj(dict(document))
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        place = ".".join(map(str, fault["loc"][1:7]))  # the first is the version again
        raise Unfit(f"It is not valid {written or f'OpenAPI {version}'}: {place}: {fault['msg']}") from None
    except RecursionError:
        raise Unfit("It is nested too deeply") from None


class _Document:
    def __init__(self, document: Mapping[str, Any], entry: Entry, origin: Origin) -> None:
        info = document.get("info", {})
        self._document = document
        self._origin = origin
        title = entry.title or text(info.get("title"))
        self._catalog = Catalog(title, entry.description or text(info.get("description")), _slug(title))
        self._headers = entry.headers
        servers = [url for server in listed(document.get("servers")) if (url := _server(server)).startswith("http")]
        self._urls = entry.base_urls or tuple(servers)
        self._used_names: dict[str, int] = {}
        self._left = 0
        self._left_of_document = _MOST_PARTS_OF_DOCUMENT
        self._left_arguments = _MOST_ARGUMENTS

    def commands(self) -> Iterator[CommandText]:
        """Raises Unfit."""
        for path, raw in (self._document.get("paths") or {}).items():
            item = self._resolved(raw)
            for method in METHODS:
                operation = item.get(method)
                if isinstance(operation, Mapping):
                    found = self._command(path, method, item, operation)
                    self._spend(len(found.body) // _CHARACTERS_OF_ARGUMENT)
                    yield found

    def _command(self, path: str, method: str, item: Mapping[str, Any], operation: Mapping[str, Any]) -> CommandText:
        arguments = self._parameters(item, operation)
        body, media = self._body(operation)
        flags = [one for one in arguments if one.place != "path"] + body
        summary = text(operation.get("summary")) or text(operation.get("description"))
        return finished(
            group=self._catalog.vendor,
            name=self._name(path, method, summary or text(operation.get("operationId"))),
            summary=summary.strip(),
            positional=tuple(one for one in arguments if one.place == "path"),
            flags=tuple(flags),
            schema=self._output(operation),
            catalog=self._catalog,
            http=HttpCall(method.upper(), path, self._urls, self._headers, media),
            mcp=None,
            origin=self._origin,
            body=f"{text(operation.get('operationId'))} {text(operation.get('description'))}",
            aliases=tuple(filter(None, [text(operation.get("operationId"))])),
        )

    def _name(self, path: str, method: str, summary: str) -> str:
        parts = [part for part in path.split("/") if part and "{" not in part and not _VERSION.fullmatch(part)]
        action = _ACTIONS.get(method) or ("info" if path.rstrip("/").endswith("}") else "list")
        name = ":".join([*parts, action])
        if name in self._used_names:
            name = ":".join([*parts, _slug(summary) or method])
        while name in self._used_names:
            # Counted on, not from the beginning: a document may have thousands of one name.
            number = self._used_names[":".join([*parts, action])] = (
                self._used_names.get(":".join([*parts, action]), 1) + 1
            )
            name = f"{':'.join([*parts, action])}:{number}"
        self._used_names.setdefault(name, 1)
        return name

    def _parameters(self, item: Mapping[str, Any], operation: Mapping[str, Any]) -> list[Argument]:
        """Those of the path, then of the operation; one of the same name and place replaces."""
        found: dict[tuple[str, str], Argument] = {}
        for raw in [*(item.get("parameters") or ()), *(operation.get("parameters") or ())]:
            one = self._resolved(raw)
            self._spend(1)
            place = text(one.get("in"))
            if place in ("path", "query", "header", "cookie") and text(one.get("name")):
                schema = self._resolved(one.get("schema") or {})
                argument = _argument(
                    text(one["name"]), schema, place, required=place == "path" or one.get("required") is True,  # type: ignore[arg-type]
                    help=text(one.get("description")),
                )  # fmt: skip
                style = "" if "content" in one else text(one.get("style")) or _STYLES[place]
                explode = one["explode"] is True if "explode" in one else style == "form"
                found[argument.name, place] = replace(argument, style=style, explode=explode)
        return list(found.values())

    def _body(self, operation: Mapping[str, Any]) -> tuple[list[Argument], str]:
        request = self._resolved(operation.get("requestBody") or {})
        content = request.get("content") or {}
        media = next((kind for kind in _BODY_TYPES if kind in content), next(iter(content), _BODY_TYPES[0]))
        schema = self._filled_in((content.get(media) or {}).get("schema") or {}, 2)
        required = schema.get("required") or ()
        properties = schema.get("properties") or {}
        self._spend(len(properties))
        arguments = [
            _argument(name, one, "body", required=name in required, help="")
            for name, one in properties.items()
            if isinstance(one, Mapping) and one.get("readOnly") is not True
        ]
        if media == _MULTIPART:
            arguments = [
                replace(one, kind="file") if properties[one.name].get("format") == "binary" else one
                for one in arguments
            ]
        if content and not properties:
            # An array, a text, one of several objects: it is given as it is.
            body = _argument("body", schema, "body", required=request.get("required") is True, help=media)
            several = any(key in schema for key in ("oneOf", "anyOf")) or "type" not in schema
            kind = "string" if media.startswith("text/") else "any" if several else body.kind
            arguments = [replace(body, kind=kind, help=text(request.get("description")) or body.help)]
        return arguments, media

    def _output(self, operation: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """The schema of the first successful JSON answer, with its references filled in."""
        for status, raw in sorted((operation.get("responses") or {}).items(), key=lambda row: str(row[0])):
            if str(status).startswith("2") or status == "default":
                for kind, media in (self._resolved(raw).get("content") or {}).items():
                    if "json" in kind and isinstance(media, Mapping) and media.get("schema"):
                        return self._filled_in(media["schema"], _DEPTH)
        return None

    def _spend(self, arguments: int) -> None:
        """Raises Unfit."""
        self._left_arguments -= arguments
        if self._left_arguments < 0:
            raise Unfit("It expands without end")

    def _resolved(self, value: Any) -> Mapping[str, Any]:
        """The object itself, behind its references; {} for what leads nowhere, in circles or out of the document."""
        for _ in range(_DEPTH):
            if not isinstance(value, Mapping):
                return {}
            reference = value.get("$ref")
            if not isinstance(reference, str):
                return value
            value = self._at(reference)
        return {}

    def _at(self, reference: str) -> Any:
        if not reference.startswith("#/") or len(reference) > _LONGEST_REFERENCE:
            return None
        found: Any = self._document
        for step in reference[2:].split("/"):
            step = step.replace("~1", "/").replace("~0", "~")
            if isinstance(found, list) and step.isdecimal() and int(step) < len(found):
                found = found[int(step)]
            else:
                found = found.get(step) if isinstance(found, Mapping) else None
        return found

    def _filled_in(self, raw: Any, depth: int) -> dict[str, Any]:
        """A schema with its references filled in, `depth` levels down, as far as an operation's and the document's
        parts go; what lies beyond has its type alone."""
        before = self._left = min(_MOST_PARTS, self._left_of_document)
        schema = self._expanded(raw, depth)
        self._left_of_document -= before - max(0, self._left)
        return schema

    def _expanded(self, raw: Any, depth: int) -> dict[str, Any]:
        """A schema with its references filled in, `depth` levels down, and `allOf` merged."""
        found = self._resolved(raw)
        self._left -= _parts(found)
        if self._left < 0:
            return {"type": found.get("type", "object")}
        schema = dict(found)
        for part in (schema.pop("allOf", None) or ()) if depth >= 0 else ():
            inner = self._expanded(part, depth - 1)
            self._left -= _parts(schema) + _parts(inner)  # both are copied
            if self._left < 0:
                break
            properties = {**(schema.get("properties") or {}), **(inner.get("properties") or {})}
            required = [*(schema.get("required") or ()), *(inner.get("required") or ())]
            schema = {**inner, **schema}
            if properties:
                schema["properties"] = properties
            if required:
                schema["required"] = list(dict.fromkeys(required))
        if isinstance(schema.get("properties"), Mapping):
            schema["properties"] = {
                name: self._expanded(one, depth - 1)
                if depth > 0
                else {"type": self._resolved(one).get("type", "object")}
                for name, one in schema["properties"].items()
            }
        if isinstance(schema.get("items"), Mapping):
            schema["items"] = self._expanded(schema["items"], depth - 1) if depth > 0 else {}
        return schema


def _parts(schema: Mapping[str, Any]) -> int:
    parts = (schema.get(name) for name in ("properties", "required"))
    return 1 + len(schema) + sum(len(one) for one in parts if isinstance(one, Mapping | list))


def _argument(name: str, schema: Mapping[str, Any], place: Place, *, required: bool, help: str) -> Argument:
    kind = schema.get("type")
    if isinstance(kind, list):  # OpenAPI 3.1: ["string", "null"]
        kind = next((one for one in kind if one != "null"), "string")
    default = schema.get("default")
    return Argument(
        name=name,
        help=help or text(schema.get("description")),
        required=required,
        kind=kind if isinstance(kind, str) else "string",
        choices=tuple(str(choice) for choice in schema.get("enum") or ()),
        default=None if default is None or isinstance(default, dict | list) else str(default),
        place=place,
    )


def _server(server: Mapping[str, Any]) -> str:
    """A server's URL with its variables' defaults."""
    url = text(server.get("url"))
    for name, variable in (server.get("variables") or {}).items():
        if isinstance(variable, Mapping):
            url = url.replace("{" + str(name) + "}", str(variable.get("default", "")))
    return url


def _slug(words: str) -> str:
    return "-".join(re.findall(r"[a-z0-9]+", words.lower()))
