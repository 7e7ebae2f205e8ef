"""Which paths of a workspace git ignores; where there is no git, which its .gitignore files name."""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from cn_daemon.adapters.patient_files import read_file
from cn_shared import git
from cn_shared.errors import InputError
from cn_shared.git import Git

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

# Never sources of the workspace, whether or not a .gitignore says so.
# Installed packages and what tools keep; a virtual environment need not be ignored by git, what Yarn keeps is not.
SKIPPED = frozenset(
    {".git", ".hg", ".svn", "node_modules", ".yarn", ".venv", "venv", ".tox", ".nox", "site-packages", "__pycache__"}
)
_GIT_TIMEOUT_S = 20
# Of one pattern: the stars in parts of a path that have several, and the parts that are `**`, but for the last.
_MOST_STARS, _MOST_FOLDERS = 3, 2
Mark = tuple[int, int, int]


class Ignored(Protocol):
    def listing(self) -> frozenset[str]:
        """Ignored files and folders as they stand now, absolute; a folder stands for all below it."""
        ...

    def inside(self, repository: str) -> frozenset[str]:
        """The same of a repository that lies in this one: of a submodule, or a clone."""
        ...

    def among(self, paths: Iterable[str], *, though_tracked: bool = False) -> set[str]:
        """Those of `paths` that are ignored. though_tracked: also where git tracks them, or something in them."""
        ...

    def is_other(self) -> bool:
        """Whether another listing may be due by what no event in the workspace tells."""
        ...

    def copy(self, path: str) -> str:
        """The other working tree of this repository that a path lies in, or nothing."""
        ...


@dataclass(slots=True)
class _Kept:
    """What decides outside of the workspace what a repository in it ignores, as it was when that was listed.

    files: its index, which another question of git changes as well, and what names files to ignore. forced: what it
    tracks in spite of these.
    """

    files: list[str]
    marks: list[Mark | None]
    forced: list[str]


class GitIgnored:
    """Asks git, which knows nested and global ignore files and what is tracked in spite of them.

    Of what is in a repository of its own that one is asked: from outside git does not look into it, and refuses a whole
    list of paths for one that is in a submodule. Another working tree of this very repository is ignored.
    """

    def __init__(self, root: Path) -> None:
        self._root = str(root)
        self._inside: set[str] = set()
        self._copies: set[str] = set()
        self._refused: dict[str, FileIgnored] = {}
        self._kept: dict[str, _Kept] = {}

    def listing(self) -> frozenset[str]:
        self._inside.clear()
        self._copies.clear()
        self._refused.clear()
        self._kept.clear()
        return self._listed(self._root)

    def inside(self, repository: str) -> frozenset[str]:
        self._inside.add(repository)
        its, ours = _found(repository, self._root), _found(self._root, self._root)
        if its is None or its.repository.top != repository:
            self._refused[repository] = FileIgnored(Path(repository))
            return self._refused[repository].listing()
        if ours is None or its.repository.common != ours.repository.common:
            return self._listed(repository)
        self._copies.add(repository)
        return frozenset({repository})

    def among(self, paths: Iterable[str], *, though_tracked: bool = False) -> set[str]:
        arguments = ["check-ignore", "-z", "--stdin", *(["--no-index"] if though_tracked else [])]
        found: set[str] = set()
        wanted: dict[str, list[str]] = {}
        for path in paths:
            above = (one for one in self._inside if path.startswith(one + "/"))
            wanted.setdefault(max(above, key=len, default=self._root), []).append(path)
        for repository, below in wanted.items():
            if repository in self._copies:
                found.update(below)
                continue
            if repository in self._refused:
                found.update(self._refused[repository].among(below))
                continue
            given = b"\0".join(map(os.fsencode, below)) + b"\0"
            found.update(self._names(repository, arguments, given))
        return found

    def is_other(self) -> bool:
        return any(self._has_changed(repository, kept) for repository, kept in self._kept.items())

    def copy(self, path: str) -> str:
        return next((copy for copy in self._copies if path.startswith(f"{copy}/")), "")

    def _has_changed(self, repository: str, kept: _Kept) -> bool:
        before, kept.marks = kept.marks, list(map(mark_of, kept.files))
        if before == kept.marks:
            return False
        return before[1:] != kept.marks[1:] or self._forced(repository) != kept.forced

    def _forced(self, repository: str) -> list[str]:
        return self._names(repository, ["ls-files", "-z", "-c", "-i", "--exclude-standard"])

    def _keep(self, repository: str) -> None:
        found = _found(repository, self._root)
        if found:
            top = found.repository.top
            above = itertools.takewhile(lambda one: one.is_relative_to(top), Path(repository).parents)
            files = [found.repository.index, found.repository.exclude, *(str(one / ".gitignore") for one in above)]
            # Looked at before git is: what changes meanwhile is another one.
            self._kept[repository] = _Kept(files, list(map(mark_of, files)), self._forced(repository))

    def _listed(self, repository: str) -> frozenset[str]:
        self._keep(repository)
        names = self._names(repository, ["ls-files", "-z", "-o", "-i", "--exclude-standard", "--directory"])
        return frozenset(os.path.join(repository, name.rstrip("/")) for name in names)

    def _names(self, repository: str, arguments: list[str], given: bytes = b"") -> list[str]:
        return [os.fsdecode(name) for name in self._git(repository, arguments, given).split(b"\0") if name]

    def _git(self, repository: str, arguments: list[str], given: bytes = b"") -> bytes:
        found = _found(repository, self._root)
        return _answer(found, repository, arguments, given) if found else b""


