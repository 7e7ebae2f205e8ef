"""The HTTP door: routes, answers, headers, and one error shape for everything that goes wrong."""

from __future__ import annotations

import asyncio
import logging
import time
from pathlib import Path
from typing import Any

import pytest

from cn_daemon.interfaces import calls
from cn_shared.environment import fingerprint
from cn_shared.errors import (
    CnError,
    DeadlineError,
    ExecutionError,
    ForbiddenError,
    InputError,
    LanguageServerError,
    NoDaemonError,
    NotFoundError,
)
from cn_shared.folders import config_folder
from cn_shared.verbs import VERBS
from cn_shared.wire import Completeness, FindAnswer, LanguageServerStatus, document
from tests.fakes.door import PORT, Door
from tests.fakes.services import FOUND, INSPECTED, MAPPED, FakeHandler


@pytest.fixture
def door(tmp_path: Path) -> Door:
    return Door(tmp_path)


def error_of(reply: Any) -> dict[str, Any]:
    assert list(reply.json()) == ["error"]
    error: dict[str, Any] = reply.json()["error"]
    assert error["code"]
    assert error["message"]
    return error


def test_every_verb_has_its_routes(door: Door) -> None:
    routes = {(method, route.path) for route in door.app.routes for method in route.methods or ()}  # type: ignore[attr-defined]
    for verb in VERBS:
        assert (verb.method, verb.path) in routes
        if verb.reads:
            assert ("GET", verb.path) in routes


@pytest.mark.parametrize(
    ("path", "query", "answer"),
    [
        ("/map", {"filePath": "src/user.ts"}, MAPPED),
        ("/find", {"query": "User"}, FOUND),
        ("/inspect", {"targetId": "ref::src/user.ts::5::3"}, INSPECTED),
    ],
)
def test_a_verb_answers_alike_to_post_and_get(door: Door, path: str, query: dict[str, str], answer: Any) -> None:
    posted = door.ask("POST", path, json=query)
    got = door.ask("GET", path + "?" + "&".join(f"{name}={value}" for name, value in query.items()))
    assert posted.status_code == got.status_code == 200
    assert posted.content == got.content
    assert posted.content.endswith(b"\n")
    assert posted.json() == document(answer)
    assert posted.headers["content-type"] == "application/json"


def test_lists_arrive_by_get_as_by_post(door: Door) -> None:
    """They were refused: `parts` must be a string."""
    assert door.ask("GET", "/inspect?targetId=x&parts=members&parts=tests").status_code == 200
    assert door.services.inspect.asked[-1]["parts"] == ["members", "tests"]
    assert door.ask("GET", "/inspect?targetId=x&parts=members").status_code == 200
    assert door.services.inspect.asked[-1]["parts"] == ["members"]


def test_parameters_arrive_in_snake_case_with_their_defaults(door: Door) -> None:
    door.ask("POST", "/map", json={"filePath": "a.ts"})
    door.ask("POST", "/find", json={"query": "User"})
    door.ask("GET", "/find?query=User&mode=definition&limit=0&cursor=c")
    door.ask("POST", "/inspect", json={"targetId": "x", "expand": "surround", "lines": 9})
    assert door.services.map.asked == [{"file_path": "a.ts", "limit": 0, "cursor": None, "server": "auto"}]
    assert door.services.find.asked == [
        {"query": "User", "mode": "both", "limit": 200, "cursor": None, "server": "auto", "explain": None},
        {"query": "User", "mode": "definition", "limit": 0, "cursor": "c", "server": "auto", "explain": None},
    ]
    assert door.services.inspect.asked == [
        {"target_id": "x", "expand": "surround", "lines": 9, "parts": None, "without": None, "server": "auto"}
    ]


