"""The uses of a symbol in languages without exports under other names: what names tell; or what the server tells, and
what it passed over."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from cn_daemon.application.by_names import ByNames
from cn_daemon.application.context import Context
from cn_daemon.application.ports import Coverage, Hit, NamedSymbol, Site, site_of
from cn_daemon.application.uses.class_hierarchy import ClassHierarchy
from cn_daemon.application.uses.doubts import Doubts
from cn_daemon.application.uses.fixtures import Fixtures
from cn_daemon.application.uses.homonyms import Homonyms
from cn_daemon.application.uses.overlays import Overlays
from cn_daemon.application.uses.overrides import OverrideHierarchy
from cn_daemon.application.uses.python import PythonUses
from cn_daemon.application.uses.receivers import Receivers
from cn_daemon.application.uses.search import Search
from cn_daemon.domain.declarations.outline import Declaration, flatten
from cn_daemon.domain.mentions.python_accesses import PythonAccesses
from cn_daemon.domain.mentions.python_types import PythonTypes
from cn_daemon.domain.python_modules import ENDINGS
from cn_daemon.domain.source.forms import form_of
from cn_daemon.domain.source.reading import SourceText

# What every named tuple has.
_OF_TUPLES = frozenset({"_asdict", "_fields", "_field_defaults", "_make", "_replace"})


class ServerUses:
    """For one question: shares its documents. open: the places that may be uses, once they are gathered."""

    def __init__(self, search: Search, hierarchy: OverrideHierarchy, names: ByNames, context: Context) -> None:
        self.open: list[Hit] = []
        self._context = context
        self._words, self._server, self._documents, self._deadline = context
        self._search = search
        self._hierarchy = hierarchy
        self._names = names
        path = search.symbol.main.path
        self._homonyms = Homonyms(path, self._words, self._documents) if path.endswith(ENDINGS) else None
        self._classes = ClassHierarchy(search.symbol, hierarchy, context)
        self._doubts = Doubts(search.symbol, hierarchy, context, self._classes, self._homonyms)

    async def gather(self, named: NamedSymbol | None) -> str:
        """Into the search. named: what names tell of the symbol. Why some may be missing, or nothing."""
        search = self._search
        if named is not None:
            search.coverage = Coverage()
            hits = [*named.uses, *await self._doubts.decided(named.doubts)]
            unknown, declaring = "", {hit.path for hit in named.definitions}
        else:
            await search.load()
            hits, unknown = await self._by_server()
            declaring = {hit.path for hit in hits}
        search.hits = await self._without_declarations(hits, declaring)
        if self._homonyms is not None:
            fixtures = Fixtures(self._context)
            receivers = Receivers(self._context, fixtures)
            beside = PythonUses(search.symbol, self._doubts, self._homonyms, receivers, self._names, self._context)
            if named is None:
                await beside.gather(self._doubts.names, search.paths, search.hits)
                if search.symbol.main.containers:
                    narrowed = await self._narrowed(receivers, fixtures)
                    search.hits += [hit for hit in narrowed if self._is_use(hit, declared=False)]
            beside.around(self._doubts.names)
            known = set(map(site_of, hits))
            search.hits += [hit for hit in beside.uses if site_of(hit) not in known]
        self._doubts.in_scripts()
        self.open = self._doubts.open
        # What is in doubt is no use, though the server tells it as one.
        open_ = set(map(site_of, self.open))
        search.hits = [hit for hit in search.hits if site_of(hit) not in open_]
        return search.coverage.reason or self._doubts.reason or unknown

    async def _narrowed(self, receivers: Receivers, fixtures: Fixtures) -> list[Hit]:
        """The uses among the doubts, which are fewer then."""
        doubts = self._doubts
        parents = (site.path for site in self._hierarchy.types)
        derived = self._hierarchy.open or any(not self._words.holds(one) and "/stdlib/" not in one for one in parents)
        doubts.drop([hit for hit in doubts.open if receivers.is_foreign(hit, derived=derived)])
        overlays = Overlays(self._context, fixtures)
        found = await doubts.settle(await overlays.definitions(doubts.open))
        found += await doubts.settle(overlays.possible, only_uses=True)
        types = overlays.types
        classes = self._classes
        with_types = [(one, types.get(one, ())) for one in doubts.open]
        below = [one for one, kinds in with_types if classes.is_alone_below(kinds) or classes.is_in_stub(kinds)]
        below += [one for one in overlays.own if one in doubts.open and all(map(self._classes.is_inside, types[one]))]
        doubts.drop(below)
        doubts.drop([one for one in doubts.open if self._classes.is_none_of(types.get(one, ()), receivers.is_home)])
        doubts.drop([one for one in overlays.above if self._classes.is_behind(types.get(one, ()))])
        fields = [one for one in doubts.open if self._is_field(one)]
        doubts.drop(fields)
        self._narrowed_by_text()
        return [*found, *below, *fields, *await self._private()]

    def _is_field(self, hit: Hit) -> bool:
        """Whether an argument is named there that gives an object the symbol."""
        document = self._documents.try_get(hit.path) if hit.path.endswith(ENDINGS) else None
        if document is None:
            return False
        return self._classes.takes_keyword(document, document.once(SourceText).offset(hit.span.start))

    def _narrowed_by_text(self) -> None:
        """What is done with the member of a doubt shows that it is another one."""
        classes = self._classes
        for hit in self._doubts.open:
            document = self._documents.try_get(hit.path) if hit.path.endswith(ENDINGS) else None
            if document is None:
                continue
            accesses, place = document.once(PythonAccesses), document.once(SourceText).offset(hit.span.start)
            call = accesses.call(place)
            if (
                classes.lacks(accesses.beside(place))
                or (accesses.is_mocked(place) and classes.is_function)
                or (call is not None and classes.refuses(call))
            ):
                self._doubts.drop([hit])

    async def _private(self) -> list[Hit]:
        """The doubts, where no other class of the workspace has the member: what has an underscore is nobody else's."""
        symbol = self._search.symbol
        name = symbol.main.name
        # Of two underscores it is another name in each class.
        if not name.startswith("_") or name.startswith("__") or name in _OF_TUPLES:
            return []
        outlines = await self._server.outlines(self._context.python_texts(name), self._deadline)
        declared = {site for outline in outlines.values() for site in _members(outline, name)}
        known = {Site(one.path, one.position) for one in symbol.declarations} | self._hierarchy.sites
        found = self._doubts.open if declared <= known else []
        self._doubts.drop(found)
        return found

    async def _by_server(self) -> tuple[list[Hit], str]:
        """What it tells, and what it passed over; why it tells nothing, or nothing."""
        search, doubts = self._search, self._doubts
        # Of a module servers tell no uses: its mentions are looked at one by one.
        is_module = search.symbol.is_module
        references = [] if is_module else await self._server.references(search.sites, self._deadline)
        hits = [hit for hit in references if self._words.holds(hit.path)]
        await self._hierarchy.gather()
        doubts.renamed(hits)
        names = set(doubts.names)
        while names:
            # Under a name that an import gave the symbol the servers tell uses in that file, if any.
            await search.widen({path for name in names for path in search.holding(name)})
            fresh = await doubts.missed(names, search.paths, hits)
            hits = [*hits, *fresh]
            names = doubts.renamed(fresh)
        return hits, "" if references or is_module else self._unknown()

    def _unknown(self) -> str:
        """Why a server tells nothing of a symbol, not even where it is declared."""
        main = self._search.symbol.main
        form = form_of(main.path)
        if form is None or not self._words.holds(main.path):
            return ""
        return f"{self._server.name} does not know the declaration of {main.name}: {form.unknown}"

    async def _without_declarations(self, hits: list[Hit], paths: Collection[str]) -> list[Hit]:
        """The hits at which nothing is declared: a constructor, or a definition in another file, is no use; where each
        assignment declares a variable, that is one, and so is what a method of another class of Python assigns to its
        object. paths: the files that may declare there."""
        documents = [self._documents.try_get(path) for path in sorted(paths)]
        outlines = await self._server.outlines([one for one in documents if one is not None], self._deadline)
        symbol = self._search.symbol
        form = form_of(symbol.main.path)
        kept = {"Variable"} if form is not None and form.scoped is not None else frozenset[str]()
        every = (one for outline in outlines.values() for one in flatten(outline) if one.kind not in kept)
        own = {Site(one.path, one.position) for one in symbol.declarations}
        declared = own | {Site(one.path, one.position) for one in every}
        return [one for one in hits if site_of(one) not in own and self._is_use(one, declared=site_of(one) in declared)]

    def _is_use(self, hit: Hit, *, declared: bool) -> bool:
        """declared: whether an outline lists it. In Python what a method assigns to its object is a use where another
        class declares that; what a body within a function declares is none, though no outline has it; and no method is
        meant by a type of its name."""
        symbol = self._search.symbol.main
        document = self._documents.try_get(hit.path) if hit.path.endswith(ENDINGS) and symbol.containers else None
        if document is None:
            return not declared
        place, types = document.once(SourceText).offset(hit.span.start), document.once(PythonTypes)
        if symbol.kind == "Method" and types.is_type(place):
            return False
        return place in types.assigned(symbol.name) or not (declared or types.is_in_body(place, symbol.name))


def _members(outline: Sequence[Declaration], name: str) -> Iterator[Site]:
    for one in flatten(outline):
        if one.name == name and one.parent is not None:
            yield Site(one.path, one.position)
