"""What a Python text says of types in a way that servers do not follow, and how to say it to them.

Of one document; places are offsets in its `SourceText`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from cn_daemon.domain.mentions.python_text import PythonText
from cn_daemon.domain.source.python_parser import written
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document

# The methods of `argparse.ArgumentParser` that fill a namespace, and give it back.
PARSING = ("parse_args", "parse_known_args", "parse_intermixed_args", "parse_known_intermixed_args")
_NAMESPACE = "namespace"
_DOTTED = re.compile(r"(?<![\w.])(?P<module>[^\W\d]\w*(?:\.[^\W\d]\w*)+)\.(?P<name>[A-Z]\w*)\b(?![\w.(])")


class DottedType(NamedTuple):
    """`a.b.C`, of what `import a…` brings. start, end: of all of it."""

    start: int
    end: int
    module: str
    name: str


class Namespace(NamedTuple):
    """What a parser is given to fill. start, end: of it, with the comma before. plain: whether it is surely None, an
    `argparse.Namespace`, or what a parser's own method was given for one."""

    start: int
    end: int
    plain: bool


class PythonSubstitutes:
    def __init__(self, document: Document) -> None:
        self._text = document.once(SourceText).text
        self._python = document.once(PythonText)

    @cached_property
    def _nodes(self) -> list[ast.AST]:
        return list(ast.walk(self._python.tree)) if self._python.tree else []

    @cached_property
    def instance_assertions(self) -> list[tuple[int, int]]:
        """Where `self.assertIsInstance` stands in statements: it tells what `assert isinstance` does."""
        calls = (node.value for node in self._nodes if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call))
        return [
            (self._python.offset(one.lineno, one.col_offset), self._python.end(one.func))
            for one in calls
            if written(one.func) == "self.assertIsInstance" and len(one.args) == 2 and not one.keywords
        ]

    @cached_property
    def namespaces(self) -> list[Namespace]:
        """In calls of a parser's methods."""
        return [
            self._namespace(*found)
            for node in self._nodes
            if isinstance(node, ast.Call) and _last(node.func) in PARSING
            if (found := _given(node)) is not None
        ]

    def _namespace(self, call: ast.Call, value: ast.expr) -> Namespace:
        plain = (
            (isinstance(value, ast.Constant) and value.value is None)
            or (isinstance(value, ast.Name) and value.id == _NAMESPACE)
            or (isinstance(value, ast.Call) and _last(value.func) == "Namespace")
        )
        own = next((one for one in call.keywords if one.value is value), value)
        before = [self._python.end(call.func) + 1, *(self._python.end(one) for one in (*call.args, *call.keywords))]
        start = max(one for one in before if one <= self._python.offset(own.lineno, own.col_offset))
        return Namespace(start, self._python.end(value), plain)

    def dotted_types(self) -> Iterator[DottedType]:
        roots = {
            one.name.partition(".")[0] for each in self._nodes if isinstance(each, ast.Import) for one in each.names
        }
        for found in _DOTTED.finditer(self._text) if roots else ():
            if found["module"].partition(".")[0] in roots:
                yield DottedType(*found.span(), found["module"], found["name"])


def _given(call: ast.Call) -> tuple[ast.Call, ast.expr] | None:
    for one in call.keywords:
        if one.arg == _NAMESPACE:
            return call, one.value
    return (call, call.args[1]) if len(call.args) > 1 else None


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
