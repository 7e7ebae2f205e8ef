"""Members that patterns take (`({ a: b } = c)`), or `c?.["a"]`, where the language server does not know whose they are.

It is asked about a text in which the same pattern declares, or `c?.a` stands: of those it knows it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

from cn_daemon.application.documents import Documents
from cn_daemon.application.modules.leads import KnownKeys
from cn_daemon.application.modules.modules import Modules, site_at, site_of
from cn_daemon.application.ports import Hit, LanguageServer, Site
from cn_daemon.domain.declarations.outline import CONTAINERS, MEMBERS
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.mentions.patterns import Key, Supposed, doubtful_keys, supposed
from cn_daemon.domain.source.forms import form_of
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document

# Each has the server read a text twice, once as long as no file changes. A test may hold eighty of one name.
_CHECKS = 200


class Patterned(NamedTuple):
    """uses: those that the server did not tell. doubt: why some may be missing, or nothing."""

    uses: list[Hit]
    doubt: str


class Patterns:
    """For one question: shares its documents. known: what other questions have found out, and this one adds to."""

    def __init__(
        self, symbol: Symbol, documents: Documents, modules: Modules, server: LanguageServer, known: KnownKeys
    ) -> None:
        self._symbol = symbol
        self._name = symbol.main.name
        self._documents = documents
        self._modules = modules
        self._server = server
        self._known = known

    async def taken(self, hits: Collection[Hit], paths: Iterable[str], may_take: Callable[[str], bool]) -> Patterned:
        """hits: those that were found. paths: of the files that hold the name. may_take: whether a file may have the
        symbol from somewhere."""
        if self._symbol.main.kind not in MEMBERS:
            return Patterned([], "")
        read = (self._documents.try_get(path) for path in paths if form_of(path) is None)
        keys = [(one, key) for one in read if one is not None for key in one.known(doubtful_keys, self._name)]
        own = {Site(one.path, one.position) for one in self._symbol.declarations}
        known = own.union(map(site_of, hits)) if keys else own
        uses: list[Hit] = []
        checked = 0
        for document, key in keys:
            # Some servers begin a quoted name at its quote.
            sites = [site_at(document, key.place), site_at(document, key.place - 1)]
            if not known.isdisjoint(sites) or not may_take(document.path):
                continue
            checked += 1
            leads = await (self._leads(document, key) if checked <= _CHECKS else self._unread(document, key))
            if leads is None:
                where = self._documents.place(document.path, sites[0].position.line)
                taken = "is taken" if key.optional else "a pattern takes"
                doubt = f"the language server does not say whose {self._name} {taken} in {where}"
                return Patterned(uses, doubt)
            if any([site_of(one) in own or (site_of(one) in known and await self._inherits(one)) for one in leads]):
                uses.append(Hit(document.path, document.once(SourceText).span(key.place, key.place + len(self._name))))
        return Patterned(uses, "")

    async def _inherits(self, found: Hit) -> bool:
        """Whether what is declared there may override or implement: a literal's key, which has a type of its own, does
        not."""
        declared = await self._modules.declared_at(found)
        return declared is not None and declared.parent is not None and declared.parent.kind in CONTAINERS

    async def _leads(self, document: Document, key: Key) -> list[Hit] | None:
        project = self._server.project(document.path)
        asked = self._server, project, document, key.place
        if asked not in self._known:
            other = supposed(document, key, self._name)
            leads: list[Hit] | None = await self._declared(document, other) if other is not None else []
            if not leads and (other is None or not await self._is_pattern(other)):
                leads = await self._unread(document, key)
            if not project:
                # What else is in the program of such a file depends on what was asked about.
                return leads
            self._known[asked] = leads
        return self._known[asked]

    async def _is_pattern(self, other: Supposed) -> bool:
        """Whether the server has read such a text as it is meant: then it knows no member that the key takes."""
        if other.taker is None:
            return False
        place = other.document.once(SourceText).position(other.taker)
        leads = await self._modules.supposed(other.document, place)
        return site_of(leads[0]) == Site(other.document.path, place) if leads else False

    async def _unread(self, document: Document, key: Key) -> list[Hit] | None:
        """What the server takes the key for in the file's own text."""
        found = [] if key.computed or key.optional else await self._modules.members(site_at(document, key.place))
        return found or None

    async def _declared(self, document: Document, other: Supposed) -> list[Hit]:
        """Where the key leads in such a text, as places of the document's own."""
        source, here, leads = other.document.once(SourceText), document.once(SourceText), []
        for hit in await self._modules.supposed(other.document, source.position(other.place)):
            at = other.original(source.offset(hit.span.start)) if hit.path == document.path else None
            if hit.path != document.path:
                leads.append(hit)
            elif at is not None:
                leads.append(hit._replace(span=here.span(at, at)))
        return leads
