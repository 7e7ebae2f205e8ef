"""Python members of what has no type in its text, but has one by what surrounds it.

A fixture gives a test what its function returns, `parametrize` the values that it lists, a function without a type what
stands behind its `return`; a decorator calls what it decorates with the types that it names, a method is called as the
one that it overrides, and any other function with what its calls give it. These are written into a text that the server
is asked about, beside the file: then it knows what it did not know. So are `a.b` for `getattr(a, "b")`, and what
`pytest.raises` gives, which may not be installed.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from cn_daemon.application.context import Context
from cn_daemon.application.locations import by_file
from cn_daemon.application.ports import Hit, Site, TellsOverlays
from cn_daemon.application.uses.arguments import CallArguments
from cn_daemon.application.uses.class_hierarchy import Member
from cn_daemon.application.uses.fixtures import Fixtures
from cn_daemon.domain.mentions.python_origins import PythonOrigins
from cn_daemon.domain.mentions.python_substitutes import PARSING, PythonSubstitutes
from cn_daemon.domain.mentions.python_text import PythonText
from cn_daemon.domain.mentions.python_types import Function, PythonTypes, Return
from cn_daemon.domain.python_modules import ENDINGS, module_names
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document, Position, line_start

# So many functions without a type are looked at in one file.
_FUNCTIONS = 30
# So many parameters are asked about by what is given to them.
_PARAMETERS = 60
_PACKAGES = re.compile(r".*/(?:site|dist)-packages")
_STDLIB = re.compile(r"/stdlib/(?P<module>[\w/]+?)(?:/__init__)?\.pyi\Z")
_WORD = re.compile(r"[^\W\d]\w*")
_RECEIVER = re.compile(r"(?<![\w.)\]'\"])(?P<name>[^\W\d]\w*)[ \t]*\.[ \t]*\Z")
# The last name of what has the member.
_LAST = re.compile(r"(?<!\w)[^\W\d]\w*(?=[ \t]*\.[ \t]*\Z)")
_HELD = re.compile(r"(?<![\w.])self[ \t]*\.[ \t]*(?P<name>[^\W\d]\w*)[ \t]*\.[ \t]*\Z")
_SUPER = re.compile(r"(?<![\w.])super\(\)[ \t]*\.[ \t]*\Z")
_FUTURE = re.compile(r"^from[ \t]+__future__[ \t]+import[ \t]+(?:\([^)]*\)[^\n]*|[^\n]*)\n", re.M)
_YIELD_FROM = re.compile(r"yield\s+from")
_ASSERTED = "_held="
# What is called for what must not be known: servers take what follows for unreachable.
_UNKNOWN = "_unknown"
# The type of what stands for no class: a mock has none that servers know.
_MOCK = "unittest.mock._SentinelObject"
_FURTHER = """
import typing as _typing
_E = _typing.TypeVar("_E")
def _object(kind: _typing.Type[_E]) -> _E: ...
class _parent: ...
class _raises(_typing.Generic[_E]):
    def __init__(self, kind: "_typing.Union[_typing.Type[_E], _typing.Tuple[_typing.Type[_E], ...]]", *_, **__): ...
    def __enter__(self) -> "_raises[_E]": ...
    def __exit__(self, *_: object) -> bool: ...
    value: _E
    type: _typing.Type[_E]
