"""Answers about texts that are lent to the native server for a moment, and about projects, which must not see them."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from typing import Any

from cn_daemon.adapters.language_servers.deadlines import awaiting_others
from cn_daemon.adapters.language_servers.lsp.shapes import identifier, place
from cn_daemon.adapters.language_servers.native.files import NativeFiles
from cn_daemon.adapters.language_servers.native.link import NativeLink
from cn_daemon.application.ports import Site
from cn_daemon.domain.text import Document


class NativeLending:
    """Requests of `textDocument/`."""

    def __init__(self, link: NativeLink, files: NativeFiles) -> None:
        self._link = link
        self._files = files
        # How many questions about projects are under way. None is begun while a text is lent that is not the disk's.
        self._asking = 0
        self._unasked = asyncio.Event()
        self._lending = asyncio.Lock()

    async def ask(self, request: str, parameters: dict[str, Any], deadline: float) -> Any:
        """About the projects that the question has loaded."""
        async with self._lending:
            self._asking += 1
            self._unasked.clear()
        try:
            self._files.standing.check()
            return await self._link.request(f"textDocument/{request}", parameters, deadline)
        finally:
            self._asking -= 1
            if not self._asking:
                self._unasked.set()

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
        plain = {one.path for one in documents if plainly and self._files.is_redirected(one.path)}
        async with self._files.forms:
            await self._link.supervisor.same_session(deadline)
            asked = [{"textDocument": identifier(document.path), **parameters} for document in documents]
            if not plain and all(one.text == self._files.as_on_disk(one.path).text for one in documents):
                return await self._lent(documents, request, asked, deadline)
            # Of a question that began before an edit, or of an older revision: no other is to be answered from these.
            async with self._lending:
                async with awaiting_others(deadline):
                    while self._asking:
                        await self._unasked.wait()
                return await self._lent(documents, request, asked, deadline, plain)

    async def there(self, sites: Sequence[Site], request: str, deadline: float) -> list[Any]:
        """What stands at each place, as the project of its file reads it: of a file that is not open the server takes
        any project that has come to hold it, and globals are other ones there."""
        self._files.standing.check()
        asked = [place(site) for site in sites]
        closed = sorted(path for path in {site.path for site in sites} if not self._files.holds(path))
        if not closed:
            return await asyncio.gather(*(self.ask(request, one, deadline) for one in asked))
        async with self._files.forms:
            await self._link.supervisor.same_session(deadline)
            return await self._lent(list(map(self._files.as_on_disk, closed)), request, asked, deadline)

    async def _lent(
        self,
        documents: Sequence[Document],
        request: str,
        asked: Sequence[dict[str, Any]],
        deadline: float,
        plain: Collection[str] = (),
    ) -> list[Any]:
        """The caller holds `forms`."""
        await self._link.supervisor.same_session(deadline)
        for document in documents:
            self._files.give(document, plainly=document.path in plain)
        try:
            return await asyncio.gather(
                *(self._link.request(f"textDocument/{request}", one, deadline) for one in asked)
            )
        finally:
            for document in documents if self._link.supervisor.is_as_begun else ():
                if not self._files.holds(document.path):
                    self._files.take(document.path)
                elif (there := self._files.as_on_disk(document.path)).text != document.text or document.path in plain:
                    self._files.give(there)
