"""What other users of the machine put in a user's way: marks of a root, packages, state files."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cn_shared import folders, process, state
from cn_shared.folders import find_root

STRANGER = 54321


@pytest.fixture
def strangers(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Paths in it look as if another user owned them: only root could really give them away."""
    theirs: set[str] = set()

    def foreign(real: Any) -> Any:
        def stat(path: Any, *arguments: Any, **named: Any) -> os.stat_result:
            facts = real(path, *arguments, **named)
            if os.fspath(path) not in theirs:
                return facts
            values = list(facts)
            values[4] = STRANGER
            return os.stat_result(values)

        return stat

    monkeypatch.setattr(os, "stat", foreign(os.stat))
    monkeypatch.setattr(os, "lstat", foreign(os.lstat))
    return theirs


@pytest.mark.parametrize("mark", [".cn.json", ".git", "package.json", "tsconfig.json"])
def test_who_may_write_above_a_folder_does_not_choose_its_root(tmp_path: Path, strangers: set[str], mark: str) -> None:
    """With /tmp as the root, what lies in /tmp would be the workspace's."""
    shared, mine = tmp_path.resolve() / "shared", tmp_path.resolve() / "shared" / "mine"
    mine.mkdir(parents=True)
    (shared / mark).write_text("{}")
    assert find_root(str(mine)) == str(shared)
    strangers.add(str(shared / mark))
    assert find_root(str(mine)) == str(mine)
    strangers.add(str(mine))  # in a stranger's own folder their marks count, as in any clone
    assert find_root(str(mine)) == str(shared)


@contextlib.contextmanager
def listening() -> Iterator[tuple[int, list[bytes]]]:
    """A stranger's port, and what it was told."""
    told: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def hear() -> None:
            with contextlib.suppress(OSError):
                while True:
                    connection, _ = server.accept()
                    with connection:
                        told.append(connection.recv(65536))

        listener = threading.Thread(target=hear)
        listener.start()
        yield server.getsockname()[1], told
        server.shutdown(socket.SHUT_RDWR)
        listener.join()


def document(here: Path, port: int, **other: Any) -> dict[str, Any]:
    return {
        "schema": state.SCHEMA, "version": "0", "pid": os.getpid(), "processStart": process.start_of(os.getpid()),
        "host": "127.0.0.1", "port": port, "pumpPort": port, "token": "f" * 64, "root": str(here),
        "startedAt": "2026-01-01T00:00:00+00:00", "log": "/dev/null", "environment": "0" * 16, **other,
    }  # fmt: skip


def asked(root: Path) -> subprocess.CompletedProcess[str]:
    """`cn status` starts nothing: it asks whoever the state file names."""
    command = [sys.executable, "-P", "-m", "cn_client", "status", "--root", str(root)]
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)


def nested() -> list[Any]:
    deep: list[Any] = []
    for _ in range(900):
        deep = [deep]
    return deep


HOSTILE = {
    "naming a process that runs, as anybody sees it": (0o600, {}),
    "with a seal made up": (0o600, {"seal": "f" * 64}),
    "with a seal that is none": (0o600, {"seal": None}),
    "too deep to be sealed": (0o600, {"more": nested()}),
    "as git checks it out": (0o644, {}),
    "with the mode kept by an archive, naming the first process": (0o600, {"pid": 1, "processStart": ":1"}),
    "naming a process of the user's, of another start": (0o600, {"processStart": "0-0-0-0-0:12345"}),
    "with no start": (0o600, {"processStart": ""}),
    "of another root": (0o600, {"root": "/somewhere/else"}),
    "with a host of its own": (0o644, {"host": "evil.example"}),
    "with a token that ends the head": (0o600, {"token": "x\r\nHost: evil"}),
}


@pytest.mark.parametrize("how", HOSTILE)
def test_a_state_file_that_came_with_a_repository_is_not_believed(tmp_path: Path, how: str) -> None:
    root = tmp_path.resolve()
    mode, fields = HOSTILE[how]
    with listening() as (port, told):
        (root / state.NAME).write_text(json.dumps(document(root, port, **fields)))
        (root / state.NAME).chmod(mode)
        done = asked(root)
        assert (done.returncode, told) == (4, [])


