"""Folders that cannot be written to, and a disk that is full: there from the start, or under a running daemon."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from cn_shared import process, state
from tests.faults.workbench import Workbench, error_of

# root may write everywhere, unless it gives that up.
_LIKE_ANYBODY = ("--bounding-set", "-dac_override", "--inh-caps", "-dac_override", "--")


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A disk of its own of 1 MB."""
    folder = tmp_path / "small"
    folder.mkdir()
    options = ["-t", "tmpfs", "-o", "size=1m,mode=700", "none", str(folder)]
    if os.geteuid() != 0 or subprocess.run(["mount", *options], capture_output=True).returncode:
        pytest.skip("no disk can be mounted here")
    yield folder.resolve()
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(folder: Path) -> Path:
    """Leave not one byte."""
    file = folder / "full"
    with file.open("wb", buffering=0) as out:
        for size in (4096, 1):
            try:
                while True:
                    out.write(bytes(size))
            except OSError:
                continue
    return file


def found(bench: Workbench, path: str) -> state.State:
    told = state.read(path)
    assert told is not None
    bench.seen[told.pid, told.process_start] = None
    return told


def test_a_full_disk_at_the_root(library: Workbench, small: Path) -> None:
    """The state file goes where there is room."""
    shutil.copytree(library.root, small, dirs_exist_ok=True)
    library.root = small
    fill(small)
    assert library.commands() == ["deploy"]
    told = library.status()
    found(library, told["stateFile"])
    assert Path(told["stateFile"]).is_relative_to(library.environment["XDG_CACHE_HOME"])
    assert sorted(path.name for path in small.iterdir()) == [".claude", ".cn.json", "full"]
    assert library.commands() == ["deploy"]
    assert library.cn("stop").returncode == 0
    assert not Path(told["stateFile"]).exists()


def test_a_full_disk_everywhere(small: Path) -> None:
    """One clear error; and once there is room again, the answer."""
    bench = Workbench(small)
    bench.add_command()
    full = fill(small)
    done = bench.cn("commands")
    error = error_of(done)
    assert (done.returncode, error["code"]) in ((4, "start_failed"), (4, "no_place")), done
    assert "No space left" in str(error)
    assert bench.alive() == []
    full.unlink()
    assert bench.commands() == ["deploy"]
    assert bench.cn("stop").returncode == 0
    bench.close()


def test_a_disk_that_fills_under_a_daemon(small: Path) -> None:
    """It goes on answering; and its state file, when that is lost, is written again once there is room."""
    bench = Workbench(small)
    bench.add_command()
    daemon = bench.start()
    full = fill(small)
    assert bench.commands() == ["deploy"]
    bench.state_file.unlink()
    # What was in the file is room for a new one.
    fill(small)
    assert process.wait_until_gone(daemon.pid, daemon.process_start, 20), "nobody can find it, and it lives on"
    full.unlink()
    assert bench.commands() == ["deploy"]
    assert bench.cn("stop").returncode == 0
    bench.close()


def test_a_folder_that_is_read_only(library: Workbench) -> None:
    library.root.chmod(0o555)
    command = library.command
    if os.geteuid() == 0:
        setpriv = shutil.which("setpriv")
        if setpriv is None:
            pytest.skip("root can write everywhere")
        library.command = lambda *arguments: [setpriv, *_LIKE_ANYBODY, *command(*arguments)]  # type: ignore[method-assign]
    assert library.commands() == ["deploy"]
    told = library.status()
    found(library, told["stateFile"])
    assert Path(told["stateFile"]).is_relative_to(library.environment["XDG_CACHE_HOME"])
    # As it becomes writable the daemon stays the one.
    library.root.chmod(0o755)
    assert library.commands() == ["deploy"]
    assert library.status()["pid"] == told["pid"]
    assert library.cn("stop").returncode == 0
