"""What modules of TypeScript take by `require("a").b`, and of themselves by `exports.b`: to compilers that is any, to
who reads it, and to what runs, `b`."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Collection, Iterable

from cn_daemon.application.documents import Documents
from cn_daemon.application.locations import by_file
from cn_daemon.application.modules.exports import DEFAULT, exported_names
from cn_daemon.application.modules.modules import Modules, site_at, site_of
from cn_daemon.application.modules.reach import Reach
from cn_daemon.application.ports import Hit, Site
from cn_daemon.application.uses.untold import Untold
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.mentions.exporting import own_takes
from cn_daemon.domain.mentions.taking import Take, declared_again, required, taken_of
from cn_daemon.domain.source.brackets import brackets
from cn_daemon.domain.source.reading import SCRIPTS, SourceText
from cn_daemon.domain.source.text import Document

# What such a file holds as a word.
SIGNS = ("require", "exports")
# Few that do take anything so: the others, whose comments require something, are not read word by word.
_REQUIRES = re.compile(r"require\s*[(<]")
_OWN = re.compile(r"exports\s*\.")
_DEFAULTS = re.compile(
    r"export\s+default\s+(?:abstract\s+|async\s+)?(?:class|interface|function\s*\*?)\s+(?P<name>[\w$]+)"
)
_ALL = re.compile(r"export\s*\*\s*from\s*(?P<quote>['\"])(?P<name>[^'\"\n]+)(?P=quote)")


class Required(Untold):
    """For one symbol."""

    def __init__(self, symbol: Symbol, documents: Documents, modules: Modules, reach: Reach) -> None:
        super().__init__(symbol, documents, modules)
        self._reach = reach
        # By which names modules give it out.
        self._given: dict[str, set[str]] = {}

    async def look(self, hits: Collection[Hit], paths: Iterable[str]) -> None:
        """In these files. hits: what is known."""
        main = self._symbol.main
        if main.parent is not None or main.local or main.path.endswith(SCRIPTS):
            return
        read = (self._documents.try_get(path) for path in sorted(paths) if not path.endswith(SCRIPTS))
        documents = list(filter(None, read))
        if not documents:
            return
        self._given = self._exported(hits)
        known = {*map(site_of, hits), *(Site(one.path, one.position) for one in self._symbol.declarations)}
        for document in documents:
            source = document.once(SourceText)
            for place, name in sorted((await self._places(document)).items()):
                if site_at(document, place) not in known:
                    self.uses.append(Hit(document.path, source.span(place, place + len(name))))

    def _exported(self, hits: Iterable[Hit]) -> dict[str, set[str]]:
        given: dict[str, set[str]] = {}
        for one in self._symbol.declarations:
            given.setdefault(one.path, set()).update([one.name] if one.exported else ())
        for path, here in by_file(hits).items():
            document = self._documents.try_get(path)
            if document is not None and "export" in document.text:
                words = {document.at(hit.span) for hit in here if hit.span.start.line == hit.span.end.line}
                given.setdefault(path, set()).update(words & document.once(exported_names))
        for path, names in given.items():
            document = self._documents.try_get(path)
            if document is not None and _is_default(document, {*names, self._symbol.main.name}):
                names.add("default")
        return given

    async def _places(self, document: Document) -> dict[int, str]:
        """Where it is taken, and by which name."""
        found: dict[int, str] = {}
        if _OWN.search(document.text):
            found = {place: name async for place, name in self._own(document)}
        for take in required(document) if _REQUIRES.search(document.text) else ():
            modules = [one for one in self._reach.lead(document.path, take.specifier) if not one.endswith("/")]
            whole = take.here and not take.member
            for place, part in taken_of(document, take) if whole else ((take.place, take),):
                given = part.member and any(self._gives(one, part.member, set()) for one in modules)
                if given and (not whole or await self._is_module(document, place, take)):
                    found[part.place] = part.member
        return found

    async def _own(self, document: Document) -> AsyncIterator[tuple[int, str]]:
        """The same of what it exports itself, unless it calls something else so."""
        script = brackets(document)
        for name in self._given.get(document.path, ()):
            for place in own_takes(document, name):
                exports = script.words[script.at(place) - 2].start
                leads = await self._modules.definitions(site_at(document, exports))
                if all(hit.path != document.path for hit in leads):
                    yield place, name

    async def _is_module(self, document: Document, place: int, take: Take) -> bool:
        """Whether the name there is what the file calls what it takes."""
        if take.local is None or not declared_again(document, take):
            return True
        here, there = await self._modules.all_definitions([site_at(document, one) for one in (place, take.local)])
        return not {*map(site_of, here)}.isdisjoint(map(site_of, there))

    def _gives(self, module: str, name: str, passed: set[str]) -> bool:
        """Whether a module exports it by that name, or all of one that does."""
        if name in self._given.get(module, ()):
            return True
        passed.add(module)
        document = self._documents.try_get(module)
        handed = [one["name"] for one in _ALL.finditer(document.text)] if document and name != "default" else []
        ahead = {place for one in handed for place in self._reach.lead(module, one)} - passed
        return any(self._gives(one, name, passed) for one in ahead)


def _is_default(document: Document, names: Collection[str]) -> bool:
    """Whether what has one of these names in a module is its default, and no part of it."""
    if any((one["name"] or one["word"]) in names for one in DEFAULT.finditer(document.text)):
        return True
    return any(one["name"] in names for one in _DEFAULTS.finditer(document.text))
