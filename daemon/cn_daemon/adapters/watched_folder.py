"""A library folder that is looked at before every answer, and may be missing, slow, or away for a while."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from cn_daemon.adapters.file_tree import FileTree, Stamp, stamp
from cn_daemon.adapters.patient_files import inside, patiently, tell


class NothingIgnored:
    """A library's files count whatever a .gitignore says: `.claude` is often listed in one."""

    def listing(self) -> frozenset[str]:
        return frozenset()

    def inside(self, repository: str) -> frozenset[str]:
        return frozenset()

    def among(self, paths: Iterable[str], *, though_tracked: bool = False) -> set[str]:
        return set()

    def is_other(self) -> bool:
        return False

    def copy(self, path: str) -> str:
        return ""


class Look(NamedTuple):
    """changed: paths that were created, changed or deleted. stale: why the folder could not be checked."""

    changed: set[str]
    stale: str = ""


class WatchedFolder:
    """`steady`: its disappearing means that it is out of reach, not that its files were deleted. within: the folders
    that links may lead into, beside this one. For one thread."""

    def __init__(
        self,
        folder: Path,
        wanted: Callable[[str], bool],
        *,
        steady: bool,
        ttl_s: float,
        within: Sequence[str | Path] = (),
    ) -> None:
        self.folder = str(folder)
        self._within = (self.folder, *within)
        self._links: dict[str, bool] = {}
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

    def refused(self) -> list[str]:
        """The links that are not followed: out of the readable folders, or to a folder."""
        folders = self._tree.links - self._links.keys() if self._tree is not None else ()
        return sorted([path for path, followed in self._links.items() if not followed] + [*folders])

    def may_read(self, path: str) -> bool:
        """Whether a file of this folder, behind its links, lies where files may be read."""
        real = os.path.realpath(path)
        return any(inside(real, folder) for folder in self._within)

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
        changed = self._scan() if due else self._tree.drain() | self._behind_links()
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
        self._links.clear()
        self._tree = FileTree(Path(self.folder), self._wanted, NothingIgnored(), self._mark)
        self._identity = identity
        self._scan()
        before, self._files = self._files, self._tree.files
        return Look({path for path in before.keys() | self._files.keys() if before.get(path) != self._files.get(path)})

    def _mark(self, path: str) -> Stamp | None:
        """As `stamp`; a link's is that of the file behind it."""
        self._links.pop(path, None)
        mark = stamp(path)
        if mark is None and os.path.islink(path):
            self._links[path] = followed = self.may_read(path)
            mark = stamp(os.path.realpath(path)) if followed else None
        return mark

    def _behind_links(self) -> set[str]:
        """The links whose files changed: those may lie where nobody watches."""
        assert self._tree is not None
        files, changed = self._tree.files, set()
        for path in list(self._links):
            mark = self._mark(path)
            if mark != files.get(path):
                changed.add(path)
                files.pop(path, None)
                if mark is not None:
                    files[path] = mark
        return changed

    def _away(self, why: str) -> Look:
        self.close()
        if self._steady and self._identity is not None:
            return Look(set(), f"{self.folder}: {why}")
        self._identity = None
        before, self._files = self._files, {}
        return Look(set(before), "")
