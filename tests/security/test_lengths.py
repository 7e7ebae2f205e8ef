"""How long a string may be, on every route and in every tool: from the one table, told in the document."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from cn_daemon.interfaces.mcp import arguments
from cn_daemon.interfaces.mcp.table import TOOLS, offered
from cn_shared.errors import InputError
from cn_shared.verbs import LONGEST, MOST, VERBS, Parameter, Verb
from tests.fakes.door import Door

DOOR = Door()
OFFERED = offered([row.name for row in VERBS])
LISTS = ("files", "words", "list", "rest")
STRINGS = [
    pytest.param(row, item, id=f"{row.name} {item.name}")
    for row in VERBS
    for item in row.parameters
    if item.longest and not item.choices
]
# What the size of the body bounds: text and objects that are handed on.
BODY_BOUND = {"stdin", "options", "context", "values"}


def asked_for(row: Verb, item: Parameter, value: object) -> dict[str, object]:
    needed = {one.name: "x" for one in row.parameters if one.positional and not one.optional}
    return {**needed, item.name: value}


def test_every_string_of_the_table_has_a_length() -> None:
    unbounded = {item.name for row in VERBS for item in row.parameters if item.kind in ("string", "file", *LISTS)
                 and not item.longest}  # fmt: skip
    assert not unbounded
    assert len(STRINGS) > 30


@pytest.mark.parametrize(("row", "item"), STRINGS)
def test_a_string_that_is_too_long_is_refused(row: Verb, item: Parameter) -> None:
    listed = item.kind in LISTS
    for more, status in ((0, 200), (1, 400)):
        word = "x" * (item.longest + more)
        reply = DOOR.ask(row.method, row.path, json=asked_for(row, item, ["x", word] if listed else word))
        assert reply.status_code == status, reply.text
    error = reply.json()["error"]
    assert (error["code"], error["parameter"], reply.headers["Cn-Exit"]) == ("bad_request", item.name, "2")
    assert f"at most {item.longest} characters" in error["message"]
    assert len(reply.content) < 1000, "what was too long is not said again"
    if row.reads:
        reply = DOOR.ask("GET", f"{row.path}?{'&'.join(f'{k}={v}' for k, v in asked_for(row, item, word).items())}")
        assert (reply.status_code, reply.json()["error"]["parameter"]) == (400, item.name)


@pytest.mark.parametrize(("row", "item"), [one for one in STRINGS if one.values[1].kind in LISTS])  # type: ignore[union-attr]
def test_a_list_that_is_too_long_is_refused(row: Verb, item: Parameter) -> None:
    reply = DOOR.ask(row.method, row.path, json=asked_for(row, item, ["x"] * (MOST + 1)))
    assert reply.status_code == 400
    assert reply.json()["error"]["message"] == f"{item.name} must have at most {MOST} items."


def strings(schema: Any, name: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every schema of a string below that one, with the name of its property."""
    if schema.get("type") == "string" and "enum" not in schema and "const" not in schema:
        yield name, schema
    for key, inner in schema.get("properties", {}).items():
        yield from strings(inner, key)
    for inner in [*schema.get("anyOf", ()), *([schema["items"]] if "items" in schema else ())]:
        yield from strings(inner, name)
    if isinstance(schema.get("additionalProperties"), dict):
        yield from strings(schema["additionalProperties"], name)


def test_the_document_tells_every_length() -> None:
    document = DOOR.app.openapi()
    seen = 0
    for path in document["paths"].values():
        for operation in path.values():
            taken = [(one["name"], one["schema"]) for one in operation.get("parameters", ()) if one["in"] == "query"]
            body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
            if "$ref" in body:
                body = document["components"]["schemas"][body["$ref"].rpartition("/")[2]]
            for name, schema in [*(pair for one in taken for pair in strings(one[1], one[0])), *strings(body)]:
                seen += 1
                assert "maxLength" in schema or name in BODY_BOUND, (operation["operationId"], name, schema)
    assert seen > 60


@pytest.mark.parametrize("tool", [tool.name for tool in TOOLS])
def test_a_tool_takes_no_longer_string_than_its_verb(tool: str) -> None:
    one = OFFERED[tool]
    needed = {item.name: "x" for item in one.inputs if item.required and item.kind != "integer"}
    for item in one.inputs:
        if item.kind in ("integer", "boolean", "object", "options", "stdin"):
            continue
        word = "x" * ((item.longest or LONGEST) + 1)
        with pytest.raises(InputError) as refused:
            arguments.read(one, {**needed, item.name: [word] if item.kind in LISTS else word})
        assert refused.value.code == "bad_request"
        assert len(json.dumps(refused.value.document())) < 1000


def test_the_beginning_of_a_name_to_complete_is_bounded() -> None:
    assert DOOR.ask("GET", f"/names?prefix={'x' * LONGEST}").status_code == 200
    reply = DOOR.ask("GET", f"/names?prefix={'x' * (LONGEST + 1)}")
    assert (reply.status_code, reply.json()["error"]["parameter"]) == (400, "prefix")
