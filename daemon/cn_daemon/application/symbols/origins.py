"""What the declarations that a build wrote were made of, where a server leads to these."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cn_daemon.application.context import Context
from cn_daemon.application.declared import declares, symbol_of
from cn_daemon.application.modules.exports import DEFAULT, default_at
from cn_daemon.application.modules.modules import imports_name, takes_unrenamed
from cn_daemon.application.ports import Site
from cn_daemon.application.symbols.built import EXPRESSION, Built, alike
from cn_daemon.application.symbols.pointing import identifier_at
from cn_daemon.domain.declarations.chains import chain_at, unnumbered
from cn_daemon.domain.declarations.outline import Declaration, flatten
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.source.components import is_component
from cn_daemon.domain.source.forms import form_of
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document

# How servers describe a member: `(method) Map<K, V>.get(key: K): V`.
_PART = r"\(\w+\) (?:[\w$]+\.)*(?P<whole>[\w$]+)(?:<.*?>)?"


class Origins:
    """For one question: shares its documents."""

    def __init__(self, context: Context) -> None:
        self._words, self._server, self._documents, self._deadline = context
        self._packages = context.words.packages()

    async def of(self, site: Site, symbol: Symbol) -> Symbol | None:
        """What is meant by a word where the server leads to this symbol; None where that is not known."""
        path = symbol.main.path
        if is_component(site.path):
            return symbol  # what leads there are no declaration maps
        built = Built(symbol, self._words, self._documents)
        if built.is_made:
            return await self._made_of(symbol, built)
        alone = self._words.holds(path) and form_of(path) is None and not self._server.together(site.path, path)
        return await self._beside(site, symbol, built) if alone else symbol

    async def _beside(self, site: Site, symbol: Symbol, built: Built) -> Symbol | None:
        """A declaration map may have led beside it: maps know no place for the keys of an object, those of bundlers
        none for any member."""
        document = self._documents.get(site.path)
        main, word = symbol.main, identifier_at(document, site.position)
        if not word or main.name == word:
            return symbol
        declaring = self._documents.get(main.path)
        outline = await self._outline(declaring)
        if main.local and main.kind != "Module":
            meant = [one for one in flatten(outline) if one.name == word and not one.local]
            return symbol_of(meant[0], outline, declaring) if len(meant) == 1 else None
        if takes_unrenamed(document, word):
            # Where the sources have moved on since they were built, a map leads to what stands there now.
            meant = [one for one in outline if one.name == word and one.exported]
            return symbol_of(meant[0], outline, declaring) if meant and not self._gives(main.path, word) else symbol
        if imports_name(document, word):
            return symbol
        inner = [one for one in main.walk() if one.name == word and not one.local]
        found = await self._members(site, word, built)
        if not found or [one.main for one in found] == inner:
            return symbol_of(inner[0], outline, declaring) if len(inner) == 1 else symbol
        return found[0] if len(found) == 1 else None

    def _gives(self, declaring: str, name: str) -> bool:
        """Whether an export of the package may give that name to something else."""
        owner = self._packages.owner(declaring)
        holding = (path for path in self._words.files_with(name) if self._packages.owner(path) == owner)
        documents = filter(None, map(self._documents.try_get, holding))
        return any(re.search(rf"\bas\s+{re.escape(name)}(?![\w$])", document.text) for document in documents)

    async def _members(self, site: Site, word: str, built: Built) -> list[Symbol]:
        """What the sources of a package declare by the name used there, in what the server says it is a part of."""
        told = await self._server.describe(site, self._deadline)
        part = re.match(_PART + rf"\.{re.escape(word)}(?![\w$])", told.signature) if told else None
        owner = self._packages.owner(built.path)
        found: dict[Declaration, Symbol] = {}
        for path in self._words.files_with(word):
            own = self._packages.owner(path) == owner and not built.wrote(path)
            source = self._documents.try_get(path) if own else None
            if source is None or not declares(source, word):
                continue
            outline = await self._outline(source)
            for one in flatten(outline):
                if one.name == word and not one.local and (part is None or one.containers[-1:] == (part["whole"],)):
                    symbol = symbol_of(one, outline, source)
                    found[symbol.main] = symbol
        return list(found.values())

    async def _made_of(self, symbol: Symbol, built: Built) -> Symbol:
        """The symbol of the sources, the one in the file whose path is most alike; the built one where several are."""
        main = symbol.main
        document = self._documents.get(main.path)
        around = chain_at(document, document.once(SourceText).offset(main.position)).around
        name = unnumbered(main.name)
        found: dict[int, list[Symbol]] = {}
        for source in built.sources():
            outline = await self._outline(source)
            one = next((one for one in flatten(outline) if (one.name, one.containers) == (name, around)), None)
            if one is not None and not one.local:
                found.setdefault(alike(source.path, main.path), []).append(symbol_of(one, outline, source))
            elif name == EXPRESSION and alike(source.path, main.path):
                found.setdefault(alike(source.path, main.path), []).extend(_default(source))
        nearest = found[max(found)] if found else []
        return nearest[0] if len(nearest) == 1 else symbol

    async def _outline(self, document: Document) -> list[Declaration]:
        return (await self._server.outlines([document], self._deadline))[document.path]


def _default(document: Document) -> Iterator[Symbol]:
    source = document.once(SourceText)
    default = DEFAULT.search(source.text)
    if default is not None and not default["name"]:
        yield Symbol((default_at(source, default, source.span(*default.span())),))
