"""Which members are one to who calls them: what a member overrides, and what overrides it."""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import cache
from pathlib import Path

from benchmarks.languages.projects import ENVIRONMENT
from benchmarks.languages.rows import Row, rows


class Overriding:
    """In one project, by the names of classes: of its own, those of its environment, and those of stubs that it is
    led to."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._above: defaultdict[str, set[str]] = defaultdict(set)
        self._read: set[Path] = set()
        for path in sorted(root.rglob("*.py")):
            if ENVIRONMENT not in path.relative_to(root).parts or "site-packages" in path.parts:
                self._classes(path)

    def are(self, one: tuple[str, int, int], other: tuple[str, int, int]) -> bool:
        """Whether the members that are declared at two places have one name, and the class of the one inherits from
        that of the other. A place: path in the project, line and character from 1."""
        if other[0].endswith(".pyi"):
            # Classes of Python's own library inherit from those of other modules: of what the text imports.
            for module in _imported(self._root / one[0]):
                self._classes((self._root / other[0]).with_name(f"{module}.pyi"))
        first, second = self._class(one), self._class(other)
        if first is None or second is None:
            return False
        return first == second or first in self._all_above(second) or second in self._all_above(first)

    def _class(self, place: tuple[str, int, int]) -> str | None:
        """The class that a place stands in."""
        path = self._root / place[0]
        self._classes(path)
        holding = [row for row in _rows(path) if row.kind == "Class" and row.first <= place[1] <= row.last]
        return min(holding, key=lambda row: row.last - row.first).name if holding else None

    def _all_above(self, name: str) -> set[str]:
        found: set[str] = set()
        pending = [name]
        while pending:
            fresh = self._above[pending.pop()] - found
            found |= fresh
            pending += fresh
        return found

    def _classes(self, path: Path) -> None:
        if path in self._read:
            return
        self._read.add(path)
        for row in _rows(path):
            self._above[row.name] |= {name for base in row.bases if (name := _last(base))}


@cache
def _rows(path: Path) -> list[Row]:
    try:
        return rows(path)
    except (OSError, SyntaxError, ValueError):
        return []


@cache
def _imported(path: Path) -> set[str]:
    """The modules that a file imports, by their first names."""
    nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    names = {one.name for node in nodes if isinstance(node, ast.Import) for one in node.names}
    names |= {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}
    return {name.partition(".")[0] for name in names}


def _last(base: ast.expr) -> str:
    """Of `a.B[C]` it is B."""
    if isinstance(base, ast.Subscript):
        return _last(base.value)
    return base.attr if isinstance(base, ast.Attribute) else base.id if isinstance(base, ast.Name) else ""
