"""The whole command line: help as it is printed, errors in the one shape."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from cn_client import commands
from cn_client.cli import build
from cn_client.own_verbs import ROWS
from cn_shared import __version__
from cn_shared.verbs import VERBS
from tests.client.conftest import FakeDaemon, Run, reply

GOLDEN = Path(__file__).parent / "golden"
PAGES = {
    "cn": [],
    "cn start": ["start"],
    "cn trust": ["trust"],
    "cn reports": ["reports"],
    **{f"cn {row.name}": [row.name] for row in ROWS},
    **{f"cn {row.name}": row.name.split() for row in VERBS},
}


@pytest.mark.parametrize("page", PAGES)
def test_help_is_golden(cn: Run, page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """GOLDEN=write in the environment writes the files anew."""
    monkeypatch.setenv("COLUMNS", "100")
    code, out, err = cn(*PAGES[page], "--help")
    assert (code, err) == (0, b"")
    file = GOLDEN / (page.replace(" ", "_") + ".txt")
    if os.environ.get("GOLDEN") == "write":
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(out)
    assert out.decode() == file.read_text(encoding="utf-8")


def test_cn_alone_is_its_help(cn: Run) -> None:
    assert cn() == cn("--help")


def test_version(cn: Run) -> None:
    assert cn("--version") == (0, f"cn {__version__}\n".encode(), b"")


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (["fnd", "User"], "unknown_verb"),
        (["find"], "bad_usage"),
        (["map", "a", "b"], "bad_usage"),
        (["find", "a", "--limit", "many"], "bad_usage"),
        (["find", "a", "--limit", "-1"], "bad_usage"),
        (["find", "a", "--mode", "all"], "bad_usage"),
        (["find", "a", "--colour"], "bad_usage"),
        (["find", "a", "--format", "yaml"], "bad_usage"),
        (["find", "a", "--deadline", "0"], "bad_usage"),
        (["find", "a", "--deadline", "nan"], "bad_usage"),
        (["find", "a", "--deadline", "inf"], "bad_usage"),
        (["find", "a", "--deadline", "86401"], "bad_usage"),
        (["find", "a", "--deadline", "1e400"], "bad_usage"),
        (["--nonsense"], "bad_usage"),
        (["find", "a", "--envelope"], "bad_usage"),
        (["reports"], "bad_usage"),
        (["reports", "serch", "x"], "unknown_verb"),
        (["execute"], "bad_usage"),
    ],
)
def test_bad_usage_is_told_in_the_one_shape(cn: Run, workspace: Path, line: list[str], code: str) -> None:
    exit_code, out, err = cn(*line)
    assert (exit_code, out) == (2, b"")
    error = json.loads(err)["error"]
    assert error["code"] == code
    assert error["message"]
    assert error["hint"]


def test_near_verbs(cn: Run) -> None:
    error = json.loads(cn("inspct", "x")[2])["error"]
    assert error["near"][0] == "inspect"
    assert error["hint"].startswith("Did you mean cn inspect")


def test_errors_of_usage_heed_the_format(cn: Run) -> None:
    assert cn("--text", "fnd")[2].startswith(b"error: There is no verb 'fnd'. [unknown_verb]\nhint: ")


def test_what_click_reads_is_asked_too(cn: Run, daemon: FakeDaemon) -> None:
    daemon.replies = [reply(b"answer\n")]
    assert cn("find", "--limit", "+5", "--", "--odd") == (0, b"answer\n", b"")
    assert json.loads(daemon.requests[0].partition(b"\r\n\r\n")[2]) == {"query": "--odd", "limit": 5}


def test_near_verbs_of_a_group(cn: Run) -> None:
    error = json.loads(cn("reports", "serch", "x")[2])["error"]
    assert error["hint"] == "Did you mean cn reports search?"


def test_start_shows_the_status(cn: Run, daemon: FakeDaemon) -> None:
    daemon.replies = [reply(b"status\n")]
    assert cn("start") == (0, b"status\n", b"")
    assert daemon.requests[0].startswith(b"GET /status HTTP/1.1\r\n")


def test_other_programs_words_for_a_verb(cn: Run, daemon: FakeDaemon) -> None:
    daemon.replies = [reply(b"answer\n")]
    for words, path, body in (
        (["definition", "User"], "/find", {"query": "User", "mode": "definition"}),
        (["usages", "User", "--limit", "5"], "/find", {"query": "User", "limit": 5}),
        (["outline", "a.ts"], "/map", {"filePath": "a.ts"}),
        (["implementations", "Store"], "/impls", {"query": "Store"}),
    ):
        assert cn(*words) == (0, b"answer\n", b"")
        head, _, sent = daemon.requests[-1].partition(b"\r\n\r\n")
        assert head.startswith(f"POST {path} ".encode())
        assert json.loads(sent) == body


def test_what_cn_does_not_do_is_said(cn: Run) -> None:
    error = json.loads(cn("rename", "User", "Person")[2])["error"]
    assert error["code"] == "unknown_verb"
    assert "cn refs NAME" in error["hint"]


def test_help_and_version_as_words(cn: Run) -> None:
    assert cn("help") == cn("--help") == cn("--text", "help")
    assert cn("--json", "version") == cn("version")
    assert cn("help", "find") == cn("find", "--help")
    assert cn("help", "reports", "search") == cn("reports", "search", "--help")
    assert cn("version") == cn("-V") == cn("--version")


def test_every_verb_stands_in_a_section_of_the_help() -> None:
    named = [name for names in commands._SECTIONS.values() for name in names.split()]
    assert sorted(named) == sorted(build(lambda call: 0).commands)
    assert not commands.ALIASES.keys() & set(named)
