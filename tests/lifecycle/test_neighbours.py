"""The daemons of one user, and the memory that they take together."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from cn_daemon.adapters import neighbours
from cn_daemon.adapters.neighbours import Neighbours, share_bytes
from cn_daemon.adapters.process_tree import resident_by_family
from cn_shared import process
from tests.faults.workbench import Workbench

WAITING = (
    "import signal; signal.pthread_sigmask(0, {10}); print(1, flush=True); print(signal.sigwait({10}), flush=True)"
)
MINUTE = 60.0


@pytest.fixture
def others(tmp_path: Path) -> Iterator[list[subprocess.Popen[str]]]:
    """Three processes that wait for the signal; the file of each is a minute older than that of the next."""
    started = [subprocess.Popen([sys.executable, "-c", WAITING], stdout=subprocess.PIPE, text=True) for _ in range(3)]
    for age, one in zip((4, 3, 2), started, strict=True):
        assert one.stdout is not None
        assert one.stdout.readline() == "1\n"
        file = tmp_path / f"{one.pid} {process.start_of(one.pid)}"
        file.touch()
        os.utime(file, (0, time.time() - age * MINUTE))
    yield started
    for one in started:
        one.kill()
        one.communicate()


def weighing(mb: int) -> Any:
    return lambda pids: dict.fromkeys(pids, mb << 20)


def test_past_the_limit_the_one_that_was_idle_for_longest_is_told(
    tmp_path: Path, others: list[subprocess.Popen[str]]
) -> None:
    one = Neighbours(tmp_path, weighing(100))
    one.use()
    assert one.relieve(400 << 20) is None
    assert one.relieve(399 << 20) == (others[0].pid, 400 << 20)
    assert others[0].communicate(timeout=10)[0] == f"{signal.SIGUSR1.value}\n"
    assert one.relieve(400 << 20) is None  # it has ended, and weighs nothing
    assert one.relieve(200 << 20) == (others[1].pid, 300 << 20)
    assert len(list(tmp_path.iterdir())) == 3


def test_none_is_told_that_was_asked_just_now_or_is_another_process(
    tmp_path: Path, others: list[subprocess.Popen[str]]
) -> None:
    one = Neighbours(tmp_path, weighing(100))
    one.use()
    for file in tmp_path.iterdir():
        os.utime(file)
    assert one.relieve(1) is None
    for file in list(tmp_path.iterdir()):
        os.utime(file.rename(file.with_name(file.name + "0")), (0, 0))  # a pid that has passed on to another
    assert one.relieve(1) is None
    assert list(tmp_path.iterdir()) == []


def test_alone_nobody_is_weighed(tmp_path: Path) -> None:
    def weigh(pids: Collection[int]) -> dict[int, int]:
        raise AssertionError

    one = Neighbours(tmp_path, weigh)
    one.use()
    assert one.relieve(0) is None
    one.leave()
    one.leave()
    assert not tmp_path.exists()


def test_a_family_weighs_what_all_of_it_weighs() -> None:
    code = "import subprocess, sys; x = bytearray(50 << 20); subprocess.run([sys.executable, '-c', sys.argv[1]])"
    inner = "x = bytearray(70 << 20); print(1, flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", code, inner], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as one:
        assert one.stdout is not None
        assert one.stdout.readline() == "1\n"
        weighed = resident_by_family([one.pid, 1 << 30])
        assert (120 << 20) < weighed[one.pid] < (200 << 20)
        assert weighed[1 << 30] == 0
        one.communicate("\n")


def test_the_limit_is_half_of_the_machines_or_the_containers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(neighbours, "_CGROUP", tmp_path / "memory.max")
    assert share_bytes(0) == psutil.virtual_memory().total // 2
    (tmp_path / "memory.max").write_text("max\n")
    assert share_bytes(0) == psutil.virtual_memory().total // 2
    (tmp_path / "memory.max").write_text(f"{1 << 28}\n")
    assert share_bytes(0) == 1 << 27
    assert share_bytes(300) == 300 << 20


@pytest.fixture
def benches(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[tuple[Workbench, Workbench]]:
    """Two workspaces of one user, who grants a megabyte."""
    servers = request.node.get_closest_marker("server") is not None
    found = []
    for name in ("idle", "asked"):
        (tmp_path / name).mkdir()
        found.append(Workbench((tmp_path / name).resolve(), servers=servers))
        found[-1].environment["XDG_STATE_HOME"] = found[0].environment["XDG_STATE_HOME"]
        found[-1].environment["CN_MEMORY_LIMIT_MB"] = "1"
    yield found[0], found[1]
    for one in found:
        one.close()


def test_an_idle_daemon_without_servers_ends_when_all_take_too_much(benches: tuple[Workbench, Workbench]) -> None:
    idle, asked = benches
    for one in benches:
        one.add_command()
    idle.start()
    found = idle.state()
    log = Path(str(found.document["log"]))
    (file,) = (Path(idle.environment["XDG_STATE_HOME"]) / "cn" / "daemons").glob(f"{found.pid} *")
    os.utime(file, (0, 0))
    asked.start()
    deadline = time.monotonic() + 60
    while process.alive(found.pid, found.process_start):
        assert time.monotonic() < deadline, log.read_text()
        asked.commands()
        time.sleep(5)
    assert "stopping: all daemons take more memory than memory_limit_mb allows" in log.read_text()
    assert not file.exists()
    assert idle.commands() == ["deploy"]  # the next question starts it


@pytest.mark.server
def test_an_idle_daemon_puts_its_servers_to_rest_and_says_so(benches: tuple[Workbench, Workbench]) -> None:
    idle, _ = benches
    (idle.root / "tsconfig.json").write_text("{}")
    (idle.root / "a.ts").write_text("export const one = 1;\nexport const two = one;\n")
    assert idle.cn("hover", "a.ts:1:14").returncode == 0
    server, *_ = idle.status()["languageServers"]
    before = idle.status()["pid"]
    os.kill(before, signal.SIGUSR1)
    assert process.wait_until_gone(server["pid"], process.start_of(server["pid"]) or "", 20)
    status = idle.status()
    assert (status["pid"], status["languageServers"][0]["state"]) == (before, "stopped")
    assert any("memory_limit_mb" in warning for warning in status["warnings"])
    assert idle.cn("hover", "a.ts:1:14").returncode == 0
    assert not any("memory_limit_mb" in warning for warning in idle.status()["warnings"])
