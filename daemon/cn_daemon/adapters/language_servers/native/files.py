"""What the native server is notified of files: those that it is asked about are open; of others, what changed on disk.

It loads the project of a file that is opened, and reads changes of files only from `workspace/didChangeWatchedFiles`.
"""

from __future__ import annotations

import asyncio
import os
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from cn_daemon.adapters.language_servers.deadlines import locked
from cn_daemon.adapters.language_servers.lsp.open_files import OpenFiles, tell
from cn_daemon.adapters.language_servers.lsp.shapes import identifier
from cn_daemon.adapters.language_servers.native.link import NativeLink
from cn_daemon.adapters.language_servers.sources import (
    as_compiled,
    is_configuration,
    is_installation,
    script_kind,
    that_may_be_opened,
)
from cn_daemon.application.ports import Changes
from cn_daemon.domain.source.text import Document
from cn_shared.errors import LanguageServerError

if TYPE_CHECKING:
    from cn_daemon.adapters.language_servers.session import PyglsSession

# So many are kept open: what was asked about once is likely to be asked about again.
OPEN = 200
_NOWHERE = os.path.join(os.sep, ".cn.ts")
LANGUAGES = {"TS": "typescript", "TSX": "typescriptreact", "JS": "javascript", "JSX": "javascriptreact"}


class NativeFiles:
    """Files are kept open until others need their place."""

    def __init__(
        self,
        link: NativeLink,
        read: Callable[[str], str],
        changes: Callable[[str], Changes],
        note: Callable[[str], bool],
        generated: Callable[[], Iterable[str]],
        follow: Callable[[Iterable[str]], set[str]],
    ) -> None:
        """read: a file's text. changes: what changed since it was last asked. note: begins to note changes, and whether
        it can. generated: files that git ignores whose changes were not followed so far, and are from now on; follow:
        the same of some files."""
        self._link = link
        self._name = link.supervisor.name
        self._read = read
        self._changes = changes
        self._note = note
        self._noted = False
        self._generated = generated
        self._follow = follow
        # Held by whoever asks it, or tells it of files: no question is answered from a text that another one has given.
        self._turn = asyncio.Lock()
        self._files = OpenFiles(link.supervisor, lambda path: LANGUAGES[script_kind(path)])
        # Those that are to be open, the ones needed longest ago first.
        self._open: OrderedDict[str, None] = OrderedDict()
        # Those whose projects hold what was before: until they are asked about.
        self._behind: set[str] = set()
        # Whether it was given nothing yet: what it has not read it need not forget.
        self._fresh = True
        link.supervisor.forgets.append(self._forget)

    def _forget(self) -> None:
        self._fresh = True
        self._open.clear()
        self._behind.clear()

    async def show(self, paths: Collection[str], deadline: float) -> list[str]:
        """Have it see them as they are on disk. Those that are too many."""
        async with locked(self._turn, deadline):
            await self._synchronize(deadline)
            ours = that_may_be_opened(paths, self._read)
            self._follow(ours[:OPEN])
            for path in ours[:OPEN]:
                if path not in self._open:
                    self._give(path)
                self._open[path] = None
                self._open.move_to_end(path)
            while len(self._open) > OPEN:
                self._files.take(self._open.popitem(last=False)[0])
        return ours[OPEN:]

    async def about(self, documents: Sequence[Document], request: str, deadline: float, **parameters: Any) -> list[Any]:
        """Answers about the form of texts that are given to it, whatever is on disk. request: of `textDocument/`."""
        async with locked(self._turn, deadline):
            await self._synchronize(deadline)
            self._fresh = False
            for document in documents:
                self._files.give(document.path, document.text)
            try:
                return await asyncio.gather(
                    *(
                        self._link.request(
                            f"textDocument/{request}", {"textDocument": identifier(one.path), **parameters}, deadline
                        )
                        for one in documents
                    )
                )
            finally:
                if self._link.supervisor.is_as_begun:
                    self._take_back(documents)

    def _take_back(self, documents: Sequence[Document]) -> None:
        """Have it read from the disk again what was given to it for a moment."""
        for one in documents:
            if one.path in self._open:
                self._give(one.path)
            else:
                self._files.take(one.path)
            if one.text != as_compiled(one.path, self._read):
                self._behind.update(self._open)

    async def ask(self, request: str, parameters: dict[str, Any], deadline: float) -> Any:
        """About files that the question has shown. request: of `textDocument/`."""
        async with locked(self._turn, deadline):
            return await self._link.request(f"textDocument/{request}", parameters, deadline)

    async def catch_up(self, deadline: float) -> None:
        """Have it read the projects of open files as they are now: asked about the file of another one it goes on into
        what each of them held before."""
        async with locked(self._turn, deadline):
            while self._behind:
                path = next(iter(self._behind))
                if path in self._open:
                    await self._reread(path, deadline)
                self._behind.discard(path)

    async def project_of(self, path: str, deadline: float) -> str:
        """The tsconfig by which it reads a file, "" for none: it reads that project as it is now."""
        answer = await self._link.request("custom/projectInfo", {"textDocument": identifier(path)}, deadline)
        return (answer or {}).get("configFilePath") or ""

    async def _reread(self, path: str, deadline: float) -> None:
        try:
            await self.project_of(path, deadline)
        except LanguageServerError as error:
            if error.code != "request_refused" or os.path.exists(path):
                raise

    def _give(self, path: str) -> None:
        self._fresh = False
        self._files.give(path, as_compiled(path, self._read))

    async def _synchronize(self, deadline: float) -> None:
        """Tell the server every change before the question: in the pipe they come first."""
        # Before the changes are fetched: a question that ends here has sent nothing of them.
        await self._link.supervisor.same_session(deadline)
        was_noting, self._noted = self._noted, self._note(self._name)
        changes = self._changes(self._name)
        # They may have been there when it read their project, with another text.
        changes = changes._replace(created=changes.created | frozenset(self._generated()))
        if not self._fresh and (not was_noting or (any(changes) and self._is_other(changes))):
            await self._link.supervisor.restart()
        session = await self._link.supervisor.same_session(deadline)
        if self._fresh or not any(changes):
            return
        try:
            await self._forgotten(session, changes.created, deadline)
        finally:
            # However what led here has ended: nobody tells of these changes again. A new process reads the disk.
            if self._link.supervisor.is_as_begun:
                self._pass_on(session, changes)

    def _is_other(self, changes: Changes) -> bool:
        """Whether a new process is to read all: which project a file belongs to is another question now; it would look
        into node_modules again only for events of every file in there; of what no open file holds it is notified in
        vain.
        """
        if any(is_installation(path) or is_configuration(path) for group in changes for path in group):
            return True
        return changes.deleted.issuperset(self._open)

    def _pass_on(self, session: PyglsSession, changes: Changes) -> None:
        tell(session, changes)
        for path in changes.deleted.intersection(self._open):
            self._files.take(path)
            del self._open[path]
        for path in (changes.changed | changes.created).intersection(self._open):
            self._give(path)
        self._behind.update(self._open)

    async def _forgotten(self, session: PyglsSession, anew: frozenset[str], deadline: float) -> None:
        """Files that were created, or created again.

        Notified that one it has was created, the server keeps its text, even that of one which it was notified has
        gone; notified that one it lacks has changed, it goes on without; and an end with a beginning right behind it it
        takes for a change. A question makes it see the end: not one about such a file, of which it would go on to say
        that no project holds it, but about one that no project can hold.
        """
        if anew:
            tell(session, Changes(deleted=anew))
            await self._reread(_NOWHERE, deadline)
