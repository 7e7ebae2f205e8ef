"""What the syntax server tells of texts: of their form alone, whatever is on disk."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from cn_daemon.adapters.language_servers.deadlines import held
from cn_daemon.adapters.language_servers.tsserver.link import SYNTAX, TsserverLink
from cn_daemon.domain.source.text import Document

Requests = Sequence[tuple[str, dict[str, Any]]]
# What is made of an answer about a text, as soon as it is there: the server goes on with the next one meanwhile.
Read = Callable[[Document, Any], Any]


def _as_it_is(document: Document, answer: Any) -> Any:
    return answer


class Forms:
    """Texts are given to it for as long as it is asked about them."""

    def __init__(self, link: TsserverLink) -> None:
        self._link = link
        self._turn = asyncio.Lock()

    async def ask(
        self, documents: Sequence[Document], requests: Requests, deadline: float, read: Read = _as_it_is
    ) -> list[Any]:
        """One answer for each document."""

        async def answer(document: Document, command: str, arguments: dict[str, Any]) -> Any:
            return read(document, await self._link.request(command, arguments, deadline, SYNTAX))

        async with held(self._turn, deadline):
            session = await self._link.supervisor.same_session(deadline)
            opened = [self._link.opening(one.path, one.text) for one in documents]
            await self._link.update(opened, (), deadline, SYNTAX)
            try:
                asked = zip(documents, requests, strict=True)
                return await asyncio.gather(*(answer(document, *request) for document, request in asked))
            finally:
                if session.alive:
                    await self._link.update((), [document.path for document in documents], deadline + 1, SYNTAX)
