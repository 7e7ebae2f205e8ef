"""How symbols hang together: refs, callers, callees, impls, types, hover.

All are made of references, definitions and outlines. The servers' own call hierarchy misses callers in projects that
are not loaded, and their type hierarchy exists for none of the TypeScript servers.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TypeVar

from cn_daemon.application.locations import Locations
from cn_daemon.application.mentions import Mention, Mentions, holder, source
from cn_daemon.application.ports import Call, Coverage, Hit, Site
from cn_daemon.application.question import Desk, Question, parse_cursor, parse_query, surviving
from cn_daemon.application.references import Uses, verdict
from cn_daemon.application.resolve import Resolution
from cn_daemon.domain.outline import MEMBERS, Declaration
from cn_daemon.domain.symbols import Symbol, is_test
from cn_daemon.domain.text import Position, Span
from cn_daemon.domain.usage import Heir, calls, heritage
from cn_shared.errors import InputError
from cn_shared.relations import (
    Callee,
    CalleesAnswer,
    Caller,
    CallersAnswer,
    FileUses,
    HoverAnswer,
    ImplsAnswer,
    RefsAnswer,
    Relative,
    TypesAnswer,
)
from cn_shared.wire import Completeness, LocationRef

CANDIDATES = 5
# Of one caller; refs tells the others.
USES = 3
# A tree stops growing at this many declarations, and says so.
TREE = 300
# Calls of one declaration that are looked up.
CALLS = 2_000
# What a type can use is no call of it, but handing one of these on is as good as calling it.
HANDED_ON = frozenset({"Function", "Method", "Constructor", "Property", "Accessor", "Constant", "Variable"})

Key = tuple[str, Position]
T = TypeVar("T")


class Relations:
    """The use cases, over the same desk as find."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def refs(
        self, call: Call, query: str, limit: int = 200, cursor: str | None = None, server: str = "auto"
    ) -> RefsAnswer:
        """Every mention by file, each with what it does and the declaration that holds it."""
        first = parse_cursor(cursor)

        async def answer(question: Question, found: Found) -> RefsAnswer:
            mentions = Mentions(question)
            uses = await question.references.uses(found.symbol, found.site)
            ordered = mentions.ordered(uses.hits)
            last = len(ordered) if limit == 0 else first + limit
            shown = await mentions.of(ordered[first:last])
            files = _by_file(mentions, shown, ordered, question.locations)
            more = str(last) if last < len(ordered) else None
            return RefsAnswer(uses.completeness, *found.told, len(ordered), files, more)

        return await self._answered(call, query, server, answer)

    async def callers(
        self,
        call: Call,
        query: str,
        depth: int = 1,
        limit: int = 100,
        cursor: str | None = None,
        server: str = "auto",
    ) -> CallersAnswer:
        """The declarations that call the symbol or hand it on, and up to `depth` levels of their callers."""
        first = parse_cursor(cursor)

        async def answer(question: Question, found: Found) -> CallersAnswer:
            tree = _CallerTree(question)
            callers, other = await tree.level(found.symbol, found.site)
            last = len(callers) if limit == 0 else first + limit
            shown = await tree.grown(callers[first:last], depth)
            more = str(last) if last < len(callers) else None
            return CallersAnswer(tree.completeness, *found.told, len(callers), shown, other, more)

        return await self._answered(call, query, server, answer)

    async def callees(self, call: Call, query: str, server: str = "auto") -> CalleesAnswer:
        """What the symbol's own code calls."""

        async def answer(question: Question, found: Found) -> CalleesAnswer:
            coverage = await question.server.load([one.path for one in found.symbol.declarations], question.deadline)
            callees, unknown, reason = await _Callees(question).of(found.symbol)
            return CalleesAnswer(verdict(coverage, 1, reason), *found.told, callees, unknown or None)

        return await self._answered(call, query, server, answer)

    async def impls(self, call: Call, query: str, server: str = "auto") -> ImplsAnswer:
        """The classes, members and object literals that implement an interface, a class or a member of one."""

        async def answer(question: Question, found: Found) -> ImplsAnswer:
            tree = TypeTree(question)
            hits = await tree.implementations(found.symbol)
            places = [await tree.implementing(hit) for hit in Mentions(question).ordered(hits)]
            return ImplsAnswer(tree.completeness, *found.told, places)

        return await self._answered(call, query, server, answer)

    async def types(self, call: Call, query: str, depth: int = 3, server: str = "auto") -> TypesAnswer:
        """What a class or an interface extends and implements, and what extends and implements it."""

        async def answer(question: Question, found: Found) -> TypesAnswer:
            if found.symbol.main.kind not in ("Class", "Interface"):
                raise InputError(
                    "no_type",
                    f"{found.symbol.main.name} is a {found.symbol.main.kind}, no class or interface.",
                    hint=f"cn impls {query} tells who implements a member; cn hover {query} tells its type.",
                )
            tree = TypeTree(question)
            below = await tree.below(found.symbol, depth)
            above = await tree.above(found.symbol, depth)
            return TypesAnswer(tree.completeness, *found.told, above, below)

        return await self._answered(call, query, server, answer)

    async def hover(self, call: Call, query: str, server: str = "auto") -> HoverAnswer:
        """The symbol's signature as the language server infers it, and its documentation."""

        async def answer(question: Question, found: Found) -> HoverAnswer:
            main = found.symbol.main
            coverage = await question.server.load([main.path], question.deadline)
            told = await question.server.describe(found.site or Site(main.path, main.position), question.deadline)
            signature, documentation = (told.signature, told.documentation) if told else (main.name, "")
            return HoverAnswer(verdict(coverage, 1), *found.told, signature, documentation.strip() or None)

        return await self._answered(call, query, server, answer)

    async def _answered(
        self, call: Call, query: str, server: str, answer: Callable[[Question, Found], Awaitable[T]]
    ) -> T:
        wanted = parse_query(query)
        answering = self._desk.server_for(wanted, call, server)

        async def once() -> T:
            question = await self._desk.question(call, answering)
            found = await question.resolve(wanted)
            if found.symbol is None:
                raise self._desk.unknown(wanted)
            return await answer(question, Found(found.symbol, found, question.locations))

        return await surviving(once)


