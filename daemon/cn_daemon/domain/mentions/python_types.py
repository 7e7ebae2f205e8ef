"""Where types can be written into a Python text that says none: parameters, results, and what gives a value to them.

By Python's own parser: a text that it does not parse has no such places.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from cn_daemon.domain.mentions.python_text import PythonText
from cn_daemon.domain.source import python_parser
from cn_daemon.domain.source.python_parser import written
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_TESTS = frozenset({"isinstance", "issubclass", "callable", "hasattr"})
_CLASS_TESTS = frozenset({"isinstance", "issubclass"})
_LOOKED_UP = re.compile(r"^(?:[gs]et|del|has)attr$|^object$|^spy$|^stub$")
# What gives a class members that its body does not name; and what decorates one without doing so.
_COMPUTED = re.compile(r"__getattr|\bsetattr\b|__setattr__|__dict__|\bvars\(|\blocals\(|\bexec\(")
_HARMLESS = frozenset({"dataclass", "final", "total_ordering", "runtime_checkable", "define", "frozen", "unique"})
# What decorates a function that stays one.
_KEEPING = frozenset({"abstractmethod", "classmethod", "final", "overload", "override", "staticmethod"})
_SYSTEM = re.compile(r"(?:sys\.(?:version_info|platform)|os\.name)\b")
_PICKLES = frozenset({"pickle", "cPickle", "cloudpickle", "dill"})
_NONE = re.compile(r"\b(?:None|Optional|Any|object)\b")
_QUOTES = re.compile(r"['\"]")
_QUOTED = re.compile(r"(?P<quote>['\"])[^'\"\\\n]*(?P=quote)")
_SPECIFIED = ("spec", "spec_set")
_MOCK = re.compile(r"(?:Magic|NonCallable|NonCallableMagic|Async)?Mock")
# So many values of a parameter are looked at.
_VALUES = 60
_RELATIVE = re.compile(r"^([ \t]*from[ \t]+)(\.+)([\w.]*)(?=[ \t]+import\b)", re.M)


class Parameter(NamedTuple):
    """Without a type and a default. end: where a type is written behind it."""

    name: str
    end: int


class Return(NamedTuple):
    """A `return`, `yield` or `yield from` with a value. start, end: of the statement. own: whether it is an object of
    the class around: `self`, or `cls(…)`."""

    word: str
    start: int
    end: int
    own: bool = False


class Function(NamedTuple):
    """start, name_start: of `def`, and of the name. parameters: those without a type, `self` among them. places: where
    each parameter is declared. body: where the first statement begins. result: where a result is written,
    None where there is one. decorator: where the last name of the innermost decorator begins. bases: the parents of
    its class, as it names them. parametrized: by parameter an expression of what pytest gives it. decorated: by more
    than `classmethod`."""

    name: str
    name_start: int
    span: tuple[int, int]
    parameters: tuple[Parameter, ...]
    places: Mapping[str, int]
    body: int
    result: int | None
    returns: tuple[Return, ...]
    decorator: int | None
    generator: bool
    coroutine: bool
    bases: tuple[str, ...]
    parametrized: Mapping[str, str]
    decorated: bool
    # Whether it is a method, without a type, that does nothing: others of its name in heirs do.
    is_abstract: bool

    @property
    def is_untyped(self) -> bool:
        """Whether it gives something when it is called, and no type tells what."""
        return self.result is not None and bool(self.returns) and not self.generator and not self.coroutine


class Import(NamedTuple):
    """A name that a `from … import` takes. place, end: where it begins, and where all of that ends. bound: what it is
    called there."""

    place: int
    end: int
    bound: str


class Class(NamedTuple):
    """name_start, span: of the name, and of all of it. bases: as it names them, without their arguments. plain: whether
    nothing but its body says which members it has: no decorator that is not known, no metaclass, nothing that is
    computed."""

    name: str
    name_start: int
    span: tuple[int, int]
    bases: tuple[str, ...]
    decorated: bool
    plain: bool


class Method(NamedTuple):
    """bound: whether its first argument is the object, or the class, that it is called of."""

    arguments: ast.arguments
    bound: bool

    def takes(self, call: ast.Call) -> bool:
        """Whether it may be called so."""
        if any(isinstance(one, ast.Starred) for one in call.args) or any(one.arg is None for one in call.keywords):
            return True
        plain = [*self.arguments.posonlyargs, *self.arguments.args]
        wanted = [one.arg for one in plain[: len(plain) - len(self.arguments.defaults)]]
        defaults = zip(self.arguments.kwonlyargs, self.arguments.kw_defaults, strict=True)
        wanted += [one.arg for one, value in defaults if value is None]
        places = [one.arg for one in plain][self.bound : self.bound + len(call.args)]
        names = {one.arg for one in call.keywords}
        known = {one.arg for one in (*self.arguments.args, *self.arguments.kwonlyargs)}
        if self.arguments.vararg is None and len(call.args) > max(0, len(plain) - self.bound):
            return False
        if self.arguments.kwarg is None and not names <= known:
            return False
        bound = [one.arg for one in plain[: self.bound]]
        return {*wanted} <= {*bound, *places, *names}


class Lookup(NamedTuple):
    """A string that spells a member of the value before it, `getattr(a, "b")`. start, end: of the string. receiver: the
    expression."""

    start: int
    end: int
    receiver: str


class PythonTypes:
    """Of one document; places are offsets in its `SourceText`."""

    def __init__(self, document: Document) -> None:
        self._text = document.once(SourceText).text
        self._python = document.once(PythonText)
        self._assigned: dict[str, list[int]] = {}

    @cached_property
    def classes(self) -> list[Class]:
        return list(map(self._class, self._classes))

    def _class(self, node: ast.ClassDef) -> Class:
        span = (self._python.offset(node.lineno, node.col_offset), self._python.end(node))
        decorators = (_last(one.func if isinstance(one, ast.Call) else one) for one in node.decorator_list)
        metaclass = any(one.arg != "metaclass" or _last(one.value) != "ABCMeta" for one in node.keywords)
        computed = _COMPUTED.search(self._text, *span) is not None
        plain = not metaclass and not computed and all(one in _HARMLESS for one in decorators)
        return Class(node.name, self._python.named(node), span, _bases(node), bool(node.decorator_list), plain)

    def around(self, place: int) -> Class | None:
        """The innermost class around a place."""
        return max((one for one in self.classes if one.span[0] <= place < one.span[1]), default=None, key=_starts)

    def declares(self, declared: Class, name: str) -> bool:
        """Whether the body of a class itself gives it a member."""
        bodies = (one.body for one in self._classes if self._python.named(one) == declared.name_start)
        return any(_declared(one) == name for body in bodies for one in body)

    def methods(self, declared: Class, name: str) -> list[Method] | None:
        """What the body of a class has by a name, which decorators leave so; None where it has anything else."""
        body = next((one.body for one in self._classes if self._python.named(one) == declared.name_start), [])
        found = []
        for one in body:
            if _declared(one) == name:
                decorators = {_last(each) for each in getattr(one, "decorator_list", ())}
                if not isinstance(one, _Function) or not decorators <= _KEEPING:
                    return None
                found.append(Method(one.args, "staticmethod" not in decorators))
        return found

    @cached_property
    def _classes(self) -> list[ast.ClassDef]:
        return [node for node in self._nodes if isinstance(node, ast.ClassDef)]

    def parents(self, declared: Class) -> list[tuple[int, int, int]]:
        """From where to where a class names each of its parents, and where the last name of that begins; without those
        that are no names."""
        bases = [base for one in self._classes if self._python.named(one) == declared.name_start for base in one.bases]
        named = [one for one in bases if isinstance(one, ast.Name | ast.Attribute)]
        return [(*self.span(one), self._python.end(one) - len(_last(one))) for one in named]

    def is_field_of(self, place: int, declared: Class) -> bool:
        """Whether an argument is named there of `cls(…)` in a class method of a class."""
        call = next((one for one in self._constructed if place in one[1]), None)
        return call is not None and declared == self.around(call[0])

    @cached_property
    def _constructed(self) -> list[tuple[int, frozenset[int]]]:
        """Where `cls(…)` stands in class methods, and the names of its arguments."""
        found = []
        for method in self._nodes:
            own = _objects(method) if isinstance(method, _Function) else frozenset[str]()
            for node in ast.walk(method) if any(one.endswith("()") for one in own) else ():
                if isinstance(node, ast.Call) and _spelled_object(node) in own:
                    places = (self._python.offset(one.lineno, one.col_offset) for one in node.keywords if one.arg)
                    found.append((self.span(node)[0], frozenset(places)))
        return found

    def is_type(self, place: int) -> bool:
        """Whether a name there stands alone in a type that is written down."""
        return place in self._typed

    @cached_property
    def _typed(self) -> frozenset[int]:
        annotations = [one.annotation for one in self._nodes if isinstance(one, ast.arg | ast.AnnAssign)]
        annotations += [one.returns for one in self._nodes if isinstance(one, _Function)]
        names = (one for each in annotations if each for one in ast.walk(each) if isinstance(one, ast.Name))
        return frozenset(self._python.offset(one.lineno, one.col_offset) for one in names)

    def is_variable(self, place: int) -> bool:
        """Whether a name there is surely one of a module, or of a function: no member of a class."""
        if place not in self._names:
            return False
        found = max((one for one in self._bodies if one[0] <= place < one[1]), default=None)
        return found is None or not found[2]

    @cached_property
    def _names(self) -> frozenset[int]:
        """Where names stand alone. Those in f-strings are told elsewhere by Python before 3.12."""
        formatted = {id(one) for node in self._nodes if isinstance(node, ast.JoinedStr) for one in ast.walk(node)}
        names = (node for node in self._nodes if isinstance(node, ast.Name) and id(node) not in formatted)
        places = {self._python.offset(one.lineno, one.col_offset): one.id for one in names}
        return frozenset(place for place, name in places.items() if self._text.startswith(name, place))

    @cached_property
    def _bodies(self) -> list[tuple[int, int, bool]]:
        """From where to where each goes, and whether it is a class's."""
        classes = [(*one.span, True) for one in self.classes]
        functions = (node for node in self._nodes if isinstance(node, _Function))
        bodies = [(self._body(one.body[0]), self._python.end(one), False) for one in functions]
        lambdas = (self.span(node.body) for node in self._nodes if isinstance(node, ast.Lambda))
        return [*classes, *bodies, *((*one, False) for one in lambdas)]

    @cached_property
    def functions(self) -> list[Function]:
        bases = {id(one): _bases(node) for node in self._nodes if isinstance(node, ast.ClassDef) for one in node.body}
        functions = (one for one in self._nodes if isinstance(one, _Function))
        return [self._function(one, bases.get(id(one), ()), in_class=id(one) in bases) for one in functions]

    @cached_property
    def _nodes(self) -> list[ast.AST]:
        return list(ast.walk(self._python.tree)) if self._python.tree else []

    def called_with(self, function: Function) -> tuple[str, ...]:
        """Which types what a function decorates is called with, by the type of its first parameter that has one:
        `Callable[[A, B], R]`, `Callable[Concatenate[A, P], R]`."""
        for node in self._nodes:
            if isinstance(node, _Function) and self._python.named(node) == function.name_start:
                for one in node.args.args[:2]:
                    if one.annotation is not None:
                        return _called_with(one.annotation)
        return ()

    def imported_names(self) -> Iterator[tuple[int, int, str, str, str]]:
        """Where each `from … import` ends, the dots and the module that it takes a name from, the name, and what it is
        called."""
        for node in self._nodes:
            if isinstance(node, ast.ImportFrom):
                for one in node.names:
                    yield self._python.end(node), node.level, node.module or "", one.name, one.asname or one.name

    @cached_property
    def imported(self) -> list[Import]:
        return [
            Import(self._python.offset(one.lineno, one.col_offset), self._python.end(node), one.asname or one.name)
            for node in self._nodes
            if isinstance(node, ast.ImportFrom)
            for one in node.names
        ]

    @cached_property
    def asserts(self) -> list[int]:
        """Where each `assert` begins that tells no type."""
        return [
            self._python.offset(node.lineno, node.col_offset)
            for node in self._nodes
            if isinstance(node, ast.Assert) and not _tells_type(node.test)
        ]

    @cached_property
    def lambdas(self) -> list[tuple[int, int, str]]:
        """Where the parameters of functions without a name stand whose type tells what they are called with, and that
        type: `key: Callable[[A], str] = lambda a: a.key`."""
        typed: list[tuple[ast.expr | None, ast.expr | None]] = []
        for node in self._nodes:
            if isinstance(node, _Function):
                plain = [*node.args.posonlyargs, *node.args.args]
                values = [*node.args.defaults, *node.args.kw_defaults]
                given = [*plain[len(plain) - len(node.args.defaults) :], *node.args.kwonlyargs]
                typed += zip((one.annotation for one in given), values, strict=True)
            elif isinstance(node, ast.AnnAssign):
                typed.append((node.annotation, node.value))
        return [
            (*self.span(one), kind)
            for annotation, value in typed
            if annotation is not None and isinstance(value, ast.Lambda)
            for parameter, kind in zip(value.args.args, _called_with(annotation), strict=False)
            for one in ast.walk(value.body)
            if kind and isinstance(one, ast.Name) and one.id == parameter.arg
        ]

    @cached_property
    def raises(self) -> list[tuple[int, int]]:
        """Where what is called stands in each `pytest.raises(…)`."""
        calls = (node.func for node in self._nodes if isinstance(node, ast.Call))
        called = (one for one in calls if _last(one) == "raises" and written(one) in ("raises", "pytest.raises"))
        return [self.span(one) for one in called]

    @cached_property
    def settled(self) -> list[tuple[int, int]]:
        """The conditions that servers know the outcome of, and then take code for unreachable: constants, and on which
        version and system a program runs. What follows `while True` is reached all the same, by an exception."""
        tests = (node.test for node in self._nodes if isinstance(node, ast.While | ast.If | ast.IfExp))
        parts = (one for test in tests for one in (test.values if isinstance(test, ast.BoolOp) else [test]))
        return [self.span(one) for one in parts if _is_settled(one)]

    def method_of(self, function: Function) -> Class | None:
        """The class whose body a function lies in."""
        held = next((one for one in self._classes for each in one.body if self._is_it(each, function)), None)
        return self._class(held) if held is not None else None

    def _is_it(self, node: ast.stmt, function: Function) -> bool:
        return isinstance(node, _Function) and self._python.named(node) == function.name_start

    def is_in_function(self, place: int, name_start: int) -> bool:
        """Whether a place is in the function whose name begins at another."""
        return any(one.span[0] <= place < one.span[1] for one in self.functions if one.name_start == name_start)

    def stored(self, name: str) -> list[int]:
        """Where objects are given an attribute of a name, or lose it."""
        attributes = (one for one in self._nodes if isinstance(one, ast.Attribute) and one.attr == name)
        return [self._python.end(one) - len(name) for one in attributes if not isinstance(one.ctx, ast.Load)]

    def assigned(self, name: str) -> list[int]:
        """Where an object is given an attribute of a name by what its class calls it."""
        if name not in self._assigned:
            attributes = (one for one in self._nodes if isinstance(one, ast.Attribute) and one.attr == name)
            given = [one for one in attributes if isinstance(one.ctx, ast.Store) and isinstance(one.value, ast.Name)]
            owned = [one for one in given if self.is_own(self.span(one.value)[0])]
            self._assigned[name] = sorted(self._python.end(one) - len(name) for one in owned)
        return self._assigned[name]

    def declared(self, name: str) -> list[int]:
        """Where classes declare a member: in their bodies, or by what a method assigns to its object."""
        return [*self._in_bodies.get(name, ()), *self.assigned(name)]

    def is_in_body(self, place: int, name: str) -> bool:
        """Whether the body of a class declares a member of a name there."""
        return place in self._in_bodies.get(name, ())

    @cached_property
    def _in_bodies(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for declared in self._classes:
            pending: list[ast.AST] = [*declared.body]
            while pending:
                node = pending.pop()
                if isinstance(node, _Function | ast.ClassDef):
                    found.setdefault(node.name, []).append(self._python.named(node))
                elif isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case):
                    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
                    for one in (each for target in targets if target for each in ast.walk(target)):
                        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
                            found.setdefault(one.id, []).append(self._python.offset(one.lineno, one.col_offset))
                    pending += ast.iter_child_nodes(node)
        return found

    def is_own(self, place: int) -> bool:
        """Whether the name there is what a method of the class around calls an object of it, or that class."""
        declared = self.around(place)
        body = next(
            (one.body for one in self._classes if declared and self._python.named(one) == declared.name_start), []
        )
        name = re.compile(r"\w+").match(self._text, place)
        for one in body:
            first, last = self.span(one)
            if isinstance(one, _Function) and first <= place < last and name is not None:
                arguments = [
                    each.arg for inner in ast.walk(one) if isinstance(inner, ast.arguments) for each in inner.args
                ]
                return name[0] in {each.removesuffix("()") for each in _objects(one)} and arguments.count(name[0]) == 1
        return False

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        return self._python.offset(node.lineno, node.col_offset), self._python.end(node)

    @cached_property
    def copied(self) -> list[tuple[int, int]]:
        """What is called for a copy of its argument that servers know no type of: `pickle.loads(pickle.dumps(…))`."""
        found = []
        for node in self._nodes:
            inner = node.args[0] if isinstance(node, ast.Call) and node.args else None
            if isinstance(node, ast.Call) and isinstance(inner, ast.Call) and inner.args:
                pair = (_last(node.func), _last(inner.func))
                if pair == ("loads", "dumps") and written(node.func).rpartition(".")[0] in _PICKLES:
                    start, end = self.span(node)
                    first, last = self.span(inner.args[0])
                    found += [(start, first), (last, end)]
        return found

    @cached_property
    def implicitly_optional(self) -> list[tuple[int, int, str]]:
        """Where the types of parameters begin and end that have None unless they are given, `x: int = None`, and the
        quotes that are to be around more of it. Servers take code for unreachable that asks whether they are None."""
        found = []
        for node in self._nodes:
            arguments = node.args if isinstance(node, _Function) else None
            if arguments is None:
                continue
            plain = [*arguments.posonlyargs, *arguments.args]
            pairs = [*zip(plain[len(plain) - len(arguments.defaults) :], arguments.defaults, strict=True)]
            pairs += [
                (one, value) for one, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if value
            ]
            for parameter, value in pairs:
                if parameter.annotation is not None and isinstance(value, ast.Constant) and value.value is None:
                    found.append(self.span(parameter.annotation))
        texts = {one: self._text[slice(*one)] for one in found}
        unquoted = [(*one, '"') for one, text in texts.items() if not _NONE.search(text) and not _QUOTES.search(text)]
        quoted = [one for one, text in texts.items() if not _NONE.search(text) and _QUOTED.fullmatch(text)]
        return [*unquoted, *((start + 1, end - 1, "") for start, end in quoted)]

    @cached_property
    def mocks(self) -> list[tuple[int, int, int, int]]:
        """Where what stands for an object of a class begins and ends, `Mock(spec=C)`, and where the class does."""
        calls = (one for one in self._nodes if isinstance(one, ast.Call) and _MOCK.fullmatch(_last(one.func)))
        return [
            (*self.span(call), *self.span(one))
            for call in calls
            for one in [*call.args[:1], *(each.value for each in call.keywords if each.arg in _SPECIFIED)]
            if isinstance(one, ast.Name | ast.Attribute)
        ]

    @cached_property
    def receivers(self) -> dict[int, ast.expr]:
        """By where the name of each attribute begins what has it."""
        attributes = (node for node in self._nodes if isinstance(node, ast.Attribute))
        return {self._python.end(one) - len(one.attr): one.value for one in attributes}

    def called(self, call: ast.Call) -> int | None:
        """Where the last name of what is called begins."""
        return self._python.last(call.func)

    @cached_property
    def lookups(self) -> list[Lookup]:
        """What is looked up in a value by a string."""
        return [
            Lookup(self._python.offset(name.lineno, name.col_offset), self._python.end(name), written(value))
            for node in self._nodes
            if isinstance(node, ast.Call) and _LOOKED_UP.search(_last(node.func))
            for value, name in zip(node.args, node.args[1:], strict=False)
            if isinstance(name, ast.Constant) and isinstance(name.value, str)
            if isinstance(value, ast.Name | ast.Attribute)
        ]

    def classes_tested(self, function: Function, name: str) -> list[str]:
        """What a function finds a value to be that has a name there, by `known = isinstance(name, …)`: expressions of
        such classes, or objects."""
        found = []
        for node in self._kept_tests:
            place = self._python.offset(node.lineno, node.col_offset)
            if function.span[0] <= place < function.span[1] and written(node.args[0]) == name:
                classes = node.args[1].elts if isinstance(node.args[1], ast.Tuple) else [node.args[1]]
                is_object = _last(node.func) == "isinstance"
                found += [f"_object({written(one)})" if is_object else written(one) for one in classes]
        return found

    @cached_property
    def _kept_tests(self) -> list[ast.Call]:
        values = (one.value for one in self._nodes if isinstance(one, ast.Assign))
        calls = (one for one in values if isinstance(one, ast.Call) and len(one.args) == 2)
        return [one for one in calls if _last(one.func) in _CLASS_TESTS]

    def is_constant(self, place: int) -> bool:
        """Whether a class gives a name there a value that is written out: no call names it."""
        for node in self._nodes:
            body = node.body if isinstance(node, ast.ClassDef) else []
            constants = (one for one in body if isinstance(one, ast.Assign) and isinstance(one.value, ast.Constant))
            targets = (target for one in constants for target in one.targets)
            if any(self._python.offset(one.lineno, one.col_offset) == place for one in targets):
                return True
        return False

    def is_constant_field(self, place: int) -> bool:
        """Whether the class around gives the field of its objects that is declared there constants alone."""
        declared = self.around(place)
        name = re.compile(r"\w+").match(self._text, place)
        if declared is None or name is None:
            return False
        places = [place, *self.assigned(name[0])]
        within = {one for one in places if self.around(one) == declared}
        values = {
            self._python.end(target) - len(name[0]): node.value
            for node in self._nodes
            if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign)
            for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
            if isinstance(target, ast.Name | ast.Attribute)
        }
        return all(isinstance(values.get(one), ast.Constant) for one in within)

    def relative_imports(self) -> Iterator[tuple[int, int, int, str]]:
        """Where the dots of a relative import begin, and the module ends; the number of dots, and what follows."""
        for found in _RELATIVE.finditer(self._text):
            yield found.start(2), found.end(3), len(found[2]), found[3]

    def _function(self, node: _Function, bases: tuple[str, ...], *, in_class: bool) -> Function:
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
        returns = tuple(self._returns(node.body, _objects(node) if in_class else frozenset()))
        return Function(
            node.name,
            name,
            (self._python.offset(node.lineno, node.col_offset), self._python.end(node)),
            tuple(Parameter(one.arg, self._python.end(one)) for one in wanted),
            {one.arg: self._python.offset(one.lineno, one.col_offset) for one in (*plain, *arguments.kwonlyargs)},
            self._body(node.body[0]),
            self._result(node, name) if node.returns is None else None,
            returns,
            self._python.last(called) if called is not None else None,
            any(one.word != "return" for one in returns),
            isinstance(node, ast.AsyncFunctionDef),
            bases,
            dict(pair for one in node.decorator_list for pair in _parametrized(one)),
            any(_last(one) != "classmethod" for one in node.decorator_list),
            in_class and node.returns is None and all(map(_does_nothing, node.body)),
        )

    def _body(self, first: ast.stmt) -> int:
        """Where a statement begins: by its decorators, if it has some."""
        decorators = first.decorator_list if isinstance(first, _Function | ast.ClassDef) else []
        return self._python.offset(min([first.lineno, *(one.lineno for one in decorators)]), first.col_offset)

    def _result(self, node: _Function, name: int) -> int | None:
        arguments = node.args
        nodes = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        nodes += [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
        values = [one for one in (*arguments.defaults, *arguments.kw_defaults) if one is not None]
        last = max([name + len(node.name), *map(self._python.end, nodes), *map(self._python.end, values)])
        found = re.compile(r"(?:[\s,(/*]|#[^\n]*)*\)").match(self._text, last)
        return found.end() if found else None

    def _returns(self, body: list[ast.stmt], own: Collection[str]) -> Iterator[Return]:
        """own: what stands for an object of the class around."""
        pending: list[ast.AST] = list(body)
        while pending:
            node = pending.pop()
            if isinstance(node, ast.Return) and node.value is not None:
                start, end = self._python.offset(node.lineno, node.col_offset), self._python.end(node)
                yield Return("return", start, end, _spelled_object(node.value) in own)
            elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield | ast.YieldFrom) and node.value.value:
                word = "yield" if isinstance(node.value, ast.Yield) else "yield from"
                yield Return(word, self._python.offset(node.lineno, node.col_offset), self._python.end(node))
            elif not isinstance(node, _Function | ast.ClassDef | ast.Lambda):
                pending += ast.iter_child_nodes(node)


