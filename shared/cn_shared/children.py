"""The processes a daemon started, on record, so that none outlives it: not even a daemon that was killed with
-9.

Each workspace has one file of lines `<daemon's pid> <daemon's start> <child's pid> <child's start>`. A child
whose daemon still runs is left alone: a daemon that is just stopping ends its own.
"""

from __future__ import annotations

import os

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


def sweep(root: str | os.PathLike[str], grace_s: float = 1.0) -> list[int]:
    """End the recorded children whose daemon is gone, or is this very process; returns their pids.

    Blocks for as long as they take: `grace_s` for one that ignores SIGTERM.
    """
    path = _record(root)
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


def _fields(line: str) -> tuple[int, str, int, str]:
    words = line.split(" ")
    if len(words) == 4 and words[0].isdecimal() and words[2].isdecimal():
        return int(words[0]), words[1], int(words[2]), words[3]
    return 0, "", 0, ""


def _record(root: str | os.PathLike[str]) -> str:
    return os.path.join(runtime_folder(), root_key(os.fspath(root)) + ".children")