def _found(repository: str, root: str) -> Git | None:
    """None also where git is not to be asked: the files that name what is ignored are read then."""
    try:
        return git.find(repository, root, os.environ.get("PATH", ""))
    except (OSError, InputError):
        return None


def unasked(root: Path) -> list[str]:
    """Why git is not asked about the repository that the workspace lies in, and what follows; mostly nothing."""
    try:
        git.find(root, root, os.environ.get("PATH", ""))
    except (OSError, InputError) as error:
        reasons = (
            f"{error.message} {error.hint}".strip()
            if isinstance(error, InputError)
            else f"git cannot be asked: {error}"
        )
        return [
            f"{reasons} Until then what is ignored is read from .gitignore files alone, and cn changed has no answer."
        ]
    return []


def _answer(found: Git, folder: str, arguments: list[str], given: bytes = b"") -> bytes:
    try:
        with found.question(*arguments, folder=folder) as (command, environ):
            return subprocess.run(
                command,
                cwd=folder,
                env=environ,
                input=given,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=_GIT_TIMEOUT_S,
                check=False,
            ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return b""


def mark_of(path: str) -> Mark | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def _patterns(path: str) -> Iterator[str]:
    """The lines of a .gitignore; as git does, without those that are no pattern, and without those that take too long.
    None of a file that cannot be read."""
    from pathspec import GitIgnoreSpec

    with contextlib.suppress(OSError):
        for line in read_file(path).decode("utf-8", "replace").splitlines():
            if _takes_long(line):
                continue
            with contextlib.suppress(ValueError, re.error):
                GitIgnoreSpec.from_lines([line])
                yield line


def _takes_long(pattern: str) -> bool:
    """Whether pathspec could take hours for a name, which its expressions go back over once more for each star, and in
    which nothing else of this process runs. Such a pattern ignores nothing."""
    parts = pattern.strip().removeprefix("!").split("/")
    stars = [part.count("*") for part in parts if part != "**"]
    return sum(one for one in stars if one > 1) > _MOST_STARS or parts[:-1].count("**") > _MOST_FOLDERS


class FileIgnored:
    """Reads the .gitignore files itself, for a workspace that is no git repository: those above a path each time, since
    folders come with one and go."""

    def __init__(self, root: Path) -> None:
        self._root = str(root)
        self._specs: dict[str, tuple[Mark, GitIgnoreSpec]] = {}

    def listing(self) -> frozenset[str]:
        self._specs.clear()
        found: set[str] = set()
        for folder, folders, files in os.walk(self._root):
            if ".gitignore" in files:
                self._read(folder)
            for name in list(folders):
                path = os.path.join(folder, name)
                if name in SKIPPED or self._matches(path + "/"):
                    folders.remove(name)
                    found.add(path)
            found.update(path for name in files if self._matches(path := os.path.join(folder, name)))
        return frozenset(found)

    def inside(self, repository: str) -> frozenset[str]:
        return frozenset()  # `listing` has read its files as well

    def among(self, paths: Iterable[str], *, though_tracked: bool = False) -> set[str]:
        listed = list(paths)
        for folder in {folder for path in listed for folder in self._above(path)}:
            self._read(folder)
        return {path for path in listed if self._matches(path)}

    def is_other(self) -> bool:
        return False

    def copy(self, path: str) -> str:
        return ""

    def _above(self, path: str) -> Iterator[str]:
        """The folders from the root to the one that a path lies in."""
        inside = path.rstrip("/")
        end = len(self._root)
        while end >= 0:
            yield inside[:end]
            end = inside.find("/", end + 1)

    def _read(self, folder: str) -> None:
        from pathspec import GitIgnoreSpec

        file = os.path.join(folder, ".gitignore")
        mark = mark_of(file)
        if mark is None:
            self._specs.pop(folder, None)
        elif folder not in self._specs or self._specs[folder][0] != mark:
            self._specs[folder] = mark, GitIgnoreSpec.from_lines(_patterns(file))

    def _matches(self, path: str) -> bool:
        verdict = False
        for folder in self._above(path):
            if folder in self._specs:
                said = self._specs[folder][1].check_file(path[len(folder) + 1 :]).include
                verdict = verdict if said is None else said
        return verdict


def ignored_in(root: Path) -> Ignored:
    """Git's word where `root` lies in a repository that git may be asked about, else the files'."""
    found = _found(str(root), str(root))
    if found and _answer(found, str(root), ["rev-parse", "--is-inside-work-tree"]).strip() == b"true":
        return GitIgnored(root)
    return FileIgnored(root)