class Found:
    """The symbol that is meant. told: it and its rivals, as every answer begins."""

    def __init__(self, symbol: Symbol, resolution: Resolution, locations: Locations) -> None:
        self.symbol = symbol
        self.site = resolution.site
        rivals = [locations.declaration(one.main) for one in resolution.candidates[:CANDIDATES]]
        self.told = locations.declaration(symbol.main), rivals


class _Grown:
    """What a tree has met so far: how complete it is, and which declarations it holds."""

    def __init__(self, question: Question) -> None:
        self._question = question
        self._verdicts: list[Completeness] = []
        self._known: set[Key] = set()
        self._full = False

    @property
    def completeness(self) -> Completeness:
        """The worst of all that was asked."""
        reasons = [one.reason for one in self._verdicts if one.status == "partial"]
        first = self._verdicts[0] if self._verdicts else verdict(Coverage(0, 0, []), 1)
        reason = next((reason for reason in reasons if reason), "") or (
            f"more than {TREE} declarations: ask with a smaller depth" if self._full else ""
        )
        if not reasons and not reason:
            return first
        return Completeness("partial", first.projects_loaded, first.projects_total, first.files, reason or None)

    async def _uses(self, symbol: Symbol, site: Site | None = None) -> list[Mention]:
        self._known.add(_key(symbol.main))
        uses: Uses = await self._question.references.uses(symbol, site)
        self._verdicts.append(uses.completeness)
        mentions = Mentions(self._question)
        return await mentions.of(mentions.ordered(uses.hits))

    async def _symbol(self, declaration: Declaration) -> Symbol:
        document = self._question.documents.get(declaration.path)
        outline = (await self._question.server.outlines([document], self._question.deadline))[declaration.path]
        return self._question.resolver.symbol_of(declaration, outline)

    def _room(self) -> bool:
        self._full = self._full or len(self._known) >= TREE
        return not self._full


class _Calling:
    """One caller while its tree grows. declaration: None for the top level of a file."""

    def __init__(self, path: str, declaration: Declaration | None, mentions: list[Mention]) -> None:
        self.path = path
        self.declaration = declaration
        self.mentions = mentions


