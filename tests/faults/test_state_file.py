"""A state file that is stale, broken, somebody else's, or tells of a port that is: recovered from without a word."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from cn_shared import process, state
from tests.faults.workbench import Workbench


def document(bench: Workbench, **changes: object) -> dict[str, object]:
    """The file of a daemon that does not run."""
    return {
        "schema": 1,
        "version": "0.1.0",
        "pid": 4194304,
        "processStart": "boot:1",
        "host": "127.0.0.1",
        "port": 9,
        "token": "0" * 64,
        "root": str(bench.root),
        "startedAt": "2026-01-01T00:00:00+00:00",
        "log": "",
        "environment": "",
        **changes,
    }


def written(path: Path, content: str, mode: int = 0o600) -> None:
    path.write_text(content)
    path.chmod(mode)


BROKEN: dict[str, Callable[[Workbench], None]] = {
    "stale": lambda bench: written(bench.state_file, json.dumps(document(bench))),
    "empty": lambda bench: written(bench.state_file, ""),
    "cut short": lambda bench: written(bench.state_file, json.dumps(document(bench))[:40]),
    "no JSON": lambda bench: written(bench.state_file, "{port: 1}"),
    "an array": lambda bench: written(bench.state_file, "[]"),
    "deep": lambda bench: written(bench.state_file, "[" * 60000),
    "binary": lambda bench: bench.state_file.write_bytes(b"\xff\xfe\x00") and None,
    "huge": lambda bench: written(bench.state_file, " " * 200_000),
    "another schema": lambda bench: written(bench.state_file, json.dumps(document(bench, schema=2))),
    "a port of text": lambda bench: written(bench.state_file, json.dumps(document(bench, port="80"))),
    "a header in the token": lambda bench: written(bench.state_file, json.dumps(document(bench, token="x\r\nHost: y"))),
    "readable by others": lambda bench: written(bench.state_file, json.dumps(document(bench)), 0o644),
    "a link": lambda bench: bench.state_file.symlink_to("/etc/hostname"),
    "a named pipe": lambda bench: os.mkfifo(bench.state_file, 0o600),
    "a folder": lambda bench: bench.state_file.mkdir(),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_state_file_is_recovered_from(bench: Workbench, kind: str) -> None:
    BROKEN[kind](bench)
    done = bench.cn("start", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    answer = json.loads(done.stdout)
    found = state.read(answer["stateFile"])
    assert found
    bench.seen[found.pid, found.process_start] = None
    assert bench.status()["pid"] == answer["pid"]


def test_a_copied_workspace_gets_a_daemon_of_its_own(bench: Workbench, tmp_path: Path) -> None:
    first = bench.start()
    copy = tmp_path / "copy"
    shutil.copytree(bench.root, copy)
    answer = json.loads(bench.cn("start", "--root", str(copy)).stdout)
    found = state.read(str(copy / state.NAME))
    assert found
    bench.seen[found.pid, found.process_start] = None
    assert answer["pid"] != first.pid
    assert bench.status()["pid"] == first.pid


def test_no_token_goes_to_a_program_that_has_the_port_now(bench: Workbench) -> None:
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as stranger:
        thread = threading.Thread(target=lambda: heard.append(_first_bytes(stranger)), daemon=True)
        thread.start()
        content = json.dumps(document(bench, port=stranger.getsockname()[1]))
        written(bench.state_file, content)
        assert bench.cn("start").returncode == 0
        assert heard == []
        # What ends the thread is ours: nobody came before.
        with socket.create_connection(stranger.getsockname()) as ours:
            ours.sendall(b"ours")
        thread.join(10)
    assert heard == [b"ours"]


def test_a_pid_that_was_given_to_another_process_is_not_ours(bench: Workbench) -> None:
    mine = process.start_of(os.getpid())
    assert mine
    boot, ticks = mine.rsplit(":", 1)
    written(
        bench.state_file,
        json.dumps(document(bench, pid=os.getpid(), processStart=f"{boot}:{int(ticks) - 1}")),
    )
    assert bench.start().pid != os.getpid()


def test_a_removed_state_file_is_written_again(bench: Workbench) -> None:
    before = bench.start()
    seen = _watch_for(bench.state_file)
    bench.state_file.unlink()
    assert seen.wait(timeout=20) == 0
    assert bench.state().token == before.token
    assert bench.status()["pid"] == before.pid


def test_a_daemon_whose_place_was_taken_ends(bench: Workbench) -> None:
    old = bench.start()
    bench.state_file.unlink()
    new = bench.start()
    if new.pid == old.pid:
        pytest.skip("the daemon was quicker and wrote its file again")
    assert process.wait_until_gone(old.pid, old.process_start, 20)
    assert bench.state().token == new.token


def test_another_home_of_the_same_user_gets_a_daemon_of_its_own(library: Workbench, tmp_path: Path) -> None:
    """Its seal is not known there: right answers, and one daemon at a time."""
    homes = library.environment, {**library.environment, "HOME": str(tmp_path / "other")}
    for library.environment in (*homes, *homes):
        assert library.commands() == ["deploy"]
        for pid, start in list(library.seen)[:-1]:
            assert process.wait_until_gone(pid, start, 20)
    assert library.cn("stop").returncode == 0


def test_an_agent_that_passes_on_no_xdg_variable_finds_the_same_daemon(library: Workbench) -> None:
    """Its `cn mcp` and the terminal's `cn` replaced each other's daemon, by turns."""
    whole = library.environment
    bare = {name: value for name, value in whole.items() if not name.startswith("XDG_")}
    for library.environment in (whole, bare, whole):
        assert library.commands() == ["deploy"]
    assert len(library.seen) == 1
    assert library.cn("stop").returncode == 0
    for library.environment in (bare, whole):  # started by either
        assert library.commands() == ["deploy"]
    assert len(library.seen) == 2


@pytest.mark.skipif(os.geteuid() != 0, reason="needs to be another user for once")
def test_another_users_state_file_is_left_alone(bench: Workbench) -> None:
    written(bench.state_file, json.dumps(document(bench)))
    os.chown(bench.state_file, 65534, 65534)
    content = bench.state_file.read_bytes()
    answer = json.loads(bench.cn("start").stdout)
    found = state.read(answer["stateFile"])
    assert found
    bench.seen[found.pid, found.process_start] = None
    assert bench.state_file.read_bytes() == content
    assert Path(answer["stateFile"]).is_relative_to(bench.environment["XDG_CACHE_HOME"])
    assert bench.cn("stop").returncode == 0
    assert bench.state_file.read_bytes() == content


def _first_bytes(server: socket.socket) -> bytes:
    connection, _ = server.accept()
    with connection:
        return connection.recv(4096)


def _watch_for(path: Path) -> subprocess.Popen[bytes]:
    """A process that ends once `path` was removed and is there again."""
    program = (
        "import os, sys, time\nend = time.monotonic() + 15\n"
        "while os.path.exists(sys.argv[1]):\n    time.sleep(0.001)\n    assert time.monotonic() < end\n"
        "while not os.path.exists(sys.argv[1]):\n    time.sleep(0.01)\n    assert time.monotonic() < end\n"
    )
    return subprocess.Popen([sys.executable, "-c", program, str(path)])
