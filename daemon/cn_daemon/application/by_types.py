"""What types decide of a question without a language server: every use of a member."""

from __future__ import annotations

import logging

from cn_daemon.application.context import Context
from cn_daemon.application.modules.modules import site_of
from cn_daemon.application.ports import NamedSymbol, Site, Types, reads
from cn_daemon.domain.declarations.outline import MEMBERS
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.source.reading import SCRIPTS
from cn_shared.errors import LanguageServerError

log = logging.getLogger(__name__)

# What is decided by the name of its class.
_BY_CLASS = "Constructor"


class ByTypes:
    """For one question. types: None where nothing answers so, as in other languages."""

    def __init__(self, types: Types | None, context: Context) -> None:
        self._types = types
        self._words, self._server, _, self._deadline = context

    async def uses(self, symbol: Symbol) -> NamedSymbol | None:
        """The uses of a member, with what is doubted; None where types are not asked, or cannot be."""
        declared = [Site(one.path, one.position) for one in symbol.declarations]
        if self._types is None or symbol.is_module or symbol.main.kind not in MEMBERS or symbol.main.kind == _BY_CLASS:
            return None
        if symbol.main.parent is None and symbol.main.path.endswith(SCRIPTS):
            return None  # a key of what a module exports by assignment, most often
        if not all(self._words.holds(site.path) and reads(self._server, site.path) for site in declared):
            return None
        try:
            found = await self._types.uses(symbol.main.name, declared, self._deadline)
        except LanguageServerError as error:
            log.info("types: %s", error.message)
            return None
        return found._replace(doubts=[doubt for doubt in found.doubts if site_of(doubt.hit) not in declared])
