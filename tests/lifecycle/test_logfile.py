"""The log file stays short and tells no secret."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cn_daemon import logfile


@pytest.fixture
def quiet_root() -> Iterator[None]:
    root = logging.getLogger()
    before = root.handlers[:], root.level
    yield
    for handler in root.handlers:
        if handler not in before[0]:
            handler.close()
    root.handlers[:], root.level = before[0], before[1]


def test_a_long_log_is_cut_under_those_who_write_to_it(tmp_path: Path) -> None:
    log = tmp_path / "x.log"
    with log.open("ab") as writer:
        writer.write(b"a" * 900 + b"b" * 100)
        writer.flush()
        logfile.bound(log, limit=500, kept=100)
        writer.write(b"next")
        writer.flush()
    assert log.read_bytes() == b"next"
    assert (tmp_path / "x.log.1").read_bytes() == b"b" * 100


def test_a_short_log_and_no_log_are_left_alone(tmp_path: Path) -> None:
    logfile.bound(tmp_path / "none.log")
    (tmp_path / "x.log").write_text("short")
    logfile.bound(tmp_path / "x.log")
    assert os.listdir(tmp_path) == ["x.log"]


def test_the_token_never_gets_into_the_log(tmp_path: Path, quiet_root: None) -> None:
    path = logfile.open_log(tmp_path, "debug", "s3cret")
    try:
        raise ValueError("with s3cret inside")
    except ValueError:
        logging.getLogger("x").exception("told %s", "s3cret")
    text = path.read_text()
    assert "s3cret" not in text
    assert "told <token>" in text
    assert "ValueError: with <token> inside" in text


def test_no_log_is_everybodys_whatever_the_umask(tmp_path: Path, quiet_root: None) -> None:
    before = os.umask(0)
    try:
        path = logfile.open_log(tmp_path, "info", "token")
        logfile.bound(path, limit=-1, kept=0)
    finally:
        os.umask(before)
    files = (path, path.with_suffix(".log.1"))
    assert {file.stat().st_mode & 0o777 for file in files} == {0o600}


def test_what_others_say_cannot_look_like_a_line_of_ours(tmp_path: Path) -> None:
    """A request for /x%0A2026-… wrote a line of its own."""
    said = "/x\n2026-01-01 INFO cn: all is well\r\x1b[2J\u202e"
    line = logfile.Formatter("t0").format(logging.LogRecord("cn", logging.INFO, "", 0, "%s", (said,), None))
    assert line.endswith(r"/x\n2026-01-01 INFO cn: all is well\r\x1b[2J\u202e")
    assert len(line.splitlines()) == 1
    try:
        raise ValueError("forged\n2026-01-01 INFO cn: all is well")
    except ValueError:
        record = logging.LogRecord("cn", logging.ERROR, "", 0, "it failed", (), sys.exc_info())
    first, *rest = logfile.Formatter("t0").format(record).split("\n")
    assert first.endswith("it failed")
    assert all(line.startswith("    ") for line in rest)
