"""Folders whose changes nobody tells of, since git may ignore what is in them: whether they have become other."""

from __future__ import annotations

import os
import stat
from typing import NamedTuple


class Folder:
    """A folder, there or not, or what is linked there, as it was: by what is in it."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._state = _state(path)
        self._entries = self._listed()

    def is_other(self) -> bool:
        """Whether something came or went there, and not only was written anew."""
        before, self._state = self._state, _state(self._path)
        if self._state == before:
            return False
        entries, self._entries = self._entries, self._listed()
        return entries != self._entries or before is None or self._state is None or before.inode != self._state.inode

    def _listed(self) -> object:
        """Another one when something else stands there, or is linked there, and for another package.json."""
        if self._state is None or not stat.S_ISDIR(self._state.mode):
            return self._state
        try:
            with os.scandir(self._path) as found:
                return {one.name: _kind(one) for one in found}
        except OSError:
            return None


def _kind(entry: os.DirEntry[str]) -> int:
    if entry.name == "package.json":
        return entry.stat().st_mtime_ns
    return entry.inode() if entry.is_symlink() else entry.is_dir()


class _State(NamedTuple):
    inode: int
    mode: int
    mtime_ns: int


def _state(path: str) -> _State | None:
    try:
        found = os.lstat(path)
    except OSError:
        return None
    return _State(found.st_ino, found.st_mode, found.st_mtime_ns)
