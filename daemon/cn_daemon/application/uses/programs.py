"""Names that no import brings, and who uses them: what a file declares for every program that it is part of.

The compiler merges such declarations within one program. The servers go on from one of them to the next, a library's
too, and so into programs that know nothing of the one that was meant.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import chain

from cn_daemon.application.context import Context
from cn_daemon.application.locations import by_file
from cn_daemon.application.modules.homes import Homes
from cn_daemon.application.modules.leads import CHECKS, too_many
from cn_daemon.application.modules.modules import Modules, site_of
from cn_daemon.application.modules.reach import Places, Reach, is_member, may_be, places_of
from cn_daemon.application.ports import Hit, Site
from cn_daemon.application.symbols.built import is_bound
from cn_daemon.application.uses.additions import Additions
from cn_daemon.application.uses.candidates import Candidates
from cn_daemon.application.uses.implied import Implied
from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.mentions.aliases import aliases
from cn_daemon.domain.mentions.noted import noted
from cn_daemon.domain.mentions.usage import mentions_in
from cn_daemon.domain.source.brackets import brackets
from cn_daemon.domain.source.forms import form_of
from cn_daemon.domain.source.reading import SCRIPTS, SourceText
from cn_daemon.domain.source.specifiers import is_module
from cn_daemon.domain.source.text import Document

# So many declarations are asked about at once. A script may assign one export hundreds of times.
_AT_ONCE = 8
_COMMON = re.compile(r"\brequire\s*\(|\bexports\b")
_OF_GLOBAL = re.compile(r"(?<![\w$.])(?:globalThis|window|self|global)(?=\s*\??\.\Z)")
_GLOBALS = re.compile(r"\b(?:globalThis|window|self|global)\b")


class Programs:
    """Of one symbol, for one question."""

    def __init__(
        self,
        symbol: Symbol,
        context: Context,
        modules: Modules,
        candidates: Candidates,
        reach: Reach,
    ) -> None:
        self._path = symbol.main.path
        self._words, self._server, self._documents, self._deadline = context
        self._modules = modules
        self._reach = reach
        self._homes = Homes(self._words, self._server, reach)
        self._implied = Implied(symbol, self._documents, modules, candidates, reach.handed, self._homes.together)
        self._additions = Additions(symbol, self._documents, modules, candidates, self._homes.together)
        document = self._documents.try_get(symbol.main.path)
        in_all = is_global(symbol, document)
        # Or may be a use of one.
        held = self._words.holds(symbol.main.path)
        self._is_bound = held and is_bound(symbol, document)
        self._is_member = self._is_bound or (held and is_member(symbol))
        # What was told of places, as far as projects are loaded.
        self._told: dict[frozenset[Site], list[Hit]] = {}
        # Of tsconfigs: the files that they may hold, and folders of which they may hold some.
        self._held: dict[str, Places] = {}
        # Or is what a global is taken as: servers tell the uses of both.
        self._is_global = in_all or (document is not None and _takes_global(symbol, document))
        # Every file of a program may use it: by its name alone, or by what holds it.
        self._in_all = in_all
        self._holder = _holder(symbol.main)
        # Or every one that has the module to which this adds.
        parent = symbol.main.parent
        self._added_to = parent.name if in_all and parent is not None and parent.kind == "Module" else ""

    async def uses(self, sites: Sequence[Site], names: Collection[str], paths: Collection[str]) -> list[Hit]:
        """What the server tells, and what it misses in these files."""
        given: dict[Site, Hit] = {}
        while True:
            asked = [*sites, *self._implied.follow, *given]
            hits = await self._with_added(asked, names, paths)
            hits = await self._implied.with_missed(hits, names, paths)
            given |= self._aliased(hits)
            if len(asked) == len(sites) + len(self._implied.follow) + len(given):
                return list(({site_of(hit): hit for hit in hits} | given).values()) if given else hits

    async def _with_added(self, sites: Sequence[Site], names: Collection[str], paths: Collection[str]) -> list[Hit]:
        """What the server tells of these, and of what is one with them in a program of theirs."""
        while True:
            hits = await self.references(sites, self._additions.sites)
            if not await self._additions.find(hits, names, paths):
                self._implied.add(self._additions.merged)
                return hits

    @property
    def by_name(self) -> bool:
        """Whether mentions of the names are looked at."""
        return self._implied.any

    @property
    def other_names(self) -> set[str]:
        """By which declarations are called that are one with it."""
        return self._additions.names

    def _aliased(self, hits: Sequence[Hit]) -> dict[Site, Hit]:
        """What is given another name at these hits by `import A = b.C`: where that name stands."""
        given = {}
        for path, here in by_file(hits).items():
            document = self._documents.try_get(path) if "/node_modules/" not in path else None
            if document is None or not document.once(aliases):
                continue
            source = document.once(SourceText)
            for hit in here:
                alias = document.once(aliases).get(source.offset(hit.span.start))
                if alias is not None:
                    span = source.span(alias.start, alias.end)
                    given[Site(path, span.start)] = Hit(path, span)
        return given

    async def references(self, sites: Sequence[Site], added: Collection[Site] = ()) -> list[Hit]:
        """What the server tells, there and at what was added, in programs that one of the sites is part of."""
        hits = await self._of_each([*sites, *added])
        if not self._is_global:
            return self._known_to(sites, hits) if self._is_member else hits
        # A library names its own globals thousands of times.
        files = {path: here for path, here in by_file(hits).items() if "/node_modules/" not in path}
        near = {path for path in files if any(self._homes.together(path, site.path) for site in sites)}
        if not near.issuperset(files):
            await self._server.load(files.keys() - near, self._deadline, own=True)
        told: list[Hit] = []
        for path, here in files.items():
            if path in near or await self._lead(here, set(sites)):
                told += here
        return told

    async def _of_each(self, sites: Sequence[Site]) -> list[Hit]:
        """Each is asked about once, and what is declared with one of them not at all: the same is told of it."""
        known = [one for one in self._told if one.issubset(sites)]
        fresh = [site for site in dict.fromkeys(sites) if not any(site in one for one in known)]
        while fresh:
            some, fresh = fresh[:_AT_ONCE], fresh[_AT_ONCE:]
            hits = await self._server.references(some, self._deadline)
            alike = {site_of(hit) for hit in hits if hit.definition} if fresh else set()
            known.append(frozenset(some) | alike.intersection(fresh))
            self._told[known[-1]] = hits
            fresh = [site for site in fresh if site not in alike]
        if len(known) == 1:
            return self._told[known[0]]
        found = dict.fromkeys(chain.from_iterable(self._told[one] for one in known))
        # Asked at one declaration of a symbol a server may tell the others as mere uses.
        declared = {hit._replace(definition=False) for hit in found if hit.definition}
        return [hit for hit in found if hit not in declared]

    def forget(self) -> None:
        """More was loaded: there may be more uses."""
        self._told.clear()

    def _known_to(self, sites: Sequence[Site], hits: list[Hit]) -> list[Hit]:
        """What implements a library's member, or takes anything by a pattern, has all uses of that one, which tell
        nothing of it where no file's own project knows both."""
        paths = {hit.path for hit in hits}
        if not self._is_bound and all(map(self._words.holds, paths)):
            return hits
        known = {
            path
            for path in paths
            if not self._words.holds(path) or any(self._homes.together(path, site.path) for site in sites)
        }
        return [hit for hit in hits if hit.path in known]

    async def _lead(self, hits: Sequence[Hit], sites: set[Site]) -> bool:
        """Whether one of a file's hits leads to the symbol; a call may lead to the one signature that it takes. What a
        file's own project does not know another one may, that holds both."""
        around = any(self._server.together(hits[0].path, site.path) for site in sites)
        for hit in hits:
            leads = await self._modules.definitions(site_of(hit))
            if not sites.isdisjoint(map(site_of, leads)) or (around and not leads):
                return True
        return False

    async def unread(self, names: Collection[str], silent: set[str]) -> str:
        """Why uses may be missing, or nothing: a file without a hit names what its own program does not know, while one
        that is not loaded may hold both files."""
        if self._implied.reason:
            return self._implied.reason
        if not self._in_all:
            return ""
        asked = 0
        for path in sorted(silent.intersection(self._words.files_with(self._holder)) if self._holder else silent):
            document = self._documents.try_get(path)
            config = self._around(path) if document is not None else None
            if document is None or (config is None and (self._holder or not document.once(_names_global))):
                continue
            source = document.once(SourceText)
            named = (source.position(at) for name in names for at in noted(document.text, name))
            for position in chain(mentions_in(source, names), named):
                before = source.before(position).rstrip()
                taken = _OF_GLOBAL.search(before) if not self._holder else None
                if taken is None and (config is None or before.endswith(".") is not bool(self._holder)):
                    continue
                asked += 1
                if asked > CHECKS:
                    return too_many(silent)
                hits = await self._modules.definitions(Site(path, position))
                if taken is not None and not hits:
                    # As from 6 on the compiler knows `global` only where a tsconfig names the types of Node.
                    return (
                        f"the language server does not know {taken[0]} in {self._documents.place(path, position.line)}"
                    )
                if config is not None and (not hits or any(self._may_be_one(hit.path, path) for hit in hits)):
                    return (
                        f"{self._documents.place(path)} names what its project does not know to be this; a project "
                        f"that was not loaded may hold both ({config})"
                    )
        return ""

    def _may_be_one(self, path: str, use: str) -> bool:
        """Whether what a file declares may be one with the symbol for the file of a use: it belongs to the module to
        which this adds, or it is a library's, and some tsconfig lists both the symbol's file and that of the use."""
        if not self._added_to:
            scopes = self._words.packages().scopes.values() if not self._words.holds(path) else ()
            return any(scope.holds(self._path) and scope.holds(use) for scope in scopes)
        leads = self._reach.lead(self._path, self._added_to)
        return any(may_be(place, (path,)) for place in self._reach.of_all(leads))

    def _around(self, path: str) -> str | None:
        """A tsconfig that may hold both files and is not loaded for either, as it is told."""
        if self._server.together(self._path, path):
            return None
        own = self._server.project(self._path), self._server.project(path)
        for config in self._words.projects():
            if config not in own and self._holds(config, self._path) and self._holds(config, path):
                return "/".join(config.split("/")[-2:])
        return None

    def _holds(self, config: str, path: str) -> bool:
        """Whether a tsconfig lists a file, or one that may lead to it."""
        scope = self._words.packages().scopes.get(config)
        if scope is None or scope.holds(path):
            return scope is not None
        if not scope.scripts and path.endswith(SCRIPTS):
            return False
        if config not in self._held:
            self._held[config] = places_of(self._reach.of_all(filter(scope.holds, self._words.files())))
        return self._held[config].may_hold(path)


