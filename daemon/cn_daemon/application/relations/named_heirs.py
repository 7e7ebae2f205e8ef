"""What inherits in languages other than TypeScript: by the clauses in which uses of a type stand, and what the language
server tells to implement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cn_daemon.application.ports import Hit, Relation, Site, TellsImplementations
from cn_daemon.application.relations.heirs import DECLARES_ONLY, Heir, Heirs
from cn_daemon.application.relations.mentions import source
from cn_daemon.application.relations.trees import key_of
from cn_daemon.domain.declarations.outline import MEMBERS, Declaration
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.source.forms import parents
from cn_daemon.domain.source.text import Position

# What a chain of names can begin with inherits nothing to anybody.
NO_TYPE = ("Module", "Namespace")


class NamedHeirs(Heirs):
    """For one question."""

    async def children(self, symbol: Symbol) -> list[Heir]:
        known = {key_of(one) for one in symbol.declarations}
        found: list[Heir] = []
        for mention in await self._uses(symbol):
            within = mention.within
            if within is None or key_of(within) in known or mention.hit.span.start not in self._clauses(within):
                continue
            known.add(key_of(within))
            found.append(Heir(within, "extends"))
        return found

    async def parents(self, declaration: Declaration) -> list[tuple[Relation, Symbol]]:
        symbols = self._question.resolver.symbols
        sites = [Site(declaration.path, start) for start in self._clauses(declaration)]
        found = [symbol for site in sites for symbol in await symbols.defined(site)]
        return [("extends", one) for one in found if one.main.kind not in NO_TYPE]

    async def instances(self, symbol: Symbol, below: Sequence[Heir]) -> list[Hit]:
        """Asked until what implements leads to no files that were not loaded."""
        question, server = self._question, self._question.server
        if not isinstance(server, TellsImplementations):
            return []
        passed = [one.declaration for one in below if one.declaration.kind in DECLARES_ONLY]
        if symbol.main.kind in MEMBERS:
            passed = []
        names = {one.name for one in (symbol.main, *passed)}
        sites = [Site(one.path, one.position) for one in (*symbol.declarations, *passed)]
        while True:
            wanted = question.holding(names) | {one.path for one in symbol.declarations}
            coverage = await server.load(wanted, question.deadline)
            hits = await server.implementations(sites, question.deadline)
            # A library's own are none of the workspace's.
            hits = [hit for hit in hits if question.documents.try_get(hit.path) is not None]
            if symbol.main.kind not in MEMBERS:
                words = (question.documents.get(hit.path).at(hit.span) for hit in hits)
                names |= {word for word in words if word.isidentifier()}
            if question.holding(names) <= wanted:
                break
        self._verdicts.append(coverage.verdict(len(wanted)))
        return hits

    def _clauses(self, declaration: Declaration) -> Iterator[Position]:
        """Where a declaration names what it inherits from."""
        text = source(self._question.documents.get(declaration.path))
        if text.form is not None:
            for start, _ in parents(text.text, text.offset(declaration.name_span.end), text.form):
                yield text.position(start)
