"""Who uses a module as a whole: each specifier that leads to it, and the names that it is given there.

Servers name the beginning of its file as its declaration, and take that for what is written there.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator

from cn_daemon.application.context import Context
from cn_daemon.application.locations import by_file
from cn_daemon.application.modules.leads import Guide, TooManyError, too_many
from cn_daemon.application.modules.modules import joined, site_at, site_of
from cn_daemon.application.ports import Hit, Site, reads, stem_of
from cn_daemon.application.symbols.symbols_at import is_module
from cn_daemon.application.uses.commonjs import Exported, Taken
from cn_daemon.application.uses.search import Search
from cn_daemon.domain.mentions.embedded import is_embedding
from cn_daemon.domain.mentions.taking import WHOLE
from cn_daemon.domain.source.reading import SCRIPTS, SourceText
from cn_daemon.domain.source.specifiers import imported, in_code
from cn_daemon.domain.source.text import Document

_GIVEN = re.compile(
    r"(?:\*\s*as\s+(?P<all>[\w$]+)\s+from\s*|\bimport\s+(?:type\s+)?(?P<required>[\w$]+)\s*=\s*require\s*\(\s*)['\"`]\Z"
)
# A module in JSON has no default: it is its own.
_GIVEN_JSON = re.compile(
    r"(?:\bimport\s+(?P<default>[\w$]+)\s+from\s*|(?<![\w$.])(?:const|let|var)\s+(?P<required>[\w$]+)\s*=\s*require\s*\(\s*)['\"`]\Z"
)
# What stands between the name and the specifier.
_NEAR = 300


class Wholes:
    """For one search of the uses of such a module: the hits become those of the search."""

    def __init__(self, search: Search, guide: Guide, context: Context) -> None:
        self._search = search
        self._guide = guide
        _, self._server, self._documents, self._deadline = context
        self._path = search.symbol.main.path
        self._importers = search.candidates.importers(self._path)
        self._led: dict[Site, Hit] = {}
        self._doubt = ""
        # Of names in files, behind a point or not: whether they mean the module.
        self._known: dict[tuple[str, str, bool], bool] = {}
        # Where it is given them.
        self._names: dict[Site, Hit] = {}

    async def gather(self, asked: Site | None) -> tuple[str, Collection[Site]]:
        """Why some may be missing, or nothing, and the hits that are uses although they declare."""
        first = asked.path if asked else ""
        self._importers |= {first} if first else set()
        try:
            await self._look_at_all(first)
        except TooManyError:
            self._doubt = too_many(self._importers)
        await self._follow()
        search = self._search
        # Some servers tell the names themselves, too.
        uses = {site_of(hit): hit for hit in search.hits}
        search.hits = list((uses | self._names | self._led).values())
        taken = Taken(search.symbol, self._documents, search.modules)
        if self._path.endswith(SCRIPTS):
            taken.exported[Exported(self._path, WHOLE)] = None
            await search.through_scripts(taken)
            search.hits = taken.among(search.hits)
        return search.coverage.reason or self._doubt or taken.doubt, taken.uses

    async def _look_at_all(self, first: str) -> None:
        known: set[str] = set()
        while fresh := sorted(self._importers - known, key=lambda one: (one != first, one)):
            known |= self._importers
            await self._search.widen([one for one in fresh if reads(self._server, one)])
            for document in filter(None, map(self._documents.try_get, fresh)):
                await self._look(document)

    async def _look(self, document: Document) -> None:
        file = self._documents.place(document.path)
        for specifier, place in document.once(imported):
            if not _may_mean(document, specifier, self._path):
                continue
            site = site_at(document, place)
            if not reads(self._server, document.path):
                if is_embedding(document.path):
                    self._doubt = f"{file} imports {specifier}: the language server does not read it"
            elif site not in self._led and self._path in await self._guide.lead(document, specifier, place):
                # A package's is known by the specifier alone.
                self._importers |= self._search.candidates.naming(specifier)
                told = await self._server.references([site], self._deadline)
                self._led |= {site_of(hit): hit for hit in told if await self._leads_here(hit)}
                if site not in self._led and in_code(document, [(specifier, place)]):
                    self._doubt = f"{file} imports {specifier}: the language server knows no use"

    async def _leads_here(self, hit: Hit) -> bool:
        """Whether it is a specifier, and one of this module: in another project that holds it servers ask about its
        beginning, and tell the uses of what that declares or hands on."""
        document = self._documents.try_get(hit.path) if not hit.definition else None
        if document is None:
            return False
        offset = document.once(SourceText).offset(hit.span.start)
        specifier = next((one for one, place in document.once(imported) if place == offset), "")
        leads = await self._guide.lead(document, specifier, offset) if specifier else ()
        return self._path in leads or (not leads and _is_quoted(document, offset))

    async def _follow(self) -> None:
        """The uses of the names that are given, and of those that exports give them further."""
        search = self._search
        given = list(self._given())
        search.sites = [site_at(document, place) for document, place, _ in given]
        search.names = {name for _, _, name in given}
        if given:
            await search.widen({path for name in search.names for path in search.candidates.holding(name)})
            await search.follow()
            await search.in_own_projects()
            names = {(document.path, name) for document, _, name in given}
            search.hits = [hit for hit in search.hits if await self._is_whole(hit, names)]
            self._names = {site_of(hit): hit for hit in map(_name, given)}

    async def _is_whole(self, hit: Hit, names: Collection[tuple[str, str]]) -> bool:
        """Whether it is a name of the module, and none of what stands at its beginning."""
        document = self._documents.try_get(hit.path)
        source = document.once(SourceText) if document is not None else None
        if document is None or source is None or hit.definition:
            return True
        offset = source.offset(hit.span.start)
        if _is_quoted(document, offset):
            return site_of(hit) in self._led
        text = document.at(hit.span)
        taken = source.text.endswith(".", 0, offset)
        if (hit.path, text) in names and not taken:
            return True
        known = (hit.path, text, taken)
        if known not in self._known:
            leads = await self._search.modules.definitions(site_of(hit))
            self._known[known] = not leads or any(map(self._is_module, leads))
        return self._known[known]

    def _is_module(self, lead: Hit) -> bool:
        document = self._documents.try_get(lead.path)
        return document is None or is_module(document.once(SourceText), lead.span)

    def _given(self) -> Iterator[tuple[Document, int, str]]:
        """Each name, and where it stands."""
        for path, here in by_file(self._led.values()).items():
            document = self._documents.try_get(path)
            if document is None:
                continue
            source = document.once(SourceText)
            for start in [source.offset(hit.span.start) for hit in here]:
                found = _GIVEN.search(source.text, max(0, start - _NEAR), start)
                if found is None and self._path.endswith(".json"):
                    found = _GIVEN_JSON.search(source.text, max(0, start - _NEAR), start)
                if found and found.lastgroup:
                    yield document, found.start(found.lastgroup), found[found.lastgroup]


def _name(given: tuple[Document, int, str]) -> Hit:
    document, start, name = given
    return Hit(document.path, document.once(SourceText).span(start, start + len(name)))


def _is_quoted(document: Document, offset: int) -> bool:
    return document.once(SourceText).text.endswith(("'", '"', "`"), 0, offset)


def _may_mean(document: Document, specifier: str, path: str) -> bool:
    """Whether a specifier may lead there: a path by its words, a name anywhere, but in files that no server reads."""
    if not specifier.startswith("."):
        return not is_embedding(document.path) or os.path.basename(specifier) == stem_of(path)
    meant = joined(document.path, specifier)
    return path.startswith((f"{meant}.", f"{os.path.splitext(meant)[0]}.", f"{meant}/"))
