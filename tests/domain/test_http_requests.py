"""API commands made into requests."""

from __future__ import annotations

import email
import email.policy
import json
from typing import Any

import pytest

from cn_daemon.domain.libraries.commands import Argument, Command, HttpCall
from cn_daemon.domain.libraries.http_requests import HttpRequest, merged, request_of
from cn_daemon.domain.libraries.refusal import RefusalError

BASE = "https://api.example.com/v1/"
APP = Argument("app", required=True, place="path")


def command(method: str, path: str, *flags: Argument, positional: tuple[Argument, ...] = (), **call: Any) -> Command:
    http = HttpCall(method, path, **call)
    return Command("apps do", "do", "catalog", "http", positional_args=positional, flags=flags, http=http)


def made(one: Command, **values: Any) -> HttpRequest:
    return request_of(one, values, BASE)


def test_every_place() -> None:
    one = command(
        "POST",
        "/apps/{app}/{kind}",
        Argument("kind", place="path"),
        Argument("page", kind="integer", place="query"),
        Argument("tags", kind="array", place="query"),
        Argument("X-Trace", place="header"),
        Argument("session", place="cookie"),
        Argument("size", kind="integer", place="body"),
        Argument("name", place="body"),
        positional=(APP,),
    )
    request = made(
        one, app="my app/x", kind="web", page="2", tags="a,b c", session="q;r", size="3", name="ü", **{"X-Trace": "t"}
    )
    assert request.url == "https://api.example.com/v1/apps/my%20app%2Fx/web?page=2&tags=a&tags=b%20c"
    assert request.headers["x-trace"] == "t"
    assert request.headers["cookie"] == "session=q%3Br"
    assert request.headers["content-type"] == "application/json"
    assert json.loads(request.body or b"") == {"size": 3, "name": "ü"}
    assert request.shown == {"size": 3, "name": "ü"}


def test_a_flag_without_a_place_follows_the_method() -> None:
    assert made(command("GET", "/a", Argument("x")), x="1").url.endswith("/a?x=1")
    assert made(command("DELETE", "/a", Argument("x")), x="1").body is None
    assert made(command("PATCH", "/a", Argument("x")), x="1").body == b'{"x":"1"}'
    assert made(command("POST", "/a")).body is None


@pytest.mark.parametrize(
    ("kind", "given", "value"),
    [
        ("integer", "5", 5),
        ("integer", 5, 5),
        ("number", "1.5", 1.5),
        ("boolean", "true", True),
        ("boolean", "False", False),
        ("array", '["a"]', ["a"]),
        ("array", "a,b", ["a", "b"]),
        ("object", '{"a":{"b":1}}', {"a": {"b": 1}}),
        ("string", "5", "5"),
        ("string", 5, 5),
        ("any", {"x": 1}, {"x": 1}),
    ],
)
def test_values_are_read_as_their_type(kind: str, given: Any, value: Any) -> None:
    assert made(command("POST", "/a", Argument("x", kind=kind)), x=given).shown == {"x": value}


@pytest.mark.parametrize(
    ("kind", "given"),
    [("integer", "x"), ("integer", "1.5"), ("integer", True), ("boolean", "yes"), ("object", "[1]"), ("string", [1])],
)
def test_a_value_of_another_type_is_refused(kind: str, given: Any) -> None:
    with pytest.raises(RefusalError) as refused:
        made(command("POST", "/a", Argument("x", kind=kind)), x=given)
    assert refused.value.code == "bad_argument"


def test_choices_and_defaults() -> None:
    one = command("GET", "/a", Argument("x", choices=("a", "b"), default="b"))
    assert made(one).url.endswith("?x=b")
    with pytest.raises(RefusalError, match="one of a, b"):
        made(one, x="c")


@pytest.mark.parametrize("method", ["PATCH", "PUT"])
def test_a_change_sends_only_what_was_given(method: str) -> None:
    size, public = Argument("size", default="5", place="body"), Argument("public", kind="boolean", default="true")
    version = Argument("api-version", default="2", place="query")
    one = command(method, "/a", size, public, Argument("kind", default="web", required=True), version)
    request = made(one, size="7")
    assert request.shown == {"size": "7", "kind": "web"}
    assert request.url.endswith("?api-version=2")
    assert made(command("POST", "/a", size)).shown == {"size": "5"}


@pytest.mark.parametrize(
    ("style", "explode", "value", "query"),
    [
        ("form", True, ["a", "b c"], "x=a&x=b%20c"),
        ("form", False, ["a", "b,c"], "x=a,b%2Cc"),
        ("spaceDelimited", False, ["a", "b"], "x=a%20b"),
        ("pipeDelimited", False, ["a", "b&c"], "x=a|b%26c"),
        ("form", True, {"a": 1, "b": "c"}, "a=1&b=c"),
        ("form", False, {"a": 1, "b": "c"}, "x=a,1,b,c"),
        ("deepObject", True, {"a": {"b": 1}, "c": ["d", "e"]}, "x[a][b]=1&x[c]=d&x[c]=e"),
        ("", False, {"a": 1}, "x=%7B%22a%22%3A1%7D"),
    ],
)
def test_a_query_is_written_in_the_style_of_its_document(style: str, explode: bool, value: Any, query: str) -> None:
    one = Argument("x", kind="any", place="query", style=style, explode=explode)
    assert made(command("GET", "/a", one), x=value).url == f"{BASE}a?{query}"


