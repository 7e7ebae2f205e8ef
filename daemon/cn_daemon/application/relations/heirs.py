"""What inherits from a type, and what a type inherits from, one step at a time: by types (`typed_heirs`) or, in other
languages, by the form of clauses (`named_heirs`)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

from cn_daemon.application.ports import Hit, Relation
from cn_daemon.application.relations.trees import Grown, Key, key_of
from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.declarations.symbols import Symbol

# What only declares: it implements nothing by itself.
DECLARES_ONLY = ("Interface", "TypeAlias")


class Heir(NamedTuple):
    """renamed: it is an alias, and no other type."""

    declaration: Declaration
    relation: Relation
    renamed: bool = False


class Heirs(Grown):
    """For one question."""

    @abstractmethod
    async def children(self, symbol: Symbol) -> list[Heir]:
        """Those of one step, each once."""

    @abstractmethod
    async def parents(self, declaration: Declaration) -> list[tuple[Relation, Symbol]]:
        """What a declaration inherits from in one step."""

    @abstractmethod
    async def instances(self, symbol: Symbol, below: Sequence[Heir]) -> list[Hit]:
        """What else than a class, or its member, implements a type or a member of one: most often an object, or its
        key. below: the heirs of the type."""

    async def all_below(self, symbol: Symbol) -> list[Heir]:
        """The types below a type, however deep."""
        heirs: dict[Key, Heir] = {}
        waiting = [symbol]
        while waiting and self.room():
            for heir in await self.children(waiting.pop()):
                if key_of(heir.declaration) not in heirs:
                    heirs[key_of(heir.declaration)] = heir
                    waiting.append(await self._question.symbol(heir.declaration))
        return list(heirs.values())
