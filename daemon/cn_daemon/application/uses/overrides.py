"""Members that a call by the name of another may reach when the program runs.

Through a value that is only known as its base class, trait or interface, that one's member is called by name. One rule
for every language: the uses of a member are also those of what it overrides or implements, and those of what overrides
or implements it; not those of its siblings. Where a server tells them by itself, there is nothing to do here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from cn_daemon.application.context import Context
from cn_daemon.application.documents import Documents
from cn_daemon.application.ports import Hit, Site, TellsImplementations
from cn_daemon.application.symbols.resolve import Resolver
from cn_daemon.domain.declarations.outline import MEMBERS, Declaration
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.mentions.python_types import PythonTypes
from cn_daemon.domain.python_modules import ENDINGS
from cn_daemon.domain.source.form_table import Form
from cn_daemon.domain.source.forms import form_of, parents
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document
from cn_shared.errors import LanguageServerError


class OverrideHierarchy:
    """Of one symbol, for one question."""

    def __init__(self, symbol: Symbol, resolver: Resolver, context: Context) -> None:
        self._symbol = symbol
        self._resolver = resolver
        _, self._server, self._documents, self._deadline = context
        # What it overrides or implements; in languages whose servers do not tell it, what does so to it as well.
        self.sites: set[Site] = set()
        # The first of these.
        self.above: dict[Site, Declaration] = {}
        # Its type and the ones above it; what these declare, and whether one of those could not be checked.
        self.types: set[Site] = set()
        self._members: set[str] = set()
        self.open = False
        self._known: dict[Site, bool] = {}

    async def gather(self) -> None:
        """Once, before `holds`. Raises what the language server's questions raise."""
        main, form = self._symbol.main, form_of(self._symbol.main.path)
        if form is None or main.parent is None or main.kind not in MEMBERS or main.kind == "Constructor":
            return
        if "above" in form.unreported:
            seen: set[Site] = set()
            for one in self._symbol.declarations:
                if one.parent is not None:
                    await self._above(one.parent, seen)
        if "below" in form.unreported and isinstance(self._server, TellsImplementations):
            sites = [Site(one.path, one.position) for one in self._symbol.declarations]
            try:
                hits = await self._server.implementations(sites, self._deadline)
            except LanguageServerError as error:
                # Where what is above is not read, each mention of another member is a doubt.
                if not form.loose or error.code != "unsupported_question":
                    raise
                hits = []
            self.sites.update(Site(hit.path, hit.span.start) for hit in hits)

    async def _above(self, declaration: Declaration, seen: set[Site]) -> None:
        # By place: what is local, a type parameter, is another object each time.
        place = Site(declaration.path, declaration.position)
        if place in seen:
            return
        seen.add(place)
        self.types.add(place)
        self._members.update(child.name for child in declaration.children)
        for site in self._bases(declaration):
            found = await self._resolver.symbols.defined(site)
            # A class that merges with an interface has what both declare.
            types = [one for symbol in found for one in symbol.declarations]
            self.open = self.open or not any(map(_is_known, types))
            for one in types:
                self._add(child for child in one.children if child.name == self._symbol.main.name)
                await self._above(one, seen)

    def _add(self, members: Iterable[Declaration]) -> None:
        self.above |= {Site(one.path, one.position): one for one in members}
        self.sites |= self.above.keys()

    def _bases(self, declaration: Declaration) -> Iterator[Site]:
        document, form = self._documents.try_get(declaration.path), form_of(declaration.path)
        if document is not None and form is not None:
            source = document.once(SourceText)
            for start, _ in parents(source.text, source.offset(declaration.name_span.end), form):
                yield Site(declaration.path, source.position(start))

    async def holds(self, target: Hit) -> bool:
        """Whether what is declared there is one of them."""
        site = Site(target.path, target.span.start)
        form = form_of(target.path)
        if site in self.sites or form is None or not form.protocol or not self._members:
            return site in self.sites
        if site not in self._known:
            self._known[site] = await self._fits(target, form)
        return self._known[site]

    @cached_property
    def _is_constant(self) -> bool:
        """Whether the symbol has no value that can be called: its class gives it constants alone."""
        main = self._symbol.main
        document = self._documents.try_get(main.path) if main.path.endswith(ENDINGS) else None
        if document is None:
            return False
        return document.once(PythonTypes).is_constant_field(document.once(SourceText).offset(main.position))

    async def _fits(self, target: Hit, form: Form) -> bool:
        """Whether the type of the symbol has all that a type asks for which need not be named to be implemented."""
        symbol = await self._resolver.symbols.at(target)
        above = symbol.main.parent if symbol is not None else None
        document = self._documents.try_get(above.path) if above is not None else None
        if symbol is None or above is None or document is None:
            return False
        if not _is_protocol(above, form, document) or (symbol.main.kind == "Method" and self._is_constant):
            return False
        return self.open or {child.name for child in above.children if child.kind == "Method"} <= self._members


def _is_known(declaration: Declaration) -> bool:
    """Whether it may tell what inherits from it all that it has."""
    # `Protocol` and `Generic` are no classes there.
    if declaration.children or declaration.path.endswith("/stdlib/typing.pyi"):
        return True
    return declaration.kind == "Class" and declaration.path.endswith(ENDINGS)  # elsewhere it is announced alone


def unnamed_heirs(symbol: Symbol, documents: Documents) -> str:
    """Why a type may be implemented by one that does not name it, or nothing."""
    main, form = symbol.main, form_of(symbol.main.path)
    document = documents.try_get(main.path)
    if form is None or document is None or not form.protocol:
        return ""
    types = [one for one in (main, main.parent) if one is not None and one.kind == "Class"]
    if not any(_is_protocol(one, form, document) for one in types):
        return ""
    return f"what fits a {form.protocol} without naming it is not told"


def unnamed_parents(symbol: Symbol) -> str:
    """Why a type may implement what it does not name, or nothing."""
    form = form_of(symbol.main.path)
    return form.unnamed_parents if form is not None else ""


def _is_protocol(declaration: Declaration, form: Form, document: Document) -> bool:
    source = document.once(SourceText)
    named = parents(source.text, source.offset(declaration.name_span.end), form)
    return any(source.text[start:end] == form.protocol for start, end in named)
