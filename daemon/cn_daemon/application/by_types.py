"""What types decide of a question without a language server: every use of a member, and what names leave open."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Sequence

from cn_daemon.application.context import Context
from cn_daemon.application.ports import DECORATORS, Doubt, Hit, NamedSymbol, Site, TemplateFiles, Types, site_of
from cn_daemon.domain.declarations.outline import MEMBERS
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.mentions.embedded import is_embedding
from cn_daemon.domain.source.components import is_component
from cn_daemon.domain.source.forms import form_of
from cn_daemon.domain.source.reading import SCRIPTS
from cn_daemon.domain.source.text import BEGINNING
from cn_shared.errors import LanguageServerError

log = logging.getLogger(__name__)

_PAGE = ".html"
_WORD = re.compile(r"[\w$]+")
NOT_READ = "a mention in a file whose types are not read"
UNREAD = "templates that could not be read"


class ByTypes:
    """For one question. types: None where nothing answers so, as in other languages."""

    def __init__(self, types: Types | None, context: Context) -> None:
        self._types = types
        self._words, _, _, self._deadline = context
        self._mentioned: dict[Site, NamedSymbol] = {}

    async def uses(self, symbol: Symbol, named: NamedSymbol | None) -> NamedSymbol | None:
        """The uses of a symbol, with what neither names nor types decide; None where types are not asked, or cannot be.
        named: what names tell of it, if they decide what it is."""
        declared = [Site(one.path, one.position) for one in symbol.declarations if self._reads(one.path)]
        if self._types is None or symbol.is_module or not declared or form_of(symbol.main.path) is not None:
            return None
        if symbol.main.kind in MEMBERS:
            await self.in_templates(symbol)  # of a larger program, of which the next question finds all it needs
        try:
            found = await self._answer(self._types, symbol, declared)
        except LanguageServerError as error:
            log.info("types: %s", error.message)
            return None
        if found is None:
            return None
        found = found if named is None else _joined(found, named)
        return found._replace(doubts=[doubt for doubt in found.doubts if site_of(doubt.hit) not in declared])

    def _reads(self, path: str) -> bool:
        return self._words.holds(path) or path.endswith(".json")

    async def in_templates(self, member: Symbol) -> NamedSymbol:
        """The uses of a member in templates of Angular, and what may be one."""
        place = Site(member.main.path, member.main.position)
        if place not in self._mentioned:
            self._mentioned[place] = await self._in_templates(member)
        return self._mentioned[place]

    async def embedded(self, member: Symbol) -> Sequence[Doubt]:
        """The mentions of a member in pages, MDX and scripts without an ending that may be uses."""
        name = member.main.name.lstrip("#")
        files = [path for path in self._words.files_with(name) if is_embedding(path) and not is_component(path)]
        if self._types is None or not files:
            return ()
        try:
            return [Doubt(hit, NOT_READ) for hit in await self._types.embedded(name, self._deadline)]
        except LanguageServerError as error:
            log.info("types: %s", error.message)
            return [Doubt(Hit(path, BEGINNING), NOT_READ) for path in files]

    async def _in_templates(self, member: Symbol) -> NamedSymbol:
        name = member.main.name.lstrip("#")
        declared = [Site(one.path, one.position) for one in member.declarations if self._words.holds(one.path)]
        scripts = {path for word in DECORATORS for path in self._words.files_with(word) if path.endswith(".ts")}
        holding = [path for path in self._words.files_with(name) if path in scripts or path.endswith(_PAGE)]
        if self._types is None or not declared or not scripts or not holding:
            return NamedSymbol(True, (), (), ())
        owning = scripts.intersection(self._words.files_with("templateUrl"))
        words = {max(_WORD.findall(os.path.basename(path)), key=len) for path in holding if path.endswith(_PAGE)}
        owning &= {path for word in words for path in self._words.files_with(word)}
        files = TemplateFiles(sorted(scripts), holding, sorted(owning))
        try:
            return await self._types.templates(name, declared, files, self._deadline)
        except LanguageServerError as error:
            log.info("types: %s", error.message)
            return NamedSymbol(True, (), (), [Doubt(Hit(path, BEGINNING), UNREAD) for path in holding])

    async def undeclared(self, name: str, site: Site) -> list[Hit]:
        """Every other place at which a member is used of the same type as at one, where nothing declares it."""
        if self._types is None or form_of(site.path) is not None or not self._words.holds(site.path):
            return []
        try:
            return list((await self._types.members(name, [site], self._deadline)).uses)
        except LanguageServerError as error:
            log.info("types: %s", error.message)
            return []

    async def is_it(self, symbol: Symbol, site: Site) -> bool | None:
        """Whether a place means a symbol; None where types do not know what it means."""
        try:
            definitions = await self._types.definitions([site], self._deadline) if self._types is not None else []
        except LanguageServerError as error:
            log.info("types: %s", error.message)
            return None
        leads = {site_of(one.hit) for found in definitions for one in found} - {site}
        return any(Site(one.path, one.position) in leads for one in symbol.declarations) if leads else None

    async def _answer(self, types: Types, symbol: Symbol, declared: Sequence[Site]) -> NamedSymbol | None:
        main = symbol.main
        if main.kind == "Constructor" and main.parent is not None:
            return await types.constructions(declared, Site(main.parent.path, main.parent.position), self._deadline)
        # Without a container in a script: a key of what a module exports by assignment, most often.
        if main.kind in MEMBERS and (main.parent is not None or not main.path.endswith(SCRIPTS)):
            return await types.members(main.name, declared, self._deadline)
        found = await types.names(main.name, declared, self._deadline)
        if found.decided:
            return found
        # What a pattern takes of the props of a component; what a script has of a package, or gives an object.
        # And what a string declares, as an event.
        may_be_member = is_component(main.path) or main.path.endswith(SCRIPTS) or main.kind in MEMBERS
        return await types.members(main.name, declared, self._deadline) if may_be_member else None


def _joined(typed: NamedSymbol, named: NamedSymbol) -> NamedSymbol:
    """What types decide, and what names are sure of."""
    definitions = {site_of(hit): hit for hit in (*named.definitions, *typed.definitions)}
    uses = {site_of(hit): hit for hit in (*named.uses, *typed.uses)}
    known = {*uses, *map(site_of, named.definitions)}
    return typed._replace(
        definitions=list(definitions.values()),
        uses=list(uses.values()),
        doubts=[doubt for doubt in typed.doubts if site_of(doubt.hit) not in known],
    )
