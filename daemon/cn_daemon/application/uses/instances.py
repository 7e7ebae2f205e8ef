"""Members of what has a required class for its type in the comments of scripts (`@param {A} b`): to the native server
that is any."""

from __future__ import annotations

from collections.abc import Iterable

from cn_daemon.application.documents import Documents
from cn_daemon.application.modules.modules import Modules, site_at, site_of
from cn_daemon.application.ports import Hit, Site
from cn_daemon.application.uses.untold import Untold
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.mentions.noted import noted
from cn_daemon.domain.mentions.taking import members_called, takes
from cn_daemon.domain.source.reading import SCRIPTS, SourceText
from cn_daemon.domain.source.text import Document

# Places that are asked about.
_ASKED = 100


class Instances(Untold):
    """For one member of a class."""

    def __init__(self, symbol: Symbol, documents: Documents, modules: Modules) -> None:
        super().__init__(symbol, documents, modules)
        self._asked = 0

    async def look(self, hits: Iterable[Hit], paths: Iterable[str]) -> None:
        """In these files. hits: what is known."""
        main = self._symbol.main
        made = main.parent is not None and main.parent.kind == "Class" and not main.static
        if not made or not main.path.endswith(SCRIPTS):
            return
        known = {*map(site_of, hits), *(Site(one.path, one.position) for one in self._symbol.declarations)}
        for path in paths:
            document = self._documents.try_get(path) if path.endswith(SCRIPTS) else None
            if document is None or "/**" not in document.text:
                continue
            places = [one for one in members_called(document, main.name) if site_at(document, one) not in known]
            if places and (names := await self._unread(document)):
                await self._named(document, names, places, known)
            if self._asked > _ASKED:
                self.doubt = f"the language server does not read the types of comments in {self._documents.place(path)}"
                return

    async def _unread(self, document: Document) -> list[str]:
        """What comments name as types that is required, and the server leads nowhere. It reads all of them, or none."""
        text = document.once(SourceText).text
        names = []
        for take in takes(document):
            place = next(noted(text, take.here), None) if take.here and not take.imported else None
            if place is not None and await self._modules.definitions(site_at(document, place)):
                break
            if place is not None:
                names.append(take.here)
        return names

    async def _named(self, document: Document, names: Iterable[str], places: Iterable[int], known: set[Site]) -> None:
        # What is told behind all else moves nothing.
        types = "".join(f"\n/** @typedef {{InstanceType<typeof {name}>}} {name} */" for name in names)
        supposed = Document(document.path, f"{document.text}\n{types}\n")
        for place in places:
            self._asked += 1
            site = site_at(document, place)
            if self._asked > _ASKED or await self._modules.definitions(site):
                continue
            if any(site_of(hit) in known for hit in await self._modules.supposed(supposed, site.position)):
                span = document.once(SourceText).span(place, place + len(self._symbol.main.name))
                self.uses.append(Hit(document.path, span))
