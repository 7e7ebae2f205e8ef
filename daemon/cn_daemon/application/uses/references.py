"""All uses of a symbol, and what may be missing: by what names and types tell, or by a language server."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import NamedTuple

from cn_daemon.application.by_names import ByNames
from cn_daemon.application.by_types import ByTypes
from cn_daemon.application.context import Context
from cn_daemon.application.explained import count_engine
from cn_daemon.application.locations import by_file
from cn_daemon.application.ports import Coverage, Doubt, Hit, NamedSymbol, Site, Types, reads, site_of
from cn_daemon.application.symbols.pointing import identifier_at
from cn_daemon.application.symbols.resolve import Resolver
from cn_daemon.application.undecided import Undecided, mentions, nearest_projects
from cn_daemon.application.uses.doubts import unnamed
from cn_daemon.application.uses.hits import MERGED, is_assigned, is_key, is_merged, overlap
from cn_daemon.application.uses.overrides import OverrideHierarchy
from cn_daemon.application.uses.search import Search
from cn_daemon.application.uses.server_uses import ServerUses
from cn_daemon.domain.declarations.outline import MEMBERS
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.source.components import is_component, may_have_props
from cn_daemon.domain.source.forms import form_of
from cn_daemon.domain.source.reading import DECLARATIONS, SCRIPTS, SourceText
from cn_daemon.domain.source.text import Position, Span, utf16_length
from cn_shared.errors import DeadlineError
from cn_shared.wire import Completeness

# As the bindings tell it of a place.
NOWHERE = "an import that leads nowhere"
LATE = "time ran out before every use was known; the language server goes on, ask again"
_DESCRIBED = "scripts that may be what is described here"
_DESCRIBING = "declarations that may stand for the sources"
# An object that is a variable's value, behind its name.
_OBJECT = re.compile(r"=\s*(?:Object\.freeze\(\s*)?\(?\s*\{")
# A key in brackets that is no string and no number, and not only written to; named: of `[a.b]` b.
_COMPUTED = re.compile(
    r"\s{0,9}!?(?:\?\.)?\[\s{0,9}(?!['\"\d]|`[^`$]{0,99}`\s{0,9}\])(?![^\[\]]{0,99}\]\s{0,9}=(?![=>]))"
    r"(?:(?:[\w$]{1,99}\.){0,9}(?P<named>[\w$]{1,99})\s{0,9}\]|)"
)
_QUOTES = ('"', "'", "`")
# What a constant or a member of an enum is worth.
_VALUE = re.compile(r"\s{0,9}(?::[^=\n]{0,99})?=\s{0,9}(?P<quote>['\"`])(?P<text>[^'\"`$\n]*)(?P=quote)")
_VARYING = re.compile(r"\b(?:let|var)\s+$")
_ALONE = "only the language server was asked: what it passes over may be a use"


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

    def __init__(self, resolver: Resolver, context: Context, names: ByNames, types: Types | None) -> None:
        """types: what answers for members; None where nothing does."""
        self._context = context
        self._names = names
        self._types_asked = types
        self._words, self._server, self._documents, self._deadline = context
        self._resolver = resolver

    @cached_property
    def _types(self) -> ByTypes:
        return ByTypes(self._types_asked, self._context)

    async def uses(self, symbol: Symbol, origin: Site | None) -> Uses:
        """All of them. The guard: an answer without the place that was asked at is not complete. Where names are not
        answered from bindings as they should be, the completeness says so."""
        uses = await self._found(symbol, origin)
        if self._names.missing:
            uses = uses._replace(completeness=replace(uses.completeness, note=self._names.missing))
        if origin is None or form_of(origin.path) is not None or await self._is_in(origin, symbol, uses):
            return uses
        place = self._documents.place(origin.path, origin.position.line)
        return uses._replace(completeness=uses.completeness.doubted(f"{place} is not among the uses that were found"))

    async def undeclared(self, site: Site) -> list[Hit]:
        """The places that mean the same as one at which stands a name that nothing is known to declare."""
        document = self._documents.get(site.path)
        word = await identifier_at(self._server, document, site.position, self._deadline)
        if not word or form_of(site.path) is not None:
            return []
        if found := await self._names.undeclared(site):
            return found
        if not document.line(site.position.line)[: document.index(site.position)].rstrip().endswith("."):
            return []
        end = site.position._replace(character=site.position.character + utf16_length(word))
        found = await self._types.undeclared(word, site)
        return [Hit(site.path, Span(site.position, end)), *found] if found else []

    async def _is_in(self, origin: Site, symbol: Symbol, uses: Uses) -> bool:
        """Whether a place is in the answer; keywords need not be, nor what is installed."""
        spans = [one.name_span for one in symbol.declarations if one.path == origin.path]
        spans += [hit.span for hit in (*uses.hits, *uses.declared) if hit.path == origin.path]
        document = self._documents.try_get(origin.path)
        line, character = origin.position
        # What is quoted may be asked for at its quote.
        is_quote = document is not None and document.line(line)[document.index(origin.position) :].startswith(_QUOTES)
        places = [origin.position, Position(line, character + 1)][: 1 + is_quote]
        if any(span.holds(one) for span in spans for one in places) or "/node_modules/" in origin.path:
            return True
        if document is None or is_key(document, origin.position):
            return document is None
        return not await identifier_at(self._server, document, origin.position, self._deadline)

    async def _found(self, symbol: Symbol, origin: Site | None) -> Uses:
        named = await self._names.uses(symbol, origin)
        if named is not None:
            count_engine(
                "bindings" if form_of(symbol.main.path) is None else "names", len(named.uses), len(named.doubts)
            )
        if form_of(symbol.main.path) is not None:
            return await self._of_other_language(symbol, origin, named)
        if named is not None and not named.definitions and not symbol.is_module:
            named = await self._names.all_of(named, partial(self._types.is_it, symbol))
        if (symbol.main.kind, symbol.main.name) == ("Namespace", "global"):
            # `declare global { … }` names nothing.
            return await self._decided(symbol, origin, NamedSymbol(True, [], [], []))
        # Of what an object of a script has, names tell the uses through the module, and no other.
        of_object = symbol.main.kind in MEMBERS and symbol.main.path.endswith(SCRIPTS)
        if named is None or named.doubts or of_object or self._is_prop(symbol):
            typed = await self._types.uses(symbol, named)
            if typed is not None:
                count_engine("types", len(typed.uses), len(typed.doubts))
            found = typed or named
        else:
            found = named
        if found is not None:
            return await self._decided(symbol, origin, found)
        reason = ""
        if is_component(symbol.main.path):
            reason = f"the uses of {symbol.main.name} are decided by types, and those of components are not read"
        if symbol.main.name.startswith("["):
            reason = f"{symbol.main.name} is a name that is worked out when the program runs"
        if reason:
            return Uses([], Coverage().verdict(len(self._words.files_with(symbol.main.name)), reason))
        return await self._by_server(symbol, origin)

    def _is_prop(self, symbol: Symbol) -> bool:
        """Whether other components may give a variable of a component a value, by a name."""
        main = symbol.main
        if not main.path.endswith((".svelte", ".vue")) or main.position == Position(1, 1):  # the component itself
            return False
        document = self._documents.try_get(main.path)
        if document is None or main.path.endswith(".svelte"):
            return document is not None and may_have_props(document.text)
        return "defineModel" in document.once(SourceText).cut(main.statement or main.span)

    async def _decided(self, symbol: Symbol, origin: Site | None, found: NamedSymbol) -> Uses:
        """By names, or by types."""
        if symbol.main.kind in MEMBERS:
            templates = await self._types.in_templates(symbol)
            unread = [*await self._types.embedded(symbol), *templates.doubts]
            unread += await self._by_computed_key(symbol, found)
            exported = await self._names.exported(found.uses)
            uses = {site_of(hit): hit for hit in (*exported.uses, *found.uses, *templates.uses)}
            found = found._replace(uses=list(uses.values()), doubts=[*found.doubts, *unread, *exported.doubts])
        if symbol.main.path.endswith((*DECLARATIONS, *SCRIPTS)):
            found = found._replace(doubts=[*found.doubts, *await self._described(symbol, found)])
        known = set(map(site_of, (*found.uses, *found.definitions)))
        doubts: dict[Site, Doubt] = {}
        for one in found.doubts:
            if site_of(one.hit) not in known:
                doubts.setdefault(site_of(one.hit), one)
        found = found._replace(doubts=list(doubts.values()))
        undecided = Undecided([doubt.hit for doubt in found.doubts], 0) if found.doubts else None
        declared = [hit for hit in self._further(found, symbol) if not self._is_assigned(hit)]
        if symbol.main.kind in MEMBERS:
            # What assigns a member that its class declares uses it.
            hits = [Hit(one.path, one.name_span) for one in symbol.declarations if one is not symbol.main]
            found = found._replace(uses=[*found.uses, *filter(self._is_assigned, hits)])
        here = self._here(found, symbol, origin)
        reason = self._left(found) or self._unnamed(symbol)
        files = len(self._words.files_with(symbol.main.name))
        return Uses(here, Coverage().verdict(files, reason), undecided, declared)

    async def _described(self, symbol: Symbol, found: NamedSymbol) -> list[Doubt]:
        """Of a script's symbol the uses of what declarations of its package may describe as it, and the other way
        round, but for those that are listed as the symbol's."""
        left: list[Doubt] = []
        known = {site_of(hit) for hit in (*found.uses, *found.definitions, *(one.hit for one in found.doubts))}
        for one in await self._resolver.described(symbol):
            reason = _DESCRIBING if one.path.endswith(DECLARATIONS) else _DESCRIBED
            other = Symbol((one,))
            named = None if one.kind in MEMBERS else await self._names.uses(other, None)
            uses = named or await self._types.uses(other, None)
            own = Hit(one.path, one.name_span)
            mentions = [own] if uses is None else [*uses.uses, *(doubt.hit for doubt in uses.doubts)]
            left += [Doubt(hit, reason) for hit in mentions if site_of(hit) not in known]
        return left

    async def _by_computed_key(self, symbol: Symbol, found: NamedSymbol) -> list[Doubt]:
        """Where the object of a key is read by a key that is worked out: `table[name]()` may read any."""
        main, parent = symbol.main, symbol.main.parent
        document = self._documents.try_get(main.path)
        if document is None or parent is None or parent.kind not in ("Constant", "Variable"):
            return []
        text = document.once(SourceText)
        if _OBJECT.search(text.cut(Span(parent.name_span.end, main.position))) is None:
            return []
        held = await self._names.uses(Symbol((parent,)), None)
        reason = f"the object of {main.name} is read by a computed key"
        return [
            Doubt(hit, reason)
            for hit in (held.uses if held is not None else ())
            if await self._may_read(hit, main.name)
        ]

    async def _may_read(self, hit: Hit, name: str) -> bool:
        """Whether an object is read there by a key that may be of that name."""
        read = self._documents.get(hit.path).once(SourceText)
        key = _COMPUTED.match(read.text, read.offset(hit.span.end))
        if key is None or key["named"] is None:
            return key is not None
        # A constant with a known value is that.
        for declared in await self._names.symbols_at(Site(hit.path, read.position(key.start("named")))) or ():
            text = self._documents.get(declared.path).once(SourceText)
            before = text.text[: text.offset(declared.span.start)][-20:]
            value = _VALUE.match(text.text, text.offset(declared.span.end))
            if value is not None and not _VARYING.search(before):
                return value["text"] == name
        return True

    def _unnamed(self, symbol: Symbol) -> str:
        """Why a member that the language itself calls, `[Symbol.iterator]`, has more uses than are listed; or
        nothing."""
        return unnamed(symbol.main.name) if symbol.main.name.startswith("[Symbol.") else ""

    def _left(self, found: NamedSymbol) -> str:
        """Why something is left open, or nothing."""
        if not found.doubts:
            return ""
        first = found.doubts[0]
        at = site_of(first.hit)
        more = f" and {len(found.doubts) - 1} more" if len(found.doubts) > 1 else ""
        where = self._documents.place(at.path, at.position.line)
        if first.reason == NOWHERE:
            return f"{where} imports what leads nowhere{more} ({self._context.why_lost(at.path)})"
        return f"{first.reason} ({where}{more})"

    def _here(self, named: NamedSymbol, symbol: Symbol, origin: Site | None) -> list[Hit]:
        """The uses that are shown in the workspace."""
        further = self._further(named, symbol)
        hits = [*named.uses, *(hit for hit in further if self._is_assigned(hit))]
        trees = self._trees(symbol, origin)
        paths = {hit.path for hit in hits}
        shown_paths = {path for path in paths if not self._built(path) and self._words.copy(path) in trees}
        return [hit for hit in hits if hit.path in shown_paths]

    def _further(self, named: NamedSymbol, symbol: Symbol) -> list[Hit]:
        """What declares it by names, beside the declarations that an outline has."""
        declared = {Site(one.path, one.position) for one in symbol.declarations}
        return [hit for hit in named.definitions if site_of(hit) not in declared]

    def _is_assigned(self, hit: Hit) -> bool:
        return is_assigned(self._documents.try_get(hit.path), hit.span)

    def _trees(self, symbol: Symbol, origin: Site | None) -> set[str]:
        """Another working tree has every use once more."""
        return {"", *(self._words.copy(site.path) for site in (symbol.main, origin) if site)}

    async def _by_server(self, symbol: Symbol, origin: Site | None) -> Uses:
        """What TypeScript's server tells, where nothing else answers; any other mention of the name may be a use."""
        sites = [Site(one.path, one.position) for one in symbol.declarations]
        paths = {path for path in self._words.files_with(symbol.main.name) if reads(self._server, path)}
        paths |= {site.path for site in (*sites, *([origin] if origin else ()))}
        coverage = Coverage(0, len(nearest_projects(paths, self._words.projects())) or 1, [])
        found: list[Hit] = []
        reason = ""
        try:
            coverage = await self._server.load(self._one_of_each(paths, sites), self._deadline)
            found = await self._server.references(sites, self._deadline)
        except DeadlineError:
            reason = LATE
        undecided = mentions({symbol.main.name}, paths, self._documents, {*sites, *map(site_of, found)}, self._deadline)
        is_open = bool(undecided.hits or undecided.unread)
        hits = self._uses(symbol, [hit for hit in found if not hit.definition], origin)
        count_engine(self._server.name, len(hits), len(undecided.hits))
        # Comments of scripts name types; without names nobody knows what goes on under another one.
        alone = is_open or self._names.missing or not self._names.tells or any(one.endswith(SCRIPTS) for one in paths)
        completeness = coverage.verdict(len(paths), reason or coverage.reason or (_ALONE if alone else ""))
        return Uses(hits, completeness, undecided if is_open else None, self._merged(symbol, found))

    def _one_of_each(self, paths: Collection[str], sites: Sequence[Site]) -> set[str]:
        """What brings the projects in that may use a symbol: where it is declared, and of other files one below each
        tsconfig, and all below none."""
        projects = self._words.projects()
        wanted = {site.path for site in sites}
        known = nearest_projects({path for path in wanted if "/node_modules/" not in path}, projects)
        for path in sorted(set(paths) - wanted):
            config = "".join(nearest_projects({path}, projects))
            if not config or config not in known:
                wanted.add(path)
            known.add(config)
        return wanted

    async def _of_other_language(self, symbol: Symbol, origin: Site | None, named: NamedSymbol | None) -> Uses:
        """In other languages. named: what names tell of it; they may leave something open."""
        search = Search(symbol, origin, self._context)
        further = ServerUses(
            search, OverrideHierarchy(symbol, self._resolver, self._context), self._names, self._context
        )
        unread: Collection[str] = ()
        try:
            reason = await further.gather(named)
        except DeadlineError:
            reason = f"{LATE} ({search.coverage.reason})" if search.coverage.reason else LATE
            unread = search.paths
        hits = self._uses(symbol, [hit for hit in search.hits if not hit.definition], origin)
        if unread := unread or search.coverage.missing:
            undecided = self._undecided(search, hits, unread)
        else:
            undecided = Undecided(further.open, 0)
        if search.coverage.projects_loaded:
            count_engine(self._server.name, len(hits), len(undecided.hits))
        completeness = search.coverage.verdict(len(search.paths), reason)
        return Uses(hits, completeness, undecided, self._merged(symbol, search.hits))

    def _merged(self, symbol: Symbol, hits: Sequence[Hit]) -> list[Hit]:
        """The declarations that a compiler merges with those of the symbol."""
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

    def _undecided(self, search: Search, hits: Sequence[Hit], unread: Collection[str]) -> Undecided:
        known = {site_of(hit) for hit in hits}
        declared = {Site(one.path, one.name_span.start) for one in search.symbol.declarations}
        paths = {path for path in unread if self._words.holds(path)}
        return mentions(search.names, paths, self._documents, known | declared, self._deadline)

    def _uses(self, symbol: Symbol, hits: Sequence[Hit], origin: Site | None) -> list[Hit]:
        """The hits that are no declarations of it, in files of the workspace."""
        trees = self._trees(symbol, origin)
        declared: dict[str, list[Span]] = {}
        for one in symbol.declarations:
            declared.setdefault(one.path, []).append(one.name_span)
        uses: list[Hit] = []
        for path, here in by_file(hits).items():
            document = self._documents.try_get(path)
            if self._built(path) or self._words.copy(path) not in trees:
                continue
            uses += [
                hit
                for hit in here
                if not overlap(hit.span, declared.get(path, ()))
                and not (symbol.main.kind in MERGED and document is not None and is_merged(document, hit.span))
            ]
        return uses

    def _built(self, path: str) -> bool:
        """Whether a file is a package's, or declarations that a build wrote: no source of the workspace."""
        return "/node_modules/" in path or (path.endswith(DECLARATIONS) and not self._words.holds(path))
