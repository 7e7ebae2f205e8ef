"""What names decide of a question, without loading a program: what a place means, and every use of a symbol."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Collection, Sequence
from functools import partial
from typing import TypeVar

from cn_daemon.application.context import Context
from cn_daemon.application.ports import Doubt, Hit, Imported, Importing, NamedSymbol, Names, Site, site_of
from cn_daemon.domain.declarations.symbols import Symbol
from cn_shared.errors import LanguageServerError

log = logging.getLogger(__name__)

T = TypeVar("T")

# The package that an installed file belongs to; types of its own may be another one's.
_PACKAGE = re.compile(r".*/node_modules/(?:@types/)?(?P<name>@[^/]+/[^/]+|[^/]+)/")

_BODILESS = re.compile(r"""\s*declare\s+module\s+(["'])[^"']+\1\s*(?:;|$)""")
# As the bindings tell it of a place.
REEXPORTED = "a name of another package, which may export it again"
# The part of the time that is left in which names are asked for; the language server may need the rest.
_SHARE = 0.5


class ByNames:
    """For one question. names: None where nothing answers so, as in other languages."""

    def __init__(self, names: Names | None, context: Context) -> None:
        self._names = names
        self._words, _, self._documents, self._deadline = context
        # Why the language server is asked for what names would tell, when that is for want of who answers by them.
        self.missing = ""

    @property
    def tells(self) -> bool:
        """Whether something answers so."""
        return self._names is not None

    async def symbols_at(self, site: Site) -> list[Hit] | None:
        """Where what stands at a place is declared: nothing where nothing does, None where names do not decide it. Of a
        module the beginning of its file, without a length."""
        names = self._names
        if names is None or not self._words.holds(site.path):
            return None
        found = await self._within_deadline(lambda deadline: names.symbols_at(site, deadline))
        declared = [one.definitions[0] for one in found if one.decided and one.definitions]
        known = len(declared) == len(found) and all(map(self._reads, map(site_of, declared)))
        return declared if known else None

    async def lost(self, site: Site) -> str:
        """The module of which an import at a place takes something, where that is none of the workspace's files; or
        nothing."""
        names = self._names
        if names is None or not self._words.holds(site.path):
            return ""
        found = await self._within_deadline(lambda deadline: names.symbols_at(site, deadline))
        return next((one.module for one in found if one.module), "")

    async def uses(self, symbol: Symbol, origin: Site | None) -> NamedSymbol | None:
        """The uses of a symbol, with what is doubted; None where names do not decide it. origin: the place that was
        asked at: where it is neither definition nor use, there is a doubt."""
        names = self._names
        declared = [Site(one.path, one.position) for one in symbol.declarations]
        if names is None:
            return None
        if not any(map(self._reads, declared)):
            return await self._of_library(names, symbol, origin)
        # Declarations that git ignores tell again what a script beside them declares.
        declared = list(filter(self._reads, declared))
        if origin is not None and (bodiless := await self._of_bodiless(names, symbol, origin)) is not None:
            return bodiless
        if symbol.is_module:
            found = await self._within_deadline(lambda deadline: names.module(symbol.main.path, deadline))
        else:
            found = await self._within_deadline(lambda deadline: names.uses(declared[0], deadline))
        if len(found) != 1 or not (found[0].decided or _is_outside(found[0], declared)):
            return None
        (one,) = found
        if not one.definitions:
            # A module: a name of it declares nothing that its uses are not.
            return one._replace(uses=[hit for hit in one.uses if not {site_of(hit), _quote(hit)} & {*declared}])
        if not {site_of(hit) for hit in one.definitions}.issuperset(declared):
            return None
        if origin is None or any(_stands(hit, origin) for hit in (*one.definitions, *one.uses)):
            return one
        # The key by which a module hands it on is told where that is asked at.
        keyed = await self._within_deadline(partial(names.uses, origin)) if self._words.holds(origin.path) else []
        same = [other for other in keyed if other.decided and {*other.definitions} == {*one.definitions}]
        return same[0] if same and any(_stands(hit, origin) for hit in same[0].uses) else None

    async def _of_bodiless(self, names: Names, symbol: Symbol, origin: Site) -> NamedSymbol | None:
        """The uses of a name that is imported from `declare module "a";`, which is all that declares it."""
        main = symbol.main
        document = self._documents.try_get(main.path) if main.kind == "Module" else None
        if document is None or not _BODILESS.match(document.line(main.position.line)):
            return None
        found = await self._within_deadline(partial(names.uses, origin))
        return _united(found) if found and not any(one.definitions for one in found) else None

    async def undeclared(self, site: Site) -> list[Hit]:
        """Every place that means the same as one at which stands what nothing declares, with that place."""
        names = self._names
        if names is None or not self._words.holds(site.path):
            return []
        found = await self._within_deadline(lambda deadline: names.uses(site, deadline))
        return [] if any(one.definitions for one in found) else list(_united(found).uses)

    async def _of_library(self, names: Names, symbol: Symbol, origin: Site | None) -> NamedSymbol | None:
        """The uses of what lies outside of the workspace, where that is no member."""
        main = symbol.main
        if main.parent is not None:
            return None
        if origin is not None and self._words.holds(origin.path):
            found = await self._within_deadline(partial(names.uses, origin))
        elif symbol.is_module:
            return None
        else:
            package = _PACKAGE.search(main.path)
            found = await self._within_deadline(partial(names.library, package["name"] if package else "", main.name))
        return _united(found) if found and not any(one.definitions for one in found) else None

    async def all_of(self, named: NamedSymbol, is_it: Callable[[Site], Awaitable[bool | None]]) -> NamedSymbol:
        """Of what a package exports, with the uses by other packages that export it again. is_it: whether a place means
        it, or None where that is not known."""
        names, found, left = self._names, [named._replace(doubts=[])], list[Doubt]()
        open_ = {site_of(doubt.hit): doubt for doubt in named.doubts}
        for site, doubt in open_.items():
            if names is None or doubt.reason != REEXPORTED:
                left.append(doubt)
                continue
            if any(_stands(hit, site) for one in found for hit in one.uses):
                continue
            is_same = await is_it(site)
            if is_same is None:
                left.append(doubt)
            elif is_same:
                found += [one._replace(doubts=[]) for one in await self._within_deadline(partial(names.uses, site))]
        return _united(found)._replace(doubts=left)

    def _reads(self, site: Site) -> bool:
        return self._words.holds(site.path) or site.path.endswith(".json")

    async def exported(self, uses: Sequence[Hit]) -> NamedSymbol:
        """What who imports a member uses where a module exports it: `export default a.b`, `export const { b } = a`."""
        names = self._names
        sites = list(map(site_of, uses))
        if names is None or not sites:
            return _united([])
        return _united(await self._within_deadline(lambda deadline: names.exported(sites, deadline)))

    async def naming(self, name: str) -> Sequence[tuple[Site, str]]:
        """As of `Names`."""
        names = self._names
        return await self._within_deadline(partial(names.naming, name)) if names is not None else ()

    async def importing(self, sites: Sequence[Site], name: str) -> Importing:
        """As of `Names`."""
        names = self._names
        if names is None or not all(self._words.holds(site.path) for site in sites):
            return Importing()
        return await self._answer_or(lambda deadline: names.importing(sites, name, deadline), Importing())

    async def describing(self, site: Site, others: Sequence[Site]) -> Sequence[bool]:
        """As of `Names`."""
        names = self._names
        if names is None or not others or not all(self._words.holds(one.path) for one in (site, *others)):
            return ()
        return await self._within_deadline(lambda deadline: names.describing(site, others, deadline))

    async def most_imported(self, paths: Collection[str], limit: int) -> tuple[Sequence[Imported], int]:
        """As of `Names`. Raises LanguageServerError, also where nothing answers so."""
        if self._names is None:
            raise LanguageServerError("no_bindings", "bindings are off: which symbols most files import is not known")
        return await self._names.most_imported(paths, limit, self._deadline)

    async def _within_deadline(self, ask: Callable[[float], Awaitable[Sequence[T]]]) -> Sequence[T]:
        return await self._answer_or(ask, ())

    async def _answer_or(self, ask: Callable[[float], Awaitable[T]], otherwise: T) -> T:
        now = asyncio.get_running_loop().time()
        try:
            return await ask(now + (self._deadline - now) * _SHARE)
        except LanguageServerError as error:
            log.info("names: %s", error.message)
            if error.code == "provisioning_failed":
                self.missing = f"answered without bindings: {error.message}"
            return otherwise


def _united(all_: Sequence[NamedSymbol]) -> NamedSymbol:
    """What lies outside of the workspace, by all names of modules that it is imported from."""
    uses = {site_of(hit): hit for one in all_ for hit in one.uses}
    doubts = {site_of(doubt.hit): doubt for one in all_ for doubt in one.doubts if site_of(doubt.hit) not in uses}
    return NamedSymbol(True, [], list(uses.values()), list(doubts.values()))


def _is_outside(one: NamedSymbol, declared: Sequence[Site]) -> bool:
    """Whether the workspace declares it nowhere but by an import of it."""
    return not one.definitions and any(site_of(hit) in declared or _quote(hit) in declared for hit in one.uses)


def _quote(hit: Hit) -> Site:
    """In front of a name in quotes."""
    return Site(hit.path, hit.span.start._replace(character=hit.span.start.character - 1))


def _stands(hit: Hit, origin: Site) -> bool:
    return hit.path == origin.path and (hit.span.start == origin.position or hit.span.holds(origin.position))
