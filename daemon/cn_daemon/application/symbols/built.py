"""Where a symbol stands in the declarations that a build wrote of its package, found by their texts.

Those of another symbol of that name are told apart by what they stand in, and by the file that they were made of.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cached_property
from itertools import takewhile

from cn_daemon.application.declared import declares
from cn_daemon.application.documents import Documents
from cn_daemon.application.modules.reach import FOLLOWED, OUTPUT, is_by_hand
from cn_daemon.application.ports import Site, Words
from cn_daemon.domain.declarations.chains import Chained, declared, unnumbered
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.source.reading import DECLARATIONS, SCRIPTS, SourceText
from cn_daemon.domain.source.specifiers import specifiers
from cn_daemon.domain.source.text import Document

# What builds call the value of `export default a()`.
EXPRESSION = "_default"
_ENDING = re.compile(r"\.(?:d\.)?([cm]?)[jt]sx?$")


class Built:
    """Of one symbol, for one question."""

    def __init__(self, symbol: Symbol, words: Words, documents: Documents) -> None:
        self._main = symbol.main
        self.path = symbol.main.path
        self._words = words
        self._packages = words.packages()
        self._owner = self._packages.owner(symbol.main.path)
        self._documents = documents
        self._outputs: dict[str, list[str]] = {}
        # Why uses in other packages may be missing, or nothing.
        self.doubt = self._unmade()

    def _unmade(self) -> str:
        """A symbol of what a build wrote, of which several sources may be the origin."""
        if next(self.sources(), None) is None:
            return ""
        told = self._documents.place(self.path)
        return f"which {unnumbered(self._main.name)} of its package a build wrote to {told} is not known"

    def sources(self) -> Iterator[Document]:
        """What declares the name of a symbol that a build wrote, and may be what this was made of."""
        name = unnumbered(self._main.name)
        name = "default" if name == EXPRESSION else name
        for path in self._words.files_with(name) if self.is_made else ():
            # Of scripts a repository may hold declarations that were written by hand.
            other = self._packages.owner(path) != self._owner or self.wrote(path)
            read = not other and not (path.endswith(SCRIPTS) and self._words.holds(self.path))
            document = self._documents.try_get(path) if read else None
            if document is not None and declares(document, name):
                yield document

    @cached_property
    def is_made(self) -> bool:
        """Whether a build wrote the symbol: of what the repository holds, only what its package.json leads to."""
        if self._owner is None or not self.wrote(self.path):
            return False
        held = self._words.holds(self.path)
        return not held or any(one.path == self.path for entry in self.every_entry() for one in self._behind(entry))

    def wrote(self, path: str) -> bool:
        """Whether a build of the symbol's package wrote these declarations: those that are sources are none's twins."""
        return self._packages.owner(path) == self._owner and self._is_output(path)

    def _made(self, path: str) -> bool:
        """Whether a build wrote it: declarations, or the script beside them, of TypeScript."""
        if not path.endswith(SCRIPTS) or self._main.path.endswith(SCRIPTS):
            return self.wrote(path)
        beside = (_ENDING.sub("", path) + ending for ending in DECLARATIONS)
        return any(self._words.holds(one) and self.wrote(one) for one in beside)

    def _is_output(self, path: str) -> bool:
        owner = self._packages.owner(path) if path.endswith(DECLARATIONS) else None
        if owner is None:
            return False
        if not self._words.holds(path):
            return True
        document = self._documents.try_get(path) if not OUTPUT.isdisjoint(path.removeprefix(owner).split("/")) else None
        return document is not None and not is_by_hand(document, owner)

    def entries(self, specifier: str) -> list[str]:
        """What a build wrote for a module of the package, as its package.json has it."""
        return [path for path in self.outputs(specifier) if self.wrote(path)]

    def every_entry(self) -> list[str]:
        """What a build may write for the modules of the package, as its package.json has them."""
        if self._owner is None:
            return []
        entries, ways = self._packages.entries, self._packages.ways
        named = (name for (folder, _), names in entries.items() if folder == self._owner for name in names)
        targets = (target for name in (self._owner, *named) for target in ways.get(name, ()))
        files = dict.fromkeys(path for target in targets for path in _files(target))
        return [path for path in files if self._words.stamp(path) is not None and self.wrote(path)]

    def outputs(self, specifier: str) -> list[str]:
        """What a build wrote for a module of any package of the workspace, as its package.json has it."""
        known = self._outputs.get(specifier)
        if known is None:
            files = (path for target in self._packages.targets(specifier) for path in _files(target))
            made = (path for path in dict.fromkeys(files) if self._is_output(path))
            known = self._outputs[specifier] = [path for path in made if self._words.stamp(path) is not None]
        return known

    def sites(self, entry: str) -> list[Site]:
        """The symbol, in what can be imported by a module that a build wrote: in the file that was made of its own, as
        their paths tell, else where it is alone of its kind."""
        found: list[Site] = []
        for document in self._behind(entry):
            held = self._main.name in document.text and self.wrote(document.path)
            sites = list(self._in(document)) if held else []
            kept = self._kept(document.path) if sites else -1
            if kept > 0:
                return sites
            found += sites if kept == 0 else []
        return found

    def _behind(self, entry: str) -> Iterator[Document]:
        """A module and all that it leads to, first what was most likely made of the symbol's own file."""
        own = _stem(self._main.path)
        found, ahead = {entry}, [entry]
        while ahead and len(found) < FOLLOWED:
            document = self._documents.try_get(ahead.pop())
            if document is None:
                continue
            yield document
            named = (name for name, _ in document.once(specifiers) if not name.startswith("."))
            fresh = {*document.once(_near), *(path for name in named for path in self.outputs(name))} - found
            found |= fresh
            ahead += sorted(fresh, key=lambda path: _stem(path) == own)

    def _in(self, document: Document) -> Iterator[Site]:
        source = document.once(SourceText)
        for one in declared(document, self._main.name):
            if self._is_like(one):
                yield Site(document.path, source.position(one.start))

    def _kept(self, built: str) -> int:
        """How much of the end of the symbol's own path is the end of this one; -1 where another file that declares the
        like has as much of it, or more."""
        own = alike(self._main.path, built)
        words = (self._main.name, *self._main.containers)
        near = ((alike(path, built), path) for path in self._words.files_with(self._main.name))
        for likeness, path in sorted((one for one in near if one[0] >= own), reverse=True):
            of_package = path != self._main.path and self._packages.owner(path) == self._owner
            document = self._documents.try_get(path) if of_package and not self._made(path) else None
            if document is None or not all(word in document.text for word in words):
                continue
            if any(self._is_like(one) for one in declared(document, self._main.name)):
                if likeness == own:
                    told, other = self._documents.place(built), self._documents.place(path)
                    self.doubt = f"{told} does not tell whose {self._main.name} it has: {other} declares one, too"
                return -1
        return own

    def _is_like(self, one: Chained) -> bool:
        return one.plain and one.around == self._main.containers


def alike(one: str, other: str) -> int:
    """How many names at the ends of two paths are the same, that of the file without its endings."""
    if _stem(one) != _stem(other):
        return 0
    folders = (os.path.dirname(path).split("/")[::-1] for path in (one, other))
    return 1 + sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(*folders, strict=False)))


def _stem(path: str) -> str:
    return _ENDING.sub("", os.path.basename(path))


def _near(document: Document) -> list[str]:
    """The declarations that the relative specifiers of a declaration file may lead to."""
    folder = os.path.dirname(document.path)
    near = (name for name, _ in document.once(specifiers) if name.startswith("."))
    return [path for name in near for path in _files(os.path.normpath(os.path.join(folder, name)))]


def _files(module: str) -> list[str]:
    ending = _ENDING.search(module)
    if ending:
        return [f"{module[: ending.start()]}.d.{ending[1]}ts"]
    return [f"{module}{beside}{one}" for beside in ("", "/index") for one in DECLARATIONS]
