"""The symbols whose names fit a pattern, a page at a time."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Sequence

from cn_daemon.application.declared import declares
from cn_daemon.application.ports import Call, Coverage
from cn_daemon.application.question import MARGIN_S, Desk, Question, parse_cursor
from cn_daemon.application.text_ports import TextSearch
from cn_daemon.application.verdicts import verdict
from cn_daemon.domain.declarations.outline import Declaration, flatten
from cn_daemon.domain.declarations.symbols import aside, group
from cn_daemon.domain.name_patterns import NamePattern
from cn_daemon.domain.source.text import Document
from cn_shared.errors import DeadlineError, LanguageServerError
from cn_shared.wire import FindAnswer, LocationRef

# So many names are looked up at once.
NAMES = 32


class ByPattern:
    """Over the same desk as find. What is local to a body does not count."""

    def __init__(self, desk: Desk, texts: TextSearch) -> None:
        self._desk = desk
        self._texts = texts

    async def find(self, call: Call, pattern: NamePattern, limit: int, cursor: str | None, server: str) -> FindAnswer:
        """Raises InputError (`bad_pattern`), DeadlineError, and what `Workspace.resolve` raises."""
        first = parse_cursor(cursor)
        return await self._desk.surviving(lambda: self._page(call, pattern, limit, first, server))

    async def _page(self, call: Call, pattern: NamePattern, limit: int, first: int, server: str) -> FindAnswer:
        await self._desk.words.refresh()
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
            verdict(Coverage(0, 0, []), len({ref.file_path for ref in found[first:last]}), "; ".join(reasons)),
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
        servers = self._desk.answering(within or self._desk.words.files(), server)
        questions = [self._desk.begun(call, one) for one in servers]
        if within or pattern.containers:
            for question in questions:
                paths = within or question.holding(pattern.containers[-1:])
                yield await self._declared(question, _read(question, paths, below), pattern, None)
            return
        words = pattern.words or self._desk.words.all()
        names = sorted(await self._texts.fitting(pattern.name, words, deadline), key=lambda name: (name.lower(), name))
        for start in range(0, len(names), NAMES):
            chunk = names[start : start + NAMES]
            for question in questions:
                documents: dict[str, Document] = {}
                for name in chunk:
                    bare = name.lstrip("#")
                    read = _read(question, question.holding([bare]), below)
                    documents |= {one.path: one for one in read if declares(one, bare)}
                    await asyncio.sleep(0)  # others ask meanwhile
                try:
                    yield await self._declared(question, list(documents.values()), pattern, chunk)
                except LanguageServerError as error:
                    reasons[error.message.rstrip(".")] = None

    def _within(self, call: Call, pattern: NamePattern) -> tuple[list[str], str]:
        """The file that is named, if one is, and what the paths of all files begin with."""
        workspace = self._desk.workspace
        if pattern.path is None or workspace.kind(pattern.path, call.cwd) != "folder":
            return [str(workspace.resolve(pattern.path, call.cwd))] if pattern.path else [], ""
        bases = (str(one) for one in (call.cwd, workspace.root) if one is not None)
        folders = [os.path.normpath(os.path.join(base, pattern.path)) + "/" for base in bases]
        files = self._desk.words.files()
        return [], next((one for one in folders if any(path.startswith(one) for path in files)), folders[-1])

    async def _declared(
        self, question: Question, documents: Sequence[Document], pattern: NamePattern, names: Iterable[str] | None
    ) -> list[LocationRef]:
        """What these declare under such names; None: under all that fit."""
        outlines = await question.server.outlines(documents, question.deadline)
        held = [
            one
            for outline in outlines.values()
            for one in flatten(outline)
            if not one.local and one.containers[len(one.containers) - len(pattern.containers) :] == pattern.containers
        ]
        if names is None:
            names = await self._texts.fitting(pattern.name, list({one.name for one in held}), question.deadline)
        bare = {name.lstrip("#") for name in names}
        symbols = group([one for one in held if one.name.lstrip("#") in bare], question.documents.lenient)
        mains = sorted((symbol.main for symbol in symbols), key=_order(question.locations.relative))
        return [question.locations.declaration(one) for one in mains]


def _read(question: Question, paths: Collection[str], below: str) -> list[Document]:
    documents = (question.documents.try_get(path) for path in sorted(paths) if path.startswith(below))
    return [document for document in documents if document is not None]


def _order(relative: Callable[[str], str]) -> Callable[[Declaration], tuple[object, ...]]:
    """By name, production before tests and copies, then by place."""

    def key(one: Declaration) -> tuple[object, ...]:
        path = relative(one.path)
        return one.name.lower(), one.name, aside(path), path, one.position

    return key
