"""Where specifiers lead, as the language server has it."""

from __future__ import annotations

from typing import NamedTuple

from cn_daemon.application.modules.reach import Steps
from cn_daemon.application.ports import Hit, LanguageServer, Words
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
