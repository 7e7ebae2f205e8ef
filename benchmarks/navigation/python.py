"""Python projects: their workspaces, and the truth about them in the form that the TypeScript oracle tells it.

The truth is what their syntax trees say (`benchmarks.languages`); no language server takes part. It holds those symbols
of which every mention is beyond doubt.
"""

from __future__ import annotations

import ast
import random
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.languages.oracle import Place, Truth, truths
from benchmarks.languages.projects import PROJECTS, Project, fetch
from benchmarks.languages.rows import Row, around, rows

__all__ = ["PROJECTS", "assemble", "truth_of"]


def assemble(project: Project, work: Path) -> Path:
    """A fresh workspace of the project's sources; nothing that it depends on is installed."""
    root = work / "workspaces" / project.name
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    source = fetch(project, work / "packages")
    for one in (*project.sources, "pyproject.toml"):
        if (source / one).is_dir():
            shutil.copytree(source / one, root / one, dirs_exist_ok=True)
        else:
            shutil.copy(source / one, root / one)
    (root / ".cn.json").write_text("{}\n")
    return root


def truth_of(project: Project, root: Path, seed: int, symbols: int, callables: int, types: int) -> dict[str, Any]:
    """As `oracle/main.mjs` prints it; without blocks in bodies."""
    return _Document(project, root, seed).document(symbols, callables, types)


class _Document:
    def __init__(self, project: Project, root: Path, seed: int) -> None:
        self._root = root
        self._seed = seed
        self._rows = {path: rows(path) for folder in project.sources for path in sorted((root / folder).rglob("*.py"))}
        self._at = {row.place: row for each in self._rows.values() for row in each}
        self._holders = Counter(row.qualified for row in self._at.values())
        self._lines = {path: path.read_text("utf-8").split("\n") for path in self._rows}
        self._strings = [one for path in self._rows for one in _strings(path)]
        known = truths(root, project.sources, further=True)
        self._known = {one.declared: one for one in known if one.declared in self._at}

    def document(self, symbols: int, callables: int, types: int) -> dict[str, Any]:
        return {
            "files": len(self._rows),
            "symbols": [self._symbol(one) for one in self._sample(symbols, self._known.values())],
            "outlines": {
                self._relative(path): [[row.name, row.place.line + 1] for row in each]
                for path, each in self._rows.items()
            },
            "bodies": [],
            "callers": [self._callers(one) for one in self._sample(callables, self._of_kinds(_CALLABLE))],
            "types": [self._heirs(one) for one in self._sample(types, self._classes())],
            "judgedTypes": [self._spelled(row.place) for row in self._at.values() if row.kind == "Class"],
        }

    def _of_kinds(self, kinds: Sequence[str]) -> list[Truth]:
        return [one for place, one in self._known.items() if self._at[place].kind in kinds]

    def _sample(self, count: int, pool: Iterable[Truth]) -> list[Truth]:
        """As many of each kind, so that rare ones count."""
        by_kind: dict[str, list[Truth]] = {}
        for one in sorted(pool, key=lambda one: one.declared):
            by_kind.setdefault(self._at[one.declared].kind, []).append(one)
        chance = random.Random(self._seed)
        for each in by_kind.values():
            chance.shuffle(each)
        taken: list[Truth] = []
        while len(taken) < count and any(by_kind.values()):
            taken += [each.pop() for each in by_kind.values() if each]
        return taken[:count]

    def _head(self, truth: Truth) -> dict[str, Any]:
        row = self._at[truth.declared]
        at = self._spelled(row.place)
        query = row.qualified if self._holders[row.qualified] == 1 else f"{self._relative(row.place.path)}#{row.name}"
        rivals = [one for one in self._rows[row.place.path] if one.qualified == row.qualified]
        if self._holders[row.qualified] > 1 and (row.containers or len(rivals) > 1):
            query = at
        return {"query": query, "name": row.name, "kind": row.kind, "path": self._relative(row.place.path), "at": at}

    def _symbol(self, truth: Truth) -> dict[str, Any]:
        row = self._at[truth.declared]
        uses = sorted(map(self._spelled, truth.uses))
        return {
            **self._head(truth),
            "declarations": [self._spelled(truth.declared)],
            "references": uses,
            "allowed": self._doubtful(truth),
            "block": [row.first, row.last],
            "use": {"at": random.Random(self._seed).choice(uses), "declarations": [self._spelled(truth.declared)]},
        }

    def _doubtful(self, truth: Truth) -> list[str]:
        """In a string the name may be an annotation, or in `__all__`: it may be told."""
        found = []
        for path, line, first, last in self._strings:
            text = self._lines[path][line - 1]
            start = text.find(truth.name, first)
            while 0 <= start < last:
                found.append(self._spelled(Place(path, line - 1, start)))
                start = text.find(truth.name, start + 1)
        return found

    def _callers(self, truth: Truth) -> dict[str, Any]:
        callers: dict[str, list[str]] = {}
        for place in sorted(truth.calls):
            row = around(self._rows[place.path], place)
            path = self._relative(place.path)
            holder = f"{path}:{row.place.line + 1} {row.name}" if row else path
            callers.setdefault(holder, []).append(self._spelled(place))
        return {**self._head(truth), "callers": callers}

    def _classes(self) -> list[Truth]:
        """Classes of which all that inherits, however deep, is beyond doubt."""
        return [one for one in self._of_kinds(["Class"]) if self._below(one) is not None]

    def _heirs(self, truth: Truth) -> dict[str, Any]:
        below = self._below(truth) or []
        return {**self._head(truth), "implementations": [self._spelled(row.place) for row in below], "allowed": []}

    def _below(self, truth: Truth) -> list[Row] | None:
        found: list[Row] = []
        for row in self._at.values():
            if any(_names(base, truth, row.place.path) for base in row.bases) and row not in found:
                heir = self._known.get(row.place)
                further = self._below(heir) if heir is not None else self._unused(row)
                if further is None:
                    return None
                found += [one for one in (row, *further) if one not in found]
        return found

    def _unused(self, row: Row) -> list[Row] | None:
        """Nothing inherits from a class that is mentioned in no heritage at all."""
        named = {_word(base) for other in self._at.values() for base in other.bases}
        return None if row.name in named else []

    def _relative(self, path: Path) -> str:
        return path.relative_to(self._root).as_posix()

    def _spelled(self, place: Place) -> str:
        return f"{self._relative(place.path)}:{place.line + 1}:{place.character + 1}"


_CALLABLE = ("Class", "Function", "Method")


def _names(base: ast.expr, truth: Truth, path: Path) -> bool:
    if isinstance(base, ast.Subscript):
        return _names(base.value, truth, path)
    if isinstance(base, ast.Name):
        return Place(path, base.lineno - 1, base.col_offset) in truth.uses
    if isinstance(base, ast.Attribute) and base.end_lineno is not None and base.end_col_offset is not None:
        return Place(path, base.end_lineno - 1, base.end_col_offset - len(base.attr)) in truth.uses
    return False


def _strings(path: Path) -> Iterator[tuple[Path, int, int, int]]:
    """The strings of one line: the line, 1-based, the first column and the one behind it."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.lineno == node.end_lineno:
            yield path, node.lineno, node.col_offset, node.end_col_offset or 0


def _word(base: ast.expr) -> str:
    if isinstance(base, ast.Subscript):
        return _word(base.value)
    return base.attr if isinstance(base, ast.Attribute) else base.id if isinstance(base, ast.Name) else ""
