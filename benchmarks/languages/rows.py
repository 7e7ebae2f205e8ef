"""What a Python file declares, by its syntax tree: the rows of its outline, and which of them is around a place."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.languages.oracle import Place

_FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Row:
    """kind: `Class`, `Function`, `Method` or `Variable`. containers: the classes around it, outermost first.

    place: of its name. first, last: its lines, 1-based, its decorators and the comment right above among them.
    bases: the expressions that a class names as its bases.
    """

    name: str
    kind: str
    containers: tuple[str, ...]
    place: Place
    first: int
    last: int
    bases: tuple[ast.expr, ...] = ()

    @property
    def qualified(self) -> str:
        return ".".join((*self.containers, self.name))


def rows(path: Path) -> list[Row]:
    """In source order: what the module and its classes declare, at any depth of `if`, `try`, `with` and loops. What a
    function declares is its own."""
    text = path.read_text("utf-8")
    lines = text.split("\n")
    return [_commented(row, lines) for row in _body(ast.parse(text).body, path, lines, ())]


def around(declared: Sequence[Row], place: Place) -> Row | None:
    """The innermost row whose code holds a place."""
    holding = [row for row in declared if row.first <= place.line + 1 <= row.last]
    return min(holding, key=lambda row: row.last - row.first, default=None)


def _body(body: Sequence[ast.stmt], path: Path, lines: Sequence[str], containers: tuple[str, ...]) -> Iterator[Row]:
    for node in body:
        if isinstance(node, _FUNCTION | ast.ClassDef):
            yield from _definition(node, path, lines, containers)
            continue
        for target in _targets(node):
            place = Place(path, target.lineno - 1, target.col_offset)
            last = target.lineno if _inner(node) else node.end_lineno or node.lineno
            yield Row(target.id, "Variable", containers, place, node.lineno, last)
        for inner in _inner(node):
            yield from _body(inner, path, lines, containers)


def _definition(
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef,
    path: Path,
    lines: Sequence[str],
    containers: tuple[str, ...],
) -> Iterator[Row]:
    is_class = isinstance(node, ast.ClassDef)
    kind = "Class" if is_class else "Method" if containers else "Function"
    column = lines[node.lineno - 1].index(node.name, node.col_offset + (5 if is_class else 3))
    first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
    place = Place(path, node.lineno - 1, column)
    bases = tuple(node.bases) if isinstance(node, ast.ClassDef) else ()
    yield Row(node.name, kind, containers, place, first, node.end_lineno or node.lineno, bases)
    if is_class:
        yield from _body(node.body, path, lines, (*containers, node.name))


def _targets(node: ast.stmt) -> Iterator[ast.Name]:
    """The names that a statement assigns, of tuples too; those that it only annotates among them."""
    targets: list[ast.expr] = list(node.targets) if isinstance(node, ast.Assign) else []
    if isinstance(node, ast.AnnAssign | ast.For | ast.AsyncFor):
        targets = [node.target]
    if isinstance(node, ast.With | ast.AsyncWith):
        targets = [item.optional_vars for item in node.items if item.optional_vars is not None]
    for target in targets:
        for one in ast.walk(target):
            if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
                yield one


def _inner(node: ast.stmt) -> list[list[ast.stmt]]:
    """The bodies of a statement that has some."""
    own = [getattr(node, name, []) for name in ("body", "orelse", "finalbody")]
    return [body for body in (*own, *(one.body for one in getattr(node, "handlers", []))) if body]


def _commented(row: Row, lines: Sequence[str]) -> Row:
    first = row.first
    while first > 1 and lines[first - 2].strip().startswith("#"):
        first -= 1
    return Row(row.name, row.kind, row.containers, row.place, first, row.last, row.bases)