CUT = [
    "", "{", "[", '"', "-", "nul", "\x00", "\xff\xfe", '{"a', '{"a":', '{"a":1,', '{"a":1', '{"schema":1}',
    "[" * 60_000, '{"a":' * 12_000, "{}{}", "1" * 60_000, '{"schema":1e999}', '{"schema":NaN}', "null", "[]", "true",
    "x" * 70_000,
]  # fmt: skip
FIELDS: list[dict[str, Any]] = [
    *({name: value} for name in ("pid", "port", "pumpPort", "schema", "token", "root", "processStart", "seal", "log")
      for value in (None, True, -1, 0, 1.5, 10**18, 10**4000, "", "x\0", "\ud800", [], {}, [[]], nested())),
    {"pid": 1 << 31}, {"pid": -1 << 63},
]  # fmt: skip
READING = """
import json, os, sys
content = json.load(open(sys.argv[1]))
for name in [name for name in sys.modules if name.partition(".")[0] == "json"]:
    del sys.modules[name]  # as in a call of cn
from cn_shared import state
root = sys.argv[2]
path = os.path.join(root, state.NAME)
for text in content:
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(text.encode("latin-1"))
    assert state.live(root) is None, text[:80]
    state.of_another_schema(path)
print("read", len(content))
"""


def test_whatever_an_archive_brings_in_its_place_is_stale_and_no_failure(tmp_path: Path) -> None:
    """`{` alone ended every call in a SystemError: the scanner's own error is in a module that cn does not import."""
    root = tmp_path.resolve()
    content = [*CUT, *(json.dumps({**document(root, 4711), **fields}) for fields in FIELDS)]
    (root / "content").write_text(json.dumps(content))
    command = [sys.executable, "-c", READING, str(root / "content"), str(root)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"read {len(content)}\n", "")


@pytest.mark.parametrize("kind", ["{", "a folder", "a named pipe", "a link to itself", "a link to a device"])
def test_a_question_goes_on_past_it(tmp_path: Path, kind: str) -> None:
    root = tmp_path.resolve()
    path = root / state.NAME
    match kind:
        case "a folder":
            path.mkdir()
        case "a named pipe":
            os.mkfifo(path, 0o600)
        case "a link to itself":
            path.symlink_to(path)
        case "a link to a device":
            path.symlink_to("/dev/zero")
        case _:
            path.write_text(kind)
            path.chmod(0o600)
    done = asked(root)
    assert (done.returncode, json.loads(done.stderr)["error"]["code"]) == (4, "no_daemon")
    published = state.publish(state.State(document(root, 4711)))  # and a daemon that starts finds a place
    assert state.live(str(root)) is not None
    assert state.withdraw(published)


def test_a_state_file_of_ours_that_was_changed_is_not_believed(tmp_path: Path) -> None:
    """The port of a listener of theirs in a file that a daemon of ours wrote."""
    root = tmp_path.resolve()
    with listening() as (port, told):
        state.publish(state.State(document(root, 4711)))
        content = json.loads((root / state.NAME).read_text())
        assert state.live(str(root)) is not None
        for changes in ({"port": port}, {"port": port, "pumpPort": port}, {"token": "0" * 64}, {"more": ""}):
            (root / state.NAME).write_text(json.dumps({**content, **changes}))
            assert (asked(root).returncode, told) == (4, [])


@pytest.mark.parametrize("harm", ["gone", "cut short", "too long", "readable by others", "a link", "a named pipe"])
def test_a_key_that_is_not_the_users_alone_seals_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, harm: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_STATE_HOME")
    published = state.publish(state.State(document(tmp_path, 4711)))
    key = tmp_path / ".local" / "state" / "cn" / "key"
    assert (key.stat().st_mode & 0o777, key.stat().st_size, published.sealed()) == (0o600, 32, True)
    content = key.read_bytes()
    match harm:
        case "cut short":
            key.write_bytes(content[:16])
        case "too long":
            key.write_bytes(content + b"x")
        case "readable by others":
            key.chmod(0o644)
        case _:
            key.unlink()
    if harm == "a link":
        (tmp_path / "elsewhere").write_bytes(content)
        (tmp_path / "elsewhere").chmod(0o600)
        key.symlink_to(tmp_path / "elsewhere")
    if harm == "a named pipe":
        os.mkfifo(key, 0o600)
    assert not published.sealed()
    assert state.live(str(tmp_path)) is None
    if harm in ("a link", "a named pipe"):
        with pytest.raises(OSError, match=r"."):
            state.publish(state.State(document(tmp_path, 4711)))
        return
    again = state.publish(state.State(document(tmp_path, 4711)))
    assert (again.sealed(), key.read_bytes() != content) == (True, True)