"""


# A file, where a function's name begins, and the name of a parameter.
_Key = tuple[str, int] | tuple[str, int, str]
_OF_PARAMETER = 3


class Insertion(NamedTuple):
    """What is written into a text at a place, in the stead of `width` characters."""

    place: int
    text: str
    width: int = 0


class Typed(NamedTuple):
    """The types that are known at the place of a parameter or a result, or behind the import of a function."""

    place: int
    types: Collection[str]
    function: str = ""


class Overlays:
    """For one question: shares its documents. possible: where hits may lead, beside what `definitions` tells."""

    def __init__(self, context: Context, fixtures: Fixtures) -> None:
        self.possible: dict[Hit, list[Hit]] = {}
        self._context = context
        self._words, self._server, self._documents, self._deadline = context
        self._fixtures = fixtures
        # Of what the server leads nowhere the types of the value that has the member, those that are known.
        self.types: dict[Hit, list[Hit]] = {}
        # Of these what `super()` has, and what an object has of the class around.
        self.above: list[Hit] = []
        self.own: list[Hit] = []
        self._calls = CallArguments(context)
        # By the function, and the parameter, what it gives, and what that takes: in this question, and until a file
        # changes.
        self._known: dict[_Key, Collection[str]] = {}
        status = self._server.status()
        under = (status.name, status.pid, status.detail, tuple(self._words.roots()))
        self._settled: dict[_Key, Collection[str]] = self._documents.settled(under)
        # What is being found out, and how often something was left open for that.
        self._begun: list[_Key] = []
        self._cuts = 0
        # By its path what is written into a text, whatever is asked about it.
        self._written_otherwise: dict[str, list[Insertion]] = {}
        # By the path of a text, and its place, whether a class is known that another one names as its parent.
        self._parents: dict[tuple[str, int], bool] = {}
        # By the path by which a text names a class the one that is meant.
        self._classes: dict[str, str] = {}

    async def definitions(self, hits: Sequence[Hit]) -> dict[Hit, list[Hit]]:
        """Of members that the server leads nowhere, where it leads when it knows more; those alone that it leads
        somewhere. Raises what `TellsOverlays` raises."""
        found: dict[Hit, list[Hit]] = {}
        for path, here in by_file(hits).items():
            document = self._documents.try_get(path)
            if document is None:
                continue
            insertions = await self._insertions(document, here)
            beside = [*self._absolute(document), Insertion(_top(document), _FURTHER)]
            text = _Text(document, [*insertions, *beside])
            receivers = document.once(PythonTypes).receivers
            for hit in here:
                definitions = await self._defined_at(text, text.position(hit)) if insertions else None
                receiver = receivers.get(document.once(SourceText).offset(hit.span.start))
                called = receiver if definitions is None and isinstance(receiver, ast.Call) else None
                if called is not None and (kinds := await self._call_types(document, text, called)):
                    typed = _Text(document, [*text.insertions, *_objects(document, called, kinds)])
                    definitions = await self._defined_at(typed, typed.position(hit))
                if definitions is not None:
                    found[hit] = definitions
                    continue
                self.types[hit] = await self._types_at(text, document.once(SourceText), hit)
                if replaced := self._tested(document, hit):
                    other = _Text(document, [*insertions, *beside, replaced])
                    self.possible[hit] = await self._defined_at(other, other.position(hit)) or []
        return found

    async def _call_types(self, document: Document, text: _Text, call: ast.Call) -> Collection[str]:
        """The types of what a call gives, by the function of the workspace that is called."""
        source, types = document.once(SourceText), document.once(PythonTypes)
        place = types.called(call)
        if place is None:
            return ()
        here = Hit(document.path, source.span(place, place))
        definitions = await self._defined_at(text, text.position(here))
        above = call.func.value if isinstance(call.func, ast.Attribute) else None
        if not definitions and isinstance(above, ast.Call) and (kinds := await self._call_types(document, text, above)):
            typed = _Text(document, [*text.insertions, *_objects(document, above, kinds)])
            definitions = await self._defined_at(typed, typed.position(here))
        declared = self._function(definitions[0]) if definitions and len(definitions) == 1 else None
        if declared is None or not declared[1].is_untyped or declared[1].decorated:
            return ()
        return await self._return_types(*declared)

    async def _types_at(self, text: _Text, source: SourceText, hit: Hit) -> list[Hit]:
        start = source.offset(hit.span.start)
        word = text.original.at(hit.span)
        if any(one.start == start for one in text.original.once(PythonText).spellings(word)):
            return []  # before it is no value
        if _SUPER.search(source.text, max(0, start - 200), start):
            self.above.append(hit)
            return _class_around(text.original, start)
        receiver = _LAST.search(source.text, max(0, start - 200), start)
        if receiver is None or not isinstance(self._server, TellsOverlays):
            return []
        if receiver[0] in ("self", "cls"):
            # Servers tell no type of it: a variable stands for one.
            self.own += [hit] if text.original.once(PythonTypes).is_own(receiver.start()) else []
            return _class_around(text.original, start)
        place = text.document.once(SourceText).position(text.offset(receiver.start()))
        return text.all_back(await self._server.overlay_types(text.document, place, self._deadline))

    async def _defined_at(self, text: _Text, place: Position) -> list[Hit] | None:
        """Where the server leads from a place of a text; None for nowhere."""
        if not isinstance(self._server, TellsOverlays):
            return None
        definitions = await self._server.overlay_definitions(text.document, place, self._deadline)
        if not definitions or any((one.path, one.span.start) == ("", place) for one in definitions):
            return None
        return text.all_back(definitions)

    async def _insertions(self, document: Document, hits: Iterable[Hit]) -> list[Insertion]:
        source, functions = document.once(SourceText), document.once(PythonTypes).functions
        places = [source.offset(hit.span.start) for hit in hits]
        around = [one for one in functions if any(one.span[0] <= place < one.span[1] for place in places)]
        for place in places:
            # What gives an object of the class the attribute that has the member.
            held = _HELD.search(source.text, max(0, place - 200), place)
            stored = document.once(PythonTypes).assigned(held["name"]) if held is not None else []
            around += [
                one for one in functions if one not in around and any(one.span[0] <= at < one.span[1] for at in stored)
            ]
        words = set(_WORD.findall(" ".join(source.text[one.body : one.span[1]] for one in around)))
        words.update(*(_WORD.findall(document.line(source.position(place).line)) for place in places))
        types = await self._results(document, words)
        found = [*self._substituted(document), *_looked_up(document, places)]
        found += await self._unknown_parents(document, places)
        for function in around:
            types += _places(await self._parameters(document, function))
            found += [_first(source.text, function, f"{name} = {one}") for name, one in function.parametrized.items()]
        found += _written(types, source.text)
        return found

    async def _unknown_parents(self, document: Document, places: Iterable[int]) -> list[Insertion]:
        """In the stead of a parent that is not known one that has nothing, in the classes around some places: servers
        do not say what a class gives its objects where that may have it, too."""
        types = document.once(PythonTypes)
        text = _Text(document, self._absolute(document))
        found: list[Insertion] = []
        if not isinstance(self._server, TellsOverlays):
            return found
        for declared in {one for place in places if (one := types.around(place)) is not None}:
            for start, end, name in types.parents(declared):
                if (document.path, start) not in self._parents:
                    place = text.document.once(SourceText).position(text.offset(name))
                    known = await self._server.overlay_types(text.document, place, self._deadline)
                    self._parents[document.path, start] = bool(known)
                if not self._parents[document.path, start]:
                    found.append(Insertion(start, "_parent", end - start))
                    break
        return found

    async def _results(self, document: Document, words: Collection[str]) -> list[Typed]:
        """What functions give that say no type, of the text's own and of those that it imports. words: their names."""
        types = document.once(PythonTypes)
        called = [one for one in types.functions if one.name in words and (one.is_untyped or one.is_abstract)]
        found = [
            Typed(one.result, await self._return_types(document, one)) for one in called[:_FUNCTIONS] if one.result
        ]
        source = document.once(SourceText)
        imported = [one for one in types.imported if one.bound in words and one.bound.islower()]
        sites = [Site(document.path, source.position(one.place)) for one in imported[:_FUNCTIONS]]
        for one, definitions in zip(imported, await self._server.definitions(sites, self._deadline), strict=False):
            declared = self._function(definitions[0]) if len(definitions) == 1 else None
            if declared is not None and declared[1].is_untyped and not declared[1].decorated:
                found.append(Typed(one.end, await self._return_types(*declared), one.bound))
        return found

    def _function(self, hit: Hit, *, anywhere: bool = False) -> tuple[Document, Function] | None:
        """The function whose name stands there: of the workspace, or of a package as well."""
        home = self._documents.led_to(hit.path) if anywhere or self._words.holds(hit.path) else None
        start = home.once(SourceText).offset(hit.span.start) if home is not None else 0
        found = (one for one in home.once(PythonTypes).functions if one.name_start == start) if home else ()
        return next(((home, one) for one in found if home is not None), None)

    def _tested(self, document: Document, hit: Hit) -> Insertion | None:
        """In the stead of a name that has the member what its function finds it to be, in a way that servers do not
        follow."""
        source, types = document.once(SourceText), document.once(PythonTypes)
        start = source.offset(hit.span.start)
        receiver = _RECEIVER.search(source.text, max(0, start - 200), start)
        for function in types.functions if receiver is not None else ():
            if receiver is None or not function.span[0] <= start < function.span[1]:
                continue
            if kinds := types.classes_tested(function, receiver["name"]):
                return Insertion(receiver.start(), f"({' if _either else '.join(kinds)})", len(receiver["name"]))
        return None

    async def _parameters(self, document: Document, function: Function) -> dict[int, Collection[str]]:
        """By where its type is written, the types of each parameter, as far as they are known."""
        decorated = await self._called_with(document, function)
        overridden = await self._overridden(document, function)
        found: dict[int, Collection[str]] = {}
        for at, parameter in enumerate(function.parameters):
            if parameter.name in function.parametrized:
                continue
            fixture = self._fixtures.giver(document, function, parameter.name)
            if at < len(decorated) and decorated[at]:
                found[parameter.end] = [decorated[at]]
            elif fixture is not None:
                found[parameter.end] = await self._return_types(*fixture)
            elif parameter.name not in ("self", "cls"):
                above = await self._called_as(*overridden, function, parameter.name) if overridden is not None else ()
                # Who calls what another package declares is not known.
                called = overridden is None or function.name == "__init__" or self._words.holds(overridden[0].path)
                found[parameter.end] = above or (
                    await self._parameter_types(document, function, parameter.name) if called else ()
                )
        return found

    async def _parameter_types(self, document: Document, function: Function, name: str) -> Collection[str]:
        """The types of what the workspace gives a parameter; none where one is not known."""
        return await self._once(
            (document.path, function.name_start, name), self._types_of_arguments, document, function, name
        )

    async def _types_of_arguments(self, document: Document, function: Function, name: str) -> Collection[str]:
        if sum(len(one) == _OF_PARAMETER for one in self._known) >= _PARAMETERS:
            self._cuts += 1
            return ()
        kinds: dict[str, None] = {}
        for one in self._calls.arguments(document, function, name) or ():
            is_mock = one.document.once(PythonOrigins).is_mock(one.start, one.end)
            types = [_MOCK] if is_mock else await self._type_of(*one)
            if not types or any("Mock" in kind for kind in types):
                return ()  # a mock stands for something else
            kinds.update(dict.fromkeys(types))
        return tuple(kinds) if kinds.keys() != {"types.NoneType"} else ()

    async def _once(
        self, key: _Key, tell: Callable[..., Awaitable[Collection[str]]], *asked: Document | Function | str
    ) -> Collection[str]:
        """Nothing for what is asked within its own answer, a function that calls itself; what else depends on that is
        not settled."""
        known = self._settled.get(key, self._known.get(key))
        if known is not None:
            return known
        if key in self._begun:
            self._cuts += key != self._begun[-1]
            return ()
        self._begun.append(key)
        cuts = self._cuts
        found = self._known[key] = tuple(await tell(*asked))
        self._begun.pop()
        if cuts == self._cuts:
            self._settled[key] = found
        return found

    async def _type_of(self, document: Document, start: int, end: int) -> Collection[str]:
        """The types of an expression."""
        around = [one for one in document.once(PythonTypes).functions if one.span[0] <= start < one.span[1]]
        typed = [each for one in around for each in _places(await self._parameters(document, one))]
        source = document.once(SourceText)
        named = [Insertion(start, "(_giv:="), Insertion(end, ")")]
        beside = [*self._substituted(document), *self._absolute(document)]
        top = Insertion(_top(document), _FURTHER)
        text = _Text(document, [*named, *_written(typed, source.text), *beside, top])
        place = text.offset(start) + named[0].text.index("_")
        return await self._types(text, text.document.once(SourceText).position(place))

    async def _overridden(self, document: Document, function: Function) -> tuple[Document, Function] | None:
        """The method that a method stands for."""
        for base in function.bases if len(function.parameters) > 1 else ():
            asked = _first(document.once(SourceText).text, function, f"{base}.{function.name}")
            text = _Text(document, [asked, *self._absolute(document)])
            place = text.document.once(SourceText).position(text.offset(asked.place) + len(base) + 1)
            for hit in await self._defined_at(text, place) or ():
                above = self._function(hit, anywhere=True)
                if above is not None and above[1].name_start != function.name_start:
                    return above
        return None

    async def _called_as(self, home: Document, above: Function, function: Function, name: str) -> Collection[str]:
        """The types of a parameter by the method that its own overrides: of that of its name, else of its place."""
        at = list(function.places).index(name)
        places = list(above.places.values())
        place = above.places.get(name, places[at] if at < len(places) else None)
        if not at or place is None:
            return ()
        text = _Text(home, self._absolute(home) if self._words.holds(home.path) else [])
        return await self._types(text, text.document.once(SourceText).position(text.offset(place)))

    async def _called_with(self, document: Document, function: Function) -> list[str]:
        """By the decorator next to it, the types of its first parameters."""
        if function.decorator is None:
            return []
        site = Site(document.path, document.once(SourceText).position(function.decorator))
        (definitions,) = await self._server.definitions([site], self._deadline)
        for home, declared in filter(None, map(self._function, definitions)):
            if module := self._module(home.path):
                types = home.once(PythonTypes).called_with(declared)
                return [f"{module}.{one}" if one.isidentifier() else "" for one in types]
        return []

    async def _return_types(self, document: Document, function: Function) -> Collection[str]:
        """The types of what a function returns or yields, by their dotted names; none where one is not known."""
        tell = self._types_of_heirs if function.is_abstract else self._types_of_returns
        return await self._once((document.path, function.name_start), tell, document, function)

    async def _types_of_heirs(self, document: Document, function: Function) -> Collection[str]:
        """Of a method that heirs alone implement, by all methods of its name: of one that nobody else implements."""
        if not (function.name.startswith("_") or self._calls.is_test(document)):
            return ()
        kinds: dict[str, None] = {}
        for home in self._context.python_texts(function.name):
            for one in home.once(PythonTypes).functions:
                if one.name != function.name or one.is_abstract:
                    continue
                types = () if one.decorated or one.generator or one.coroutine else await self._return_types(home, one)
                if not types:
                    return ()
                kinds.update(dict.fromkeys(types))
        return kinds

    async def _types_of_returns(self, document: Document, function: Function) -> Collection[str]:
        source = document.once(SourceText)
        wanted = [one for one in function.returns if (one.word != "return") == function.generator]
        named = [Insertion(*_naming(one, source.text)) for one in wanted]
        ends = [Insertion(one.end, ": pass") for one in wanted if one.word == "yield from"]
        beside = [*self._substituted(document), *self._absolute(document)]
        typed = await self._results(document, set(_WORD.findall(source.text[function.body : function.span[1]])))
        if self._fixtures.asks(document, function):
            typed += _places(await self._parameters(document, function))
        beside += _written(typed, source.text)
        text = _Text(document, [*named, *ends, *beside, Insertion(_top(document), _FURTHER)])
        kinds: dict[str, None] = {}
        for returned, one in zip(wanted, named, strict=True):
            place = text.offset(one.place) + one.text.index("_")
            types = await self._types(text, text.document.once(SourceText).position(place))
            if not types and returned.own:
                types = [name for one in _class_around(document, returned.start) if (name := self._dotted(one))]
            if not types:
                return ()
            kinds.update(dict.fromkeys(types))
        return kinds

    async def _types(self, text: _Text, place: Position) -> list[str]:
        """The classes of what has a name there, by their dotted names; none where one of them has none."""
        if not isinstance(self._server, TellsOverlays):
            return []
        hits = await self._server.overlay_types(text.document, place, self._deadline)
        names = [self._dotted(hit) for hit in text.all_back(hits)]
        return names if all(names) else []

    def _dotted(self, hit: Hit) -> str:
        """The name by which a class at the top of a module may be imported."""
        document = self._documents.try_get(hit.path)
        module = self._module(hit.path)
        name = document.at(hit.span) if document is not None else ""
        at_top = document is not None and re.match(rf"class\s+{re.escape(name)}\b", document.line(hit.span.start.line))
        return f"{module}.{name}" if module and name and at_top else ""

    def _module(self, path: str) -> str:
        if (known := _STDLIB.search(path)) is not None:
            return known["module"].replace("/", ".")
        installed = _PACKAGES.match(path)
        roots = [installed[0]] if installed and not self._words.holds(path) else self._words.roots()
        return next(iter(module_names(path, roots)), "")

    # What a server does not find, or does not follow

    def _substituted(self, document: Document) -> list[Insertion]:
        if document.path not in self._written_otherwise:
            self._written_otherwise[document.path] = [
                *_neutral(document),
                *self._dotted_types(document),
                *self._namespaces(document),
            ]
        return self._written_otherwise[document.path]

    def _dotted_types(self, document: Document) -> Iterator[Insertion]:
        """Types by a path that leads nowhere, or to a module that the text does not import: the class of the workspace
        that alone has the name. And the parameters of functions without a name, by theirs."""
        names: dict[str, str] = {}
        for start, end, module, name in document.once(PythonSubstitutes).dotted_types:
            if kind := self._class_of(module, name):
                yield Insertion(start, _named(kind, names).replace("_type_", "_class_"), end - start)
        for start, end, kind in document.once(PythonTypes).lambdas:
            meant = self._class_of(*kind.rpartition(".")[::2])
            name = _named(meant, names).replace("_type_", "_class_") if meant else kind
            yield Insertion(start, f"_object({name})", end - start)
        if names:
            text = document.once(SourceText).text
            yield Insertion(len(text), _imports(names).replace("_type_", "_class_"))

    def _class_of(self, module: str, name: str) -> str:
        """The one class of the workspace of a name, which a module of it has or lacks."""
        key = f"{module}.{name}"
        if module and key not in self._classes:
            self._classes[key] = ""
            homes = self._homes(module)
            found = self._declared(name) if homes else []
            if len(found) == 1 and any(self._has_alone(one, name, found[0].path) for one in homes):
                self._classes[key] = self._dotted(found[0])
        return self._classes.get(key, "")

    def _has_alone(self, document: Document, name: str, path: str) -> bool:
        """Whether a module has a class by its name, declared or imported, or surely nothing. path: that declares it."""
        text = document.once(SourceText).text
        if re.search(rf"\b{re.escape(name)}\b", text) is None:
            return "__getattr__" not in text and "import *" not in text
        if path == document.path:
            return True
        modules = module_names(path, self._words.roots())
        package = self._package(document)
        for _, level, module, imported, bound in document.once(PythonTypes).imported_names():
            above = ".".join([*_up(package, level), *filter(None, [module])]) if level else module
            if bound == imported == name and above in modules:
                return True
        return False

    def _declared(self, name: str) -> list[Hit]:
        """The classes of the workspace of a name."""
        texts = self._context.python_texts(name)
        places = ((one, each) for one in texts for each in one.once(PythonTypes).classes if each.name == name)
        return [Member(*one).hit for one in places]

    def _homes(self, module: str) -> list[Document]:
        """The modules of the workspace of a dotted name."""
        inner = module.replace(".", "/")
        paths = [f"{root}/{inner}{end}" for root in self._words.roots() for end in (".py", "/__init__.py")]
        return [one for path in paths if self._words.holds(path) and (one := self._documents.try_get(path)) is not None]

    def _namespaces(self, document: Document) -> Iterator[Insertion]:
        """What a parser fills is an `argparse.Namespace`, where the workspace gives none anything else."""
        given = document.once(PythonSubstitutes).namespaces
        if given and self._is_plain_parsing:
            yield from (Insertion(one.start, "None", one.end - one.start) for one in given)

    @cached_property
    def _is_plain_parsing(self) -> bool:
        paths = {path for name in PARSING for path in self._words.files_with(name) if path.endswith(ENDINGS)}
        documents = [self._documents.try_get(path) for path in sorted(paths)]
        return all(
            one is not None and all(each.plain for each in one.once(PythonSubstitutes).namespaces) for one in documents
        )

    def _absolute(self, document: Document) -> list[Insertion]:
        """A text beside a module is in no package: its relative imports are written out."""
        package = self._package(document)
        return [
            Insertion(start, ".".join([*_up(package, level), *filter(None, [rest])]), end - start)
            for start, end, level, rest in document.once(PythonTypes).relative_imports()
        ]

    def _package(self, document: Document) -> str:
        module = self._module(document.path)
        return module if os.path.basename(document.path).startswith("__init__.") else module.rpartition(".")[0]


