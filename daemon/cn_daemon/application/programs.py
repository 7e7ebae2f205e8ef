"""Names that no import brings, and who uses them: what a file declares for every program that it is part of.

The compiler merges such declarations within one program. The servers go on from one of them to the next, a library's
too, and so into programs that know nothing of the one that was meant.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Sequence

from cn_daemon.application.documents import Documents
from cn_daemon.application.implied import Implied
from cn_daemon.application.links import CHECKS, mentions_in, too_many
from cn_daemon.application.locations import by_file
from cn_daemon.application.modules import Modules, site_of
from cn_daemon.application.ports import Hit, LanguageServer, Site, Words
from cn_daemon.domain.aliases import aliases
from cn_daemon.domain.brackets import brackets
from cn_daemon.domain.forms import form_of
from cn_daemon.domain.reading import SCRIPTS, SourceText
from cn_daemon.domain.symbols import Symbol
from cn_daemon.domain.text import Document

# What makes a file a module. It errs towards none: then a question more is asked.
_MODULE = re.compile(r"^(?:import|export)\b", re.MULTILINE)
_COMMON = re.compile(r"\brequire\s*\(|\bexports\b")
_GLOBALS = re.compile(r"\b(?:globalThis|window|self|global)\b")
_NO_FILES = re.compile(r'"files"\s*:\s*\[\s*\]')


class Programs:
    """Of one symbol, for one question."""

    def __init__(
        self,
        symbol: Symbol,
        words: Words,
        server: LanguageServer,
        documents: Documents,
        modules: Modules,
        deadline: float,
    ) -> None:
        self._path = symbol.main.path
        self._words = words
        self._server = server
        self._documents = documents
        self._modules = modules
        self._deadline = deadline
        self._implied = Implied(symbol, documents, modules)
        document = documents.try_get(symbol.main.path)
        in_all = is_global(symbol, document)
        # Or is what a global is taken as: servers tell the uses of both.
        self._is_global = in_all or (document is not None and _takes_global(symbol, document))
        # Whether every file of a program may use it by its name alone.
        parent = symbol.main.parent
        self._bare = in_all and (parent is None or (parent.name, parent.parent) == ("global", None))

    async def uses(self, sites: Sequence[Site], names: Collection[str], paths: Collection[str]) -> list[Hit]:
        """What the server tells, and what it misses in these files."""
        given: dict[Site, Hit] = {}
        while True:
            asked = [*sites, *self._implied.follow, *given]
            hits = await self._implied.with_missed(await self.references(asked), names, paths)
            given |= self._aliased(hits)
            if len(asked) == len(sites) + len(self._implied.follow) + len(given):
                return list(({site_of(hit): hit for hit in hits} | given).values()) if given else hits

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

    async def references(self, sites: Sequence[Site]) -> list[Hit]:
        """What the server tells, in programs that one of the sites is part of."""
        hits = await self._server.references(sites, self._deadline)
        if not self._is_global:
            return hits
        told: list[Hit] = []
        for path, here in by_file(hits).items():
            if "/node_modules/" in path:
                # A library names its own globals thousands of times.
                continue
            if any(self._server.together(path, site.path) for site in sites) or await self._lead(here, set(sites)):
                told += here
        return told

    async def _lead(self, hits: Sequence[Hit], sites: set[Site]) -> bool:
        """Whether one of a file's hits leads to the symbol; a call may lead to the one signature that it takes."""
        for hit in hits:
            if not sites.isdisjoint(map(site_of, await self._modules.definitions(site_of(hit)))):
                return True
        return False

    async def unread(self, names: Collection[str], silent: Collection[str]) -> str:
        """Why uses may be missing, or nothing: a file without a hit names what its own program does not know, while one
        that is not loaded may hold both files."""
        if self._implied.reason:
            return self._implied.reason
        asked = 0
        for path in sorted(silent) if self._bare else ():
            document = self._documents.try_get(path)
            config = self._around(path) if document is not None else None
            if document is None or config is None:
                continue
            source = document.once(SourceText)
            for position in mentions_in(source, names, most=None):
                if source.before(position).rstrip().endswith("."):
                    continue
                asked += 1
                if asked > CHECKS:
                    return too_many(silent)
                if not await self._modules.definitions(Site(path, position)):
                    return (
                        f"{os.path.basename(path)} names what its project does not declare; a project that was not "
                        f"loaded may hold both ({config})"
                    )
        return ""

    def _around(self, path: str) -> str | None:
        """A tsconfig that may hold both files and is not loaded for either, as it is told."""
        if self._server.together(self._path, path):
            return None
        folder = os.path.commonpath((self._path, path)) + "/"
        own = self._server.project(self._path), self._server.project(path)
        for config in self._words.projects():
            if folder.startswith(os.path.dirname(config) + "/") and config not in own:
                document = self._documents.try_get(config)
                if document is not None and _names_files(document):
                    return "/".join(config.split("/")[-2:])
        return None


def _names_files(config: Document) -> bool:
    """Whether a tsconfig is a project, and not there to be extended, or to refer to others."""
    if '"files"' in config.text or os.path.basename(config.path) in ("tsconfig.json", "jsconfig.json"):
        return not _NO_FILES.search(config.text)
    return '"include"' in config.text


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
    return not common and _MODULE.search(document.text) is None
