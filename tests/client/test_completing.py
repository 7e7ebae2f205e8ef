"""Completion: what a shell is told for what was typed so far. Nothing is started, and nothing is written but that."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cn_client import completing
from cn_client.own_verbs import SHELLS
from cn_shared import state
from tests.client.conftest import FakeDaemon, Run, reply

Complete = Callable[..., list[str]]


@pytest.fixture
def complete(cn: Run, monkeypatch: pytest.MonkeyPatch) -> Complete:
    """The words for the last of those that were typed."""

    def asked(*words: str) -> list[str]:
        with monkeypatch.context() as patch:
            patch.setenv(completing.ASKED, "bash_complete")
            patch.setenv("COMP_WORDS", " ".join(["cn", *words]))
            patch.setenv("COMP_CWORD", str(len(words)))
            code, out, err = cn()
        assert (code, err) == (0, b"")
        return out.decode().split()

    return asked


def test_verbs_options_and_choices(complete: Complete, workspace: Path) -> None:
    assert complete("fi") == ["plain,find"]
    assert complete("reports", "s") == ["plain,search", "plain,show"]
    assert complete("find", "--mo") == ["plain,--mode"]
    assert complete("find", "--mode", "d") == ["plain,definition"]
    assert complete("--format", "t") == ["plain,text"]
    assert complete("completion", "z") == ["plain,zsh"]


def test_files_and_folders(complete: Complete, workspace: Path) -> None:
    assert complete("map", "sr") == ["file,sr"]
    assert complete("find", "src/u") == ["file,src/u"]
    assert complete("find", "--root", "sr") == ["dir,sr"]
    assert complete("serve", "--config", "c") == ["file,c"]


def test_names_of_the_workspace(complete: Complete, daemon: FakeDaemon) -> None:
    daemon.replies = [reply(b'{"names":["User","Us\\u009b","U$s","U s","user"]}')]
    assert complete("find", "U") == ["plain,User", "plain,U$s"]
    assert daemon.requests[0].startswith(b"GET /names?prefix=U HTTP/1.1\r\n")
    assert complete("inspect", "User.U")[0] == "plain,User.User"
    assert complete("find", "--root", str(daemon.root), "U")[0] == "plain,User"
    # In zsh what they all begin with takes the place of what was typed.
    assert complete("find", "u") == ["plain,user"]
    assert complete("find", "us")[-1] == "plain,user"
    assert complete("find", "uS") == ["plain,User", "plain,U$s", "plain,user"]
    assert complete("find", "User.") == []
    assert complete("search", "U") == []  # its words are not those of the code


def test_names_of_commands_and_the_identifiers_of_climpt(complete: Complete, daemon: FakeDaemon) -> None:
    names = ["git group-commit changes", "git merge-up base", "meta build x", "release-notes", "rm -rf /", "$(x)", "*"]
    listed = json.dumps({"commands": [{"name": name} for name in names]})
    daemon.replies = [reply(listed.encode())]
    assert complete("get", "re") == ["plain,release-notes"]
    assert complete("invoke", "") == ["plain,release-notes"]
    assert complete("execute", "g") == ["plain,git"]
    assert complete("describe", "git", "") == ["plain,group-commit", "plain,merge-up"]
    assert complete("execute", "git", "merge-up", "b") == ["plain,base"]
    assert complete("execute", "rm", "") == []
    daemon.replies = [reply(b'[{"path":"a-reports/2025.md"},{"path":"a-reports/$(x).md"},{"path":"b.md"}]')]
    assert complete("reports", "show", "a") == ["plain,a-reports/2025.md"]


def test_revisions_of_git(complete: Complete, workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(completing, "_PATIENCE_S", 30)  # the machine of a test may be busy
    assert complete("changed", "") == []  # no repository
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@x", "-c", "init.defaultBranch=main", "-C", str(workspace)]
    for words in (["init", "-q"], ["commit", "-qm", "one", "--allow-empty"], ["tag", "v1.0"], ["branch", "side/$(x)"]):
        subprocess.run([*git, *words], check=True)
    assert sorted(complete("changed", "")) == ["plain,HEAD", "plain,main", "plain,v1.0"]
    assert complete("changed", "v") == ["plain,v1.0"]
    assert complete("changed", "--server", "na") == ["plain,native"]
    (workspace / "git").write_text("#!/bin/sh\ntouch stolen\n")
    (workspace / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{workspace}{os.pathsep}.{os.pathsep}{os.environ['PATH']}")
    assert complete("changed", "v") == ["plain,v1.0"]
    monkeypatch.setenv("PATH", str(workspace))
    assert complete("changed", "v") == []
    assert not (workspace / "stolen").exists()


@pytest.mark.parametrize("said", [b"", b"nonsense", reply(b"{}", status=404), reply(b"[]")])
def test_daemon_that_cannot_tell(complete: Complete, daemon: FakeDaemon, said: bytes) -> None:
    daemon.replies = [said]
    assert complete("find", "U") == []


def test_without_a_daemon_none_is_started(complete: Complete, workspace: Path) -> None:
    assert complete("find", "U") == []
    assert complete("nonsense", "--x", "U") == []
    assert complete("--version", "find", "--mode", "d") == ["plain,definition"]
    assert not (workspace / state.NAME).exists()


def test_environment_that_no_script_of_ours_made(cn: Run, workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for value in ("nonsense", "bash_complete"):
        monkeypatch.setenv(completing.ASKED, value)
        assert cn() == (0, b"", b"")


BASH = """
eval "$(cn completion bash)"
complete -p cn
COMP_WORDS=(cn find U) COMP_CWORD=2 COMPREPLY=()
_cn_completion cn find U
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not there")
def test_in_bash(daemon: FakeDaemon) -> None:
    daemon.replies = [reply(b'{"names":["User","Users"]}')]
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "--norc", "-c", BASH], env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
    )
    assert (done.stdout.splitlines(), done.stderr) == (["complete -o nosort -F _cn_completion cn", "User", "Users"], "")


@pytest.mark.parametrize("shell", SHELLS)
def test_script_is_of_its_shell(cn: Run, shell: str) -> None:
    code, out, err = cn("completion", shell)
    assert (code, err) == (0, b"")
    assert b"_CN_COMPLETE=%s_complete" % shell.encode() in out
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=out, check=True, capture_output=True)


FISH = """
cn completion fish | source
complete -C "cn fin"
complete -C "cn find Us"
"""


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not there")
def test_in_fish(daemon: FakeDaemon, tmp_path: Path) -> None:
    daemon.replies = [reply(b'{"names":["User","Used"]}')]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environ = {**os.environ, "PATH": path, "XDG_CONFIG_HOME": str(tmp_path)}
    done = subprocess.run(["fish", "-c", FISH], env=environ, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[0].startswith("find\tFind a symbol's definition")
    assert sorted(done.stdout.splitlines()[1:]) == ["Used", "User"]


def test_fish_shows_descriptions_whole(cn: Run) -> None:
    """click's script splits a line at every comma, and most descriptions have one."""
    assert b'string split --max 1 "," $completion' in cn("completion", "fish")[1]