def _holder(declaration: Declaration) -> str:
    """The outermost that holds it, but for a module and `declare global`; nothing where none does."""
    name, outer = "", declaration.parent
    while outer is not None and outer.kind != "Module" and (outer.name, outer.parent) != ("global", None):
        name, outer = outer.name, outer.parent
    return name


def _names_global(document: Document) -> bool:
    return _GLOBALS.search(document.text) is not None


def _takes_global(symbol: Symbol, document: Document) -> bool:
    """Whether it is declared by `const { a } = globalThis`."""
    if symbol.main.kind not in ("Constant", "Variable") or not document.once(_names_global):
        return False
    script = brackets(document)
    around = script.opener[script.at(document.once(SourceText).offset(symbol.main.position))]
    behind = script.closer.get(around, -1) + 1
    return (
        script.text(around) == "{"
        and script.text(behind) == "="
        and _GLOBALS.match(script.text(behind + 1)) is not None
    )


def is_global(symbol: Symbol, document: Document | None) -> bool:
    """Whether its file declares it, or what holds it, for all of a program."""
    outermost = symbol.main
    while outermost.parent is not None:
        outermost = outermost.parent
    if document is None or symbol.main.local or form_of(document.path) is not None:
        return False
    if outermost.kind == "Module" or (outermost.kind, outermost.name) == ("Namespace", "global"):
        return True
    common = document.path.endswith(SCRIPTS) and _COMMON.search(document.text)
    # Where it errs a question more is asked.
    return not common and not is_module(document)
