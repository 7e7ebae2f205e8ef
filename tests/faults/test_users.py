"""Two users on one machine, in one workspace: each has a daemon of their own, and no way to the other's."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from cn_shared import state
from tests.faults.workbench import Workbench

OTHER = 65534
# Of root's powers it keeps that to read and search: the Python that runs the tests may lie in root's home.
AS_OTHER = (
    "setpriv", f"--reuid={OTHER}", f"--regid={OTHER}", "--clear-groups", "--inh-caps=-all,+dac_read_search",
    "--ambient-caps=-all,+dac_read_search", "--bounding-set=-all,+dac_read_search", "--",
)  # fmt: skip


class Neighbour(Workbench):
    """Another user, in the same workspace."""

    def __init__(self, folder: Path, root: Path) -> None:
        super().__init__(folder)
        self.root = root
        # What measures the tests writes where this user may not.
        self.environment = {name: value for name, value in self.environment.items() if not name.startswith("COV")}
        self.environment |= {"CN_SERVER_COMMAND": '["true"]', "HOME": str(folder), "TMPDIR": str(folder)}
        for path in (folder, *folder.iterdir()):
            os.chown(path, OTHER, OTHER)

    def command(self, *arguments: str) -> list[str]:
        return [*AS_OTHER, *super().command(*arguments)]


@pytest.fixture
def both() -> Iterator[tuple[Workbench, Neighbour]]:
    if os.geteuid() != 0 or shutil.which("setpriv") is None:
        pytest.skip("needs to be two users")
    if subprocess.run([*AS_OTHER, "true"], capture_output=True).returncode:
        pytest.skip("the other user cannot be given the power to read")
    folder = Path(tempfile.mkdtemp(prefix="cn-users.", dir="/tmp"))
    try:
        for path in (folder, folder / "mine", folder / "theirs"):
            path.mkdir(exist_ok=True)
            path.chmod(0o755)
        mine = Workbench(folder / "mine")
        mine.add_command()
        theirs = Neighbour(folder / "theirs", mine.root)
        yield mine, theirs
        for one in (mine, theirs):
            one.close()
    finally:
        shutil.rmtree(folder)


def test_each_has_a_daemon_of_their_own(both: tuple[Workbench, Neighbour]) -> None:
    mine, theirs = both
    pids = []
    for one in both:
        assert one.commands() == ["deploy"]
        told = one.status()
        pids.append(told["pid"])
        found = state.read(told["stateFile"]) or _of_another(told["stateFile"])
        one.seen[found.pid, found.process_start] = None
    assert len(set(pids)) == 2
    assert [os.stat(f"/proc/{pid}").st_uid for pid in pids] == [0, OTHER]
    # Neither stops the other's.
    assert theirs.cn("stop").returncode == 0
    assert mine.status()["pid"] == pids[0]
    assert theirs.commands() == ["deploy"]
    assert mine.cn("stop").returncode == 0
    assert theirs.commands() == ["deploy"]
    assert theirs.cn("stop").returncode == 0


def test_the_token_is_nobody_elses(both: tuple[Workbench, Neighbour]) -> None:
    mine, _ = both
    mine.start()
    assert stat.S_IMODE(mine.state_file.stat().st_mode) == 0o600
    done = subprocess.run(["cat", mine.state_file], user=OTHER, group=OTHER, extra_groups=[], capture_output=True)
    assert (done.returncode, done.stdout) == (1, b"")


def test_a_runtime_folder_that_somebody_else_made_is_not_used(both: tuple[Workbench, Neighbour]) -> None:
    """In /tmp anybody may have taken its name first: what lies there could be read, or be a trap."""
    _, theirs = both
    del theirs.environment["XDG_RUNTIME_DIR"]
    squatted = Path(theirs.environment["TMPDIR"]) / f"cn-{OTHER}"
    squatted.mkdir(mode=0o777)
    done = theirs.cn("commands")
    assert done.returncode == 0
    assert list(squatted.iterdir()) == []
    assert theirs.cn("stop").returncode == 0


def _of_another(path: str) -> state.State:
    with contextlib.suppress(ValueError):
        return state.State(json.loads(Path(path).read_text()), path)
    raise AssertionError(path)
