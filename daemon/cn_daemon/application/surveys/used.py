"""The symbols that most files use, of what some files export."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from cn_daemon.application.ports import reads
from cn_daemon.application.question import Question, WorkspaceSession
from cn_daemon.domain.declarations.symbols import aside
from cn_daemon.domain.source.form_table import Form
from cn_daemon.domain.source.forms import declared, form_of
from cn_daemon.domain.source.text import Document, Position, occurrences

_WORD = re.compile(r"[A-Za-z_$][\w$]*")


class Used(NamedTuple):
    """rank: how many files use it, negative: the most used one comes first. position: where names tell it."""

    rank: int
    name: str
    path: str
    position: Position | None = None


async def by_names(question: Question, paths: Collection[str], limit: int) -> tuple[list[Used], int]:
    """Of scripts and components, and how many may come after them. Raises LanguageServerError."""
    found, left = await question.by_names.most_imported(paths, limit)
    return [Used(-files, name, *site) for name, site, files in found], left


class ByTexts:
    """In languages of which no imports are followed, for one question."""

    def __init__(self, session: WorkspaceSession, question: Question) -> None:
        self._session = session
        self._words = session.words
        self._question = question

    def all(self, below: Collection[str]) -> Iterator[Used]:
        """What these files export and others use. Reads the texts of all files, unless they were read."""
        exporting: dict[str, list[str]] = {}
        importing: dict[str, int] = {}
        for document in self._documents(self._words.files()):
            for name in document.once(exported):
                exporting.setdefault(name, []).append(document.path)
            for name in document.once(imported):
                importing[name] = importing.get(name, 0) + 1
        for name, everywhere in exporting.items():
            declaring = [path for path in everywhere if path in below]
            form = form_of(everywhere[0])
            files = importing.get(name, 0)
            if form is not None and form.module is None:
                # Only what stands before a name tells one of that name from another.
                likely = declaring if form.package or not declaring else [self._likeliest(name, declaring)]
                yield from (Used(-files, name, path) for path in likely if (files := self._holding(name, path, form)))
            elif declaring and files:
                yield Used(-files, name, self._likeliest(name, declaring))

    def _documents(self, paths: Sequence[str]) -> Iterator[Document]:
        for path in paths:
            document = self._question.documents.try_get(path) if reads(self._question.server, path) else None
            if document is not None:
                yield document

    def _holding(self, name: str, declaring: str, form: Form) -> int:
        """How many files seem to use what a file declares, in a language whose imports name no symbols."""
        found = form.package.search(self._question.documents.get(declaring).text) if form.package else None
        total = 0
        for path in self._words.files_with(name):
            if (
                path != declaring
                and reads(self._question.server, path)
                and (document := self._question.documents.try_get(path))
            ):
                beside = os.path.dirname(path) == os.path.dirname(declaring)
                total += found is None or beside or f"{found['name']}.{name}" in document.text
        return total

    def _likeliest(self, name: str, paths: Collection[str]) -> str:
        """Of several files that export a name the one that is most likely meant."""

        def key(path: str) -> tuple[int, bool, int, str]:
            relative = self._session.relative(path)
            named_after = os.path.basename(path).split(".")[0].replace("-", "").casefold() == name.casefold()
            uses = sum(1 for _ in occurrences(self._question.documents.get(path).text, name))
            return (aside(relative), not named_after, -uses, path)

        return min(paths, key=key)


def imported(document: Document) -> frozenset[str]:
    """The words of a file's imports."""
    form = form_of(document.path)
    if form is None or form.module is None:
        return frozenset()
    clauses = (form.module.sub("", found[0]) for found in form.imports.finditer(document.text))
    return frozenset(word for one in clauses for word in _WORD.findall(one))


def exported(document: Document) -> frozenset[str]:
    """By which names others use what a file declares."""
    form = form_of(document.path)
    return frozenset(declared(document.text, form)) if form is not None else frozenset()
