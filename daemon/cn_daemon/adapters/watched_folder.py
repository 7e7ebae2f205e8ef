"""A library folder that is looked at before every answer, and may be missing, slow, or away for a while."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from cn_daemon.adapters.file_tree import FileTree, Stamp
from cn_daemon.adapters.patient_files import patiently, tell


class NothingIgnored:
    """A library's files count whatever a .gitignore says: `.claude` is often listed in one."""

    def listing(self) -> frozenset[str]:
        return frozenset()

    def among(self, paths: Iterable[str]) -> set[str]:
        return set()


class Look(NamedTuple):
    """changed: paths that were created, changed or deleted. stale: why the folder could not be looked at."""

    changed: set[str]
    stale: str = ""


class WatchedFolder:
    """`steady`: its disappearing means that it is out of reach, not that its files were deleted. For one thread."""

    def __init__(self, folder: Path, wanted: Callable[[str], bool], *, steady: bool, ttl_s: float) -> None:
        self.folder = str(folder)
        self._wanted = wanted
        self._steady = steady
        self._ttl_s = ttl_s
        self._tree: FileTree | None = None
        self._identity: tuple[int, int] | None = None
        self._scanned = 0.0
        self._files: dict[str, Stamp] = {}

    @property
    def files(self) -> dict[str, Stamp]:
        """The wanted files, by absolute path."""
        return self._files

    @property
    def missing(self) -> bool:
        return self._identity is None

    def look(self, *, everything: bool = False) -> Look:
        """What changed since the last look. Blocks as long as the disk does; never raises."""
        try:
            facts = patiently(lambda: os.stat(self.folder))
            patiently(lambda: os.scandir(self.folder).close())
        except (FileNotFoundError, NotADirectoryError):
            return self._away("it is not there")
        except OSError as error:
            return self._away(tell(error))
        identity = (facts.st_dev, facts.st_ino)
        if self._tree is None or identity != self._identity:
            return self._anew(identity)
        due = everything or time.monotonic() - self._scanned > self._ttl_s
        changed = self._scan() if due else self._tree.drain()
        self._files = self._tree.files
        return Look({path for path in changed if self._wanted(os.path.basename(path))})

    def close(self) -> None:
        if self._tree is not None:
            self._tree.close()
            self._tree = None

    def _scan(self) -> set[str]:
        """Every wanted file; a network mount tells of no changes, so each folder is listed anew now and then."""
        assert self._tree is not None
        self._scanned = time.monotonic()
        return self._tree.scan()

    def _anew(self, identity: tuple[int, int]) -> Look:
        """Watch a folder for the first time, or another one that took its name."""
        self.close()
        self._tree = FileTree(Path(self.folder), self._wanted, NothingIgnored())
        self._identity = identity
        self._scan()
        before, self._files = self._files, self._tree.files
        return Look({path for path in before.keys() | self._files.keys() if before.get(path) != self._files.get(path)})

    def _away(self, why: str) -> Look:
        self.close()
        if self._steady and self._identity is not None:
            return Look(set(), f"{self.folder}: {why}")
        self._identity = None
        before, self._files = self._files, {}
        return Look(set(before), "")