class _CallerTree(_Grown):
    async def level(self, symbol: Symbol, site: Site | None = None) -> tuple[list[_Calling], int]:
        """The callers of one symbol, and how many other uses it has."""
        mentions = await self._uses(symbol, site)
        roles = {"call", "use"} if symbol.main.kind in HANDED_ON else {"call"}
        calling = [one for one in mentions if one.role in roles]
        by_holder: dict[tuple[str, Key | None], list[Mention]] = {}
        for one in calling:
            by_holder.setdefault((one.hit.path, _key(one.within) if one.within else None), []).append(one)
        callers = [_Calling(path, group[0].within, group) for (path, _), group in by_holder.items()]
        return callers, len(mentions) - len(calling)

    async def grown(self, callers: Sequence[_Calling], depth: int) -> list[Caller]:
        """As they are answered, with `depth` - 1 levels above each. A caller is followed where it is met first."""
        told = Mentions(self._question)
        grown = []
        for caller in callers:
            symbol = self._place(caller)
            above: list[Caller] | None = None
            repeated: bool | None = None
            if caller.declaration is not None and depth > 1:
                if _key(caller.declaration) in self._known:
                    repeated = True
                elif self._room():
                    level, _ = await self.level(await self._symbol(caller.declaration))
                    above = await self.grown(level, depth - 1)
            uses = [told.use(one) for one in caller.mentions[:USES]]
            grown.append(Caller(symbol, len(caller.mentions), uses, above, repeated))
        return grown

    def _place(self, caller: _Calling) -> LocationRef:
        locations = self._question.locations
        if caller.declaration is not None:
            return locations.declaration(caller.declaration)
        name = locations.relative(caller.path).rpartition("/")[2]
        return locations.of(caller.path, Position(1, 1), "Module", name=name)


class _Callees:
    def __init__(self, question: Question) -> None:
        self._question = question

    async def of(self, symbol: Symbol) -> tuple[list[Callee], list[str], str]:
        """What is called, what could not be told, and why the answer is not whole ("" when it is)."""
        question = self._question
        found: dict[Key, tuple[Symbol, list[Mention]]] = {}
        unknown: dict[str, None] = {}
        spans = [(one.path, one.span) for one in symbol.declarations]
        sites = [site for one in symbol.declarations for site in self._sites(one)]
        for hit in sites[:CALLS]:
            targets = await question.resolver.defined(Site(hit.path, hit.span.start))
            if not targets:
                unknown[question.documents.get(hit.path).at(hit.span)] = None
            for target in targets[:1]:
                if not any(target.main.path == path and span.encloses(target.main.span) for path, span in spans):
                    mention = Mention(hit, "call", None)
                    found.setdefault(_key(target.main), (target, []))[1].append(mention)
        told = Mentions(question)
        callees = [
            Callee(self._told(target.main, mentions[0].hit), [told.use(one) for one in mentions])
            for target, mentions in found.values()
        ]
        callees.sort(key=lambda callee: bool(callee.symbol.external))
        reason = f"only the first {CALLS} of {len(sites)} calls were looked up" if len(sites) > CALLS else ""
        return callees, list(unknown), reason

    def _told(self, target: Declaration, hit: Hit) -> LocationRef:
        """The target, by the name that it is called by where it has none of its own (`new (…): Error`)."""
        place = self._question.locations.declaration(target)
        if target.name.lstrip("#").isidentifier():
            return place
        return replace(place, name=self._question.documents.get(hit.path).at(hit.span), container=None)

    def _sites(self, declaration: Declaration) -> Iterable[Hit]:
        text = source(self._question.documents.get(declaration.path))
        first, last = text.offset(declaration.span.start), text.offset(declaration.span.end)
        for start, end in calls(text.text, first, last, jsx=text.jsx):
            span = text.span(start, end)
            if span.start != declaration.position:
                yield Hit(declaration.path, span)