def _top(document: Document) -> int:
    """Where statements may be written that all others of a module come after."""
    found = list(_FUTURE.finditer(document.once(SourceText).text))
    return found[-1].end() if found else 0


def _neutral(document: Document) -> Iterator[Insertion]:
    """What makes servers take code for unreachable, or what comes from a package that may not be there."""
    types = document.once(PythonTypes)
    # A call may change what an `assert` is about: servers remember it.
    yield from (Insertion(place, _ASSERTED, len("assert")) for place in types.asserts)
    yield from (Insertion(start, "_raises", end - start) for start, end in types.raises)
    yield from (Insertion(start, _UNKNOWN, end - start) for start, end in types.settled)
    yield from (Insertion(start, "", end - start) for start, end in types.copied)
    substitutes = document.once(PythonSubstitutes)
    yield from (Insertion(start, "assert isinstance", end - start) for start, end in substitutes.instance_assertions)
    yield from (Insertion(start, members, end - start) for start, end, members in substitutes.lookups)
    for start, end, quote in types.implicitly_optional:
        yield Insertion(start, f"{quote}_typing.Optional[")
        yield Insertion(end, f"]{quote}")
    for start, end, first, last in types.mocks:
        yield Insertion(start, "_object(", first - start)
        yield Insertion(last, ")", end - last)


