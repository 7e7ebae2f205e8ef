"""Types above and below a type."""

from __future__ import annotations

from cn_daemon.application.ports import Site
from cn_daemon.application.question import Question
from cn_daemon.application.relations.lineage import heirs_of
from cn_daemon.application.relations.trees import Key, key_of
from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.declarations.symbols import Symbol
from cn_shared.relations import Relative
from cn_shared.wire import Completeness, LocationRef


class TypeTree:
    """Of one symbol, for one question."""

    def __init__(self, question: Question, symbol: Symbol, site: Site | None) -> None:
        """site: where the symbol was asked about."""
        self._question = question
        self._heirs = heirs_of(question, symbol, site)

    @property
    def completeness(self) -> Completeness:
        return self._heirs.completeness

    async def above(self, symbol: Symbol, depth: int) -> list[Relative]:
        """What a type extends and implements, `depth` levels of it."""
        relatives: list[Relative] = []
        seen: set[Key] = set()
        outside: set[str | None] = set()
        for declaration in symbol.declarations:
            for relation, target in await self._heirs.parents(declaration):
                if key_of(target.main) in seen:
                    continue
                seen.update(map(key_of, target.declarations))
                place = self._location(target.main)
                # A library declares one type in several files (`Error`, for each year of the language).
                if place.external and place.name in outside:
                    continue
                outside.add(place.name)
                further = await self.above(target, depth - 1) if depth > 1 else []
                relatives.append(Relative(place, relation, further))
        return relatives

    async def below(self, symbol: Symbol, depth: int) -> list[Relative]:
        """What extends and implements a type, `depth` levels of it."""
        relatives: list[Relative] = []
        for heir in await self._heirs.children(symbol):
            further: list[Relative] = []
            repeated = None
            if depth > 1 or heir.renamed:
                if not self._heirs.first(heir.declaration):
                    repeated = True
                elif self._heirs.room():
                    below = await self._question.symbol(heir.declaration)
                    further = await self.below(below, depth if heir.renamed else depth - 1)
            if heir.renamed:
                relatives += further
            else:
                relatives.append(Relative(self._location(heir.declaration), heir.relation, further, repeated))
        return relatives

    def _location(self, declaration: Declaration) -> LocationRef:
        return self._question.locations.declaration(declaration)
