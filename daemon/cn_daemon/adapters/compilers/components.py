"""Components of Vue, Svelte and Astro: what answers for them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from cn_daemon.adapters.compilers.bindings import Bindings
from cn_daemon.adapters.compilers.syntax import Syntax
from cn_daemon.application.hard_texts import HardTexts
from cn_daemon.application.ports import Coverage, Description, Finding, Hit, Names, Site, TellsMeaning, Types
from cn_daemon.domain.source.components import ENDINGS, is_component
from cn_shared.errors import LanguageServerError
from cn_shared.wire import LanguageServerStatus

T = TypeVar("T", str, Site)


class ComponentServer(Syntax):
    """The port `LanguageServer` for components, over the server of TypeScript, which does not see them: what they
    declare and name, names decide."""

    def __init__(
        self, server: TellsMeaning, bindings: Bindings, hard: HardTexts, names: Names, types: Types | None
    ) -> None:
        """bindings, hard: as of `Syntax`. types: tells what declares members."""
        super().__init__(bindings, hard)
        self.name = "components"
        self.endings = frozenset(ENDINGS)
        self._server = server
        self._names = names
        self._types = types

    async def load(self, paths: Collection[str], deadline: float) -> Coverage:
        known = _others(paths)
        return await self._server.load(known, deadline) if known else Coverage()

    async def references(self, sites: Sequence[Site], deadline: float) -> list[Hit]:
        known = _others(sites)
        return await self._server.references(known, deadline) if known else []

    async def definitions(self, sites: Sequence[Site], deadline: float) -> list[list[Hit]]:
        known = _others(sites)
        answers = iter(await self._server.definitions(known, deadline) if known else ())
        return [
            await self._definitions_in_component(site, deadline) if is_component(site.path) else next(answers)
            for site in sites
        ]

    async def _definitions_in_component(self, site: Site, deadline: float) -> list[Hit]:
        named = await self._names.symbols_at(site, deadline)
        known = [hit._replace(definition=True) for one in named if one.decided for hit in one.definitions]
        if known or self._types is None:
            return known
        (definitions,) = await self._types.definitions([site], deadline)
        return [one.hit for one in definitions]

    async def describe(self, site: Site, deadline: float) -> Description | None:
        return None if is_component(site.path) else await self._server.describe(site, deadline)

    async def diagnostics(self, paths: Sequence[str], deadline: float) -> dict[str, list[Finding]]:
        raise LanguageServerError(
            "not_checked",
            "Errors in components (.vue, .svelte, .astro) are not reported.",
            "Ask the framework's own checker: vue-tsc, svelte-check, astro check.",
        )

    def status(self) -> LanguageServerStatus:
        return replace(self._server.status(), name=self.name)

    async def warm(self) -> None:
        pass

    async def close(self) -> None:
        pass


def _others(places: Iterable[T]) -> list[T]:
    return [one for one in places if not is_component(one if isinstance(one, str) else one.path)]
