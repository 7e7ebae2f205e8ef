"""The verbs of commands as the client sends them, and as it tells what comes back."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from cn_client import cli, piped
from cn_client.invocation import Invocation, read
from cn_shared.errors import DeadlineError, InputError
from tests.client.conftest import FakeDaemon, Run, reply


def head(daemon: FakeDaemon) -> str:
    return daemon.requests[-1].partition(b"\r\n\r\n")[0].decode()


def sent(daemon: FakeDaemon) -> Any:
    return json.loads(daemon.requests[-1].partition(b"\r\n\r\n")[2])


@pytest.fixture(autouse=True)
def _nothing_piped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(piped, "_is_piped", lambda: False)


def test_lists_and_switches_are_json(cn: Run, daemon: FakeDaemon) -> None:
    daemon.replies = [reply(b"x\n")]
    cn("invoke", "apps info", "--arg", 'app="ü"', "--arg=page=2", "--dry-run", "--", "-x", "y z")
    assert head(daemon).startswith("POST /invoke ")
    assert sent(daemon) == {
        "command_id": "apps info",
        "arg": ['app="ü"', "page=2"],
        "dry_run": True,
        "more": ["-x", "y z"],
    }


@pytest.mark.parametrize("spelling", [["-e", "x"], ["-e=x"], ["-ex"], ["--edition", "x"], ["--edition=x"]])
def test_climpts_own_spelling_of_options_is_read(cn: Run, daemon: FakeDaemon, spelling: list[str]) -> None:
    cn("execute", "git", "a", *spelling)
    assert sent(daemon) == {"c1": "git", "c2": "a", "edition": "x"}


def test_verbs_of_two_words(cn: Run, daemon: FakeDaemon) -> None:
    cn("reports", "search", "x")
    assert head(daemon).startswith("POST /reports/search ")
    cn("config", "show")
    assert head(daemon).startswith("GET /config ")
    cn("--json", "reports", "--root", str(daemon.root), "list")
    assert head(daemon).startswith("POST /reports/list ")


def test_an_array_may_be_wrapped(cn: Run, daemon: FakeDaemon) -> None:
    cn("search", "x", "--envelope")
    assert "Accept: application/json; envelope=1\r\n" in head(daemon) + "\r\n"


def test_what_runs_a_command_has_the_daemons_deadline(cn: Run, daemon: FakeDaemon) -> None:
    cn("execute", "git", "a")
    assert "Cn-Deadline" not in head(daemon)
    cn("execute", "git", "a", "--deadline", "5")
    assert "Cn-Deadline: " in head(daemon)
    cn("search", "x")
    assert "Cn-Deadline: " in head(daemon)


def test_a_hint_beside_an_array_goes_to_stderr(cn: Run, daemon: FakeDaemon) -> None:
    answer = reply(b"[]\n", exit=1).replace(b"Cn-Exit", b"Cn-Hint: For a symbol: cn find %C3%BC\r\nCn-Exit")
    daemon.replies = [answer]
    assert cn("search", "x") == (1, b"[]\n", '{"hint":"For a symbol: cn find ü"}\n'.encode())


def test_flat_errors_are_told_too(cn: Run, daemon: FakeDaemon) -> None:
    failed = {
        "error": "Execution failed",
        "command": "git a b",
        "stderr": "line 1\nline \x1b[2J2",
        "code": "execution_failed",
    }
    body = json.dumps(failed).encode()
    daemon.replies = [reply(body, status=502, exit=6)]
    assert cn("execute", "git", "a", "b", "--json") == (6, b"", body)
    code, out, err = cn("execute", "git", "a", "b", "--text")
    assert (code, out) == (6, b"")
    assert err == b"error: Execution failed: git a b [execution_failed]\nline 1\nline \\x1b[2J2\n"
    missing = {
        "error": "Command not found",
        "c1": "git",
        "c2": "x",
        "c3": "",
        "code": "command_not_found",
        "hint": "Try.",
    }
    daemon.replies = [reply(json.dumps(missing).encode(), status=404, exit=2)]
    assert (
        cn("describe", "git", "x", "--text")[2] == b"error: Command not found: git x [command_not_found]\nhint: Try.\n"
    )


PIPED = """
import sys
from cn_client import cli, piped
from cn_client.invocation import read
import time
call = read(sys.argv[1:])
piped.take(call, time.monotonic() + 5)
sys.stdout.buffer.write(repr(call.parameters.get("stdin")).encode())
"""


def take(*line: str, **given: Any) -> str:
    done = subprocess.run([sys.executable, "-c", PIPED, *line], capture_output=True, timeout=30, check=True, **given)
    return done.stdout.decode()


def test_what_is_piped_is_passed_on(tmp_path: Path) -> None:
    assert take("execute", "git", input="ünï\n".encode()) == "'ünï\\n'"
    file = tmp_path / "in.txt"
    file.write_text("from a file")
    with file.open() as stream:
        assert take("execute", "git", stdin=stream) == "'from a file'"
    assert take("execute", "git", stdin=subprocess.DEVNULL) == "None"
    assert take("execute", "git", input=b"") == "None"
    assert take("execute", "git", "--stdin", stdin=subprocess.DEVNULL) == "''"


def test_what_never_ends_is_not_waited_for_unasked() -> None:
    import socket

    ours, theirs = socket.socketpair()
    with ours, theirs:
        began = time.monotonic()
        assert take("execute", "git", stdin=theirs) == "None"
        assert time.monotonic() - began < 4


def test_input_that_is_not_text_or_does_not_end(monkeypatch: pytest.MonkeyPatch) -> None:
    call = read(["execute", "git", "--stdin"])
    assert isinstance(call, Invocation)
    monkeypatch.setattr(piped, "_pieces", lambda end: [b"\xff"])
    with pytest.raises(InputError):
        piped.take(call, time.monotonic() + 1)
    monkeypatch.undo()
    reader, writer = os.pipe()
    saved = os.dup(0)
    os.dup2(reader, 0)
    try:
        call.parameters["stdin"] = True
        with pytest.raises(DeadlineError):
            piped.take(call, time.monotonic() + 0.05)
    finally:
        os.dup2(saved, 0)
        for descriptor in (reader, writer, saved):
            os.close(descriptor)


@pytest.mark.parametrize(
    ("line", "given"),
    [
        (["-rn", "TODO", "src"], {"pattern": "TODO", "paths": ["src"]}),
        (["-rniE", "TODO"], {"pattern": "TODO", "ignoreCase": True}),
        (["-w", "-n", "TODO", "src", "test"], {"pattern": "TODO", "word": True, "paths": ["src", "test"]}),
        (["-F", "a-n"], {"pattern": "a-n", "fixed": True}),
    ],
)
def test_flags_of_grep_that_change_nothing_are_passed_over(line: list[str], given: dict[str, object]) -> None:
    kept: list[Invocation] = []

    def keep(call: Invocation) -> int:
        kept.append(call)
        return 0

    assert cli.run(["grep", *line], keep) == 0
    assert kept[0].parameters == given
