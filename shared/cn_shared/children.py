"""The processes a daemon started, on record, so that none outlives it: not even a daemon that was killed with
-9.

Each workspace has one file of lines `<daemon's pid> <daemon's start> <child's pid> <child's start>`. A child
whose daemon still runs is left alone: a daemon that is just stopping ends its own. Beside it lie the temporary
folders of children, below one of their daemon's: by these a child is known that its daemon had no time to record.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from cn_shared import process
from cn_shared.state import root_key, runtime_folder


def record_child(root: str | os.PathLike[str], pid: int) -> None:
    """Note a child of this process, for the sweep.

    Call it right after the spawn; the child should lead a session.
    """
    mine, its = process.start_of(os.getpid()), process.start_of(pid)
    if mine and its:
        line = f"{os.getpid()} {mine} {pid} {its}\n"
        descriptor = os.open(_record(root), os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            os.write(descriptor, line.encode())  # one write in append mode: lines of two writers never mix
        finally:
            os.close(descriptor)


def scratch(root: str | os.PathLike[str]) -> str:
    """A new temporary folder for a child of this process, which it is to be given as TMPDIR.

    The sweep removes it with this process; before that it is the caller's to remove.
    """
    import tempfile

    owner = os.path.join(_scratch(root), f"{os.getpid()} {process.start_of(os.getpid())}")
    os.makedirs(owner, mode=0o700, exist_ok=True)
    return tempfile.mkdtemp(prefix="", dir=owner)


def sweep(root: str | os.PathLike[str], grace_s: float = 1.0) -> list[int]:
    """End the children whose daemon is gone, or is this very process; returns their pids.

    Blocks for as long as they take: `grace_s` for one that ignores SIGTERM.
    """
    ended = _sweep_record(_record(root), grace_s)
    return ended + _sweep_scratch(_scratch(root), grace_s)


def _sweep_record(path: str, grace_s: float) -> list[int]:
    try:
        with open(path, encoding="ascii", errors="replace") as file:
            lines = file.read().splitlines()
    except OSError:
        return []
    ended, kept = [], []
    for line in lines:
        owner, owner_start, pid, start = _fields(line)
        if not process.alive(pid, start):
            continue
        if owner != os.getpid() and process.alive(owner, owner_start):
            kept.append(line)
        elif process.end_group(pid, start, grace_s):
            ended.append(pid)
        else:
            kept.append(line)
    if kept:
        with open(path, "w", encoding="ascii") as file:
            file.writelines(line + "\n" for line in kept)
    else:
        try:
            os.unlink(path)
        except FileNotFoundError:
            pass
    return ended


def _sweep_scratch(folder: str, grace_s: float) -> list[int]:
    """Remove the temporary folders of daemons that are gone, and of this very process, with whoever still uses them."""
    try:
        owners = os.listdir(folder)
    except OSError:
        return []
    import shutil

    ended = []
    for owner in owners:
        pid, _, start = owner.partition(" ")
        if not pid.isdecimal() or int(pid) == os.getpid() or not process.alive(int(pid), start):
            path = os.path.join(folder, owner)
            ended += [child for child, its in _using(path) if process.end_group(child, its, grace_s)]
            shutil.rmtree(path, ignore_errors=True)
    try:
        os.rmdir(folder)
    except OSError:  # another daemon's is still in it
        pass
    return ended


def _using(folder: str) -> Iterator[tuple[int, str]]:
    """The processes whose temporary folder lies in that one, and their starts."""
    if not os.listdir(folder):
        return
    import psutil

    for one in psutil.process_iter():
        try:
            mine = one.environ().get("TMPDIR", "").startswith(folder + os.sep)
        except (psutil.Error, OSError):  # ended, or another user's
            continue
        if mine and (start := process.start_of(one.pid)):
            yield one.pid, start


def _fields(line: str) -> tuple[int, str, int, str]:
    words = line.split(" ")
    if len(words) == 4 and words[0].isdecimal() and words[2].isdecimal():
        return int(words[0]), words[1], int(words[2]), words[3]
    return 0, "", 0, ""


def _record(root: str | os.PathLike[str]) -> str:
    return os.path.join(runtime_folder(), root_key(os.fspath(root)) + ".children")


def _scratch(root: str | os.PathLike[str]) -> str:
    return os.path.join(runtime_folder(), root_key(os.fspath(root)) + ".tmp")
