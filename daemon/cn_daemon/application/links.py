"""Files that hold a symbol's name and show no use of it: do they reach it by another way, or not at all?

A package of the workspace that is imported by name may lead to its built declarations (`dist/index.d.ts`), whose
symbols are twins of the ones in the sources; or nowhere, when the workspace is not installed or an alias is unknown
to the project. Twins are asked for too; a way that leads nowhere makes the answer partial.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator
from itertools import chain, islice, takewhile
from typing import NamedTuple

from cn_daemon.application.built import Built
from cn_daemon.application.documents import Documents
from cn_daemon.application.modules import Modules, imports_name, joined
from cn_daemon.application.patterned import Known
from cn_daemon.application.ports import Hit, LanguageServer, Site, Words
from cn_daemon.application.reach import NODE, Reach, Steps, Ways, is_code, is_member, package_of, specifiers
from cn_daemon.application.unresolved import SPECIFIER, Unresolved
from cn_daemon.domain.reading import SourceText
from cn_daemon.domain.symbols import Symbol
from cn_daemon.domain.text import Document, Position, unescaped
from cn_daemon.domain.tokens import tokens

# How an alias of a folder usually begins: `@/`, `~/`, `#`.
_ALIAS = re.compile(r"[@~#]/?")
_MENTIONS = 3
# Each is one request, of a millisecond or so. Beyond them the answer says that it is partial.
CHECKS = 1000


class Links(NamedTuple):
    """twins: further declarations of the symbol to ask about. reason: why files may be missing, or nothing."""

    twins: list[Site]
    reason: str


class Import(NamedTuple):
    """How a specifier is read: alike in all files of one project and one package, for one language server."""

    server: str
    project: str
    package: str | None
    specifier: str


class Leads:
    """Where specifiers lead, kept between questions until something is created, deleted, installed or configured.

    by_import: the files. inside: whether some source's path
    ends with a specifier. steps: the same by texts alone. patterns: whose members patterns take, until a file changes.
    """

    def __init__(self, words: Words) -> None:
        self._words = words
        self.by_import: dict[Import, list[str]] = {}
        self.inside: dict[str, bool] = {}
        self.steps = Steps()
        self.patterns: Known = {}

    def refresh(self) -> None:
        """After the words' barrier, before a question reads what is kept."""
        changes = self._words.tail("leads")
        if any(changes):
            # Questions that go on with the old one are of a moment before.
            self.patterns = {}
        if changes.created or changes.deleted or not all(map(self._words.holds, changes.changed)):
            self.by_import.clear()
            self.inside.clear()
            self.steps.clear()

    def lead_inside(self, module: str) -> bool:
        known = self.inside.get(module)
        if known is None:
            known = self.inside[module] = self._words.leads_inside(module)
        return known


class TooManyError(Exception):
    """More would have to be asked than one question may ask."""


