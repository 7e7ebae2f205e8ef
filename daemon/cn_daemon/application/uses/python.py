"""The uses of a Python symbol beside its identifiers.

Of every symbol: fixtures by parameter, entry points, what no server reads. Of members, which names do not decide:
strings that name them (`patch("app.svc.A.go")`, `patch.object(A, "go")`, `Color["RED"]`). What a member is looked up in
is asked of the server; what it does not know is a doubt. Modules of one name are looked at here too.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable

from cn_daemon.application.by_names import ByNames
from cn_daemon.application.context import Context
from cn_daemon.application.locations import by_file
from cn_daemon.application.ports import Hit, Site
from cn_daemon.application.uses.class_hierarchy import Member
from cn_daemon.application.uses.doubts import Doubts
from cn_daemon.application.uses.fixtures import Fixtures, giver
from cn_daemon.application.uses.homonyms import Homonyms
from cn_daemon.application.uses.receivers import Receivers
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.mentions.embedded import is_bare
from cn_daemon.domain.mentions.notebooks import lines_with
from cn_daemon.domain.mentions.python_text import FIXTURE, PythonText, Spelling
from cn_daemon.domain.mentions.python_types import PythonTypes
from cn_daemon.domain.python_modules import ENDINGS, MANIFESTS, SAME_NAME, UNREAD, module_names
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document, Position, Span

# What is called to look a name up in something, whatever that is.
_LOOKING_UP = re.compile(r"attr|methodcaller|^object$|^spy$|^stub$|^patch")
_BEGINNING = Position(1, 1)


class PythonUses:
    """For one question: shares its documents. uses: the further ones. doubts: those that are left by
    now; it takes further ones. names: what they decide."""

    def __init__(
        self, symbol: Symbol, doubts: Doubts, homonyms: Homonyms, receivers: Receivers, names: ByNames, context: Context
    ) -> None:
        self.uses: list[Hit] = []
        self._receivers = receivers
        self._names = names
        self._homonyms = homonyms
        self._context = context
        self._words, self._server, self._documents, _ = context
        self._symbol = symbol
        self._doubts = doubts
        self._places = {(one.path, one.position) for one in symbol.declarations}
        owners = [one.parent for one in symbol.declarations if one.parent is not None]
        self._owners = {(one.path, one.position) for one in owners}
        self._modules = module_names(symbol.main.path, self._words.roots())
        containers = symbol.main.containers
        self._qualified = {".".join((module, *containers)) for module in self._modules}

    def around(self, names: Collection[str]) -> None:
        """Beside all that is Python. names: the symbol's own and those that imports give it."""
        if self._symbol.main.local and not self._symbol.is_module:
            return
        self._unread(names)
        self._in_manifests(names)
        self._as_fixture()

    async def gather(self, names: Collection[str], paths: Iterable[str], known: Iterable[Hit]) -> None:
        """Of a symbol that names do not decide. names: as of `around`. paths: the files that hold one. known: the uses
        that the server told. Raises what `LanguageServer.definitions` raises."""
        if self._symbol.main.local:
            return
        for path, hits in by_file(known).items():
            main = self._symbol.main.path
            if path != main and not self._homonyms.is_sure(path, main):
                for hit in hits:
                    self._doubts.doubt(hit, SAME_NAME)
        for path in sorted(one for one in paths if one.endswith(ENDINGS)):
            document = self._documents.try_get(path)
            if document is None:
                continue
            text = document.once(PythonText)
            for name in sorted(names):
                for spelling in text.spellings(name):
                    await self._spelled(document, spelling)
                for start, kind in text.patterns(name):
                    await self._in_pattern(document, start, start + len(name), kind)
        self._field_paths(names)
        self._mangled()

    async def _in_pattern(self, document: Document, start: int, end: int, kind: int | None) -> None:
        """Where `case A(name=…)` takes it. kind: where the class is named."""
        hit = Hit(document.path, document.once(SourceText).span(start, end))
        self._doubts.drop([hit])
        found: set[tuple[str, Position]] = set()
        if kind is not None:
            site = Site(document.path, document.once(SourceText).position(kind))
            found = {(one.path, one.span.start) for one in await self._names.symbols_at(site) or ()}
            found |= await self._doubts.holders(site)
        if any(self._doubts.classes.is_inside(Hit(path, Span(position, position))) for path, position in found):
            self._add(document, start, end)
        elif not self._are_apart(found):
            self._doubts.doubt(hit, "a pattern takes it of a class that may be one of the symbol's")

    def _mangled(self) -> None:
        """Outside of its class a name with two underscores has that of the class in front."""
        main = self._symbol.main
        if not main.containers or not main.name.startswith("__") or main.name.endswith("__"):
            return
        name = f"_{main.containers[-1].lstrip('_')}{main.name}"
        for document in self._context.python_texts(name):
            for found in re.finditer(rf"(?<!\w){name}(?!\w)", document.once(SourceText).text):
                self._add(document, *found.span())

    def _field_paths(self, names: Collection[str]) -> None:
        """What queries may use it by, where it is a field of a model."""
        main = self._symbol.main
        home = self._documents.try_get(main.path) if main.containers else None
        if home is None or not home.once(PythonText).is_field(home.once(SourceText).offset(main.position)):
            return
        for name in sorted(names):
            words = [word for word in self._words.all() if name in word.split("__")]
            documents = {one.path: one for word in words for one in self._context.python_texts(word)}
            for _, document in sorted(documents.items()):
                for start, end in document.once(PythonText).field_paths(name):
                    hit = Hit(document.path, document.once(SourceText).span(start, end))
                    self._doubts.doubt(hit, "a path of fields may lead to it")

    def _unread(self, names: Collection[str]) -> None:
        """What notebooks and the like may use."""
        for name in sorted(names):
            for path in self._words.files_with(name):
                document = self._documents.try_get(path) if _is_unread(path) else None
                for line in (
                    lines_with(document.text, path, name, self._receivers.homes.__contains__) if document else ()
                ):
                    start = Position(line, 1)
                    self._doubts.doubt(Hit(path, Span(start, start)), f"{self._server.name} does not read its file")

    # Strings

    async def _spelled(self, document: Document, spelling: Spelling) -> None:
        if spelling.torn:
            self._doubt(document, spelling)
        elif spelling.before:
            await self._by_path(document, spelling)
        elif spelling.receiver is not None:
            await self._looked_up(document, spelling, spelling.receiver)
        elif _LOOKING_UP.search(spelling.called):
            self._doubt(document, spelling)

    async def _by_path(self, document: Document, spelling: Spelling) -> None:
        first, _, rest = spelling.before.partition(".")
        looked_up = _LOOKING_UP.search(spelling.called)
        if spelling.before in self._qualified or await self._leads_to_owner(spelling.before):
            self._add(document, spelling.start, spelling.end)
        elif spelling.called.startswith("patch") and not self._receivers.is_home(spelling.before):
            pass  # another package's
        elif self._is_module(spelling.before):
            pass  # what is in a module is no member
        elif self._names_another(spelling.before):
            pass
        elif looked_up or (self._is_module(first) and self._is_owner(rest)):
            self._doubt(document, spelling)

    async def _leads_to_owner(self, path: str) -> bool:
        """Whether a path leads to what holds the symbol, by what the module in it imports."""
        module, _, name = path.rpartition(".")
        for document in self._documents_of(module) if name in self._symbol.main.containers else ():
            source = document.once(SourceText)
            for one in document.once(PythonTypes).imported:
                if one.bound == name:
                    named = await self._names.symbols_at(Site(document.path, source.position(one.place))) or ()
                    return bool(self._owners.intersection((hit.path, hit.span.start) for hit in named))
        return False

    def _documents_of(self, module: str) -> list[Document]:
        inner = module.replace(".", "/")
        paths = [f"{root}/{inner}{end}" for root in self._words.roots() for end in (*ENDINGS, *_PACKAGE)]
        return [one for path in paths if self._words.holds(path) and (one := self._documents.try_get(path))]

    def _names_another(self, path: str) -> bool:
        """Whether a path leads to a class of the workspace that has such a member itself, and is none of the symbol's
        hierarchy."""
        module, _, name = path.rpartition(".")
        documents = self._documents_of(module)
        if len(documents) != 1:
            return False
        types = documents[0].once(PythonTypes)
        found = [one for one in types.classes if one.name == name]
        if len(found) != 1 or not types.declares(found[0], self._symbol.main.name):
            return False
        return self._is_unrelated(Member(documents[0], found[0]).hit)

    def _is_unrelated(self, kind: Hit) -> bool:
        """Whether no object of a class is of the symbol's hierarchy."""
        return self._doubts.classes.is_none_of([kind], self._receivers.is_home)

    def _is_owner(self, path: str) -> bool:
        """Whether a path ends in the name of the type that holds the member."""
        return path.rpartition(".")[2] in self._symbol.main.containers[-1:]

    def _is_module(self, dotted: str) -> bool:
        """Whether some root of the workspace has a module of that name."""
        inner = dotted.replace(".", "/")
        roots = self._words.roots()
        return any(self._words.holds(f"{root}/{inner}{end}") for root in roots for end in (*ENDINGS, *_PACKAGE))

    async def _looked_up(self, document: Document, spelling: Spelling, receiver: int) -> None:
        """By `X["a"]`, or `f(X, "a")`: it is meant where X is what holds the symbol."""
        place = document.once(SourceText).position(receiver)
        site = Site(document.path, place)
        named = {(hit.path, hit.span.start) for hit in await self._names.symbols_at(site) or ()}
        found = named | await self._doubts.holders(site)
        holds = found & self._owners if self._owners else (self._symbol.main.path, _BEGINNING) in found
        if holds:
            self._add(document, spelling.start, spelling.end)
        elif not spelling.key and _LOOKING_UP.search(spelling.called):
            modules = any(start == _BEGINNING for _, start in found)
            if not modules and not self._are_apart(found):
                self._doubt(document, spelling)

    def _are_apart(self, found: Collection[tuple[str, Position]]) -> bool:
        """Whether these are classes that have nothing to do with the symbol's."""
        kinds = [Hit(path, Span(position, position)) for path, position in found]
        return bool(kinds) and all(map(self._is_unrelated, kinds))

    def _in_manifests(self, names: Collection[str]) -> None:
        """Entry points, by their path."""
        holding = {path for name in names for path in self._words.files_with(name)}
        for path in sorted(one for one in holding if one.endswith(MANIFESTS)):
            document = self._documents.try_get(path)
            source = document.once(SourceText) if document is not None else None
            if document is None or source is None:
                continue
            inner = "".join(rf"{re.escape(one)}\." for one in self._symbol.main.containers)
            for module in self._modules:
                entry = (
                    rf"(?<![\w.]){re.escape(module)}\s*:\s*{inner}(?P<name>{re.escape(self._symbol.main.name)})(?!\w)"
                )
                for found in re.finditer(entry, source.text):
                    self._add(document, *found.span("name"))

    # Fixtures

    def _as_fixture(self) -> None:
        main = self._symbol.main
        home = self._documents.try_get(main.path)
        if home is None or main.kind not in ("Function", "Method"):
            return
        start = home.once(SourceText).offset(main.position)
        fixture = next((one for one in home.once(PythonText).fixtures if one.start == start), None)
        if fixture is None:
            return
        givers = Fixtures(self._context).declaring(fixture.name)
        for document in self._context.python_texts(fixture.name):
            text = document.once(PythonText)
            strings = (one for one in text.spellings(fixture.name) if FIXTURE.search(one.called) and not one.before)
            spans = [(one.start, one.end) for one in strings]
            spans += [(place, place + len(fixture.name)) for place in text.asked(fixture.name)]
            for first, last in spans:
                found = giver(document, first, fixture.name, givers)
                if found is not None and (found[0].path, found[1]) == (main.path, start):
                    self._add(document, first, last)
                elif found is None and os.path.basename(main.path) != "conftest.py":
                    # Which module's fixtures a test has beside those of its folders, plugins decide.
                    self._doubt_at(document, first, last)

    # What was found

    def _add(self, document: Document, start: int, end: int) -> None:
        hit = Hit(document.path, document.once(SourceText).span(start, end))
        self._doubts.drop([hit])
        if (hit.path, hit.span.start) not in self._places:
            self.uses.append(hit)

    def _doubt(self, document: Document, spelling: Spelling) -> None:
        self._doubt_at(document, spelling.start, spelling.end)

    def _doubt_at(self, document: Document, start: int, end: int) -> None:
        self._doubts.doubt(Hit(document.path, document.once(SourceText).span(start, end)), "a string spells it")


def _is_unread(path: str) -> bool:
    return path.endswith(UNREAD) or is_bare(path)


_PACKAGE = tuple(f"/__init__{ending}" for ending in ENDINGS)
