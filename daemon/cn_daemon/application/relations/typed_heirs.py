"""What inherits in TypeScript, as types tell it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cn_daemon.application.ports import Coverage, Doubt, Heritage, Hit, Relation, Site, Step, Types, site_of
from cn_daemon.application.question import Question
from cn_daemon.application.relations.heirs import DECLARES_ONLY, Heir, Heirs
from cn_daemon.application.relations.mentions import holder
from cn_daemon.domain.declarations.outline import MEMBERS, Declaration, Enclosing, flatten
from cn_daemon.domain.declarations.symbols import Symbol
from cn_shared.errors import LanguageServerError

_UNKNOWN = Heritage((), (), (), ())


class TypedHeirs(Heirs):
    """Around one type, for one question."""

    def __init__(self, question: Question, types: Types, root: Symbol, site: Site | None) -> None:
        """site: where the type is named; needed of one that the workspace does not declare."""
        super().__init__(question)
        self._types = types
        self._root = root
        own = [Site(one.path, one.position) for one in root.declarations]
        self._external = question.locations.is_external(root.main.path)
        self._declared = [site] if self._external and site is not None else own
        self._mentioned: set[str] = set()
        self._heritage: Heritage | None = None

    async def children(self, symbol: Symbol) -> list[Heir]:
        heritage = await self._gathered()
        parents = self._sites(symbol.declarations, heritage)
        steps = {site_of(step.child): step for step in heritage.below if site_of(step.parent) in parents}
        ordered = self._question.locations.ordered(step.child for step in steps.values())
        found = [steps[site_of(hit)] for hit in ordered]
        return [Heir(await self._declaration(step), step.relation, step.renamed) for step in found]

    async def parents(self, declaration: Declaration) -> list[tuple[Relation, Symbol]]:
        heritage = await self._gathered()
        children = self._sites([declaration], heritage)
        steps = [step for step in heritage.above if site_of(step.child) in children]
        found = [(step.relation, await self._question.resolver.symbols.at(step.parent)) for step in steps]
        return [(relation, symbol) for relation, symbol in found if symbol is not None]

    async def instances(self, symbol: Symbol, below: Sequence[Heir]) -> list[Hit]:
        await self._gathered()
        for heir in below:
            if heir.declaration.kind in DECLARES_ONLY:
                await self._mention(await self._question.symbol(heir.declaration))
        member = symbol.main.name if symbol.main.kind in MEMBERS else None
        question, name = self._question, self._root.main.name
        try:
            hits, doubts = await self._types.objects(name, self._declared, member, self._mentioned, question.deadline)
        except LanguageServerError as error:
            hits, doubts = [], []
            self.doubt = self.doubt or error.message
        self._doubted(doubts)
        return list(hits)

    async def _gathered(self) -> Heritage:
        if self._heritage is None:
            try:
                self._heritage = await self._gather()
            except LanguageServerError as error:
                self._heritage = _UNKNOWN
                self.doubt = self.doubt or error.message
            self._doubted(self._heritage.doubts)
            self._verdicts.append(Coverage().verdict(len(self._mentioned)))
        return self._heritage

    async def _gather(self) -> Heritage:
        """Asked until no alias leads to further files: what inherits from one need not say so by a clause."""
        question, name = self._question, self._root.main.name
        await self._mention(self._root)
        known: set[Site] = set()
        while True:
            before = len(self._mentioned)
            heritage = await self._types.heritage(name, self._declared, self._mentioned, question.deadline)
            for step in heritage.below:
                if (step.kind == "TypeAlias" or self._external) and site_of(step.child) not in known:
                    known.add(site_of(step.child))
                    await self._mention(await self._question.symbol(await self._declaration(step)))
            if len(self._mentioned) == before:
                return heritage

    async def _mention(self, symbol: Symbol) -> None:
        """Add the files that name a type, by any name."""
        question = self._question
        named = await question.by_names.uses(symbol, None)
        if named is None:
            paths = question.holding([symbol.main.name.lstrip("#")])
        else:
            paths = {hit.path for hit in (*named.definitions, *named.uses, *(doubt.hit for doubt in named.doubts))}
        self._mentioned |= paths

    def _sites(self, declarations: Iterable[Declaration], heritage: Heritage) -> set[Site]:
        sites = {Site(one.path, one.position) for one in declarations}
        own = {Site(one.path, one.position) for one in self._root.declarations}
        return sites if sites.isdisjoint(own) else {*sites, *heritage.goals}

    async def _declaration(self, step: Step) -> Declaration:
        """The declaration there; one of its own for what no outline lists, a class without a name after what holds
        it."""
        path, span, _ = step.child
        outline = await self._question.outline(path)
        declared = next((one for one in flatten(outline) if one.position == span.start), None)
        if declared is not None:
            return declared
        within = holder(Enclosing(outline, local=False), span.start) if span.start == span.end else None
        name = within.name if within is not None else self._question.documents.get(path).at(span)
        return Declaration(path, name or "class", step.kind, span, span, local=True)

    def _doubted(self, doubts: Sequence[Doubt]) -> None:
        if self.doubt or not doubts:
            return
        (path, span, _), reason = doubts[0]
        unread = span.start == span.end
        place = self._question.documents.place(path, None if unread else span.start.line)
        more = f" (and {len(doubts) - 1} more)" if len(doubts) > 1 else ""
        what = f"{place} was not read" if unread else f"what is inherited in {place} is not known ({reason})"
        main = self._root.main
        own = path == main.path and main.span.holds(span.start)
        self.doubt = f"{what}{more}" if own else f"{what}{more}: it may be {main.name}"
