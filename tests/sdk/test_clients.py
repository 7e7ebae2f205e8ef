"""Questions of both clients, against a daemon that says what a test wants."""

from __future__ import annotations

import asyncio
import json
import re
import socket
from pathlib import Path
from typing import Any

import pytest

from cn_client.sdk import (
    AsyncClient,
    Client,
    CnError,
    DeadlineError,
    ExecutionError,
    InputError,
    InternalError,
    NoDaemonError,
    NotFoundError,
)
from cn_shared.wire import MapAnswer
from tests.client.conftest import FakeDaemon, daemon, refusal, reply, workspace

__all__ = ["daemon", "workspace"]

OUTLINE = reply(b'{"filePath":"a.ts","symbols":[]}\n', exit=1)


def ask(verb: str, *arguments: Any, asynchronous: bool, **named: Any) -> Any:
    """One question of a client that is closed again."""

    async def waited() -> Any:
        async with AsyncClient(**settings) as client:
            return await getattr(client, verb)(*arguments, **named)

    settings = named.pop("settings", {})
    if asynchronous:
        return asyncio.run(waited())
    with Client(**settings) as client:
        return getattr(client, verb)(*arguments, **named)


both = pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])


def body(request: bytes) -> Any:
    return json.loads(request.partition(b"\r\n\r\n")[2])


@both
def test_answer_is_typed(daemon: FakeDaemon, asynchronous: bool) -> None:
    daemon.replies = [OUTLINE]
    assert ask("map", Path("a.ts"), asynchronous=asynchronous) == MapAnswer("a.ts", [])
    (request,) = daemon.requests
    assert request.startswith(b"POST /map HTTP/1.1\r\n")
    assert body(request) == {"filePath": "a.ts", "limit": 0, "server": "auto"}
    assert b"Authorization: Bearer " + b"ab" * 32 in request


@both
def test_deadline_and_budget_are_told(daemon: FakeDaemon, asynchronous: bool) -> None:
    daemon.replies = [OUTLINE]
    ask("map", "a.ts", asynchronous=asynchronous, settings={"budget": 100, "deadline_s": 9}, deadline_s=7.0)
    head = daemon.requests[0].decode().lower()
    assert "accept: application/json; budget=100\r\n" in head
    told = re.search(r"cn-deadline: ([\d.]+)", head)
    assert told is not None
    assert 0 < float(told[1]) <= 7


@both
def test_plain_answers_come_with_their_completeness(daemon: FakeDaemon, asynchronous: bool) -> None:
    told = {"results": [], "total": 0, "completeness": {"status": "partial", "reason": "busy"}}
    daemon.replies = [reply(json.dumps(told).encode(), exit=3)]
    assert ask("search", "x", asynchronous=asynchronous) == told
    assert b"application/json; envelope=1" in daemon.requests[0]


@both
def test_what_a_command_printed_is_text(daemon: FakeDaemon, asynchronous: bool) -> None:
    daemon.replies = [reply(b"caf\xe9\n").replace(b"application/json", b"text/plain; charset=utf-8")]
    assert ask("execute", "git", "commit", asynchronous=asynchronous, arg=("a=1",)) == "caf\udce9\n"
    assert body(daemon.requests[0])["arg"] == ["a=1"]
    assert b"cn-deadline" not in daemon.requests[0].lower()  # the daemon's settings say how long a command may take


