"""`cn hook`: it answers what grep was asked, and whatever happens it neither fails nor blocks the agent's call."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cn_client import hook
from cn_client.tokens import estimated
from tests.client.conftest import FakeDaemon, Run, refusal, reply
from tests.client.test_grepping import COMMANDS

FOUND = (
    b"Class Admin src/user.ts:47:14\n  export class Admin extends User {\ncomplete \xc2\xb7 5 references in 3 files\n"
)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The roots that a daemon would have been started for."""
    roots: list[str] = []
    monkeypatch.setattr(hook, "_start", roots.append)
    # What is measured elsewhere (benchmarks/hooks) must not decide here, on a busy machine.
    monkeypatch.setattr(hook, "_PATIENCE_S", 30.0)
    monkeypatch.setattr(hook, "_age_s", lambda: 0.0)
    return roots


@pytest.fixture
def hooked(cn: Run, monkeypatch: pytest.MonkeyPatch, started: list[str]) -> Any:
    """Give the hook an event; what it adds to the conversation."""

    def run(event: object) -> str:
        text = event if isinstance(event, bytes) else json.dumps(event).encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
        code, out, err = cn("hook")
        assert (code, err) == (0, b"")
        if not out:
            return ""
        [(key, added)] = json.loads(out).items()
        assert key == "hookSpecificOutput"
        assert added.keys() == {"hookEventName", "additionalContext"}
        return str(added["additionalContext"])

    return run


def event(command: str, **more: object) -> dict[str, object]:
    return {"hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_input": {"command": command}, **more}


def test_a_symbol_that_is_searched_for_is_answered(hooked: Any, daemon: FakeDaemon) -> None:
    daemon.replies = [reply(FOUND)]
    added = hooked(event('grep -rn "class Admin" src', cwd=str(daemon.root), tool_response={"stdout": "x" * 100_000}))
    assert added == "cn, exactly:\n" + FOUND.decode().strip()
    [request] = daemon.requests  # whole at once
    assert request.startswith(b"GET /find?query=Admin&limit=12 HTTP/1.1\r\n")
    assert b"budget=300" in request


def test_several_names_share_the_budget(hooked: Any, daemon: FakeDaemon) -> None:
    daemon.replies = [reply(FOUND)]
    hooked(event('rg "Admin|MemoryStore|refuse"'))
    assert len(daemon.requests) == 3
    assert all(b"budget=100" in request for request in daemon.requests)


def test_no_more_than_400_tokens_are_added(hooked: Any, daemon: FakeDaemon) -> None:
    """Three answers of 300 tokens by the daemon's count, four characters each, had 425: brackets have one each."""
    dense = [f"  {line}:1 const{{a,b:[c,,d]}}=f?.(g??{{}})!;[...d].map(x=>({{...x}}))" for line in range(20)]
    places = "\n".join(["Class Admin src/user.ts:47:14", "src/index.ts", *dense[:9], "src/other.ts", *dense[9:]])
    daemon.replies = [reply(f"{places}\ncomplete \u00b7 20 references in 2 files\n".encode())]
    added = hooked(event("rg Admin"))
    assert 300 < estimated(added) <= 400
    assert added.splitlines()[-2:] == [dense[8], "there may be more uses: cn --text find Admin"]
    shared = hooked(event('rg "Admin|Admin|Admin"'))
    assert estimated(shared) <= 400


def test_what_has_no_room_is_left_out() -> None:
    assert hook.bounded(f"Class {'x9Q' * 400} a.ts:1:1\ncomplete\n", "x", 100) == ""
    text = "Class A src/a.ts:1:1\nsrc/b.ts\n" + "  2:1 " + "=>{};" * 40 + "\ncomplete\n"
    assert hook.bounded(text, "A", 40) == "Class A src/a.ts:1:1\nthere may be more uses: cn --text find A"


