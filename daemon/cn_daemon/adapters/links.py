"""Files that have further names, by links to them or to a folder above them.

To compilers each name is a file of its own, part of the projects that name it so; to everybody else they are one file,
told by its real path.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path


class Links:
    """Of the links in a workspace that lead inside it, and to no package: compilers follow those by themselves."""

    def __init__(self, root: Path) -> None:
        self._root = f"{root}/"
        self._targets: dict[str, str] = {}

    def see(self, links: Iterable[str]) -> None:
        """These are all links now."""
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


def _moved(path: str, folder: str, other: str) -> str:
    """The path that is as far below `other`, or nothing where it is not in the folder."""
    return other + path[len(folder) :] if path == folder or path.startswith(f"{folder}/") else ""
