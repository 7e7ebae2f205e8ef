"""Answers about texts that are lent to the native server for a moment, and about projects, which must not see them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
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
        """Answers about texts that are given to the server, whatever is on disk."""
        async with self._files.forms:
            await self._link.supervisor.same_session(deadline)
            asked = [{"textDocument": identifier(document.path), **parameters} for document in documents]
            if all(document.text == self._files.as_on_disk(document.path).text for document in documents):
                return await self._lent(documents, request, asked, deadline)
            # Of a question that began before an edit, or of an older revision: no other is to be answered from these.
            async with self._lending:
                async with awaiting_others(deadline):
                    while self._asking:
                        await self._unasked.wait()
                return await self._lent(documents, request, asked, deadline)

    async def there(self, sites: Sequence[Site], request: str, deadline: float) -> list[Any]:
        """What stands at each place, as the project of its file reads it: of a file that is not open the server takes
        any project that has come to hold it, and globals are other ones there."""
        self._files.standing.check()
        asked = [place(site) for site in sites]
        closed = sorted({site.path for site in sites} - self._files.anchors.keys())
        if not closed:
            return await asyncio.gather(*(self.ask(request, one, deadline) for one in asked))
        async with self._files.forms:
            await self._link.supervisor.same_session(deadline)
            return await self._lent(list(map(self._files.as_on_disk, closed)), request, asked, deadline)

    async def _lent(
        self, documents: Sequence[Document], request: str, asked: Sequence[dict[str, Any]], deadline: float
    ) -> list[Any]:
        """The caller holds `forms`."""
        await self._link.supervisor.same_session(deadline)
        for document in documents:
            self._files.give(document)
        try:
            return await asyncio.gather(
                *(self._link.request(f"textDocument/{request}", one, deadline) for one in asked)
            )
        finally:
            for document in documents if self._link.supervisor.is_as_begun else ():
                if document.path not in self._files.anchors:
                    self._files.take(document.path)
                elif (there := self._files.as_on_disk(document.path)).text != document.text:
                    self._files.give(there)
