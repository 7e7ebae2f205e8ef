"""Uses of a member in files of other formats."""

from __future__ import annotations

import asyncio
import time
from typing import NamedTuple

from cn_daemon.application.context import Context
from cn_daemon.application.ports import Doubt, Hit
from cn_daemon.application.uses.specifiers import Specifiers
from cn_daemon.domain.declarations.symbols import Symbol
from cn_daemon.domain.mentions.embedded import imported, is_embedding, may_take
from cn_daemon.domain.source.components import is_component
from cn_daemon.domain.source.text import Position, Span, character_at, occurrences, utf16_length

NOT_READ = "a mention in a file whose types are not read"

# For so long other questions wait.
_SLICE_S = 0.02


class Mentions(NamedTuple):
    """doubts: mentions that may be uses. late: how many files that hold the name there was no time to look into."""

    doubts: list[Doubt]
    late: int


class Unread:
    """For one question: shares its documents."""

    def __init__(self, context: Context, specifiers: Specifiers) -> None:
        self._words, _, self._documents, self._deadline = context
        self._specifiers = specifiers

    async def mentions(self, member: Symbol) -> Mentions:
        name = member.main.name.lstrip("#")
        # What components name, the bindings and types tell.
        embedding = sorted(
            path for path in self._words.files_with(name) if is_embedding(path) and not is_component(path)
        )
        found: list[tuple[str, int]] = []
        since = time.monotonic()
        for read, path in enumerate(embedding):
            if time.monotonic() > self._deadline:
                return Mentions([self._doubt(*place, name) for place in found], len(embedding) - read)
            if time.monotonic() > since + _SLICE_S:
                await asyncio.sleep(0)
                since = time.monotonic()
            found += [(path, line) for line in self._lines(path, name)]
        return Mentions([self._doubt(*place, name) for place in found], 0)

    def _doubt(self, path: str, line: int, name: str) -> Doubt:
        text = self._documents.get(path).line(line)
        start = Position(line, character_at(text, next(occurrences(text, name), 0)))
        end = start._replace(character=start.character + utf16_length(name))
        return Doubt(Hit(path, Span(start, end)), NOT_READ)

    def _lines(self, path: str, name: str) -> list[int]:
        document = self._documents.try_get(path)
        # Markdown that imports nothing of the workspace has nothing of it.
        if document is None or (
            path.endswith(".mdx") and not any(map(self._specifiers.is_inside, document.once(imported)))
        ):
            return []
        return document.known(may_take, name)