@pytest.mark.parametrize(
    ("style", "explode", "value", "path"),
    [
        ("simple", False, ["a", "b"], "a%2Cb"),
        ("simple", False, {"a": 1}, "a%2C1"),
        ("simple", True, {"a": 1}, "a%3D1"),
        ("label", False, "v", ".v"),
        ("matrix", False, "v", ";x=v"),
    ],
)
def test_a_path_is_written_in_the_style_of_its_document(style: str, explode: bool, value: Any, path: str) -> None:
    one = Argument("x", kind="any", place="path", style=style, explode=explode)
    assert made(command("GET", "/a/{x}", positional=(one,)), x=value).url == f"{BASE}a/{path}"


def test_a_style_leads_a_path_nowhere_else() -> None:
    for style, value in (("label", "."), ("label", "./x"), ("matrix", "../x"), ("simple", [".."])):
        one = Argument("x", kind="any", place="path", style=style)
        with pytest.raises(RefusalError):
            made(command("GET", "/a/{x}/b", positional=(one,)), x=value)


def test_a_text_is_sent_as_it_is() -> None:
    body = Argument("body", place="body")
    assert made(command("POST", "/a", body, body_type="text/plain"), body="[ 1 ]").body == b"[ 1 ]"
    assert made(command("POST", "/a", Argument("body", kind="any", place="body")), body='["a"]').body == b'["a"]'


def test_required_arguments_are_named() -> None:
    one = command("POST", "/a/{app}", Argument("size", required=True), Argument("name"), positional=(APP,))
    with pytest.raises(RefusalError) as refused:
        made(one)
    assert refused.value.data == {"missing": ["app", "size"]}


def test_a_path_argument_that_the_document_forgot() -> None:
    one = command("GET", "/jobs/{jobId}")
    assert made(one, jobId="7").url == BASE + "jobs/7"
    with pytest.raises(RefusalError) as refused:
        made(one)
    assert refused.value.data == {"missing": ["jobId"]}


def test_an_unknown_argument_names_the_near_ones() -> None:
    with pytest.raises(RefusalError) as refused:
        made(command("GET", "/a", Argument("region")), regoin="eu")
    assert refused.value.data == {"argument": "regoin", "near": ["region"]}


@pytest.mark.parametrize(
    "value",
    [
        "..",
        ".",
        "",
        "%2e%2e",
        "%252e%252e",
        "%25252e.",
        "../../admin",
        "a/%2e./b",
        "a\\b",
        "..;x",
        "..;x/a",
        "a\nb",
        "a\0b",
    ],
)
def test_a_path_stays_the_commands(value: str) -> None:
    with pytest.raises(RefusalError):
        made(command("GET", "/a/{app}/b", positional=(APP,)), app=value)


@pytest.mark.parametrize(
    "path",
    [
        "/../admin", "..", "/a/%2e%2e/%2E%2E/admin", "/a/./b", "/a/..\\b", "/{app}/../..", "/a/..", "/%252e%252e/admin",
        "/a/%25252e%25252e/b", "/a%2f..%2fb", "//elsewhere.example/x", "/a/%2F/b", "/a\\b", "/a%5cb", "/a%00b", "/a\nb",
        "/a%0d%0ab", "/..;/admin", "/a/..%3bx/b", "/a#/b",
    ],
)  # fmt: skip
def test_a_catalog_leads_nowhere_beside_its_base(path: str) -> None:
    """https://api.example.com/v1/../admin is https://api.example.com/admin, with the headers that were meant for v1."""
    with pytest.raises(RefusalError) as refused:
        made(command("GET", path, positional=(APP,)), app="x")
    assert refused.value.code == "bad_path"


def test_dots_in_a_query_lead_nowhere() -> None:
    assert made(command("GET", "/a...b/c?x=/../y")).url == BASE + "a...b/c?x=/../y"


def test_a_path_value_is_one_segment() -> None:
    one = command("GET", "/a/{app}/b", positional=(APP,))
    assert made(one, app="feature/a.b?x=1#y").url == BASE + "a/feature%2Fa.b%3Fx%3D1%23y/b"
    assert made(one, app="100%25 ü...").url == BASE + "a/100%2525%20%C3%BC.../b"


