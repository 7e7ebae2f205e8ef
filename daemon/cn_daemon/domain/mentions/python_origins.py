"""What a Python text has of other packages: their modules, what imports name of them, objects of their classes.

No member of the workspace is taken of these themselves. By what gives each name its value in its scope, as far as one
text shows it. What other packages' functions give back, what they iterate over, and what an object of theirs holds, may
be the workspace's: `get_user_model()`, `flask.g.user`.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterator
from functools import cached_property

from cn_daemon.domain.mentions.python_text import PythonText
from cn_daemon.domain.source import python_parser
from cn_daemon.domain.source.python_parser import written
from cn_daemon.domain.source.text import Document

# What a value may be: what the workspace declares; anything; an object of another package's class; what another package
# has by a name; a mock that stands for no class; a package's module; a constant, such as None.
OWN, ANYTHING, OBJECT, NAMED, MOCK, MODULE, CONSTANT = range(7)
# What is called for an object that stands for what it is handed, or what stands for another object by its name.
_STANDS_FOR = re.compile(r"Proxy|Mock|Wrapper|Local|Lazy|Delegat|^current")
# A mock of `unittest.mock`, and what makes one stand for a class or an object.
_MOCK = re.compile(r"(?:NonCallable)?(?:Magic)?Mock|AsyncMock")
_MADE_BY = frozenset({"spec", "spec_set", "wraps"})
_MOCKS = re.compile(r"(?:unittest|mock)(?:\.mock)?")
# Modules that have types which anything may fit: aliases, protocols.
_OF_TYPES = frozenset({"types", "typing", "protocols", "interfaces", "abc"})
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Scope = _Function | ast.Lambda | ast.ClassDef | ast.Module
_BINDING = (
    *(ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.For, ast.AsyncFor, ast.comprehension),
    *(ast.withitem, ast.ExceptHandler, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Global, ast.Nonlocal),
    *(ast.MatchAs, ast.MatchStar),
)


class PythonOrigins:
    """Of one document; places are offsets in its `SourceText`."""

    def __init__(self, document: Document) -> None:
        self._python = document.once(PythonText)
        self._scopes = _Scopes(self._python.tree or ast.Module([], []))

    def receiver(self, place: int, is_home: Callable[[str], bool]) -> int:
        """Of what the value may be that has the attribute whose name begins at a place. is_home: whether a module of
        the workspace may be imported by a name."""
        found = self._attributes.get(place)
        if found is None:
            return ANYTHING
        try:
            origin = _Values(is_home, self._scopes).of(found[0].value, found[1])
        except RecursionError:  # a chain of hundreds of calls
            return ANYTHING
        # A constant has few members: somebody else gives it a value.
        return ANYTHING if origin == CONSTANT else origin

    def is_elsewhere(self, name: str, is_home: Callable[[str], bool]) -> bool:
        """Whether imports alone give the text a name, and each takes it from another package. is_home: as of
        `receiver`."""
        modules = [one for node in self._scopes.imports for one in _modules(node, name)]
        return bool(modules) and not any(not one or is_home(one) for one in modules)

    def is_mock(self, start: int, end: int) -> bool:
        """Whether an expression there is a mock that stands for no class."""
        for node, scopes in self._scopes.nodes:
            place = isinstance(node, ast.Name | ast.Call) and self._python.offset(node.lineno, node.col_offset)
            if place == start and isinstance(node, ast.expr) and self._python.end(node) == end:
                return _Values(lambda module: not _MOCKS.fullmatch(module), self._scopes).of(node, scopes) == MOCK
        return False

    def is_module(self, place: int) -> bool:
        """Whether a name there is a part of the name of a module that imports bring: `b` of `a.b.f` by `import a.b`."""
        found = self._attributes.get(place)
        dotted = f"{written(found[0])}." if found is not None else ""
        root = dotted.partition(".")[0]
        imported = (one for node in self._scopes.imports if isinstance(node, ast.Import) for one in node.names)
        if not root.isidentifier() or not any(not one.asname and f"{one.name}.".startswith(dotted) for one in imported):
            return False
        return found is not None and _Values(lambda _: False, self._scopes).of(_first(found[0]), found[1]) == MODULE

    def is_argument(self, place: int, is_home: Callable[[str], bool]) -> bool:
        """Whether a name there is that of an argument of what another package has, which is given nothing else than
        constants and objects of its own; or a key, as `dict` is given them. is_home: as of `receiver`."""
        found = self._arguments.get(place)
        try:
            return found is not None and _Values(is_home, self._scopes).is_foreign_call(*found)
        except RecursionError:
            return False

    @cached_property
    def _arguments(self) -> dict[int, tuple[ast.Call, tuple[_Scope, ...]]]:
        """By the place of the name of each."""
        calls = ((node, scopes) for node, scopes in self._scopes.nodes if isinstance(node, ast.Call))
        return {
            self._python.offset(one.lineno, one.col_offset): (call, scopes)
            for call, scopes in calls
            for one in call.keywords
            if one.arg is not None
        }

    @cached_property
    def _attributes(self) -> dict[int, tuple[ast.Attribute, tuple[_Scope, ...]]]:
        """By the place of the name of each."""
        told = ((node, scopes) for node, scopes in self._scopes.nodes if isinstance(node, ast.Attribute))
        return {self._python.end(node) - len(node.attr): (node, scopes) for node, scopes in told}


class _Scopes:
    """The nodes of a text that give names their values, by what they lie in."""

    def __init__(self, tree: ast.Module) -> None:
        # With the scopes around each, the innermost first.
        self.nodes: list[tuple[ast.AST, tuple[_Scope, ...]]] = []
        self.imports: list[ast.Import | ast.ImportFrom] = []
        self.binding: dict[_Scope, list[ast.AST]] = {}
        pending: list[tuple[ast.AST, tuple[_Scope, ...]]] = [(tree, ())]
        while pending:
            node, scopes = pending.pop()
            self.nodes.append((node, scopes))
            if isinstance(node, ast.Import | ast.ImportFrom):
                self.imports.append(node)
            if isinstance(node, _BINDING) and scopes:
                self.binding.setdefault(scopes[0], []).append(node)
            inner = (node, *scopes) if isinstance(node, _Scope) else scopes
            pending += [(one, inner) for one in ast.iter_child_nodes(node)]


class _Values:
    """For one question."""

    def __init__(self, is_home: Callable[[str], bool], scopes: _Scopes) -> None:
        self._is_home = is_home
        self._scopes = scopes
        self._begun: set[tuple[int, str]] = set()

    def of(self, node: ast.AST, scopes: tuple[_Scope, ...]) -> int:
        match node:
            case ast.Constant() | ast.JoinedStr():
                return CONSTANT
            case ast.List() | ast.Tuple() | ast.Set():
                return min((self.of(one, scopes) for one in node.elts), default=CONSTANT)
            case ast.Lambda():
                return OWN
            case ast.Name():
                return self._named(node.id, scopes)
            case ast.Attribute():
                if isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"):
                    return self._assigned(node.attr, scopes)
                return self._part(node, scopes)
            case ast.Call():
                return self._called(node, scopes)
            case ast.withitem():
                # What a class gives by `__enter__` is its own, most often itself.
                return OBJECT if self.of(node.context_expr, scopes) == OBJECT else ANYTHING
            case ast.BoolOp():
                return min(self.of(one, scopes) for one in node.values)
            case ast.IfExp():
                return min(self.of(node.body, scopes), self.of(node.orelse, scopes))
        return ANYTHING

    def is_foreign_call(self, call: ast.Call, scopes: tuple[_Scope, ...]) -> bool:
        if self._is_mock(call, scopes):
            return True
        if isinstance(call.func, ast.Name) and call.func.id == "dict":
            return not any(any(True for _ in self._bound(scope, "dict")) for scope in scopes)
        value = call.func.value if isinstance(call.func, ast.Attribute) else call.func
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        wanted = MODULE if isinstance(call.func, ast.Attribute) else NAMED
        foreign = self.of(value, scopes) == wanted and not _STANDS_FOR.search(name)
        if not foreign or any(self.of(one, scopes) <= ANYTHING for one in call.args):
            return False
        return all(self.of(one.value, scopes) > OWN for one in call.keywords)

    def _part(self, node: ast.Attribute, scopes: tuple[_Scope, ...]) -> int:
        if self.of(node.value, scopes) != MODULE:
            return ANYTHING
        dotted = f"{written(node)}."
        imports = (one for one in self._scopes.imports if isinstance(one, ast.Import))
        if any(f"{one.name}.".startswith(dotted) for each in imports for one in each.names):
            return MODULE
        return NAMED if node.attr[:1].isupper() else ANYTHING

    def _called(self, node: ast.Call, scopes: tuple[_Scope, ...]) -> int:
        if self._is_mock(node, scopes):
            return MOCK
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if not name[:1].isupper() or _STANDS_FOR.search(name) or self.of(node.func, scopes) != NAMED:
            return ANYTHING
        arguments = [*node.args, *(one.value for one in node.keywords)]
        return OBJECT if all(self.of(one, scopes) > OWN for one in arguments) else ANYTHING

    def _is_mock(self, node: ast.Call, scopes: tuple[_Scope, ...]) -> bool:
        """Whether it makes an object of `Mock` that stands for no class."""
        name = written(node.func)
        if not _MOCK.fullmatch(name.rpartition(".")[2]) or node.args:
            return False
        if any(_MADE_BY.intersection(_keys(one)) for one in node.keywords):
            return False
        root = name.partition(".")[0]
        modules = [one for each in self._scopes.imports for one in _modules(each, root)]
        if root == "mocker":  # pytest-mock's fixture
            return not modules
        return self._named(root, scopes) >= NAMED and all(map(_MOCKS.fullmatch, modules))

    def _named(self, name: str, scopes: tuple[_Scope, ...]) -> int:
        for at, scope in enumerate(scopes):
            if at and isinstance(scope, ast.ClassDef):
                continue
            key = (id(scope), name)
            if key in self._begun:
                return MODULE  # it is made of itself, and of what else is looked at
            self._begun.add(key)
            found = [
                value if isinstance(value, int) else self.of(value, scopes[at:]) for value in self._bound(scope, name)
            ]
            self._begun.discard(key)
            if found:
                return min(found)
        return ANYTHING

    def _bound(self, scope: _Scope, name: str) -> Iterator[ast.AST | int]:
        """What gives a name its value in a scope, or what that may be."""
        if isinstance(scope, _Function | ast.Lambda):
            arguments = scope.args
            every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
            for one in every:
                if one is not None and one.arg == name:
                    yield OBJECT if self._is_foreign(one.annotation) else ANYTHING
        for node in self._scopes.binding.get(scope, ()):
            match node:
                case ast.Import() | ast.ImportFrom():
                    yield from self._imported(node, name)
                case ast.Assign() if any(_binds(one, name) for one in node.targets):
                    yield node.value if all(isinstance(one, ast.Name) for one in node.targets) else ANYTHING
                case ast.AnnAssign() if _binds(node.target, name):
                    yield OBJECT if self._is_foreign(node.annotation) else node.value or ANYTHING
                case ast.NamedExpr() if _binds(node.target, name):
                    yield node.value
                case ast.For() | ast.AsyncFor() | ast.comprehension() if _binds(node.target, name):
                    yield ANYTHING
                case ast.withitem() if node.optional_vars is not None and _binds(node.optional_vars, name):
                    yield node if isinstance(node.optional_vars, ast.Name) else ANYTHING
                case ast.ExceptHandler() if node.name == name:
                    yield ANYTHING
                case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() if node.name == name:
                    yield OWN
                case ast.Global() | ast.Nonlocal() if name in node.names:
                    yield ANYTHING
                case ast.MatchAs() | ast.MatchStar() if node.name == name:
                    yield ANYTHING

    def _imported(self, node: ast.Import | ast.ImportFrom, name: str) -> Iterator[ast.expr | int]:
        for module in _modules(node, name):
            if not module or self._is_home(module):
                yield OWN
            elif _STANDS_FOR.search(name) and not (_MOCK.fullmatch(name) and _MOCKS.fullmatch(module)):
                yield ANYTHING
            else:
                yield MODULE if isinstance(node, ast.Import) else NAMED

    def _is_foreign(self, annotation: ast.AST | None) -> bool:
        """Whether a type is a class of another package, that it names."""
        match annotation:
            case ast.Constant(value=str(text)):
                return self._is_foreign(python_parser.expression(text))
            case ast.BinOp(op=ast.BitOr()):
                sides = (annotation.left, annotation.right)
                return all(_is_none(one) or self._is_foreign(one) for one in sides)
            case ast.Subscript() if written(annotation.value).rpartition(".")[2] == "Optional":
                return self._is_foreign(annotation.slice)
            case ast.Name() | ast.Attribute():
                root = written(annotation).partition(".")[0]
                modules = [one for node in self._scopes.imports for one in _modules(node, root)]
                return bool(modules) and not any(self._is_known(one) for one in modules)
        return False

    def _is_known(self, module: str) -> bool:
        """Whether servers know its types, or the workspace has it; or what it has is likely more than classes."""
        first, last = module.partition(".")[0], module.rpartition(".")[2].strip("_")
        if last in _OF_TYPES:
            return True
        return not first or first in sys.stdlib_module_names or first == "typing_extensions" or self._is_home(module)

    def _assigned(self, attribute: str, scopes: tuple[_Scope, ...]) -> int:
        """By what the text gives an attribute of that name, whatever has it."""
        key = (0, attribute)
        if key in self._begun:
            return MODULE
        self._begun.add(key)
        found = []
        given: set[ast.AST] = set()
        for node, around in self._scopes.nodes:
            if isinstance(node, ast.Assign) and (targets := [t for t in node.targets if _is_attribute(t, attribute)]):
                given.update(targets)
                found.append(self.of(node.value, around))
            elif isinstance(node, ast.AnnAssign) and _is_attribute(node.target, attribute):
                given.add(node.target)
                foreign = self._is_foreign(node.annotation)
                found.append(OBJECT if foreign else self.of(node.value, around) if node.value else ANYTHING)
            elif isinstance(node, ast.Attribute) and node.attr == attribute and node not in given:
                found += [] if isinstance(node.ctx, ast.Load) else [ANYTHING]
            elif isinstance(node, _Function | ast.ClassDef) and node.name == attribute:
                found.append(ANYTHING)
            if isinstance(node, ast.ClassDef):
                bound = self._bound(node, attribute)
                found += [one if isinstance(one, int) else self.of(one, (node, *around)) for one in bound]
        self._begun.discard(key)
        return min(found, default=ANYTHING)


def _first(node: ast.expr) -> ast.expr:
    """The name that an expression of attributes begins with."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node


def _keys(keyword: ast.keyword) -> frozenset[str]:
    """The names of the arguments that it gives; of `**` what is written out, else all that may matter."""
    if keyword.arg is not None:
        return frozenset({keyword.arg})
    keys = keyword.value.keys if isinstance(keyword.value, ast.Dict) else [None]
    known = [one.value if isinstance(one, ast.Constant) else None for one in keys]
    return frozenset(map(str, known)) if None not in known else _MADE_BY


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _modules(node: ast.AST, name: str) -> Iterator[str]:
    """The modules from which an import takes what has a name here; "" for a relative one."""
    if isinstance(node, ast.Import):
        yield from (one.name for one in node.names if (one.asname or one.name.partition(".")[0]) == name)
    elif isinstance(node, ast.ImportFrom):
        module = "" if node.level else node.module or ""
        yield from (module for one in node.names if (one.asname or one.name) == name)


def _binds(target: ast.AST, name: str) -> bool:
    return any(
        isinstance(one, ast.Name) and one.id == name and not isinstance(one.ctx, ast.Load) for one in ast.walk(target)
    )


def _is_attribute(target: ast.AST, name: str) -> bool:
    return isinstance(target, ast.Attribute) and target.attr == name
