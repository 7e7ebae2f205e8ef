"""No language server outlives its daemon, not even one that ignores everything but SIGKILL."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path

import pytest

from cn_daemon.adapters.language_servers.provisioning import Toolchain
from cn_shared import process, state
from tests.faults.workbench import Workbench

# It never answers, minds neither a closed stdin nor SIGTERM, and tells who it is.
STUBBORN = (
    "import os, signal, sys; signal.signal(signal.SIGTERM, signal.SIG_IGN); "
    "open(sys.argv[1] + '.new', 'w').write(str(os.getpid())); os.replace(sys.argv[1] + '.new', sys.argv[1]); "
    "signal.pause()"
)


@pytest.fixture
def stubborn(bench: Workbench, tmp_path: Path) -> Path:
    """Where the stubborn language server of `bench` writes its pid."""
    pid_file = tmp_path / "server.pid"
    bench.environment["CN_SERVER_COMMAND"] = json.dumps([sys.executable, "-c", STUBBORN, str(pid_file), "--stdio"])
    bench.environment["CN_BINDINGS"] = "off"  # by names alone no language server is asked
    (bench.root / "a.ts").write_text("export const a = 1\n")
    (bench.root / "tsconfig.json").write_text("{}\n")
    return pid_file


def appeared(file: Path, within_s: float = 20.0) -> None:
    end = time.monotonic() + within_s
    while not file.exists():
        assert time.monotonic() < end, f"{file} did not appear"
        time.sleep(0.005)


def server_of(pid_file: Path) -> tuple[int, str]:
    appeared(pid_file)
    pid = int(pid_file.read_text())
    start = process.start_of(pid)
    assert start
    pid_file.unlink()
    return pid, start


def recorded(bench: Workbench, pid: int, within_s: float = 20.0) -> None:
    """Wait until the daemon noted that child."""
    folder = Path(bench.environment["XDG_RUNTIME_DIR"]) / "cn"
    record = folder / (state.root_key(str(bench.root)) + ".children")
    end = time.monotonic() + within_s
    while not (record.exists() and f" {pid} " in record.read_text()):
        assert time.monotonic() < end, "the daemon did not record its language server"
        time.sleep(0.005)


@pytest.mark.parametrize("way", ["stop", "SIGTERM", "SIGKILL, then stop", "SIGKILL, then the next call"])
def test_no_orphan(bench: Workbench, stubborn: Path, way: str) -> None:
    call = bench.spawn("map", "a.ts", "--deadline", "30")
    appeared(bench.state_file)
    daemon = bench.state()
    server = server_of(stubborn)
    recorded(bench, server[0])
    call.kill()  # it would start a new daemon for its pending question
    call.communicate(timeout=30)
    if way.startswith("SIG"):
        os.kill(daemon.pid, signal.SIGTERM if way == "SIGTERM" else signal.SIGKILL)
    if way.endswith("stop"):
        assert bench.cn("stop").returncode == 0
    elif way.endswith("call"):
        bench.cn("start")
    assert process.wait_until_gone(daemon.pid, daemon.process_start, 20)
    assert process.wait_until_gone(*server, 20 if way == "SIGTERM" else 0.0)
    bench.cn("stop")


# The daemon kills itself when it is about to put its language server on record.
KILLED_UNRECORDED = """
import sys
if "cn_daemon" in sys.orig_argv:
    import os, signal
    from cn_shared import children
    record = children.record_child
    def command(pid):  # for a moment after exec() a process has none, and it has none when it has ended
        while True:
            with open(f"/proc/{pid}/cmdline") as line, open(f"/proc/{pid}/stat") as facts:
                told, state = line.read(), facts.read().rpartition(")")[2].split()[0]
            if told or state in "ZX":
                return told
    def record_child(root, pid):
        if not command(pid).endswith("--stdio\\0"):
            return record(root, pid)
        with open(os.environ["UNRECORDED"], "a") as file:
            file.write(f"{pid}\\n")
        os.kill(os.getpid(), signal.SIGKILL)
    children.record_child = record_child
"""


@pytest.mark.server
@pytest.mark.parametrize("server", ["typescript", "native"])
def test_a_server_that_was_not_put_on_record_ends_with_its_input(
    bench: Workbench, toolchain: Toolchain, tmp_path: Path, server: str
) -> None:
    bench.patch(tmp_path / "patch", KILLED_UNRECORDED)
    bench.environment["UNRECORDED"] = str(tmp_path / "pids")
    bench.environment["CN_SERVER"] = server
    (bench.root / "a.ts").write_text("export const a = 1\n")
    assert bench.cn("map", "a.ts", "--deadline", "40").returncode == 4
    servers = [int(line) for line in (tmp_path / "pids").read_text().split()]
    assert servers
    for pid in servers:
        start = process.start_of(pid)
        assert start is None or process.wait_until_gone(pid, start, 20)


def test_one_that_was_not_put_on_record_ends_with_the_next_call(
    bench: Workbench, stubborn: Path, tmp_path: Path
) -> None:
    environment = dict(bench.environment)
    bench.patch(tmp_path / "patch", KILLED_UNRECORDED)
    bench.environment["UNRECORDED"] = str(tmp_path / "pids")
    assert bench.cn("map", "a.ts", "--deadline", "40").returncode == 4
    last = int((tmp_path / "pids").read_text().split()[-1])
    start = process.start_of(last)
    assert start
    bench.environment = environment
    bench.cn("stop")
    assert not process.alive(last, start)


def test_a_question_whose_daemon_is_killed_is_asked_again(bench: Workbench, stubborn: Path) -> None:
    first = bench.start()
    call = bench.spawn("hover", "a.ts:1:14", "--deadline", "8")
    while not connected(call.pid, first):
        assert call.poll() is None
    os.kill(first.pid, signal.SIGKILL)
    out, err = call.communicate(timeout=60)
    second = bench.state()
    assert second.pid != first.pid
    # Answered by the second daemon: its language server never answers either.
    assert json.loads(err)["error"]["code"] not in ("connection_lost", "no_daemon"), (out, err)
    assert bench.cn("stop").returncode == 0


def connected(pid: int, daemon: state.State) -> bool:
    """Whether the call has sent its question: an established connection to the daemon's port, on Linux."""
    mine = set()
    try:
        for link in Path(f"/proc/{pid}/fd").iterdir():
            mine.add(str(link.readlink()))
    except OSError:
        return False
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        fields = line.split()
        if fields[2] == f"0100007F:{daemon.port:04X}" and fields[3] == "01" and f"socket:[{fields[9]}]" in mine:
            return True
    return False