@pytest.mark.parametrize(
    ("answer", "outcome", "code"),
    [
        (FOUND, "found", "0"),
        (FindAnswer(Completeness("complete", 1, 1, 0), 0, []), "empty", "1"),
        (FindAnswer(Completeness("partial", 1, 2, 0, "still loading"), 0, []), "partial", "3"),
    ],
)
def test_the_outcome_and_the_exit_code_are_headers(door: Door, answer: FindAnswer, outcome: str, code: str) -> None:
    door.services.find.answer = answer
    reply = door.ask("POST", "/find", json={"query": "User"})
    assert (reply.headers["Cn-Outcome"], reply.headers["Cn-Exit"]) == (outcome, code)
    assert reply.headers["Server-Timing"].startswith("app;dur=")
    assert float(reply.headers["Server-Timing"].removeprefix("app;dur=")) >= 0


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (InputError("bad", "Bad.", "Do better.", near=["x"]), 400, "2"),
        (NotFoundError("file_not_found", "None."), 404, "2"),
        (ForbiddenError("outside_root", "No."), 403, "2"),
        (NoDaemonError("no_daemon", "None."), 503, "4"),
        (LanguageServerError("language_server_died", "Died."), 502, "5"),
        (ExecutionError("execution_failed", "Failed."), 502, "6"),
        (DeadlineError("deadline_passed", "Late."), 504, "7"),
    ],
)
def test_an_error_of_ours_keeps_its_document(door: Door, error: CnError, status: int, code: str) -> None:
    door.services.map.answer = error
    reply = door.ask("POST", "/map", json={"filePath": "a.ts"})
    assert reply.status_code == status
    assert reply.headers["Cn-Exit"] == code
    assert reply.json() == error.document()


def test_a_defect_shows_in_the_log_only(door: Door, caplog: pytest.LogCaptureFixture) -> None:
    door.services.map.answer = ZeroDivisionError("the secret detail")
    with caplog.at_level(logging.ERROR):
        reply = door.ask("POST", "/map", json={"filePath": "a.ts"})
    assert reply.status_code == 500
    assert reply.headers["Cn-Exit"] == "5"
    assert error_of(reply)["code"] == "internal_error"
    assert "secret" not in reply.text
    assert "ZeroDivisionError: the secret detail" in caplog.text


@pytest.mark.parametrize(
    ("path", "body", "parameter", "message"),
    [
        ("/map", {}, "filePath", "filePath is missing."),
        ("/map", {"filePath": ""}, "filePath", "filePath must not be empty."),
        ("/map", {"filePath": 5}, "filePath", "filePath must be a string."),
        ("/map", {"filePath": None}, "filePath", "filePath must be a string."),
        ("/map", {"filePath": ["a"]}, "filePath", "filePath must be a string."),
        ("/find", {"query": "x", "mode": "all"}, "mode", "mode must be 'definition', 'reference' or 'both'."),
        ("/find", {"query": "x", "limit": -1}, "limit", "limit must be at least 0."),
        ("/find", {"query": "x", "limit": 1_000_001}, "limit", "limit must be at most 1000000."),
        ("/find", {"query": "x", "limit": "5"}, "limit", "limit must be a whole number."),
        ("/find", {"query": "x", "limit": 1.5}, "limit", "limit must be a whole number."),
        ("/find", {"query": "x", "limit": True}, "limit", "limit must be a whole number."),
        ("/find", {"query": "x", "limit": 10**400}, "limit", "limit must be at most 1000000."),
        ("/find", {"qury": "x"}, "qury", "There is no parameter 'qury' here."),
    ],
)
def test_a_wrong_parameter_is_named(door: Door, path: str, body: Any, parameter: str, message: str) -> None:
    reply = door.ask("POST", path, json=body)
    assert reply.status_code == 400
    error = error_of(reply)
    assert (error["code"], error["parameter"], error["message"]) == ("bad_request", parameter, message)
    assert reply.headers["Cn-Exit"] == "2"


def test_an_unknown_parameter_names_the_near_ones(door: Door) -> None:
    error = error_of(door.ask("POST", "/map", json={"filPaths": "a.ts"}))
    assert error["hint"] == "Did you mean filePath?"
    assert error["near"] == ["filePath"]
    assert error_of(door.ask("GET", "/map?zzz=1"))["hint"] == "It takes filePath, limit, cursor, server."


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("", "query is missing."),
        ("query=x&limit=many", "limit must be a whole number."),
        ("query=x&limit=-1", "limit must be at least 0."),
        ("query=x&query=y", "query is given more than once."),
        ("query=", "query must not be empty."),
        ("query=x&mode=BOTH", "mode must be 'definition', 'reference' or 'both'."),
    ],
)
def test_a_query_is_checked_like_a_body(door: Door, query: str, message: str) -> None:
    assert error_of(door.ask("GET", f"/find?{query}"))["message"] == message


