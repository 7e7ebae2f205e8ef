"""The record of children, and the sweep."""

from __future__ import annotations

import os
from pathlib import Path

from cn_shared import children, process
from cn_shared.state import root_key, runtime_folder
from tests.lifecycle.test_process import IGNORING, WAITING, running, start_of


def record(root: Path) -> Path:
    return runtime_folder() / (root_key(str(root)) + ".children")


def test_children_of_this_process_are_ended(tmp_path: Path) -> None:
    with running(WAITING) as one, running(WAITING) as other:
        start = start_of(one)
        children.record_child(tmp_path, one.pid)
        assert children.sweep(tmp_path) == [one.pid]
        assert not process.alive(one.pid, start)
        assert other.poll() is None
    assert not record(tmp_path).exists()


def test_children_of_a_running_daemon_are_left_alone(tmp_path: Path) -> None:
    with running(WAITING) as daemon, running(WAITING) as child:
        line = f"{daemon.pid} {start_of(daemon)} {child.pid} {start_of(child)}\n"
        record(tmp_path).write_text(line)
        assert children.sweep(tmp_path) == []
        assert record(tmp_path).read_text() == line
        record(tmp_path).write_text(line.replace(start_of(daemon), "boot:1"))
        assert children.sweep(tmp_path) == [child.pid]


def test_a_record_of_nonsense_ends_nobody(tmp_path: Path) -> None:
    record(tmp_path).write_bytes(b"\n1 2\n-1 a 1 b\n\xff\xff \xff 1 x\n" + f"1 x {os.getpid()} y\n".encode())
    assert children.sweep(tmp_path) == []
    assert not record(tmp_path).exists()


def test_a_child_that_ended_is_not_recorded(tmp_path: Path) -> None:
    children.record_child(tmp_path, 4194305)
    assert not record(tmp_path).exists()


def test_the_temporary_folders_of_gone_daemons_and_of_this_one_are_removed(tmp_path: Path) -> None:
    mine = Path(children.scratch(tmp_path))
    (mine / "left").write_text("behind")
    folder = mine.parent.parent
    with running(WAITING) as daemon:
        (folder / f"{daemon.pid} {start_of(daemon)}" / "one").mkdir(parents=True)
        (folder / f"{daemon.pid} boot:1" / "one").mkdir(parents=True)
        children.sweep(tmp_path)
        assert [owner.name for owner in folder.iterdir()] == [f"{daemon.pid} {start_of(daemon)}"]
    children.sweep(tmp_path)
    assert not folder.exists()


def test_what_a_gone_daemon_had_no_time_to_record_is_ended(tmp_path: Path) -> None:
    mine = Path(children.scratch(tmp_path)).parent
    gone = mine.with_name(f"{os.getpid()} boot:1") / "one"
    gone.mkdir(parents=True)
    environments = [{"TMPDIR": str(gone)}, {"TMPDIR": f"{gone.parent}2"}]
    with running(IGNORING, env=environments[0]) as child, running(WAITING, env=environments[1]) as other:
        assert children.sweep(tmp_path, 0.1) == [child.pid]
        assert other.poll() is None
