"""Where types can be written into a Python text that says none: parameters, results, and what gives a value to them.

By Python's own parser: a text that it does not parse has no such places.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from cn_daemon.domain.mentions.python_text import PythonText
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_TESTS = frozenset({"isinstance", "issubclass", "callable", "hasattr"})
_RELATIVE = re.compile(r"^([ \t]*from[ \t]+)(\.+)([\w.]*)(?=[ \t]+import\b)", re.M)


class Parameter(NamedTuple):
    """Without a type and a default. end: where a type is written behind it."""

    name: str
    end: int


class Function(NamedTuple):
    """start, name_start: of `def`, and of the name. parameters: those without a type, `self` among them. result: where
    a result is written, None where there is one. gives: where each `return`, or `yield`, begins. decorator: where the
    last name of the innermost decorator begins. parametrized: by parameter the expressions that pytest gives it."""

    name: str
    name_start: int
    span: tuple[int, int]
    parameters: tuple[Parameter, ...]
    result: int | None
    gives: tuple[tuple[str, int], ...]
    decorator: int | None
    generator: bool
    coroutine: bool
    parametrized: Mapping[str, tuple[str, ...]]


class PythonTypes:
    """Of one document; places are offsets in its `SourceText`."""

    def __init__(self, document: Document) -> None:
        self._text = document.once(SourceText).text
        self._python = document.once(PythonText)

    @cached_property
    def functions(self) -> list[Function]:
        tree = self._python.tree
        return [self._function(one) for one in ast.walk(tree) if isinstance(one, _Function)] if tree else []

    @cached_property
    def imported(self) -> dict[str, str]:
        """The names that the text binds by imports of other roots alone, each with the first name of its module."""
        found: dict[str, str] = {}
        bound: set[str] = set()
        for node in ast.walk(self._python.tree or ast.Module([], [])):
            if isinstance(node, ast.Import):
                found.update(
                    (one.asname or one.name.partition(".")[0], one.name.partition(".")[0]) for one in node.names
                )
            elif isinstance(node, ast.ImportFrom):
                names = {one.asname or one.name for one in node.names}
                if node.level or not node.module:
                    bound |= names
                else:
                    found.update(dict.fromkeys(names, node.module.partition(".")[0]))
            elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                bound.add(node.id)
            elif isinstance(node, ast.arg):
                bound.add(node.arg)
            elif isinstance(node, _Function | ast.ClassDef):
                bound.add(node.name)
        return {name: module for name, module in found.items() if name not in bound}

    def taken(self, function: Function) -> tuple[str, ...]:
        """Which types what a function decorates is called with, by the type of its first parameter that has one:
        `Callable[[A, B], R]`, `Callable[Concatenate[A, P], R]`."""
        for node in ast.walk(self._python.tree or ast.Module([], [])):
            if isinstance(node, _Function) and self._python.named(node) == function.name_start:
                for one in node.args.args[:2]:
                    if one.annotation is not None:
                        return _called_with(one.annotation)
        return ()

    def taken_names(self) -> Iterator[tuple[int, int, str, str, str]]:
        """Where each `from … import` ends, the dots and the module that it takes a name from, the name, and what it is
        called."""
        for node in ast.walk(self._python.tree or ast.Module([], [])):
            if isinstance(node, ast.ImportFrom):
                for one in node.names:
                    yield self._python.end(node), node.level, node.module or "", one.name, one.asname or one.name

    @cached_property
    def asserts(self) -> list[int]:
        """Where each `assert` begins that tells no type."""
        return [
            self._python.offset(node.lineno, node.col_offset)
            for node in ast.walk(self._python.tree or ast.Module([], []))
            if isinstance(node, ast.Assert) and not _tells_type(node.test)
        ]

    def is_constant(self, place: int) -> bool:
        """Whether a class gives a name there a value that is written out: no call names it."""
        for node in ast.walk(self._python.tree or ast.Module([], [])):
            body = node.body if isinstance(node, ast.ClassDef) else []
            constants = (one for one in body if isinstance(one, ast.Assign) and isinstance(one.value, ast.Constant))
            targets = (target for one in constants for target in one.targets)
            if any(self._python.offset(one.lineno, one.col_offset) == place for one in targets):
                return True
        return False

    def relative_imports(self) -> Iterator[tuple[int, int, int, str]]:
        """Where the dots of a relative import begin, and the module ends; the number of dots, and what follows."""
        for found in _RELATIVE.finditer(self._text):
            yield found.start(2), found.end(3), len(found[2]), found[3]

    def _function(self, node: _Function) -> Function:
        arguments = node.args
        plain = [*arguments.posonlyargs, *arguments.args]
        known = len(plain) - len(arguments.defaults)
        wanted = [one for one in plain[:known] if one.annotation is None]
        wanted += [
            one
            for one, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
            if one.annotation is None and value is None
        ]
        name = self._python.named(node)
        decorator = node.decorator_list[-1] if node.decorator_list else None
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        gives = tuple(self._gives(node.body))
        return Function(
            node.name,
            name,
            (self._python.offset(node.lineno, node.col_offset), self._python.end(node)),
            tuple(Parameter(one.arg, self._python.end(one)) for one in wanted),
            self._result(node, name) if node.returns is None else None,
            gives,
            self._python.last(called) if called is not None else None,
            any(word == "yield" for word, _ in gives),
            isinstance(node, ast.AsyncFunctionDef),
            dict(pair for one in node.decorator_list for pair in _parametrized(one)),
        )

    def _result(self, node: _Function, name: int) -> int | None:
        arguments = node.args
        nodes = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        nodes += [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
        values = [one for one in (*arguments.defaults, *arguments.kw_defaults) if one is not None]
        last = max([name + len(node.name), *map(self._python.end, nodes), *map(self._python.end, values)])
        found = re.compile(r"(?:[\s,(/*]|#[^\n]*)*\)").match(self._text, last)
        return found.end() if found else None

    def _gives(self, body: list[ast.stmt]) -> Iterator[tuple[str, int]]:
        pending: list[ast.AST] = list(body)
        while pending:
            node = pending.pop()
            if isinstance(node, ast.Return) and node.value is not None:
                yield "return", self._python.offset(node.lineno, node.col_offset)
            elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield) and node.value.value is not None:
                yield "yield", self._python.offset(node.lineno, node.col_offset)
            elif not isinstance(node, _Function | ast.ClassDef | ast.Lambda):
                pending += ast.iter_child_nodes(node)


def _tells_type(test: ast.expr) -> bool:
    calls = any(isinstance(one, ast.Call) and _last(one.func) in _TESTS for one in ast.walk(test))
    given = isinstance(test, ast.Compare) and any(isinstance(one, ast.IsNot) for one in test.ops)
    return calls or given or isinstance(test, ast.Name | ast.Attribute)


def _parametrized(decorator: ast.expr) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What `@pytest.mark.parametrize("a, b", [(1, 2), …])` gives each parameter."""
    if not isinstance(decorator, ast.Call) or _last(decorator.func) != "parametrize" or len(decorator.args) < 2:
        return
    named, values = decorator.args[:2]
    if isinstance(named, ast.Constant) and isinstance(named.value, str):
        names = [one.strip() for one in named.value.split(",")]
    else:
        names = [str(one.value) for one in getattr(named, "elts", ()) if isinstance(one, ast.Constant)]
    if not isinstance(values, ast.List | ast.Tuple):
        return
    rows = [_row(one, alone=len(names) == 1) for one in values.elts]
    for at, name in enumerate(names):
        if all(len(row) == len(names) for row in rows):
            yield name, tuple(dict.fromkeys(ast.unparse(row[at]) for row in rows))


def _row(value: ast.expr, *, alone: bool) -> list[ast.expr]:
    if isinstance(value, ast.Call) and _last(value.func) == "param":
        return value.args
    return [value] if alone else list(getattr(value, "elts", ()))


def _called_with(annotation: ast.expr) -> tuple[str, ...]:
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        try:
            annotation = ast.parse(annotation.value, mode="eval").body
        except SyntaxError:
            return ()
    if not isinstance(annotation, ast.Subscript) or _last(annotation.value) != "Callable":
        return ()
    if not isinstance(annotation.slice, ast.Tuple) or not annotation.slice.elts:
        return ()
    first = annotation.slice.elts[0]
    given: list[ast.expr] = []
    if isinstance(first, ast.List):
        given = first.elts
    elif (
        isinstance(first, ast.Subscript) and _last(first.value) == "Concatenate" and isinstance(first.slice, ast.Tuple)
    ):
        given = first.slice.elts[:-1]
    return tuple(map(_spelled, given))


def _spelled(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    return ast.unparse(node) if isinstance(node, ast.Name | ast.Attribute) else ""


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