class TypeTree(_Grown):
    """Types above and below, and implementations, for one question."""

    async def above(self, symbol: Symbol, depth: int) -> list[Relative]:
        """What a type extends and implements, `depth` levels of it."""
        relatives: list[Relative] = []
        told: set[Key] = set()
        for declaration in symbol.declarations:
            for heir, span in self._heritage(declaration):
                for target in await self._question.resolver.defined(Site(declaration.path, span.start)):
                    if _key(target.main) in told:
                        continue
                    told.update(map(_key, target.declarations))
                    further = await self.above(target, depth - 1) if depth > 1 else []
                    relatives.append(Relative(self._told(target.main), heir.relation, further))
        return relatives

    async def below(self, symbol: Symbol, depth: int) -> list[Relative]:
        """What extends and implements a type, `depth` levels of it."""
        relatives: list[Relative] = []
        for mention in await self._uses(symbol):
            found = self._inherits(mention)
            if found is None:
                continue
            heir, declaration = found
            further: list[Relative] = []
            repeated = None
            if depth > 1:
                if _key(declaration) in self._known:
                    repeated = True
                elif self._room():
                    further = await self.below(await self._symbol(declaration), depth - 1)
            relatives.append(Relative(self._told(declaration), heir.relation, further, repeated))
        return relatives

    async def implementations(self, symbol: Symbol) -> list[Hit]:
        """What the server says implements a symbol, asked until no class leads to files that were not loaded."""
        question = self._question
        paths: set[str] = set()
        names = {symbol.main.name.lstrip("#")}
        own = {(one.path, one.position) for one in symbol.declarations}
        sites = [Site(one.path, one.position) for one in symbol.declarations]
        while True:
            wanted = question.holding(names) | {one.path for one in symbol.declarations}
            coverage = await question.server.load(wanted, question.deadline)
            hits = await question.server.implementations(sites, question.deadline)
            paths = wanted
            if symbol.main.kind not in MEMBERS:
                names |= {word for hit in hits if (word := self._word(hit)).isidentifier()}
            if question.holding(names) <= paths:
                break
        self._verdicts.append(verdict(coverage, len(paths)))
        return [hit for hit in hits if (hit.path, hit.span.start) not in own]

    async def implementing(self, hit: Hit) -> LocationRef:
        """An implementation as it is answered: a declaration, or the one that holds an object literal."""
        question = self._question
        document = question.documents.get(hit.path)
        outline = (await question.server.outlines([document], question.deadline))[hit.path]
        around = holder(outline, hit.span.start)
        if around is None:
            return question.locations.of(hit.path, hit.span.start, "Constant")
        if around.position == hit.span.start:
            return self._told(around)
        return question.locations.of(
            hit.path, hit.span.start, around.kind, name=around.name, container=around.container
        )

    def _word(self, hit: Hit) -> str:
        document = self._question.documents.try_get(hit.path)
        return document.at(hit.span) if document and hit.span.start.line == hit.span.end.line else ""

    def _heritage(self, declaration: Declaration) -> Iterable[tuple[Heir, Span]]:
        if declaration.kind not in ("Class", "Interface"):
            return
        text = source(self._question.documents.get(declaration.path))
        for heir in heritage(text.text, text.offset(declaration.name_span.end)):
            yield heir, text.span(heir.start, heir.end)

    def _inherits(self, mention: Mention) -> tuple[Heir, Declaration] | None:
        """The heritage clause that a mention stands in, and whose it is."""
        if mention.within is None:
            return None
        for heir, span in self._heritage(mention.within):
            if span.start == mention.hit.span.start:
                return heir, mention.within
        return None

    def _told(self, declaration: Declaration) -> LocationRef:
        return self._question.locations.declaration(declaration)


def _key(declaration: Declaration) -> Key:
    return declaration.path, declaration.position


def _by_file(
    mentions: Mentions, shown: Sequence[Mention], everything: Sequence[Hit], locations: Locations
) -> list[FileUses]:
    totals: dict[str, int] = {}
    for hit in everything:
        totals[hit.path] = totals.get(hit.path, 0) + 1
    files = []
    for path, group in groupby(shown, key=lambda mention: mention.hit.path):
        relative = locations.relative(path)
        uses = [mentions.use(one) for one in group]
        files.append(FileUses(relative, totals[path], uses, True if is_test(relative) else None))
    return files
