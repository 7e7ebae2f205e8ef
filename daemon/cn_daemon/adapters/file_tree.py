"""The files of the workspace as they stand at the moment of a question.

On Linux the kernel queues an inotify event before a write returns, so draining the queue at the question is a barrier:
every earlier write is known. Elsewhere, and where watches cannot be had, each question compares the files' times and
sizes instead (`mode` says which).
"""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from cn_daemon.adapters.ignored import SKIPPED, Ignored, ignored_in

log = logging.getLogger(__name__)

PACKAGES = "/node_modules"
Stamp = tuple[int, int, int]
Installed = frozenset[tuple[str, int]]
# Set by the kernel's <linux/inotify.h>.
_MODIFY, _CLOSE_WRITE, _MOVED_FROM, _MOVED_TO, _CREATE, _DELETE = 0x2, 0x8, 0x40, 0x80, 0x100, 0x200
_OVERFLOW, _IGNORED, _ONLYDIR, _ISDIR = 0x4000, 0x8000, 0x1000000, 0x40000000
_WATCHED = _MODIFY | _CLOSE_WRITE | _MOVED_FROM | _MOVED_TO | _CREATE | _DELETE | _ONLYDIR


def stamp(path: str) -> Stamp | None:
    """What changes when the file does: time, size, inode. None when it is not a regular file."""
    try:
        status = os.stat(path, follow_symlinks=False)
    except OSError:
        return None
    if status.st_mode & 0o170000 != 0o100000:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


