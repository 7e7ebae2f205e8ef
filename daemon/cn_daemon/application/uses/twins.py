"""What a build wrote of a symbol: the declarations to ask about beside its own, since uses of these are its uses."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import chain, islice

from cn_daemon.application.context import Context
from cn_daemon.application.modules.leads import Guide
from cn_daemon.application.modules.reach import Ways, is_member
from cn_daemon.application.ports import Site
from cn_daemon.application.symbols.built import Built
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.mentions.usage import mentions_in
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.specifiers import imported, package_of, specifiers
from cn_daemon.domain.source.text import Document

_MENTIONS = 3


class Twins:
    """For one symbol in one question: shares its documents. Each search adds to what is found.

    Of what a build wrote there are none: another copy of it, for `require`, say, is another module.
    """

    def __init__(self, symbol: Symbol, context: Context, guide: Guide) -> None:
        words, self._server, self._documents, _ = context
        self._built = Built(symbol, words, self._documents)
        self._is_copy = any(self._built.wrote(one.path) for one in symbol.declarations)
        self._packages = words.packages()
        self._owner = self._packages.owner(symbol.main.path)
        self._guide = guide
        self._is_member = is_member(symbol)
        self._found: dict[str, list[Site]] = {}

    @property
    def sites(self) -> list[Site]:
        return list(dict.fromkeys(chain.from_iterable(self._found.values())))

    @property
    def doubt(self) -> str:
        return self._built.doubt

    async def behind(self, document: Document, specifier: str, leads: Iterable[str], names: Collection[str]) -> None:
        """Those in what a specifier of a file leads to."""
        modules = dict.fromkeys(leads)
        # Maps lead a specifier to the sources; to what was built of these servers may know no way back.
        modules |= dict.fromkeys(one for one in self._built.entries(specifier) if self._is_apart(document.path, one))
        for module in modules:
            if module not in self._found and self._built.wrote(module):
                sites = self._built.sites(module)
                # Whoever writes the path of a file may mean any of what it has by the name: all of it, `import * as a`.
                if not sites and not specifier.startswith("."):
                    sites = await self._by_use(document, names)
                self._keep(module, sites)

    async def of_own_imports(self, names: Collection[str], paths: Iterable[str]) -> None:
        """Those in what files import of the symbol's package, though they know the symbol by another way, too."""
        for document in filter(None, map(self._documents.try_get, paths)):
            for specifier, offset in document.once(imported):
                if self._owner is not None and self._packages.folders.get(package_of(specifier)) == self._owner:
                    leads = await self._guide.lead(document, specifier, offset)
                    await self.behind(document, specifier, leads, names)

    def apart(self, paths: Collection[str], ways: Ways) -> None:
        """Those in any module of the package: files of other projects need not import it, but what others make or hand
        on of it."""
        likely = self._is_member or any(not self._server.together(self._built.path, path) for path in paths)
        for module in self._built.every_entry() if likely else ():
            files = (path for path in paths if self._is_apart(path, module))
            if module not in self._found and any(map(ways.open, files)):
                self._keep(module, self._built.sites(module))

    def _is_apart(self, path: str, module: str) -> bool:
        """Whether a file may know the symbol by a module that a build wrote, and not by the sources: in a project that
        holds these as well, maps lead to them, but for members."""
        if not self._server.together(self._built.path, path):
            return True
        return self._is_member and self._server.together(module, path)

    def handed_on(self, paths: Iterable[str]) -> None:
        """Those that other packages hand on, by what a build wrote of these."""
        documents = filter(None, map(self._documents.try_get, paths))
        named = {name for document in documents for name, _ in document.once(specifiers)}
        others = {name for name in named if self._packages.folders.get(package_of(name), self._owner) != self._owner}
        for name in sorted(others):
            for module in self._built.outputs(name):
                self._keep(module, self._built.sites(module))

    def _keep(self, module: str, sites: list[Site]) -> None:
        if sites and not self._is_copy:
            self._found[module] = sites

    async def _by_use(self, document: Document, names: Collection[str]) -> list[Site]:
        """The symbol's declaration in what a build wrote, by a file that uses it from there."""
        for position in islice(mentions_in(document.once(SourceText), names), _MENTIONS):
            for site in await self._guide.out_of(Site(document.path, position)):
                if self._built.wrote(site.path) and self._built.is_it(site):
                    return [site]
        return []
