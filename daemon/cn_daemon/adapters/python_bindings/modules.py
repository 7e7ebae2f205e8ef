"""From an import to the files of the workspace that it may mean.

Absolute imports are read from the roots of the workspace and, in a script, from its folder. Where more than one of them
has the module, that of the nearest root above the file is its project's; otherwise it is open which is meant.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cn_daemon.domain.python_modules import ENDINGS, SAME_NAME, module_stem

_PACKAGES = tuple(f"/__init__{ending}" for ending in ENDINGS)
NOT_ROOTED = "an import that leads nowhere"


class ResolvedModule(NamedTuple):
    """The files of a module: itself and its stub, or what it may be. A namespace package is a folder. doubt: why it is
    open which of them, or whether any."""

    paths: tuple[str, ...] = ()
    doubt: str = ""


class Modules:
    """As of one state of the workspace's files. roots: as of `Words.roots`."""

    def __init__(self, files: Iterable[str], roots: Sequence[str] = ()) -> None:
        self._roots = roots
        self._files = frozenset(path for path in files if path.endswith(ENDINGS))
        self._folders = _folders(self._files)
        self._stems: dict[str, list[str]] = {}
        for path in sorted(self._files):
            self._stems.setdefault(module_stem(path), []).append(path)
        for folder in self._folders:
            self._stems.setdefault(os.path.basename(folder), []).append(folder)
        self._known: dict[tuple[str, int, str], ResolvedModule] = {}

    def resolve(self, path: str, level: int, dotted: str) -> ResolvedModule:
        """What an import in the file `path` means. level: the dots before it."""
        folder = os.path.dirname(path)
        key = (folder, level, dotted)
        if key not in self._known:
            self._known[key] = self._relative(folder, level, dotted) if level else self._absolute(folder, dotted)
        return self._known[key]

    def part(self, module: str, name: str) -> ResolvedModule:
        """The module of that name in a package; nothing in what is none."""
        folder = module if module in self._folders else os.path.dirname(module)
        return (
            ResolvedModule(self._at(f"{folder}/{name}"))
            if folder == module or module.endswith(_PACKAGES)
            else ResolvedModule()
        )

    def models(self, label: str) -> list[str]:
        """The modules of models of Django's applications of a label."""
        ends = tuple(f"/{label}/models{end}" for end in (".py", "/__init__.py"))
        return [path for path in self._stems.get("models", ()) if path.endswith(ends)]

    def _relative(self, folder: str, level: int, dotted: str) -> ResolvedModule:
        for _ in range(level - 1):
            folder = os.path.dirname(folder)
        place = "/".join([folder, *filter(None, dotted.split("."))])
        return ResolvedModule(self._at(place))

    def _absolute(self, folder: str, dotted: str) -> ResolvedModule:
        inner = dotted.replace(".", "/")
        roots = self._roots
        # A script's own folder comes first; a package's is none.
        own = [] if folder in roots or self._is_package(folder) else [folder]
        found = [
            (len(root) if f"{folder}/".startswith(f"{root}/") else 0, root, paths)
            for root in (*roots, *own)
            if (paths := self._at(f"{root}/{inner}"))
        ]
        real = [one for one in found if one[2][0] not in self._folders] or found
        if not real:
            return self._elsewhere(inner)
        if len({one[2] for one in real}) == 1:
            return ResolvedModule(real[0][2])
        nearest = [one for one in real if one[0] == max(real)[0]]
        if len({one[2] for one in nearest}) == 1 and nearest[0][1] in roots:
            return ResolvedModule(nearest[0][2])
        return ResolvedModule(tuple(dict.fromkeys(path for one in real for path in one[2])), SAME_NAME)

    def _elsewhere(self, inner: str) -> ResolvedModule:
        """In a folder that is no root, as far as is known."""
        if inner.partition("/")[0] in sys.stdlib_module_names:
            return ResolvedModule()
        alike = self._stems.get(inner.rpartition("/")[2], ())
        ends = tuple(f"/{inner}{end}" for end in ("", *ENDINGS, *_PACKAGES))
        paths = tuple(path for path in alike if path.endswith(ends))
        return ResolvedModule(paths, NOT_ROOTED) if paths else ResolvedModule()

    def _at(self, place: str) -> tuple[str, ...]:
        for ends in (_PACKAGES, ENDINGS):
            if found := tuple(f"{place}{end}" for end in ends if f"{place}{end}" in self._files):
                return found
        return (place,) if place in self._folders else ()

    def _is_package(self, folder: str) -> bool:
        return any(f"{folder}{end}" in self._files for end in _PACKAGES)


def _folders(files: Iterable[str]) -> frozenset[str]:
    """Those that hold some of the files, at any depth."""
    found: set[str] = set()
    for path in files:
        folder = os.path.dirname(path)
        while folder not in found and folder != "/":
            found.add(folder)
            folder = os.path.dirname(folder)
    return frozenset(found)
