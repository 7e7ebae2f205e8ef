"""Imports of packages of the workspace that are not built, or not installed: servers are led to the sources instead.

Who imports such a package by its name means its sources, and a compiler finds nothing: what comes of the import has any
type. A file that takes it is open with another text, in which the path of the sources stands for the name. Nothing is
written to disk.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from cn_daemon.adapters.language_servers.sources import ENDINGS, LOOSE_FILES, is_configuration
from cn_daemon.application.documents import Documents
from cn_daemon.application.exports import exported_names, exports_default
from cn_daemon.application.modules import joined
from cn_daemon.application.ports import LanguageServer, Site, Words, Workspace
from cn_daemon.application.reach import OUTPUT, Reach, Steps
from cn_daemon.domain.modules import ALL, WHOLE, takes
from cn_daemon.domain.reading import DECLARATIONS, SCRIPTS, SourceText, imports
from cn_daemon.domain.specifiers import imported, package_of
from cn_daemon.domain.symbols import exported_names as declared_names
from cn_daemon.domain.text import Document, Position
from cn_shared.errors import DeadlineError, LanguageServerError

# How compilers have a source imported.
_IMPORTED = {".ts": ".js", ".tsx": ".js", ".mts": ".mjs", ".cts": ".cjs"}
# What may stand behind a specifier: everything else in the line would stand at another place.
_END = re.compile(r"[\"']\s*\)*\s*;?\s*(?://.*|/\*.*\*/)?$", re.MULTILINE)
_ALL = re.compile(r"\s*export\s*\*\s*from\s*['\"](?P<module>[^'\"\n]+)")
# What exports the members of something as its names.
_WHOLE = re.compile(r"\bexport\s*=|\bexports\b|\bexport\s*\*\s*as\b")
_UNQUOTABLE = re.compile(r"[\"'`\\\n]")


class _Import(NamedTuple):
    """By a file of one folder, for names that of its package where it has one: alike for all of them."""

    folder: str
    specifier: str


class Redirects:
    """Of one workspace, for all its servers. given: by file the sources that are meant by its specifiers."""

    def __init__(self, workspace: Workspace, words: Words) -> None:
        self.given: dict[str, Mapping[str, str]] = {}
        self._workspace = workspace
        self._words = words
        # Those that were looked at to be given.
        self._tried: set[str] = set()
        # Whose coming or going may lead imports elsewhere, without their endings.
        self._decisive: set[str] = set()
        # The files that a server leads to.
        self._leads: dict[_Import, list[str]] = {}
        self._steps = Steps()
        # The sources that are meant.
        self._sources: dict[_Import, str] = {}
        # What files import, as of a stamp.
        self._read: dict[str, tuple[object, list[tuple[_Import, Position]]]] = {}

    def refresh(self) -> None:
        """After the words' barrier, before a server loads anything."""
        changes = self._words.tail("redirects")
        moved = changes.created | changes.deleted
        if moved:
            self._forget()
        if any(map(is_configuration, moved | changes.changed)) or not self._decisive.isdisjoint(map(_stem, moved)):
            self._forget()
            self._leads.clear()
            self._decisive.clear()
            self.given.clear()
        if any(map(self._imports, changes.changed)):
            # What they import now may be reached from others.
            self._tried.clear()
        for path in (moved | changes.changed) & self.given.keys():
            self._give(path)

    def _forget(self) -> None:
        self._steps.clear()
        self._read.clear()
        self._sources.clear()
        self._tried.clear()

    async def are_new(self, server: LanguageServer, paths: Collection[str], deadline: float) -> bool:
        """Whether more of what these loaded files import leads nowhere, and is given now: it is to be loaded."""
        lost = []
        # With what these lead to: it may only hand on what is built.
        read = dict.fromkeys(paths)
        ahead = list(read)
        try:
            while ahead:
                path = ahead.pop()
                for one, place in self._imports(path):
                    if one not in self._leads:
                        self._leads[one] = await _leads(server, Site(path, place), deadline)
                        self._decisive.update(map(_stem, self._targets(path, one.specifier)))
                    if not self._leads[one] and path not in self._tried:
                        lost.append(path)
                    fresh = [lead for lead in self._leads[one] if lead not in read and self._words.holds(lead)]
                    read.update(dict.fromkeys(fresh))
                    ahead += fresh
        except DeadlineError:
            return False
        before = len(self.given)
        if lost:
            # The types of what is imported come of what these modules import.
            reach = Reach(self._words, Documents(self._workspace), self._steps)
            for path in dict.fromkeys((*lost, *reach.of_all(paths))):
                if path not in self._tried and path not in self.given and len(self.given) < LOOSE_FILES:
                    self._give(path)
                    self._tried.add(path)
        return len(self.given) > before

    def _give(self, path: str) -> None:
        named = sorted({one.specifier for one, _ in self._imports(path) if not self._leads.get(one)})
        document = Documents(self._workspace).try_get(path) if named else None
        if document is None:
            self.given.pop(path, None)
            return
        taken = [(one.specifier, one.member) for one in takes(document) if one.imported]
        told = {}
        for specifier in named:
            source = self._source(path, specifier)
            names = {member for where, member in taken if where == specifier and member not in (WHOLE, ALL)}
            # A build that exports more than a source does is made of something else.
            if source and _is_last(document, specifier) and not self._lacking(source, names, set()):
                told[specifier] = source
        self._decisive.update(map(_stem, told.values()))
        self.given.pop(path, None)
        if told:
            self.given[path] = told

    def text(self, path: str, text: str) -> str:
        """What a server is given for a text of a file."""
        told = self.given.get(path)
        if told:
            for specifier, offset in reversed(imported(Document(path, text))):
                if specifier in told:
                    stem, ending = os.path.splitext(told[specifier])
                    text = f"{text[:offset]}{stem}{_IMPORTED.get(ending, ending)}{text[offset + len(specifier) :]}"
        return text

    def _lacking(self, path: str, names: set[str], passed: set[str]) -> set[str]:
        """Those of these names that a module is known not to export."""
        document = Documents(self._workspace).try_get(path) if path not in passed else None
        passed.add(path)
        if document is None or not names:
            return names
        if _WHOLE.search(document.text):
            return set()
        names = names - exported_names(document) - {*declared_names(document.text)}
        if exports_default(document, {"default"}):
            names.discard("default")
        reach = Reach(self._words, Documents(self._workspace), self._steps)
        for first, last in document.once(imports) if names else ():
            handed = _ALL.match(document.text, first, last)
            leads = reach.lead(path, handed["module"]) if handed else ()
            if handed and not any(map(self._words.holds, leads)):
                return set()
            for lead in leads:
                names = self._lacking(lead, names, passed)
        return names

    def _imports(self, path: str) -> list[tuple[_Import, Position]]:
        stamp, known = self._words.stamp(path), self._read.get(path)
        if known is None or stamp is None or known[0] != stamp:
            known = self._read[path] = (stamp, list(self._read_imports(path)))
        return known[1]

    def _read_imports(self, path: str) -> Iterator[tuple[_Import, Position]]:
        packages = self._words.packages()
        document = Documents(self._workspace).try_get(path) if packages.folders and not path.endswith("/") else None
        if document is None:
            return
        for specifier, offset in imported(document):
            if self._source(path, specifier):
                yield self._import(path, specifier), document.once(SourceText).position(offset + 1)

    def _targets(self, path: str, specifier: str) -> list[str]:
        """What a specifier in a file means by what package.json and tsconfig files say, there or not."""
        packages = self._words.packages()
        if specifier.startswith("."):
            return [joined(path, specifier)] if not OUTPUT.isdisjoint(specifier.split("/")) else []
        if package_of(specifier) in packages.folders:
            return packages.targets(specifier)
        # An alias is that of its package, or there is no other.
        targets = packages.targets(specifier) if packages.is_alias(specifier) else []
        owner = packages.owner(path)
        own = [target for target in targets if owner is not None and target.startswith(f"{owner}/")]
        return own or (targets if len(targets) == 1 and not specifier.startswith("#") else [])

    def _source(self, path: str, specifier: str) -> str:
        """The source that a specifier in a file means, or nothing: also where a path leads to what is there."""
        asked = self._import(path, specifier)
        if asked not in self._sources:
            self._sources[asked] = self._read_source(path, specifier)
        return self._sources[asked]

    def _import(self, path: str, specifier: str) -> _Import:
        owner = None if specifier.startswith(".") else self._words.packages().owner(path)
        return _Import(owner or os.path.dirname(path), specifier)

    def _read_source(self, path: str, specifier: str) -> str:
        targets = self._targets(path, specifier)
        reach = Reach(self._words, Documents(self._workspace), self._steps)
        # Of several that are built of one package the types are what compilers read.
        declared = [target for target in targets if target.endswith(DECLARATIONS)]
        found = (*reach.standing(declared), *reach.standing(targets))
        if specifier.startswith(".") and any(_stem(one) == _stem(targets[0]) for one in found):
            return ""
        sources = (one for one in found if os.path.splitext(one)[1] in ENDINGS and not _UNQUOTABLE.search(one))
        # Compilers do not look into a script of which they have the types.
        return min(sources, key=lambda one: (one.endswith(SCRIPTS), one.endswith(DECLARATIONS)), default="")


def _is_last(document: Document, specifier: str) -> bool:
    """Whether nothing that has a place of its own stands behind it in a line: it would have another one."""
    return all(_END.match(document.text, at + len(one)) for one, at in imported(document) if one == specifier)


def _stem(path: str) -> str:
    folder, _, name = path.rpartition("/")
    return f"{folder}/{name.split('.')[0]}"


async def _leads(server: LanguageServer, site: Site, deadline: float) -> list[str]:
    """The files that a server leads to; of what it refuses to be asked about nothing is known."""
    try:
        (told,) = await server.definitions([site], deadline)
    except LanguageServerError as error:
        if error.code != "request_refused":
            raise
        return [site.path]
    return [hit.path for hit in told]