class FileTree:
    """`wanted` says by name which files count, `ignored` which paths do not (None: those that git ignores), `mark`
    what differs when a file does (None: `stamp`). links: those to folders, which are not followed, and those to files
    that count by name. packages: the links in each node_modules folder. beyond: those of the files that are ignored,
    and followed or expected all the same. ignored: what is ignored, but for installed packages and the like. appeared:
    how often something ignored was seen to come that is not one of these.

    Not thread-safe: one caller at a time.
    """

    def __init__(
        self,
        root: Path,
        wanted: Callable[[str], bool],
        ignored: Ignored | None = None,
        mark: Callable[[str], Stamp | None] | None = None,
        *,
        watched: bool = True,
    ) -> None:
        """watched: whether the kernel is asked to tell of changes."""
        self.root = str(root)
        self.files: dict[str, Stamp] = {}
        self.links: set[str] = set()
        self.packages: dict[str, frozenset[str]] = {}
        self.beyond: set[str] = set()
        self.appeared = 0
        self.mode = "not started"
        self._wanted = wanted
        self._given = self._ignored = ignored
        self._stamp = mark or stamp
        self._notify: Any = None
        self._started = not watched
        self._folders: dict[int, str] = {}
        # Of each node_modules folder: when something was last put into it or its scopes, or removed.
        self._installed: dict[str, Installed] = {}
        # Of files beyond: those to be looked at next, and the folders of all.
        self._to_follow: set[str] = set()
        self._beside: set[str] = set()
        # The folders in which files are expected; those of them that are ignored.
        self._expected: set[str] = set()
        self._outputs: set[str] = set()
        self._skipped: frozenset[str] = frozenset()
        self.ignored: frozenset[str] = frozenset()

    def follow(self, path: str) -> bool:
        """Count an ignored file from the next look on, and those beside it. Whether it is new."""
        if path in self.files or path in self._to_follow or not path.startswith(self.root + "/"):
            return False
        if not SKIPPED.isdisjoint(path.split("/")):
            return False
        self._to_follow.add(path)
        return True

    def expect(self, paths: Iterable[str]) -> set[str]:
        """Count what is in the ignored folders of these paths, which need not be there: what a build writes. A `*` is
        any name. Those of the files that are new."""
        folders = {os.path.dirname(path.partition("*")[0]) for path in paths} - self._expected
        inside = (folder for folder in folders if folder.startswith(self.root + "/"))
        fresh = {folder for folder in inside if SKIPPED.isdisjoint(folder.split("/"))}
        self._expected |= fresh
        return set(self._count_outputs(fresh, self.files)) if fresh else set()

    def count(self, paths: Iterable[str]) -> set[str]:
        """Those of the paths that are there and were not wanted when the folder was listed. They count from now on."""
        return {path for path in self._settle(set(paths) - self.files.keys()) if path in self.files}

    def scan(self) -> set[str]:
        """List all files anew, watching every folder before it is read. Returns the paths that differ."""
        # A repository may have been begun here, or be gone.
        self._ignored = self._given or ignored_in(Path(self.root))
        first = not self._started
        if first:
            self._started = True
            self._watch()
        beyond, self.beyond = self.beyond, set()
        links = set(self.links)
        self.links.clear()
        packages, self._installed = self._installed, {}
        self.packages.clear()
        skipped = self._ignored.listing()
        self.appeared += skipped != self._skipped
        self._skipped = skipped
        self.ignored = frozenset(path for path in skipped if SKIPPED.isdisjoint(path.split(os.sep)))
        found: dict[str, Stamp] = {}
        for path in self._walk(self.root, skipped):
            mark = self._stamp(path)
            if mark is not None:
                found[path] = mark
        for path in self._listed_beside():
            mark = self._stamp(path) if path not in found else None
            if mark is not None:
                found[path] = mark
                self.beyond.add(path)
        self._outputs.clear()
        self._count_outputs(self._expected, found)
        before, self.files = self.files, found
        installed = set() if first else _differing(packages, self._installed)
        installed |= set() if first else {path + PACKAGES for path in links ^ self.links}
        return _differing(before, found) | installed | (beyond ^ self.beyond)

    def drain(self) -> set[str]:
        """The paths that were created, changed or deleted since the last `scan` or `drain`."""
        assert self._ignored is not None
        if self._notify is None or self._ignored.is_other():
            return self.scan()
        dirty: set[str] = self._followed()
        installed: set[str] = set()
        packages = dict(self._installed)
        fresh: list[str] = []
        for event in self._notify.read(timeout=0):
            if event.mask & _OVERFLOW:
                return dirty | self.scan()
            folder = self._folders.get(event.wd)
            if event.mask & _IGNORED:
                self._folders.pop(event.wd, None)
            if folder is None or not event.name:
                continue
            inside = folder.find(PACKAGES, len(self.root))
            if inside >= 0 or (event.mask & _ISDIR and event.name == PACKAGES[1:]):
                # What is installed decides where imports lead; of what is inside nothing else is known.
                place = folder[: inside + len(PACKAGES)] if inside >= 0 else folder + PACKAGES
                installed.add(place)
                self._watch_packages(place)
                continue
            path = os.path.join(folder, event.name)
            if event.name in (".gitignore", ".git"):
                return dirty | self.scan()
            if event.mask & _ISDIR:
                if event.mask & (_CREATE | _MOVED_TO) and event.name not in SKIPPED:
                    fresh.append(path)
                elif event.mask & (_MOVED_FROM | _DELETE):
                    dirty.update(known for known in self.files if known.startswith(path + "/"))
            else:
                if self._wanted(event.name):
                    dirty.add(path)
                if path in self.links or self._is_link(path):
                    # As good as installed: compilers follow it, to files of other names.
                    installed.add(path + PACKAGES)
                    self._relink(path)
        dirty.update(self._below(fresh))
        # A folder that came with packages in it is reported by them as well.
        return self._settle(dirty) | installed | _differing(packages, self._installed)

    def _relink(self, path: str) -> None:
        if self._is_link(path):
            self.links.add(path)
        else:
            self.links.discard(path)

    def _is_link(self, path: str) -> bool:
        """One that leads nowhere is none: editors lock files by such."""
        if not os.path.islink(path):
            return False
        return os.path.isdir(path) or (self._wanted(os.path.basename(path)) and os.path.isfile(path))

    def _below(self, folders: list[str]) -> Iterator[str]:
        assert self._ignored is not None
        skipped = self._ignored.among(folders)
        for folder in folders:
            above = any(f"{one}/".startswith(folder + "/") for one in self._beside | self._outputs)
            wanted = folder not in skipped or above or self.is_output(folder)
            if wanted and os.path.isdir(folder):
                yield from self._walk(folder, frozenset())
            elif os.path.isdir(folder):
                # Of what comes into it nothing is known but that it came.
                self._add_watch(folder)
                self.appeared += 1
                self.ignored |= {folder}

    def _followed(self) -> set[str]:
        """What is counted from now on although it is ignored."""
        expected, self._to_follow = self._to_follow, set()
        if expected:
            assert self._ignored is not None
            expected = self._ignored.among(expected)
            self._beside.update(map(os.path.dirname, expected))
            for folder in {os.path.dirname(path) for path in expected}:
                self._add_watch(folder)
        return expected

    def _listed_beside(self) -> Iterator[str]:
        self._followed()
        for folder in self._beside:
            self._add_watch(folder)
            with contextlib.suppress(OSError), os.scandir(folder) as entries:
                yield from (entry.path for entry in entries if self._wanted(entry.name))

    def _count_outputs(self, folders: Collection[str], files: dict[str, Stamp]) -> list[str]:
        """Add what is in those of the folders that are ignored to `files`."""
        assert self._ignored is not None
        ignored = self._ignored.among((f"{folder}/" for folder in folders), though_tracked=True)
        outputs = {path.rstrip("/") for path in ignored}
        self._outputs |= outputs
        new: list[str] = []
        for folder in outputs:
            above = folder
            while above != self.root:
                self._add_watch(above)  # where it may come
                above = os.path.dirname(above)
            for path in self._walk(folder, frozenset()) if os.path.isdir(folder) else ():
                mark = self._stamp(path) if path not in files else None
                if mark is not None:
                    files[path] = mark
                    self.beyond.add(path)
                    new.append(path)
        return new

    def copy(self, path: str) -> str:
        """The other working tree of the repository that a path lies in, or nothing."""
        return self._ignored.copy(path) if self._ignored is not None else ""

    def is_output(self, path: str) -> bool:
        """Whether it is ignored, and lies where something is expected."""
        return any(path.startswith(f"{one}/") for one in self._outputs)

    def _settle(self, dirty: set[str]) -> set[str]:
        assert self._ignored is not None
        unknown = [path for path in dirty if path not in self.files]
        ignored = self._ignored.among(unknown) if unknown else set()
        beyond = {path for path in ignored if os.path.dirname(path) in self._beside or self.is_output(path)}
        self.beyond |= beyond
        self.appeared += ignored != beyond
        self.ignored |= ignored
        dirty -= ignored - beyond
        for path in dirty:
            mark = self._stamp(path)
            if mark is None:
                self.files.pop(path, None)
            else:
                self.files[path] = mark
        return dirty

    def _walk(self, folder: str, skipped: frozenset[str]) -> Iterator[str]:
        assert self._ignored is not None
        pending = [folder]
        while pending:
            current = pending.pop()
            self._add_watch(current)
            try:
                with os.scandir(current) as entries:
                    listed = list(entries)
                    if current != self.root and any(entry.name == ".git" for entry in listed):
                        skipped |= self._ignored.inside(current)
                    for entry in listed if current not in skipped else ():
                        if entry.name == "node_modules" and entry.is_dir():
                            self._watch_packages(entry.path)
                            continue
                        if entry.is_symlink() and self._is_link(entry.path):
                            self.links.add(entry.path)
                        if entry.path in skipped:
                            continue
                        if entry.is_dir(follow_symlinks=False):
                            if entry.name not in SKIPPED:
                                pending.append(entry.path)
                        elif self._wanted(entry.name):
                            yield entry.path
            except OSError as error:
                log.warning("%s cannot be read: %s", current, error)

    def _watch_packages(self, folder: str) -> None:
        """Notice that something is installed or removed: the folder and its scopes, not the packages in them."""
        marks: set[tuple[str, int]] = set()
        linked: set[str] = set()
        places = [folder]
        for place in places:
            with contextlib.suppress(OSError):
                self._add_watch(place)
                marks.add((place, os.stat(place).st_mtime_ns))
                with os.scandir(place) as entries:
                    for entry in entries:
                        if entry.is_symlink():
                            linked.add(entry.path)
                        elif place == folder and entry.name.startswith("@"):
                            places.append(entry.path)
        self.packages[folder] = frozenset(linked)
        self._installed[folder] = frozenset(marks)

    def _watch(self) -> None:
        self.mode = "stat sweep"
        with contextlib.suppress(ImportError, OSError):
            from inotify_simple import INotify

            self._notify = INotify(nonblocking=True)
            self.mode = "inotify"

    def _add_watch(self, folder: str) -> None:
        if self._notify is None:
            return
        try:
            self._folders[self._notify.add_watch(folder, _WATCHED)] = folder
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            # Gone since it was listed, or not ours to read: no file in it counts either.
            pass
        except OSError as error:
            # Most often the limit fs.inotify.max_user_watches: without every watch there is no barrier.
            log.warning("watching %s failed (%s): comparing file times instead", folder, error)
            self._notify.close()
            self._notify = None
            self.mode = "stat sweep"

    def close(self) -> None:
        if self._notify is not None:
            self._notify.close()
            self._notify = None


def _differing(before: Mapping[str, object], now: Mapping[str, object]) -> set[str]:
    return {path for path in before.keys() | now.keys() if before.get(path) != now.get(path)}