def _does_nothing(node: ast.stmt) -> bool:
    """Whether a statement is a documentation, `pass`, or says that something is not implemented."""
    match node:
        case ast.Pass() | ast.Expr(value=ast.Constant()):
            return True
        case ast.Raise(exc=ast.Name(id=name) | ast.Call(func=ast.Name(id=name))):
            return name == "NotImplementedError"
    return False


def _objects(node: _Function) -> frozenset[str]:
    """By what a method names an object of its class: `self`, or `cls()` of a class method; not what it gives another
    value."""
    first = next((one.arg for one in (*node.args.posonlyargs, *node.args.args)), "")
    decorators = {_last(one) for one in node.decorator_list}
    rebound = any(
        isinstance(one, ast.Name) and one.id == first and not isinstance(one.ctx, ast.Load) for one in ast.walk(node)
    )
    if not first or rebound or "staticmethod" in decorators:
        return frozenset()
    return frozenset({f"{first}()" if "classmethod" in decorators else first})


def _spelled_object(value: ast.expr) -> str:
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        return f"{value.func.id}()"
    return value.id if isinstance(value, ast.Name) else ""


def _declared(node: ast.stmt) -> str:
    """The name that a statement declares, where it declares one."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return node.name
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name
    return ""


def _is_settled(test: ast.expr) -> bool:
    if isinstance(test, ast.Name):
        return test.id.isupper() and test.id != "TYPE_CHECKING"
    if isinstance(test, ast.Compare):
        return _SYSTEM.match(written(test.left)) is not None
    return isinstance(test, ast.Constant)


def _starts(one: Class) -> int:
    return one.span[0]


def _bases(node: ast.ClassDef) -> tuple[str, ...]:
    return tuple(written(base.value if isinstance(base, ast.Subscript) else base) for base in node.bases)


def _tells_type(test: ast.expr) -> bool:
    calls = any(isinstance(one, ast.Call) and _last(one.func) in _TESTS for one in ast.walk(test))
    given = isinstance(test, ast.Compare) and any(isinstance(one, ast.IsNot) for one in test.ops)
    return calls or given or isinstance(test, ast.Name | ast.Attribute)


def _parametrized(decorator: ast.expr) -> Iterator[tuple[str, str]]:
    """What `@pytest.mark.parametrize("a, b", [(1, 2), …])` gives each parameter."""
    if not isinstance(decorator, ast.Call) or _last(decorator.func) != "parametrize" or len(decorator.args) < 2:
        return
    if any(one.arg == "indirect" for one in decorator.keywords):
        return  # a fixture gets them
    named, values = decorator.args[:2]
    if isinstance(named, ast.Constant) and isinstance(named.value, str):
        names = [one.strip() for one in named.value.split(",")]
    else:
        names = [str(one.value) for one in getattr(named, "elts", ()) if isinstance(one, ast.Constant)]
    alone = len(names) == 1
    while (
        isinstance(values, ast.Call) and _last(values.func) in ("sorted", "list", "tuple", "reversed") and values.args
    ):
        values = values.args[0]
    rows = [_row(one, alone=alone) for one in values.elts] if isinstance(values, ast.List | ast.Tuple) else None
    for at, name in enumerate(names):
        if rows is None:
            yield name, f"next(iter({written(values)}))" + ("" if alone else f"[{at}]")
        elif 0 < len(rows) <= _VALUES:
            yield name, " if _either else ".join(dict.fromkeys(f"({row})[{at}]" for row in rows))


def _row(value: ast.expr, *, alone: bool) -> str:
    """The tuple of what a test is given at once."""
    if isinstance(value, ast.Call) and _last(value.func) == "param":
        return "".join(f"{written(one)}, " for one in value.args)
    return f"{written(value)}," if alone else written(value)


def _called_with(annotation: ast.expr) -> tuple[str, ...]:
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        annotation = python_parser.expression(annotation.value) or annotation
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
    return written(node) if isinstance(node, ast.Name | ast.Attribute) else ""


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
