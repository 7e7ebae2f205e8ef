"""A real Deno runs a real script that stands in for Climpt."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from typing import Any

import pytest

from cn_daemon.adapters.runners.folders import ReadableFolders
from cn_daemon.adapters.runners.programs import ProgramRunner
from cn_daemon.application.libraries.climpt import Climpt
from cn_daemon.application.libraries.verbatim_answer import VerbatimAnswer
from cn_daemon.application.ports import Call
from cn_daemon.domain.libraries.commands import ClimptCall, Command
from cn_daemon.settings import Settings
from cn_shared.errors import CnError
from tests.execution.conftest import climpt_command, quiet_deno


def command(c2: str) -> Command:
    identity = ClimptCall("climpt", "git", c2, "unstaged-changes")
    return Command(f"climpt:climpt/git/{c2}/unstaged-changes", c2, "climpt", "climpt", climpt=identity)


class Bench:
    def __init__(self, root: Path, deno: str) -> None:
        self.root = root
        environ = quiet_deno(root.parent)
        runner = ProgramRunner(root, ReadableFolders(root, list), lambda: environ, lambda: 1 << 20)
        settings = Settings(climpt_command=tuple(json.loads(climpt_command(deno))))
        self._climpt = Climpt(runner, lambda: settings)

    def run(self, c2: str, *options: str, stdin: str = "", cwd: Path | None = None, seconds: float = 60) -> Any:
        call = Call(cwd, time.monotonic() + seconds)
        return asyncio.run(self._climpt.run(call, command(c2), options, stdin, dry_run=False))


@pytest.fixture
def bench(root: Path, deno: str) -> Bench:
    return Bench(root, deno)


def test_a_script_is_run(bench: Bench, root: Path) -> None:
    (root / "src").mkdir()
    answer = bench.run("group-commit", "-e=$(id) ünï", "-f=../input.md", stdin="piped ünï\n", cwd=root / "src")
    assert isinstance(answer, VerbatimAnswer)
    head, told, *rest = answer.text.split("\n")
    assert head == "# git group-commit unstaged-changes"
    assert rest == ["the input", "", ""]
    assert json.loads(told) == {
        "given": {"e": "$(id) ünï", "f": "../input.md"},
        "args": ["--config=git", "group-commit", "unstaged-changes", "-e=$(id) ünï", "-f=../input.md"],
        "stdin": "piped ünï\n",
        "cwd": str(root / "src"),
        "secret": None,
    }


def test_a_failure_is_the_documented_error(bench: Bench) -> None:
    with pytest.raises(CnError) as failed:
        bench.run("fail")
    assert failed.value.document() == {
        "error": "Execution failed",
        "command": "git fail unstaged-changes",
        "stderr": "Validation error: no such prompt",
        "exit_code": 1,
        "code": "execution_failed",
    }


def test_a_script_that_hangs_is_ended(bench: Bench) -> None:
    bench.run("group-commit")  # compiled once, so that the deadline meets the script and not the compiler
    with pytest.raises(CnError) as late:
        bench.run("hang", seconds=4)
    assert late.value.document()["error"] == "Execution timed out"
    assert late.value.document()["stderr"] == "waiting"
    assert late.value.exit_code == 7