@pytest.mark.parametrize(
    "body",
    [
        b"[1",
        b"[]",
        b"null",
        b'"x"',
        b"\xff\xfe",
        b'{"query":"\\ud800"}',
        b"[" * 100_000,
        b'{"query":"x"} x',
        b"NaN",
    ],
)
def test_a_body_that_is_no_request_is_refused(door: Door, body: bytes) -> None:
    reply = door.ask("POST", "/find", content=body)
    assert reply.status_code == 400
    assert error_of(reply)["code"] == "bad_request"


def test_a_name_that_is_not_utf_8_is_told_as_that(door: Door) -> None:
    """The shell's bytes arrive as a lone surrogate: the body is a JSON object all the same."""
    error = error_of(door.ask("POST", "/map", content=b'{"filePath":"src/bad\\udcff.ts"}'))
    assert (error["code"], error["message"]) == ("bad_request", "A string of the body is not Unicode text.")


def test_a_body_as_curl_sends_it_is_taken(door: Door) -> None:
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    assert door.ask("POST", "/find", content=b'{"query":"User"}', headers=headers).status_code == 200


def test_an_unknown_route_names_the_near_ones(door: Door) -> None:
    reply = door.ask("POST", "/fnd")
    assert reply.status_code == 404
    error = error_of(reply)
    assert (error["code"], error["near"]) == ("unknown_route", ["/find", "/changed"])
    assert error_of(door.ask("GET", "/map/"))["near"][0] == "/map"
    assert error_of(door.ask("GET", "/qqqqqqqq"))["hint"] == "GET /docs shows the routes."


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [("PUT", "/find", "GET, POST"), ("GET", "/shutdown", "POST"), ("OPTIONS", "/map", "GET, POST")],
)
def test_another_method_is_refused(door: Door, method: str, path: str, allowed: str) -> None:
    reply = door.ask(method, path)
    assert reply.status_code == 405
    assert reply.headers["Allow"] == allowed
    assert error_of(reply)["code"] == "method_not_allowed"


def test_the_callers_folder_and_deadline(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "monotonic", lambda: 1000.0)
    door.ask("POST", "/find", json={"query": "x"}, headers={"Cn-Cwd": "/a%20b/%C3%A9/%FF", "Cn-Deadline": "2.5"})
    door.ask("POST", "/find", json={"query": "x"})
    first, second = door.services.find.calls
    assert first.cwd == Path("/a b/é/\udcff")
    assert first.deadline == 1002.5
    assert second.cwd is None
    assert second.deadline == 1060


@pytest.mark.parametrize(
    "headers",
    [
        {"Cn-Cwd": "src"},
        {"Cn-Cwd": "/a%00b"},
        {"Cn-Deadline": "0"},
        {"Cn-Deadline": "nan"},
        {"Cn-Deadline": "inf"},
        {"Cn-Deadline": "-3"},
        {"Cn-Deadline": "soon"},
        {"Cn-Deadline": "1e9"},
    ],
)
def test_a_wrong_header_is_named(door: Door, headers: dict[str, str]) -> None:
    reply = door.ask("POST", "/find", json={"query": "x"}, headers=headers)
    assert reply.status_code == 400
    assert error_of(reply)["header"] == next(iter(headers))


def test_a_use_case_that_oversleeps_is_cut_off(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "GRACE_S", 0.02)
    door.services.find.delay_s = 30
    reply = door.ask("POST", "/find", json={"query": "x"}, headers={"Cn-Deadline": "0.02"})
    assert reply.status_code == 504
    assert reply.headers["Cn-Exit"] == "7"
    assert error_of(reply)["code"] == "deadline_passed"
    assert door.services.find.cancelled.is_set()


