"""Who a process is, and how it is ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import psutil
import pytest

from cn_shared import process

IGNORING = "import signal; signal.signal(15, signal.SIG_IGN); print(0, flush=True); signal.pause()"
WAITING = "import signal; print(0, flush=True); signal.pause()"


@contextmanager
def running(program: str, **settings: object) -> Iterator[subprocess.Popen[bytes]]:
    child = subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        start_new_session=True,
        **settings,  # type: ignore[call-overload]
    )
    assert child.stdout is not None
    child.stdout.readline()
    try:
        yield child
    finally:
        child.kill()
        child.wait()
        child.stdout.close()


def start_of(child: subprocess.Popen[bytes]) -> str:
    start = process.start_of(child.pid)
    assert start
    return start


def test_a_process_keeps_its_start_and_others_have_another() -> None:
    with running(WAITING) as child:
        assert process.start_of(child.pid) == start_of(child)
        assert process.start_of(os.getpid()) != start_of(child)
        assert process.alive(child.pid, start_of(child))
        assert not process.alive(child.pid, start_of(child) + "0")


@pytest.mark.parametrize("pid", [0, -1, 4194305])
def test_no_process_is_nobody(pid: int) -> None:
    assert not process.alive(pid, "x")


def test_a_zombie_does_not_run() -> None:
    with running(WAITING) as child:
        start = start_of(child)
        os.kill(child.pid, signal.SIGKILL)
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        assert psutil.Process(child.pid).status() == psutil.STATUS_ZOMBIE
        assert not process.alive(child.pid, start)
        assert process.wait_until_gone(child.pid, start, 0.0)


def test_a_name_full_of_parentheses(tmp_path: object) -> None:
    program = "import signal; open('/proc/self/comm', 'w').write(') Z 1 (('); print(0, flush=True); signal.pause()"
    with running(program) as child:
        assert process.alive(child.pid, start_of(child))


def test_waiting_ends_with_the_process_or_the_time() -> None:
    with running(WAITING) as child:
        start = start_of(child)
        assert not process.wait_until_gone(child.pid, start, 0.01)
        child.kill()
        assert process.wait_until_gone(child.pid, start, 10)


def test_waiting_without_a_pidfd(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "pidfd_open", raising=False)
    with running(WAITING) as child:
        start = start_of(child)
        assert not process.wait_until_gone(child.pid, start, 0.01)
        child.kill()
        assert process.wait_until_gone(child.pid, start, 10)


@pytest.mark.parametrize("program", [WAITING, IGNORING])
def test_a_group_is_ended_even_when_it_does_not_want_to(program: str) -> None:
    with running(program) as child:
        start = start_of(child)
        assert process.end_group(child.pid, start, 0.1)
        assert not process.alive(child.pid, start)


def test_members_of_the_group_are_ended_with_their_leader() -> None:
    program = (
        "import subprocess, sys, signal\n"
        f"child = subprocess.Popen([sys.executable, '-c', {IGNORING!r}], stdout=subprocess.PIPE)\n"
        "child.stdout.readline()\nprint(child.pid, flush=True)\nsignal.pause()\n"
    )
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, start_new_session=True)
    with child:
        assert child.stdout is not None
        member = int(child.stdout.readline())
        start = process.start_of(member)
        assert start
        assert process.end_group(child.pid, start_of(child), 1.0)
        assert process.wait_until_gone(member, start, 5)


def test_another_process_with_that_pid_is_left_alone() -> None:
    with running(WAITING) as child:
        assert process.end_group(child.pid, "boot:1", 0.1)
        assert child.poll() is None


def test_psutil_tells_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "LINUX", False)
    start = process.start_of(os.getpid())
    assert start == repr(psutil.Process().create_time())
    assert process.start_of(4194305) is None
