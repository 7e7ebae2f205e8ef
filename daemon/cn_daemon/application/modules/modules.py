"""Where modules and the names that are taken of them lead, also where the language server does not know it."""

from __future__ import annotations

import os
import re
from collections.abc import AsyncIterator, Awaitable, Iterable, Sequence
from typing import TypeVar

from cn_daemon.application.context import Context
from cn_daemon.application.declared import beside
from cn_daemon.application.modules.exports import exports_other
from cn_daemon.application.ports import Hit, Site
from cn_daemon.domain.declarations.heads import declaration_at
from cn_daemon.domain.declarations.outline import MEMBERS, Declaration, flatten
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.mentions.exporting import declared_later, exports, hands_on
from cn_daemon.domain.mentions.noted import is_noted
from cn_daemon.domain.mentions.own_members import declared_as, defined_as
from cn_daemon.domain.mentions.taking import ALL, WHOLE, Take, taken_of, takes
from cn_daemon.domain.source.reading import DECLARATIONS, SCRIPTS, SourceText, imports
from cn_daemon.domain.source.text import Document, Position, Span
from cn_shared.errors import LanguageServerError

Answered = TypeVar("Answered")

# So many places a server is asked about at once: the questions of others wait for so long.
_AT_ONCE = 50
# How many scripts may hand a name on to one another.
_STEPS = 6
_MODULE = re.compile(r"module\s*\.\s*(?=exports\b)")
_EXPORTS = re.compile(r"(?:module\s*\.\s*)?exports\b")
_WORD = re.compile(r"[\w$]+")
_CALLED = re.compile(r"\bfunction\s*\([^(){}]*\Z")
_ALL = re.compile(r"\*\s*as\s+\Z")
_LINE = 400
_REQUIRES = re.compile(r"=\s*require\s*\(\s*\Z")
# What a specifier may leave out: it leads to `a.mjs` only where it says so.
_UNWRITTEN = (".js", ".jsx")
# What compilers take instead of a script, where it stands beside that.
_SOURCES = {".js": (".ts", ".tsx"), ".jsx": (".tsx",), ".mjs": (".mts",), ".cjs": (".cts",)}
_HANDS = re.compile(r"\bexports\b|\brequire\s*\(|\bthis\b|\bdefineProperty\b")