async def surroundings(context: Context, hit: Hit) -> Sequence[Hit]:
    """Where one member of Python leads that the server leads nowhere; nothing in other languages."""
    if not hit.path.endswith(ENDINGS):
        return []
    overlays = Overlays(context, Fixtures(context))
    return (await overlays.definitions([hit])).get(hit) or overlays.possible.get(hit, [])


def _class_around(document: Document, place: int) -> list[Hit]:
    """Where the innermost class around a place is named."""
    found = document.once(PythonTypes).around(place)
    return [Member(document, found).hit] if found is not None else []


def _objects(document: Document, value: ast.expr, kinds: Iterable[str]) -> list[Insertion]:
    """In the stead of an expression objects of these types."""
    start, end = document.once(PythonTypes).span(value)
    names: dict[str, str] = {}
    types = " if _either else ".join(f"_object({_named(kind, names)})" for kind in kinds).replace("_type_", "_kind_")
    return [
        Insertion(start, f"({types})", end - start),
        Insertion(_top(document), _imports(names).replace("_type_", "_kind_")),
    ]


def _looked_up(document: Document, places: Collection[int]) -> Iterator[Insertion]:
    """`a.b` in the stead of the strings around some places."""
    text = document.once(SourceText).text
    for one in document.once(PythonTypes).lookups:
        for place in places:
            if one.start < place < one.end and (name := _WORD.match(text, place)):
                yield Insertion(one.start, f"{one.receiver}.{name[0]}", one.end - one.start)


