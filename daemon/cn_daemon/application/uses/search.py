"""One search for the uses of a symbol by a language server: which files could use it, and what was found."""

from __future__ import annotations

from collections.abc import Collection

from cn_daemon.application.context import Context
from cn_daemon.application.ports import Coverage, Hit, Site, reads
from cn_daemon.domain.declarations.symbols import Symbol


class Search:
    """sites: where the symbol is declared. names: its own, and those that imports give it. paths: the files that could
    use it under one of them; coverage: how far these are loaded. hits: what was found in them.
    """

    def __init__(self, symbol: Symbol, origin: Site | None, context: Context) -> None:
        self._words, self._server, _, self._deadline = context
        self.symbol = symbol
        self.sites = list(dict.fromkeys(Site(one.path, one.position) for one in symbol.declarations))
        self.names = {symbol.main.name}
        self.paths = {site.path for site in (*self.sites, *([origin] if origin else ()))} | self.holding(
            symbol.main.name
        )
        self.coverage = Coverage(0, 1, [])
        self.hits: list[Hit] = []

    def holding(self, name: str) -> set[str]:
        """Files of the server's languages that hold it as a word."""
        return {path for path in self._words.files_with(name) if reads(self._server, path)}

    async def load(self) -> None:
        self.coverage = await self._server.load(self.paths, self._deadline)

    async def widen(self, paths: Collection[str]) -> None:
        """Load these files too."""
        if not self.paths.issuperset(paths):
            self.paths.update(paths)
            await self.load()
