"""The OpenAPI document: golden, and true of what the door sends."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from cn_shared.verbs import VERBS
from cn_shared.wire import LanguageServerStatus
from tests import golden
from tests.fakes.door import Door


@pytest.fixture(scope="module")
def door() -> Door:
    return Door()


@pytest.fixture(scope="module")
def openapi(door: Door) -> dict[str, Any]:
    document: dict[str, Any] = door.ask("GET", "/openapi.json").json()
    return document


def test_the_document_is_the_golden_one(openapi: dict[str, Any]) -> None:
    golden.check("openapi.json", json.dumps(openapi, indent=1, ensure_ascii=False) + "\n")


def test_every_verb_and_every_parameter_is_there(openapi: dict[str, Any]) -> None:
    for verb in VERBS:
        operation = openapi["paths"][verb.path][verb.method.lower()]
        assert operation["summary"] == verb.summary
        for item in verb.parameters:
            name = f"{verb.name.title().replace(' ', '')}Request"
            assert item.name in openapi["components"]["schemas"][name]["properties"]
            if verb.reads:
                assert item.name in {entry["name"] for entry in openapi["paths"][verb.path]["get"]["parameters"]}


def test_only_health_needs_no_token(openapi: dict[str, Any]) -> None:
    assert openapi["security"] == [{"token": []}]
    open_paths = {
        path
        for path, item in openapi["paths"].items()
        for operation in item.values()
        if operation.get("security") == []
    }
    assert open_paths == {"/health"}


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/map?filePath=x"),
        ("GET", "/find?query=x"),
        ("GET", "/inspect?targetId=x"),
        ("GET", "/status"),
        ("GET", "/health"),
        ("POST", "/shutdown"),
    ],
)
def test_what_is_sent_is_what_the_document_says(door: Door, openapi: dict[str, Any], method: str, path: str) -> None:
    door.services.servers = [LanguageServerStatus("typescript", "starting")]
    operation = openapi["paths"][path.partition("?")[0]][method.lower()]
    schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
    jsonschema.validate(door.ask(method, path).json(), {**_closed(openapi), **schema})


def test_an_error_is_what_the_document_says(door: Door, openapi: dict[str, Any]) -> None:
    operation = openapi["paths"]["/find"]["post"]["responses"]
    assert set(operation) == {"200", "4XX", "5XX"}
    schema = operation["4XX"]["content"]["application/json"]["schema"]
    jsonschema.validate(door.ask("POST", "/find", json={}).json(), {**openapi, **schema})


def _closed(openapi: dict[str, Any]) -> dict[str, Any]:
    """The document, with no key allowed that it does not name."""
    closed: dict[str, Any] = json.loads(json.dumps(openapi))
    for schema in closed["components"]["schemas"].values():
        schema.setdefault("additionalProperties", False)
    return closed


def test_the_swagger_files_are_on_this_machine(door: Door) -> None:
    script = door.ask("GET", "/docs/swagger-ui-bundle.js")
    assert script.headers["content-type"].startswith("text/javascript")
    assert len(script.content) > 500_000


def test_routes_that_act_stand_apart(openapi: dict[str, Any]) -> None:
    """In /docs, what only reads and what runs something had one list."""
    last = openapi["tags"][-1]["name"]
    acting = {path for path, item in openapi["paths"].items() for one in item.values() if one["tags"] == [last]}
    assert acting == {"/execute", "/invoke", "/reload", "/shutdown", "/environment"}
    named = [tag for item in openapi["paths"].values() for one in item.values() for tag in one["tags"]]
    assert set(named) == {tag["name"] for tag in openapi["tags"]}
