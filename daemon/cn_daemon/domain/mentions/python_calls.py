"""With what a Python text calls a function, or a class, of a name.

As far as each mention of the name is a call that can be read: a name that goes on as a value is called anywhere.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from cn_daemon.domain.mentions.python_text import PythonText
from cn_daemon.domain.source.text import Document

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_TESTS = frozenset({"isinstance", "issubclass"})


class Call(NamedTuple):
    """of_member: whether what is called is a member, `a.f()`. arguments: by position. named: by keyword."""

    of_member: bool
    arguments: tuple[ast.expr, ...]
    named: dict[str, ast.expr]


class PythonCalls:
    """Of one document."""

    def __init__(self, document: Document) -> None:
        self._python = document.once(PythonText)

    def of(self, name: str) -> list[Call] | None:
        """None where it may be called otherwise, or where that cannot be read."""
        if self._python.tree is None or any(one.torn or one.called for one in self._python.spellings(name)):
            return None
        found = []
        for node, above in self._named.get(name, ()):
            if isinstance(node, ast.alias):
                if node.asname not in (None, name):
                    return None
            elif isinstance(above, ast.Call) and above.func is node:
                if _is_open(above) or (isinstance(node, ast.Attribute) and not _is_object(node.value)):
                    return None
                named = {one.arg: one.value for one in above.keywords if one.arg is not None}
                found.append(Call(isinstance(node, ast.Attribute), tuple(above.args), named))
            elif id(node) not in self._types:
                return None
        return found

    def span(self, node: ast.expr) -> tuple[int, int]:
        return self._python.offset(node.lineno, node.col_offset), self._python.end(node)

    @cached_property
    def _named(self) -> dict[str, list[tuple[ast.AST, ast.AST]]]:
        """What mentions each name, and the node around: what only gives a name its value does not."""
        found: dict[str, list[tuple[ast.AST, ast.AST]]] = {}
        for above in self._nodes:
            for node in ast.iter_child_nodes(above):
                if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
                    name = node.id if isinstance(node, ast.Name) else node.attr
                    found.setdefault(name, []).append((node, above))
                elif isinstance(node, ast.alias):
                    found.setdefault(node.name, []).append((node, above))
        return found

    @cached_property
    def _types(self) -> frozenset[int]:
        """The nodes of types, and of classes that are asked for: nothing is called by them."""
        return frozenset(id(each) for one in self._nodes for part in _typed(one) for each in ast.walk(part))

    @cached_property
    def _nodes(self) -> list[ast.AST]:
        return list(ast.walk(self._python.tree or ast.Module([], [])))


def _typed(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.arg() | ast.AnnAssign() if node.annotation is not None:
            yield node.annotation
        case ast.FunctionDef() | ast.AsyncFunctionDef() if node.returns is not None:
            yield node.returns
        case ast.Call(func=ast.Name(id=name), args=[_, kinds]) if name in _TESTS:
            yield kinds


def _is_open(call: ast.Call) -> bool:
    """Whether not all of its arguments are written out."""
    return any(isinstance(one, ast.Starred) for one in call.args) or any(one.arg is None for one in call.keywords)


def _is_object(value: ast.expr) -> bool:
    """Whether what has a member is surely no class: `A.f(a)` names the object itself."""
    name = value.attr if isinstance(value, ast.Attribute) else value.id if isinstance(value, ast.Name) else ""
    return not name[:1].isupper()
