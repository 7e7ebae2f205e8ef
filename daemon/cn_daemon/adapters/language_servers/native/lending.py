"""Answers about texts that are lent to the native server for a moment, and about projects, which must not see them."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from typing import Any

from cn_daemon.adapters.language_servers.deadlines import awaiting_others
from cn_daemon.adapters.language_servers.lsp.shapes import identifier, path_of
from cn_daemon.adapters.language_servers.native.files import NativeFiles
from cn_daemon.adapters.language_servers.native.link import NativeLink
from cn_daemon.domain.source.text import Document


class NativeLending:
    """Requests of `textDocument/`."""

    def __init__(self, link: NativeLink, files: NativeFiles) -> None:
        self._link = link
        self._files = files
        # How many questions about projects are under way. None is begun while a text is lent that is not the disk's.
        self._asking = 0
        self._unasked = asyncio.Event()
        self._lending = asyncio.Lock()
        # Files that were lent a text unlike the disk's: their projects hold it until they are asked about again.
        self._behind: set[str] = set()
        link.supervisor.forgets.append(self._behind.clear)

    async def ask(self, questions: Sequence[tuple[str, dict[str, Any]]], deadline: float) -> list[Any]:
        """Of each request about a file, as the project of that file reads it: of one that is not open the server takes
        any project that has come to hold it, and globals are other ones there."""
        async with self._lending:
            await self._link.supervisor.same_session(deadline)
            await self._catch_up(deadline)
            self._asking += 1
            self._unasked.clear()
        try:
            self._files.standing.check()
            paths = {path_of(parameters["textDocument"]["uri"]) for _, parameters in questions}
            for path in paths:
                if not self._files.holds(path):
                    self._files.give(self._files.as_on_disk(path))
            with self._files.lent(paths, keep=True):
                return await self._gather(questions, deadline)
        finally:
            self._asking -= 1
            if not self._asking:
                self._unasked.set()

    async def _gather(self, questions: Sequence[tuple[str, dict[str, Any]]], deadline: float) -> list[Any]:
        return await asyncio.gather(
            *(self._link.request(f"textDocument/{request}", parameters, deadline) for request, parameters in questions)
        )

    async def about(self, documents: Sequence[Document], request: str, deadline: float, **parameters: Any) -> list[Any]:
        """Answers about the form of texts that are given to the server, whatever is on disk."""
        return await self._about(documents, request, parameters, deadline, plainly=True)

    async def supposed(self, document: Document, request: str, deadline: float, **parameters: Any) -> Any:
        """The answer if its file held this text."""
        return (await self._about([document], request, parameters, deadline, plainly=False))[0]

    async def _about(
        self, documents: Sequence[Document], request: str, parameters: dict[str, Any], deadline: float, *, plainly: bool
    ) -> list[Any]:
        """plainly: of no file the text in which it is led to other modules."""
        async with self._files.forms:
            await self._link.supervisor.same_session(deadline)
            asked = [(request, {"textDocument": identifier(document.path), **parameters}) for document in documents]
            other = {one.path for one in documents if one.text != self._files.as_on_disk(one.path).text}
            if plainly:
                other.update(one.path for one in documents if self._files.is_redirected(one.path))
            if not other:
                return await self._lent(documents, asked, deadline)
            # Of a question that began before an edit, or of an older revision: no other is to be answered from these.
            async with self._lending:
                async with awaiting_others(deadline):
                    while self._asking:
                        await self._unasked.wait()
                self._behind |= other
                return await self._lent(documents, asked, deadline, other, plainly=plainly)

    async def _catch_up(self, deadline: float) -> None:
        """Asked about the file of another project, the server would go on into what these held before."""
        while self._behind:
            path = next(iter(self._behind))
            await self._files.reread(path, deadline)
            self._behind.discard(path)

    async def _lent(
        self,
        documents: Sequence[Document],
        questions: Sequence[tuple[str, dict[str, Any]]],
        deadline: float,
        other: Collection[str] = (),
        *,
        plainly: bool = False,
    ) -> list[Any]:
        """The caller holds `forms`. other: those that are to have another text afterwards."""
        await self._link.supervisor.same_session(deadline)
        for document in documents:
            self._files.give(document, plainly=plainly)
        with self._files.lent({document.path for document in documents}):
            try:
                return await self._gather(questions, deadline)
            finally:
                for path in other if self._link.supervisor.is_as_begun else ():
                    self._files.give(self._files.as_on_disk(path))
