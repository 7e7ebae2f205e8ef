"""The start lock, and what a start that fails tells."""

from __future__ import annotations

import fcntl
import json
import os
import threading
import time
from pathlib import Path

import pytest

from cn_client import launcher
from cn_client.start_lock import start_lock
from cn_shared.errors import DeadlineError, NoDaemonError
from cn_shared.state import log_path, root_key, runtime_folder, state_folder


def lock_of(root: str) -> Path:
    return runtime_folder() / (root_key(root) + ".lock")


def soon() -> float:
    return time.monotonic() + 10


def test_the_lock_is_given_back(tmp_path: Path) -> None:
    root = str(tmp_path)
    for _ in range(2):
        with start_lock(root, soon()), open(lock_of(root)) as other, pytest.raises(BlockingIOError):
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_a_lock_that_is_freed_in_time_is_had(tmp_path: Path) -> None:
    root = str(tmp_path)
    holder = os.open(lock_of(root), os.O_RDWR | os.O_CREAT)
    fcntl.flock(holder, fcntl.LOCK_EX)
    timer = threading.Timer(0.05, os.close, [holder])
    timer.start()
    with start_lock(root, soon()):
        pass
    timer.join()


def test_a_lock_that_comes_too_late_is_given_back(tmp_path: Path) -> None:
    root = str(tmp_path)
    with open(lock_of(root), "w") as holder:
        fcntl.flock(holder, fcntl.LOCK_EX)
        before = threading.active_count()
        with pytest.raises(DeadlineError), start_lock(root, time.monotonic()):
            pass
    while threading.active_count() > before:  # the thread that waited gets it now, and closes it
        threading.Event().wait(0.005)
    with start_lock(root, soon()):
        pass


def test_no_place_for_a_lock_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cn").write_text("in the way")
    for variable in ("XDG_RUNTIME_DIR", "XDG_STATE_HOME"):
        monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "cn"))
    with pytest.raises(NoDaemonError) as caught, start_lock("/x", soon()):
        pass
    assert caught.value.code == "no_lock"


def test_no_place_for_the_log_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    (tmp_path / "cn").write_text("in the way")
    with pytest.raises(NoDaemonError) as caught:
        launcher.ensure(str(tmp_path), soon())
    assert caught.value.code == "start_failed"


def test_the_error_of_a_failed_start_keeps_its_code_exit_and_data() -> None:
    line = json.dumps({"exit": 2, "error": {"code": "bad_settings", "message": "No.", "hint": "So.", "key": "node"}})
    error = launcher._start_error(line.encode())
    assert error.exit_code == 2
    assert error.document()["error"] == {"code": "bad_settings", "message": "No.", "hint": "So.", "key": "node"}


def test_the_logs_last_lines() -> None:
    state_folder()
    Path(log_path("/some root")).write_bytes(b"".join(b"line %d\n" % number for number in range(5000)) + b"\xff\n")
    assert launcher.log_tail("/some root")[-2:] == ["line 4999", "\ufffd"]
    assert launcher.log_tail("/another root") == []
