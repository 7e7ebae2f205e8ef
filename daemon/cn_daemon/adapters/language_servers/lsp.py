"""A language server of a row of `languages`, spoken to in plain LSP.

A file that may hold an answer is opened with the text that is on disk: so every server sees it, whatever it has
indexed, and as it stands now. Of all other files it is told what changed before the question is sent. Which mentions of
a name it did not tell is looked into by the question (`application.doubts`), not here.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import re
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cn_daemon.adapters.language_servers.deadlines import time_left
from cn_daemon.adapters.language_servers.languages import Language
from cn_daemon.adapters.language_servers.lsp_outline import declarations
from cn_daemon.adapters.language_servers.lsp_shapes import findings, fold, hits, identifier, place
from cn_daemon.adapters.language_servers.open_files import OpenFiles, tell
from cn_daemon.adapters.language_servers.outlines import ByText
from cn_daemon.adapters.language_servers.provisioning.programs import Program
from cn_daemon.adapters.language_servers.supervisor import Supervisor
from cn_daemon.application.ports import Changes, Coverage, Description, Finding, Hit, Site
from cn_daemon.domain.blocks import Fold
from cn_daemon.domain.heads import declaration_at
from cn_daemon.domain.outline import Declaration
from cn_daemon.domain.text import Document, Position, Span
from cn_shared.errors import CnError, DeadlineError, LanguageServerError
from cn_shared.wire import LanguageServerStatus

if TYPE_CHECKING:
    from cn_daemon.adapters.language_servers.session import PyglsSession

log = logging.getLogger(__name__)

# Files that are held open; a name that more files hold is answered in part.
OPEN = 600
OUTLINES_AT_ONCE = 64
# What is asked of a file alone.
_OF_FORM = frozenset({"textDocument/documentSymbol", "textDocument/foldingRange"})
# Markdown: where it stands, if that is told, the signature as code, then the documentation.
_HOVER = re.compile(
    r"\s*(?:```\w*\n[^\n]*\n```\s*(?=```))?(?:```\w*\n(?P<signature>.*?)\n?```)?\s*(?:-{3,})?\s*(?P<documentation>.*)$",
    re.DOTALL,
)
_CLASS = re.compile(r"<class '([\w.]+)'>$")


class LspServer:
    """The port `LanguageServer` over the server of a row."""

    def __init__(
        self,
        root: Path,
        row: Language,
        *,
        provision: Callable[[Callable[[str], None]], Awaitable[Program]],
        start: Callable[..., Awaitable[PyglsSession]],
        read: Callable[[str], str],
        changes: Callable[[str], Changes],
    ) -> None:
        """provision: finds or installs the program. start: makes an initialized session of it. read: a file's text.
        changes: what changed since it was last asked."""
        self.name = row.server
        self.endings = frozenset(row.endings)
        self.row = row
        self._root = root
        self._read = read
        self._changes = changes
        self._provision = provision
        self._start = start
        self._supervisor = Supervisor(self.name, self._launch, forget=self._forget)
        self._turn = asyncio.Lock()
        self._version: str | None = None
        self._trouble = ""
        self._quiet = asyncio.Event()
        self._files = OpenFiles(self._supervisor, self._language_id)
        # The texts of the open files, the ones that were needed longest ago first, those whose text is a question's
        # own, and new ones of which it is not known that the server has placed them.
        self._texts: OrderedDict[str, str] = OrderedDict()
        self._passing: dict[str, int] = {}
        self._new: set[str] = set()
        self._outlines = ByText[list[Declaration]]()

    # The port

    async def outlines(
        self, documents: Sequence[Document], deadline: float, name: str | None = None
    ) -> dict[str, list[Declaration]]:
        async def fetch(missing: Sequence[Document]) -> list[list[Declaration]]:
            found: list[list[Declaration]] = []
            for start in range(0, len(missing), OUTLINES_AT_ONCE):
                batch = missing[start : start + OUTLINES_AT_ONCE]
                rows = await self._about(batch, "documentSymbol", deadline)
                found += [declarations(one, told or (), self.row) for one, told in zip(batch, rows, strict=True)]
            return found

        return await self._outlines.of(documents, fetch)

    async def folds(self, document: Document, deadline: float) -> list[Fold]:
        session = await self._supervisor.same_session(deadline)
        if not session.capabilities.get("foldingRangeProvider"):
            return []
        (rows,) = await self._about([document], "foldingRange", deadline)
        return [fold(row) for row in rows or ()]

    async def nesting(self, document: Document, place: Position, deadline: float) -> list[Span]:
        return []

    async def load(self, paths: Collection[str], deadline: float, *, own: bool = False) -> Coverage:
        async with self._turn:
            await self._synchronize(deadline)
            wanted = sorted(paths)[:OPEN]
            for path in wanted:
                self._hold(path)
            await self._placed(wanted, deadline)
            left = sorted(paths)[OPEN:]
        reason = f"{len(left)} files hold the name beyond the {OPEN} that are read" if left else ""
        return Coverage(0 if reason else 1, 1, left, reason)

    def project(self, path: str) -> str:
        return str(self._root)

    def together(self, one: str, other: str) -> bool:
        return True

    async def references(self, sites: Sequence[Site], deadline: float) -> list[Hit]:
        found: dict[Hit, None] = {}
        for site in sites:
            parameters = {**place(site), "context": {"includeDeclaration": True}}
            found.update(dict.fromkeys(hits(await self._request("textDocument/references", parameters, deadline))))
        return list(found)

    async def definitions(self, site: Site, deadline: float) -> list[Hit]:
        return hits(await self._request("textDocument/definition", place(site), deadline), definition=True)

    async def implementations(self, sites: Sequence[Site], deadline: float) -> list[Hit]:
        found: dict[Hit, None] = {}
        for site in sites:
            if await self._may_have_heirs(site, deadline):
                rows = await self._request("textDocument/implementation", place(site), deadline)
                found.update(dict.fromkeys(hits(rows)))
        return list(found)

    async def _may_have_heirs(self, site: Site, deadline: float) -> bool:
        """Of what cannot have any some servers tell the siblings, or the interface."""
        if self.row.overriding:
            return True
        document = Document(site.path, self._read(site.path))
        declared = declaration_at((await self.outlines([document], deadline))[site.path], site.position)
        return declared is None or "Interface" in {declared.kind, declared.parent.kind if declared.parent else ""}

    async def describe(self, site: Site, deadline: float) -> Description | None:
        answer = await self._request("textDocument/hover", place(site), deadline)
        told = _HOVER.match(_markdown(answer["contents"])) if answer else None
        if told is None:
            return None
        signature = (told["signature"] or told["documentation"].partition("\n")[0]).strip()
        named = _CLASS.match(signature)
        documentation = told["documentation"].strip() if told["signature"] else ""
        return Description("Variable", f"class {named[1]}" if named else signature, documentation)

    async def diagnostics(self, paths: Sequence[str], deadline: float) -> dict[str, list[Finding]]:
        found: dict[str, list[Finding]] = {}
        for path in paths:
            report = await self._request("textDocument/diagnostic", {"textDocument": identifier(path)}, deadline)
            found[path] = findings(report)
        return found

    def status(self) -> LanguageServerStatus:
        return self._supervisor.status(version=self._version, notes=self._trouble)

    async def warm(self) -> None:
        await self._supervisor.warm()

    async def close(self) -> None:
        await self._supervisor.close()

    async def _launch(self) -> PyglsSession:
        program = await self._provision(self._supervisor.tell)
        self._version = program.version
        self._trouble = ""
        self._quiet.clear()
        heard = {self.row.quiet: self._told_status} if self.row.quiet else {"window/logMessage": self._logged}
        return await self._start(program, self.row, heard)

    def _logged(self, message: dict[str, Any]) -> None:
        found = self.row.trouble.search(str(message.get("message") or "")) if self.row.trouble else None
        if found is not None:
            what = re.sub(r"\s+", " ", found["what"]).strip()
            self._trouble = f"{what} ({self.row.advice})"

    def _told_status(self, status: dict[str, Any]) -> None:
        """A notification that the row calls `quiet`, as rust-analyzer sends it."""
        if status.get("quiescent"):
            self._quiet.set()
        else:
            self._quiet.clear()
        self._trouble = ""
        if status.get("health", "ok") != "ok":
            self._logged(status)

    async def _settled(self, deadline: float) -> None:
        """Wait until the server has read the workspace: before, it answers as if there were nothing."""
        if not self.row.quiet or self._quiet.is_set():
            return
        try:
            await asyncio.wait_for(self._quiet.wait(), deadline - asyncio.get_running_loop().time())
        except TimeoutError:
            raise DeadlineError(
                "still_loading",
                f"{self.name} is still reading the workspace.",
                hint="Ask again; it goes on meanwhile.",
            ) from None

    # Requests

    def _forget(self) -> None:
        self._files.forget()
        for kept in (self._texts, self._passing, self._new):
            kept.clear()

    async def _request(self, method: str, parameters: dict[str, Any], deadline: float) -> Any:
        session = await self._supervisor.same_session(deadline)
        if method not in _OF_FORM:
            await self._settled(deadline)
        timeout_s = time_left(deadline, method)
        if not session.capabilities.get(f"{method.partition('/')[2]}Provider"):
            # Nothing would be told as if there were nothing.
            raise LanguageServerError(
                "unsupported_question",
                f"{self.name}, which answers for {self.row.title}, cannot be asked for {method.partition('/')[2]}.",
            )
        try:
            return await session.request(method, parameters, timeout_s=timeout_s)
        except LanguageServerError as error:
            # Servers refuse a place where nothing stands.
            if error.code != "request_refused":
                raise
            log.info("%s", error.message)
            return None

    async def _about(self, documents: Sequence[Document], method: str, deadline: float) -> list[Any]:
        """Answers about texts that are given to the server, whatever is on disk."""
        async with self._turn:
            await self._supervisor.same_session(deadline)
            for document in documents:
                self._passing[document.path] = self._passing.get(document.path, 0) + 1
                self._give(document.path, document.text)
            try:
                return await asyncio.gather(
                    *(
                        self._request(f"textDocument/{method}", {"textDocument": identifier(one.path)}, deadline)
                        for one in documents
                    )
                )
            finally:
                for document in documents:
                    self._passing.pop(document.path, None)
                self._close_oldest()

    def _give(self, path: str, text: str) -> None:
        """Open a file, or bring an open one to this text."""
        if self._texts.get(path) != text:
            self._files.give(path, text)
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
        self._files.take(path)

    def _close_oldest(self) -> None:
        while len(self._texts) > OPEN and (path := next(iter(self._texts))) not in self._passing:
            self._take(path)

    async def _synchronize(self, deadline: float) -> None:
        """Tell the server every change before the question: in the pipe they come first."""
        # Before the changes are taken: a question that ends here has told nobody of them.
        session = await self._supervisor.same_session(deadline)
        changes = self._changes(self.name)
        if self.row.opened and sum(map(len, changes)) > OPEN:
            # More than can be held open: a new process reads them all.
            await self._supervisor.restart()
            session = await self._supervisor.same_session(deadline)
        for path in changes.deleted:
            if self.row.opened and self._is_mine(path):
                self._give(path, "")
            self._take(path)
        for path in list(self._texts):
            # An outline may have been asked of a text that is no longer the one on disk.
            self._hold(path)
        if self.row.opened:
            for path in filter(self._is_mine, changes.created | changes.changed):
                self._hold(path)
        self._close_oldest()
        if self.row.placing:
            self._new.update(filter(self._is_mine, changes.created))
        tell(session, changes)
        if any(os.path.basename(path) in self.row.markers for paths in changes for path in paths):
            await self._reloaded(session, deadline)

    async def _placed(self, wanted: Collection[str], deadline: float) -> None:
        """Before a question the server knows which packages these files are of."""
        for path in self._new.intersection(wanted):
            await self._request(self.row.placing, place(Site(path, Position(1, 1))), deadline)
            self._new.discard(path)

    async def _reloaded(self, session: PyglsSession, deadline: float) -> None:
        """After a change of what decides which files belong together."""
        self._trouble = ""
        if not self.row.reload:
            return
        timeout_s = deadline - asyncio.get_running_loop().time()
        await session.request(self.row.reload, None, timeout_s=timeout_s)
        with contextlib.suppress(LanguageServerError):
            # It tells that it is busy after its answer, and before the one to whatever comes next.
            await session.request("cn/next", None, timeout_s=timeout_s)

    def _language_id(self, path: str) -> str:
        return self.row.endings.get(os.path.splitext(path)[1], self.row.name)

    def _is_mine(self, path: str) -> bool:
        return os.path.splitext(path)[1] in self.endings


def _markdown(contents: Any) -> str:
    if isinstance(contents, list):
        return "\n".join(map(_markdown, contents))
    if isinstance(contents, dict):
        text = str(contents.get("value", ""))
        return f"```{contents['language']}\n{text}\n```" if "language" in contents else text
    return str(contents)
