"""The names that files export, by how many other files use them."""

from __future__ import annotations

import heapq
import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from cn_daemon.application.ports import Site, reads
from cn_daemon.application.question import Desk, Question
from cn_daemon.domain.declarations.symbols import aside, exported_declarations, exports, is_test
from cn_daemon.domain.source.form_table import Form
from cn_daemon.domain.source.forms import declared, form_of
from cn_daemon.domain.source.reading import SourceText, imports
from cn_daemon.domain.source.text import Document, occurrences

_WORD = re.compile(r"[A-Za-z_$][\w$]*")
# Where an import comes from: its keyword and the words of a path are no names.
_MODULE = re.compile(r"""(?:\bfrom\s*)?(?P<quote>['"])(?P<name>[^'"\n]+)(?P=quote)""")
# Of so many names it is asked at once what files mean by them.
AT_ONCE = 100
# How many files use a name, negative; the name; the file that exports it, or nothing while that is not known.
Row = tuple[int, str, str]


class Used:
    """For one question. Reads the texts of all files, unless they were read."""

    def __init__(self, desk: Desk, question: Question) -> None:
        self._desk = desk
        self._words = desk.words
        self._question = question

    async def names(self, paths: Sequence[str], limit: int) -> tuple[list[Row], int]:
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
                waiting.append(
                    (-files, name, "" if self._question.by_names.tells else self._likeliest(name, declaring))
                )
        return await self._meant(told, waiting, exporting, below, limit)

    def _documents(self, paths: Iterable[str]) -> Iterator[Document]:
        for path in paths:
            document = self._question.documents.try_get(path) if reads(self._question.server, path) else None
            if document is not None:
                yield document

    async def _meant(
        self,
        told: list[Row],
        waiting: list[Row],
        exporting: Mapping[str, Sequence[str]],
        below: Collection[str],
        limit: int,
    ) -> tuple[list[Row], int]:
        """`told`, and of the names `waiting`, which not more files use, those that most do: by what each file means
        of the files and packages that have something of that name."""
        heapq.heapify(waiting)
        wanted = len(told) + limit
        while waiting and (limit == 0 or len(told) < wanted):
            if waiting[0][2]:
                told.append(heapq.heappop(waiting))
                continue
            names: list[str] = []
            while waiting and not waiting[0][2] and len(names) < AT_ONCE:
                names.append(heapq.heappop(waiting)[1])
            for row in await self._counted(names, exporting, below):
                heapq.heappush(waiting, row)
        return told, len(waiting)

    async def _counted(
        self, names: Sequence[str], exporting: Mapping[str, Sequence[str]], below: Collection[str]
    ) -> list[Row]:
        rows: list[tuple[str, str]] = []
        sites: list[Site] = []
        for name, path in [(one, path) for one in names for path in exporting[one] if path in below]:
            source = self._question.documents.get(path).once(SourceText)
            one = next(one for one in exports(source.text) if one.known == name)
            rows.append((one.name, path))
            sites.append(Site(path, source.position(one.start)))
        counts = await self._question.by_names.importing(sites)
        return [(-count, *row) for row, count in zip(rows, counts, strict=False) if count]

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
    """The words of a file's imports."""
    form = form_of(document.path)
    if form is not None:
        module = form.module
        told = (module.sub("", found[0]) for found in form.imports.finditer(document.text)) if module else ()
        return frozenset(word for one in told for word in _WORD.findall(one))
    clauses = (document.text[start:end] for start, end in document.once(imports))
    # A list without a module exports what the file itself has.
    return frozenset(word for one in clauses if _MODULE.search(one) for word in _WORD.findall(_MODULE.sub("", one)))


def exported(document: Document) -> frozenset[str]:
    """By which names others import what a file declares."""
    form = form_of(document.path)
    if form is not None:
        return frozenset(declared(document.text, form))
    text, handed_on = document.text, document.once(imported)
    # What it declares may have a name that it imports under another one.
    own = (one for one in exports(text) if one.name not in handed_on or exported_declarations(text, one.name))
    return frozenset(one.known for one in own)