def test_a_key_is_found_by_home_whatever_the_state_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Agents start `cn mcp` without XDG variables."""
    monkeypatch.setenv("HOME", str(tmp_path))
    folder = str(tmp_path / "state")
    for mine, theirs in ((folder, ""), ("", folder)):
        monkeypatch.setenv("XDG_STATE_HOME", mine)
        published = state.publish(state.State(document(tmp_path, 4711)))
        monkeypatch.setenv("XDG_STATE_HOME", theirs)
        assert published.sealed()
    monkeypatch.setenv("HOME", str(tmp_path / "another"))
    assert not published.sealed()


def test_a_home_that_cannot_be_written_to_has_its_key_in_the_state_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/proc/nowhere")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    published = state.publish(state.State(document(tmp_path, 4711)))
    key = tmp_path / "state" / "cn" / "key"
    assert (key.stat().st_mode & 0o777, key.stat().st_size, published.sealed()) == (0o600, 32, True)
    monkeypatch.setenv("HOME", str(tmp_path))  # it can again: what runs is known still
    again = state.publish(state.State({**document(tmp_path, 4711), "token": "cd" * 32}))
    assert (published.sealed(), again.sealed()) == (True, True)
    key.unlink()
    assert (published.sealed(), again.sealed()) == (False, True)


def test_a_state_file_behind_a_link_is_not_believed(tmp_path: Path) -> None:
    root = tmp_path.resolve()
    with listening() as (port, told):
        real = root / "elsewhere.json"
        real.write_text(json.dumps(document(root, port)))
        real.chmod(0o600)
        (root / state.NAME).symlink_to(real)
        assert (asked(root).returncode, told) == (4, [])


def test_publishing_goes_over_a_link_and_not_through_it(tmp_path: Path) -> None:
    root, precious = tmp_path.resolve() / "root", tmp_path.resolve() / "precious"
    root.mkdir()
    precious.write_text("precious")
    for name in (state.NAME, state.NAME + ".tmp"):
        (root / name).symlink_to(precious)
    published = state.publish(state.State(document(root, 4711)))
    assert precious.read_text() == "precious"
    assert Path(published.path).stat().st_mode & 0o777 == 0o600
    assert not Path(published.path).is_symlink()


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("XDG_RUNTIME_DIR")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("how", ["a folder", "a link", "a link to nowhere", "a file"])
@pytest.mark.parametrize("home", [True, False])
def test_a_runtime_folder_that_another_user_made_first_is_not_used_and_stops_nobody(
    temporary: Path, monkeypatch: pytest.MonkeyPatch, strangers: set[str], how: str, home: bool
) -> None:
    folder = temporary / f"cn-{os.geteuid()}"
    folder.mkdir()
    folder.chmod(0o777)
    assert folders.runtime_folder() == folder
    assert folder.stat().st_mode & 0o777 == 0o700
    folder.rmdir()
    target = temporary / "target"
    match how:
        case "a folder":
            folder.mkdir(0o777)
            strangers.add(str(folder))
        case "a file":
            folder.write_text("")
        case _:
            folder.symlink_to(target)
            if how == "a link":
                target.mkdir()
    if not home:
        (temporary / "no folder").write_text("")
        monkeypatch.setenv("XDG_STATE_HOME", str(temporary / "no folder" / "state"))
    found = folders.runtime_folder()
    assert (found.is_symlink(), found.stat().st_uid, found.stat().st_mode & 0o777) == (False, os.geteuid(), 0o700)
    assert found.parent == (folders.state_folder() if home else temporary)
    assert folders.runtime_folder() == found  # every call agrees on it
    assert not target.exists() or not list(target.iterdir())
    if not home:  # who sits on that one too has to know it
        strangers.add(str(found))
        assert folders.runtime_folder() not in (folder, found)
