"""What is declared where language servers lead from a place."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from cn_daemon.application.context import Context
from cn_daemon.application.declared import symbol_of
from cn_daemon.application.modules.exports import DEFAULT, default_at
from cn_daemon.application.modules.modules import Modules
from cn_daemon.application.ports import Definition, Hit, Site, Types, Workspace
from cn_daemon.application.symbols.origins import Origins
from cn_daemon.application.symbols.pointing import member_at
from cn_daemon.domain.declarations.heads import declaration_at
from cn_daemon.domain.declarations.outline import MEMBERS, Declaration
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.mentions.patterns import binds
from cn_daemon.domain.source.forms import form_of
from cn_daemon.domain.source.reading import COMPILED, SCRIPTS, SourceText
from cn_daemon.domain.source.text import Document, Position, Span, utf16_length
from cn_daemon.domain.source.tokens import tokens

# Where servers and names say that a module is declared.
BEGINNING = Span(Position(1, 1), Position(1, 1))
_ASSIGNED = re.compile(r"(?:module\s*\.\s*)?exports\s*=(?!=)")
_WORD = re.compile(r"[^\W\d][\w$]*|\$[\w$]*")
_EXPORT = re.compile(r"export\s*(?:=|default\b)")
_OF_MODULE = re.compile(r"\bmodule\s*\.\s*\Z")


class SymbolsAt:
    """For one question: shares its documents."""

    def __init__(self, workspace: Workspace, context: Context, types: Types | None) -> None:
        """types: what tells declarations in TypeScript; None where the language server does."""
        self._workspace = workspace
        self._types = types
        self._words, self._server, self._documents, self._deadline = context
        self._modules = Modules(context)
        self._origins = Origins(context)
        # The files that a server led to and that may not be shown, each with the reason.
        self._refused: dict[str, str] = {}

    def _is_typed(self, path: str) -> bool:
        return self._types is not None and path.endswith(COMPILED) and not path.endswith(SCRIPTS)

    def _is_member(self, site: Site) -> bool:
        """Whether types tell what is taken of something there."""
        return self._is_typed(site.path) and member_at(self._documents.get(site.path), site.position) is not None

    async def defined(self, site: Site, *, own: bool = False) -> list[Symbol]:
        """What is declared for a site. own: as of `LanguageServer.load`."""
        if self._types is None or not self._is_member(site):
            return await self._served(site, own=own)
        (told,) = await self._types.definitions([site], self._deadline)
        return await self._typed(told)

    async def called(self, sites: Sequence[Site]) -> list[list[Symbol]]:
        """What is declared for each of the names that calls begin with."""
        typed = [site for site in sites if self._is_typed(site.path)]
        told = await self._types.definitions(typed, self._deadline) if self._types and typed else []
        found = {site: await self._typed(definitions) for site, definitions in zip(typed, told, strict=True)}
        return [found[site] if site in found else await self._served(site) for site in sites]

    async def _typed(self, definitions: Sequence[Definition]) -> list[Symbol]:
        symbols: list[Symbol] = []
        for hit, kind in definitions:
            symbol = await self.at(hit, kind)
            if symbol is not None and all(symbol.main not in known.declarations for known in symbols):
                symbols.append(symbol)
        return symbols

    async def _served(self, site: Site, *, own: bool = False) -> list[Symbol]:
        """What the server says."""
        if self._words.holds(site.path):
            await self._server.load([site.path], self._deadline, own=own)
        symbols: list[Symbol] = []
        for hit in await self._modules.origins(site, value=False):
            symbol = await self.at(hit)
            if symbol is not None:
                symbol = await self._origins.of(site, symbol)
            if symbol is not None and all(symbol.main not in known.declarations for known in symbols):
                symbols.append(symbol)
        return symbols

    def withheld(self) -> str:
        """Which declarations that the question met are not shown, and why; nothing when all may be."""
        path, reason = next(iter(self._refused.items()), ("", ""))
        more = f" (and {len(self._refused) - 1} further files)" if len(self._refused) > 1 else ""
        return f"what {path}{more} declares is not shown: {reason}" if path else ""

    async def at(self, hit: Hit, kind: str = "") -> Symbol | None:
        """What is declared where a server leads; None as well for what may not be shown. kind: if that is known."""
        outside = "/node_modules/" in hit.path or not hit.path.startswith(str(self._workspace.root) + "/")
        if outside and (refused := self._workspace.allow(Path(hit.path))):
            self._refused[hit.path] = refused
            return None
        document = self._documents.try_get(hit.path)
        if document is None:
            return None
        # What is declared by the first word of a file begins where its module does.
        symbol = None if hit.span == BEGINNING else await self.declared(Site(hit.path, hit.span.start))
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
        return symbol_of(declared, outline, document)

    async def named(self, hit: Hit) -> Symbol | None:
        """What names say is declared there."""
        if hit.span == BEGINNING:
            return await self.at(hit)
        site = Site(hit.path, hit.span.start)
        return await self.declared(site) or self._unlisted(site)

    def _unlisted(self, site: Site) -> Symbol | None:
        """A parameter, or another declaration that no outline lists."""
        document = self._documents.try_get(site.path) if form_of(site.path) is None else None
        found = _WORD.match(document.line(site.position.line), document.index(site.position)) if document else None
        if document is None or found is None:
            return None
        end = site.position._replace(character=site.position.character + utf16_length(found[0]))
        span = Span(site.position, end)
        return Symbol((Declaration(site.path, found[0], "Variable", span, span, local=True),))

    async def built(self, constructor: Declaration) -> Symbol:
        """The class that a constructor makes."""
        path = constructor.path
        document = self._documents.get(path)
        outline = (await self._server.outlines([document], self._deadline))[path]
        return symbol_of(constructor.parent or constructor, outline, document)

    async def bound(self, site: Site, taken: list[Symbol]) -> list[Symbol]:
        """The variable that a pattern declares by the name of a member: servers tell the member alone. It may be a word
        of the language, `{ type }`."""
        document = self._documents.get(site.path)
        if form_of(site.path) is not None or not taken or any(one.main.kind not in MEMBERS for one in taken):
            return []
        source = document.once(SourceText)
        word, place = taken[0].main.name, source.offset(site.position)
        start = source.text.rfind(word, max(0, place - len(word)), place + len(word))
        if start < 0 or not binds(document, start, start + len(word)):
            return []
        bound = await self.at(Hit(site.path, source.span(start, start + len(word))))
        return [bound] if bound is not None and bound.main not in taken[0].declarations else []

    async def united(self, site: Site, known: list[Symbol]) -> list[Symbol]:
        """The members of that name in the other parts of a union or an intersection.

        Of a call the servers name the one member whose signature they took: which one is an accident of what they read
        first. Its description then names no class, since there are several.
        """
        document = self._documents.get(site.path)
        name = member_at(document, site.position)
        if name is None or len(known) != 1 or form_of(site.path) is not None or self._is_typed(site.path):
            return []
        told = await self._server.describe(site, self._deadline)
        if told is None or not re.match(rf"\(\w+\) {re.escape(name)}(?![\w$.])", told.signature):
            return []
        found: list[Symbol] = []
        for hit in await self._server.references([site], self._deadline):
            other = await self._declared_at(hit, name)
            if other is not None and all(other.main is not one.main for one in (*known, *found)):
                found.append(other)
        return sorted(found, key=lambda symbol: (symbol.main.path, symbol.main.position))

    async def _declared_at(self, hit: Hit, name: str) -> Symbol | None:
        document = self._documents.try_get(hit.path)
        if document is None or document.at(hit.span) != name or member_at(document, hit.span.start):
            return None
        outline = (await self._server.outlines([document], self._deadline))[hit.path]
        declared = declaration_at(outline, hit.span.start)
        if declared is None or declared.local or declared.name_span.start != hit.span.start:
            return None
        return symbol_of(declared, outline, document)

    async def _local(self, document: Document, span: Span, kind: str) -> Declaration:
        """A parameter or another declaration that no outline lists."""
        source = document.once(SourceText)
        default = DEFAULT.match(source.text, source.offset(span.start))
        module = is_module(source, span)
        if default is not None and not module:
            # Of `export default memo(A)` the servers name the whole: its uses are asked for at the word.
            return default_at(source, default, span)
        if module:
            span = _beginning(source, span)
            return Declaration(document.path, os.path.basename(document.path), "Module", span, span, local=True)
        kind = kind or await self._kind(Site(document.path, span.start))
        name = document.at(span) if span.start.line == span.end.line else os.path.basename(document.path)
        return Declaration(document.path, name, kind or "Variable", span, span, local=True)

    async def _kind(self, site: Site) -> str:
        if self._types is not None and self._is_typed(site.path):
            (told,) = await self._types.definitions([site], self._deadline)
            return next((kind for hit, kind in told if hit.span.start == site.position), "")
        if self._words.holds(site.path):
            # A declaration map may lead into a project that nobody asked about yet.
            await self._server.load([site.path], self._deadline)
        told_of = await self._server.describe(site, self._deadline)
        return told_of.kind if told_of else ""


def is_module(source: SourceText, span: Span) -> bool:
    """Whether servers name a module there: its beginning, all of it (a statement ends before its line does), or what a
    script exports, which has no name."""
    start = source.offset(span.start)
    if source.document.path.endswith(SCRIPTS) and _ASSIGNED.match(source.text, start):
        return True
    if span.end == span.start:
        return span == BEGINNING
    # Without a last line end an export may be the whole text, too.
    alone = source.text[-1:] != "\n" and _EXPORT.match(source.text, start)
    to_end = not alone and source.offset(span.end) >= len(source.text)
    return to_end and next((token.start for token in tokens(source.text) if token.kind != "comment"), 0) == start


def _beginning(source: SourceText, span: Span) -> Span:
    """Of a module: that of its file, or of `module.exports = …`, of which servers name the other word, too."""
    start = source.offset(span.start)
    if not _ASSIGNED.match(source.text, start):
        return BEGINNING
    before = _OF_MODULE.search(source.text, max(0, start - 40), start)
    return span._replace(start=source.position(before.start())) if before else span
