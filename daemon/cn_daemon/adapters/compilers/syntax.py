"""The form of TypeScript's texts, as the bindings' process reads it: no server is started for it.

Outlines and what is around a place are read from the syntax tree (`outline.mjs`, `syntax.mjs`): they are the same
whatever TypeScript a workspace asks for.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from cn_daemon.adapters.compilers.bindings import Bindings, UnreadError
from cn_daemon.application.hard_texts import ENDING, HardTexts
from cn_daemon.application.ports import Calls, TellsForm, Usage
from cn_daemon.domain.declarations.blocks import Around, Fold
from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.source.components import is_component
from cn_daemon.domain.source.text import AnswersByText, Document, Position, Span
from cn_shared.errors import DeadlineError, LanguageServerError

log = logging.getLogger(__name__)

Row = Mapping[str, Any]
# Reading so many declarations takes so long that other questions must go on meanwhile.
MANY = 20_000
_END = re.compile("\r\n|[\n\r]")
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


class Syntax:
    """The port `TellsForm`."""

    def __init__(self, bindings: Bindings, hard: HardTexts, fallback: TellsForm | None = None) -> None:
        """hard: which texts are read no more. fallback: tells the form where the parser cannot be had."""
        self._bindings = bindings
        self._hard = hard
        self._fallback = fallback
        self._outlines = AnswersByText[Outline]()

    async def outlines(
        self, documents: Sequence[Document], deadline: float, name: str | None = None
    ) -> dict[str, list[Declaration]]:
        async def fetch(wanted: Sequence[Document]) -> list[Outline]:
            rows: dict[str, str] = {}
            for method, components in (("declarations", True), ("outline", False)):
                some = [one for one in wanted if is_component(one.path) is components]
                answers = await self._formed(method, some, deadline) if some else []
                rows.update(zip((one.path for one in some), answers, strict=True))
            return [Outline(one, rows[one.path]) for one in wanted]

        try:
            found = await self._outlines.of(documents, fetch)
        except LanguageServerError as error:
            if any(is_component(one.path) for one in documents):
                raise
            return await self._instead(error).outlines(documents, deadline, name)
        return {one.path: await found[one.path].of(name) for one in documents}

    async def declaring(
        self, names: Mapping[str, Sequence[str]], read: Callable[[str], Document | None], deadline: float
    ) -> dict[str, list[str]]:
        try:
            return await self._bindings.declaring(names, deadline)
        except LanguageServerError as error:
            return await self._instead(error).declaring(names, read, deadline)

    async def around(self, document: Document, place: Position, deadline: float) -> Around:
        offsets = Offsets(document.text)
        try:
            (answer,) = await self._formed("around", [document], deadline, offset=offsets.of(place))
        except LanguageServerError as error:
            return await self._instead(error).around(document, place, deadline)
        folds = [Fold(row["kind"], offsets.span(row["textSpan"])) for row in answer["folds"]]
        statement = offsets.span(answer["statement"]) if answer["statement"] else None
        return Around(folds, [offsets.span(row) for row in answer["functions"]], statement)

    async def identifiers(self, document: Document, span: Span, deadline: float) -> list[Span]:
        offsets = Offsets(document.text)
        start, end = map(offsets.of, span)
        try:
            (answer,) = await self._formed("identifiers", [document], deadline, start=start, end=end)
        except LanguageServerError as error:
            return await self._instead(error).identifiers(document, span, deadline)
        return [offsets.between(first, last) for first, last in answer]

    async def usages(self, mentions: Sequence[tuple[Document, Sequence[Span]]], deadline: float) -> list[list[Usage]]:
        try:
            answers = await self._bindings.usages(mentions, deadline)
        except LanguageServerError as error:
            return await self._instead(error).usages(mentions, deadline)
        return [[Usage(*one) for one in here] for here in answers]

    async def calls(self, document: Document, span: Span, deadline: float) -> Calls:
        offsets = Offsets(document.text)
        start, end = map(offsets.of, span)
        try:
            (answer,) = await self._formed("calls", [document], deadline, start=start, end=end)
        except LanguageServerError as error:
            return await self._instead(error).calls(document, span, deadline)
        names = [offsets.between(first, last) for first, last in answer["names"]]
        aliases = {offsets.place(name): offsets.place(origin) for name, origin in answer["aliases"]}
        return Calls(names, answer["unnamed"], aliases)

    async def _formed(
        self, method: str, documents: Sequence[Document], deadline: float, **parameters: int
    ) -> list[Any]:
        texts = [{"path": one.path, "text": one.text, **parameters} for one in documents]
        try:
            return await self._bindings.formed(method, texts, deadline)
        except UnreadError as error:
            text = next(one.text for one in documents if one.path == error.path)
            if is_component(error.path) or not self._hard.add(text, ENDING):
                raise
            log.warning("the parser cannot read %s: %s", error.path, error.message)
            raise LanguageServerError("projects_changed", f"{error.path} cannot be read") from error

    def _instead(self, error: LanguageServerError) -> TellsForm:
        """Who answers in the parser's stead. Raises the error, as DeadlineError where time ran out."""
        if error.code == "timed_out":
            raise DeadlineError("timed_out", error.message) from error
        if self._fallback is None or error.code == "projects_changed":
            raise error
        log.info("form: %s", error.message)
        return self._fallback


