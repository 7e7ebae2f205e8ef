"""Loose files, named in one that is open before them.

tsserver builds the program of what no tsconfig holds anew for each file that is opened, unless another one has brought
that into it: 411 tests took 35 s.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable

from cn_daemon.domain.source.reading import SCRIPTS

# It is on no disk, and where no tsconfig is looked for.
FILE = os.path.join(os.sep, ".cn-loose.ts")
_UNQUOTABLE = re.compile(r'["\n\r]')


class Roll:
    """Of modules in TypeScript alone. Of globals the first one counts, and a script that is read for itself has the
    libraries of scripts read."""

    def __init__(self, declares_globals: Callable[[str], bool]) -> None:
        self._declares_globals = declares_globals
        self._paths: set[str] = set()

    def add(self, paths: Iterable[str]) -> bool:
        """Whether it is another one by these, which are to be opened."""
        fresh = {path for path in paths if path not in self._paths and self._fits(path)}
        self._paths |= fresh
        return bool(fresh)

    def keep(self, paths: Collection[str]) -> bool:
        """Whether it is another one without what is none of these any more."""
        before = len(self._paths)
        self._paths.intersection_update(paths)
        return len(self._paths) < before

    def clear(self) -> None:
        self._paths.clear()

    def text(self) -> str:
        return "".join(f'/// <reference path="{path}" />\n' for path in sorted(self._paths))

    def _fits(self, path: str) -> bool:
        return not (path.endswith(SCRIPTS) or _UNQUOTABLE.search(path) or self._declares_globals(path))
