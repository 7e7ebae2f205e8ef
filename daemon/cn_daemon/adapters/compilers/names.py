"""The port `Names` over the bindings: places as the application counts them, in files of the workspace."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from cn_daemon.adapters.compilers.bindings import Bindings, Bound, Place
from cn_daemon.application.ports import Doubt, Hit, Imported, NamedSymbol, Site, site_of
from cn_daemon.domain.source.text import Position, Span


class BoundNames:
    """Of one workspace. The index is refreshed by who asks."""

    def __init__(self, root: Path, bindings: Bindings) -> None:
        self._root = root
        self._bindings = bindings

    async def symbols_at(self, site: Site, deadline: float) -> list[NamedSymbol]:
        return list(map(self._symbol, await self._bindings.symbols_at(*self._place(site), deadline)))

    async def uses(self, site: Site, deadline: float) -> list[NamedSymbol]:
        found = await self._bindings.at(*self._place(site), deadline)
        return list(map(self._symbol, found.symbols))

    async def module(self, path: str, deadline: float) -> list[NamedSymbol]:
        found = await self._bindings.module(self._relative(path), deadline)
        return list(map(self._symbol, found.symbols))

    async def library(self, package: str, name: str, deadline: float) -> list[NamedSymbol]:
        found = await self._bindings.library(package, name, deadline)
        return list(map(self._symbol, found.symbols))

    async def naming(self, name: str, deadline: float) -> list[tuple[Site, str]]:
        found = await self._bindings.naming(name, deadline)
        return [(site_of(self._hit(place)), lost) for place, lost in found]

    async def importing(self, sites: Sequence[Site], deadline: float) -> Sequence[int]:
        return await self._bindings.importing(list(map(self._place, sites)), deadline)

    async def most_imported(self, paths: Collection[str], limit: int, deadline: float) -> tuple[list[Imported], int]:
        found, left = await self._bindings.most_imported(list(map(self._relative, paths)), limit, deadline)
        return [Imported(name, site_of(self._hit(place)), files) for name, place, files in found], left

    def _relative(self, path: str) -> str:
        return path.removeprefix(f"{self._root}/")

    def _place(self, site: Site) -> tuple[str, int, int]:
        return self._relative(site.path), site.position.line - 1, site.position.character - 1

    def _symbol(self, bound: Bound) -> NamedSymbol:
        return NamedSymbol(
            bound.scope in ("module", "local"),
            self._hits(bound.definitions),
            self._hits(bound.references),
            [Doubt(self._hit(place), place.reason) for place in bound.doubts],
            bound.module,
        )

    def _hits(self, places: Sequence[Place]) -> list[Hit]:
        return list(map(self._hit, places))

    def _hit(self, place: Place) -> Hit:
        start = Position(place.line + 1, place.character + 1)
        end = start._replace(character=start.character + place.length)
        return Hit(f"{self._root}/{place.path}", Span(start, end))