def _first(text: str, function: Function, statement: str) -> Insertion:
    """A statement before all others of a function."""
    before = text[line_start(text, function.body) : function.body]
    return Insertion(function.body, statement + ("; " if before.strip() else f"\n{before}"))


def _naming(one: Return, text: str) -> tuple[int, str, int]:
    """In the stead of the word what gives a name to that which is given."""
    word = _YIELD_FROM.match(text, one.start)
    return (one.start, "for _giv in", len(word[0])) if word else (one.start, "_giv=", len(one.word))


def _up(package: str, level: int) -> list[str]:
    """What `level` dots mean in a package."""
    parts = package.split(".")
    return parts[: len(parts) - level + 1]


def _places(types: Mapping[int, Collection[str]]) -> list[Typed]:
    return [Typed(place, kinds) for place, kinds in types.items()]


def _written(types: Iterable[Typed], text: str) -> list[Insertion]:
    """Once in a text."""
    names: dict[str, str] = {}
    found = []
    for place, kinds, function in types:
        union = " | ".join(_named(kind, names) for kind in kinds)
        if union and function:
            found.append(Insertion(place, f'; {function}: "_typing.Callable[..., {union}]" = {_UNKNOWN}'))
        elif union:
            found.append(Insertion(place, f' -> "{union}"' if text[place - 1] == ")" else f': "{union}"'))
    return [*found, Insertion(len(text), _imports(names))] if found else []


