"""Where specifiers lead, as the language server has it."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from cn_daemon.application.context import Context
from cn_daemon.application.modules.modules import Modules, joined
from cn_daemon.application.modules.reach import Steps
from cn_daemon.application.ports import Hit, LanguageServer, Site, Words
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.specifiers import in_code
from cn_daemon.domain.source.text import Document

# Each is one request, of a millisecond or so. Beyond them the answer says that it is partial.
CHECKS = 1000
# Where the member is declared that a pattern's key takes; None where the server does not tell. By server, project,
# document and offset: as long as no file of the workspace changes it stays so.
KnownKeys = dict[tuple[LanguageServer, str, Document, int], list[Hit] | None]


class Import(NamedTuple):
    """How a specifier is read: alike in all files of one project and one package, for one language server."""

    server: str
    project: str
    package: str | None
    specifier: str


class Leads:
    """What is kept between questions until something is created, deleted, installed or configured.

    by_import: the files that a specifier leads to. inside: whether some source's path ends with a specifier. steps:
    where specifiers lead by texts alone. patterns: whose members patterns take, until a file changes.
    """

    def __init__(self, words: Words) -> None:
        self._words = words
        self.by_import: dict[Import, list[str]] = {}
        self.inside: dict[str, bool] = {}
        self.steps = Steps()
        self.patterns: KnownKeys = {}
        self._unlisted: list[str] | None = None

    def unlisted(self) -> list[str]:
        """The sources that no tsconfig lists, sorted."""
        if self._unlisted is None:
            scopes = self._words.packages().scopes.values()
            self._unlisted = [path for path in self._words.files() if not any(one.lists(path) for one in scopes)]
        return self._unlisted

    def refresh(self) -> None:
        """After the words' barrier, before a question reads what is kept."""
        changes = self._words.tail("leads")
        if any(changes):
            # Questions that go on with the old one are of a moment before.
            self.patterns = {}
            self.steps.handed = {}
        if changes.created or changes.deleted or not all(map(self._words.holds, changes.changed)):
            self._unlisted = None
            self.by_import.clear()
            self.inside.clear()
            self.steps.clear()

    def lead_inside(self, module: str) -> bool:
        known = self.inside.get(module)
        if known is None:
            known = self.inside[module] = self._words.leads_inside(module)
        return known


class TooManyError(Exception):
    """More would have to be asked than one question may ask."""


class Guide:
    """For one question: asks the server, and keeps what it says of specifiers in the leads."""

    def __init__(self, leads: Leads, context: Context) -> None:
        self._packages = context.words.packages()
        self._leads = leads
        self._server = context.server
        self._deadline = context.deadline
        self._modules = Modules(context)
        self._asked = 0
        self._loaded: set[tuple[str, str]] = set()
        # Whether it had another project loaded.
        self.loaded_more = False

    async def lead(self, document: Document, specifier: str, offset: int) -> list[str]:
        """The files that a specifier leads to. Raises TooManyError, and what `LanguageServer.definitions` raises."""
        if given := self._server.given(document.path, specifier):
            return [given]
        leads = await self._read(document, specifier, offset)
        before = self._server.project(document.path)
        alike = before, document.path.rpartition("/")[0]
        if leads or alike in self._loaded:
            return leads
        # Another project that imports the file may read it by other options than its own.
        self._loaded.add(alike)
        await self._server.load([document.path], self._deadline, own=True)
        if self._server.project(document.path) == before:
            return leads
        self.loaded_more = True
        return await self._read(document, specifier, offset)

    async def _read(self, document: Document, specifier: str, offset: int) -> list[str]:
        path = document.path
        # Without a project, what is installed in the folders above decides alone.
        project = self._server.project(path) or path.rpartition("/")[0]
        module = joined(path, specifier) if specifier.startswith(".") else specifier
        read = Import(self._server.name, project, self._packages.owner(path), module)
        leads = self._leads.by_import.get(read)
        if leads is None:
            place = document.once(SourceText).position(offset + 1)
            leads = [site.path for site in await self.out_of(Site(path, place))]
            # Of an example in a text the server knows nothing.
            if leads or in_code(document, [(specifier, offset)]):
                self._leads.by_import[read] = leads
        return leads

    async def out_of(self, site: Site) -> list[Site]:
        """Where a place leads, out of its file."""
        hits = await self.definitions(site)
        return [Site(hit.path, hit.span.start) for hit in hits if hit.path != site.path]

    async def definitions(self, site: Site) -> list[Hit]:
        self._asked += 1
        if self._asked > CHECKS:
            raise TooManyError
        return await self._modules.definitions(site)


def too_many(silent: Collection[str]) -> str:
    """Why an answer is partial that more than `CHECKS` requests would be needed for."""
    hold = (
        "a file holds the name and shows no use"
        if len(silent) == 1
        else (f"{len(silent)} files hold the name and show no use")
    )
    return f"{hold}; more than {CHECKS} places would have to be asked"
