"""Which other members a Python text takes of the value of a name that it takes one of.

Those alone that are taken whenever the one is reached, of the same value: what has not all of them is not meant. By the
order in which Python evaluates expressions (its reference, 6.16), and by the blocks around.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from cn_daemon.domain.mentions.python_text import PythonText
from cn_daemon.domain.source.python_parser import written
from cn_daemon.domain.source.text import Document

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Comprehension = ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp
_Simple = ast.Expr | ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Assert | ast.Return
# What mocks alone have (Python's library, "unittest.mock").
_OF_MOCKS = re.compile(
    r"assert_(?:not_)?(?:any_)?(?:has_)?(?:called|call|calls|awaited|await|awaits)(?:_once)?(?:_with)?"
    r"|call_count|call_args(?:_list)?|mock_calls|method_calls|await_count|await_args(?:_list)?|return_value|side_effect"
)
# What goes on behind an error of what it holds.
_EXPECTING = re.compile(r"raises|suppress|assertRaises")


class _Step(NamedTuple):
    """A node, and the field of it that holds the one below."""

    node: ast.AST
    field: str


class PythonAccesses:
    """Of one document; places are offsets in its `SourceText`."""

    def __init__(self, document: Document) -> None:
        self._python = document.once(PythonText)

    def beside(self, place: int) -> frozenset[str]:
        """The names of members that are surely taken of the value that has the member whose name begins at a place."""
        found = self._attributes.get(place)
        if found is None or not isinstance(found[0].value, ast.Name):
            return frozenset()
        attribute, steps = found
        name = found[0].value.id
        if name in self._shared:
            return frozenset()
        return frozenset(_accessed(name, attribute, steps)) - {attribute.attr}

    def call(self, place: int) -> ast.Call | None:
        """The call of the member whose name begins at a place; None where its class may be named before it, which takes
        the object as well."""
        attribute, steps = self._attributes.get(place, (None, ()))
        above = steps[0] if steps else None
        if attribute is None or above is None or above.field != "func" or not isinstance(above.node, ast.Call):
            return None
        name = written(attribute.value).rpartition(".")[2]
        return above.node if not name[:1].isupper() else None

    def is_mocked(self, place: int) -> bool:
        """Whether something is taken of the member whose name begins at a place that mocks alone have."""
        found = self._attributes.get(place)
        above = found[1][0].node if found is not None and found[1] else None
        return isinstance(above, ast.Attribute) and _OF_MOCKS.fullmatch(above.attr) is not None

    @cached_property
    def _attributes(self) -> dict[int, tuple[ast.Attribute, tuple[_Step, ...]]]:
        """By the place of the name of each, with what is around it, the innermost first."""
        found = {}
        pending: list[tuple[ast.AST, tuple[_Step, ...]]] = [(self._python.tree or ast.Module([], []), ())]
        while pending:
            node, steps = pending.pop()
            if isinstance(node, ast.Attribute):
                found[self._python.end(node) - len(node.attr)] = (node, steps)
            for field, value in ast.iter_fields(node):
                inner = (_Step(node, field), *steps)
                pending += [(one, inner) for one in _nodes(value)]
        return found

    @cached_property
    def _shared(self) -> frozenset[str]:
        """The names that a function gives a value outside of itself."""
        nodes = ast.walk(self._python.tree or ast.Module([], []))
        return frozenset(name for one in nodes if isinstance(one, ast.Global | ast.Nonlocal) for name in one.names)


def _accessed(name: str, attribute: ast.AST, steps: Sequence[_Step]) -> Iterator[str]:
    """From the inside to the outside, as long as the name has one value."""
    below = attribute
    caught = any(_goes_on(one.node) for one in steps)
    for node, field in steps:
        if isinstance(below, ast.stmt):
            block = getattr(node, field)
            at = block.index(below)
            for one in reversed(block[:at]):
                if _binds(one, name):
                    return
                yield from _of(name, one)
            if isinstance(below, _Simple) and not (caught or _binds(below, name) or isinstance(below, ast.Return)):
                yield from _behind(name, block[at + 1 :])
        elif isinstance(node, ast.expr | ast.keyword | _Simple):
            if not isinstance(node, ast.stmt) and _binds(node, name) and not isinstance(node, _Comprehension):
                return
            yield from _of(name, *_with(node, below, caught=caught))
        elif isinstance(node, ast.comprehension):
            yield from _of(name, *(node.ifs[: node.ifs.index(below)] if below in node.ifs else ()))
            return
        if field == "items" and isinstance(node, ast.With | ast.AsyncWith) and not caught and not _binds(node, name):
            yield from _behind(name, node.body)
        if field == "body" and isinstance(node, ast.If | ast.While) and not _binds(node.test, name):
            yield from _of(name, node.test)
        if _ends(node, field, name):
            return
        if field == "body" and isinstance(node, ast.With | ast.AsyncWith):
            yield from _of(name, *_evaluated(node))
        below = node


def _with(node: ast.AST, below: ast.AST, *, caught: bool) -> Sequence[ast.AST]:
    """What is evaluated with a part of an expression, or of a statement without others in it."""
    match node:
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
            first, *further = node.generators
            return [*first.ifs, *(one for each in further for one in (each.iter, *each.ifs))]
        case ast.BoolOp():
            return node.values[: node.values.index(below)] if isinstance(below, ast.expr) else []
        case ast.IfExp():
            return [node.test]
    return [] if caught else _evaluated(node)


def _ends(node: ast.AST, field: str, name: str) -> bool:
    """Whether a name may have another value, or none, outside of a node that has the field."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.Lambda():
            return field in ("body", "args") or _binds(node, name)
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
            return _binds(node, name)
        case ast.For() | ast.AsyncFor():
            return field != "iter" and _binds(node, name)
        case ast.While() | ast.Try() | ast.TryStar() | ast.ExceptHandler() | ast.match_case():
            return _binds(node, name)
        case ast.If():
            return _binds(node.test, name)
        case ast.With() | ast.AsyncWith():
            return any(_binds(one, name) for one in node.items)
    return False