def _named(kind: str, names: dict[str, str]) -> str:
    """A type as it is written. names: by the dotted name of a class what it is called; it grows."""
    if kind == "types.NoneType":
        return "None"  # older versions of Python have no other name for it
    is_class = kind.startswith("type[")
    name = names.setdefault(kind.removeprefix("type[").removesuffix("]"), f"_type_{len(names)}")
    return f"type[{name}]" if is_class else name


def _imports(names: Mapping[str, str]) -> str:
    parts = ((*dotted.rpartition("."), name) for dotted, name in names.items())
    return "".join([*(f"\nfrom {module} import {last} as {name}" for module, _, last, name in parts), "\n"])


class _Text:
    """A text with what is written into it."""

    def __init__(self, document: Document, insertions: Iterable[Insertion]) -> None:
        self.original = document
        self._source = document.once(SourceText)
        self.insertions: list[Insertion] = []
        pieces, last = [], 0
        for one in sorted(insertions, key=lambda one: (one.place, one.width, one.text)):
            if one.place < last:
                continue  # it lies in what is replaced
            self.insertions.append(one)
            pieces += [self._source.text[last : one.place], one.text]
            last = one.place + one.width
        self.document = Document(document.path, "".join([*pieces, self._source.text[last:]]))

    def offset(self, place: int) -> int:
        before = (one for one in self.insertions if one.place < place)
        return place + sum(len(one.text) - one.width for one in before)

    def position(self, hit: Hit) -> Position:
        """Where a word is: of one in a text that was replaced, at the end of what stands there now."""
        source = self.document.once(SourceText)
        place = self._source.offset(hit.span.start)
        length = self._source.offset(hit.span.end) - place
        for one in self.insertions:
            if one.place < place < one.place + one.width:
                return source.position(self.offset(one.place) + len(one.text) - length)
        return source.position(self.offset(place))

    def all_back(self, hits: Iterable[Hit]) -> list[Hit]:
        """Without those in what was written."""
        back = (one if one.path else self.back(one) for one in hits)
        return [one for one in back if one is not None]

    def back(self, hit: Hit) -> Hit | None:
        """A place of this text in that which it was written into; None for what was written."""
        source = self.document.once(SourceText)
        start, end = source.offset(hit.span.start), source.offset(hit.span.end)
        shift = 0
        for place, text, width in self.insertions:
            if place + shift <= start < place + shift + len(text):
                return None
            if place + shift + len(text) <= start:
                shift += len(text) - width
        return Hit(self.document.path, self._source.span(start - shift, end - shift), hit.definition)