class Modules:
    """For one question: shares its documents."""

    def __init__(self, context: Context) -> None:
        self._words, self._server, self._documents, self._deadline = context
        self._packages = context.words.packages()
        self._leads: dict[tuple[str, str], list[str]] = {}

    async def of(self, document: Document, take: Take) -> list[str]:
        """The files of the workspace that the specifier leads to."""
        near = take.specifier.startswith(".")
        asked = ("", joined(document.path, take.specifier)) if near else (document.path, take.specifier)
        if asked not in self._leads:
            self._leads[asked] = await self._lead(document, take)
        return self._leads[asked]

    async def importers(self, symbol: Symbol, paths: Iterable[str]) -> AsyncIterator[Site]:
        """Where one of these files imports the symbol by name from where it is declared."""
        main = symbol.main
        declaring = {one.path for one in symbol.declarations}
        own = self._documents.try_get(main.path)
        kept = main.parent is not None or main.local or own is None or exports_other(own, main.name)
        for path in sorted(paths) if not kept else ():
            document = self._documents.try_get(path) if path not in declaring else None
            if document is None or not takes_name(document, main.name):
                continue
            for take in takes(document):
                asked = take.imported and take.member == main.name
                if asked and not declaring.isdisjoint(await self.of(document, take)):
                    yield site_at(document, take.place)

    async def definitions(self, site: Site) -> list[Hit]:
        """What the server says; nothing where it refuses."""
        (hits,) = await self.all_definitions([site])
        return hits

    async def all_definitions(self, sites: Sequence[Site]) -> list[list[Hit]]:
        """The same of each: together they are answered many times faster than one by one."""
        await self._server.load({site.path for site in sites}, self._deadline)
        told: list[list[Hit]] = []
        for first in range(0, len(sites), _AT_ONCE):
            some = sites[first : first + _AT_ONCE]
            found = await _unless_refused(self._server.definitions(some, self._deadline))
            if not found and len(some) > 1:
                # Of which it refuses one.
                found = [await self.definitions(site) for site in some]
            told += found or [[]]
        return told

    async def members(self, site: Site) -> list[Hit]:
        """The members, listed by an outline or declared outside of the workspace, that the server takes what stands
        there for."""
        found = []
        for hit in await self._server.references([site], self._deadline):
            declared = await self.declared_at(hit) if self._words.holds(hit.path) else None
            if not self._words.holds(hit.path) or (declared and declared.kind in MEMBERS and not declared.local):
                found.append(hit)
        return found

    async def declared_at(self, hit: Hit) -> Declaration | None:
        """What an outline lists there."""
        document = self._documents.try_get(hit.path)
        if document is None:
            return None
        outline = (await self._server.outlines([document], self._deadline))[hit.path]
        declared = declaration_at(outline, hit.span.start)
        return declared if declared is not None and declared.position == hit.span.start else None

    async def origins(self, site: Site, *, value: bool = True) -> list[Hit]:
        """Where a place leads: past what only hands on what another place declares. value: also past what is declared
        there and given that value, `var a = b.c` of a required `b`, `exports.a = function b() {}`."""
        hits = await self.definitions(site)
        if len(hits) == 1 and site_of(hits[0]) != site and self._stands_for_all(hits[0]):
            # tsserver goes on from the import itself.
            hits = await self.definitions(site_of(hits[0])) or hits
        if not site.path.endswith(SCRIPTS):
            return hits or self._of_literal(site)
        for _ in range(_STEPS):
            # What the workspace hands on of a library is its own.
            own = any(self._words.holds(hit.path) for hit in hits)
            known = [site_of(hit) for hit in hits] if own else [site]
            further = [hit for one in known for hit in await self._further(one, value=value)]
            if not further or (own and not any(self._words.holds(hit.path) for hit in further)):
                break
            hits = further
        return hits

    def _of_literal(self, site: Site) -> list[Hit]:
        """The key of a literal that `this` is, in TypeScript without `noImplicitThis`."""
        document = self._documents.try_get(site.path)
        source = document.once(SourceText) if document is not None else None
        place = source.offset(site.position) if source is not None else 0
        if document is None or source is None or not source.text[:place].endswith("this."):
            return []
        return [_hit(document, key, name) for key, name in declared_as(document, place)]

    def _stands_for_all(self, hit: Hit) -> bool:
        """Whether that is the name in `import * as a`."""
        document = self._documents.try_get(hit.path)
        if document is None:
            return False
        source = document.once(SourceText)
        start = source.offset(hit.span.start)
        return _ALL.search(source.text, max(0, start - _LINE), start) is not None

    async def _further(self, site: Site, *, value: bool) -> list[Hit]:
        """Where the text leads from a place that only hands on: by an export, or by what is taken of a module."""
        document = self._documents.try_get(site.path) if site.path.endswith(SCRIPTS) else None
        if document is None or not self._words.holds(site.path) or not _HANDS.search(document.text):
            return []
        place = document.once(SourceText).offset(site.position)
        key = place + len(found[0]) if (found := _MODULE.match(document.once(SourceText).text, place)) else place
        later = declared_later(document, key)
        if later is not None:
            return [_hit(document, later.key, later.name)]
        for export in exports(document):
            if export.key == key and export.value is not None and (value or hands_on(document, export)):
                return await self._value(document, export.value, WHOLE)
        for take in _taken(document, value=value):
            if place in (take.place, take.local):
                return await self._of_module(document, take, take.member)
        if is_noted(document.once(SourceText).text, place):
            # Not all that comments name is known to all servers.
            word = word_at(document, site)
            local = [one.local for one in takes(document) if word and one.here == word]
            local += await self._own(document, place, word)
            return [hit for one in local if one is not None for hit in await self.definitions(site_at(document, one))]
        defined = defined_as(document, place)
        if defined is not None:
            outline = flatten((await self._server.outlines([document], self._deadline))[document.path])
            members = [one for one in outline if one.parent and (one.parent.name, one.name) == defined]
            return [_hit(document, document.once(SourceText).offset(one.position), one.name) for one in members]
        # To servers each `this.a = …` declares `a`.
        return [_hit(document, key, name) for key, name in declared_as(document, place)]

    async def _own(self, document: Document, place: int, word: str) -> list[int]:
        """Where the file declares a type that `function(A): B` names: some servers take A for a parameter."""
        source = document.once(SourceText)
        if not _CALLED.search(source.text, max(0, place - _LINE), place):
            return []
        outline = (await self._server.outlines([document], self._deadline))[document.path]
        return [source.offset(one.position) for one in outline if one.name == word]

    async def _value(self, document: Document, value: int, name: str) -> list[Hit]:
        """Where a name leads that stands for an export, or the member `name` of the module that it stands for."""
        for take in takes(document):
            if value in (take.place, take.local) and not (name and take.member):
                return await self._of_module(document, take, name or take.member)
        if name:
            return []
        here = site_at(document, value)
        leads = [one for one in await self.definitions(here) if not self._is_module(one)]
        # A function's or class' own name declares it.
        return [one for one in leads if site_of(one) != here] or leads

    def _is_module(self, hit: Hit) -> bool:
        """Whether a server names no declaration, but where the module exports something."""
        document = self._documents.try_get(hit.path)
        if document is None:
            return False
        source = document.once(SourceText)
        return _EXPORTS.match(source.text, source.offset(hit.span.start)) is not None

    async def _of_module(self, document: Document, take: Take, name: str) -> list[Hit]:
        """The places that export a name of the module, past those that hand on all of another one."""
        found: list[Hit] = []
        for module in await self.of(document, take):
            script = self._documents.try_get(module) if module.endswith(SCRIPTS) else None
            if script is None:
                continue
            told = exports(script)
            own = [one for one in told if one.name == name and (name or one.value is not None)]
            if own:
                found.append(_hit(script, own[-1].key, name or "exports"))
                continue
            if not name:
                found.append(Hit(module, Span(Position(1, 1), Position(1, 1))))
            wholes = [one.value for one in told if one.name in (WHOLE, ALL) and one.value is not None]
            for value in wholes if name else ():
                found += await self._value(script, value, name)
        return found

    async def _lead(self, document: Document, take: Take) -> list[str]:
        if take.specifier.startswith("."):
            script = self._beside(document.path, take.specifier)
            if script is not None:
                return [script]
        elif not self._packages.leads_inside(take.specifier):
            return []
        hits = await self.definitions(site_at(document, take.module + 1))
        leads = [hit.path for hit in hits if hit.path != document.path and self._words.holds(hit.path)]
        # Declarations that a package.json names tell again what the script beside them exports.
        told = [script for one in leads if one.endswith(DECLARATIONS) for script in beside(one)]
        return leads + [one for one in told if one not in leads and self._words.holds(one)]

    def _beside(self, path: str, specifier: str) -> str | None:
        """The script that a path leads to, or the source beside it that compilers take instead, unless a package.json
        decides on it."""
        module = joined(path, specifier)
        likely = [module, *(module + ending for ending in _UNWRITTEN)]
        if module not in self._packages.folders.values():
            likely += [f"{module}/index{ending}" for ending in _UNWRITTEN]
        script = next((one for one in map(self._words.real, likely) if self._words.holds(one)), None)
        if script is None:
            return None
        stem, ending = os.path.splitext(script)
        endings = _SOURCES.get(ending, ())
        return next((one for one in (f"{stem}{each}" for each in endings) if self._words.holds(one)), script)