def test_a_caller_who_hangs_up_cancels_the_use_case(door: Door) -> None:
    door.services.find.delay_s = 30

    async def hang_up() -> list[str]:
        body = b'{"query":"x"}'
        headers = [
            (b"host", f"127.0.0.1:{PORT}".encode()),
            (b"authorization", b"Bearer " + b"f" * 64),
            (b"content-length", str(len(body)).encode()),
        ]
        scope = {
            "type": "http",
            "method": "POST",
            "path": "/find",
            "query_string": b"",
            "headers": headers,
            "http_version": "1.1",
            "scheme": "http",
            "root_path": "",
            "client": None,
            "server": None,
        }
        messages = [{"type": "http.request", "body": body, "more_body": False}]
        sent: list[str] = []

        async def receive() -> dict[str, Any]:
            if messages:
                return messages.pop()
            await asyncio.sleep(0.02)
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message["type"])

        await asyncio.wait_for(door.app(scope, receive, send), 5)
        return sent

    asyncio.run(hang_up())
    assert door.services.find.cancelled.is_set()
    assert door.info.activity.in_flight == 0


def test_activity_counts_the_verbs_only(door: Door) -> None:
    door.info.activity.last = 0
    door.ask("GET", "/health")
    door.ask("GET", "/status")
    assert door.info.activity.last == 0
    door.services.find.answer = InputError("bad", "Bad.")
    door.ask("POST", "/find", json={"query": "x"})
    assert door.info.activity.last > 0
    assert door.info.activity.in_flight == 0


def test_health_tells_nothing_but_that_it_answers(door: Door) -> None:
    reply = door.ask("GET", "/health", headers={"Authorization": None})
    assert reply.json() == {"status": "ok"}


def test_status(door: Door) -> None:
    door.services.servers = [
        LanguageServerStatus("typescript", "stopped", version="5.3.0"),
        LanguageServerStatus("bindings", "ready", pid=4711),
    ]
    door.services.settings.warnings.append("a warning")
    status = door.ask("GET", "/status").json()
    assert status["root"] == str(door.info.root)
    assert status["memoryBytes"] == 50_000_000
    stopped, bindings = status["languageServers"]
    assert (stopped["state"], stopped.get("memoryBytes")) == ("stopped", None)
    assert (bindings["pid"], bindings["memoryBytes"]) == (4711, 50_000_000)
    assert status["warnings"] == ["a warning"]
    assert "token" not in str(status)


def test_status_says_that_libraries_are_still_being_read(door: Door) -> None:
    assert door.ask("GET", "/status").json()["warnings"] == []
    door.services.revised = None
    (warning,) = door.ask("GET", "/status").json()["warnings"]
    assert warning == "The libraries of commands and reports are still being read: not all of them are listed."

    async def unreadable() -> None:
        raise InputError("no_cache", "The cache folder cannot be used.")

    door.services.revision = unreadable  # type: ignore[method-assign]
    assert door.ask("GET", "/status").json()["warnings"] == ["The cache folder cannot be used."]


def test_shutdown_withdraws_before_it_replies(door: Door) -> None:
    reply = door.ask("POST", "/shutdown")
    assert reply.json() == {"status": "stopping"}
    assert reply.headers["Cn-Exit"] == "0"
    assert door.shutdowns == 1


def test_another_environment_is_told_and_taken(door: Door) -> None:
    values = {"CN_SERVER": "native", "PATH": "/bin:\udcff"}
    asking = {"Cn-Environment": fingerprint(values)}
    reply = door.ask("POST", "/find", json={"query": "x"}, headers=asking)
    assert reply.status_code == 412
    assert error_of(reply)["code"] == "environment_changed"
    assert not door.services.find.asked
    reply = door.ask("POST", "/environment", content=b'{"values":{"CN_SERVER":"native","PATH":"/bin:\\udcff"}}')
    assert reply.json() == {"status": "ok", "warnings": []}
    assert door.services.settings.server == "native"
    assert door.services.values == values
    assert door.ask("POST", "/find", json={"query": "x"}, headers=asking).status_code == 200


def test_a_bad_environment_changes_nothing(door: Door) -> None:
    reply = door.ask("POST", "/environment", json={"values": {"CN_SERVER": "zz"}})
    assert reply.status_code == 400
    assert error_of(reply)["message"] == "CN_SERVER must be one of auto, typescript, native."
    assert door.services.values == {}
    assert door.info.environment == ""


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{}", b'{"values":[]}', b'{"values":{"A":1}}', b'{"values":{"A":"\\u0000"}}']
)
def test_a_body_that_is_no_environment_is_refused(door: Door, body: bytes) -> None:
    assert error_of(door.ask("POST", "/environment", content=body))["parameter"] == "values"


