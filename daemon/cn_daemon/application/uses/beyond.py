"""Uses of an optional member beyond the classes that do not declare it.

`class B implements A {}` need not declare the `a?` of A, and what `class C extends B { a() {} }` declares implements it
all the same. From a member TypeScript before 5.9 goes on to the types above as far as each of them has one of its name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from itertools import chain

from cn_daemon.application.context import Context
from cn_daemon.application.declared import Declared
from cn_daemon.application.ports import Site
from cn_daemon.application.uses.kin import Kin
from cn_daemon.domain.declarations.outline import MEMBERS, Declaration
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.source.text import Position

# A name, from its first sign on, that is declared so.
_OPTIONAL = re.compile(r"[\"']?[\w$-]+[\"']?\s*\?\s*(?:[:(<;,}]|\Z)")


class Beyond:
    """Of one symbol, for one question. kin_of: makes the kin of a symbol."""

    def __init__(self, declared: Declared, kin_of: Callable[[Symbol], Kin], context: Context) -> None:
        _, self._server, self._documents, _ = context
        self._declared = declared
        self._kin_of = kin_of
        # What is above each member that was not met yet.
        self._waiting: dict[Site, set[Site]] | None = None
        self._asked: set[Site] = set()

    async def further(self, symbol: Symbol, known: Collection[Site]) -> list[Site]:
        """Where to ask as well. known: what was met so far, uses too."""
        if not self._server.stops_at_classes() or not _may_implement(symbol.main):
            return []
        if self._waiting is None:
            self._waiting = await self._members(symbol, known)
        met = self._asked.union(known)
        joined = [site for site, above in self._waiting.items() if site in met or not met.isdisjoint(above)]
        fresh = {one for site in joined for one in (site, *self._waiting.pop(site))} - met
        self._asked |= fresh
        return sorted(fresh)

    async def _members(self, symbol: Symbol, known: Collection[Site]) -> dict[Site, set[Site]]:
        """What is above the symbol, and above each member of its name if one that it is told with is optional."""
        main = symbol.main
        members = {Site(main.path, main.position): await self._above(symbol)}
        if any(self._is_optional(*site) for site in chain(known, *members.values())):
            for one in await self._declared.by_name(main.name, None):
                if one.name == main.name and _may_implement(one):
                    site = Site(one.path, one.position)
                    members[site] = members.get(site) or await self._above(Symbol((one,)))
        return members

    async def _above(self, symbol: Symbol) -> set[Site]:
        kin = self._kin_of(symbol)
        await kin.gather()
        return {site for site, one in kin.above.items() if not one.static}

    def _is_optional(self, path: str, position: Position) -> bool:
        document = self._documents.try_get(path)
        return document is not None and bool(_OPTIONAL.match(document.line(position.line), document.index(position)))


def _may_implement(one: Declaration) -> bool:
    """Whether it may implement or override another member."""
    return one.kind in MEMBERS and one.kind != "Constructor" and not one.static and one.parent is not None
