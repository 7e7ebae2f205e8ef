"""Stopping: by every way there is, with nothing left behind."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cn_shared import process, state
from tests.faults.workbench import Workbench, error_of


def ended(bench: Workbench, daemon: state.State, within_s: float = 20.0) -> bool:
    return process.wait_until_gone(daemon.pid, daemon.process_start, within_s)


def test_stop_returns_once_the_process_has_ended(bench: Workbench) -> None:
    daemon = bench.start()
    done = bench.cn("stop")
    assert done.returncode == 0
    assert json.loads(done.stdout) == {"stopped": True, "root": str(bench.root), "pid": daemon.pid}
    assert not daemon.runs()
    assert not bench.state_file.exists()


def test_stop_tells_a_person(bench: Workbench) -> None:
    daemon = bench.start()
    assert bench.cn("stop", "--text").stdout == f"Stopped the daemon of {bench.root} (pid {daemon.pid}).\n"


def test_stop_without_a_daemon_is_no_error(bench: Workbench) -> None:
    done = bench.cn("stop")
    assert done.returncode == 0
    assert json.loads(done.stdout)["stopped"] is False
    assert bench.cn("stop", "--text").stdout == f"No daemon was running for {bench.root}.\n"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_withdraws_the_state_file(bench: Workbench, number: signal.Signals) -> None:
    daemon = bench.start()
    os.kill(daemon.pid, number)
    assert ended(bench, daemon)
    assert not bench.state_file.exists()
    assert f"stopping: {number.name}" in Path(str(daemon.document["log"])).read_text()


def test_sighup_is_nothing_to_a_daemon(bench: Workbench) -> None:
    daemon = bench.start()
    os.kill(daemon.pid, signal.SIGHUP)
    assert bench.status()["pid"] == daemon.pid


def test_a_killed_daemon_is_replaced_without_a_word(bench: Workbench) -> None:
    old = bench.start()
    os.kill(old.pid, signal.SIGKILL)
    assert ended(bench, old)
    assert bench.state_file.exists()
    done = bench.cn("start")
    assert (done.returncode, done.stderr) == (0, "")
    assert bench.state().pid != old.pid


def test_what_a_killed_daemon_left_running_is_swept(bench: Workbench) -> None:
    # A stand-in for a language server that does not mind its closed stdin: it is put on record by a process
    # that is then killed, as a daemon might be.
    program = (
        "import os, subprocess, sys, signal\n"
        "from cn_shared.children import record_child\n"
        "stubborn = 'import signal; signal.signal(15, signal.SIG_IGN); print(0, flush=True); signal.pause()'\n"
        "child = subprocess.Popen([sys.executable, '-c', stubborn], start_new_session=True,\n"
        "                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)\n"
        "child.stdout.readline()\n"
        f"record_child({str(bench.root)!r}, child.pid)\n"
        "print(child.pid, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env=bench.environment, capture_output=True, text=True, timeout=30
    )
    pid = int(done.stdout)
    start = process.start_of(pid)
    assert start
    bench.start()
    assert not process.alive(pid, start)


def test_a_stopped_process_is_told_at_the_deadline_and_ended_by_stop(bench: Workbench) -> None:
    daemon = bench.start()
    os.kill(daemon.pid, signal.SIGSTOP)
    done = bench.cn("status", "--deadline", "0.5")
    assert done.returncode == 7
    assert error_of(done)["code"] == "no_answer"
    assert bench.cn("stop", "--deadline", "1").returncode == 0
    assert not daemon.runs()
    assert not bench.state_file.exists()


def test_idle_shutdown(bench: Workbench) -> None:
    bench.environment["CN_IDLE_TIMEOUT_S"] = "1"
    # What `cn start` printed, not the state file: on a slow machine the daemon is gone before that could be read.
    daemon = bench.cn("start")
    assert daemon.returncode == 0, daemon.stderr
    told = json.loads(daemon.stdout)
    start = process.start_of(told["pid"])
    assert not start or process.wait_until_gone(told["pid"], start, 20.0)
    assert not bench.state_file.exists()
    assert "stopping: idle for 1 s" in Path(told["log"]).read_text()


def test_a_removed_root_ends_its_daemon(bench: Workbench) -> None:
    daemon = bench.start()
    shutil.rmtree(bench.root)
    assert ended(bench, daemon)


def test_a_root_made_anew_gets_a_daemon_of_its_own(bench: Workbench) -> None:
    old = bench.start()
    shutil.rmtree(bench.root)
    bench.root.mkdir()
    (bench.root / ".cn.json").write_text("{}")
    new = bench.start()
    assert new.pid != old.pid
    assert ended(bench, old)
    assert bench.status()["pid"] == new.pid


def test_the_token_is_in_no_log(bench: Workbench) -> None:
    bench.environment["CN_LOG_LEVEL"] = "debug"
    daemon = bench.start()
    bench.cn("find", "User")
    bench.cn("stop")
    assert daemon.token not in Path(str(daemon.document["log"])).read_text()