def imports_name(document: Document, name: str) -> bool:
    """Whether an import or a list of exports may hold it."""
    return any(name in document.text[first:last] for first, last in document.once(imports))


def takes_name(document: Document, name: str) -> bool:
    """Whether an import takes it of a module."""
    found = (document.text[first:last] for first, last in document.once(imports))
    clauses = (one.rpartition("from")[0] for one in found if name in one and one.lstrip().startswith("import"))
    word = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
    return any(word.search(one.replace(f"* as {name}", "")) for one in clauses)


def takes_unrenamed(document: Document, name: str) -> bool:
    """Whether an import takes what a module exports by that name, and calls it so."""
    return any(take.imported and take.member == take.here == name for take in takes(document))


async def _unless_refused(asked: Awaitable[list[Answered]]) -> list[Answered]:
    try:
        return await asked
    except LanguageServerError as error:
        if error.code != "request_refused":
            raise
        return []


def joined(path: str, specifier: str) -> str:
    """The path that a relative specifier in a file means."""
    return os.path.normpath(os.path.join(os.path.dirname(path), specifier))


def _hit(document: Document, offset: int, name: str) -> Hit:
    return Hit(document.path, document.once(SourceText).span(offset, offset + len(name)))


def _taken(document: Document, *, value: bool) -> list[Take]:
    """Also by the names of whole modules. value: with the variables that have what is taken so."""
    found = takes(document)
    wholes = [one for one in found if one.here and not one.member]
    if not value:
        # `__importStar(require("a"))` and `await import("a")` make a variable of its own.
        found = [one if one.imported or is_import(document, one) else one._replace(local=None) for one in found]
    parts = [take for whole in wholes for _, take in taken_of(document, whole)]
    return [*found, *(parts if value else (one._replace(local=None) for one in parts if one.local != one.place))]


def is_import(document: Document, take: Take) -> bool:
    """Whether it is `a = require("b")`, which is an import to compilers."""
    before = document.once(SourceText).text[max(0, take.module - _LINE) : take.module - 1]
    return _REQUIRES.search(before) is not None


def site_of(hit: Hit) -> Site:
    return Site(hit.path, hit.span.start)


def site_at(document: Document, offset: int) -> Site:
    return Site(document.path, document.once(SourceText).position(offset))


def word_at(document: Document, site: Site) -> str:
    source = document.once(SourceText)
    found = _WORD.match(source.text, source.offset(site.position))
    return found[0] if found else ""
