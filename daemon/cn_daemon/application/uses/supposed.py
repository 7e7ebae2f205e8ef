"""Python members of what has no type in its text, but has one by what surrounds it.

A fixture gives a test what its function returns, `parametrize` the values that it lists, a function without a type what
stands behind its `return`; a decorator calls what it decorates with the types that it names. These are written into a
text that the server is asked about, beside the file: then it knows what it did not know.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from cn_daemon.application.context import Context
from cn_daemon.application.locations import by_file
from cn_daemon.application.ports import Hit, Site, TellsTypes
from cn_daemon.application.uses.fixtures import Fixtures
from cn_daemon.domain.mentions.python_types import Function, PythonTypes
from cn_daemon.domain.python_modules import module_names
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document, Position

# So many functions without a type are looked at in one file, and so many values of a parameter.
_FUNCTIONS = 30
_VALUES = 60
_PACKAGES = re.compile(r".*/(?:site|dist)-packages")
_WORD = re.compile(r"[^\W\d]\w*")
# In the stead of `return` and `yield`, of the same length, what is given gets a name.
_GIVEN = {"return": "_giv1=", "yield": "_giv="}
_ASSERTED = "_held="
_VALUE = re.compile(r"^_value = .*?(?P<last>[^\w\n])?$", re.M)


class Insertion(NamedTuple):
    """What is written into a text at a place, in the stead of `width` characters."""

    place: int
    text: str
    width: int = 0


class Supposed:
    """For one question: shares its documents."""

    def __init__(self, context: Context, fixtures: Fixtures) -> None:
        self._words, self._server, self._documents, self._deadline = context
        self._fixtures = fixtures

    async def leads(self, hits: Sequence[Hit]) -> dict[Hit, list[Hit]]:
        """Of members that the server leads nowhere, where it leads when it knows more; those alone that it leads
        somewhere. Raises what `LanguageServer.supposed` raises."""
        found: dict[Hit, list[Hit]] = {}
        for path, here in by_file(hits).items():
            document = self._documents.try_get(path)
            insertions = await self._insertions(document, here) if document is not None else []
            if document is None or not insertions:
                continue
            text = _Text(document, [*insertions, *self._absolute(document)])
            for hit in here:
                place = text.position(hit.span.start)
                leads = await self._server.supposed(text.document, place, self._deadline)
                if leads and all((one.path, one.span.start) != (path, place) for one in leads):
                    found[hit] = [text.back(one) if one.path == path else one for one in leads]
        return found

    async def _insertions(self, document: Document, hits: Iterable[Hit]) -> list[Insertion]:
        source, functions = document.once(SourceText), document.once(PythonTypes).functions
        places = [source.offset(hit.span.start) for hit in hits]
        around = [one for one in functions if any(one.span[0] <= place < one.span[1] for place in places)]
        words = set(_WORD.findall(" ".join(source.text[slice(*one.span)] for one in around)))
        types: dict[int, Collection[str]] = {}
        for function in around:
            types |= await self._parameters(document, function)
        called = [one for one in functions if one.name in words and one.gives and not one.generator]
        for function in called[:_FUNCTIONS]:
            if function.result is not None and not function.coroutine:
                types[function.result] = await self._given(document, function)
        names: dict[str, str] = {}
        found = self._submodules(document)
        # A call may change what an `assert` is about: servers that remember it take what follows for unreachable.
        found += [Insertion(place, _ASSERTED, len("assert")) for place in document.once(PythonTypes).asserts]
        for place, kinds in types.items():
            told = " | ".join(_named(kind, names) for kind in kinds)
            if told:
                found.append(Insertion(place, f' -> "{told}"' if source.text[place - 1] == ")" else f': "{told}"'))
        return [*found, Insertion(len(source.text), _imports(names))] if found else []

    async def _parameters(self, document: Document, function: Function) -> dict[int, Collection[str]]:
        """By where its type is written, the types of each parameter, as far as they are known."""
        decorated = await self._called_with(document, function)
        found: dict[int, Collection[str]] = {}
        for at, parameter in enumerate(function.parameters):
            values = function.parametrized.get(parameter.name, ())
            giver = self._fixtures.giver(document, function, parameter.name)
            if at < len(decorated) and decorated[at]:
                found[parameter.end] = [decorated[at]]
            elif values:
                found[parameter.end] = await self._valued(document, values)
            elif giver is not None:
                found[parameter.end] = await self._given(*giver)
        return found

    async def _called_with(self, document: Document, function: Function) -> list[str]:
        """By the decorator next to it, the types of its first parameters."""
        if function.decorator is None:
            return []
        site = Site(document.path, document.once(SourceText).position(function.decorator))
        (leads,) = await self._server.definitions([site], self._deadline)
        for hit in leads:
            home = self._documents.try_get(hit.path) if self._words.holds(hit.path) else None
            if home is None:
                continue
            start, types = home.once(SourceText).offset(hit.span.start), home.once(PythonTypes)
            declared = next((one for one in types.functions if one.name_start == start), None)
            module = self._module(home.path)
            if declared is not None and module:
                return [f"{module}.{one}" if one.isidentifier() else "" for one in types.taken(declared)]
        return []

    async def _given(self, document: Document, function: Function) -> Collection[str]:
        """The types of what a function returns or yields, by their dotted names; none where one is not known."""
        wanted = [one for one in function.gives if one[0] == ("yield" if function.generator else "return")]
        names = [Insertion(place, _GIVEN[word], len(word)) for word, place in wanted]
        text = _Text(document, [*names, *self._submodules(document), *self._absolute(document)])
        source = text.document.once(SourceText)
        kinds: dict[str, None] = {}
        for one in names:
            told = await self._types(text.document, source.position(text.offset(one.place)))
            if not told:
                return ()
            kinds.update(dict.fromkeys(told))
        return kinds

    async def _valued(self, document: Document, values: Sequence[str]) -> Collection[str]:
        """The types of some expressions at the top of a module; none where one of them is not known."""
        if len(values) > _VALUES:
            return ()
        lines = "".join(f"\n_value = {one}" for one in values)
        end = Insertion(len(document.once(SourceText).text), f"{lines}\n")
        text = _Text(document, [end, *self._submodules(document), *self._absolute(document)])
        source = text.document.once(SourceText)
        kinds: dict[str, None] = {}
        for found in list(_VALUE.finditer(source.text))[-len(values) :]:
            last = source.position(found.end() - 1)
            leads = await self._server.supposed(text.document, last, self._deadline) if found["last"] is None else []
            classes = [f"type[{name}]" for hit in leads if (name := self._dotted(hit))]
            # What names a class is the class, and no object of it.
            told = classes or await self._types(text.document, source.position(found.start()))
            if not told:
                return ()
            kinds.update(dict.fromkeys(told))
        return kinds

    async def _types(self, document: Document, place: Position) -> list[str]:
        """The classes of what has a name there, by their dotted names; none where one of them has none."""
        if not isinstance(self._server, TellsTypes):
            return []
        names = [self._dotted(hit) for hit in await self._server.supposed_types(document, place, self._deadline)]
        return names if all(names) else []

    def _dotted(self, hit: Hit) -> str:
        """The name by which a class at the top of a module may be imported."""
        document = self._documents.try_get(hit.path)
        module = self._module(hit.path)
        name = document.at(hit.span) if document is not None else ""
        at_top = document is not None and re.match(rf"class\s+{re.escape(name)}\b", document.line(hit.span.start.line))
        return f"{module}.{name}" if module and name and at_top else ""

    def _module(self, path: str) -> str:
        installed = _PACKAGES.match(path)
        roots = [installed[0]] if installed and not self._words.holds(path) else self._words.roots()
        return next(iter(module_names(path, roots)), "")

    # What a server does not find

    def _absolute(self, document: Document) -> list[Insertion]:
        """A text beside a module is in no package: its relative imports are written out."""
        package = self._package(document)
        return [
            Insertion(start, ".".join([*_up(package, level), *filter(None, [rest])]), end - start)
            for start, end, level, rest in document.once(PythonTypes).relative_imports()
        ]

    def _submodules(self, document: Document) -> list[Insertion]:
        """A package with a `__getattr__` seems to have any name, to servers, and they look for no module of it."""
        found: dict[int, str] = {}
        package = self._package(document)
        for end, level, module, name, bound in document.once(PythonTypes).taken_names():
            above = ".".join([*_up(package, level), *filter(None, [module])]) if level else module
            if self._makes_names(above, name):
                found[end] = f"{found.get(end, '')}; import {above}.{name} as {bound}"
        return [Insertion(end, text) for end, text in found.items()]

    def _makes_names(self, package: str, name: str) -> bool:
        """Whether a package has a module of a name, and a `__getattr__`, and does not name it."""
        for root in self._words.roots():
            folder = f"{root}/{package.replace('.', '/')}"
            init = f"{folder}/__init__.py"
            document = self._documents.try_get(init) if self._words.holds(init) else None
            has_module = any(self._words.holds(f"{folder}/{name}{end}") for end in (".py", "/__init__.py"))
            if document is not None and has_module:
                return "__getattr__" in document.text and not re.search(rf"\b{re.escape(name)}\b", document.text)
        return False

    def _package(self, document: Document) -> str:
        module = self._module(document.path)
        return module if os.path.basename(document.path).startswith("__init__.") else module.rpartition(".")[0]


def _up(package: str, level: int) -> list[str]:
    """What `level` dots mean in a package."""
    parts = package.split(".")
    return parts[: len(parts) - level + 1]


def _named(kind: str, names: dict[str, str]) -> str:
    """A type as it is written. names: by the dotted name of a class what it is called; it grows."""
    is_class = kind.startswith("type[")
    name = names.setdefault(kind.removeprefix("type[").removesuffix("]"), f"_type_{len(names)}")
    return f"type[{name}]" if is_class else name


def _imports(names: Mapping[str, str]) -> str:
    parts = ((*dotted.rpartition("."), name) for dotted, name in names.items())
    return "".join([*(f"\nfrom {module} import {last} as {name}" for module, _, last, name in parts), "\n"])


class _Text:
    """A text with what is written into it."""

    def __init__(self, document: Document, insertions: Iterable[Insertion]) -> None:
        self._source = document.once(SourceText)
        self._insertions = sorted(insertions)
        pieces, last = [], 0
        for place, text, width in self._insertions:
            pieces += [self._source.text[last:place], text]
            last = place + width
        self.document = Document(document.path, "".join([*pieces, self._source.text[last:]]))

    def offset(self, place: int) -> int:
        before = (one for one in self._insertions if one.place < place)
        return place + sum(len(one.text) - one.width for one in before)

    def position(self, position: Position) -> Position:
        return self.document.once(SourceText).position(self.offset(self._source.offset(position)))

    def back(self, hit: Hit) -> Hit:
        """A place of this text in that which it was written into."""
        source = self.document.once(SourceText)
        start, end = source.offset(hit.span.start), source.offset(hit.span.end)
        shift = 0
        for place, text, width in self._insertions:
            if place + shift + len(text) <= start:
                shift += len(text) - width
        return hit._replace(span=self._source.span(start - shift, end - shift))
