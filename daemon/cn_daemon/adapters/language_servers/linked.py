"""A compiler's server in a workspace with links: asked by every name of a file, its answers told by real paths.

Compilers keep the name that a file was imported or listed by: behind a link it is another file to them, in projects
that do not know the real one.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from typing import TypeVar

from cn_daemon.adapters.language_servers.redirects import Redirects
from cn_daemon.adapters.links import Links
from cn_daemon.application.ports import Changes, Coverage, Description, Finding, Hit, LanguageServer, Site
from cn_daemon.domain.declarations.blocks import Fold
from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.source.text import Document, Position, Span
from cn_shared.wire import LanguageServerStatus

Answered = TypeVar("Answered")


class Linked:
    """The port `LanguageServer` over another one."""

    def __init__(self, server: LanguageServer, links: Links, redirects: Redirects) -> None:
        self.name = server.name
        self.endings = server.endings
        self._server = server
        self._links = links
        self._redirects = redirects

    async def load(self, paths: Collection[str], deadline: float, *, own: bool = False) -> Coverage:
        self._redirects.refresh()
        await self._redirects.foresee(paths, deadline)
        named = all_names(self._links, paths) if self._links else paths
        coverage = await self._server.load(named, deadline, own=own)
        if own:
            self._redirects.at_home(paths)
        if await self._redirects.are_new(self._server, paths, deadline):
            coverage = await self._server.load(named, deadline, own=own)
        if not self._links:
            return coverage
        return coverage._replace(missing=list(dict.fromkeys(map(self._links.real, coverage.missing))))

    def project(self, path: str) -> str:
        return next(filter(None, map(self._server.project, self._links.names(path))), "")

    def together(self, one: str, other: str) -> bool:
        others = self._links.names(other)
        return any(self._server.together(name, beside) for name in self._links.names(one) for beside in others)

    async def references(self, sites: Sequence[Site], deadline: float) -> list[Hit]:
        return self._told(await self._server.references(self._everywhere(sites), deadline))

    async def definitions(self, sites: Sequence[Site], deadline: float) -> list[list[Hit]]:
        if not self._links:
            told = await self._server.definitions(list(map(self._redirects.there, sites)), deadline)
            return list(map(self._redirects.back, told))

        async def ask(site: Site) -> list[Hit]:
            (told,) = await self._server.definitions([self._redirects.there(site)], deadline)
            return told

        return [self._told(await self._first(site, ask)) for site in sites]

    async def supposed(self, document: Document, place: Position, deadline: float) -> list[Hit]:
        async def ask(site: Site) -> list[Hit]:
            named = Document(site.path, document.text)
            led = self._redirects.led(named)
            if led is None:
                return await self._server.supposed(named, place, deadline)
            told = await self._server.supposed(named, led.there(place), deadline)
            return [hit._replace(span=led.back(hit.span)) if hit.path == site.path else hit for hit in told]

        return self._real(await self._first(Site(document.path, place), ask))

    async def describe(self, site: Site, deadline: float) -> Description | None:
        return await self._first(site, lambda one: self._server.describe(self._redirects.there(one), deadline))

    async def diagnostics(self, paths: Sequence[str], deadline: float) -> dict[str, list[Finding]]:
        """By the names that projects have of a file; what compilers tell of several names is told of the first."""
        named = {path: self._in_projects(path) for path in paths}
        told = await self._server.diagnostics([name for names in named.values() for name in names], deadline)
        found: dict[str, list[Finding]] = {}
        for names in named.values():
            known: set[Finding] = set()
            for name in names:
                findings = [one._replace(span=self._redirects.span(name, one.span)) for one in told[name]]
                found[name] = [one for one in findings if one not in known]
                known.update(findings)
        return found

    # By form alone all names are alike.

    async def outlines(
        self, documents: Sequence[Document], deadline: float, name: str | None = None
    ) -> dict[str, list[Declaration]]:
        return await self._server.outlines(documents, deadline, name)

    async def folds(self, document: Document, deadline: float) -> list[Fold]:
        return await self._server.folds(document, deadline)

    async def nesting(self, document: Document, place: Position, deadline: float) -> list[Span]:
        return await self._server.nesting(document, place, deadline)

    def status(self) -> LanguageServerStatus:
        return self._server.status()

    async def warm(self) -> None:
        await self._server.warm()

    async def close(self) -> None:
        await self._server.close()

    def _everywhere(self, sites: Sequence[Site]) -> Sequence[Site]:
        if self._links:
            sites = [site._replace(path=name) for site in sites for name in self._links.names(site.path)]
        return list(map(self._redirects.there, sites))

    def _told(self, hits: list[Hit]) -> list[Hit]:
        """As places of the files themselves."""
        return self._real(self._redirects.back(hits))

    def _real(self, hits: list[Hit]) -> list[Hit]:
        """Each place once; it declares where it does so by one of its names."""
        if not self._links:
            return hits
        real = {path: self._links.real(path) for path in {hit.path for hit in hits}}
        found = dict.fromkeys(hit._replace(path=real[hit.path]) for hit in hits)
        return [hit for hit in found if hit.definition or hit._replace(definition=True) not in found]

    async def _first(self, site: Site, ask: Callable[[Site], Awaitable[Answered]]) -> Answered:
        """The answer at the first name that has one."""
        # Those first by which a project has it: without one, imports may lead elsewhere.
        listed = self._in_projects(site.path)
        *names, last = [*listed, *(name for name in self._links.names(site.path) if name not in listed)]
        for name in names:
            if answer := await ask(site._replace(path=name)):
                return answer
        return await ask(site._replace(path=last))

    def _in_projects(self, path: str) -> list[str]:
        """The names by which a project has a file; where none has it, its real path."""
        names = self._links.names(path)
        return [name for name in names if self._server.project(name)] or names[:1] if len(names) > 1 else names


def all_names(links: Links, paths: Iterable[str]) -> list[str]:
    return [name for path in paths for name in links.names(path)]


def by_all_names(links: Links, changes: Changes) -> Changes:
    """What a server is to be told of: to it each name is a file."""
    return Changes(*(frozenset(all_names(links, paths)) for paths in changes)) if links else changes