def test_what_is_not_certain_is_a_pointer(hooked: Any, daemon: FakeDaemon) -> None:
    head = b"Class Admin src/user.ts:47:14\n  export class Admin extends User {\n"
    daemon.replies = [
        reply(head + b"partial (time ran out) \xc2\xb7 0 references\nnot decided yet: 5 mentions\n", exit=3)
    ]
    assert hooked(event("rg Admin")).endswith("extends User {\nthere may be more uses: cn --text find Admin")


def test_all_of_it_when_there_is_time(hooked: Any, daemon: FakeDaemon) -> None:
    daemon.replies = [reply(FOUND.partition(b"complete")[0] + b"partial (time ran out)\n", exit=3), reply(FOUND)]
    assert hooked(event("rg Admin")).endswith("5 references in 3 files")
    first, second = (float(one.partition(b"Cn-Deadline: ")[2].split(b"\r")[0]) for one in daemon.requests)
    assert first < second


def test_the_start_of_a_session_says_once_how_to_ask(hooked: Any, workspace: Path, started: list[str]) -> None:
    assert hooked({"hook_event_name": "SessionStart", "source": "startup", "cwd": str(workspace)}) == hook.START
    assert started == [str(workspace)]


def test_nothing_runs_yet(hooked: Any, workspace: Path, started: list[str]) -> None:
    assert hooked(event("rg Admin")) == ""
    assert hooked(event("ls -la")) == ""
    assert started == [str(workspace)], "for the next search, and for a search alone"


def test_no_daemon_for_a_folder_that_is_no_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the plugin the hook runs wherever the agent is: a home would have been read to its end."""
    commands: list[list[str]] = []
    monkeypatch.setattr(subprocess, "Popen", lambda command, **_: commands.append(command))
    hook._start(str(tmp_path))
    assert commands == []
    (tmp_path / "package.json").write_text("{}")
    hook._start(str(tmp_path))
    assert commands[0][-2:] == ["start", f"--root={tmp_path}"]


@pytest.mark.parametrize(
    "answer",
    [
        reply(b"nothing found\n", exit=1),
        reply(b"Admin \xc2\xb7 3 files \xc2\xb7 26 lines\n"),
        reply(b"Class"),
        refusal("bad_query"),
        reply(b"", status=500),
        b"",
        b"HTTP/1.1 200 OK\r\n\r\n",
        b"nonsense",
    ],
)
def test_a_daemon_that_has_nothing_to_say(hooked: Any, daemon: FakeDaemon, answer: bytes) -> None:
    daemon.replies = [answer]
    assert hooked(event("rg Admin")) == ""


@pytest.mark.parametrize(
    "odd",
    [b"", b"{", b"[]", b"null", b"\xff", {}, {"hook_event_name": "PostToolUse"},
     {"hook_event_name": 5, "tool_input": []},
     {"hook_event_name": "PostToolUse", "tool_input": {"command": ["rg"]}}, event("rg Admin", cwd="/nowhere/at/all")],
)  # fmt: skip
def test_an_event_that_is_none(hooked: Any, daemon: FakeDaemon, odd: object) -> None:
    assert hooked(odd) == ""


def test_a_daemon_that_says_nothing_is_not_waited_for(
    hooked: Any, daemon: FakeDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hook, "_PATIENCE_S", 0.05)
    monkeypatch.setattr(hook, "exchange", lambda *_: __import__("time").sleep(5) or reply(FOUND))
    assert hooked(event("rg Admin")) == ""


def test_fifty_greps_and_none_is_blocked_or_failed(hooked: Any, daemon: FakeDaemon) -> None:
    for command, found in COMMANDS.items():
        line = f"Class {found[0]} src/a.ts:1:1\ncomplete" if found else ""
        daemon.replies = [reply(line.encode())]
        assert hooked(event(command)) == (f"cn, exactly:\n{line}" if found else ""), command
    assert os.getcwd() == str(daemon.root)
