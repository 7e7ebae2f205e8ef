"""One search for the uses of a symbol: where it has been asked, and what was found."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from operator import itemgetter

from cn_daemon.application.context import Context
from cn_daemon.application.modules.modules import Modules, site_of
from cn_daemon.application.modules.reach import Reach, is_member
from cn_daemon.application.ports import Coverage, Hit, Site
from cn_daemon.application.uses.beyond import Beyond
from cn_daemon.application.uses.candidates import Candidates
from cn_daemon.application.uses.commonjs import Taken
from cn_daemon.application.uses.kin import Kin
from cn_daemon.application.uses.lax import Lax
from cn_daemon.application.uses.links import LinkCheck
from cn_daemon.application.uses.mapped import Mapped
from cn_daemon.application.uses.programs import Programs
from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.declarations.symbols import Symbol

_COMPUTED = re.compile(r"\[\s*(?:['\"`]|(?=\d))")


class Search:
    """sites: where the symbol is declared. names: its own, and those that exports give it. paths: the files that could
    use it under one of them; coverage: how far these are loaded. hits: what was found in them.
    """

    def __init__(
        self,
        symbol: Symbol,
        asked: Site | None,
        context: Context,
        reach: Reach,
    ) -> None:
        self._words, self._server, self._documents, self._deadline = context
        self.symbol = symbol
        self.candidates = Candidates(self._words, self._server, self._documents)
        self.modules = Modules(context)
        self.programs = Programs(symbol, context, self.modules, self.candidates, reach)
        self.sites = list(dict.fromkeys(map(self._site, symbol.declarations)))
        # A constructor is called by the name of its class, which imports and exports hand on.
        main = symbol.main
        made = main.parent if main.kind == "Constructor" else None
        self._made = [Site(made.path, made.position)] if made else []
        name = (made or main).name.lstrip("#")
        self.names = {name}
        self.paths = {site.path for site in (*self.sites, *([asked] if asked else ()))}
        self.paths |= self.candidates.holding(name)
        self.coverage = Coverage(0, 1, [])
        self.hits: list[Hit] = []
        self._mapped = Mapped(symbol, context, self.modules)
        # Why the files' own projects are not all loaded, or nothing.
        self._unloaded = ""

    def _site(self, declared: Declaration) -> Site:
        """Where servers know it: a computed name `["a"]` behind its bracket."""
        document = self._documents.try_get(declared.path)
        name = document.at(declared.name_span) if document is not None else ""
        found = _COMPUTED.match(name)
        start = declared.position
        return Site(declared.path, start._replace(character=start.character + found.end()) if found else start)

    @property
    def silent(self) -> set[str]:
        """The files that could use it, and seem not to."""
        return self.paths - {hit.path for hit in self.hits}

    async def load(self) -> None:
        coverage = await self._server.load(self.paths, self._deadline)
        self.coverage = coverage._replace(reason=coverage.reason or self._unloaded)

    async def widen(self, paths: Collection[str]) -> bool:
        """Load these files too; whether there are new ones among them."""
        if self.paths.issuperset(paths):
            return False
        self.paths.update(paths)
        await self.load()
        self.programs.forget()
        return True

    async def follow(self, *further: Site) -> None:
        """Ask, there too, until no export leads to further files: those need not hold the symbol's own name."""
        while True:
            known = len(self.names)
            told = await self.programs.uses([*self.sites, *further], self.names, self.paths)
            self.hits = await self._mapped.meant(told, self.names, self.sites)
            named = await self.programs.references(self._made) if self._made else self.hits
            wanted = self.candidates.further(named, self.names)
            others = self.programs.other_names - self.names
            self.names |= others
            wider = await self.widen(wanted.union(*map(self.candidates.holding, others)))
            if not wider and (len(self.names) == known or not self.programs.by_name):
                return

    async def in_own_projects(self) -> None:
        """A project that merely holds a file may know nothing of the types or globals that its own has. That of the
        declaration may read files that are not listed, since git ignores them."""
        apart = self.silent | {site.path for site in self.sites}
        if apart:
            before = self.coverage.projects_loaded
            self._unloaded = (await self._server.load(apart, self._deadline, own=True)).reason
            await self.load()
            if self.coverage.projects_loaded > before:
                self.programs.forget()
                await self.follow()

    async def from_importers(self) -> None:
        """Of some imports the native server knows only where it is asked there."""
        sites = [site async for site in self.modules.importers(self.symbol, self.silent)]
        if sites:
            await self.follow(*sites)
            # What leads nowhere is its own definition there.
            self.hits = [hit._replace(definition=hit.definition and site_of(hit) not in sites) for hit in self.hits]

    async def strictly(self, lax: Lax) -> None:
        """A member in projects that know less of types than files outside of them."""
        if is_member(self.symbol) and await self.widen(await lax.readers(self.names, self.hits, self.paths)):
            await self.follow()

    async def through_kin(self, kin: Kin, links: LinkCheck) -> str:
        """The uses of what a member overrides or implements in projects that do not hold the member. Why some may be
        missing, or nothing.

        Where one project holds all, these are hits as well. tsserver goes on into no other one, TypeScript 7 once into
        each; neither goes on from what a build wrote of these to the sources, nor back.
        """
        main, owner_of = self.symbol.main, self._words.packages().owner
        if not is_member(self.symbol) or main.static:
            return ""
        own = f"{owner_of(main.path) or ''}/"
        apart = any(not self._server.together(main.path, one) for one in self.silent)
        # What was built of a package may stand between it and others, in one project too.
        if not apart and all(one.startswith(own) for one in self.silent):
            return ""
        await kin.gather()
        known = {site_of(hit): hit for hit in self.hits}
        asked = {site_of(hit) for hit in self.hits if hit.path == main.path}
        reason = ""
        for site, base in sorted(kin.above.items(), key=itemgetter(0)):
            # A library's members are everybody's: their uses elsewhere tell nothing of this one.
            owner = owner_of(site.path)
            if base.static or not (owner is not None or self._words.holds(site.path)):
                continue
            led = links.held(Symbol((base,)), self.silent)
            reason = reason or led.reason
            if not led.twins and (not apart or (site not in known and owner == owner_of(main.path))):
                # What no build stands between was asked about already.
                continue
            if not asked.issuperset([site, *led.twins]):
                more = await self._told_at([site, *led.twins])
                asked.update(site_of(hit) for hit in more if hit.definition)
                known = {site_of(hit): hit._replace(definition=False) for hit in more} | known
        self.hits = list(known.values())
        return reason

    async def beyond(self, beyond: Beyond) -> None:
        """The uses of an optional member beyond the classes that do not declare it."""
        known = {site_of(hit): hit for hit in self.hits}
        while sites := await beyond.further(self.symbol, known):
            more = await self._told_at(sites)
            known = {site_of(hit): hit._replace(definition=False) for hit in more} | known
        self.hits = list(known.values())

    async def _told_at(self, sites: Sequence[Site]) -> list[Hit]:
        """What is told at these as well, whatever they declare."""
        return await self._mapped.meant(await self.programs.references(sites), self.names, self.sites)

    async def through_scripts(self, taken: Taken) -> None:
        """What else files take of scripts, until no script gives the symbol to further files."""
        followed: set[Site] = set()
        while True:
            taken.add(self.hits)
            await taken.look(self.paths, self.names)
            self.names.update(one.name for one in taken.exported if one.name)
            wider = await self.widen(self.candidates.takers(taken.exported))
            fresh = [site for site in taken.follow if site not in followed]
            followed.update(fresh)
            if not fresh and not wider:
                await taken.own(self.hits)
                return
            before = self.hits
            await self.follow(*fresh)
            self.hits = list({site_of(hit): hit for hit in [*self.hits, *before]}.values())
