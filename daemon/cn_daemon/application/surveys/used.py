"""The names that files export, by how many other files use them."""

from __future__ import annotations

import heapq
import os
import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from cn_daemon.application.modules.importers import Importers, clauses
from cn_daemon.application.modules.reach import Reach
from cn_daemon.application.ports import reads
from cn_daemon.application.question import Desk, Question
from cn_daemon.domain.declarations.symbols import aside, exported_names, is_test
from cn_daemon.domain.source.form_table import Form
from cn_daemon.domain.source.forms import declared, form_of
from cn_daemon.domain.source.text import Document, occurrences

_WORD = re.compile(r"[A-Za-z_$][\w$]*")
# How many files use a name, negative; the name; the file that exports it, or nothing while that is not known.
Row = tuple[int, str, str]


class Used:
    """For one question. Reads the texts of all files, unless they were read."""

    def __init__(self, desk: Desk, question: Question) -> None:
        self._desk = desk
        self._words = desk.words
        self._question = question

    def names(self, paths: Sequence[str], limit: int) -> tuple[list[Row], int]:
        """Those that most files use, of what some of these files export, and how many may come after them."""
        below = {path for path in paths if not is_test(self._desk.relative(path))}
        exporting: dict[str, list[str]] = {}
        importing: dict[str, list[str]] = {}
        for document in self._documents(self._words.files()):
            for name in document.once(exported):
                exporting.setdefault(name, []).append(document.path)
            for name in document.once(imported):
                importing.setdefault(name, []).append(document.path)
        told: list[Row] = []
        waiting: list[Row] = []
        for name, everywhere in exporting.items():
            declaring = [path for path in everywhere if path in below]
            form = form_of(everywhere[0])
            files = len(importing.get(name, ()))
            if form is not None and form.module is None:
                # Only what stands before a name tells one of that name from another.
                likely = declaring if form.package or not declaring else [self._likeliest(name, declaring)]
                told += [(-files, name, path) for path in likely if (files := self._holding(name, path, form))]
            elif form is not None and declaring and files:
                told.append((-files, name, self._likeliest(name, declaring)))
            elif declaring and files:
                waiting.append((-files, name, ""))
        return self._meant(told, waiting, importing, exporting, below, limit)

    def _documents(self, paths: Iterable[str]) -> Iterator[Document]:
        for path in paths:
            document = self._question.documents.try_get(path) if reads(self._question.server, path) else None
            if document is not None:
                yield document

    def _meant(
        self,
        told: list[Row],
        waiting: list[Row],
        importing: dict[str, list[str]],
        exporting: dict[str, list[str]],
        below: Collection[str],
        limit: int,
    ) -> tuple[list[Row], int]:
        """`told`, and of the names `waiting`, which not more files use, those that most do: by what each file means
        of the files and packages that have something of that name."""
        reach = Reach(self._words, self._question.documents, self._desk.leads.steps)
        importers = Importers(reach, self._question.documents, self._likeliest)
        heapq.heapify(waiting)
        wanted = len(told) + limit
        while waiting and (limit == 0 or len(told) < wanted):
            count, name, path = heapq.heappop(waiting)
            if path:
                told.append((count, name, path))
                continue
            for path, files in importers.counted(name, importing[name], exporting[name]).items():
                if path in below:
                    heapq.heappush(waiting, (-files, name, path))
        return told, len(waiting)

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
            relative = self._desk.relative(path)
            named_after = os.path.basename(path).split(".")[0].replace("-", "").casefold() == name.casefold()
            uses = sum(1 for _ in occurrences(self._question.documents.get(path).text, name))
            return (aside(relative), not named_after, -uses, path)

        return min(paths, key=key)


def imported(document: Document) -> frozenset[str]:
    form = form_of(document.path)
    if form is not None:
        module = form.module
        told = (module.sub("", found[0]) for found in form.imports.finditer(document.text)) if module else ()
        return frozenset(word for one in told for word in _WORD.findall(one))
    return frozenset[str]().union(*(one.names for one in clauses(document)))


def exported(document: Document) -> frozenset[str]:
    form = form_of(document.path)
    return frozenset(declared(document.text, form) if form is not None else exported_names(document.text))