def test_text_when_it_is_asked_for(door: Door) -> None:
    reply = door.ask("POST", "/map", json={"filePath": "x"}, headers={"Accept": "text/plain; color=1"})
    assert reply.headers["content-type"] == "text/plain; charset=utf-8"
    assert reply.headers["Cn-Outcome"] == "found"
    assert "\x1b[" in reply.text
    reply = door.ask("POST", "/map", json={"filePath": "x"}, headers={"Accept": "text/plain; color=0"})
    assert "\x1b[" not in reply.text
    for accept in ("*/*", "text/html,application/xml;q=0.9,*/*;q=0.8", "application/json, text/plain"):
        reply = door.ask("POST", "/map", json={"filePath": "x"}, headers={"Accept": accept})
        assert reply.headers["content-type"] == "application/json"


@pytest.mark.parametrize(("path", "status"), [("/map", 400), ("/nowhere", 404)])
def test_errors_are_text_too(door: Door, path: str, status: int) -> None:
    reply = door.ask("GET", path, headers={"Accept": "text/plain"})
    assert reply.status_code == status
    assert reply.text.startswith("error: ")


def test_a_refusal_at_the_gate_is_text_too(door: Door) -> None:
    reply = door.ask("GET", "/map", headers={"Accept": "text/plain", "Authorization": None})
    assert reply.status_code == 401
    assert reply.text == (
        "error: A token is needed. [no_token]\n"
        "hint: Send Authorization: Bearer <token>; .cn-daemon.json at the root holds it.\n"
    )


def test_a_file_name_that_is_not_utf8_survives(door: Door) -> None:
    door.services.map.answer = InputError("bad", "x", file="\udcff.ts")
    reply = door.ask("POST", "/map", json={"filePath": "x"})
    assert reply.json()["error"]["file"] == "\udcff.ts"
    door.services.map.answer = InputError("bad", "\udcff.ts")
    reply = door.ask("POST", "/map", json={"filePath": "x"}, headers={"Accept": "text/plain"})
    assert "\\udcff.ts" in reply.text


def test_two_slow_answers_do_not_wait_for_each_other(door: Door) -> None:
    door.services.map = FakeHandler(MAPPED)
    door.services.find.delay_s = 0.3

    async def both() -> float:
        slow = asyncio.create_task(door.asked("POST", "/find", json={"query": "x"}))
        await asyncio.sleep(0)
        began = time.perf_counter()
        await door.asked("POST", "/map", json={"filePath": "x"})
        took = time.perf_counter() - began
        await slow
        return took

    assert asyncio.run(both()) < 0.25


def test_an_edited_settings_file_counts_from_the_next_question(door: Door) -> None:
    file = door.info.root / ".cn.json"
    door.ask("POST", "/map", json={"filePath": "x"})
    assert door.services.reconfigured == 0
    file.write_text('{"server": "native", "sever": 1}')
    door.ask("POST", "/map", json={"filePath": "x"})
    door.ask("POST", "/map", json={"filePath": "x"})
    assert door.services.reconfigured == 1
    assert door.services.settings.server == "native"
    file.unlink()
    assert door.ask("GET", "/status").json()["warnings"] == []
    assert door.services.settings.server == "auto"


def test_a_mistake_in_the_users_file_is_told_until_it_is_mended(door: Door) -> None:
    file = config_folder() / "config.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text('{"server": "fast"}')
    try:
        for _ in range(2):
            reply = door.ask("POST", "/map", json={"filePath": "x"})
            assert error_of(reply)["code"] == "bad_settings"
        assert "server must be one of" in door.ask("GET", "/status").json()["warnings"][0]
    finally:
        file.unlink()
    assert door.ask("POST", "/map", json={"filePath": "x"}).status_code == 200


def test_many_questions_after_an_edit_read_it_once(door: Door) -> None:
    (door.info.root / ".cn.json").write_text('{"log_level": "debug"}')

    async def ask() -> None:
        await asyncio.gather(*(door.asked("POST", "/map", json={"filePath": "x"}) for _ in range(5)))

    asyncio.run(ask())
    assert door.services.reconfigured == 1
