"""What a class inherits from by the types of its heritage clause, where that is a call or a value: as far as what the
server describes there and the declarations behind it tell."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from cn_daemon.application.ports import Site
from cn_daemon.application.question import Question
from cn_daemon.application.relations.mentions import source
from cn_daemon.application.relations.trees import key_of
from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.declarations.symbols import Symbol, group
from cn_daemon.domain.mentions.heritage import CARRIERS, Base, inherited
from cn_daemon.domain.mentions.making import Part, Reader, Sort, value_type
from cn_daemon.domain.source.reading import SourceText

_TYPES = frozenset({"Class", "Interface", "TypeAlias"})
_TYPED = re.compile(r"\s*\??\s*:")
# How many types are looked at for one class.
_STEPS = 60


class Made(NamedTuple):
    """What is made. open: there may be more, or other. lacking: what its type is for that reason, or nothing."""

    symbols: list[Symbol]
    open: bool = False
    lacking: str = ""

    def holds(self, symbol: Symbol) -> bool:
        keys = {key_of(one) for one in symbol.declarations}
        return any(key_of(one) in keys for each in self.symbols for one in each.declarations)


class _Scope(NamedTuple):
    """Where a type is written: in a file; or in what a server described, beside the declarations that it described.

    given: the types that stand for type parameters there, each with the scope in which it is written itself.
    """

    path: str
    text: str
    described: Sequence[Declaration] | None
    given: dict[str, tuple[int, _Scope]]


class Bases:
    """For one question."""

    def __init__(self, question: Question) -> None:
        self._question = question
        self._made: dict[Site, Made] = {}
        self._defined: dict[Site, list[Symbol]] = {}

    async def made(self, text: SourceText, base: Base) -> Made:
        """What the value that a class extends makes: that which the class inherits from."""
        site = Site(text.document.path, text.position(base.start))
        if site not in self._made:
            self._made[site] = await self._of(site, base.calls)
        return self._made[site]

    async def defined(self, site: Site) -> list[Symbol]:
        """What the name of a type there stands for: many classes lead over the same types."""
        if site not in self._defined:
            told = await self._question.resolver.symbols.defined(site)
            # What is a type and a value of one name is told twice.
            told.sort(key=lambda one: one.main.kind in _TYPES)
            self._defined[site] = list({min(map(key_of, one.declarations)): one for one in told}.values())
        return self._defined[site]

    async def _of(self, site: Site, calls: int) -> Made:
        question = self._question
        symbols = await self.defined(site)
        declared = [one for symbol in symbols for one in symbol.declarations]
        if not calls and any(one.kind == "Class" for one in declared):
            return Made(symbols)
        reading = _Reading(question, self)
        if not calls and (written := self._written(declared)):
            await reading.type(*written, "maker")
            return Made(reading.found, reading.open, reading.lacking)
        told = await question.server.describe(site, question.deadline)
        text = value_type(told.signature, calls) if told else ""
        if not calls:
            reading.found += [one for one in symbols if one.main.kind == "Interface"]
        await reading.type(_Scope(site.path, text, declared, {}), 0, "maker")
        return Made(reading.found, reading.open or not text, reading.lacking)

    def _written(self, declared: Sequence[Declaration]) -> tuple[_Scope, int] | None:
        """Where a parameter says its type: of a type parameter servers describe no more than the name."""
        for one in declared:
            if one.kind == "Variable" and one.span == one.name_span:
                text = source(self._question.documents.get(one.path))
                if typed := _TYPED.match(text.text, text.offset(one.name_span.end)):
                    return _Scope(one.path, text.text, None, {}), typed.end()
        return None


class _Reading:
    """Of one value."""

    def __init__(self, question: Question, bases: Bases) -> None:
        self._question = question
        self._bases = bases
        self._steps = 0
        self.found: list[Symbol] = []
        self.open = False
        self.lacking = ""

    async def type(self, scope: _Scope, start: int, sort: Sort) -> None:
        reader = Reader(scope.text, start)
        reader.type(0, sort)
        await self._parts(scope, reader)

    async def _parts(self, scope: _Scope, reader: Reader) -> None:
        self.open = self.open or reader.open
        self.lacking = self.lacking or ("no type" if reader.untyped else "")
        for part in reader.parts:
            self._steps += 1
            if self._steps > _STEPS:
                self.open = True
            elif part.name in scope.given:
                start, around = scope.given[part.name]
                await self.type(around, start, "maker" if part.sort == "maker" else part.sort)
            elif part.name == "InstanceType" and part.arguments:
                await self.type(scope, part.arguments[0], "maker")
            elif part.name in CARRIERS and part.arguments and part.sort == "instance":
                await self.type(scope, part.arguments[0], "instance")
            else:
                await self._part(scope, part)

    async def _part(self, scope: _Scope, part: Part) -> None:
        symbols = await self._named(scope, part)
        if not any(symbol.main.kind in _TYPES for symbol in symbols):
            # It may be a parameter that stands for any type.
            self.open = self.open or (part.sort != "class" if symbols else part.sort != "instance")
        for symbol in symbols:
            aliases = [one for one in symbol.declarations if one.kind == "TypeAlias"]
            if part.sort == "maker" or aliases:
                for one in symbol.declarations:
                    await self._declared(scope, part, one)
            elif symbol.main.kind in _TYPES:
                self.found.append(symbol)

    async def _declared(self, scope: _Scope, part: Part, declaration: Declaration) -> None:
        """What a declared type makes, or the types that an alias combines."""
        text = self._text(declaration)
        if text is None or declaration.kind not in ("Interface", "TypeAlias"):
            self.open = self.open or declaration.kind == "Class"
            return
        reader = Reader(text.text, text.offset(declaration.name_span.end))
        names, at = reader.parameters()
        if any(scope.text.startswith("...", start) for start in part.arguments):
            self.lacking = self.lacking or "a type that is too long to be told"
        given = {name: (start, scope) for name, start in zip(names, part.arguments, strict=False)}
        inner = _Scope(declaration.path, text.text, None, given)
        if declaration.kind == "TypeAlias":
            # A type parameter is what it extends.
            if reader.word(at) in ("=", "extends"):
                reader.type(at + 1, part.sort)
            else:
                self.open = True
        elif not self._members(reader, at):
            await self._above(inner, declaration, text)
            return
        await self._parts(inner, reader)

    def _members(self, reader: Reader, at: int) -> bool:
        while reader.word(at) not in ("{", ""):
            at = reader.behind(at)
        return reader.members(at)

    async def _above(self, scope: _Scope, declaration: Declaration, text: SourceText) -> None:
        """An interface without such signatures has those of what it extends."""
        for heir in inherited(text.text, text.offset(declaration.name_span.end), "Interface", text.form):
            if text.text[heir.start : heir.end] not in scope.given:
                await self.type(scope, heir.start, "maker")

    async def _named(self, scope: _Scope, part: Part) -> list[Symbol]:
        """What the name of a type stands for."""
        resolver = self._question.resolver
        if scope.described is None:
            text = source(self._question.documents.get(scope.path))
            return await self._bases.defined(Site(scope.path, text.position(part.start)))
        word = re.compile(rf"(?<![\w$]){re.escape(part.name)}(?![\w$])")
        for one in scope.described:
            described = self._text(one)
            if described is None:
                continue
            end = described.offset(one.name_span.end)
            for found in word.finditer(described.text, end, described.offset(one.span.end)):
                symbols = await self._bases.defined(Site(one.path, described.position(found.start())))
                if any(symbol.main.kind in _TYPES for symbol in symbols):
                    return symbols
                break
        for within in (scope.path, None):
            declared = [one for one in await resolver.declared.by_name(part.name, within) if one.kind in _TYPES]
            if declared:
                grouped = group(declared, self._question.documents.lenient)
                self.open = self.open or len(grouped) > 1
                return grouped
        return []

    def _text(self, declaration: Declaration) -> SourceText | None:
        document = self._question.documents.try_get(declaration.path)
        return source(document) if document is not None else None
