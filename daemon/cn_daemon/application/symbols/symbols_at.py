"""What is declared where a place leads: by types, or as a language server has it."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from cn_daemon.application.context import Context
from cn_daemon.application.declared import symbol_of
from cn_daemon.application.ports import Definition, Hit, Site, Types, Workspace
from cn_daemon.domain.declarations.heads import declaration_at
from cn_daemon.domain.declarations.outline import Declaration, same_symbol
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.source.forms import form_of
from cn_daemon.domain.source.text import BEGINNING, Document, Position, Span, utf16_length
from cn_shared.errors import LanguageServerError

log = logging.getLogger(__name__)

_WORD = re.compile(r"[^\W\d][\w$]*|\$[\w$]*")

# Where a member leads that the server leads nowhere, by what surrounds it.
BySurroundings = Callable[[Hit], Awaitable[Sequence[Hit]]]


class SymbolsAt:
    """For one question: shares its documents."""

    def __init__(
        self, workspace: Workspace, context: Context, types: Types | None, by_surroundings: BySurroundings
    ) -> None:
        """types: what tells declarations; None where the language server does."""
        self._workspace = workspace
        self._types = types
        self._by_surroundings = by_surroundings
        self._words, self._server, self._documents, self._deadline = context
        # The files that a place led to and that may not be shown, each with the reason.
        self._refused: dict[str, str] = {}

    async def defined(self, site: Site) -> list[Symbol]:
        """What is declared for a site."""
        (symbols,) = await self.all_defined([site])
        return symbols

    async def all_defined(self, sites: Sequence[Site]) -> list[list[Symbol]]:
        """The same of each."""
        return [await self._declared_by(hits) for hits in await self._definitions(sites)]

    async def surrounded(self, site: Site) -> list[Symbol]:
        """What is declared for a member that the server leads nowhere, by what surrounds it."""
        word = self.at_word(site) if form_of(site.path) is not None else None
        if word is None:
            return []
        leads = await self._by_surroundings(Hit(site.path, word.main.name_span))
        return await self._declared_by([Definition(hit, "") for hit in leads])

    async def members(self, symbol: Symbol, name: str) -> list[Symbol]:
        """What declares a member that a symbol of TypeScript has, by its bases as well."""
        sites = [Site(one.path, one.position) for one in symbol.declarations]
        try:
            definitions = await self._types.definitions(sites, self._deadline, name) if self._types is not None else []
        except LanguageServerError as error:
            log.info("types: %s", error.message)
            return []
        return await self._declared_by([one for found in definitions for one in found])

    async def _definitions(self, sites: Sequence[Site]) -> Sequence[Sequence[Definition]]:
        if self._types is not None and sites:
            try:
                return await self._types.definitions(sites, self._deadline)
            except LanguageServerError as error:
                log.info("types: %s", error.message)
        await self._server.load({site.path for site in sites if self._words.holds(site.path)}, self._deadline)
        return [await self._served(site) for site in sites]

    async def _served(self, site: Site) -> list[Definition]:
        """What the server says; nothing where it refuses."""
        try:
            (hits,) = await self._server.definitions([site], self._deadline)
        except LanguageServerError as error:
            if error.code != "request_refused":
                raise
            return []
        return [Definition(hit, "") for hit in hits]

    async def _declared_by(self, definitions: Sequence[Definition]) -> list[Symbol]:
        symbols: list[Symbol] = []
        for hit, kind in definitions:
            symbol = await self.at(hit, kind)
            if symbol is None or any(symbol.main in known.declarations for known in symbols):
                continue
            # Of a union both literals' are meant, where what is asked for is not narrowed to one.
            listed = symbols if symbol.main.parent is not None else []
            same = next((known for known in listed if same_symbol(known.main, symbol.main)), None)
            if same is None:
                symbols.append(symbol)
            else:
                symbols[symbols.index(same)] = Symbol((*same.declarations, *symbol.declarations))
        return symbols

    def withheld(self) -> str:
        """Which declarations that the question met are not shown, and why; nothing when all may be."""
        path, reason = next(iter(self._refused.items()), ("", ""))
        more = f" (and {len(self._refused) - 1} further files)" if len(self._refused) > 1 else ""
        return f"what {path}{more} declares is not shown: {reason}" if path else ""

    async def at(self, hit: Hit, kind: str = "") -> Symbol | None:
        """What is declared where a place leads; None as well for what may not be shown. kind: if that is known."""
        outside = "/node_modules/" in hit.path or not hit.path.startswith(str(self._workspace.root) + "/")
        if outside and (refused := self._workspace.allow(Path(hit.path))):
            self._refused[hit.path] = refused
            return None
        document = self._documents.try_get(hit.path)
        if document is None:
            return None
        # What is declared by the first word of a file begins where its module does.
        symbol = None if hit.span == BEGINNING else await self.declared(Site(hit.path, hit.span.start))
        if symbol is None and (attribute := _attribute(document, hit.span)) is not None:
            # Of a field servers may tell the whole target of its assignment, `self.size`.
            symbol = await self.declared(Site(hit.path, attribute))
        return symbol or Symbol((await self._local(document, hit.span, kind),))

    async def declared(self, site: Site) -> Symbol | None:
        """The symbol whose name begins there, when an outline lists it."""
        document = self._documents.try_get(site.path)
        if document is None:
            return None
        outline = (await self._server.outlines([document], self._deadline))[site.path]
        declared = declaration_at(outline, site.position)
        if declared is None or declared.name_span.start != site.position:
            return None
        return symbol_of(declared, outline)

    async def named(self, hit: Hit) -> Symbol | None:
        """What names say is declared there."""
        if hit.span == BEGINNING:
            return await self.at(hit)
        site = Site(hit.path, hit.span.start)
        return await self.declared(site) or (self.at_word(site) if form_of(site.path) is None else None)

    def at_word(self, site: Site) -> Symbol | None:
        """What no outline lists, by the word that stands there: a parameter, or what an import calls so."""
        document = self._documents.try_get(site.path)
        found = _WORD.match(document.line(site.position.line), document.index(site.position)) if document else None
        if found is None:
            return None
        end = site.position._replace(character=site.position.character + utf16_length(found[0]))
        span = Span(site.position, end)
        return Symbol((Declaration(site.path, found[0], "Variable", span, span, local=True),))

    async def _local(self, document: Document, span: Span, kind: str) -> Declaration:
        """A module, a parameter or another declaration that no outline lists."""
        path = document.path
        if span.start == span.end:
            return Declaration(path, os.path.basename(path), "Module", BEGINNING, BEGINNING, local=True)
        if not kind and form_of(path) is not None:
            description = await self._server.describe(Site(path, span.start), self._deadline)
            kind = description.kind if description else ""
        return Declaration(path, document.at(span), kind or "Variable", span, span, local=True)


def _attribute(document: Document, span: Span) -> Position | None:
    """Where the last name of `a.b` begins; None of what is written otherwise."""
    if span.start.line != span.end.line:
        return None
    before, dot, _ = document.at(span).rpartition(".")
    if not dot:
        return None
    return span.start._replace(character=span.start.character + utf16_length(before) + 1)
