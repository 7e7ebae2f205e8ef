"""`cn logs`: the end of a log, whoever wrote it and whether they live."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cn_client.logs import tail
from cn_shared.state import log_path
from tests.client.conftest import FakeDaemon, Run


@pytest.fixture
def log(workspace: Path) -> Iterator[Path]:
    path = Path(log_path(str(workspace)))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"line {number}\n" for number in range(1, 101)))
    yield path
    path.unlink(missing_ok=True)


def test_last_lines(cn: Run, log: Path) -> None:
    assert cn("logs", "--lines", "2") == (0, b"line 99\nline 100\n", b"")
    code, out, _ = cn("logs", "--json", "-n", "1")
    assert (code, json.loads(out)) == (0, {"log": str(log), "lines": ["line 100"]})
    assert len(cn("logs")[1].splitlines()) == 50
    assert cn("logs", "--lines", "0")[1] == b""


def test_log_of_a_running_daemon_is_the_one_it_names(cn: Run, daemon: FakeDaemon, tmp_path: Path) -> None:
    (tmp_path / "own.log").write_text("mine")
    daemon.publish(log=str(tmp_path / "own.log"))
    assert cn("logs") == (0, b"mine\n", b"")


def test_terminal_is_not_steered(cn: Run, log: Path) -> None:
    log.write_bytes(b"a\x1b[2Jb\x9b\xff\n")
    assert cn("logs") == (0, b"a\\x1b[2Jb\\x9b\\xff\n", b"")


def test_no_log_yet(cn: Run, workspace: Path) -> None:
    code, out, err = cn("logs")
    assert (code, out) == (1, b"")
    assert b"holds nothing yet" in err


def test_log_that_is_no_file(cn: Run, log: Path) -> None:
    log.unlink()
    os.mkfifo(log)
    code, _, err = cn("logs")
    assert (code, json.loads(err)["error"]["code"]) == (2, "no_log")


def test_part_that_was_cut_off_is_read_too(log: Path) -> None:
    older = log.with_name(log.name + ".1")
    older.write_text("older 1\nolder 2\n")
    log.write_text("new\n")
    assert tail(str(log), 2) == ["older 2", "new"]
    older.unlink()


def test_long_lines_and_many_blocks(log: Path) -> None:
    log.write_text("".join(f"{number}{'x' * 40_000}\n" for number in range(9)))
    assert [line[0] for line in tail(str(log), 4)] == ["5", "6", "7", "8"]


def test_follow(log: Path, workspace: Path) -> None:
    """What is added, a log that is cut short, and one that is made anew; it ends with its reader."""
    command = [sys.executable, "-m", "cn_client", "logs", "-f", "--lines", "1"]
    with subprocess.Popen(command, cwd=workspace, stdout=subprocess.PIPE, text=True) as following:
        assert following.stdout is not None
        assert following.stdout.readline() == "line 100\n"
        with log.open("a") as more:
            more.write("line 101\nhalf ")
            more.flush()
            assert following.stdout.readline() == "line 101\n"
            more.write("a line\n")
        assert following.stdout.readline() == "half a line\n"
        os.truncate(log, 0)
        with log.open("a") as more:
            more.write("cut\n")
        assert following.stdout.readline() == "cut\n"
        fresh = log.with_name("fresh")
        fresh.write_text("anew\n")
        fresh.replace(log)
        assert following.stdout.readline() == "anew\n"
        following.stdout.close()
        assert following.wait(30) == 0
