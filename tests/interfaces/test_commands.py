"""Answers of the verbs of commands at the HTTP door: bare, wrapped, as text, or verbatim."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from cn_daemon.application.libraries.command_errors import ClimptNotFoundError
from cn_daemon.application.libraries.verbatim_answer import VerbatimAnswer
from cn_daemon.application.plain_answer import PlainAnswer
from cn_daemon.interfaces import text
from cn_shared.command_verbs import COMMAND_VERBS
from cn_shared.errors import ExecutionError
from tests import golden
from tests.fakes.door import Door

FOUND = [{"c1": "git", "c2": "group-commit", "c3": "unstaged-changes", "description": "Group changes", "score": 0.5}]
RESULTS = [
    {
        "canonical_id": "md:analyze_log",
        "name": "analyze_log",
        "summary": "Analyze a log",
        "execution_type": "prompt",
        "source": "markdown",
        "relevance_score": 100,
        "match_reason": "its name",
        "match_tier": 1,
        "excerpt": "…a log…",
        "last_modified": "2025-11-25T00:00:00+00:00",
        "last_used": None,
    },
    {
        "canonical_id": "apps info",
        "name": "apps info",
        "summary": "",
        "execution_type": "http",
        "http_method": "GET",
        "source": "catalog",
        "relevance_score": 41.5,
        "match_reason": "",
    },
]
REPORT = {
    "report_name": "2025-11-25-zoom.md",
    "title": "Zoom",
    "command_name": "analyze_log",
    "path": "analyze_log-reports/2025-11-25-zoom.md",
    "date": "2025-11-25",
    "file_size": 1200,
    "summary": "What failed",
    "link": "file:///r/analyze_log-reports/2025-11-25-zoom.md",
}
FAILED = {"agent": "climpt", "error": "Failed to load registry", "path": "registry.json", "details": "No JSON"}
RENDERED = {"content": "Do\n it\n", "pending": [{"kind": "shell", "text": "git status"}], "report_path": "/r/x.md"}
REQUEST = {"method": "POST", "url": "https://a/b", "headers": {"authorization": "***"}, "body": {"a": 1}}
TEXTS: dict[str, tuple[str, PlainAnswer]] = {
    "search": ("search", PlainAnswer(RESULTS, next="10")),
    "search_climpt": ("search", PlainAnswer(FOUND)),
    "search_nothing": ("search", PlainAnswer([], hint="For a symbol of the code: cn find User")),
    "search_partial": ("search", PlainAnswer(RESULTS[:1], partial="still indexing", stale="the folder is gone")),
    "describe": ("describe", PlainAnswer([{**FOUND[0], "options": {"edition": ["a"]}}])),
    "get": ("get", PlainAnswer({"canonical_id": "md:x", "name": "x", "keywords": [], "content": "# X\n\nDo it.\n"})),
    "commands": ("commands", PlainAnswer({"commands": RESULTS, "total": 7, "next": "2"}, total=7, next="2")),
    "invoke_prompt": ("invoke", PlainAnswer(RENDERED)),
    "invoke_http": ("invoke", PlainAnswer({"status": 200, "headers": {}, "body": {"ok": True}, "truncated": True})),
    "invoke_dry_run": ("invoke", PlainAnswer(REQUEST)),
    "invoke_tool_dry_run": (
        "invoke",
        PlainAnswer({"server": "tickets", "tool": "open", "arguments": {"title": "x", "urgent": True}}),
    ),
    "execute_dry_run": ("execute", PlainAnswer({"argv": ["deno", "run"], "cwd": "/w"})),
    "reports": ("reports list", PlainAnswer([REPORT, {**REPORT, "excerpt": "hit in context"}], total=2)),
    "reports_link": ("reports link", PlainAnswer({"path": REPORT["path"], "link": REPORT["link"]})),
    "reports_show": ("reports show", PlainAnswer({**REPORT, "content": "# Zoom\n"})),
    "reload": ("reload", PlainAnswer({"success": True, "reloaded": [{"agent": "climpt", "commandCount": 7}]})),
    "reload_failed": ("reload", PlainAnswer({"success": False, "reloaded": [], "failed": [FAILED], "warnings": ["x"]})),
    "config": (
        "config show",
        PlainAnswer({"settings": {"server": {"value": "auto", "source": "default"}}, "warnings": ["careful"]}),
    ),
}


@pytest.fixture
def door(tmp_path: Path) -> Door:
    return Door(tmp_path)


def answering(door: Door, verb: str, answer: Any) -> Door:
    door.services.commands[verb].answer = answer
    return door


def test_a_bare_array_has_its_rest_in_headers(door: Door) -> None:
    answering(door, "search", PlainAnswer(FOUND, total=12, next="3", stale="the folder is gone"))
    for reply in (door.ask("POST", "/search", json={"query": "x"}), door.ask("GET", "/search?query=x")):
        assert reply.json() == FOUND
        assert (reply.headers["X-Cn-Total"], reply.headers["X-Cn-Next"]) == ("12", "3")
        assert reply.headers["X-Cn-Completeness"] == "complete"
        assert reply.headers["X-Cn-Stale"] == "the folder is gone"
        assert unquote(reply.headers["Cn-Hint"]) == "It may be old: the folder is gone."
        assert reply.headers["Cn-Exit"] == "0"


def test_a_partial_answer_says_so(door: Door) -> None:
    answering(door, "search", PlainAnswer([], partial="noch 3 € übrig"))
    reply = door.ask("GET", "/search?query=x")
    assert (reply.headers["Cn-Exit"], reply.headers["Cn-Outcome"]) == ("3", "partial")
    assert reply.headers["X-Cn-Completeness"] == "partial"
    assert unquote(reply.headers["X-Cn-Reason"]) == "noch 3 € übrig"
    # `cn` shows the hint alone.
    assert unquote(reply.headers["Cn-Hint"]) == "The answer is partial: noch 3 € übrig."


def test_a_hint_stands_beside_an_empty_array(door: Door) -> None:
    answering(door, "search", PlainAnswer([], hint="For a symbol: cn find Ü\r\nX: y"))
    reply = door.ask("GET", "/search?query=Ü")
    assert (reply.content, reply.headers["Cn-Exit"]) == (b"[]\n", "1")
    assert unquote(reply.headers["Cn-Hint"]) == "For a symbol: cn find Ü\r\nX: y"


def test_the_envelope_wraps_it(door: Door) -> None:
    answering(door, "search", PlainAnswer(FOUND, total=12, next="3", partial="p", stale="s", hint="h"))
    reply = door.ask("GET", "/search?query=x", headers={"Accept": "application/json; envelope=1"})
    assert reply.json() == {
        "results": FOUND,
        "total": 12,
        "completeness": {"status": "partial", "reason": "p"},
        "next": "3",
        "stale": "s",
        "hint": "h",
    }
    assert "Cn-Hint" not in reply.headers


def test_what_a_command_printed_is_verbatim(door: Door) -> None:
    answering(door, "execute", VerbatimAnswer(b"\xff# Do\r\nthis"))
    for accept in ("application/json", "text/plain; color=1", "*/*"):
        reply = door.ask("POST", "/execute", json={"c1": "git"}, headers={"Accept": accept})
        assert reply.content == b"\xff# Do\r\nthis"
        assert reply.headers["content-type"] == "text/plain; charset=utf-8"
        assert reply.headers["Cn-Exit"] == "0"


def test_parameters_of_every_kind_arrive(door: Door) -> None:
    body = {"c1": "git", "options": {"edition": "x", "uv": {"a": 1}}, "more": ["--x"], "arg": ["a=b"], "dry_run": True}
    door.ask("POST", "/execute", json={**body, "stdin": "ü"})
    door.ask("POST", "/execute", json={"c1": "git", "options": ["-e=x"]})
    first, second = door.services.commands["execute"].asked
    assert {name: first[name] for name in (*body, "stdin", "c2", "agent")} == {
        **body, "stdin": "ü", "c2": None, "agent": "climpt"
    }  # fmt: skip
    assert second["options"] == ["-e=x"]
    door.ask("GET", "/describe?c1=a&c2=b&c3=")
    assert door.services.commands["describe"].asked == [{"c1": "a", "c2": "b", "c3": "", "agent": "climpt"}]
    door.ask("GET", "/search?query=x&fields=true&top=3&include_inputs=full")
    asked = door.services.commands["search"].asked[0]
    assert (asked["fields"], asked["top"], asked["include_inputs"]) == (True, 3, "full")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"c1": "x", "more": "y"}, "more must be an array of strings."),
        ({"c1": "x", "arg": [1]}, "arg must be a string."),
        ({"c1": "x", "stdin": 1}, "stdin must be a string."),
        ({"c1": ""}, "c1 must not be empty."),
        ({}, "c1 is missing."),
    ],
)
def test_a_bad_parameter_is_named(door: Door, body: dict[str, Any], message: str) -> None:
    reply = door.ask("POST", "/execute", json=body)
    assert (reply.status_code, reply.json()["error"]["message"]) == (400, message)


def test_an_empty_query_is_asked_as_it_is(door: Door) -> None:
    assert door.ask("GET", "/search?query=").status_code == 200
    assert door.ask("POST", "/reports/search", json={"query": ""}).status_code == 200
    assert door.services.commands["search"].asked[0]["query"] == ""


def test_options_are_an_object_or_an_array(door: Door) -> None:
    for options in ("x", 3, [1], True):
        reply = door.ask("POST", "/execute", json={"c1": "x", "options": options})
        assert (reply.status_code, reply.json()["error"]["parameter"]) == (400, "options")


def test_what_runs_is_no_get(door: Door) -> None:
    for path in ("/execute?c1=x", "/invoke?command_id=x", "/reload"):
        assert door.ask("GET", path).status_code == 405


def test_errors_of_climpt_are_flat(door: Door) -> None:
    answering(door, "execute", ClimptNotFoundError("git", "no", "such", "Did you mean that?"))
    reply = door.ask("POST", "/execute", json={"c1": "git", "c2": "no", "c3": "such"})
    assert (reply.status_code, reply.headers["Cn-Exit"]) == (404, "2")
    assert list(reply.json())[:4] == ["error", "c1", "c2", "c3"]
    assert reply.json()["error"] == "Command not found"
    answering(door, "invoke", ExecutionError("http_status", "It was answered 500.", status=500, body="x"))
    reply = door.ask("POST", "/invoke", json={"command_id": "x"})
    assert (reply.status_code, reply.headers["Cn-Exit"], reply.json()["error"]["body"]) == (502, "6", "x")


def test_a_command_has_its_own_deadline(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.monotonic", lambda: 1000.0)
    object.__setattr__(door.services.settings, "execute_timeout_s", 300)
    door.ask("POST", "/execute", json={"c1": "x"})
    door.ask("POST", "/execute", json={"c1": "x"}, headers={"Cn-Deadline": "5"})
    door.ask("POST", "/search", json={"query": "x"})
    assert [call.deadline for call in door.services.commands["execute"].calls] == [1300, 1005]
    assert door.services.commands["search"].calls[0].deadline == 1060


@pytest.mark.parametrize("name", TEXTS)
def test_the_text_is_the_golden_one(name: str) -> None:
    verb, answer = TEXTS[name]
    golden.check(f"text_commands_{name}.txt", text.render(answer, color=False, verb=verb))


def test_every_verb_has_a_text_here() -> None:
    assert {verb for verb, _ in TEXTS.values()} | {"reports search"} == {row.name for row in COMMAND_VERBS}


@pytest.mark.parametrize("name", TEXTS)
def test_a_librarys_text_cannot_steer_the_terminal(name: str) -> None:
    def hostile(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: hostile(item) for key, item in value.items()}
        if isinstance(value, list):
            return [hostile(item) for item in value]
        return f"\x1b]0;{value}\x07\u202e" if isinstance(value, str) else value

    verb, answer = TEXTS[name]
    planted = PlainAnswer(hostile(answer.document), next="\x1b", partial="\x1b", stale="\x1b", hint="\x1b")
    rendered = text.render(planted, color=False, verb=verb)
    assert not {"\x1b", "\x07", "\u202e"} & set(rendered)
