"""Types above and below a type."""

from __future__ import annotations

from cn_daemon.application.relations.heirs import Heirs
from cn_daemon.application.relations.mentions import source
from cn_daemon.application.relations.trees import Key, key_of
from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.mentions.heritage import base_at
from cn_shared.relations import Relative


class TypeTree(Heirs):
    """For one question."""

    async def above(self, symbol: Symbol, depth: int) -> list[Relative]:
        """What a type extends and implements, `depth` levels of it."""
        relatives: list[Relative] = []
        told: set[Key] = set()
        for declaration in symbol.declarations:
            parents, _ = await self.parents(declaration)
            if not parents and (lost := self._named(declaration)):
                self._doubt = self._doubt or f"where {lost}, which {declaration.name} extends, leads is not known"
            outside: set[str | None] = set()
            for relation, target in parents:
                if key_of(target.main) in told:
                    continue
                told.update(map(key_of, target.declarations))
                place = self._told(target.main)
                if place.external:
                    # A library declares one type in several files (`Error`, for each year of the language).
                    if place.name in outside:
                        continue
                    outside.add(place.name)
                further = await self.above(target, depth - 1) if depth > 1 else []
                # What is made by a call, or a value, is told by its type.
                named = relation == "implements" or declaration.kind != "Class"
                if named and depth > 1 and not further and not place.external and self.is_opaque(target.main):
                    self._doubt = self._doubt or f"what {place.name} inherits from only a compiler can follow"
                relatives.append(Relative(place, relation, further))
        return relatives

    def _named(self, declaration: Declaration) -> str:
        """What a class or an interface of TypeScript says first that it inherits from, or nothing. What a call makes
        may have no name."""
        text = source(self._question.documents.get(declaration.path))
        if declaration.kind not in ("Class", "Interface") or text.form is not None:
            return ""
        base = base_at(text.text, text.offset(declaration.name_span.end))
        spans = self.clauses(declaration) if base is None or not base.calls else ()
        return next((text.document.at(span) for _, span in spans), "")

    async def below(self, symbol: Symbol, depth: int) -> list[Relative]:
        """What extends and implements a type, `depth` levels of it."""
        relatives: list[Relative] = []
        for heir in [one async for one in self.heirs(symbol)]:
            further: list[Relative] = []
            repeated = None
            if depth > 1 or heir.renamed:
                if key_of(heir.declaration) in self._known:
                    repeated = True
                elif self._room():
                    further = await self._further(heir.declaration, depth if heir.renamed else depth - 1)
            if heir.renamed:
                relatives += further
                continue
            relatives.append(Relative(self._told(heir.declaration), heir.relation, further, repeated))
        return relatives

    async def _further(self, declaration: Declaration, depth: int) -> list[Relative]:
        self._known.add(key_of(declaration))
        symbol = await self._symbol(declaration)
        return await self.below(symbol, depth) if self._leads_on(symbol) else []
