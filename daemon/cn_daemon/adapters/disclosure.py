"""Which files outside the workspace may be shown, and which may be read for an answer: decided here alone.

A repository may name any place of this machine: by `paths` and `extends` of a tsconfig, by an absolute import, a link,
an include path, a `replace`. That it names a place is no reason to show it. A file outside is shown when a package
manager has put it into a `node_modules` that serves the workspace, or when it is of a language's own library.

What counts is where a file really lies: every path here is a real one.
"""

from __future__ import annotations

import contextlib
import glob
import os
import stat
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import chain
from pathlib import Path

from cn_shared import git
from cn_shared.errors import CnError

_PACKAGES = "/node_modules/"
_GIT_DEADLINE_S = 5.0
# git's answer to --error-unmatch; all others but 0 mean that it could not tell.
_UNMATCHED = 1
# Where package managers keep what they link into node_modules; {…} is a variable of the user's.
_STORES = (
    "{PNPM_HOME}", "{XDG_DATA_HOME}/pnpm", "{HOME}/.local/share/pnpm", "{HOME}/Library/pnpm", "{HOME}/.pnpm-store",
    "{HOME}/.yarn/berry", "{XDG_CACHE_HOME}/yarn", "{HOME}/.cache/yarn",
    "{BUN_INSTALL}/install/cache", "{HOME}/.bun/install/cache",
    "{DENO_DIR}/npm", "{XDG_CACHE_HOME}/deno/npm", "{HOME}/.cache/deno/npm",
)  # fmt: skip
OUTSIDE = "it lies outside the workspace, in no package manager's folder and in no library of the language"


class Disclosure:
    """root: the workspace, a real path. environment: the user's variables."""

    def __init__(self, root: Path, environment: Mapping[str, str]) -> None:
        self._root = root
        self._search = environment.get("PATH", "")
        self._inside = _below(str(root))
        self._above = frozenset(map(_below, map(str, root.parents)))
        self._repository = _below(_repository(root, environment.get("HOME", "")))
        self._stores = frozenset(map(_below, folders(_STORES, environment)))
        self._libraries: set[str] = set()

    def add(self, libraries: Iterable[str]) -> None:
        """Folders that hold a language's own library, or packages that its package manager fetched."""
        self._libraries.update(_below(os.path.realpath(one)) for one in libraries)

    def refusal(self, real: str) -> str:
        """Why a file may not be shown, for the end of a sentence; nothing when it may."""
        return "" if self.shows(real) else OUTSIDE

    def shows(self, real: str) -> bool:
        """Whether the text of a file may be part of an answer."""
        own = (self._inside, *self._libraries, *self._linked)
        return real.startswith(own) or self._is_package(real) or self._is_stored(real)

    def reads(self, real: str) -> bool:
        """Whether a file may be read to know what the workspace means: what may be shown, and what else the repository
        has brought, for a tsconfig above the root that one of the workspace's extends."""
        return real.startswith(self._repository) or self.shows(real)

    def readable(self) -> dict[str, list[str]]:
        """What compilers may read, for their process to keep to: files `below` a folder, and in a node_modules that
        stands in a folder `above` and is the user's. Packages may be linked into node_modules while it runs."""
        return {
            "below": sorted({self._inside, self._repository, *self._libraries, *self._stores, *self._linked}),
            "above": sorted(self._above),
        }

    def folders(self) -> list[str]:
        """The same as `readable`, of what is there now."""
        packages = (f"{folder}node_modules" for folder in self._above)
        return [*self.readable()["below"], *(one for one in packages if self._is_ours(one))]

    def _is_package(self, real: str) -> bool:
        """Whether it lies in the node_modules of a folder above the root, where an import looks for packages: one of
        the same repository, or one that this user or the system's has installed."""
        before, packages, _ = real.partition(_PACKAGES)
        return bool(packages) and _below(before) in self._above and self._is_ours(f"{before}/node_modules")

    def _is_ours(self, packages: str) -> bool:
        try:
            facts = os.lstat(packages)
        except OSError:
            return False
        ours = packages.startswith(self._repository) or facts.st_uid in (0, os.geteuid())
        return ours and stat.S_ISDIR(facts.st_mode)

    @cached_property
    def _linked(self) -> frozenset[str]:
        """The node_modules folders elsewhere that stand in for the workspace's own: who has several working trees of a
        repository links one's packages into the others. No link that the repository brings counts."""
        found = []
        for packages in filter(os.path.islink, self._packages()):
            real = os.path.realpath(packages)
            if (
                real.endswith("/node_modules")
                and self._is_ours(real)
                and _is_untracked(self._root, packages, self._search)
            ):
                found.append(_below(real))
        return frozenset(found)

    def _is_stored(self, real: str) -> bool:
        """Whether it lies in a store of packages that some link in the workspace's node_modules leads to."""
        stores = tuple(store for store in self._stores if real.startswith(store))
        return bool(stores) and any(os.path.realpath(link).startswith(stores) for link in self._links())

    def _packages(self) -> Iterator[str]:
        """The node_modules of the root, and of packages up to two folders below it."""
        for level in ("", "*/", "*/*/"):
            yield from glob.iglob(f"{glob.escape(self._inside)}{level}node_modules")

    def _links(self) -> Iterator[str]:
        """The links in these, and in those above the root."""
        for packages in chain(self._packages(), (f"{folder}node_modules" for folder in self._above)):
            yield from _links_in(packages)


def folders(patterns: Iterable[str], variables: Mapping[str, str]) -> Iterator[str]:
    """The real paths of the folders that patterns name: `{NAME}` is a variable, one that is not set names nothing; with
    `*` as a shell has it, those that are there."""
    absolute = {name: value for name, value in variables.items() if os.path.isabs(value)}
    literal = {name: glob.escape(value) for name, value in absolute.items()}
    for pattern in patterns:
        with contextlib.suppress(KeyError):
            if "*" in pattern:
                yield from map(os.path.realpath, glob.iglob(pattern.format_map(literal)))
            else:
                yield os.path.realpath(pattern.format_map(absolute))


def _below(folder: str) -> str:
    return os.path.join(folder, "")


def _repository(root: Path, home: str) -> str:
    """The folder of the repository that the root is part of; the root itself where none is known.

    A home that is a repository, as some keep their settings, has not brought what lies in it.
    """
    for folder in (root, *root.parents):
        if os.path.lexists(folder / ".git"):
            homes = _below(os.path.realpath(home)) if home else ""
            return str(root if homes.startswith(_below(str(folder))) else folder)
    return str(root)


def _is_untracked(root: Path, path: str, search: str) -> bool:
    """Whether git knows the repository of the root, and that a path is none of its files. search: the user's PATH."""
    with contextlib.suppress(CnError, OSError, subprocess.TimeoutExpired):
        repository = git.find(root, root, search)
        if repository is not None:
            question = repository.question("ls-files", "--error-unmatch", "--", path, folder=root)
            with question as (command, environ):
                finished = subprocess.run(
                    command, cwd=root, env=environ, capture_output=True, timeout=_GIT_DEADLINE_S, check=False
                )
            return finished.returncode == _UNMATCHED
    return False


def _links_in(packages: str) -> Iterator[str]:
    try:
        entries = list(os.scandir(packages))
    except OSError:
        return
    for entry in entries:
        if entry.is_symlink():
            yield entry.path
        elif entry.name.startswith("@"):
            yield from _links_in(entry.path)
