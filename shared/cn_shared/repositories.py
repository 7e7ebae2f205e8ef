"""Where the repository of a folder lies, found as git finds it, but without git: it would read its configuration.

Only what lies in a `.git` is a repository, never a folder that looks like one; and every folder that is read must be
this repository's own, which links and the files that name other folders could change.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass

from cn_shared.errors import InputError

_POINTER_BYTES = 4096
# What git reads in the two folders. A link would lead elsewhere, a pipe would hold git up for ever.
_FOLDERS = ("objects", "objects/info", "objects/pack", "refs", "reftable", "info", "logs")
_LOOSE = ("refs/heads", "refs/remotes", "refs/tags")
_FILES = ("index", "packed-refs", "shallow", "config", "config.worktree")


class RefusedRepositoryError(InputError):
    """A repository that git refuses, or that cn does not have git read."""

    def __init__(self, top: str, reason: str, fix: str = "") -> None:
        super().__init__("git_refused", f"The repository {top} is not read: {reason}.", fix)


@dataclass(frozen=True, slots=True)
class Repository:
    """One working tree and what git keeps of it, as real paths.

    top: the working tree. folder: of this working tree alone (HEAD, index). common: what all working trees of the
    repository share; mostly the same. vouched: `folder` lies in `top`, or names it itself; else only its configuration
    (`core.worktree`) can.
    """

    top: str
    folder: str
    common: str
    vouched: bool

    @property
    def index(self) -> str:
        return os.path.join(self.folder, "index")

    @property
    def exclude(self) -> str:
        return os.path.join(self.common, "info", "exclude")

    def owners(self) -> set[int]:
        """The users whom its places belong to."""
        places = (self.top, os.path.join(self.top, ".git"), self.folder, self.common)
        return {os.lstat(place).st_uid for place in places}


def locate(root: str | os.PathLike[str]) -> Repository | None:
    """The repository whose working tree the folder lies in. Whose it is, is not looked at.

    Raises RefusedRepositoryError, OSError.
    """
    folder = os.path.realpath(root)
    device = os.stat(folder).st_dev
    while True:
        entry = os.path.join(folder, ".git")
        found = _kind(entry)
        if found == stat.S_IFDIR and _is_repository(entry):
            return _checked(Repository(folder, entry, entry, True))
        if found == stat.S_IFREG:
            return _checked(_pointed(folder, entry))
        if found == stat.S_IFLNK:
            raise RefusedRepositoryError(folder, "its .git is a link")
        above = os.path.dirname(folder)
        if above == folder or os.stat(above).st_dev != device:  # where git stops as well
            return None
        folder = above


def _pointed(top: str, entry: str) -> Repository:
    """Of a submodule, or another working tree: there `.git` is a file that names a folder."""
    place = _named(entry, "gitdir: ")
    folder = os.path.realpath(os.path.join(top, place))
    if not place or _kind(folder) != stat.S_IFDIR:
        raise RefusedRepositoryError(top, "its .git names no repository")
    named = _named(os.path.join(folder, "commondir"))
    if not named:
        if not _is_repository(folder):
            raise RefusedRepositoryError(top, "its .git names no repository")
        return Repository(top, folder, folder, False)
    common = os.path.realpath(os.path.join(folder, named))
    back = os.path.realpath(os.path.join(folder, _named(os.path.join(folder, "gitdir"))))
    if os.path.dirname(folder) != os.path.join(common, "worktrees") or back != entry or not _is_repository(common):
        reason = "its .git names a repository that knows no such working tree"
        raise RefusedRepositoryError(top, reason, "git worktree repair")
    return Repository(top, folder, common, True)


def _checked(repository: Repository) -> Repository:
    wanted = [(repository.folder, name, stat.S_IFREG) for name in ("HEAD", *_FILES)]
    wanted += [(repository.common, name, stat.S_IFREG) for name in _FILES]
    # Beside a reftable, refs/heads is a file without a meaning.
    loose = () if os.path.lexists(os.path.join(repository.common, "reftable")) else _LOOSE
    wanted += [(repository.common, name, stat.S_IFDIR) for name in (*_FOLDERS, *loose)]
    for folder, name, kind in wanted:
        place = os.path.join(folder, name)
        if _kind(place) not in (None, kind):
            raise RefusedRepositoryError(repository.top, f"{place} is a link, or not what git keeps there")
    return repository


def _is_repository(folder: str) -> bool:
    """As git asks. A HEAD, objects or refs that are links are there to git too: these are refused afterwards."""
    return all(os.path.lexists(os.path.join(folder, name)) for name in ("HEAD", "objects", "refs"))


def _kind(path: str) -> int | None:
    try:
        return stat.S_IFMT(os.lstat(path).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return None


def _named(path: str, prefix: str = "") -> str:
    """The path that a file consists of, behind the prefix; "" when it holds none."""
    if _kind(path) != stat.S_IFREG:
        return ""
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        text = file.read(_POINTER_BYTES).rstrip("\r\n")
    return text[len(prefix) :] if text.startswith(prefix) and "\0" not in text else ""
