"""Files that have further names, by links to them or to a folder above them.

To compilers each name is a file of its own, part of the projects that name it so; to everybody else they are one file,
reported by its real path.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

from cn_daemon.adapters.file_tree import PACKAGES


class Links:
    """Of the links in a workspace that lead inside it, and to no package: compilers follow those by themselves."""

    def __init__(self, root: Path) -> None:
        self._root = f"{root}/"
        self._targets: dict[str, str] = {}
        self._packages: dict[str, frozenset[str]] = {}
        # The names that installed links give to a folder; None until they are asked for.
        self._installed: dict[str, list[str]] | None = None

    def see(self, links: Iterable[str], packages: Mapping[str, frozenset[str]] = MappingProxyType({})) -> None:
        """These are all links now. packages: those in each node_modules folder."""
        if packages != self._packages:
            self._packages, self._installed = dict(packages), None
        targets = ((link, os.path.realpath(link)) for link in sorted(links))
        self._targets = {
            link: target
            for link, target in targets
            if target.startswith(self._root) and "/node_modules/" not in f"{target}/"
        }

    def __bool__(self) -> bool:
        return bool(self._targets)

    def real(self, path: str) -> str:
        """The real path of what may be named by way of a link."""
        if not self._targets:
            return path
        return next((rest for link, target in self._targets.items() if (rest := _moved(path, link, target))), path)

    def names(self, path: str) -> list[str]:
        """A real path, and then its names by way of a link."""
        return [path, *(rest for link, target in self._targets.items() if (rest := _moved(path, target, link)))]

    def installed(self, path: str) -> list[str]:
        """The names of a real path by way of node_modules, where imports by the name of a package look for it."""
        if self._installed is None:
            self._installed = {}
            for link in sorted(frozenset().union(*self._packages.values())):
                target = os.path.realpath(link)
                if target.startswith(self._root) and PACKAGES not in target:
                    self._installed.setdefault(target, []).append(link)
        above = (folder for folder in self._installed if path.startswith(f"{folder}/"))
        return [link + path[len(folder) :] for folder in above for link in self._installed[folder]]


def _moved(path: str, folder: str, other: str) -> str:
    """The path that is as far below `other`, or nothing where it is not in the folder."""
    return other + path[len(folder) :] if path == folder or path.startswith(f"{folder}/") else ""
