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
# So many names are looked up at once.
_STRINGS = 20
_DOTTED = re.compile(r"(?<![\w.])(?P<module>[^\W\d]\w*(?:\.[^\W\d]\w*)+)\.(?P<name>[A-Z]\w*)\b(?![\w.(])")


class DottedType(NamedTuple):
    """`a.b.C`, of what `import a…` brings. start, end: of all of it."""

    start: int
    end: int
    module: str
    name: str


class Namespace(NamedTuple):
    """What a parser is given to fill. start, end: of it. plain: whether it is surely None, an
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
    def lookups(self) -> list[tuple[int, int, str]]:
        """Where `getattr(a, b)` stands in a loop over strings, `for b in ("x", "y")`, or in a test that is given such,
        and the members in its stead."""
        found = []
        for node in self._nodes:
            for name, values in _named_strings(node):
                stored = [
                    one for one in ast.walk(node) if isinstance(one, ast.Name) and one.id == name and _stores(one)
                ]
                calls = [one for one in ast.walk(node) if isinstance(one, ast.Call) and _is_lookup(one, name)]
                for call in calls if values and len(stored) <= isinstance(node, ast.For) else ():
                    value = written(call.args[0])
                    told = " if _either else ".join(f"{value}.{one}" for one in values)
                    found.append(
                        (self._python.offset(call.lineno, call.col_offset), self._python.end(call), f"({told})")
                    )
        return found

    @cached_property
    def namespaces(self) -> list[Namespace]:
        """In calls of a parser's methods."""
        return [
            self._namespace(given)
            for node in self._nodes
            if isinstance(node, ast.Call) and _last(node.func) in PARSING
            if (given := _given(node)) is not None
        ]

    def _namespace(self, value: ast.expr) -> Namespace:
        plain = (
            (isinstance(value, ast.Constant) and value.value is None)
            or (isinstance(value, ast.Name) and value.id == _NAMESPACE)
            or (isinstance(value, ast.Call) and _last(value.func) == "Namespace")
        )
        return Namespace(self._python.offset(value.lineno, value.col_offset), self._python.end(value), plain)

    @cached_property
    def dotted_types(self) -> list[DottedType]:
        imported = (one.name for each in self._nodes if isinstance(each, ast.Import) for one in each.names)
        roots = {name.partition(".")[0] for name in imported}
        found = _DOTTED.finditer(self._text) if roots else ()
        return [
            DottedType(*one.span(), one["module"], one["name"])
            for one in found
            if one["module"].partition(".")[0] in roots
        ]


def _named_strings(node: ast.AST) -> Iterator[tuple[str, list[str]]]:
    """The names that a loop, or pytest, gives strings that are written out."""
    match node:
        case ast.For(target=ast.Name(id=name), iter=ast.Tuple() | ast.List() as values):
            yield name, _strings(values)
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            for one in node.decorator_list:
                match one:
                    case ast.Call(args=[ast.Constant(value=str(name)), ast.Tuple() | ast.List() as values, *_]):
                        if _last(one.func) == "parametrize":
                            yield name, _strings(values)


def _strings(values: ast.Tuple | ast.List) -> list[str]:
    """Nothing where one is no name of a member."""
    found = [one.value if isinstance(one, ast.Constant) else None for one in values.elts]
    names = [one for one in found if isinstance(one, str) and one.isidentifier()]
    return names if len(names) == len(found) <= _STRINGS else []


def _is_lookup(call: ast.Call, name: str) -> bool:
    match call:
        case ast.Call(func=ast.Name(id="getattr"), args=[ast.Name() | ast.Attribute(), ast.Name(id=given)]):
            return given == name
    return False


def _stores(node: ast.Name) -> bool:
    return not isinstance(node.ctx, ast.Load)


def _given(call: ast.Call) -> ast.expr | None:
    """What is given for one; what may be, where not all is written out."""
    named = [one.value for one in call.keywords if one.arg in (_NAMESPACE, None)]
    placed = [one for at, one in enumerate(call.args) if at == 1 or isinstance(one, ast.Starred)]
    return next(iter((*named, *placed)), None)


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
