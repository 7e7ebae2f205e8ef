"""What files take by name of packages that are not built: uses, where the sources of such a package export the symbol.

To a server such an import leads nowhere. Who reads a fresh clone wants these uses all the same; as little is known of
what else may come of such an import, an answer that tells them stays partial.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Collection, Iterable, Iterator
from typing import NamedTuple

from cn_daemon.application.context import Context
from cn_daemon.application.exports import exported_names, exports_default
from cn_daemon.application.leads import CHECKS, Guide, TooManyError
from cn_daemon.application.locations import by_file
from cn_daemon.application.modules import site_of
from cn_daemon.application.ports import Hit, Site
from cn_daemon.application.reach import Reach, is_member
from cn_daemon.application.search import Search
from cn_daemon.domain.modules import taken_of, takes
from cn_daemon.domain.reading import SourceText, imports
from cn_daemon.domain.specifiers import specifiers
from cn_daemon.domain.symbols import exported_names as declared_names
from cn_daemon.domain.text import Document

_LISTED = re.compile(r"\s*export\s*(?:type\s*)?\{(?P<names>[^}]*)\}\s*from\s*['\"](?P<module>[^'\"\n]+)")
_ALL = re.compile(r"\s*export\s*\*\s*from\s*['\"](?P<module>[^'\"\n]+)")
_NAME = re.compile(r"(?:type\s+(?!as\b))?(?P<name>[\w$]+)(?:\s+as\s+(?P<given>[\w$]+))?")
_GIVEN = re.compile(r"\s+as\s+(?P<name>[\w$]+)")
_NAMESPACE = re.compile(r"\*\s*as\s+\Z")
# So much text before a name is looked at.
_NEAR = 40


class Named(NamedTuple):
    """module: the offset of the specifier. name: what the module exports it as. places: the offsets of where this file
    names it, from and to."""

    module: int
    specifier: str
    name: str
    places: tuple[tuple[int, int], ...]


class Unbuilt:
    """For one search of the uses of a symbol: what it finds becomes a part of it."""

    def __init__(self, search: Search, context: Context, guide: Guide, reach: Reach) -> None:
        symbol = search.symbol
        self._search = search
        self._declared = () if is_member(symbol) or symbol.main.local else symbol.declarations
        self._packages = context.words.packages()
        self._documents = context.documents
        self._guide = guide
        self._reach = reach

    async def follow(self) -> Collection[Site]:
        """The places where files name it in imports that lead nowhere: uses, although servers take them for
        declarations. Raises what `LanguageServer.references` raises."""
        search = self._search
        named: dict[Site, Hit] = {}
        while True:
            fresh = [hit async for hit in self._told() if site_of(hit) not in named]
            if not fresh:
                return named
            named.update((site_of(hit), hit) for hit in fresh)
            more = await search.programs.references([*map(site_of, fresh)])
            # Of what is only handed on servers tell nothing.
            search.hits = list({site_of(hit): hit for hit in (*fresh, *more, *search.hits)}.values())
            await search.widen(search.candidates.further([*fresh, *more], search.names))

    async def _told(self) -> AsyncIterator[Hit]:
        """All such places, by what is known of the symbol so far."""
        hits, checked = by_file(self._search.hits), 0
        for path in sorted(self._search.paths) if self._declared else ():
            document = self._documents.try_get(path)
            if document is None or checked > CHECKS or not self._names_package(document):
                continue
            for one in _named(document):
                if self._may_be(document, one, hits) and not await self._leads(document, one):
                    checked += 1
                    for place in one.places:
                        yield Hit(path, document.once(SourceText).span(*place))

    def _names_package(self, document: Document) -> bool:
        return any(self._packages.leads_inside(name) for name, _ in document.once(specifiers))

    async def _leads(self, document: Document, one: Named) -> bool:
        try:
            return bool(await self._guide.lead(document, one.specifier, one.module))
        except TooManyError:
            return True

    def _may_be(self, document: Document, one: Named, hits: dict[str, list[Hit]]) -> bool:
        """Whether it is what the sources of a package export by that name."""
        if one.name not in (*self._search.names, "default") or not self._packages.leads_inside(one.specifier):
            return False
        entries = self._reach.lead(document.path, one.specifier)
        return any(self._exports(entry, one.name, hits, set()) for entry in entries)

    def _exports(self, path: str, name: str, hits: dict[str, list[Hit]], passed: set[str]) -> bool:
        document = self._documents.try_get(path) if path not in passed and not path.endswith("/") else None
        passed.add(path)
        if document is None:
            return False
        declared = {one.name for one in self._declared if one.path == path and one.exported}
        if name == "default":
            own = {one.name for one in self._declared if one.path == path}
            own.update(document.at(hit.span) for hit in hits.get(path, ()))
            return bool(own) and exports_default(document, own)
        if name in declared or name in _handed_on(document, hits.get(path, ())):
            return True
        if name in exported_names(document) or name in declared_names(document.text):
            # What it exports of its own hides what it hands on of others.
            return False
        texts = (document.text[first:last] for first, last in document.once(imports))
        modules = [found["module"] for text in texts if (found := _ALL.match(text))]
        leads = (place for module in modules for place in self._reach.lead(path, module))
        return any(self._exports(place, name, hits, passed) for place in leads)


def _handed_on(document: Document, hits: Iterable[Hit]) -> Iterator[str]:
    """The names that lists of exports give at these hits."""
    source = document.once(SourceText)
    for hit in hits:
        if source.import_at(source.offset(hit.span.start)).lstrip().startswith("export"):
            given = _GIVEN.match(source.text, source.offset(hit.span.end))
            yield given["name"] if given else document.at(hit.span)


def _named(document: Document) -> Iterator[Named]:
    """All that a file takes by name of modules, or hands on of them."""
    text = document.text
    for one in takes(document):
        own = () if one.local is None else ((one.local, one.local + len(one.here)),)
        if one.member:
            yield Named(one.module, one.specifier, one.member, ((one.place, one.place + len(one.member)), *own))
        elif own and one.imported and not _NAMESPACE.search(text[: own[0][0]][-_NEAR:]):
            yield Named(one.module, one.specifier, "default", own)
        elif one.here:
            for _, take in taken_of(document, one):
                place = take.place, take.place + len(take.member)
                yield Named(one.module, one.specifier, take.member, (place,))
    for first, last in document.once(imports):
        listed = _LISTED.match(text, first, last)
        if listed is None:
            continue
        for found in _NAME.finditer(text, *listed.span("names")):
            places = tuple(found.span(one) for one in ("name", "given") if found[one])
            yield Named(listed.start("module"), listed["module"], found["name"], places)
