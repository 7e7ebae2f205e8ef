"""What the native server is told of files: those that it has open, and what changed on disk.

It reads changes of files only from `workspace/didChangeWatchedFiles`.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from itertools import filterfalse
from typing import TYPE_CHECKING, Any

from cn_daemon.adapters.language_servers.lsp.open_files import OpenFiles, tell
from cn_daemon.adapters.language_servers.lsp.shapes import identifier, path_of, rows
from cn_daemon.adapters.language_servers.native.link import NativeLink
from cn_daemon.adapters.language_servers.redirects import Redirects
from cn_daemon.adapters.language_servers.sources import as_compiled, is_installation, script_kind
from cn_daemon.adapters.language_servers.standing import Standing
from cn_daemon.adapters.language_servers.unmapped import mapped, unmapped
from cn_daemon.application.ports import Changes
from cn_daemon.domain.source.text import Document
from cn_shared.errors import LanguageServerError

if TYPE_CHECKING:
    from cn_daemon.adapters.language_servers.session import PyglsSession

_NOWHERE = os.path.join(os.sep, ".cn.ts")
LANGUAGES = {"TS": "typescript", "TSX": "typescriptreact", "JS": "javascript", "JSX": "javascriptreact"}


class NativeFiles:
    """Files are open while they hold a project, or while their text is lent."""

    def __init__(
        self,
        link: NativeLink,
        read: Callable[[str], str],
        changes: Callable[[str], Changes],
        note: Callable[[str], bool],
        is_output: Callable[[str], bool],
        follow: Callable[[Iterable[str]], set[str]],
        redirects: Redirects,
    ) -> None:
        """read: a file's text. changes: what changed since it was last asked. note: begins to note changes, and whether
        it can. is_output: whether a build wrote it. follow: notes changes of files that git ignores, too, and tells
        which are new to it."""
        self._link = link
        self._name = link.supervisor.name
        self._read = read
        self._changes = changes
        self._note = note
        self._is_output = is_output
        self._follow = follow
        self._redirects = redirects
        # Open with what some of their specifiers mean instead.
        self._redirected: dict[str, Mapping[str, str]] = {}
        self._open = OpenFiles(link.supervisor, lambda path: LANGUAGES[script_kind(path)])
        # The project that each file holds open.
        self.anchors: dict[str, str] = {}
        # How many questions each file is open for, and those that the last one has left open.
        self._lent: Counter[str] = Counter()
        self._last: set[str] = set()
        self.standing = Standing(self._name)
        # Held while texts are lent: questions about form alone do not wait for a project that is being loaded.
        self.forms = asyncio.Lock()
        # Whether changes are noted for this server, and whether it was given a text before it was first told of them.
        self._noted = False
        self._given = False
        link.supervisor.forgets.append(self._forget)

    def _forget(self) -> None:
        self.anchors.clear()
        self._redirected.clear()
        self._last.clear()

    def give(self, document: Document, *, plainly: bool = False) -> None:
        """Open a document, or bring an open one to this text. plainly: to this very one, for questions about form."""
        if not self._noted and not self._given:
            self._given, self._noted = True, self._note(self._name)
        text = document.text if plainly else self._redirects.text(document.path, document.text)
        self._open.give(document.path, unmapped(document.path, text))

    @contextmanager
    def lent(self, paths: Set[str], *, keep: bool = False) -> Iterator[None]:
        """What was given stays open for a question, of the process that it began with. keep: and until the next such
        question, which is often about the same file."""
        self._lent.update(paths)
        try:
            yield
        finally:
            self._lent -= Counter(paths)
            if self._link.supervisor.is_as_begun:
                left = self._last - paths if keep else paths
                if keep:
                    self._last -= left
                    self._last |= paths
                for path in left:
                    if not self.holds(path):
                        self.take(path)

    def as_on_disk(self, path: str) -> Document:
        return Document(path, as_compiled(path, self._read))

    def take(self, path: str) -> None:
        self._open.take(path)
        self._last.discard(path)

    def hold(self, paths: Iterable[str]) -> bool:
        """Keep open what maps would lead away from in these files or beside them. Whether some was not."""
        hidden = mapped(paths) - self.anchors.keys()
        self.fresh(hidden)
        for path in hidden:
            self.give(self.as_on_disk(path))
            self.anchors[path] = ""
        return bool(hidden)

    def redirect(self) -> bool:
        """Keep open what imports packages that are not built. Whether others than before."""
        before, wanted = self._redirected, dict(self._redirects.given)
        self._redirected = wanted
        if any(wanted.get(path) != told for path, told in before.items()):
            self.standing.lost()
        others = [path for path in before.keys() | wanted if before.get(path) != wanted.get(path)]
        held = [self.as_on_disk(path) for path in others if self.holds(path)]
        # It builds a program anew for each file that is opened with another text than the disk's, and once for all
        # that change.
        for document in held:
            if not self._open.holds(document.path):
                self.give(document, plainly=True)
        for document in held:
            self.give(document)
        for path in others:
            if not self.holds(path):
                self.take(path)
        return before != wanted

    def is_redirected(self, path: str) -> bool:
        """Whether the text that it has of a file is not the disk's."""
        return path in self._redirected

    def holds(self, path: str) -> bool:
        """Whether a file is to be open."""
        return any(path in held for held in (self.anchors, self._redirected, self._lent, self._last))

    def leave(self, path: str) -> None:
        """Close a file that held its project open."""
        self.take(path)
        self._redirected.pop(path, None)
        project = self.anchors.pop(path, "")
        if not project or project not in self.anchors.values():
            self.standing.lost()

    def leave_all(self) -> None:
        """Which project an open file holds is another question now."""
        for path in [*self.anchors, *self._last]:
            self.leave(path)

    def what_changed(self) -> tuple[Changes, bool]:
        """Which nobody is told of again; and whether the server was given a text while nobody noted changes for it."""
        changes = self._changes(self._name)
        unnoted = self._given and not self._noted
        self._given, self._noted = False, True
        return changes, unnoted

    def pass_on(self, session: PyglsSession, changes: Changes) -> None:
        """However what led here has ended: nobody tells of these changes again. A new process reads the disk."""
        if not self._link.supervisor.is_as_begun:
            return
        # Told that the folder of all packages has gone it would believe it. For what came or went there it began anew.
        tell(session, changes._replace(deleted=frozenset(filterfalse(is_installation, changes.deleted))))
        for path in dict.fromkeys([*self.anchors, *self._redirected, *self._lent, *self._last]):
            if path in changes.deleted or (path in changes.changed and self._is_output(path)):
                # What a build wrote may have been a source until git began to ignore it.
                self.leave(path)
            elif path in changes.changed or path in changes.created:
                self.give(self.as_on_disk(path))

    async def forgotten(self, session: PyglsSession, anew: frozenset[str], deadline: float) -> None:
        """Files that were made, or made anew.

        Told that one it has was created, the server keeps its text, even that of one which it was told has gone;
        told that one it lacks has changed, it goes on without; and an end with a beginning right behind it it takes
        for a change. A question makes it see the end: not one about such a file, of which it would go on to say that
        no project holds it, but about one that no project can hold.
        """
        if anew:
            tell(session, Changes(deleted=anew))
            await self.reread(_NOWHERE, deadline)

    async def project_of(self, path: str, deadline: float) -> str:
        """The tsconfig by which the server reads a file, "" for none: it reads that project as it is now."""
        told = await self._link.request("custom/projectInfo", {"textDocument": identifier(path)}, deadline)
        return (told or {}).get("configFilePath") or ""

    async def reread(self, path: str, deadline: float) -> str | None:
        """The same; None when the file is not there."""
        try:
            return await self.project_of(path, deadline)
        except LanguageServerError as error:
            if error.code != "request_refused" or os.path.exists(path):
                raise
            return None

    def fresh(self, paths: Iterable[str]) -> frozenset[str]:
        """Those whose changes nobody has noted so far; from now on they are."""
        return frozenset(self._follow(paths))

    async def current(self, ask: Callable[[], Awaitable[Sequence[Any]]]) -> list[list[dict[str, Any]]]:
        """The rows of the answers that `ask` tells. They may lead into files of which nobody has noted changes, and
        which the server read long ago."""
        told = [rows(one) for one in await ask()]
        paths = [path_of(uri) for uri in {row.get("targetUri") or row["uri"] for one in told for row in one}]
        fresh = self.fresh(paths)
        session = self._link.supervisor.current
        hidden = self.hold(paths)
        if session is not None and (fresh or hidden):
            tell(session, Changes(changed=fresh))
            told = [rows(one) for one in await ask()]
        return told