class Outline:
    """The outline of one text, read as far as it was asked for."""

    def __init__(self, document: Document, answer: str) -> None:
        """answer: of the process' `outline` or `declarations`, a list of rows in JSON, a container before what
        it holds. Read, it weighs eight times as much."""
        self._document = document
        self._answer = answer
        self._declarations: list[Declaration] | None = None

    async def of(self, name: str | None) -> list[Declaration]:
        """The declarations in source order. name: those of that name (a private one's `#` aside), with what holds them
        and what they hold, are enough."""
        if self._declarations is not None:
            return self._declarations
        rows: list[Row] = json.loads(self._answer)
        if name is not None:
            return declarations(self._document, _near(rows, name.lstrip("#")))
        if len(rows) > MANY:
            self._declarations = await asyncio.to_thread(declarations, self._document, rows)
        else:
            self._declarations = declarations(self._document, rows)
        self._answer = ""
        return self._declarations


def _near(rows: Sequence[Row], name: str) -> list[Row]:
    by_index = {row["index"]: row for row in rows}
    found: dict[int, Row] = {}
    within: set[int] = set()
    for row in rows:
        if row["container"] in within or row["name"].lstrip("#") == name:
            within.add(row["index"])
            one: Row | None = row
            while one is not None and one["index"] not in found:
                found[one["index"]] = one
                one = by_index.get(one["container"])
    return [found[index] for index in sorted(found)]


class Offsets:
    """The places of one text that the process tells as offsets, in UTF-16 code units."""

    def __init__(self, text: str) -> None:
        ends = [found.end() for found in _END.finditer(text)]
        if not text.isascii():
            pairs = [found.start() for found in _ASTRAL.finditer(text)]
            ends = [end + bisect_left(pairs, end) for end in ends]
        self._starts = [0, *ends]

    def span(self, row: Row) -> Span:
        """Of a row {start, length}."""
        return self.between(row["start"], row["start"] + row["length"])

    def between(self, start: int, end: int) -> Span:
        return Span(self.place(start), self.place(end))

    def of(self, place: Position) -> int:
        """The offset of a place; the end of the text where it has no such line."""
        line = min(place.line, len(self._starts))
        return self._starts[line - 1] + place.character - 1

    def place(self, offset: int) -> Position:
        line = bisect_right(self._starts, offset)
        return Position(line, offset - self._starts[line - 1] + 1)


def declarations(document: Document, rows: Collection[Row]) -> list[Declaration]:
    """In source order."""
    offsets = Offsets(document.text)
    found: dict[int, Declaration] = {}
    roots: list[Declaration] = []
    span = offsets.between
    for row in rows:
        parent = found.get(row["container"])
        declared = found[row["index"]] = Declaration(
            document.path,
            row["name"],
            row["kind"],
            span(row["nameStart"], row["nameEnd"]),
            span(row["start"], row["end"]),
            row["exported"],
            static=row.get("static", False),
            local=row.get("local", False),
            is_outside=row.get("apart", False),
            reexport=row.get("reexport", False),
            statement=span(*row["statement"]) if "statement" in row else None,
            head_end=span(row["head"], row["head"]).start if "head" in row else None,
            scope=row.get("scope", 0),
            parent=parent,
        )
        (roots if parent is None else parent.children).append(declared)
    return sorted(roots, key=lambda one: one.span.start)