def _behind(name: str, statements: Sequence[ast.stmt]) -> Iterator[str]:
    """Of what follows without a way around it."""
    for one in statements:
        if isinstance(one, _Simple):
            yield from _of(name, one)
        elif isinstance(one, ast.If | ast.While):
            yield from _of(name, one.test)
        if _binds(one, name) or not isinstance(one, _Simple) or isinstance(one, ast.Return):
            return


def _of(name: str, *nodes: ast.AST) -> Iterator[str]:
    """The members that are surely taken of a name where all these are evaluated."""
    pending = list(nodes)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name:
            if isinstance(node.ctx, ast.Load):
                yield node.attr
        else:
            pending += _evaluated(node)


def _evaluated(node: ast.AST) -> list[ast.AST]:
    """What is evaluated of a node whenever the whole of it is."""
    match node:
        case ast.BoolOp():
            return [node.values[0]]
        case ast.IfExp() | ast.If() | ast.While():
            return [node.test]
        case ast.Compare():
            return [node.left, node.comparators[0]]
        case ast.For() | ast.AsyncFor():
            return [node.iter]
        case ast.With() | ast.AsyncWith():
            return [node.items[0].context_expr]
        case ast.Assert():
            return [node.test]
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            return [node.generators[0].iter]
        case ast.Lambda() | ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return []
        case ast.expr() | ast.keyword() | ast.Expr() | ast.Assign() | ast.AnnAssign() | ast.AugAssign() | ast.Return():
            return [one for field, value in ast.iter_fields(node) if field != "annotation" for one in _nodes(value)]
    return []


def _goes_on(node: ast.AST) -> bool:
    """Whether what fails in a statement may be what is expected there."""
    if isinstance(node, ast.With | ast.AsyncWith):
        return any(_EXPECTING.search(ast.dump(one.context_expr)) for one in node.items)
    return isinstance(node, ast.Try | ast.TryStar) and bool(node.handlers)


def _binds(node: ast.AST, name: str) -> bool:
    for one in ast.walk(node):
        match one:
            case ast.Name() if one.id == name and not isinstance(one.ctx, ast.Load):
                return True
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.ExceptHandler() if one.name == name:
                return True
            case ast.MatchAs() | ast.MatchStar() if one.name == name:
                return True
            case ast.alias() if (one.asname or one.name.partition(".")[0]) == name:
                return True
    return False


def _nodes(value: object) -> list[ast.AST]:
    if isinstance(value, ast.AST):
        return [value]
    return [one for one in value if isinstance(one, ast.AST)] if isinstance(value, list) else []