@both
def test_daemon_of_another_environment_is_told_ours(
    daemon: FakeDaemon, asynchronous: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CN_LOG_LEVEL", "debug")
    daemon.replies = [refusal("environment_changed", status=412), reply(b"{}"), OUTLINE]
    assert ask("map", "a.ts", asynchronous=asynchronous) == MapAnswer("a.ts", [])
    first, told, last = daemon.requests
    assert told.startswith(b"POST /environment ")
    assert body(told)["values"]["CN_LOG_LEVEL"] == "debug"
    assert body(first) == body(last)


@both
def test_bad_settings_are_the_error(daemon: FakeDaemon, asynchronous: bool) -> None:
    daemon.replies = [refusal("environment_changed", status=412), refusal("bad_setting", status=400)]
    with pytest.raises(InputError, match="No"):
        ask("map", "a.ts", asynchronous=asynchronous)


@both
@pytest.mark.parametrize(
    ("status", "exit", "kind"),
    [
        (404, 2, NotFoundError),
        (413, 2, InputError),
        (502, 6, ExecutionError),
        (504, 7, DeadlineError),
        (599, 5, InternalError),
    ],
)
def test_refusals_are_the_errors_of_the_tree(
    daemon: FakeDaemon, asynchronous: bool, status: int, exit: int, kind: type[CnError]
) -> None:
    daemon.replies = [refusal("no_such_thing", status=status, exit=exit)]
    with pytest.raises(CnError) as caught:
        ask("map", "a.ts", asynchronous=asynchronous)
    assert type(caught.value) is kind
    told = (caught.value.code, caught.value.message, caught.value.hint, caught.value.exit_code, caught.value.status)
    assert told == ("no_such_thing", "No.", "Try another.", exit, status)


def test_flat_errors_of_climpt_verbs(daemon: FakeDaemon) -> None:
    flat = {"error": "Command not found", "c1": "git", "code": "command_not_found", "hint": "Look."}
    daemon.replies = [reply(json.dumps(flat).encode(), status=404, exit=2)]
    with pytest.raises(NotFoundError, match="Command not found") as caught, Client() as client:
        client.execute("git")
    assert (caught.value.code, caught.value.data) == ("command_not_found", {"c1": "git"})


@both
@pytest.mark.parametrize("said", [b"[]", b"{}", b"nonsense", b'{"filePath":1,"symbols":[]}'])
def test_reply_that_is_not_ours(daemon: FakeDaemon, asynchronous: bool, said: bytes) -> None:
    daemon.replies = [reply(said)]
    with pytest.raises(InternalError) as caught:
        ask("map", "a.ts", asynchronous=asynchronous)
    assert caught.value.code == "bad_reply"


@both
def test_command_is_not_run_twice_when_the_daemon_goes_away(daemon: FakeDaemon, asynchronous: bool) -> None:
    daemon.replies = [b"", OUTLINE]
    with pytest.raises(NoDaemonError) as caught:
        ask("execute", "git", asynchronous=asynchronous)
    assert caught.value.code == "connection_lost"
    assert len(daemon.requests) == 1


@both
def test_read_is_asked_again(daemon: FakeDaemon, asynchronous: bool) -> None:
    daemon.replies = [b"HTTP/1.1 200 X\r\nContent-Length: 9\r\n\r\n{", OUTLINE]
    assert ask("map", "a.ts", asynchronous=asynchronous) == MapAnswer("a.ts", [])


@both
def test_silent_daemon(daemon: FakeDaemon, asynchronous: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cn_client.sdk.clients.SLACK_S", 0.0)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        daemon.publish(port=silent.getsockname()[1])
        with pytest.raises(DeadlineError) as caught:
            ask("map", "a.ts", asynchronous=asynchronous, deadline_s=0.2)
    assert caught.value.code == "no_answer"


@both
def test_status_starts_nothing(workspace: Path, asynchronous: bool) -> None:
    with pytest.raises(NoDaemonError) as caught:
        ask("status", asynchronous=asynchronous)
    assert caught.value.code == "no_daemon"


@both
def test_stop_without_a_daemon(workspace: Path, asynchronous: bool) -> None:
    assert ask("stop", asynchronous=asynchronous) == {"stopped": False, "root": str(workspace), "pid": None}


@pytest.mark.parametrize("settings", [{"budget": 0}, {"deadline_s": -1.0}, {"root": "/nowhere"}])
def test_settings_that_cannot_be(workspace: Path, settings: Any) -> None:
    with pytest.raises(InputError):
        Client(**settings)
