"""Imports of packages of the workspace that are not built, or not installed: servers are led to the sources instead.

Who imports such a package by its name means its sources, and a compiler finds nothing: what comes of the import has any
type. So it is with an alias of a tsconfig's `paths` where the program of another one, or of none, reads the file. What
imports so is open with another text, in which the path of the sources stands for the name. Nothing is written to disk.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from cn_daemon.adapters.language_servers.deadlines import in_turns
from cn_daemon.adapters.language_servers.folders import Folder
from cn_daemon.adapters.language_servers.led import Led
from cn_daemon.adapters.language_servers.meant import Import, Meant
from cn_daemon.adapters.language_servers.sources import LOOSE_FILES, is_configuration
from cn_daemon.application.documents import Documents
from cn_daemon.application.ports import Hit, LanguageServer, Site, Words, Workspace
from cn_daemon.domain.mentions.taking import ALL, WHOLE, takes
from cn_daemon.domain.source.reading import imports
from cn_daemon.domain.source.text import Document, Position, Span
from cn_shared.errors import DeadlineError, LanguageServerError

_READING = "the imports of what is not built were read"


class Redirects:
    """Of one workspace, for all its servers. given: by file the sources that are meant by its specifiers."""

    def __init__(self, workspace: Workspace, words: Words) -> None:
        self.given: dict[str, Mapping[str, str]] = {}
        self._led: dict[str, Led] = {}
        self._meant = Meant(workspace, words)
        self._workspace = workspace
        self._words = words
        # Those that were looked at to be given.
        self._tried: set[str] = set()
        # Files that the program of a tsconfig reads and another one lists, whose aliases may be unknown there.
        self._beyond: dict[str, set[str]] = {}
        # Those that the files of a tsconfig's program were followed to, until anything changes.
        self._passed: dict[str, set[str]] = {}
        # The tsconfigs all of whose files were looked at that name a package which is not built.
        self._surveyed: set[str] = set()
        # By file, the innermost tsconfigs that list it.
        self._listing: dict[str, list[str]] = {}
        # What decides where imports lead, as it was: git may ignore it, and nobody tells of its changes.
        self._seen: dict[str, Folder] = {}
        # The project of each file that a server was asked about, and by project the files that it leads to.
        self._projects: dict[str, str] = {}
        self._leads: dict[Import, dict[str, list[str]]] = {}

    def refresh(self) -> None:
        """After the words' barrier, before a server loads anything."""
        changes = self._words.tail("redirects")
        # What was only made anew is where it was.
        moved = (changes.created - changes.changed) | changes.deleted
        touched = moved | changes.changed
        other = any(map(is_configuration, touched)) or any(one.is_other() for one in self._seen.values())
        exporting = self._meant.changed(touched)
        if moved or other:
            self._meant.forget()
        if touched or other:
            self._passed.clear()
        if other:
            self._projects.clear()
            self._leads.clear()
            self._seen.clear()
            self._beyond.clear()
            self._surveyed.clear()
            self._listing.clear()
            self.given.clear()
            self._led.clear()
        anew = moved.union(filter(self._meant.imports_others, changes.changed))
        if anew or other:
            # What they import now may be reached from others.
            self._tried.clear()
            scopes = self._words.packages().scopes
            self._surveyed -= {one for one in self._surveyed if one not in scopes or any(map(scopes[one].lists, anew))}
        self._tried -= changes.changed | (self._meaning(exporting) if exporting else set())
        # A source that comes may be the better one, one that goes leaves another one.
        for path in list(self.given) if moved else self.given.keys() & touched | self._led_to(exporting):
            if self._words.holds(path):
                self._give(path)
            else:
                self._leave(path)

    def at_home(self, paths: Iterable[str]) -> None:
        """Once their own projects are loaded: another one may know aliases that these lack."""
        for path in paths:
            self._projects.pop(path, None)

    def _meaning(self, sources: Collection[str]) -> set[str]:
        """Those of the files that were looked at which mean one of these by an import, led to it or not."""
        means = self._meant.source
        return {
            path
            for path in self._tried
            if any(means(path, one.specifier) in sources for one, _ in self._meant.imports(path))
        }

    def _led_to(self, sources: Collection[str]) -> set[str]:
        return {path for path, told in self.given.items() if not set(told.values()).isdisjoint(sources)}

    async def foresee(self, paths: Collection[str], deadline: float) -> None:
        """Give what surely leads nowhere, before the projects of these are loaded: else they were loaded once more.
        Raises DeadlineError."""
        if self._meant.lost_packages():
            read = self._meant.reach().files([*paths, *await self._others(paths, deadline)], set())
            lost = [
                path
                async for path in in_turns(read, deadline, _READING)
                if any(
                    one not in self._leads and self._meant.is_nowhere(path, one) for one, _ in self._meant.imports(path)
                )
            ]
            await self._try(lost, deadline)

    def read_by(self, paths: Collection[str]) -> set[str]:
        """What the programs read that are built when one of these files is opened: that of the nearest tsconfig, where
        it lists the file, else one of the file."""
        scopes = self._words.packages().scopes
        folders = {f"{os.path.dirname(config)}/" for config in scopes}
        nearest = {max(filter(path.startswith, folders), key=len, default="") for path in paths}
        homes = {config for path in paths for config in self._homes(path)}
        programs = [scopes[config] for config in homes if f"{os.path.dirname(config)}/" in nearest]
        listed = (path for path in self._words.files() if any(scope.holds(path) for scope in programs))
        return self._meant.reach().files([*paths, *listed], set())

    async def are_new(self, server: LanguageServer, paths: Collection[str], deadline: float) -> bool:
        """Whether more of what these loaded files import leads nowhere, and is given now: it is to be loaded."""
        lost = self._beside(server, paths)
        # With what these lead to: it may only hand on what is built.
        read = dict.fromkeys(paths)
        ahead = list(read)
        try:
            others = await self._others(paths, deadline)
            while ahead:
                path = ahead.pop()
                for one, place in self._meant.imports(path):
                    leads = await self._ask(server, self._project(server, path), path, one, place, deadline)
                    if not leads and path not in self._tried:
                        lost.append(path)
                    fresh = [lead for lead in leads if lead not in read and self._words.holds(lead)]
                    read.update(dict.fromkeys(fresh))
                    ahead += fresh
            for path, config in others.items():
                for one, place in self._meant.imports(path):
                    if self._meant.is_lost_package(one.specifier):
                        project = server.project(path) or config
                        leads = await self._ask(server, project, path, one, place, deadline)
                        if not leads and path not in self._tried:
                            lost.append(path)
        except DeadlineError:
            return False
        if self._meant.lost_packages():
            self._surveyed.update(config for path in paths for config in self._homes(path))
        if not lost:
            return False
        before = dict(self.given)
        # The types of what is imported come of what these modules import.
        await self._try([*lost, *self._meant.reach().files([*paths, *others], set())], deadline)
        return self.given != before

    async def _ask(
        self, server: LanguageServer, project: str, path: str, one: Import, place: Position, deadline: float
    ) -> list[str]:
        """Where an import leads in a project, as far as that is known there; asked once for all files of a folder."""
        told = self._leads.setdefault(one, {})
        if project not in told and not self._is_unknown_there(path, one):
            self._see(self._meant.decisive(path, one.specifier))
            # Of what is given already the server would lead to the source.
            is_given = one.specifier in self.given.get(path, {})
            site = self.there(Site(path, place))
            told[project] = [] if is_given else await _leads(server, site, deadline)
            self._see({os.path.dirname(lead) for lead in told[project] if not self._words.holds(lead)})
            # What was supposed of it before may have been wrong.
            self._tried.clear()
        return told.get(project, [])

    async def _others(self, paths: Collection[str], deadline: float) -> dict[str, str]:
        """The files of the projects of these that name what is not built, by their tsconfig, without those that were
        looked at before: what they import is part of the program, whatever question came to load it."""
        packages = self._meant.lost_packages()
        homes = {config for path in paths for config in self._homes(path)} if packages else set()
        scopes = self._words.packages().scopes
        fresh = {config: scopes[config] for config in homes - self._surveyed if config in scopes}
        naming: set[str] = set()
        async for name in in_turns(packages if fresh else (), deadline, _READING):
            naming.update(self._words.files_with(name))
        found = {}
        async for path in in_turns(naming.difference(paths), deadline, _READING):
            holding = [config for config, scope in fresh.items() if scope.holds(path)]
            if holding:
                found[path] = holding[0]
        return found

    def _homes(self, path: str) -> list[str]:
        """The innermost tsconfigs that list a file."""
        if path not in self._listing:
            scopes = self._words.packages().scopes.items()
            holding = [config for config, scope in scopes if scope.holds(path)]
            nearest = max((len(os.path.dirname(config)) for config in holding), default=0)
            self._listing[path] = [config for config in holding if len(os.path.dirname(config)) == nearest]
        return self._listing[path]

    def _beside(self, server: LanguageServer, paths: Collection[str]) -> list[str]:
        """Files of other tsconfigs that are part of the programs of these, and were not looked at as such."""
        programs: dict[str, set[str]] = {}
        for path in paths:
            programs.setdefault(self._project(server, path), set()).add(path)
        found: set[str] = set()
        for config, here in programs.items():
            if self._meant.is_lacking(config):
                read = self._meant.reach().files(here, self._passed.setdefault(config, set()))
                known = self._beyond.setdefault(config, set())
                fresh = self._meant.not_of(config, read - known)
                known |= fresh
                self._tried -= fresh
                found |= known - self._tried
        return list(found)

    def _project(self, server: LanguageServer, path: str) -> str:
        if path not in self._projects:
            self._projects[path] = server.project(path)
        return self._projects[path]

    async def _try(self, paths: Iterable[str], deadline: float) -> None:
        async for path in in_turns(paths, deadline, _READING):
            if path not in self._tried:
                self._tried.add(path)
                if path in self.given or len(self.given) < LOOSE_FILES:
                    self._give(path)

    def _see(self, paths: Iterable[str]) -> None:
        for path in paths:
            if path not in self._seen:
                self._seen[path] = Folder(path)

    def _give(self, path: str) -> None:
        named = sorted({one.specifier for one, _ in self._meant.imports(path) if self._is_lost(path, one)})
        document = Documents(self._workspace).try_get(path) if named else None
        if document is None:
            self._leave(path)
            return
        # Of what comments import, too; who reads the code alone takes longer.
        taken, told = _taken(_imports_alone(document)), {}
        for specifier in named:
            source = self._meant.source(path, specifier)
            # A build that exports more than a source does is made of something else.
            lacking = self._meant.lacking(source, taken[specifier]) if source else taken[specifier]
            if source and not (lacking and self._meant.lacking(source, _taken(document)[specifier])):
                told[specifier] = source
        self._leave(path)
        if told:
            self.given[path], self._led[path] = told, Led(document, told)

    def _leave(self, path: str) -> None:
        self.given.pop(path, None)
        self._led.pop(path, None)

    def _is_lost(self, path: str, one: Import) -> bool:
        beyond = self._is_unknown_there(path, one)
        told = self._leads.get(one)
        if told and not beyond:
            project = self._projects.get(path)
            is_told = told[project] if project in told else any(told.values())
            return not is_told and not self._meant.is_another(path, one.specifier)
        if self._meant.is_alias(one.specifier) and not beyond:
            # What its own tsconfig says of it.
            return False
        # The server has not loaded what takes it, and may never: it is not asked.
        self._see(self._meant.decisive(path, one.specifier))
        return not self._meant.leads_elsewhere(path, one.specifier)

    def _is_unknown_there(self, path: str, one: Import) -> bool:
        """Whether a file is part of a program whose tsconfig does not know the alias by which it imports."""
        return any(
            path in there and self._meant.is_unknown(config, one.specifier) for config, there in self._beyond.items()
        )

    def text(self, path: str, text: str) -> str:
        """What a server is given for a text of a file."""
        led = self.led(Document(path, text))
        return text if led is None else led.text

    def led(self, document: Document) -> Led | None:
        """The same, with its places; None for its own text."""
        told = self.given.get(document.path)
        return Led(document, told) if told else None

    def there(self, site: Site) -> Site:
        """A place of a file, in the text that servers have of it."""
        led = self._led.get(site.path)
        return site if led is None else site._replace(position=led.there(site.position))

    def back(self, hits: list[Hit]) -> list[Hit]:
        """What servers tell, as places of the files."""
        if self._led.keys().isdisjoint(hit.path for hit in hits):
            return hits
        return [hit._replace(span=self.span(hit.path, hit.span)) if hit.path in self._led else hit for hit in hits]

    def span(self, path: str, span: Span) -> Span:
        led = self._led.get(path)
        return span if led is None else led.back(span)


def _imports_alone(document: Document) -> Document:
    return Document(document.path, "\n".join(document.text[first:last] for first, last in document.once(imports)))


def _taken(document: Document) -> dict[str, set[str]]:
    """By specifier, the names that import statements take of it."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for one in takes(document):
        if one.imported and one.member not in (WHOLE, ALL):
            found[one.specifier].add(one.member)
    return found


async def _leads(server: LanguageServer, site: Site, deadline: float) -> list[str]:
    """The files that a server leads to; of what it refuses to be asked about nothing is known. A `declare module` that
    adds to what is not found leads to itself, which is nowhere."""
    try:
        (told,) = await server.definitions([site], deadline)
    except LanguageServerError as error:
        if error.code != "request_refused":
            raise
        return [site.path]
    return [hit.path for hit in told if hit.path != site.path or not hit.span.holds(site.position)]
