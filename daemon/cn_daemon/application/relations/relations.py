"""How symbols hang together: refs, callers, callees, impls, types, hover.

All are built from references, definitions and outlines. The servers' own call hierarchy misses callers in projects that
are not loaded, and their type hierarchy exists for none of the TypeScript servers.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TypeVar

from cn_daemon.application.locations import Locations
from cn_daemon.application.ports import Call, Coverage, Hit, Site
from cn_daemon.application.question import Question, WorkspaceSession, parse_cursor, parse_query
from cn_daemon.application.relations.callees import Callees
from cn_daemon.application.relations.impls import Implementations
from cn_daemon.application.relations.mentions import Mention, Mentions
from cn_daemon.application.relations.trees import CallerTree
from cn_daemon.application.relations.types import TypeTree
from cn_daemon.application.relations.untyped import lacking
from cn_daemon.application.symbols.resolve import Resolution
from cn_daemon.application.uses.overrides import unnamed_heirs, unnamed_parents
from cn_daemon.domain.declarations.symbols import Symbol, is_test
from cn_shared.errors import DeadlineError, InputError
from cn_shared.relations import (
    CalleesAnswer,
    CallersAnswer,
    FileUses,
    HoverAnswer,
    ImplsAnswer,
    RefsAnswer,
    Related,
    TypesAnswer,
)
from cn_shared.wire import Completeness, LocationRef

CANDIDATES = 5
# What else can be extended holds a class, and some class extends it.
TYPES = ("Class", "Interface", "TypeAlias")

T = TypeVar("T", bound=Related)
Head = tuple[LocationRef, list[LocationRef]]


class Relations:
    """The use cases, over the same session as find."""

    def __init__(self, session: WorkspaceSession) -> None:
        self._session = session

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
            undecided = question.locations.undecided(uses.undecided, found.symbol.main.kind, limit)
            completeness = replace(uses.completeness.doubted(mentions.doubt), undecided=undecided)
            return RefsAnswer(completeness, *found.head, len(ordered), files, more)

        def late(completeness: Completeness, head: Head) -> RefsAnswer:
            return RefsAnswer(completeness, *head, 0, [])

        return await self._answered(call, query, server, answer, late)

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
            tree = CallerTree(question)
            callers, other = await tree.level(found.symbol, found.site)
            last = len(callers) if limit == 0 else first + limit
            shown = await tree.grown(callers[first:last], depth)
            more = str(last) if last < len(callers) else None
            completeness = replace(tree.completeness, undecided=tree.undecided(found.symbol, limit))
            return CallersAnswer(completeness, *found.head, len(callers), shown, other, more)

        def late(completeness: Completeness, head: Head) -> CallersAnswer:
            return CallersAnswer(completeness, *head, 0, [], 0)

        return await self._answered(call, query, server, answer, late)

    async def callees(
        self, call: Call, query: str, limit: int = 100, cursor: str | None = None, server: str = "auto"
    ) -> CalleesAnswer:
        """What the symbol's own code calls."""
        first = parse_cursor(cursor)

        async def answer(question: Question, found: Found) -> CalleesAnswer:
            callees, unknown, reason = await Callees(question).of(found.symbol)
            last = len(callees) if limit == 0 else first + limit
            more = str(last) if last < len(callees) else None
            completeness = Coverage().verdict(1, reason)
            return CalleesAnswer(completeness, *found.head, len(callees), callees[first:last], unknown or None, more)

        return await self._answered(call, query, server, answer)

    async def impls(self, call: Call, query: str, server: str = "auto") -> ImplsAnswer:
        """The classes, members and object literals that implement an interface, a class or a member of one."""

        async def answer(question: Question, found: Found) -> ImplsAnswer:
            implementations = Implementations(question, found.site)
            places = await implementations.of(found.symbol)
            doubt = unnamed_heirs(found.symbol, question.documents)
            return ImplsAnswer(implementations.completeness.doubted(doubt), *found.head, places)

        return await self._answered(call, query, server, answer)

    async def types(self, call: Call, query: str, depth: int = 3, server: str = "auto") -> TypesAnswer:
        """What a class or an interface extends and implements, and what extends and implements it."""

        async def answer(question: Question, found: Found) -> TypesAnswer:
            tree = TypeTree(question, found.symbol, found.site)
            below = await tree.below(found.symbol, depth)
            above = await tree.above(found.symbol, depth)
            if found.symbol.main.kind not in TYPES and not below and not above:
                raise InputError(
                    "no_type",
                    f"{found.symbol.main.name} is a {found.symbol.main.kind}, no class or interface.",
                    hint=f"cn impls {query} lists what implements a member; cn hover {query} shows its type.",
                )
            doubt = unnamed_parents(found.symbol) or unnamed_heirs(found.symbol, question.documents)
            return TypesAnswer(tree.completeness.doubted(doubt), *found.head, above, below)

        return await self._answered(call, query, server, answer)

    async def hover(self, call: Call, query: str, server: str = "auto") -> HoverAnswer:
        """The symbol's signature as the language server infers it, and its documentation."""

        async def answer(question: Question, found: Found) -> HoverAnswer:
            main = found.symbol.main
            site = found.site or Site(main.path, main.position)
            coverage = await question.server.load({main.path, site.path}, question.deadline)
            description = await question.server.describe(site, question.deadline)
            signature, documentation = (
                (description.signature, description.documentation) if description else (main.name, "")
            )
            paths = list(filter(self._session.words.holds, dict.fromkeys((site.path, main.path))))
            completeness = coverage.verdict(1).doubted(await lacking(question, paths, signature))
            return HoverAnswer(completeness, *found.head, signature, documentation.strip() or None)

        return await self._answered(call, query, server, answer)

    async def _answered(
        self,
        call: Call,
        query: str,
        server: str,
        answer: Callable[[Question, Found], Awaitable[T]],
        late: Callable[[Completeness, Head], T] | None = None,
    ) -> T:
        """late: of an answer that tells uses, what it is when time ran out before the symbol was found."""
        wanted = parse_query(query)

        async def once() -> T:
            try:
                question, found = await self._session.resolved(call, wanted, server)
            except DeadlineError as error:
                shown = self._session.late(call, wanted, error) if late else None
                if late is None or shown is None or not shown.declared:
                    raise
                main, *others = shown.declared
                return late(shown.completeness, (main, others[:CANDIDATES]))
            if found.symbol is None:
                raise self._session.unknown(wanted, found.doubt)
            found_symbol = Found(found.symbol, found, question.locations, query)
            answered = await answer(question, found_symbol)
            completeness = answered.completeness.doubted(found.doubt or question.resolver.symbols.withheld())
            return replace(answered, completeness=completeness, more_candidates=found_symbol.more)

        return await self._session.retry_on_restart(once)


class Found:
    """The symbol that is meant. head: it and its rivals, as every answer begins. more: of the rivals."""

    def __init__(self, symbol: Symbol, resolution: Resolution, locations: Locations, query: str) -> None:
        self.symbol = symbol
        self.site = resolution.site
        rivals, self.more = locations.rivals(resolution.candidates, CANDIDATES, query)
        self.head = locations.declaration(symbol.main), rivals


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
