"""Uses in types that servers know only at the place itself, or not at all: those that the comments of scripts name, and
what others name of a module, `import("a").b`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from cn_daemon.application.documents import Documents
from cn_daemon.application.modules.exports import exports_default
from cn_daemon.application.modules.modules import Modules, site_at, word_at
from cn_daemon.application.ports import Hit, Site
from cn_daemon.application.uses.commonjs import Exported, Taken
from cn_daemon.application.uses.programs import is_global
from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.mentions.noted import imported, mentioned, noted, of_modules
from cn_daemon.domain.mentions.taking import WHOLE, Take, takes
from cn_daemon.domain.source.brackets import brackets
from cn_daemon.domain.source.comments import namespaces_before
from cn_daemon.domain.source.forms import form_of
from cn_daemon.domain.source.reading import SCRIPTS, SourceText
from cn_daemon.domain.source.text import Document


class Noted:
    """For one symbol that stands at the top of its file. taken: grows by what is found."""

    def __init__(self, symbol: Symbol, taken: Taken, documents: Documents, modules: Modules) -> None:
        self._symbol = symbol
        self._taken = taken
        self._documents = documents
        self._modules = modules
        self._declared = {Site(one.path, one.position) for one in symbol.declarations}
        self._given = {Exported(symbol.main.path, symbol.main.name)}

    async def look(self, hits: Iterable[Hit], names: Collection[str], paths: Collection[str]) -> None:
        """In these files. hits: what is known. names: the symbol's own and those that exports give it."""
        if self._symbol.main.parent is not None:
            return
        main = self._documents.try_get(self._symbol.main.path)
        given = {one.name for one in self._taken.exported} - {WHOLE} | set(names)
        if main is not None and exports_default(main, set(names)):
            given.add("default")
            self._given.add(Exported(main.path, "default"))
        documents = [one for path in sorted(paths) if form_of(path) is None and (one := self._documents.try_get(path))]
        for document in documents:
            for take in of_modules(document):
                if take.member in given and await self._gives(document, take):
                    self._taken.uses[site_at(document, take.place)] = None
        if main is not None and is_global(self._symbol, main):
            await self._spaced(documents)
        commented = [one for one in documents if one.path.endswith(SCRIPTS) and "/**" in one.text]
        known: dict[str, set[Site]] = {}
        if not commented:
            return
        for site in {Site(hit.path, hit.span.start) for hit in hits} | self._declared | self._taken.uses.keys():
            known.setdefault(site.path, set()).add(site)
        for document in commented:
            imports = await self._imports(document)
            if document.path in known or imports:
                await self._named(document, known.get(document.path, set()), imports)

    async def _spaced(self, documents: Iterable[Document]) -> None:
        """In other files than that of a script which declares a type in a namespace for all: as `a.b.C`."""
        spaces = {one.path: spaces for one in self._symbol.declarations if (spaces := self._spaces(one))}
        for document in documents if spaces else ():
            if document.path in spaces:
                continue
            text, name = document.once(SourceText).text, self._symbol.main.name
            dotted = {(at, before) for before in spaces.values() for at in mentioned(text, f"{before}{name}")}
            sites = [site_at(document, at + len(before)) for at, before in sorted(dotted)]
            for site, leads in zip(sites, await self._modules.all_definitions(sites), strict=True):
                if any(Site(hit.path, hit.span.start) in self._declared for hit in leads):
                    self._taken.uses[site] = None

    def _spaces(self, declared: Declaration) -> str:
        """The `a.b.` in which a comment declares it."""
        document = self._documents.try_get(declared.path) if declared.path.endswith(SCRIPTS) else None
        if document is None:
            return ""
        source = document.once(SourceText)
        return namespaces_before(source.text, source.offset(declared.position))

    async def _imports(self, document: Document) -> set[str]:
        """The names by which comments of the file import it."""
        found = set()
        for take in imported(document):
            if await self._gives(document, take):
                self._taken.uses[site_at(document, take.place)] = None
                self._taken.uses[site_at(document, take.local or 0)] = None
                found.add(take.here)
        return found

    async def _gives(self, document: Document, take: Take) -> bool:
        given = self._given | self._taken.exported.keys()
        if any(Exported(module, take.member) in given for module in await self._modules.of(document, take)):
            return True
        # Other modules may hand it on.
        leads = await self._modules.definitions(site_at(document, take.place))
        return any(Site(hit.path, hit.span.start) in self._declared for hit in leads)

    async def _named(self, document: Document, known: set[Site], imports: set[str]) -> None:
        text = document.once(SourceText).text
        words = {word_at(document, site) for site in known} - {""} | imports
        # Of a variable, which is no type, comments name parts.
        part = all(one.kind in ("Constant", "Variable") for one in self._symbol.declarations)
        places = [(word, place) for word in sorted(words) for place in noted(text, word)]
        found = [(word, site_at(document, at)) for word, at in places if not part or text[at + len(word)] == "."]
        # The names that the file has for it.
        own = [one for one in self._symbol.declarations if one.path == document.path and not one.local]
        for one in own:
            if spaces := self._spaces(one):
                found += [(one.name, site_at(document, at + len(spaces))) for at in noted(text, f"{spaces}{one.name}")]
        fresh = [(word, site) for word, site in found if site not in known]
        if not fresh:
            return
        taken = {one.here for one in takes(document) if one.here and site_at(document, one.local or 0) in known}
        for word, site in fresh:
            named = word in taken | imports or any(one.name == word and _is_known(document, one, site) for one in own)
            if named and await self._may_lead(site):
                self._taken.uses[site] = None

    async def _may_lead(self, site: Site) -> bool:
        """Whether the server leads to the symbol from a place, or to nothing else."""
        leads = {Site(hit.path, hit.span.start) for hit in await self._modules.definitions(site)} - {site}
        return not leads or not leads.isdisjoint(self._declared)


def doubt(symbol: Symbol, documents: Documents) -> str:
    """Why a namespace may have more uses that a script declares in a comment alone, `@typedef {…} a.b.C`: servers tell
    other ones, each. Or nothing."""
    main = symbol.main
    document = documents.try_get(main.path) if main.kind == "Namespace" and main.path.endswith(SCRIPTS) else None
    if document is None or not main.local:
        return ""
    text = document.once(SourceText).text
    start = document.once(SourceText).offset(main.position)
    if text.rfind("/**", 0, start) <= text.rfind("*/", 0, start):
        return ""
    where = documents.place(main.path, main.position.line)
    return f"the language server does not say all uses of {main.name}, a namespace that a comment declares ({where})"


def _is_known(document: Document, declared: Declaration, site: Site) -> bool:
    """Whether the name may stand there for it: that of a class or a function that is a value is known in it alone."""
    script = brackets(document)
    at = script.at(document.once(SourceText).offset(declared.position))
    value = script.text(at - 1) in ("class", "function") and script.text(at - 2) == "="
    return not value or declared.span.holds(site.position)
