"""Files that hold a symbol's name and show no use of it: do they reach it by another way, or not at all?

A package of the workspace that is imported by name may lead to its built declarations (`dist/index.d.ts`), whose
symbols are twins of the ones in the sources; or nowhere, when the workspace is not installed or an alias is unknown
to the project. Twins are asked for too; a way that leads nowhere makes the answer partial.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from cn_daemon.application.documents import Documents
from cn_daemon.application.ports import LanguageServer, Site, Words
from cn_daemon.domain.reading import SourceText
from cn_daemon.domain.symbols import Symbol
from cn_daemon.domain.text import Document, Position
from cn_daemon.domain.tokens import tokens
from cn_shared.errors import LanguageServerError

_SPECIFIER = re.compile(
    r"(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*(?P<quote>['\"])(?P<name>[^'\"\n]+)(?P=quote)"
)
# How an alias of a folder usually begins: `@/`, `~/`, `#`.
_ALIAS = re.compile(r"[@~#]/?")
SCRIPTS = (".js", ".cjs", ".jsx")
_COMMONJS = re.compile(r"\bexports\s*=\s*\{")
_REQUIRING = 60
_MENTIONS = 3
# Each is one request; beyond them nothing new is learnt, since most files of a package import alike.
_CHECKS = 40


class Links(NamedTuple):
    """twins: further declarations of the symbol to ask about. reason: why files may be missing, or nothing."""

    twins: list[Site]
    reason: str


class LinkCheck:
    """For one question: shares its documents."""

    def __init__(self, words: Words, server: LanguageServer, documents: Documents, deadline: float) -> None:
        self._words = words
        self._packages = words.packages()
        self._server = server
        self._documents = documents
        self._deadline = deadline

    async def check(self, symbol: Symbol, names: Collection[str], silent: Collection[str]) -> Links:
        """names: the symbol's own and those that exports give it. silent: files that hold one and gave no hit."""
        folders = self._packages.folders
        owners = {name for name, folder in folders.items() if _below(symbol.main.path, folder)}
        twins: dict[Site, None] = {}
        lost: dict[str, int] = {}
        seen: set[tuple[str, str]] = set()
        for path in sorted(silent):
            document = self._documents.try_get(path)
            if document is None:
                continue
            for specifier, offset in self._specifiers(document, owners):
                key = (os.path.dirname(path), specifier)
                if key in seen or len(seen) >= _CHECKS:
                    continue
                seen.add(key)
                source = document.once(_source)
                if not await self._ask(Site(path, source.position(offset + 1))):
                    root = _package_of(specifier)
                    lost[root] = lost.get(root, 0) + 1
                elif _package_of(specifier) in owners:
                    twins.update(dict.fromkeys(await self._twins(symbol, names, document, source)))
        return Links(list(twins), _reason(lost))

    async def required(self, symbol: Symbol, silent: Collection[str]) -> list[Site]:
        """Where files take the symbol from `module.exports = { X }`, whose X is a symbol of its own to the servers."""
        declared = {one.path for one in symbol.declarations if one.path.endswith(SCRIPTS)}
        texts = [document.text for path in declared if (document := self._documents.try_get(path))]
        if not any(_COMMONJS.search(text) for text in texts):
            return []
        found = []
        for path in sorted(silent)[:_REQUIRING]:
            document = self._documents.try_get(path)
            if document is not None and path.endswith(SCRIPTS) and "require" in document.text:
                for position in _mentions(document.once(_source), [symbol.main.name]):
                    site = Site(path, position)
                    if any(leads.path in declared for leads in await self._ask(site)):
                        found.append(site)
        return found

    def _specifiers(self, document: Document, owners: Collection[str]) -> Iterator[tuple[str, int]]:
        """The specifiers that should lead into the workspace: its packages, and aliases of its folders."""
        for specifier, offset in document.once(_by_name):
            root = _package_of(specifier)
            if root in owners:
                if not _below(document.path, self._packages.folders[root]):
                    yield specifier, offset
            elif root not in self._packages.dependencies and root not in self._packages.folders:
                alias = _ALIAS.match(specifier)
                if self._words.leads_inside(specifier[alias.end() :] if alias else specifier):
                    yield specifier, offset

    async def _twins(
        self, symbol: Symbol, names: Collection[str], document: Document, source: SourceText
    ) -> Iterable[Site]:
        known = {(one.path, one.position) for one in symbol.declarations}
        for position in _mentions(source, names):
            for site in await self._ask(Site(document.path, position)):
                if site.path.endswith((".d.ts", ".d.mts", ".d.cts")) and (site.path, site.position) not in known:
                    twin = self._documents.try_get(site.path)
                    if twin is not None and self._packages.owner(site.path) == self._packages.owner(symbol.main.path):
                        return [site]
        return []

    async def _ask(self, site: Site) -> list[Site]:
        try:
            hits = await self._server.definitions(site, self._deadline)
        except LanguageServerError as error:
            if error.code != "request_refused":
                raise
            return []
        return [Site(hit.path, hit.span.start) for hit in hits if hit.path != site.path]


def _source(document: Document) -> SourceText:
    return SourceText(document, jsx=document.path.endswith((".tsx", ".jsx")))


def _by_name(document: Document) -> list[tuple[str, int]]:
    """Every specifier that is no path, with its offset."""
    found = ((match["name"], match.start("name")) for match in _SPECIFIER.finditer("\n".join(document.lines)))
    return [(name, offset) for name, offset in found if not name.startswith((".", "/")) and ":" not in name]


def _mentions(source: SourceText, names: Collection[str]) -> list[Position]:
    found = (
        source.position(token.start)
        for token in tokens(source.text, jsx=source.jsx)
        if token.kind in ("name", "keyword") and source.text[token.start : token.end] in names
    )
    return [position for _, position in zip(range(_MENTIONS), found, strict=False)]


def _package_of(specifier: str) -> str:
    parts = specifier.split("/")
    return "/".join(parts[:2]) if specifier.startswith("@") and len(parts) > 1 else parts[0]


def _below(path: str, folder: str) -> bool:
    return path.startswith(folder + "/")


def _reason(lost: dict[str, int]) -> str:
    if not lost:
        return ""
    names = ", ".join(sorted(lost))
    return f"imports of {names} lead nowhere, in {sum(lost.values())} or more files (is the workspace installed?)"
