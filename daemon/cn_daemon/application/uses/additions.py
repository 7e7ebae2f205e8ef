"""What `declare module "a" { interface B {} }` adds to, where `a` only hands B on, and what adds to a symbol so.

The compiler has it by parts: for each such module it merges B with a copy, and tells nothing of that to one who asks at
B, or at what is added to another module, nor of B to one who asks there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator

from cn_daemon.application.documents import Documents
from cn_daemon.application.modules.modules import Modules, site_at, site_of, word_at
from cn_daemon.application.ports import Hit, Site
from cn_daemon.application.uses.candidates import Candidates
from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.specifiers import added, added_to
from cn_daemon.domain.source.text import occurrences

_ADDING = ("Interface", "Class", "Namespace", "Enum")
_MERGING = re.compile(r"\b(?:interface|namespace|class|enum)\s+(?:[\w$]+\s*\.\s*)*\Z")
_NEAR = 200


class Additions:
    """Of one symbol, for one question. merged: what else declares it; sites: where servers do not tell that. names: by
    which names."""

    def __init__(
        self,
        symbol: Symbol,
        documents: Documents,
        modules: Modules,
        candidates: Candidates,
        together: Callable[[str, str], bool],
    ) -> None:
        """together: whether a project that one of two files is at home in may hold both."""
        self._documents = documents
        self._modules = modules
        self._candidates = candidates
        self._together = together
        self._own = {Site(one.path, one.position) for one in symbol.declarations}
        self._may_be = symbol.main.kind in _ADDING and not symbol.main.local
        # Where it has been asked to what something belongs.
        self._asked: set[Site] = set()
        self._fresh = {Site(one.path, one.position) for one in symbol.declarations if is_added(one)}
        self.sites: dict[Site, None] = {}
        self.merged: set[Site] = set()
        self.names: set[str] = set()

    async def find(self, hits: Iterable[Hit], names: Collection[str], paths: Collection[str]) -> bool:
        """Whether there is more of it, after what the server told at all that is known."""
        if not self._may_be:
            return False
        known = self._own.union(self.sites, (site_of(hit) for hit in hits if hit.definition))
        asked = sorted({*self._fresh, *self._adding(names, paths)} - (known - self._own) - self._asked)
        self._asked.update(asked)
        before = len(self.sites)
        for site, leads in zip(asked, await self._modules.all_definitions(asked), strict=True):
            merged = set(map(site_of, leads))
            if len(merged) > 1 and site in merged and not merged.isdisjoint(known):
                self.sites |= dict.fromkeys(sorted(merged - known))
                self.merged |= merged - self._own
                places = ((self._documents.try_get(one.path), one) for one in merged)
                self.names.update(word_at(document, one) for document, one in places if document is not None)
        return len(self.sites) > before

    def _adding(self, names: Collection[str], paths: Collection[str]) -> Iterator[Site]:
        """Where these files may add to it."""
        for path in {one for name in names for one in self._candidates.naming(f"{name} declare module")}:
            document = self._documents.try_get(path) if path in paths else None
            if document is None or not document.once(added) or not self._is_near(path):
                continue
            text = document.once(SourceText).text
            for place in sorted(place for name in names for place in occurrences(text, name)):
                # What stands so in a comment leads nowhere.
                if _MERGING.search(text, max(0, place - _NEAR), place) and added_to(document, place):
                    yield site_at(document, place)

    def _is_near(self, path: str) -> bool:
        return any(self._together(path, one.path) for one in self._own)


def is_added(declaration: Declaration) -> bool:
    """Whether it stands in `declare module "a"`."""
    outer = declaration
    while outer.parent is not None:
        outer = outer.parent
    return outer is not declaration and outer.kind == "Module"
