"""Uses of what a script exports by assignment (`exports.a = a`), which servers leave out of the references or do not
know at all: what files hand on and take is read from their text, and followed from module to module.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

from cn_daemon.application.declared import beside
from cn_daemon.application.documents import Documents
from cn_daemon.application.modules.exports import passes_on
from cn_daemon.application.modules.modules import Modules, is_import, site_at, site_of, word_at
from cn_daemon.application.ports import Hit, Site
from cn_daemon.application.symbols.built import is_bound
from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.mentions.exporting import (
    Export,
    declared_later,
    exports,
    is_common,
    is_exported,
    made_of,
    own_takes,
)
from cn_daemon.domain.mentions.own_members import defined_properties, holder_of, own_mentions
from cn_daemon.domain.mentions.taking import (
    ALL,
    WHOLE,
    Take,
    all_of,
    declared_again,
    held_as,
    members_called,
    required,
    taken_from,
    taken_of,
    takes,
)
from cn_daemon.domain.source.reading import DECLARATIONS, SCRIPTS, SourceText
from cn_daemon.domain.source.text import Document, Position, occurrences

# Of so many places one question asks whether a part of something is taken there.
CHECKS = 300
# What may take from a script.
TAKERS = (*SCRIPTS, ".ts", ".tsx", ".mts", ".cts")
_EXPORTS = re.compile(r"\bexports\b")
_REQUIRES = re.compile(r"\brequire\s*\(")
_TAKES = re.compile(r"\brequire\s*\(|\bimport\b")
_TYPED = re.compile(r"@type\b")
_EXPORTED = re.compile(r"^export\s*=\s*([\w$]+)", re.MULTILINE)


class Exported(NamedTuple):
    """What a module gives the symbol out as: name is WHOLE where it is the module itself."""

    path: str
    name: str


class Taken:
    """For one symbol. uses: those that were found. follow: further places to ask for references. exported: by what
    modules it is given out. doubt: why there may be more, or nothing."""

    def __init__(self, symbol: Symbol, documents: Documents, modules: Modules) -> None:
        self.uses: dict[Site, None] = {}
        self.follow: dict[Site, None] = {}
        self.exported: dict[Exported, None] = {}
        # The places of the names by which it is handed on, and of those whose module is a part of something; which is
        # held by these names.
        self._names: dict[Exported, Site] = {}
        self._parts: dict[Exported, Site] = {}
        self._held: set[str] = set()
        self._asked: set[Site] = set()
        self.doubt = ""
        self._documents = documents
        self._modules = modules
        self._declarations = symbol.declarations
        self._declared = {Site(one.path, one.position) for one in symbol.declarations}
        self._name = symbol.main.name
        self._member = symbol.main.parent is not None
        # Or of what a literal may have for its type: where a class is meant, `this` is known.
        self._of_literal = symbol.main.parent is not None and symbol.main.parent.kind != "Class"
        self._hits: list[Hit] = []
        # Where they and the declarations stand, when somebody has asked.
        self._told: set[Site] = set()
        # What servers lead to from what is taken of modules.
        self._led: dict[tuple[tuple[str, ...], str], bool] = {}
        # Of what a script exports by an assignment that declares it.
        self._keys: set[tuple[str, str]] = set()
        # What declares something else.
        self._elsewhere: set[Site] = set()
        # What files without assigned exports export may be required. Servers know who imports it.
        self._plain = self._script(symbol.main.path) is None
        if self._plain and not self._member:
            self.exported[Exported(symbol.main.path, symbol.main.name)] = None
        # The modules that it is as a whole by `export = a`, with the scripts that such declarations tell again.
        self._whole = set() if self._member else self._wholly_exported()
        # To servers what a pattern takes is what it declares as well: in other files they tell of that one.
        main = documents.try_get(symbol.main.path)
        self._bound = not self._plain and is_bound(symbol, main)
        self._called: Collection[str] = ()
        # By what names scripts export what it makes, and names of files that stand for that, whatever servers say.
        self._made: set[str] = set()
        self._others: set[tuple[str, str]] = set()

    def _wholly_exported(self) -> set[str]:
        declaring = {one.path for one in self._declarations if one.path.endswith(DECLARATIONS)}
        documents = filter(None, map(self._documents.try_get, sorted(declaring)))
        whole = [one.path for one in documents if self._name in _EXPORTED.findall(one.text)]
        return {*whole, *(script for path in whole for script in beside(path))}

    def add(self, hits: list[Hit]) -> None:
        """What scripts hand on by name, where the symbol is declared or used."""
        self._hits, self._told = hits, set()
        self._led.clear()
        scripts = self._scripts({hit.path for hit in hits} | {site.path for site in self._declared})
        sites = self._known(hits) if scripts else set()
        for path, document in scripts.items():
            source = document.once(SourceText)
            for one in self._declarations:
                if one.path == path and is_exported(document, holder_of(document, source.offset(one.position))):
                    self.exported[Exported(path, one.name)] = None
                    self.uses.update({site_at(document, place): None for place in own_takes(document, one.name)})
            here = {source.offset(site.position): site for site in sites if site.path == path}
            for export in exports(document) if not self._bound or path == self._declarations[0].path else ():
                # `{ a }` is as much a use of the variable.
                declares = here.get(export.key) in self._declared and export.key != export.value
                if declares or (export.value is not None and export.value in here and not self._member):
                    self._export(document, export, declares=declares)
                elif export.value is None and any(one in here for one in made_of(document, export)):
                    self._made.add(export.name)

    async def look(self, paths: Collection[str], names: Collection[str]) -> None:
        """In these files, until no further module gives it out. names: its own and those that exports give it."""
        self._called = names
        if not self.exported and not self._made:
            return
        endings, takes_some = (SCRIPTS, _REQUIRES) if self._plain else (TAKERS, _TAKES)
        held = sorted({*paths, *(hit.path for hit in self._hits if self._made)})
        likely = [one for path in held if path.endswith(endings) and (one := self._documents.try_get(path))]
        takers = [one for one in likely if takes_some.search(one.text)]
        known = -1
        while known < len(self.exported):
            known = len(self.exported)
            for document in takers:
                names = {*(one.name for one in self.exported), *self._made, *self._called}
                for take in takes(document):
                    if (take.member in names or not take.member) and not (take.imported and self._plain):
                        await self._take(document, take)
        if self._parts:
            await self._of_parts(likely)

    async def _of_parts(self, documents: Iterable[Document]) -> None:
        """What is taken of a module that is a part of something, `a.b.c`, is known to servers where it is taken."""
        ends = {*self._known(self._hits), *self._parts.values()}
        names = {one.name for one in self._parts}
        for document in (one for one in documents if any(members_called(one, held) for held in self._held)):
            for site in [site_at(document, place) for name in names for place in members_called(document, name)]:
                if site in ends or site in self.uses or site in self._asked:
                    continue
                if len(self._asked) == CHECKS:
                    self.doubt = f"what exports it is a part of something: more than {CHECKS} places may use it"
                    return
                self._asked.add(site)
                leads = await self._modules.definitions(site)
                if any(site_of(hit) in ends for hit in leads):
                    self.uses[site] = None
                elif (
                    not leads
                    and (held := taken_from(document, document.once(SourceText).offset(site.position))) in self._held
                ):
                    where = self._documents.place(site.path, site.position.line)
                    self.doubt = f"the language server does not say what is taken of {held} in {where}"

    async def own(self, hits: Iterable[Hit]) -> None:
        """By `this`, or by the object itself, where it is a member of one, or where its property is defined."""
        for hit in hits if self.follow else ():
            # Of a name that a script takes the server may tell what the declarations beside the other script say.
            declaring = hit.path.endswith(DECLARATIONS) and site_of(hit) not in self._declared
            if declaring and await self._modules.declared_at(hit) is not None:
                self._elsewhere.add(site_of(hit))
        declared_here = [one for one in self._declarations if one.path.endswith(SCRIPTS)]
        known = self._known(hits) if declared_here or self._of_literal else set()
        for declared in declared_here:
            document = self._documents.try_get(declared.path)
            if document is None or _has_type(document, declared.parent):
                continue
            if declared.parent is not None:
                sites = defined_properties(document, declared.parent.name, declared.name)
                self.uses.update({site: None for one in sites if (site := site_at(document, one)) not in known})
            place = document.once(SourceText).offset(declared.position)
            mentions = {site_at(document, one.place): one for one in own_mentions(document, place)}
            lost = [one for one in mentions if one not in known]
            for site, leads in zip(lost, await self._modules.all_definitions(lost), strict=True):
                if not set(map(site_of, leads)) <= mentions.keys() | self._declared:
                    continue
                if mentions[site].sure:
                    self.uses[site] = None
                elif not self.doubt:
                    where = self._documents.place(site.path, site.position.line)
                    self.doubt = f"`this` may be {mentions[site].holder} in {where}, where the name is used"
        for path in {site.path for site in known} if self._of_literal else ():
            document = self._documents.try_get(path) if not path.endswith(SCRIPTS) else None
            if document is not None and f"this.{self._name}" in document.text:
                await self._of_literals(document, known)

    async def _of_literals(self, document: Document, known: set[Site]) -> None:
        """By `this` in the methods of literals in TypeScript: without `noImplicitThis` the compiler does not know it
        there, and does in a project that has the option and comes to hold the file."""
        source = document.once(SourceText)
        called = (start + len("this.") for start in occurrences(source.text, f"this.{self._name}"))
        lost = {place for place in called if site_at(document, place) not in known}
        keys = [source.offset(site.position) for site in known if site.path == document.path] if lost else []
        mentions = (one for key in keys if source.text[key - 1] != "." for one in own_mentions(document, key))
        for site in {site_at(document, one.place) for one in mentions if one.sure and one.place in lost}:
            if not await self._modules.definitions(site):
                self.uses[site] = None

    def among(self, hits: list[Hit]) -> list[Hit]:
        """These without what only names an export, and the uses that are not among them."""
        if self._others or self._elsewhere or self._scripts({hit.path for hit in hits}):
            hits = [hit for hit in hits if not self._only_exports(hit) and not self._is_other(hit)]
            hits = [hit for hit in hits if site_of(hit) not in self._elsewhere]
        there = set(map(site_of, hits)) if self.uses else set()
        found = []
        for site in self.uses:
            document = self._documents.try_get(site.path) if site not in there else None
            if document is not None:
                source = document.once(SourceText)
                start = source.offset(site.position)
                found.append(Hit(site.path, source.span(start, start + len(word_at(document, site)))))
        return [*hits, *found]

    def _only_exports(self, hit: Hit) -> bool:
        """Whether a name only says by what a module exports what another name stands for."""
        document = self._script(hit.path)
        if document is None:
            return False
        place = document.once(SourceText).offset(hit.span.start)
        name = next((one.name for one in exports(document) if one.key == place), None)
        if declared_later(document, place) is not None:
            return True
        # What is assigned to it again is a use.
        return (hit.path, name) not in self._keys and any(
            one.name == name and one.value not in (None, one.key) for one in exports(document)
        )

    def _is_other(self, hit: Hit) -> bool:
        document = self._documents.try_get(hit.path) if self._others else None
        return document is not None and (hit.path, document.at(hit.span)) in self._others

    def _known(self, hits: Iterable[Hit]) -> set[Site]:
        return {*map(site_of, hits), *self._declared}

    def _scripts(self, paths: Iterable[str]) -> dict[str, Document]:
        return {path: document for path in paths if (document := self._script(path)) is not None}

    def _script(self, path: str) -> Document | None:
        document = self._documents.try_get(path) if path.endswith(SCRIPTS) else None
        common = document is not None and _EXPORTS.search(document.text) and is_common(document)
        return document if common else None

    def _export(self, document: Document, export: Export, *, declares: bool = False) -> None:
        exported = Exported(document.path, export.name)
        self.exported[exported] = None
        if declares:
            self._keys.add((document.path, export.name))
        elif export.name:
            self._names[exported] = site_at(document, export.key)
        self.uses.update({site_at(document, place): None for place in own_takes(document, export.name)})
        if export.key == export.value and not declares:
            self.uses[site_at(document, export.key)] = None

    async def _take(self, document: Document, take: Take) -> None:
        modules = await self._modules.of(document, take)
        if not take.member and not self._whole.isdisjoint(modules):
            # Servers know who requires it. Of what hands it on, `exports.b = require("a")`, they know not the name.
            self._hand_on(document, take)
        names = {one.name for one in self.exported if one.path in modules}
        # The compiler reads the declarations beside a script, and they may hand on what another file declares.
        declared = any(map(self._modules.is_declared, modules))
        asked = not names and self._plain and (declared or any(map(self._passes_on, modules)))
        if asked:
            names = {*self._called, *(one.name for one in self.exported)}
        # Only what runs takes it of the script as well.
        unsure = asked or (declared and not document.path.endswith(SCRIPTS))
        if take.member in names:
            if not unsure or await self._leads(document, take, told=not asked):
                self._use(document, take, stands=take.imported or _is_import(document, take))
        elif names and not take.member and take.local is not None:
            await self._take_of(document, take, names, tuple(modules) if asked else ())
        elif self._makes_another(modules, take.member):
            self._others.add((document.path, take.here))
        for _, part in taken_of(document, take) if self._made and not take.member else ():
            if part.member not in names and self._makes_another(modules, part.member):
                self._others.add((document.path, part.member))
        if names and not asked and not take.member:
            if self._hands_on_all(document, take):
                self.exported.update({Exported(document.path, name): None for name in names if name})
            elif held := held_as(document, take):
                self._held |= held
                given = [one for one in self.exported if one.name and one.path in modules]
                self._parts.update({one: self._names.get(one, next(iter(self._declared))) for one in given})

    def _passes_on(self, module: str) -> bool:
        """Whether it may export what another module does: `export * from "a"`."""
        document = self._documents.try_get(module)
        return document is not None and passes_on(document)

    def _hands_on_all(self, document: Document, whole: Take) -> bool:
        """`module.exports = require("a")`, `{ ...require("a") }`, or the name that it was given there."""
        stands = {whole.place, *(place for place in all_of(document, whole))}
        return any(one.name in (ALL, WHOLE) and one.value in stands for one in self._exports(document))

    def _makes_another(self, modules: Iterable[str], name: str) -> bool:
        """Whether a script exports what it makes: servers take `exports.b = a()` for `exports.b = a`."""
        scripts = filter(None, map(self._script, modules))
        found = [one for document in scripts for one in exports(document) if one.name == name]
        return bool(found) and all(one.value is None for one in found)

    async def _take_of(self, document: Document, whole: Take, names: Collection[str], asked: tuple[str, ...]) -> None:
        """asked: the modules that the server knows more of than their text tells."""
        shadowed = declared_again(document, whole)
        for place, take in taken_of(document, whole):
            if take.member not in names or (shadowed and await self._is_another(document, place, whole)):
                continue
            if not asked or await self._is_led(document, take, asked):
                # A pattern makes a variable of its own of it.
                self._use(document, take, stands=False)

    async def _is_led(self, document: Document, take: Take, modules: tuple[str, ...]) -> bool:
        """The same of each place at which a member of these modules is taken that the server does not tell of; one is
        asked about."""
        self._told = self._told or self._known(self._hits)
        if site_at(document, take.place) in self._told:
            return False
        if (modules, take.member) not in self._led:
            self._led[modules, take.member] = await self._leads(document, take)
        return self._led[modules, take.member]

    async def _leads(self, document: Document, take: Take, *, told: bool = False) -> bool:
        """Whether the server leads from what is taken to the symbol, or to what hands it on. told: also where it has
        told that, or leads nowhere."""
        site = site_at(document, take.place if take.member else take.local or take.place)
        known = self._told = self._told or self._known(self._hits)
        if site in known and not told:
            return False
        leads = await self._modules.definitions(site)
        return any(site_of(hit) in known for hit in leads) or (told and not leads)

    async def _is_another(self, document: Document, place: int, whole: Take) -> bool:
        """Whether the file declares the name anew around that place."""
        leads = await self._modules.definitions(site_at(document, place))
        local = site_at(document, whole.local or 0)
        return any(hit.path == local.path and hit.span.start != local.position for hit in leads)

    def _use(self, document: Document, take: Take, *, stands: bool) -> None:
        """stands: whether the name that it is bound to is one for it."""
        if take.member:
            self.uses[site_at(document, take.place)] = None
        if stands and take.local is not None:
            self.uses[site_at(document, take.local)] = None
            self.follow[site_at(document, take.local)] = None
        self._hand_on(document, take)

    def _hand_on(self, document: Document, take: Take) -> None:
        for export in self._exports(document):
            if export.value == take.place and export.name != ALL:
                self._export(document, export)

    def _exports(self, document: Document) -> list[Export]:
        return exports(document) if self._script(document.path) is not None else []


def _is_import(document: Document, take: Take) -> bool:
    """Whether what requires it is an import: `await import("a")` makes a variable of its own, in TypeScript `require`
    as well."""
    script = document.path.endswith(SCRIPTS)
    return is_import(document, take) and (script or all(one.place != take.place for one in required(document)))


def _has_type(document: Document, holder: Declaration | None) -> bool:
    """Whether a comment says what the members of a variable are."""
    if holder is None or holder.kind == "Class":
        return False
    source = document.once(SourceText)
    head = source.text[: source.offset(Position(holder.position.line, 1))].rstrip()
    return head.endswith("*/") and _TYPED.search(head, max(0, head.rfind("/**"))) is not None
