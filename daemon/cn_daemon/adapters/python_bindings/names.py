"""The port `Names` for Python."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection, Iterator, Sequence

from cn_daemon.adapters.python_bindings.mentions import MODULE, Mention
from cn_daemon.adapters.python_bindings.modules import Modules
from cn_daemon.adapters.python_bindings.resolution import ANYTHING, ESCAPED, Resolution, Target
from cn_daemon.adapters.python_bindings.texts import Index, Read, Texts
from cn_daemon.application.ports import Doubt, Hit, Imported, Importing, NamedSymbol, Site
from cn_daemon.domain.python_modules import ENDINGS, module_stem
from cn_daemon.domain.source.text import Position, Span
from cn_shared.errors import LanguageServerError

_TORN = "its file has a mistake"
_SPELLED = "a string spells it"
_UNREAD = "its file cannot be read"
_TOP = Position(1, 1)


class PythonNames:
    """Of one workspace. The index is refreshed by who asks. read: a file's text, leniently."""

    def __init__(self, index: Index, read: Read) -> None:
        self._index = index
        self._texts = Texts(index, read)
        self._roots: Sequence[str] | None = None
        self._resolution = Resolution(self._texts, Modules(()))

    async def symbols_at(self, site: Site, deadline: float) -> list[NamedSymbol]:
        self._begin()
        name, mention = self._at(site)
        if mention is None:
            return []
        targets = self._resolution.targets(site.path, name, mention)
        if targets.doubt or not targets.sure:
            return []
        return [NamedSymbol(True, self._definitions(one)[:1], (), ()) for one in sorted(targets.sure)]

    async def uses(self, site: Site, deadline: float) -> list[NamedSymbol]:
        self._begin()
        target = self._declared(site)
        if target is None:
            return []
        uses: list[Hit] = []
        doubts: list[Doubt] = []
        names = {target.name or module_stem(target.path)}
        done: set[str] = set()
        while pending := names - done:
            name = min(pending)
            done.add(name)
            for path in self._index.files_with(name):
                if not path.endswith(ENDINGS):
                    continue
                await _pause(deadline)
                names |= self._gather(path, name, target, uses, doubts)
        if any(one.reason == ESCAPED for one in doubts) and not await self._escapes(target, deadline):
            doubts = [one for one in doubts if one.reason != ESCAPED]
        return [NamedSymbol(True, self._definitions(target), uses, doubts)]

    async def module(self, path: str, deadline: float) -> list[NamedSymbol]:
        return await self.uses(Site(path, Position(1, 1)), deadline)

    async def library(self, package: str, name: str, deadline: float) -> Sequence[NamedSymbol]:
        return ()

    async def exported(self, sites: Sequence[Site], deadline: float) -> Sequence[NamedSymbol]:
        return ()

    async def naming(self, name: str, deadline: float) -> Sequence[tuple[Site, str]]:
        return ()

    async def importing(self, sites: Sequence[Site], name: str, deadline: float) -> Importing:
        return Importing()

    async def describing(self, site: Site, others: Sequence[Site], deadline: float) -> Sequence[bool]:
        return ()

    async def most_imported(
        self, paths: Collection[str], limit: int, deadline: float
    ) -> tuple[Sequence[Imported], int]:
        return (), 0

    # One question

    def _begin(self) -> None:
        changes, roots = self._index.changes_since("python bindings"), self._index.roots()
        if self._roots is None or changes.created or changes.deleted or roots != self._roots:
            self._roots = roots
            self._resolution = Resolution(self._texts, Modules(self._index.files(), roots))
            self._texts.forget_gone()

    def _gather(self, path: str, name: str, target: Target, uses: list[Hit], doubts: list[Doubt]) -> set[str]:
        """The uses under a name in a file; the further names that it gives the symbol."""
        file, found = self._texts.analysis(path, name)
        if found is None:
            doubts.append(Doubt(Hit(path, Span(_TOP, _TOP)), _UNREAD))
            return set()
        further: set[str] = set()
        for mention in found.mentions:
            if mention.renames:
                continue
            targets = self._resolution.targets(path, name, mention)
            possible = target in targets.maybe or ANYTHING in targets.maybe
            hit = Hit(path, _span(mention.position, name))
            if file.torn and (not mention.quoted or possible or target in targets.sure):
                doubts.append(Doubt(hit, _SPELLED if mention.quoted else _TORN))
            elif target in targets.sure:
                uses.append(hit)
            elif possible:
                doubts.append(Doubt(hit, targets.doubt))
            if mention.role == "import" and (possible or target in targets.sure):
                further.update(self._aliases(path, mention))
        return further

    def _aliases(self, path: str, mention: Mention) -> Iterator[str]:
        """The name that an import gives what it takes, if it is another one."""
        syntax = self._texts.syntax(path)
        if syntax is not None:
            found = re.compile(r"\w+\s+as\s+(\w+)").match(syntax.text, mention.start)
            if found:
                yield found[1]

    def _declared(self, site: Site) -> Target | None:
        """The symbol of a module, or the module, that is declared at a place."""
        name, mention = self._at(site)
        if mention is not None and mention.role == "name" and mention.binds and mention.owner == MODULE:
            return Target(site.path, name)
        if site.position == _TOP and self._index.holds(site.path):
            return Target(site.path, "")
        return None

    def _at(self, site: Site) -> tuple[str, Mention | None]:
        syntax = self._texts.syntax(site.path)
        if syntax is None:
            return "", None
        start = syntax.source.offset(site.position)
        word = re.compile(r"\w*").match(syntax.text, start)
        before = re.compile(r"\w*\Z").search(syntax.text, max(0, start - 100), start)
        first = before.start() if before else start
        name = syntax.text[first : word.end() if word else start]
        if not name.isidentifier():
            return "", None
        _, found = self._texts.analysis(site.path, name)
        return name, found.at(first) if found is not None else None

    def _definitions(self, target: Target) -> list[Hit]:
        if not target.name:
            return [Hit(target.path, Span(_TOP, _TOP), True)]
        found = self._texts.analysis(target.path, target.name)[1]
        bound = found.bindings.get(MODULE, []) if found is not None else []
        places = sorted({one.position for one in bound if one.imported is None})
        return [Hit(target.path, _span(one, target.name), True) for one in places]

    async def _escapes(self, target: Target, deadline: float) -> bool:
        """Whether the module of a symbol, or a package that holds it, is a value somewhere: what takes it may then be
        any attribute."""
        modules = {target.path, *self._above(target.path)}
        for name in sorted({module_stem(one) for one in modules}):
            for path in self._index.files_with(name):
                if path.endswith(ENDINGS):
                    await _pause(deadline)
                    if self._reexports(path, name, modules):
                        return True
        return False

    def _above(self, path: str) -> Iterator[str]:
        """The packages that hold a module."""
        folder = path.rpartition("/")[0]
        while True:
            inits = [f"{folder}/__init__{ending}" for ending in ENDINGS]
            found = [one for one in inits if self._index.holds(one)]
            if not found:
                return
            yield from found
            folder = folder.rpartition("/")[0]

    def _reexports(self, path: str, name: str, modules: Collection[str]) -> bool:
        found = self._texts.analysis(path, name)[1]
        for mention in found.mentions if found is not None else ():
            if mention.role == "path" or mention.binds or mention.quoted or mention.base or mention.looked_up:
                continue
            targets = self._resolution.targets(path, name, mention)
            if any(one.path in modules and not one.name for one in targets.sure | targets.maybe):
                further = self._aliases(path, mention) if mention.role == "import" else ()
                if mention.role != "import" or any(self._reexports(path, one, modules) for one in further):
                    return True
        return False


def _span(position: Position, name: str) -> Span:
    return Span(position, position._replace(character=position.character + len(name)))


async def _pause(deadline: float) -> None:
    """Let other questions go on. Raises LanguageServerError (`timed_out`)."""
    await asyncio.sleep(0)
    if asyncio.get_running_loop().time() > deadline:
        raise LanguageServerError("timed_out", "names: time ran out")
