"""`cn hook`: it answers what grep was asked, and whatever happens it neither fails nor blocks the agent's call."""

from __future__ import annotations

import io
import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cn_client import hook
from tests.client.conftest import FakeDaemon, Run, refusal, reply
from tests.client.test_grepping import COMMANDS
from tests.client.test_light import ALLOWED

TOLD = "cn, exactly:\nClass Admin src/user.ts:47:14\n  export class Admin { // «é»\ncomplete · 5 references in 3 files"


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


def test_what_the_daemon_says_of_a_search_is_added(hooked: Any, daemon: FakeDaemon) -> None:
    daemon.replies = [reply(TOLD.encode())]
    command = 'grep -rn "class Admin" src'
    assert hooked(event(command, cwd=str(daemon.root), tool_response={"stdout": "x" * 100_000})) == TOLD
    [request] = daemon.requests
    head, _, body = request.partition(b"\r\n\r\n")
    assert head.startswith(b"POST /hook HTTP/1.1\r\n")
    assert json.loads(body) == {"command": command}, "and not what the tool printed"
    assert 29 < float(head.partition(b"Cn-Deadline: ")[2].split(b"\r")[0]) <= 30


def test_other_tools_of_search(hooked: Any, daemon: FakeDaemon) -> None:
    daemon.replies = [reply(TOLD.encode())]
    tool = {"pattern": "Admin", "path": "src", "glob": None, "output_mode": "content", "-n": True}
    assert hooked({"hook_event_name": "PostToolUse", "tool_name": "Grep", "tool_input": tool}) == TOLD
    assert hooked({"hook_event_name": "PostToolUse", "tool_input": {"command": ["bash", "-lc", "rg Admin"]}}) == TOLD
    told = [json.loads(request.partition(b"\r\n\r\n")[2]) for request in daemon.requests]
    assert told == [{"pattern": "Admin", "path": "src"}, {"command": ["bash", "-lc", "rg Admin"]}]


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
        reply(b""),
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
     {"hook_event_name": "PostToolUse", "tool_input": {"command": [["rg"]]}}, event("rg Admin", cwd="/nowhere/at/all")],
)  # fmt: skip
def test_an_event_that_is_none(hooked: Any, daemon: FakeDaemon, odd: object) -> None:
    assert hooked(odd) == ""


def test_a_daemon_that_says_nothing_is_not_waited_for(
    hooked: Any, daemon: FakeDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hook, "_PATIENCE_S", 0.05)
    daemon.close()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        daemon.publish(port=silent.getsockname()[1])
        assert hooked(event("rg Admin")) == ""


def test_fifty_greps_and_none_is_blocked_or_failed(hooked: Any, daemon: FakeDaemon) -> None:
    daemon.replies = [reply(TOLD.encode())]
    for command in COMMANDS:
        assert hooked(event(command)) == TOLD, command
    assert os.getcwd() == str(daemon.root)


PROGRAM = """
import sys, os
before = set(sys.modules)
from cn_client.__main__ import carry_out
code = carry_out(["hook"])
os.write(2, "\\n".join(sorted(set(sys.modules) - before)).encode())
sys.exit(code)
"""


def test_modules_of_a_hook(daemon: FakeDaemon) -> None:
    """It imported `re`, `json`, `threading` and `shlex`, and needed twice the processor time."""
    daemon.replies = [reply(TOLD.encode())]
    done = subprocess.run(
        [sys.executable, "-I", "-c", PROGRAM],
        input=json.dumps(event("rg Admin")).encode(),
        cwd=daemon.root,
        env={**os.environ, "CN_ROOT": str(daemon.root)},
        capture_output=True,
        timeout=30,
        check=True,
    )
    assert set(done.stderr.decode().split()) <= ALLOWED | {"cn_client.hook"}
