"""Where the answer goes, and what a caller may have closed."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.client.conftest import FakeDaemon, reply

ANSWER = b'{"symbols":[1]}\n'


def run(folder: Path, *words: str, out: str = "", err: str = "") -> tuple[int, bytes, bytes]:
    """Exit code, stdout, stderr of `cn`; out, err: files to write to instead."""
    with contextlib.ExitStack() as stack:
        streams = [stack.enter_context(open(path, "wb")) if path else subprocess.PIPE for path in (out, err)]
        done = subprocess.run(
            [sys.executable, "-m", "cn_client", *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=streams[0],
            stderr=streams[1], check=False,
        )  # fmt: skip
        return done.returncode, done.stdout or b"", done.stderr or b""


@pytest.mark.parametrize("words", [("map", "x.ts"), ("--help",), ("--version",), ("init",), ("completion", "bash"),
                                   ("doctor",), ("stop", "--root", "/")])  # fmt: skip
def test_full_disk_behind_stdout_is_told_as_that(daemon: FakeDaemon, words: tuple[str, ...]) -> None:
    daemon.replies = [reply(ANSWER)]
    code, _, err = run(daemon.root, *words, out="/dev/full")
    assert code == 2
    assert b"The answer cannot be written: No space left on device." in err
    assert b"Traceback" not in err


def test_error_that_cannot_be_written_keeps_its_exit_code(workspace: Path) -> None:
    assert run(workspace, "nosuch", err="/dev/full")[0] == 2
    assert run(workspace, "status", err="/dev/full")[0] == 4


@pytest.mark.parametrize("streams", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_socket_does_not_take_the_place_of_a_closed_stream(daemon: FakeDaemon, streams: str) -> None:
    daemon.replies = [reply(ANSWER, exit=3)]
    shell = ["sh", "-c", f'exec "$0" "$@" {streams}', sys.executable, "-m", "cn_client", "map", "x.ts"]
    done = subprocess.run(shell, cwd=daemon.root, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (3, b"")


def test_help_of_a_reader_that_went_away(workspace: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "cn_client", "--help"],
        cwd=workspace,
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


def test_log_is_not_blamed_for_a_full_disk_behind_stdout(daemon: FakeDaemon, tmp_path: Path) -> None:
    (tmp_path / "own.log").write_text("a line\n")
    daemon.publish(log=str(tmp_path / "own.log"))
    code, _, err = run(daemon.root, "logs", out="/dev/full")
    assert (code, json.loads(err)["error"]["code"]) == (2, "unwritable")
