"""The symbols whose names fit a pattern, a page at a time."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Collection, Mapping, Sequence

from cn_daemon.application.declared import declaring
from cn_daemon.application.ports import Call, Coverage
from cn_daemon.application.question import MARGIN_S, Question, WorkspaceSession, parse_cursor
from cn_daemon.application.text_ports import TextSearch
from cn_daemon.domain.declarations.outline import Declaration, flatten
from cn_daemon.domain.declarations.symbols import aside, group
from cn_daemon.domain.name_patterns import NamePattern
from cn_daemon.domain.source.text import Document
from cn_shared.errors import DeadlineError, LanguageServerError
from cn_shared.wire import FindAnswer, LocationRef

# So many files are looked into at once, and for so many names is asked which files declare them.
FILES = 64
NAMES = 64

# A file that may declare a name, and who answers for it.
_Place = tuple[Question, Document, str]


class ByPattern:
    """Over the same session as find. What is local to a body does not count."""

    def __init__(self, session: WorkspaceSession, texts: TextSearch) -> None:
        self._session = session
        self._texts = texts

    async def find(self, call: Call, pattern: NamePattern, limit: int, cursor: str | None, server: str) -> FindAnswer:
        """Raises InputError (`bad_pattern`), DeadlineError, and what `Workspace.resolve` raises."""
        first = parse_cursor(cursor)
        return await self._session.retry_on_restart(lambda: self._page(call, pattern, limit, first, server))

    async def _page(self, call: Call, pattern: NamePattern, limit: int, first: int, server: str) -> FindAnswer:
        await self._session.words.refresh()
        found: list[LocationRef] = []
        reasons: dict[str, None] = {}
        try:
            async for some in self._found(call, pattern, server, reasons):
                found += some
                if limit and len(found) > first + limit:
                    break
        except DeadlineError as error:
            if not found:
                raise
            reasons[error.message.rstrip(".")] = None
        last = first + limit if limit else len(found)
        return FindAnswer(
            Coverage().verdict(len({ref.file_path for ref in found[first:last]}), "; ".join(reasons)),
            0,
            [],
            matches=found[first:last],
            next=str(last) if len(found) > last else None,
            hint=None if found else "Nothing of such a name is declared outside of function bodies.",
        )

    async def _found(
        self, call: Call, pattern: NamePattern, server: str, reasons: dict[str, None]
    ) -> AsyncIterator[list[LocationRef]]:
        """The symbols by name, some at a time. reasons: why some are missing is put there."""
        deadline = call.deadline - MARGIN_S
        within, below = self._within(call, pattern)
        servers = self._session.surveyed(within or self._session.words.files(), server)
        questions = [self._session.begun(call, one) for one in servers]
        if within or pattern.containers:
            for question in questions:
                paths = within or sorted(question.holding(pattern.containers[-1:]))
                yield await self._inside(question, [path for path in paths if path.startswith(below)], pattern)
            return
        words = pattern.words or self._session.words.all()
        names = sorted(await self._texts.fitting(pattern.name, words, deadline), key=lambda name: (name.lower(), name))
        batch: list[_Place] = []
        for first in range(0, len(names), NAMES):
            some = [name.lstrip("#") for name in names[first : first + NAMES]]
            declared = []
            for question in questions:
                holding = {one: [path for path in question.holding([one]) if path.startswith(below)] for one in some}
                read = question.documents.try_get
                declared.append((question, await declaring(question.server, holding, read, deadline)))
            for name in some:
                places = [(path, question) for question, paths_of in declared for path in paths_of[name]]
                for path, question in sorted(places, key=lambda one: _late(one[1], one[0])):
                    if (document := question.documents.try_get(path)) is not None:
                        batch.append((question, document, name))
                    if len(batch) == FILES:
                        yield await self._declaring(batch, reasons)
                        batch = []
            await asyncio.sleep(0)  # others ask meanwhile
        yield await self._declaring(batch, reasons)

    async def _declaring(self, batch: Sequence[_Place], reasons: dict[str, None]) -> list[LocationRef]:
        """What some files declare, each under the name that is looked for in it."""
        found: list[tuple[tuple[object, ...], LocationRef]] = []
        for question in dict.fromkeys(question for question, _, _ in batch):
            documents = {document.path: document for one, document, _ in batch if one is question}
            wanted = {(document.path, name) for one, document, name in batch if one is question}
            try:
                outlines = await question.server.outlines(list(documents.values()), question.deadline)
            except LanguageServerError as error:
                reasons[error.message.rstrip(".")] = None
                continue
            declared = _declared_in(outlines, ())
            found += _symbols([one for one in declared if (one.path, one.name.lstrip("#")) in wanted], question)
        return [ref for _, ref in sorted(found, key=_first)]

    def _within(self, call: Call, pattern: NamePattern) -> tuple[list[str], str]:
        """The file that is named, if one is, and what the paths of all files begin with."""
        workspace = self._session.workspace
        if pattern.path is None or workspace.kind(pattern.path, call.cwd) != "folder":
            return [str(workspace.resolve(pattern.path, call.cwd))] if pattern.path else [], ""
        bases = (str(one) for one in (call.cwd, workspace.root) if one is not None)
        folders = [os.path.normpath(os.path.join(base, pattern.path)) + "/" for base in bases]
        files = self._session.words.files()
        return [], next((one for one in folders if any(path.startswith(one) for path in files)), folders[-1])

    async def _inside(self, question: Question, paths: Sequence[str], pattern: NamePattern) -> list[LocationRef]:
        """What fits of what some files declare, in the containers that are named."""
        documents = [document for path in paths if (document := question.documents.try_get(path)) is not None]
        declared = _declared_in(await question.server.outlines(documents, question.deadline), pattern.containers)
        names = {one.name for one in declared}
        fitting = set(await self._texts.fitting(pattern.name, list(names), question.deadline))
        return [
            ref for _, ref in sorted(_symbols([one for one in declared if one.name in fitting], question), key=_first)
        ]


def _declared_in(outlines: Mapping[str, Sequence[Declaration]], containers: tuple[str, ...]) -> list[Declaration]:
    """What is declared outside of bodies, in these containers."""
    declared = (one for outline in outlines.values() for one in flatten(outline) if not one.local)
    return [one for one in declared if one.containers[len(one.containers) - len(containers) :] == containers]


def _symbols(declared: Collection[Declaration], question: Question) -> list[tuple[tuple[object, ...], LocationRef]]:
    """Each with what it is sorted by: its name, production before tests and copies, its place."""
    mains = (symbol.main for symbol in group(declared))
    return [
        ((one.name.lower(), one.name, *_late(question, one.path), one.position), question.locations.declaration(one))
        for one in mains
    ]


def _late(question: Question, path: str) -> tuple[int, str]:
    relative = question.locations.relative(path)
    return aside(relative), relative


def _first(one: tuple[tuple[object, ...], LocationRef]) -> tuple[object, ...]:
    return one[0]