RESERVED = [
    "Authorization", "Host", "cookie", "Content-Length", "Transfer-Encoding", "Proxy-Authorization", "Proxy-Connection",
    "Expect", "Forwarded", "X-Forwarded-Host", "x-forwarded-for", "X-Real-IP", "X-Original-URL", "X-Rewrite-URL",
    "X-HTTP-Method-Override", "Via", "Origin", "Sec-Fetch-Site", "X-Remote-User", "X-Forwarded-Version", "Keep-Alive",
]  # fmt: skip


@pytest.mark.parametrize("name", RESERVED)
def test_reserved_headers_come_from_settings_only(name: str) -> None:
    with pytest.raises(RefusalError) as refused:
        made(command("GET", "/a", Argument(name, place="header")), **{name: "x"})
    assert refused.value.code == "reserved_header"
    request = made(command("GET", "/a", headers=((name, "planted"), ("X-Api-Version", "1"))))
    assert name.lower() not in request.headers
    assert request.headers["x-api-version"] == "1"
    assert merged(request, {name: "mine"}).headers[name.lower()] == "mine"


@pytest.mark.parametrize("name", [*RESERVED, "X-Api-Key", "Private-Token", "X-User"])
def test_a_catalog_says_as_whom_nothing_is_sent(name: str) -> None:
    """Neither by a header of its own nor by a parameter's default: an API takes an absent one for its default."""
    one = command(
        "GET", "/a", Argument(name, default="no", place="header"), Argument("s", default="no", place="cookie"),
        Argument("API-Version", default="2", place="header"), Argument("q", default="3", place="query"),
        headers=((name, "planted"), ("Accept-Language", "de")),
    )  # fmt: skip
    request = made(one)
    assert request.headers == {"accept": "application/json, */*;q=0.5", "accept-language": "de", "api-version": "2"}
    assert request.url.endswith("/a?q=3")


def test_a_header_that_a_catalog_wants_and_has_a_default_for_is_the_callers_to_give() -> None:
    one = command("GET", "/a", Argument("X-Api-Key", default="planted", required=True, place="header"))
    with pytest.raises(RefusalError) as refused:
        made(one)
    assert refused.value.code == "missing_argument"
    assert made(one, **{"X-Api-Key": "mine"}).headers["x-api-key"] == "mine"


@pytest.mark.parametrize("value", ["a\r\nX-Other: b", "a\nb", "a\0", "ü"])
def test_a_header_is_one_line(value: str) -> None:
    with pytest.raises(RefusalError):
        made(command("GET", "/a", Argument("X-A", place="header")), **{"X-A": value})
    with pytest.raises(RefusalError):
        merged(HttpRequest("GET", BASE, {}), {"X-A": value})


def test_bodies_of_other_types() -> None:
    field = Argument("x", place="body")
    whole = Argument("body", kind="any", place="body")
    form = "application/x-www-form-urlencoded"
    assert made(command("POST", "/a", field, body_type=form), x="a b&c").body == b"x=a+b%26c"
    assert made(command("POST", "/a", whole), body='[1,{"a":2}]').body == b'[1,{"a":2}]'
    assert made(command("POST", "/a", whole, body_type="text/plain"), body="as it is").body == b"as it is"
    assert made(command("POST", "/a", field, body_type="text/plain"), x="1").body == b'{"x":"1"}'
    with pytest.raises(RefusalError, match="octet-stream"):
        made(command("POST", "/a", field, body_type="application/octet-stream"), x="1")


def test_a_form_of_several_parts_is_read_as_it_was_meant() -> None:
    fields = [
        Argument(name, place="body", kind=kind) for name, kind in (("a", "string"), ("b", "array"), ('c"d', "object"))
    ]
    given = {"a": "ü\r\n--cn-", "b": ["1", "2"], 'c"d': {"x": 1}}
    request = made(command("POST", "/a", *fields, body_type="multipart/form-data"), **given)
    head = f"Content-Type: {request.headers['content-type']}\r\n\r\n".encode()
    parts = email.message_from_bytes(head + (request.body or b""), policy=email.policy.HTTP).iter_parts()
    read = [(part.get_param("name", header="content-disposition"), part.get_payload(decode=True)) for part in parts]
    assert read == [("a", "ü\r\n--cn-".encode()), ("b", b"1"), ("b", b"2"), ("c%22d", b'{"x":1}')]
    assert request.shown == given


def test_a_file_is_not_sent() -> None:
    upload = command("POST", "/a", Argument("file", kind="file"), Argument("x"), body_type="multipart/form-data")
    with pytest.raises(RefusalError) as refused:
        made(upload, file="/etc/passwd")
    assert refused.value.code == "file_upload"
    assert b"file" not in (made(upload, x="1").body or b"")


def test_a_place_in_the_path_is_filled_whatever_the_document_calls_it() -> None:
    """A parameter that is said to be of the query, and stands in the path, made the call a defect."""
    one = command("GET", "/a/{q}", Argument("q", place="query"))
    with pytest.raises(RefusalError) as refused:
        made(one)
    assert refused.value.code == "missing_argument"
    assert made(one, q="b").url.endswith("/a/b")
