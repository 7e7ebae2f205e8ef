"""Files that hold a symbol's name and show no use of it: do they reach it by another way, or not at all?

A package of the workspace that is imported by name may lead to its built declarations (`dist/index.d.ts`), whose
symbols are twins of the ones in the sources; or nowhere, when the workspace is not installed or an alias is unknown
to the project. Twins are asked for too; a way that leads nowhere makes the answer partial.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Collection, Iterator
from itertools import chain
from typing import NamedTuple

from cn_daemon.application.context import Context
from cn_daemon.application.modules.leads import Guide, Leads, TooManyError, too_many
from cn_daemon.application.modules.modules import imports_name
from cn_daemon.application.modules.reach import ASSET, OUTPUT, Reach, Ways, is_member
from cn_daemon.application.ports import Site
from cn_daemon.application.uses.twins import Twins
from cn_daemon.application.uses.unresolved import Unresolved
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.mentions.usage import mentions_in
from cn_daemon.domain.source.reading import DECLARATIONS, SourceText
from cn_daemon.domain.source.specifiers import NODE, aliased, by_name, by_path, from_root, package_of
from cn_daemon.domain.source.text import Document, unescaped


class Links(NamedTuple):
    """twins: further declarations of the symbol to ask about. reason: why files may be missing, or nothing."""

    twins: list[Site]
    reason: str


class LinkCheck:
    """For one question: shares its documents."""

    def __init__(self, leads: Leads, context: Context) -> None:
        self._context = context
        self._words, self._server, self._documents, _ = context
        self._packages = context.words.packages()
        self._leads = leads
        self.guide = Guide(leads, context)

    async def check(
        self, symbol: Symbol, names: Collection[str], silent: Collection[str], paths: Collection[str] = ()
    ) -> Links:
        """names: the symbol's own and those that exports give it. paths: the files that hold one. silent: those of them
        that gave no hit."""
        twins = self._twins(symbol)
        reach = Reach(self._words, self._documents, self._leads.steps)
        ways = self._ways(symbol, reach)
        # The answer is partial once one of their imports may bring the symbol: the others need not be asked about.
        gone: set[str] = set()
        lost = reason = ""
        try:
            for document in filter(None, map(self._documents.try_get, sorted(silent))):
                nowhere = set()
                async for specifier, leads in self._leading(document, symbol, reach, gone):
                    if not leads and package_of(specifier) not in NODE:
                        nowhere.add(package_of(specifier))
                    await twins.behind(document, specifier, leads, names)
                if nowhere and not gone and ways.open(document.path):
                    places = mentions_in(document.once(SourceText), names)
                    unresolved = Unresolved(document, nowhere, reach, ways)
                    place = await unresolved.meaning(symbol, places, self.guide.definitions)
                    if place is not None:
                        where = self._documents.place(document.path, place.line)
                        gone, lost = nowhere, _nowhere(nowhere, where, self._context.why_lost(document.path))
            await twins.of_own_imports(names, sorted(set(paths) - set(silent)))
        except TooManyError:
            reason = too_many(silent)
        twins.apart(silent, ways)
        if not twins.sites:
            twins.handed_on(paths)
        return Links(twins.sites, lost or reason or twins.doubt or self._escaped(silent, names))

    def held(self, symbol: Symbol, paths: Collection[str]) -> Links:
        """The twins of what the texts of these files may lead to."""
        twins = self._twins(symbol)
        twins.apart(paths, self._ways(symbol, Reach(self._words, self._documents, self._leads.steps)))
        return Links(twins.sites, twins.doubt)

    def _twins(self, symbol: Symbol) -> Twins:
        return Twins(symbol, self._context, self.guide)

    def _ways(self, symbol: Symbol, reach: Reach) -> Ways:
        return Ways(reach, symbol, self._documents, lambda: self._words.files_with(symbol.main.name.lstrip("#")))

    async def _leading(
        self, document: Document, symbol: Symbol, reach: Reach, gone: Collection[str]
    ) -> AsyncIterator[tuple[str, list[str]]]:
        """Where the specifiers of a file lead that may bring the symbol, but for those of the packages `gone`."""
        owner = self._packages.owner(symbol.main.path)
        for specifier, offset in chain(self._specifiers(document, owner), self._torn(document, symbol, reach)):
            if package_of(specifier) not in gone:
                leads = await self.guide.lead(document, specifier, offset)
                if specifier.startswith("."):
                    # A file that is found is not always read.
                    leads = [one for one in leads if self._server.together(document.path, one)]
                yield specifier, leads
        for specifier, offset in document.once(by_path):
            if not OUTPUT.isdisjoint(specifier.split("/")) and _is_declared(reach.lead(document.path, specifier)):
                leads = await self.guide.lead(document, specifier, offset)
                if leads:
                    yield specifier, leads

    def _torn(self, document: Document, symbol: Symbol, reach: Reach) -> Iterator[tuple[str, int]]:
        """The paths to files that a project may not find whose tsconfig extends what is not there. What is imported by
        its name is asked about all the same."""
        scope = self._packages.scopes.get(self._server.project(document.path) or "")
        if scope is not None and scope.torn and (is_member(symbol) or not imports_name(document, symbol.main.name)):
            for specifier, offset in document.once(by_path):
                if any(map(self._words.holds, reach.lead(document.path, specifier))):
                    yield specifier, offset

    def _specifiers(self, document: Document, owner: str | None) -> Iterator[tuple[str, int]]:
        """The specifiers that should lead into the workspace: its packages, and aliases of its folders. owner: of what
        they are to lead to."""
        for specifier, offset in chain(document.once(by_name), document.once(from_root)):
            root = package_of(specifier)
            if specifier.startswith("#") and self._packages.owner(document.path) != owner:
                # Such a name is a package's own.
                continue
            if ASSET.search(specifier):
                continue
            if root in self._packages.folders or self._packages.is_alias(specifier):
                yield specifier, offset
            elif root not in self._packages.dependencies:
                module = aliased(specifier)
                modules = [module]
                if specifier == root == module and not self._server.project(document.path):
                    # One word is a package where no project says otherwise.
                    modules = [f"{base[1:]}/{specifier}" for base in self._packages.bases]
                if any(map(self._leads.lead_inside, modules)):
                    yield specifier, offset

    def _escaped(self, silent: Collection[str], names: Collection[str]) -> str:
        found = next((path for path in sorted(silent) if self._escapes(path, names)), "")
        return f"{self._documents.place(found)} writes the name with escapes, where uses are not found" if found else ""

    def _escapes(self, path: str, names: Collection[str]) -> bool:
        """Whether a file writes one of the names with escapes only: the servers look for its letters."""
        document = self._documents.try_get(path)
        if document is None or "\\u" not in document.text or any(name in document.text for name in names):
            return False
        return any(re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", unescaped(document.text)) for name in names)


def _is_declared(leads: Collection[str]) -> bool:
    return any(one.endswith(DECLARATIONS) for one in leads)


def _nowhere(packages: Collection[str], where: str, why: str) -> str:
    if not {".", ".."}.isdisjoint(packages):
        return f"in {where} at least files are not found: {why}"
    lost = ", ".join(sorted(packages))
    return f"imports of {lost} lead nowhere, in {where} at least ({why})"
