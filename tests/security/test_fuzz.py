"""Whatever a client sends, in the shape of the OpenAPI document or not, the daemon has an answer of its own."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx
import jsonschema
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from schemathesis.generation.feedback import FeedbackSources
from schemathesis.pytest._test_builder import build_operation_test
from schemathesis.schemas import APIOperation, BaseSchema

from cn_shared.command_verbs import COMMAND_VERBS
from tests.conftest import ROOT
from tests.fakes.door import PORT, TOKEN, Door

pytestmark = pytest.mark.slow

DOOR = Door()
# What the daemon's own is, by tests/interfaces/test_openapi.py: to make one takes each worker a second.
DOCUMENT = json.loads((ROOT / "tests" / "golden" / "openapi.json").read_text("utf-8"))
SCHEMA = schemathesis.openapi.from_dict(DOCUMENT)


def operations(schema: BaseSchema) -> list[APIOperation[Any, Any, Any, Any]]:
    return [operation.ok() for operation in schema.get_all_operations()]


def fuzz(operation: APIOperation[Any, Any, Any, Any], test: Callable[[schemathesis.Case[Any]], None]) -> None:
    """Run `test` on many requests of an operation. They are generated here: `schema.parametrize()` does so while tests
    are collected, for 10 s in every worker."""
    config = operation.schema.config
    build_operation_test(
        config=config, operation=operation, test_func=test, given_kwargs={}, feedback=FeedbackSources()
    )()


def checked(reply: httpx.Response) -> None:
    """Not a defect, and if it is a refusal, one that says why."""
    assert reply.status_code < 500, reply.text
    assert reply.headers["Cn-Exit"] in {"0", "1", "2", "3"}
    if reply.status_code >= 400:
        document = reply.json()
        error = document["error"]
        if isinstance(error, str):  # as the specification of Climpt's commands has it
            error = {"code": document["code"], "message": error}
        assert error["code"]
        assert error["message"].strip()


def conforms(method: str, path: str, reply: httpx.Response, *, fakes: bool = True) -> None:
    """The answer is as the document says. The fakes answer verbs of commands with an empty array, so only their
    refusals count."""
    operation = DOCUMENT["paths"][path].get(method.lower())
    if operation is None:  # a method that the document does not name
        assert reply.status_code == 405
        return
    documented = operation["responses"]
    status = str(reply.status_code)
    described = documented.get(status) or documented.get(f"{status[0]}XX") or documented["default"]
    media = reply.headers["Content-Type"].partition(";")[0]
    assert media in described["content"]
    faked = fakes and reply.status_code < 400 and path[1:] in {row.path[1:] for row in COMMAND_VERBS}
    if media == "application/json" and not faked:
        schema = described["content"][media].get("schema", {})
        jsonschema.validate(reply.json(), {**schema, "components": DOCUMENT["components"]})


@pytest.mark.parametrize("operation", operations(SCHEMA), ids=lambda one: one.label)
def test_no_request_made_from_the_document_breaks_the_daemon(operation: APIOperation[Any, Any, Any, Any]) -> None:
    @settings(max_examples=25, suppress_health_check=list(HealthCheck))
    def answers(case: schemathesis.Case[Any]) -> None:
        method, address, body, headers = parts(case)
        reply = DOOR.ask(method, f"http://127.0.0.1:{PORT}{address}", content=body, headers=headers)
        checked(reply)
        conforms(method, case.path, reply)

    fuzz(operation, answers)


def parts(case: schemathesis.Case[Any]) -> tuple[str, str, bytes, dict[str, Any]]:
    """The method, address, body and headers of a request made from the document, but for who asks."""
    request = requests.Request(**case.as_transport_kwargs(base_url="http://127.0.0.1")).prepare()
    assume(len(str(request.url)) < 15_000)  # a larger head is refused before: test_connections.py
    body = request.body.encode() if isinstance(request.body, str) else request.body or b""
    assert isinstance(body, bytes)
    headers: dict[str, Any] = {
        name: value
        for name, value in request.headers.items()
        if name.lower() not in ("host", "authorization", "content-length")
    }
    return str(request.method), request.path_url, body, headers


PATHS = st.sampled_from(["/map", "/find", "/inspect", "/status", "/environment", "/health", "/docs", "/"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)
NAMES = st.sampled_from(["filePath", "query", "limit", "mode", "cursor", "targetId", "expand", "lines", "values"])
BODIES = (
    st.binary(max_size=200)
    | JSON.map(lambda value: json.dumps(value).encode())
    | st.dictionaries(NAMES, JSON).map(lambda value: json.dumps(value).encode())
)
HEADERS = st.dictionaries(
    st.sampled_from(["Accept", "Cn-Cwd", "Cn-Deadline", "Content-Type", "Accept-Encoding", "Range", "Cookie"]),
    st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E)),
)


@given(method=st.sampled_from(["GET", "POST", "PUT", "HEAD"]), path=PATHS, body=BODIES, headers=HEADERS)
def test_no_request_at_all_breaks_the_daemon(method: str, path: str, body: bytes, headers: dict[str, str]) -> None:
    plain = {**headers, "Accept": headers.get("Accept", "").replace("text/plain", "")}
    reply = DOOR.ask(method, path, content=body, headers=plain)
    if method != "HEAD":
        checked(reply)
    assert reply.status_code < 500


@given(query=st.text(max_size=60))
def test_no_query_breaks_the_daemon(query: str) -> None:
    address = httpx.URL(f"http://127.0.0.1:{PORT}/find", params={"query": query.encode("utf-8", "replace").decode()})
    checked(DOOR.ask("GET", str(address)))
    assert TOKEN not in str(address)
