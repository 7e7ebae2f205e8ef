"""What an object of a Python class of the workspace, or of one that inherits from it, surely is not."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from cn_daemon.application.context import Context
from cn_daemon.application.ports import Hit, Site, site_of
from cn_daemon.application.uses.overrides import OverrideHierarchy
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.mentions.python_origins import PythonOrigins
from cn_daemon.domain.mentions.python_text import PythonText
from cn_daemon.domain.mentions.python_types import Class, Method, PythonTypes
from cn_daemon.domain.python_modules import ENDINGS
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document

# So many files are looked through for heirs.
_FILES = 200
# Parents that say nothing of what an object is else.
_NO_KIND = frozenset({"ABC", "Generic", "object"})
_CONSTRUCTORS = ("__init__", "__new__", "__attrs_init__")
# Parents by which a class is called with the names of its members.
_CALLED = frozenset({"NamedTuple", "TypedDict"})
# Types that objects of others stand for, or fit without naming them.
# What gives what a string names another value.
_REPLACING = re.compile(r"patch|setattr|^object$|^spy$|^stub$|^multiple$")
_SELF = re.compile(r"(?<![\w.])self[ \t]*\.[ \t]*\Z")
_OUTSIDE = re.compile(r"/(?:site-packages|dist-packages|stdlib)/(?P<package>[^\W\d]\w*)")
_ANY_KIND = re.compile(r"^(?:object|type|Any|Unknown)$|Mock|Proxy|Callable")


class Member(NamedTuple):
    """A class of the hierarchy. document: that declares it."""

    document: Document
    declared: Class

    @property
    def hit(self) -> Hit:
        """Where it is named."""
        start = self.declared.name_start
        return Hit(self.document.path, self.document.once(SourceText).span(start, start + len(self.declared.name)))


class ClassHierarchy:
    """Of the class of one symbol, for one question: shares its documents. hierarchy: as it was gathered."""

    def __init__(self, symbol: Symbol, hierarchy: OverrideHierarchy, context: Context) -> None:
        self._symbol = symbol
        self._hierarchy = hierarchy
        self._context = context
        self._words, _, self._documents, _ = context
        self._lacking: dict[str, bool] = {}
        # What is built from the class or an heir when the program runs.
        self._built: set[str] = set()
        # By the name of another class what inherits from it.
        self._others: dict[str, dict[Site, Member] | None] = {}

    def lacks(self, names: Collection[str]) -> bool:
        """Whether no object of the hierarchy has all members of these names."""
        return any(map(self._lacks, sorted(names)))

    def is_none_of(self, types: Sequence[Hit], is_home: Callable[[str], bool]) -> bool:
        """Whether what is of one of these types, all that it may be of, is none of the hierarchy. is_home: as of
        `PythonOrigins.receiver`."""
        members = [self._at(site_of(one)) for one in types]
        # Of what is None alone somebody else gives it a value.
        known = any(one is not None and one.declared.name != "NoneType" for one in members)
        if not known or self._heirs is None or not all(self._is_unrelated(one, is_home) for one in types):
            return False
        if self._hierarchy.open and not (
            all(self._words.holds(one.path) for one in types) and self._is_below(is_home, members)
        ):
            return False  # what is above the hierarchy may be one of the types
        return all(one is not None and self._is_closed(one, is_home, set()) for one in members)

    def _is_below(self, is_home: Callable[[str], bool], others: Sequence[Member | None]) -> bool:
        """Whether all above the class is known by name, or another package's, and none of these is."""
        seen: set[str] = set()
        own = [self._at(site) for site in self._own]
        closed = all(one is not None and self._is_closed(one, is_home, seen) for one in own)
        return bool(own) and closed and not any(one is None or one.declared.name in seen for one in others)

    def is_behind(self, types: Sequence[Hit]) -> bool:
        """Whether the class is surely not among those that `super()` looks a member up in, in the class of these
        types: it is that class, or one below."""
        return bool(types) and all(site_of(one) in self._hierarchy.types for one in types)

    @cached_property
    def _own(self) -> set[Site]:
        parents = (one.parent for one in self._symbol.declarations)
        return {Site(one.path, one.position) for one in parents if one is not None}

    def takes_keyword(self, document: Document, place: int) -> bool:
        """Whether an argument named there gives an object of the class the symbol, a field: by `cls(…)` of a class
        that is constructed by its fields alone."""
        member = self._at(next(iter(self._own))) if len(self._own) == 1 else None
        if (
            member is None
            or self._hierarchy.open
            or self._hierarchy.types != self._own
            or member.document.path != document.path
        ):
            return False
        types = document.once(PythonTypes)
        if not member.declared.decorated or any(types.declares(member.declared, one) for one in _CONSTRUCTORS):
            return False
        return types.declares(member.declared, self._symbol.main.name) and types.is_field_of(place, member.declared)

    def _is_closed(self, member: Member, is_home: Callable[[str], bool], seen: set[str]) -> bool:
        """Whether all that a class inherits from are classes of the workspace, or another package's: what is built when
        the program runs, `Base = declarative_base(cls=…)`, may be one of the hierarchy."""
        if not self._words.holds(member.document.path):
            return True
        for base in member.declared.bases:
            name = _last(base)
            if name in seen or hasattr(builtins, base):
                continue
            seen.add(name)
            above = self._called(name)
            if above and all(self._is_closed(one, is_home, seen) for one in above):
                continue
            if above or not member.document.once(PythonOrigins).is_elsewhere(base.partition(".")[0], is_home):
                return False
        return True

    def _called(self, name: str) -> list[Member]:
        """The classes of the workspace of a name."""
        texts = self._context.python_texts(name)
        return [Member(one, each) for one in texts for each in one.once(PythonTypes).classes if each.name == name]

    @cached_property
    def plain(self) -> bool:
        """Whether no call gives an object a member by its name, but for parameters."""
        return (
            bool(self._hierarchy.types)
            and not self._hierarchy.open
            and all(map(self._takes_no_fields, self._hierarchy.types))
        )

    @cached_property
    def is_function(self) -> bool:
        """Whether the symbol is a method in each class of the hierarchy, and no text gives an object, or a class,
        another value in its stead."""
        main = self._symbol.main
        if main.kind != "Method" or not self._hierarchy.types or self._hierarchy.open or self._heirs is None:
            return False
        return bool(self._methods) and not self._is_given(main.name) and not self._is_patched

    def refuses(self, call: ast.Call) -> bool:
        """Whether the symbol cannot be called so, in any class of the hierarchy."""
        return self.is_function and not any(one.takes(call) for one in self._methods or ())

    @cached_property
    def _methods(self) -> list[Method] | None:
        """The symbol in all classes of the hierarchy; None where one has something else by its name."""
        found: list[Method] = []
        for one in (*self._all_above, *(self._heirs or ())):
            methods = one.document.once(PythonTypes).methods(one.declared, self._symbol.main.name) if one else None
            if methods is None:
                return None
            found += methods
        return found

    @cached_property
    def _is_patched(self) -> bool:
        """Whether some text names the symbol in a string, by which something else may stand in its stead."""
        name = self._symbol.main.name
        texts = [self._documents.try_get(path) for path in self._words.files_with(name) if path.endswith(ENDINGS)]
        spelled = (each for one in texts if one is not None for each in one.once(PythonText).spellings(name))
        return None in texts or any(one.torn or _REPLACING.search(one.called) for one in spelled)

    def is_alone_below(self, types: Sequence[Hit]) -> bool:
        """Whether these types, all that a value may be of, are above the class and only it, or an heir of it, gives
        what inherits from them the symbol."""
        above = {site_of(one): one for one in types}
        members = {site: member for site in above if (member := self._at(site)) is not None}
        known = [one for one in members.values() if one.declared.name != "NoneType"]
        if len(members) != len(above) or not known or self._heirs is None:
            return False
        if any(site not in self._hierarchy.types or site in self._own for site, one in members.items() if one in known):
            return False
        name = self._symbol.main.name
        for one in known:
            below = self._inheriting(one.declared.name)[0]
            others = [each for each in (one, *(below or {}).values()) if not self._is_own(each)]
            if below is None or any(self._has(others, each) for each in (name, "__getattr__", "__getattribute__")):
                return False
        return True

    def is_in_stub(self, types: Sequence[Hit]) -> bool:
        """Whether these types are all the class as a stub declares it, which may lack the symbol."""
        members = [self._at(site_of(one)) for one in types]
        stubs = [one for one in members if one is not None and one.document.path.endswith(".pyi")]
        return bool(members) and len(stubs) == len(members) and all(map(self._is_own, stubs))

    @property
    def is_known(self) -> bool:
        """Whether all that inherits from the class is known."""
        return self._heirs is not None

    def is_inside(self, kind: Hit) -> bool:
        """Whether a class is the symbol's, or inherits from it."""
        member = self._at(site_of(kind))
        return member is not None and self._is_own(member)

    def _is_own(self, member: Member) -> bool:
        own = [one for one in map(self._at, self._own) if one is not None]
        return member in own or member in (self._heirs or ()) or any(self._is_stub(member, one) for one in own)

    def _is_stub(self, member: Member, of: Member) -> bool:
        """Whether one is the class that stands for the other in the stub beside its module, or beside one that takes it
        from there."""
        path = member.document.path.removesuffix("i")
        if member.declared.name != of.declared.name or path == member.document.path or not self._words.holds(path):
            return False
        beside = self._documents.try_get(path)
        imported = beside.once(PythonTypes).imported if beside is not None else []
        return path == of.document.path or any(one.bound == of.declared.name for one in imported)

    @cached_property
    def is_filled(self) -> bool:
        """Whether a class of it may give its objects what it is called with: `self.__dict__.update(given)`."""
        every = [*map(self._at, self._hierarchy.types), *(self._heirs or ())]
        inside = (one for one in every if one is not None and self._words.holds(one.document.path))
        texts = ((one, one.document.once(SourceText).text[slice(*one.declared.span)]) for one in inside)
        return self._heirs is None or any("**" in text and not one.declared.plain for one, text in texts)

    def _takes_no_fields(self, site: Site) -> bool:
        member = self._at(site)
        if member is None or _CALLED.intersection((member.declared.name, *map(_last, member.declared.bases))):
            return False
        text, declared = member.document.once(SourceText).text, member.declared
        if not self._words.holds(site.path):
            return "/stdlib/" in site.path
        return declared.plain and not declared.decorated and "**" not in text[slice(*declared.span)]

    def _lacks(self, name: str) -> bool:
        if name.startswith("__") or name == "mro":
            return False  # what classes have as well
        if name not in self._lacking:
            members = self._members
            self._lacking[name] = members is not None and not self._has(members, name) and not self._is_given(name)
        return self._lacking[name]

    def _has(self, members: Sequence[Member], name: str) -> bool:
        word = re.compile(rf"\b{re.escape(name)}\b")
        return any(word.search(one.document.once(SourceText).text, *one.declared.span) for one in members)

    def _is_given(self, name: str) -> bool:
        """Whether some text gives an object a member of that name, whatever object that is."""
        return any(self._gives(one, name) for one in self._context.python_texts(name))

    def _gives(self, document: Document, name: str) -> bool:
        """But to `self` of another class."""
        text, types = document.once(SourceText).text, document.once(PythonTypes)
        own = {one.declared.span for one in self._members or () if one.document.path == document.path}
        for place in types.stored(name):
            around = types.around(place) if _SELF.search(text, max(0, place - 50), place) else None
            if around is None or around.span in own:
                return True
        by_string = re.compile(rf"setattr\([^\n]*['\"]{re.escape(name)}['\"]")
        return document.once(PythonText).tree is None or by_string.search(text) is not None

    @cached_property
    def _members(self) -> list[Member] | None:
        """All classes of the hierarchy with those above; None where not all are known, or one has further members."""
        above = self._all_above
        if self._hierarchy.open or self._heirs is None or not above:
            return None
        if any(self._built.intersection(map(_last, one.declared.bases)) for one in self._heirs):
            return None
        known = [one for one in above if one is not None]
        every = [*known, *self._heirs]
        bases = {_last(base) for one in self._heirs for base in one.declared.bases}
        closed = bases <= {one.declared.name for one in every} | _NO_KIND | self._names
        return every if closed and len(known) == len(above) and all(one.declared.plain for one in every) else None

    @cached_property
    def _all_above(self) -> list[Member | None]:
        """The class and those above it, without what is none, `Generic`."""
        return [self._at(site) for site in self._hierarchy.types if not self._is_form(site)]

    def _is_form(self, site: Site) -> bool:
        return site.path.endswith("/stdlib/typing.pyi") and self._at(site) is None

    @cached_property
    def _above(self) -> set[str]:
        return {one.declared.name for one in map(self._at, self._hierarchy.types) if one is not None}

    @property
    def _names(self) -> set[str]:
        return self._named[1]

    @property
    def _heirs(self) -> list[Member] | None:
        """None where they are too many, or a file cannot be read."""
        return self._named[0]

    @cached_property
    def _named(self) -> tuple[list[Member] | None, set[str]]:
        """The heirs, and the names by which they and the class are inherited from."""
        parent = self._symbol.main.parent
        if parent is None:
            return None, set()
        found, names = self._inheriting(parent.name)
        return None if found is None else [one for site, one in found.items() if site not in self._own], names

    def _inheriting(self, name: str) -> tuple[dict[Site, Member] | None, set[str]]:
        """What inherits from a class of a name, and the names by which that is done."""
        names, pending = {name}, [name]
        found: dict[Site, Member] = {}
        looked: set[str] = set()
        while pending:
            name = pending.pop()
            for path in self._words.files_with(name):
                if not path.endswith(ENDINGS):
                    continue
                looked.add(path)
                document = self._documents.try_get(path)
                if document is None or len(looked) > _FILES:
                    return None, names
                fresh = {*_renamed(document, name)}
                self._built.update(_built(document, name))
                for one in document.once(PythonTypes).classes:
                    if any(re.search(rf"\b{re.escape(name)}\b", base) for base in one.bases):
                        member = Member(document, one)
                        found[site_of(member.hit)] = member
                        fresh.add(one.name)
                pending += fresh - names
                names |= fresh
        return found, names

    def _is_unrelated(self, kind: Hit, is_home: Callable[[str], bool]) -> bool:
        site = site_of(kind)
        member = self._at(site)
        if member is None or site in self._hierarchy.types or member in (self._heirs or ()):
            return False
        declared, text = member.declared, member.document.text
        head = text[declared.name_start : text.find("\n", declared.name_start)]
        if _ANY_KIND.search(declared.name) or "Protocol" in head or "(" in "".join(declared.bases):
            return False
        if declared.name in self._names | self._above and not self._is_elsewhere(kind.path, is_home):
            return False  # a stub of one of the hierarchy, or an installed copy
        return not self._have_heir(declared.name)

    def _is_elsewhere(self, path: str, is_home: Callable[[str], bool]) -> bool:
        """Whether a file is of another package, which the workspace is not."""
        installed = _OUTSIDE.search(path) if not self._words.holds(path) else None
        return installed is not None and not is_home(installed["package"])

    def _have_heir(self, name: str) -> bool:
        """Whether something may inherit from the class, and from another one of that name."""
        several = [one for one in self._heirs or () if len(set(_kinds(one.declared.bases))) > 1]
        if not several:
            return False
        if name not in self._others:
            self._others[name] = self._inheriting(name)[0]
        others = self._others[name]
        return others is None or any(one in others.values() for one in self._heirs or ())

    def _at(self, site: Site) -> Member | None:
        document = self._documents.led_to(site.path) if site.path.endswith(ENDINGS) else None
        if document is None:
            return None
        start = document.once(SourceText).offset(site.position)
        found = next((one for one in document.once(PythonTypes).classes if one.name_start == start), None)
        return Member(document, found) if found is not None else None


def _kinds(bases: Sequence[str]) -> list[str]:
    return [one for one in bases if _last(one) not in _NO_KIND]


def _last(base: str) -> str:
    return base.rpartition(".")[2]


def _renamed(document: Document, name: str) -> Iterator[str]:
    """The further names that imports give it, and classes that are assigned from what names it."""
    text, word = document.once(SourceText).text, re.escape(name)
    for found in re.finditer(
        rf"\b{word}[ \t]+as[ \t]+(\w+)|^[ \t]*(\w+)[^=\n]*=[ \t]*(?:\w+\.)*{word}[ \t]*$", text, re.M
    ):
        yield found[1] or found[2]
    yield from _built(document, name)


def _built(document: Document, name: str) -> Iterator[str]:
    """The names of what a call may have built from it: `Base = declarative_base(cls=Row)`."""
    text = document.once(SourceText).text
    for found in re.finditer(rf"^[ \t]*([A-Z]\w*)[^=\n]*=(?!=)[^\n]*\([^\n]*\b{re.escape(name)}\b", text, re.M):
        yield found[1]
