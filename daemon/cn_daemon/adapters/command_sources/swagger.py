"""Swagger 2.0 documents as OpenAPI 3.0: https://swagger.io/docs/specification/2-0/basic-structure.

Schemas are alike, and stay where they are (`#/definitions/Pet`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cn_daemon.adapters.command_sources.manifest import elements, listed, text

_METHODS = frozenset(("get", "post", "put", "patch", "delete", "head", "options"))
_JSON = "application/json"
_FORM, _MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data"
# What a parameter says of its value, and a schema does in OpenAPI 3.
_OF_SCHEMA = frozenset(
    ("type", "format", "items", "default", "enum", "maximum", "minimum", "maxLength", "minLength", "pattern",
     "maxItems", "minItems", "uniqueItems", "multipleOf")
)  # fmt: skip
_STYLES = {"ssv": ("spaceDelimited", False), "pipes": ("pipeDelimited", False), "multi": ("form", True)}


def upgraded(document: Mapping[str, Any]) -> dict[str, Any]:
    """What is no Swagger in it is left as it is, for the check of OpenAPI 3.0 to find."""
    reading = _Swagger(document)
    paths = document.get("paths")
    return {
        "openapi": "3.0.3",
        "info": document.get("info"),
        "servers": list(reading.servers()),
        "paths": {path: reading.item(item) for path, item in paths.items()} if isinstance(paths, Mapping) else paths,
        "definitions": document.get("definitions"),
    }


class _Swagger:
    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = document
        self._consumes = elements(document.get("consumes"))
        self._produces = elements(document.get("produces"))

    def servers(self) -> Iterator[dict[str, str]]:
        host = text(self._document.get("host"))
        # https first: it is the one that is proposed.
        for scheme in sorted(map(str, elements(self._document.get("schemes")) or ["https"]), reverse=True):
            if host and scheme in ("http", "https"):
                yield {"url": f"{scheme}://{host}{text(self._document.get('basePath')).rstrip('/')}"}

    def item(self, item: Any) -> Any:
        if not isinstance(item, Mapping):
            return item
        shared = listed(item.get("parameters"))
        rows = {name: self._operation(one, shared) for name, one in item.items() if name in _METHODS}
        return {key: one for key, one in item.items() if key in ("$ref", "summary", "description")} | rows

    def _operation(self, operation: Any, shared: list[Mapping[str, Any]]) -> Any:
        if not isinstance(operation, Mapping):
            return operation
        rows: dict[tuple[str, str], Mapping[str, Any]] = {}
        for row in [*shared, *listed(operation.get("parameters"))]:
            row = self._referred(row, "parameters")
            rows[text(row.get("name")), text(row.get("in"))] = row
        parameters = [_parameter(row) for row in rows.values() if row.get("in") not in ("body", "formData")]
        consumes = elements(operation.get("consumes")) or self._consumes
        produces = elements(operation.get("produces")) or self._produces or [_JSON]
        responses = operation.get("responses")
        found = {
            **{key: operation[key] for key in ("summary", "description", "operationId", "tags") if key in operation},
            "parameters": parameters,
            "responses": {str(status): self._response(one, produces) for status, one in responses.items()}
            if isinstance(responses, Mapping)
            else responses,
        }
        body = _body(list(rows.values()), [one for one in consumes if isinstance(one, str)])
        return {**found, "requestBody": body} if body else found

    def _response(self, raw: Any, produces: list[Any]) -> Any:
        if not isinstance(raw, Mapping):
            return raw
        response = self._referred(raw, "responses")
        found: dict[str, Any] = {"description": text(response.get("description"))}
        if isinstance(response.get("schema"), Mapping):
            found["content"] = {kind: {"schema": response["schema"]} for kind in produces if isinstance(kind, str)}
        return found

    def _referred(self, row: Mapping[str, Any], of: str) -> Mapping[str, Any]:
        """The parameter or response itself, where a reference stands for it."""
        shared = self._document.get(of)
        name = text(row.get("$ref")).removeprefix(f"#/{of}/")
        found = shared.get(name) if isinstance(shared, Mapping) and "$ref" in row else row
        return found if isinstance(found, Mapping) else {}


def _parameter(row: Mapping[str, Any]) -> dict[str, Any]:
    found = {key: row[key] for key in ("name", "in", "description", "required") if key in row}
    found["schema"] = {key: row[key] for key in _OF_SCHEMA if key in row}
    if row.get("type") == "array" and row.get("in") == "query":
        found["style"], found["explode"] = _STYLES.get(text(row.get("collectionFormat")), ("form", False))
    return found


def _body(rows: list[Mapping[str, Any]], consumes: list[str]) -> dict[str, Any] | None:
    for row in rows:
        if row.get("in") == "body":
            content = {kind: {"schema": row.get("schema") or {}} for kind in consumes or [_JSON]}
            description = {"description": row["description"]} if isinstance(row.get("description"), str) else {}
            return {"required": row.get("required") is True, "content": content, **description}
    fields = [row for row in rows if row.get("in") == "formData"]
    if not fields:
        return None
    files = any(row.get("type") == "file" for row in fields)
    kind = _MULTIPART if files else next((one for one in consumes if one in (_FORM, _MULTIPART)), _FORM)
    schema = {
        "type": "object",
        "properties": {text(row.get("name")): _field(row) for row in fields},
        "required": [text(row.get("name")) for row in fields if row.get("required") is True],
    }
    return {"content": {kind: {"schema": schema}}}


def _field(row: Mapping[str, Any]) -> dict[str, Any]:
    if row.get("type") == "file":
        return {"type": "string", "format": "binary", "description": text(row.get("description"))}
    return {key: row[key] for key in (*sorted(_OF_SCHEMA), "description") if key in row}
