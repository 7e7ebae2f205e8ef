"""All uses of a symbol: load what could hold one, ask, and say what may be missing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import NamedTuple

from cn_daemon.application.by_names import ByNames
from cn_daemon.application.by_types import ByTypes
from cn_daemon.application.context import Context
from cn_daemon.application.locations import by_file
from cn_daemon.application.modules.exports import exports_default, is_own
from cn_daemon.application.modules.leads import KnownKeys, Leads
from cn_daemon.application.modules.modules import site_of
from cn_daemon.application.modules.reach import Reach, Ways, is_member
from cn_daemon.application.ports import Coverage, Hit, NamedSymbol, Site
from cn_daemon.application.symbols.pointing import identifier_at
from cn_daemon.application.symbols.resolve import Resolver
from cn_daemon.application.undecided import Undecided, mentions, nearest_projects
from cn_daemon.application.uses import untyped
from cn_daemon.application.uses.beyond import Beyond
from cn_daemon.application.uses.commonjs import Taken
from cn_daemon.application.uses.hits import MERGED, exclusions, is_assigned, is_imported, is_key, is_merged, overlap
from cn_daemon.application.uses.instances import Instances
from cn_daemon.application.uses.keyed import Keyed
from cn_daemon.application.uses.kin import Kin
from cn_daemon.application.uses.lax import Lax
from cn_daemon.application.uses.links import LinkCheck
from cn_daemon.application.uses.made import Made
from cn_daemon.application.uses.noted import Noted, doubt
from cn_daemon.application.uses.patterned import Patterns
from cn_daemon.application.uses.plain import PlainUses
from cn_daemon.application.uses.private import Private
from cn_daemon.application.uses.required import SIGNS, Required
from cn_daemon.application.uses.search import Search
from cn_daemon.application.uses.unknown_makers import UnknownMakers
from cn_daemon.application.uses.unread import Unread
from cn_daemon.application.uses.wholes import Wholes
from cn_daemon.application.verdicts import doubted, verdict
from cn_daemon.domain.declarations.outline import MEMBERS
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.source.components import is_component, may_have_props
from cn_daemon.domain.source.forms import form_of
from cn_daemon.domain.source.reading import DECLARATIONS, SCRIPTS
from cn_daemon.domain.source.text import Span
from cn_shared.errors import DeadlineError
from cn_shared.wire import Completeness

# As the bindings tell it of a place.
NOWHERE = "an import that leads nowhere"
# So many of these are asked for: one is enough.
_NOWHERE_ASKED = 20
LATE = "time ran out before every use was known; the language server goes on, ask again"


class Uses(NamedTuple):
    """hits: the references, declarations left out, unsorted. undecided: what else may be one, where time ran out or
    files could not be loaded. declared: where other files, or other blocks of a merged one, declare the symbol as well.
    """

    hits: list[Hit]
    completeness: Completeness
    undecided: Undecided | None = None
    declared: Sequence[Hit] = ()


class References:
    """For one question: shares its documents."""

    def __init__(self, leads: Leads, resolver: Resolver, context: Context, names: ByNames, types: ByTypes) -> None:
        self._context = context
        self._names = names
        self._types = types
        self._words, self._server, self._documents, self._deadline = context
        self._resolver = resolver
        self._leads = leads

    async def uses(self, symbol: Symbol, asked: Site | None) -> Uses:
        """All of them. The guard: an answer without the place that was asked at is not complete."""
        uses = await self._noted(symbol, asked)
        if asked is None or form_of(asked.path) is not None or self._is_in(asked, symbol, uses):
            return uses
        uses = uses._replace(hits=await self._told_there(asked, symbol, uses.hits))
        if self._is_in(asked, symbol, uses):
            return uses
        place = self._documents.place(asked.path, asked.position.line)
        return uses._replace(completeness=doubted(uses.completeness, f"{place} is not among the uses that were found"))

    async def _told_there(self, asked: Site, symbol: Symbol, hits: Sequence[Hit]) -> list[Hit]:
        """With what the server tells at the place itself: the declaration may be one that it does not know (a map leads
        there), or a whole module, of which the place has a name."""
        try:
            told = await self._server.references([asked], self._deadline)
        except DeadlineError:
            told = []
        here = (hit for hit in told if self._words.holds(hit.path))
        declared = {(one.path, one.position) for one in symbol.declarations}
        named = (hit for hit in here if (hit.path, hit.span.start) not in declared)
        own = [hit for hit in named if not hit.definition or hit.span.holds(asked.position)]
        return list({site_of(hit): hit for hit in (*hits, *own)}.values())

    def _is_in(self, asked: Site, symbol: Symbol, uses: Uses) -> bool:
        """Whether a place is in the answer; keywords need not be, nor what lies outside of the workspace."""
        spans = [one.name_span for one in symbol.declarations if one.path == asked.path]
        spans += [hit.span for hit in (*uses.hits, *uses.declared) if hit.path == asked.path]
        if any(span.holds(asked.position) for span in spans) or not self._words.holds(asked.path):
            return True
        document = self._documents.try_get(asked.path)
        return document is None or not (identifier_at(document, asked.position) or is_key(document, asked.position))

    async def _noted(self, symbol: Symbol, asked: Site | None) -> Uses:
        """Where names are not answered from bindings as they should be, the completeness says so."""
        found = await self._found(symbol, asked)
        missing = self._names.missing
        return found._replace(completeness=replace(found.completeness, note=missing)) if missing else found

    async def _found(self, symbol: Symbol, asked: Site | None) -> Uses:
        named = await self._names.uses(symbol, asked)
        if form_of(symbol.main.path) is not None:
            return await self._plain(symbol, asked, named)
        certain = named is not None and not named.doubts
        is_script = symbol.main.path.endswith(SCRIPTS)
        # Of what an object of a script has, names tell the uses through the module, and no other.
        member = symbol.main.kind in MEMBERS and (symbol.main.parent is not None or not is_script)
        open_ = not certain or (member and is_script)
        typed = await self._types.uses(symbol, named) if open_ or self._is_prop(symbol) else None
        if typed is not None:
            return self._of_types(symbol, asked, typed)
        if is_component(symbol.main.path):
            return self._of_component(symbol, asked, named)
        if named is not None and certain:
            holding = self._words.files_with(symbol.main.name)
            reach = Reach(self._words, self._documents, self._leads.steps)
            # What stands beside what a build wrote of it may be named by either.
            if not any(map(reach.is_written, holding)):
                declared = [hit for hit in self._further(named, symbol) if not self._is_assigned(hit)]
                hits = self._here(named, symbol, asked)
                return Uses(hits, verdict(Coverage(0, 0, []), len(holding)), declared=declared)
        return await self._asked(symbol, asked, named)

    def _is_prop(self, symbol: Symbol) -> bool:
        """Whether other components may know a variable of a component of Svelte by its name."""
        main = symbol.main
        document = self._documents.try_get(main.path) if main.path.endswith(".svelte") else None
        return document is not None and may_have_props(document.text)

    def _of_types(self, symbol: Symbol, asked: Site | None, typed: NamedSymbol) -> Uses:
        files = len(self._words.files_with(symbol.main.name))
        undecided = Undecided([doubt.hit for doubt in typed.doubts], 0) if typed.doubts else None
        declared = [hit for hit in self._further(typed, symbol) if not self._is_assigned(hit)]
        # What assigns a member that its class declares uses it.
        hits = [Hit(one.path, one.name_span) for one in symbol.declarations if one is not symbol.main]
        uses = typed._replace(uses=[*typed.uses, *filter(self._is_assigned, hits)])
        here = self._here(uses, symbol, asked)
        unread = Unread(self._words, self._documents).reason(symbol, {symbol.main.name}, (), here, bound=True)
        completeness = verdict(Coverage(0, 0, []), files, self._left(typed) or unread)
        return Uses(here, completeness, undecided, declared)

    def _of_component(self, symbol: Symbol, asked: Site | None, named: NamedSymbol | None) -> Uses:
        """Of what a component declares, where types do not tell it: names do, or nobody."""
        files = len(self._words.files_with(symbol.main.name))
        if named is None:
            name = symbol.main.name
            reason = f"the uses of {name} are decided by types, and those of components are not read"
            return Uses([], verdict(Coverage(0, 0, []), files, reason))
        undecided = Undecided([doubt.hit for doubt in named.doubts], 0) if named.doubts else None
        return Uses(self._here(named, symbol, asked), verdict(Coverage(0, 0, []), files, self._left(named)), undecided)

    def _left(self, named: NamedSymbol, path: Callable[[str], bool] = bool) -> str:
        """Why names leave something open in some files, or nothing."""
        left = [doubt for doubt in named.doubts if path(doubt.hit.path)]
        if not left:
            return ""
        at = site_of(left[0].hit)
        more = f" and {len(left) - 1} more" if len(left) > 1 else ""
        where = self._documents.place(at.path, at.position.line)
        if left[0].reason == NOWHERE:
            return f"{where} imports what leads nowhere{more} ({self._context.why_lost(at.path)})"
        return f"{left[0].reason} ({where}{more})"

    def _here(self, named: NamedSymbol, symbol: Symbol, asked: Site | None) -> list[Hit]:
        """The uses that are told in the workspace."""
        trees = self._trees(symbol, asked)
        further = self._further(named, symbol)
        hits = [*named.uses, *(hit for hit in further if self._is_assigned(hit))]
        paths = {hit.path for hit in hits}
        told = {path for path in paths if not self._built(path) and self._words.copy(path) in trees}
        return [hit for hit in hits if hit.path in told]

    def _further(self, named: NamedSymbol, symbol: Symbol) -> list[Hit]:
        """What declares it by names, beside the declarations that an outline has."""
        declared = {Site(one.path, one.position) for one in symbol.declarations}
        return [hit for hit in named.definitions if site_of(hit) not in declared]

    def _is_assigned(self, hit: Hit) -> bool:
        return is_assigned(self._documents.try_get(hit.path), hit.span)

    def _trees(self, symbol: Symbol, asked: Site | None) -> set[str]:
        """Another working tree has every use once more, and a server knows of those that it was asked about."""
        return {"", *(self._words.copy(site.path) for site in (symbol.main, asked) if site)}

    async def _asked(self, symbol: Symbol, asked: Site | None, named: NamedSymbol | None) -> Uses:
        """By the language server. named: what names tell of it; they leave something open."""
        self._leads.refresh()
        # Not one that is begun later: by an edit of which the server was not told before it is asked.
        known = self._leads.patterns
        reach = Reach(self._words, self._documents, self._leads.steps)
        search = Search(symbol, asked, self._context, reach)
        await self._narrow(search, asked)
        required: Collection[Site] = ()
        late = False
        try:
            await search.load()
            if symbol.is_module:
                wholes = Wholes(search, self._links().guide, self._context)
                reason, required = await wholes.gather(asked)
            else:
                reason, required = await self._compiled(search, reach, known, named is not None)
        except DeadlineError:
            late = True
            reason = self._late(search)
        hits = self._uses(search, asked, required, reach)
        unread = search.paths if late else search.coverage.missing
        undecided = None
        if named is not None:
            # What names tell for sure they tell of all files; of components the server knows nothing.
            hits = list({site_of(hit): hit for hit in [*hits, *self._here(named, symbol, asked)]}.values())
            reason = reason or self._left(named, is_component)
            doubted = [doubt.hit for doubt in named.doubts if unread or is_component(doubt.hit.path)]
            undecided = Undecided(doubted, 0) if doubted else None
            reason = reason or (await self._nowhere(named, search, hits) if not unread else "")
        elif unread:
            undecided = self._undecided(search, hits, unread)
        declared = self._merged(symbol, search.hits)
        return Uses(hits, verdict(search.coverage, len(search.paths), reason), undecided, declared)

    async def _plain(self, symbol: Symbol, asked: Site | None, named: NamedSymbol | None) -> Uses:
        """In other languages. named: as of `_asked`."""
        reach = Reach(self._words, self._documents, self._leads.steps)
        search = Search(symbol, asked, self._context, reach)
        plain = PlainUses(search, self._kin(symbol), self._names, self._context)
        unread: Collection[str] = ()
        try:
            reason = await plain.gather(named)
        except DeadlineError:
            unread, reason = search.paths, self._late(search)
        hits = self._uses(search, asked, (), reach)
        if unread := unread or search.coverage.missing:
            undecided = self._undecided(search, hits, unread)
        else:
            undecided = Undecided(plain.open, 0)
        completeness = verdict(search.coverage, len(search.paths), reason)
        return Uses(hits, completeness, undecided, self._merged(symbol, search.hits))

    def _late(self, search: Search) -> str:
        search.coverage = self._covered(search)
        return f"{LATE} ({search.coverage.reason})" if search.coverage.reason else LATE

    def _merged(self, symbol: Symbol, hits: Sequence[Hit]) -> list[Hit]:
        """The declarations that the compiler merges with those of the symbol."""
        main = symbol.main
        named: dict[Site, Hit] = {}
        for hit in hits if main.kind in MERGED else ():
            document = self._documents.try_get(hit.path)
            if document is None or not self._words.holds(hit.path) or document.at(hit.span) != main.name:
                continue
            known = [one.name_span for one in symbol.declarations if one.path == hit.path]
            if (hit.definition or is_merged(document, hit.span)) and not overlap(hit.span, known):
                named[site_of(hit)] = hit
        return list(named.values())

    async def _narrow(self, search: Search, asked: Site | None) -> None:
        """Not every project that holds the name of a member need be loaded: most cannot use it."""
        symbol = search.symbol
        projects = nearest_projects(search.paths, self._words.projects())
        if len(projects) > 1 and is_member(symbol) and form_of(symbol.main.path) is None and not symbol.is_module:
            search.paths.difference_update(await self._names.outside(symbol))
            search.paths.update(site.path for site in (*search.sites, *([asked] if asked else ())))

    async def _nowhere(self, named: NamedSymbol, search: Search, hits: Sequence[Hit]) -> str:
        """Why an import may mean the symbol that leads nowhere by names, nor by the server."""
        known = set(map(site_of, hits))
        open_ = [site_of(doubt.hit) for doubt in named.doubts if doubt.reason == NOWHERE]
        sites = [site for site in open_ if site not in known][:_NOWHERE_ASKED]
        for site, leads in zip(sites, await search.modules.all_definitions(sites), strict=True):
            if all(hit.path == site.path for hit in leads):
                where = self._documents.place(site.path, site.position.line)
                return f"{where} imports what leads nowhere ({self._context.why_lost(site.path)})"
        return ""

    def _covered(self, search: Search) -> Coverage:
        """How far the search has come when its time runs out: the server had none to tell it."""
        loaded = {project for path in search.paths if (project := self._server.project(path))}
        wanted = nearest_projects(search.paths, self._words.projects())
        return search.coverage._replace(projects_loaded=len(loaded), projects_total=len(wanted | loaded) or 1)

    def _undecided(self, search: Search, hits: Sequence[Hit], unread: Collection[str]) -> Undecided:
        known = {site_of(hit) for hit in hits}
        declared = {Site(one.path, one.name_span.start) for one in search.symbol.declarations}
        paths = {path for path in unread if self._words.holds(path)}
        return mentions(search.names, paths, self._documents, known | declared, self._deadline)

    async def _compiled(
        self, search: Search, reach: Reach, known: KnownKeys, bound: bool
    ) -> tuple[str, Collection[Site]]:
        """In TypeScript and JavaScript. Why some may be missing, and the hits that are uses although they declare.
        bound: whether names tell the uses in components."""
        symbol, modules, programs = search.symbol, search.modules, search.programs
        await search.follow()
        own = is_own(symbol, self._documents.try_get(symbol.main.path), search.names)
        if not own:
            await search.in_own_projects()
        silent = set() if own else search.silent
        links = self._links()
        led = await links.check(symbol, search.names, silent, () if own else search.paths)
        if links.guide.loaded_more:
            search.programs.forget()
        if led.twins:
            search.sites += led.twins
            await search.follow()
        if not own:
            # Behind the twins: an import of what was built is a definition to the server that is asked there.
            await search.from_importers()
            await search.strictly(Lax(self._context, reach, self._leads))
            silent &= search.silent
        used = any(not hit.definition for hit in search.hits)
        odd = (
            ""
            if used or bound
            else await anext((one.path async for one in modules.importers(symbol, search.paths)), "")
        )
        above = await search.through_kin(self._kin(symbol), links)
        await search.beyond(Beyond(self._resolver.declared, self._kin, self._context))
        search.hits = await Keyed(symbol, self._context, modules, programs).meant(search.hits)
        taken = Taken(symbol, self._documents, modules)
        await search.through_scripts(taken)
        await Noted(symbol, taken, self._documents, modules).look(search.hits, search.names, search.paths)
        search.hits = hits = taken.among(search.hits)
        paths = sorted(search.paths)
        reason = search.coverage.reason or led.reason or above
        reason = reason or await programs.unread(search.names, silent) or taken.doubt
        reason = reason or doubt(symbol, self._documents)
        ways = Ways(reach, symbol, self._documents, lambda: search.paths)
        near = ways.open
        for look in (Made, Instances, Private, UnknownMakers):
            untold = look(symbol, self._documents, modules)
            await untold.look(hits, filter(near, paths))
            hits, reason = [*hits, *untold.uses], reason or untold.doubt
        required = Required(symbol, self._documents, modules, reach)
        holding = {path for sign in SIGNS for path in search.paths.intersection(self._words.files_with(sign))}
        await required.look(hits, holding)
        hits = [*hits, *required.uses]
        patterns = await Patterns(symbol, self._documents, modules, self._server, known).taken(hits, paths, near)
        search.hits = hits = [*hits, *patterns.uses]
        reason = (
            reason
            or patterns.doubt
            or await untyped.doubt(search, reach, ways, self._context)
            or self._unread(search, bound)
        )
        if odd and not reason and all(hit.definition for hit in hits):
            reason = f"{self._documents.place(odd)} imports {symbol.main.name}: the language server knows no use"
        return reason, taken.uses

    def _unread(self, search: Search, bound: bool) -> str:
        symbol = search.symbol
        path = symbol.main.path
        document = self._documents.try_get(path)
        default = document is not None and symbol.main.parent is None and exports_default(document, search.names)
        importers = search.candidates.importers(path) if default else set()
        unread = Unread(self._words, self._documents)
        return unread.reason(symbol, search.names, importers, search.hits, bound=bound)

    def _links(self) -> LinkCheck:
        return LinkCheck(self._leads, self._context)

    def _kin(self, symbol: Symbol) -> Kin:
        return Kin(symbol, self._resolver, self._context)

    def _uses(self, search: Search, asked: Site | None, required: Collection[Site], reach: Reach) -> list[Hit]:
        """The hits that declare nothing, in files of the workspace."""
        symbol = search.symbol
        trees = self._trees(symbol, asked)
        declared: dict[str, list[Span]] = {}
        for one in symbol.declarations:
            declared.setdefault(one.path, []).append(one.name_span)
        excluded = exclusions(symbol)
        from_sources = not reach.is_written(symbol.main.path)
        uses: list[Hit] = []
        for path, here in by_file(search.hits).items():
            if self._built(path) or self._words.copy(path) not in trees or (from_sources and reach.is_written(path)):
                continue
            if spans := declared.get(path):
                here = [one for one in here if not overlap(one.span, spans) or site_of(one) in required]
            document = self._documents.try_get(path)
            if document is not None:
                for is_no_use in excluded:
                    here = [one for one in here if not is_no_use(document, one.span)]
            if document is not None and any(one.path == path and one.parent is None for one in symbol.declarations):
                here = [one for one in here if not is_imported(document, one.span) or site_of(one) in required]
            uses += [
                hit for hit in here if not hit.definition or site_of(hit) in required or is_assigned(document, hit.span)
            ]
        return uses

    def _built(self, path: str) -> bool:
        """Whether a file is a package's, or declarations that a build wrote: no source of the workspace."""
        return "/node_modules/" in path or (path.endswith(DECLARATIONS) and not self._words.holds(path))