class LinkCheck:
    """For one question: shares its documents."""

    def __init__(
        self, words: Words, leads: Leads, server: LanguageServer, documents: Documents, deadline: float
    ) -> None:
        self._words = words
        self._packages = words.packages()
        self._leads = leads
        self._server = server
        self._documents = documents
        self._deadline = deadline
        self._modules = Modules(words, server, documents, deadline)
        self._asked = 0
        self._loaded: set[tuple[str, str]] = set()
        leads.refresh()

    async def check(
        self, symbol: Symbol, names: Collection[str], silent: Collection[str], paths: Collection[str] = ()
    ) -> Links:
        """names: the symbol's own and those that exports give it. paths: the files that hold one. silent: those of them
        that gave no hit."""
        owner = self._packages.owner(symbol.main.path)
        built = Built(symbol, self._words, self._documents)
        twins: dict[str, list[Site]] = {}
        # The answer is partial once one of their imports may bring the symbol: the others need not be asked about.
        gone: set[str] = set()
        reason = lost = ""
        reach = Reach(self._words, self._documents, self._leads.steps)
        ways = self._ways(symbol, reach)
        try:
            for path in sorted(silent):
                document = self._documents.try_get(path)
                if document is None:
                    continue
                nowhere = set()
                for specifier, offset in chain(self._specifiers(document, owner), self._torn(document, symbol, reach)):
                    if package_of(specifier) in gone:
                        continue
                    leads = await self.lead(document, specifier, offset)
                    if specifier.startswith("."):
                        # A file that is found is not always read.
                        leads = [one for one in leads if self._server.together(path, one)]
                    if not leads and package_of(specifier) not in NODE:
                        nowhere.add(package_of(specifier))
                    # Maps lead a specifier to the sources; to what was built of these servers may know no way back.
                    if not self._server.together(symbol.main.path, path):
                        leads = [*leads, *built.entries(specifier)]
                    await self._see(leads, built, names, document, twins)
                place = None
                if nowhere and not gone and ways.open(path):
                    places = mentions_in(document.once(SourceText), names, most=None)
                    place = await Unresolved(document, nowhere, reach, ways).meaning(symbol, places, self._definitions)
                if place is not None:
                    gone = nowhere
                    where = f"{os.path.basename(path)}:{place.line}"
                    lost = f"imports of {', '.join(sorted(nowhere))} lead nowhere, in {where} at least "
                    lost += "(is the workspace installed?)"
                    if not nowhere.isdisjoint((".", "..")):
                        lost = f"in {where} at least files are not found: the tsconfig extends what is not there"
            await self._further(built, names, twins, sorted(set(paths) - set(silent)), owner)
        except TooManyError:
            reason = too_many(silent)
        twins.update(self._held(built, silent, ways, twins))
        if not twins:
            twins = self._handed(built, paths, owner)
        reason = lost or reason or built.doubt
        escaped = [path for path in sorted(silent) if self._escapes(path, names)]
        return Links(list(dict.fromkeys(chain.from_iterable(twins.values()))), reason or _told(escaped))

    def held(self, symbol: Symbol, paths: Iterable[str]) -> Links:
        """The twins of what the texts of these files may lead to."""
        built = Built(symbol, self._words, self._documents)
        reach = Reach(self._words, self._documents, self._leads.steps)
        found = self._held(built, paths, self._ways(symbol, reach), ())
        return Links(list(dict.fromkeys(chain.from_iterable(found.values()))), built.doubt)

    def _held(self, built: Built, paths: Iterable[str], ways: Ways, known: Collection[str]) -> dict[str, list[Site]]:
        """The twins in further modules: files need not import these, but what others make or hand on of them."""
        apart = [path for path in paths if not self._server.together(built.path, path)]
        modules = [module for module in built.every_entry() if module not in known] if apart else []
        if not modules or not any(map(ways.open, apart)):
            return {}
        return {module: found for module in modules if (found := built.sites(module))}

    def _ways(self, symbol: Symbol, reach: Reach) -> Ways:
        return Ways(reach, symbol, self._documents, lambda: self._words.files_with(symbol.main.name.lstrip("#")))

    async def _see(
        self,
        modules: Iterable[str],
        built: Built,
        names: Collection[str],
        document: Document,
        twins: dict[str, list[Site]],
    ) -> None:
        """Add the twins in modules that a file imports."""
        for module in modules:
            if module not in twins and built.wrote(module):
                found = built.sites(module) or await self._twin(built, names, document)
                twins.update({module: found} if found else {})

    async def _further(
        self,
        built: Built,
        names: Collection[str],
        twins: dict[str, list[Site]],
        paths: Iterable[str],
        owner: str | None,
    ) -> None:
        """Those in what a file imports of the symbol's package, though it knows the symbol by another way, too."""
        for document in filter(None, map(self._documents.try_get, paths)):
            for specifier, offset in document.once(imported):
                if owner is not None and self._packages.folders.get(package_of(specifier)) == owner:
                    await self._see(await self.lead(document, specifier, offset), built, names, document, twins)

    def _handed(self, built: Built, paths: Iterable[str], owner: str | None) -> dict[str, list[Site]]:
        """The twins that other packages hand on, by what a build wrote of these."""
        documents = filter(None, map(self._documents.try_get, paths))
        named = {name for document in documents for name, _ in document.once(specifiers)}
        others = {name for name in named if self._packages.folders.get(package_of(name), owner) != owner}
        modules = (module for name in sorted(others) for module in built.outputs(name))
        return {module: found for module in modules if (found := built.sites(module))}

    def _escapes(self, path: str, names: Collection[str]) -> bool:
        """Whether a file writes one of the names with escapes only: the servers look for its letters."""
        document = self._documents.try_get(path)
        if document is None or "\\u" not in document.text or any(name in document.text for name in names):
            return False
        return any(re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", unescaped(document.text)) for name in names)

    async def lead(self, document: Document, specifier: str, offset: int) -> list[str]:
        """The files that a specifier leads to; kept."""
        leads = await self._leads_of(document, specifier, offset)
        before = self._server.project(document.path)
        alike = before, document.path.rpartition("/")[0]
        if leads or alike in self._loaded:
            return leads
        # Another project that imports the file may read it by other options than its own.
        self._loaded.add(alike)
        await self._server.load([document.path], self._deadline, own=True)
        if self._server.project(document.path) == before:
            return leads
        return await self._leads_of(document, specifier, offset)

    async def _leads_of(self, document: Document, specifier: str, offset: int) -> list[str]:
        path = document.path
        # Without a project, what is installed in the folders above decides alone.
        project = self._server.project(path) or path.rpartition("/")[0]
        module = joined(path, specifier) if specifier.startswith(".") else specifier
        read = Import(self._server.name, project, self._packages.owner(path), module)
        leads = self._leads.by_import.get(read)
        if leads is None:
            place = document.once(SourceText).position(offset + 1)
            leads = [site.path for site in await self._ask(Site(path, place))]
            # Of an example in a text the server knows nothing.
            if leads or in_code(document, [(specifier, offset)]):
                self._leads.by_import[read] = leads
        return leads

    def _torn(self, document: Document, symbol: Symbol, reach: Reach) -> Iterator[tuple[str, int]]:
        """The paths to files that a project may not find whose tsconfig extends what is not there. What is imported by
        its name is asked about all the same."""
        scope = self._packages.scopes.get(self._server.project(document.path) or "")
        if scope is not None and scope.torn and (is_member(symbol) or not imports_name(document, symbol.main.name)):
            for specifier, offset in document.once(_paths):
                if any(map(self._words.holds, reach.lead(document.path, specifier))):
                    yield specifier, offset

    def _specifiers(self, document: Document, owner: str | None) -> Iterator[tuple[str, int]]:
        """The specifiers that should lead into the workspace: its packages, and aliases of its folders. owner: of what
        they are to lead to."""
        for specifier, offset in document.once(_by_name):
            root = package_of(specifier)
            if specifier.startswith("#") and self._packages.owner(document.path) != owner:
                # Such a name is a package's own.
                continue
            if root in self._packages.folders or self._packages.is_alias(specifier):
                yield specifier, offset
            elif root not in self._packages.dependencies:
                alias = _ALIAS.match(specifier)
                modules = [specifier[alias.end() :] if alias else specifier]
                if specifier == root and not alias and not self._server.project(document.path):
                    # One word is a package where no project says otherwise.
                    modules = [f"{base[1:]}/{specifier}" for base in self._packages.bases]
                if any(map(self._leads.lead_inside, modules)):
                    yield specifier, offset

    async def _twin(self, built: Built, names: Collection[str], document: Document) -> list[Site]:
        """The symbol's declaration in what a build wrote, by a file that uses it from there."""
        for position in mentions_in(document.once(SourceText), names):
            for site in await self._ask(Site(document.path, position)):
                if built.wrote(site.path) and built.is_it(site):
                    return [site]
        return []

    async def _ask(self, site: Site) -> list[Site]:
        """Where a place leads, out of its file."""
        hits = await self._definitions(site)
        return [Site(hit.path, hit.span.start) for hit in hits if hit.path != site.path]

    async def _definitions(self, site: Site) -> list[Hit]:
        self._asked += 1
        if self._asked > CHECKS:
            raise TooManyError
        return await self._modules.definitions(site)


def imported(document: Document) -> list[tuple[str, int]]:
    """Every specifier with its offset; those of examples in comments are none, those in texts may be."""
    text = document.once(SourceText).text
    found = ((match["name"], match.start("name")) for match in SPECIFIER.finditer(text))
    return [(name, at) for name, at in found if is_code(text, at)]


def _by_name(document: Document) -> list[tuple[str, int]]:
    """Every specifier that is no path, with its offset; those of examples in comments and texts are none."""
    found = [(match["name"], match.start("name")) for match in SPECIFIER.finditer(document.once(SourceText).text)]
    return in_code(document, [(name, at) for name, at in found if not name.startswith((".", "/")) and ":" not in name])


def _paths(document: Document) -> list[tuple[str, int]]:
    """The same of those that are paths from its folder."""
    found = [(match["name"], match.start("name")) for match in SPECIFIER.finditer(document.once(SourceText).text)]
    return in_code(document, [(name, at) for name, at in found if name.startswith(".")])


def in_code(document: Document, found: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """Those of these specifiers, in order, that are no parts of examples."""
    if not found:
        return []
    # Imports stand at the top: the rest of the text need not be read.
    source = document.once(SourceText)
    read = takewhile(lambda token: token.start < found[-1][1], tokens(source.text, jsx=source.jsx))
    strings = {token.start for token in read if token.kind == "string"}
    return [(name, at) for name, at in found if at - 1 in strings]


def mentions_in(source: SourceText, names: Collection[str], most: int | None = _MENTIONS) -> list[Position]:
    """Where one of the names stands, and not in a comment or a string; the first `most` of these places."""
    found = (
        source.position(token.start)
        for token in tokens(source.text, jsx=source.jsx)
        if token.kind in ("name", "keyword") and source.text[token.start : token.end] in names
    )
    return list(islice(found, most))


def too_many(silent: Collection[str]) -> str:
    """Why an answer is partial that more than `CHECKS` requests would be needed for."""
    return (
        f"{len(silent)} files hold the name and show no use; more than {CHECKS} of their places would have to be asked"
    )


def _told(escaped: list[str]) -> str:
    if not escaped:
        return ""
    return f"{os.path.basename(escaped[0])} writes the name with escapes, where uses are not found"
