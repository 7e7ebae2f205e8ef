"""What servers tell of the values that keys name.

A key of a literal is known by the key that its type has from another literal, and what `const { a } = b` declares by
the key of that. Where such a key is written `{ a }` it is a use of the variable or the function `a` as well, and
servers that go on from there into projects which do not hold the symbol tell the uses of both.
"""

from __future__ import annotations

import re

from cn_daemon.application.context import Context
from cn_daemon.application.modules.modules import Modules, site_of
from cn_daemon.application.modules.reach import is_member
from cn_daemon.application.ports import Hit, Site
from cn_daemon.application.symbols.built import is_bound
from cn_daemon.application.uses.programs import Programs
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.source.reading import SourceText

_BEFORE = re.compile(r"(?:[{,]|\*/|//.*)\s*\Z")
_BEHIND = re.compile(r"\s*(?:[,}]|//|/\*|$)")
# Above a key.
_LINES = 400


class Keyed:
    """Of one symbol, for one question."""

    def __init__(self, symbol: Symbol, context: Context, modules: Modules, programs: Programs) -> None:
        _, self._server, self._documents, self._deadline = context
        self._main = symbol.main
        self._modules, self._programs = modules, programs
        holder = symbol.main.parent
        is_key = is_member(symbol) and holder is not None and holder.kind not in ("Class", "Interface", "Enum")
        self._has_key = is_key or is_bound(symbol, self._documents.try_get(symbol.main.path))

    async def meant(self, hits: list[Hit]) -> list[Hit]:
        """Those of these hits that mean the symbol, or its key."""
        path = self._main.path
        if not self._has_key or not any(hit.path != path and self._names_both(hit) for hit in hits):
            return hits
        if len(set(map(self._server.project, {path, *(hit.path for hit in hits)}))) == 1:
            return hits
        known = Site(path, self._main.position)
        keys = {site_of(hit) for hit in await self._modules.definitions(known) if self._names_both(hit)} - {known}
        values = {site_of(hit) for key in sorted(keys) for hit in await self._modules.definitions(key)} - keys - {known}
        if not values:
            return hits
        others = {site_of(hit) for hit in await self._programs.references(sorted(values))} - keys
        return [hit for hit in hits if site_of(hit) not in others or await self._gives(hit, keys)]

    async def _gives(self, hit: Hit, keys: set[Site]) -> bool:
        """Whether it is a key `{ a }` of what one of these is a key of."""
        leads = await self._modules.definitions(site_of(hit)) if self._names_both(hit) else []
        return not keys.isdisjoint(map(site_of, leads))

    def _names_both(self, hit: Hit) -> bool:
        """Whether it may be a key `{ a }`."""
        document = self._documents.try_get(hit.path)
        if document is None or not _BEHIND.match(document.line(hit.span.end.line), document.index(hit.span.end)):
            return False
        source = document.once(SourceText)
        start = source.offset(hit.span.start)
        return _BEFORE.search(source.text[max(0, start - _LINES) : start]) is not None
