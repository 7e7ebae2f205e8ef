"""From which folders headers are included, where nothing says how files are compiled: `#include "lib/a.h"` leads to the
file of the workspace that ends so, and what is before that is such a folder."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable

_INCLUDE = re.compile(r"^[ \t]*#[ \t]*(?:include|import)[ \t]*(?P<mark>[<\"])(?P<named>[^>\"\n]+)[>\"]", re.M)
# A folder with a header of such a name is looked in after the system's, which include each other by them.
_SYSTEM = frozenset(
    f"{name}.h"
    for name in "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign "
    "stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string strings tgmath threads time uchar unistd "
    "wchar wctype features endian byteswap malloc memory fcntl dirent poll pthread sched semaphore search process "
    "version".split()
)
# To clangd a header alone may be of any of C, C++ and Objective-C.
_HEADER, _C_HEADER = "objective-c++-header", "c-header"
# Folders that one file is given, the nearest first.
_MOST = 100


class Includes:
    """Of a workspace. read: the text of a file. Raises OSError."""

    def __init__(self, read: Callable[[str], str]) -> None:
        self._read = read
        # By file, what it includes: the mark before the name, and the name.
        self._includes: dict[str, frozenset[tuple[str, str]]] = {}

    def is_other(self, edited: Iterable[str]) -> bool:
        """Whether these files are new or gone, or include something else than before."""
        return any(self._includes.get(path) != (self._of(path) if os.path.exists(path) else None) for path in edited)

    def arguments(self, sources: Collection[str]) -> dict[str, list[str]]:
        """How each of the sources may be compiled, without the name of the compiler and its own."""
        self._includes = {path: self._includes.get(path) or self._of(path) for path in sources}
        roots = self._roots()
        plain = not any(path.endswith((".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx")) for path in sources)
        named = ["-x", _C_HEADER if plain else _HEADER]
        near = {folder: _nearest(folder, roots) for folder in {os.path.dirname(path) for path in sources}}
        return {
            path: [*(named if path.endswith(".h") else ()), *near[os.path.dirname(path)]] for path in sorted(sources)
        }

    def forget(self, edited: Iterable[str]) -> None:
        for path in edited:
            self._includes.pop(path, None)

    def _of(self, path: str) -> frozenset[tuple[str, str]]:
        try:
            text = self._read(path)
        except OSError:
            return frozenset()
        return frozenset((found["mark"], os.path.normpath(found["named"].strip())) for found in _INCLUDE.finditer(text))

    def _roots(self) -> dict[str, str]:
        """The folders, each with the option that names it."""
        by_name = defaultdict(list)
        for path in self._includes:
            by_name[os.path.basename(path)].append(path)
        shadowing = {os.path.dirname(path) for name in _SYSTEM for path in by_name.get(name, ())}
        roots: dict[str, str] = {}
        for path, includes in self._includes.items():
            folder = os.path.dirname(path)
            for mark, named in includes:
                if named.startswith(("..", "/")) or (mark == '"' and os.path.join(folder, named) in self._includes):
                    continue
                leading = (one for one in by_name.get(os.path.basename(named), ()) if one.endswith(f"/{named}"))
                found = _alone_nearest(folder, [one.removesuffix(f"/{named}") for one in leading])
                if found and found in shadowing:
                    roots.setdefault(found, "-iquote" if mark == '"' else "-idirafter")
                elif found:
                    roots[found] = "-I"
        return roots


def _shared(one: str, other: str) -> int:
    return len(os.path.commonpath((one, other)))


def _alone_nearest(folder: str, candidates: list[str]) -> str:
    """The one that has most of its path in common with a folder, "" where several have as much."""
    if len(candidates) < 2:
        return "".join(candidates)
    ranked = sorted(((_shared(folder, one), one) for one in candidates), reverse=True)
    return ranked[0][1] if ranked[0][0] > ranked[1][0] else ""


def _nearest(folder: str, roots: dict[str, str]) -> list[str]:
    ordered = sorted(roots, key=lambda root: (-_shared(folder, root), root))[:_MOST]
    return [part for root in ordered for part in (roots[root], root)]
