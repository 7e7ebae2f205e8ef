"""Which files the server of a row has open, and with which text; what it is notified of for all others."""

from __future__ import annotations

import asyncio
import os
from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence
from typing import Any

from cn_daemon.adapters.language_servers.lsp.link import LspLink
from cn_daemon.adapters.language_servers.lsp.open_files import OpenFiles, tell
from cn_daemon.adapters.language_servers.lsp.shapes import identifier, place
from cn_daemon.application.ports import Changes, Site
from cn_daemon.domain.source.text import Document, Position
from cn_shared.errors import CnError

# Files that are kept open; a name that more files hold is answered in part.
OPEN = 600


class LspFiles:
    """Files are kept open until others need their place: what was needed once is likely to be needed again."""

    def __init__(self, link: LspLink, read: Callable[[str], str], changes: Callable[[str], Changes]) -> None:
        """read: a file's text. changes: what changed since it was last asked."""
        self._link = link
        self._row = link.row
        self._read = read
        self._changes = changes
        self._turn = asyncio.Lock()
        self._open = OpenFiles(link.supervisor, self._language_id)
        # The texts of the open files, the ones that were needed longest ago first, and new files of which it is not
        # known that the server has placed them.
        self._texts: OrderedDict[str, str] = OrderedDict()
        self._new: set[str] = set()
        # Those that the server may not have read yet.
        self._given: set[str] = set()
        link.supervisor.forgets.append(self._forget)

    def _forget(self) -> None:
        self._texts.clear()
        self._new.clear()
        self._given.clear()

    async def show(self, paths: Collection[str], deadline: float) -> list[str]:
        """Have the server see them as they are on disk. Those that are too many."""
        async with self._turn:
            await self._synchronize(deadline)
            wanted = sorted(paths)[:OPEN]
            for path in wanted:
                self._hold(path)
            await self._placed(wanted, deadline)
            await self._read_by_server(wanted, deadline)
        return sorted(paths)[OPEN:]

    async def about(self, documents: Sequence[Document], request: str, deadline: float) -> list[Any]:
        """Answers about texts that are given to the server, whatever is on disk. request: of `textDocument/`."""
        async with self._turn:
            await self._link.supervisor.same_session(deadline)
            for document in documents:
                self._give(document.path, document.text)
            try:
                return await asyncio.gather(
                    *(
                        self._link.request(f"textDocument/{request}", {"textDocument": identifier(one.path)}, deadline)
                        for one in documents
                    )
                )
            finally:
                self._close_oldest()

    async def at(self, document: Document, request: str, position: Position, deadline: float) -> Any:
        """The answer about a place of a text, as of `about`."""
        async with self._turn:
            await self._link.supervisor.same_session(deadline)
            self._give(document.path, document.text)
            self._close_oldest()
            site = Site(document.path, position)
            return await self._link.request(f"textDocument/{request}", place(site), deadline)

    def _give(self, path: str, text: str) -> None:
        """Open a file, or bring an open one to this text."""
        if self._texts.get(path) != text:
            self._open.give(path, text)
            self._given.add(path)
        self._texts[path] = text
        self._texts.move_to_end(path)

    def _hold(self, path: str) -> None:
        """Open a file with the text it has on disk; one that cannot be read is left as the server sees it."""
        try:
            self._give(path, self._read(path))
        except CnError:
            self._take(path)

    def _take(self, path: str) -> None:
        self._texts.pop(path, None)
        self._given.discard(path)
        self._open.take(path)

    def _close_oldest(self) -> None:
        while len(self._texts) > OPEN:
            self._take(next(iter(self._texts)))

    async def _synchronize(self, deadline: float) -> None:
        """Tell the server every change before the question: in the pipe they come first."""
        supervisor = self._link.supervisor
        # Before the changes are taken: a question that ends here has sent nothing of them.
        session = await supervisor.same_session(deadline)
        changes = self._changes(self._row.server)
        marked = any(os.path.basename(path) in self._row.markers for paths in changes for path in paths)
        if marked and self._row.harmless:
            await self._link.check()
        project = self._link.project
        many = self._row.opened and sum(map(len, changes)) > OPEN
        edited = [path for paths in changes for path in paths if self._is_mine(path)]
        if many or (project is not None and project.is_other(marked=marked, edited=edited)):
            # More than can be kept open, or another project: a new process reads it all.
            await supervisor.restart()
            session = await supervisor.same_session(deadline)
        for path in changes.deleted:
            if self._row.opened and self._is_mine(path):
                self._give(path, "")
            self._take(path)
        for path in list(self._texts):
            # An outline may have been asked of a text that is no longer the one on disk.
            self._hold(path)
        if self._row.opened:
            for path in filter(self._is_mine, changes.created | changes.changed):
                self._hold(path)
        self._close_oldest()
        if self._row.placing:
            self._new.update(filter(self._is_mine, changes.created))
        tell(session, changes)
        if marked:
            await self._link.read_anew(session, deadline)

    async def _placed(self, wanted: Collection[str], deadline: float) -> None:
        """Before a question the server knows which packages these files are of."""
        for path in self._new.intersection(wanted):
            await self._link.request(self._row.placing, place(Site(path, Position(1, 1))), deadline)
            self._new.discard(path)

    async def _read_by_server(self, wanted: Collection[str], deadline: float) -> None:
        """Before a question about all of these files the server has read each of them."""
        given = self._given.intersection(wanted) if self._row.taking else set()
        parameters = [{"textDocument": identifier(path)} for path in sorted(given)]
        await asyncio.gather(*(self._link.request(self._row.taking, one, deadline) for one in parameters))
        self._given -= given

    def _language_id(self, path: str) -> str:
        return self._row.endings.get(os.path.splitext(path)[1], self._row.name)

    def _is_mine(self, path: str) -> bool:
        return os.path.splitext(path)[1] in self._row.endings
