"""The form of TypeScript's texts, as the bindings' process reads it: no server is started for it.

Outlines and what is around a place are read from the syntax tree (`outline.mjs`, `syntax.mjs`): they are the same
whatever TypeScript a workspace asks for.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from cn_daemon.adapters.compilers.bindings import Bindings, UnreadError
from cn_daemon.adapters.compilers.outlines import Outline
from cn_daemon.adapters.language_servers.outlines import ByText
from cn_daemon.adapters.language_servers.tsserver.offsets import Offsets
from cn_daemon.application.hard_texts import ENDING, HardTexts
from cn_daemon.application.ports import Calls, TellsForm, Usage
from cn_daemon.domain.declarations.blocks import Around, Fold
from cn_daemon.domain.declarations.outline import Declaration
from cn_daemon.domain.source.components import is_component
from cn_daemon.domain.source.text import Document, Position, Span
from cn_shared.errors import DeadlineError, LanguageServerError

log = logging.getLogger(__name__)


class Syntax:
    """The port `TellsForm`."""

    def __init__(self, bindings: Bindings, hard: HardTexts, fallback: TellsForm | None = None) -> None:
        """hard: which texts are read no more. fallback: tells the form where the parser cannot be had."""
        self._bindings = bindings
        self._hard = hard
        self._fallback = fallback
        self._outlines = ByText[Outline]()

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
