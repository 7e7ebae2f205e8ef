"""Answers about texts that are lent to tsserver for a moment: what is on disk does not matter."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from cn_daemon.adapters.language_servers.deadlines import held
from cn_daemon.adapters.language_servers.tsserver.files import TsserverFiles
from cn_daemon.adapters.language_servers.tsserver.link import SEMANTIC, SYNTAX, TsserverLink
from cn_daemon.domain.source.text import Document

Requests = Sequence[tuple[str, dict[str, Any]]]
# What is made of an answer about a text, as soon as it is there: the server goes on with the next one meanwhile.
Read = Callable[[Document, Any], Any]


def _as_it_is(document: Document, answer: Any) -> Any:
    return answer


class TsserverLending:
    """Of two servers that can answer: the one that knows the files already, else the one that knows form alone."""

    def __init__(self, link: TsserverLink, files: TsserverFiles) -> None:
        self._link = link
        self._files = files
        self._syntax = asyncio.Lock()

    async def in_projects(
        self, documents: Sequence[Document], requests: Requests, deadline: float, read: Read
    ) -> list[Any] | None:
        """The same answers of the semantic server, which knows these files already: the syntax server would have to
        read them, beside it. One for each document. None when it would have to load something, or is busy."""
        if self._files.turn.locked() or self._link.busy:
            return None
        if any(self._files.is_redirected(one.path) for one in documents):
            # What is told by offsets would be of another text.
            return None
        return await self.in_turn(documents, requests, deadline, read)

    async def in_turn(
        self, documents: Sequence[Document], requests: Requests, deadline: float, read: Read = _as_it_is
    ) -> list[Any] | None:
        """The same, also when it is busy."""
        projects = self._files.projects
        async with held(self._files.turn, deadline):
            await self._link.supervisor.same_session(deadline)
            if not all(projects.is_own(one.path) or one.path in projects.anchors for one in documents):
                return None
            try:
                # All in one go, so that nobody's question is answered from these texts.
                _, *answers, _ = await asyncio.gather(
                    self._files.tell([self._files.opening(one.path, one.text) for one in documents], (), deadline),
                    *self._answers(documents, requests, deadline, SEMANTIC, read),
                    self._take_back([document.path for document in documents], deadline),
                )
            except BaseException:
                # It may have kept some of them: whoever goes on tells it everything anew.
                self._files.lost()
                raise
        return answers

    async def _take_back(self, lent: Sequence[str], deadline: float) -> None:
        """Have the semantic server read from the disk again what was given to it for a moment."""
        anchors = self._files.anchors.intersection(lent)
        files = [self._files.as_on_disk(path) for path in sorted(anchors)]
        await self._files.tell(files, sorted(anchors.symmetric_difference(lent)), deadline)

    async def by_form(
        self, documents: Sequence[Document], requests: Requests, deadline: float, read: Read = _as_it_is
    ) -> list[Any]:
        """Answers of the syntax server about texts that are given to it: what is on disk does not matter. One for each
        document."""
        async with held(self._syntax, deadline):
            session = await self._link.supervisor.same_session(deadline)
            opened = [self._link.opening(one.path, one.text) for one in documents]
            await self._link.update(opened, (), deadline, SYNTAX)
            try:
                return await asyncio.gather(*self._answers(documents, requests, deadline, SYNTAX, read))
            finally:
                if session.alive:
                    await self._link.update((), [document.path for document in documents], deadline + 1, SYNTAX)

    def _answers(
        self, documents: Sequence[Document], requests: Requests, deadline: float, target: int, read: Read
    ) -> list[Awaitable[Any]]:
        async def answer(document: Document, command: str, arguments: dict[str, Any]) -> Any:
            return read(document, await self._link.request(command, arguments, deadline, target))

        return [answer(document, *request) for document, request in zip(documents, requests, strict=True)]
