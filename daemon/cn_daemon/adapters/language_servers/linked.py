"""A compiler's server in a workspace with links: asked by the names that projects have of a file, its answers given by
real paths.

Compilers keep the name that a file was imported or listed by: behind a link it is another file to them, in projects
that do not know the real one.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from typing import Protocol, TypeVar

from cn_daemon.adapters.compilers.bindings import Bindings
from cn_daemon.adapters.compilers.syntax import Syntax
from cn_daemon.adapters.links import Links
from cn_daemon.application.hard_texts import HardTexts
from cn_daemon.application.ports import Changes, Coverage, Description, Finding, Hit, Site, TellsForm, TellsMeaning
from cn_shared.wire import LanguageServerStatus

Answered = TypeVar("Answered")


class ProjectServer(TellsMeaning, Protocol):
    async def project_of(self, path: str, deadline: float) -> str:
        """The tsconfig by which a loaded file is read, "" for none."""
        ...


class Linked(Syntax):
    """The port `LanguageServer` over a compiler's server; the form of texts, to which all names are alike, comes from
    the parser."""

    def __init__(
        self,
        server: ProjectServer,
        links: Links,
        bindings: Bindings,
        hard: HardTexts,
        fallback: TellsForm | None = None,
    ) -> None:
        """As of `Syntax`."""
        super().__init__(bindings, hard, fallback)
        self.name = server.name
        self.endings = server.endings
        self._server = server
        self._links = links

    async def load(self, paths: Collection[str], deadline: float) -> Coverage:
        coverage = await self._server.load(all_names(self._links, paths), deadline)
        return coverage._replace(missing=list(dict.fromkeys(map(self._links.real, coverage.missing))))

    async def references(self, sites: Sequence[Site], deadline: float) -> list[Hit]:
        everywhere = [site._replace(path=name) for site in sites for name in self._links.names(site.path)]
        return self._real(await self._server.references(everywhere, deadline))

    async def definitions(self, sites: Sequence[Site], deadline: float) -> list[list[Hit]]:
        async def ask(site: Site) -> list[Hit]:
            (hits,) = await self._server.definitions([site], deadline)
            return hits

        return [self._real(await self._first(site, ask, deadline)) for site in sites]

    async def describe(self, site: Site, deadline: float) -> Description | None:
        return await self._first(site, lambda one: self._server.describe(one, deadline), deadline)

    async def diagnostics(self, paths: Sequence[str], deadline: float) -> dict[str, list[Finding]]:
        """By the names that projects have of a file; what compilers report under several names is reported under the
        first."""
        named = {path: await self._in_projects(path, deadline) for path in paths}
        reported = await self._server.diagnostics([name for names in named.values() for name in names], deadline)
        found: dict[str, list[Finding]] = {}
        for names in named.values():
            known: set[Finding] = set()
            for name in names:
                found[name] = [one for one in reported[name] if one not in known]
                known.update(reported[name])
        return found

    def status(self) -> LanguageServerStatus:
        return self._server.status()

    async def warm(self) -> None:
        await self._server.warm()

    async def close(self) -> None:
        await self._server.close()

    def _real(self, hits: list[Hit]) -> list[Hit]:
        """As places of the files themselves, each once; it declares where it does so by one of its names."""
        if not self._links:
            return hits
        found = dict.fromkeys(hit._replace(path=self._links.real(hit.path)) for hit in hits)
        return [hit for hit in found if hit.definition or hit._replace(definition=True) not in found]

    async def _first(self, site: Site, ask: Callable[[Site], Awaitable[Answered]], deadline: float) -> Answered:
        """The answer at the first name that has one."""
        # Those first by which a project has it: without one, imports may lead elsewhere.
        listed = await self._in_projects(site.path, deadline)
        *names, last = [*listed, *(name for name in self._links.names(site.path) if name not in listed)]
        for name in names:
            if answer := await ask(site._replace(path=name)):
                return answer
        return await ask(site._replace(path=last))

    async def _in_projects(self, path: str, deadline: float) -> list[str]:
        """The names by which a project has a loaded file; where none has it, its real path."""
        names = self._links.names(path)
        if len(names) < 2:
            return names
        return [name for name in names if await self._server.project_of(name, deadline)] or names[:1]


def all_names(links: Links, paths: Iterable[str]) -> list[str]:
    return [name for path in paths for name in links.names(path)]


def by_all_names(links: Links, changes: Changes) -> Changes:
    """What a server is to be notified of: to it each name is a file."""
    return Changes(*(frozenset(all_names(links, paths)) for paths in changes)) if links else changes
