"""What declaration maps lead to by mistake.

A bundler's map knows the names of statements, or not even these. For a place that a map does not know, servers take the
next one that it does: they tell who uses what stands there, or a place beside the use.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cached_property

from cn_daemon.application.context import Context
from cn_daemon.application.locations import by_file
from cn_daemon.application.modules.modules import Modules, site_of, takes_unrenamed
from cn_daemon.application.ports import Hit, Site
from cn_daemon.application.symbols.built import Built, is_untold
from cn_daemon.domain.declarations.outline import MEMBERS, flatten
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.mentions.taking import takes
from cn_daemon.domain.source.reading import SCRIPTS, SourceText
from cn_daemon.domain.source.text import Document

_TYPE = re.compile(r"any|unknown|never|void|null|undefined|string|number|bigint|boolean|symbol|object|readonly|unique")
_NAME = re.compile(r"[\w$]+")
_RENAMED = re.compile(r"\s+as\s")


class Mapped:
    """Of one symbol, for one question."""

    def __init__(self, symbol: Symbol, context: Context, modules: Modules) -> None:
        self._words, self._server, self._documents, self._deadline = context
        self._symbol = symbol
        self._modules = modules
        # What a comment declares no map knows.
        self._noted = symbol.main.kind == "TypeAlias" and symbol.main.path.endswith(SCRIPTS)
        self._untold = is_untold(symbol, self._documents.try_get(symbol.main.path))
        self._handed = False
        # Of what is written at hits in a file: whether it means the symbol.
        self._known: dict[tuple[str, str], bool] = {}

    async def meant(self, hits: Sequence[Hit], names: Collection[str], sites: Collection[Site]) -> list[Hit]:
        """Those of these hits that mean the symbol. names: its own and those that exports give it. sites: where it is
        declared, in what a build wrote of it, too."""
        if self._symbol.main.kind == "Constructor" or not _NAME.fullmatch(self._symbol.main.name.lstrip("#")):
            return list(hits)
        self._handed = self._handed or any(map(self._is_handed_on, hits))
        meant: list[Hit] = []
        for path, here in by_file(hits).items():
            document = self._documents.try_get(path)
            if document is None or (self._is_script(path) and not self._handed):
                meant += here
                continue
            for hit in here:
                if _word(document, hit) in names or await self._is_meant(hit, document, names, sites):
                    meant.append(hit)
        return meant

    def _is_script(self, path: str) -> bool:
        """Whether what stands there is as the server tells it, but for what another default is taken for."""
        return path.endswith(SCRIPTS) and not self._noted

    def _is_handed_on(self, hit: Hit) -> bool:
        """Whether a module that has a default of its own hands it on, `export { default as A } from "a"`: servers take
        uses of the one for uses of the other."""
        width = hit.span.end.character - hit.span.start.character
        document = self._documents.try_get(hit.path) if width == len("default") else None
        if document is None or document.at(hit.span) != "default" or "export default" not in document.text:
            return False
        return _RENAMED.match(document.line(hit.span.end.line), document.index(hit.span.end)) is not None

    async def _is_meant(self, hit: Hit, document: Document, names: Collection[str], sites: Collection[Site]) -> bool:
        """Whether another name that stands there means the symbol."""
        text = _word(document, hit)
        script = self._is_script(hit.path)
        untold = self._untold and not script and _TYPE.fullmatch(text)
        if untold and not self._server.together(self._symbol.main.path, hit.path):
            return False
        if self._noted and hit.path == self._symbol.main.path:
            # Nothing gives it another name there.
            return False
        if script or not (self._noted or self._is_built):
            own = not self._handed or all(one.here != text or one.member or not one.imported for one in takes(document))
            return own or await self._leads_here(hit, text, names, sites)
        source = document.once(SourceText)
        if not self._noted and text != "default" and source.text.endswith(".", 0, source.offset(hit.span.start)):
            # What is taken of a value has the name that it was given there.
            return False
        if (hit.path, text) not in self._known:
            # An export may be called by any text.
            named = _NAME.fullmatch(text) or source.in_imports(source.offset(hit.span.start))
            # What is imported by that name, or is beside the symbol in its class, is another's: a map leads beside it
            # that was written before the sources.
            other = not named or takes_unrenamed(document, text) or await self._stands_beside(text)
            self._known[hit.path, text] = not other and await self._leads_here(hit, text, names, sites)
        return self._known[hit.path, text]

    async def _leads_here(self, hit: Hit, text: str, names: Collection[str], sites: Collection[Site]) -> bool:
        """Whether the other name that stands there is what an import or a type calls the symbol."""
        targets = await self._modules.definitions(site_of(hit))
        for target in targets:
            # What cannot be read here is a library's.
            document = self._documents.try_get(target.path)
            if document is None:
                continue
            there = _word(document, target)
            # What a comment declares is not where a map leads, but neither is it what has that other name.
            here = there != text if self._noted else _declares(target, sites)
            if here or there in names:
                return True
            source = document.once(SourceText)
            if target.path == hit.path and source.in_imports(source.offset(target.span.start)):
                return True
        return not targets and not _TYPE.fullmatch(text)

    async def _stands_beside(self, name: str) -> bool:
        """Whether what the symbol is a member of has another one of that name."""
        main = self._symbol.main
        document = self._documents.try_get(main.path)
        if main.parent is None or main.kind not in MEMBERS or document is None:
            return False
        outlines = await self._server.outlines([document], self._deadline, name)
        above = (one.parent for one in flatten(outlines[main.path]) if one.name == name)
        return any(one is not None and one.position == main.parent.position for one in above)

    @cached_property
    def _is_built(self) -> bool:
        return bool(Built(self._symbol, self._words, self._documents).every_entry())


def _word(document: Document, hit: Hit) -> str:
    """What is written there, without quotes."""
    return document.at(hit.span).strip("#'\"`")


def _declares(target: Hit, sites: Collection[Site]) -> bool:
    """Whether it is the symbol's statement: of a default without a name servers name all of it, or its head."""
    first, last = target.span.start.line, target.span.end.line
    return any(one.path == target.path and first <= one.position.line <= last for one in sites)
