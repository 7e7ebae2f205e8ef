"""TypeScript ≥ 7: the native compiler as a language server (`tsc --lsp --stdio`), spoken to in plain LSP.

It answers for files that are not open, loads the project of a file when it is asked for it, and reads changes of files
only from `workspace/didChangeWatchedFiles`.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import re
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cn_daemon.adapters.language_servers.configs import Configs
from cn_daemon.adapters.language_servers.deadlines import awaiting_others, time_left
from cn_daemon.adapters.language_servers.lsp_shapes import (
    findings,
    fold,
    hits,
    identifier,
    path_of,
    place,
    position,
    span,
)
from cn_daemon.adapters.language_servers.open_files import OpenFiles, tell
from cn_daemon.adapters.language_servers.outlines import Outlines
from cn_daemon.adapters.language_servers.provisioning import NativeToolchain
from cn_daemon.adapters.language_servers.sources import (
    ENDINGS,
    is_configuration,
    is_installation,
    script_kind,
)
from cn_daemon.adapters.language_servers.spawning import Started
from cn_daemon.adapters.language_servers.standing import Standing
from cn_daemon.adapters.language_servers.supervisor import Supervisor
from cn_daemon.application.ports import Changes, Coverage, Description, Finding, Hit, Site
from cn_daemon.domain.blocks import Fold
from cn_daemon.domain.items import Item
from cn_daemon.domain.outline import Declaration
from cn_daemon.domain.text import Document, Position, Span
from cn_shared.errors import CnError, DeadlineError, LanguageServerError
from cn_shared.wire import LanguageServerStatus

if TYPE_CHECKING:
    from cn_daemon.adapters.language_servers.session import PyglsSession

log = logging.getLogger(__name__)

LANGUAGES = {"TS": "typescript", "TSX": "typescriptreact", "JS": "javascript", "JSX": "javascriptreact"}
LOOSE_FILES = 2000
# LSP's SymbolKind, as far as this server uses it; what is coarse here is read from the text.
KINDS = {
    2: "Namespace", 3: "Namespace", 4: "Namespace", 5: "Class", 6: "Method", 7: "Property", 8: "Property",
    9: "Constructor", 10: "Enum", 11: "Interface", 12: "Function", 13: "Variable", 14: "Variable",
    22: "EnumMember", 26: "TypeAlias",
}  # fmt: skip
HOVER_KINDS = {
    "class": "Class", "interface": "Interface", "type": "TypeAlias", "enum": "Enum", "(enum member)": "EnumMember",
    "function": "Function", "(local function)": "Function", "var": "Variable", "let": "Variable", "const": "Constant",
    "(method)": "Method", "constructor": "Constructor", "(property)": "Property", "(accessor)": "Accessor",
    "(getter)": "Accessor", "(setter)": "Accessor", "namespace": "Namespace", "module": "Module",
    "(parameter)": "Variable", "(type parameter)": "TypeAlias",
}  # fmt: skip
# Markdown: the signature as code, the documentation, then its tags.
_HOVER = re.compile(r"```\w*\n(?P<signature>.*?)\n```(?P<documentation>.*?)(?:\n\n\*@.*)?$", re.DOTALL)


class NativeServer:
    """The port `LanguageServer` over the native compiler."""

    def __init__(
        self,
        root: Path,
        *,
        provision: Callable[[Callable[[str], None]], Awaitable[Started[NativeToolchain]]],
        start: Callable[..., Awaitable[PyglsSession]],
        read: Callable[[str], str],
        changes: Callable[[str], Changes],
        note: Callable[[str], bool],
        follow: Callable[[Iterable[str]], set[str]],
        appeared: Callable[[], int],
        configured: Callable[[], Iterable[str]],
    ) -> None:
        """provision, start, read, changes: as for `TypeScriptServer`. note: begins to note them, and whether it can.
        follow: notes them of files that git ignores, too, and tells which are new to it. appeared: another number
        when there are more of them. configured: the tsconfigs of the workspace."""
        self.name = "typescript-native"
        self.endings = frozenset(ENDINGS)
        self.typescript: str | None = None
        self._root = root
        self._provision = provision
        self._start = start
        self._read = read
        self._changes = changes
        self._note = note
        self._follow = follow
        self._appeared = appeared
        self._ignored = 0
        self._tsconfigs = Configs(configured)
        self._supervisor = Supervisor(self.name, self._launch)
        self._supervisor.forgets.append(self._forget)
        self._standing = Standing(self.name)
        self._files = OpenFiles(self._supervisor, lambda path: LANGUAGES[script_kind(path)])
        self._turn = asyncio.Lock()
        # Questions about form alone do not wait for a project that is being loaded.
        self._forms = asyncio.Lock()
        # How many questions about projects are under way. None is begun while a text is lent that is not the disk's.
        self._asking = 0
        self._unasked = asyncio.Event()
        self._lending = asyncio.Lock()
        self._program: Path | None = None
        self._loading: str | None = None
        self._configs: dict[str, str] = {}
        self._anchors: dict[str, str] = {}
        # Whether changes are noted for this server, and whether it was given a text before it was first told of them.
        self._noted = False
        self._given = False
        self._outlines = Outlines()
        self._notes: tuple[str, ...] = ()

    # The port

    async def outlines(
        self, documents: Sequence[Document], deadline: float, name: str | None = None
    ) -> dict[str, list[Declaration]]:
        async def fetch(wanted: Sequence[Document]) -> list[list[Item]]:
            async with self._forms:
                await self._supervisor.same_session(deadline)
                trees = await self._about(wanted, "textDocument/documentSymbol", {}, deadline)
            return [[_item(child) for child in tree or ()] for tree in trees]

        return await self._outlines.of(documents, name, fetch)

    async def folds(self, document: Document, deadline: float) -> list[Fold]:
        async with self._forms:
            await self._supervisor.same_session(deadline)
            (rows,) = await self._about([document], "textDocument/foldingRange", {}, deadline)
        return [fold(row) for row in rows or ()]

    async def nesting(self, document: Document, place: Position, deadline: float) -> list[Span]:
        where = {"positions": [position(place)]}
        async with self._forms:
            await self._supervisor.same_session(deadline)
            (ranges,) = await self._about([document], "textDocument/selectionRange", where, deadline)
        spans = []
        above = ranges[0] if ranges else None
        while above:
            spans.append(span(above["range"]))
            above = above.get("parent")
        return spans

    async def loss(self, deadline: float) -> str:
        """Why some tsconfig of the workspace makes this server lose references; empty when none does."""
        async with self._turn:
            await self._synchronize(deadline)
            assert self._program is not None
            await self._bring_in(list(await self._tsconfigs.read(self._program)), deadline)
            return self._tsconfigs.any_loss()

    async def load(self, paths: Collection[str], deadline: float, *, own: bool = False) -> Coverage:
        async with self._turn:
            await self._synchronize(deadline)
            reason = ""
            missing: list[str] = []
            assert self._program is not None
            await self._bring_in([*await self._tsconfigs.read(self._program), *paths], deadline)
            try:
                missing = [path for path in sorted(paths) if not await self._loaded(path, deadline)]
            except DeadlineError:
                where = self._loading or "a project"
                reason = f"{os.path.basename(where)} is still being loaded"
                missing = [path for path in paths if path not in self._configs]
        configs = {self._configs.get(path, "") for path in paths}
        if missing and not reason:
            reason = f"{len(missing)} files lie outside every project, too many to open"
        lost = next(filter(None, map(self._tsconfigs.loss, sorted(configs))), "")
        if lost and not reason:
            reason = f"{lost}: uses that depend on it are missing (server: typescript finds them)"
        self._loading = None if not reason else self._loading
        self._standing.loaded()
        return Coverage(len(configs), len(configs) + len({os.path.dirname(path) for path in missing}), missing, reason)

    def project(self, path: str) -> str:
        return self._configs.get(path, "")

    def together(self, one: str, other: str) -> bool:
        return self._tsconfigs.together(one, other, set(self._anchors.values()))

    async def references(self, sites: Sequence[Site], deadline: float) -> list[Hit]:
        rows: list[dict[str, Any]] = []
        declared: set[Hit] = set()
        for site in sites:
            # Asked without declarations the server leaves imports out too.
            parameters = {**place(site), "context": {"includeDeclaration": True}}
            rows += await self._current(partial(self._ask, "textDocument/references", parameters, deadline))
            # Which of them are declarations, in other files as well, it does not tell.
            here = hits(await self._ask("textDocument/definition", place(site), deadline))
            if any((one.path, one.span.start) == site for one in here):
                declared.update(here)
        # A constructor with documentation is told as a use of itself, of no length.
        found = dict.fromkeys(hit for hit in hits(rows) if hit.span.start != hit.span.end)
        return [hit._replace(definition=True) if hit in declared else hit for hit in found]

    async def definitions(self, site: Site, deadline: float) -> list[Hit]:
        rows = await self._current(partial(self._there, site, "textDocument/definition", deadline))
        return hits(rows, definition=True)

    async def implementations(self, sites: Sequence[Site], deadline: float) -> list[Hit]:
        found: dict[Hit, None] = {}
        for site in sites:
            ask = partial(self._ask, "textDocument/implementation", place(site), deadline)
            found.update(dict.fromkeys(hits(await self._current(ask))))
        return list(found)

    async def describe(self, site: Site, deadline: float) -> Description | None:
        answer = await self._there(site, "textDocument/hover", deadline)
        if not answer:
            return None
        told = _HOVER.match(answer["contents"]["value"])
        if told is None:
            return None
        signature = told["signature"]
        words = signature.removeprefix("(alias) ")
        kind = next((kind for word, kind in HOVER_KINDS.items() if words.startswith(word + " ")), "Variable")
        return Description(kind, signature, told["documentation"].strip())

    async def diagnostics(self, paths: Sequence[str], deadline: float) -> dict[str, list[Finding]]:
        found: dict[str, list[Finding]] = {}
        for path in paths:
            report = await self._ask("textDocument/diagnostic", {"textDocument": identifier(path)}, deadline)
            found[path] = findings(report, "TS")
        return found

    def status(self) -> LanguageServerStatus:
        return self._supervisor.status(
            loading=self._loading is not None,
            notes="; ".join(self._notes),
            version=self.typescript,
            typescript=self.typescript,
            open_anchors=[os.path.relpath(path, self._root) for path in self._anchors],
        )

    async def warm(self) -> None:
        await self._supervisor.warm()

    async def close(self) -> None:
        await self._supervisor.close()

    async def _launch(self) -> PyglsSession:
        started = await self._provision(self._supervisor.tell)
        toolchain = started.programs
        self._program, self.typescript, self._notes = toolchain.program, toolchain.version, toolchain.notes
        return await self._start(started, progressed=self._supervisor.progressed)

    # Requests

    def _forget(self) -> None:
        for kept in (self._configs, self._anchors):
            kept.clear()

    async def _request(self, method: str, parameters: dict[str, Any], deadline: float) -> Any:
        session = await self._supervisor.same_session(deadline)
        return await session.request(method, parameters, timeout_s=time_left(deadline, method))

    async def _ask(self, method: str, parameters: dict[str, Any], deadline: float) -> Any:
        """About the projects that the question has loaded."""
        async with self._lending:
            self._asking += 1
            self._unasked.clear()
        try:
            self._standing.check()
            return await self._request(method, parameters, deadline)
        finally:
            self._asking -= 1
            if not self._asking:
                self._unasked.set()

    async def _current(self, ask: Callable[[], Awaitable[Any]]) -> list[dict[str, Any]]:
        """The rows that `ask` tells. They may lead into files of which nobody has noted changes, and which the server
        read long ago."""
        rows = await ask() or []
        fresh = self._follow({path_of(row.get("targetUri") or row["uri"]) for row in rows})
        session = self._supervisor.current
        if fresh and session is not None:
            tell(session, Changes(changed=frozenset(fresh)))
            rows = await ask() or []
        return list(rows)

    async def _there(self, site: Site, method: str, deadline: float) -> Any:
        """What stands at a place, as the project of its file reads it: of a file that is not open the server takes any
        project that has come to hold it, and globals are other ones there."""
        self._standing.check()
        if site.path in self._anchors:
            return await self._ask(method, place(site), deadline)
        async with self._forms:
            await self._supervisor.same_session(deadline)
            parameters = {"position": position(site.position)}
            (answer,) = await self._about([self._as_on_disk(site.path)], method, parameters, deadline)
        return answer

    async def _about(
        self, documents: Sequence[Document], method: str, parameters: dict[str, Any], deadline: float
    ) -> list[Any]:
        """Answers about texts that are given to the server, whatever is on disk. The caller holds `_forms`."""
        if all(document.text == self._as_on_disk(document.path).text for document in documents):
            return await self._lent(documents, method, parameters, deadline)
        # Of a question that began before an edit, or of an older revision: no other is to be answered from these.
        async with self._lending:
            async with awaiting_others(deadline):
                while self._asking:
                    await self._unasked.wait()
            return await self._lent(documents, method, parameters, deadline)

    async def _lent(
        self, documents: Sequence[Document], method: str, parameters: dict[str, Any], deadline: float
    ) -> list[Any]:
        await self._supervisor.same_session(deadline)
        for document in documents:
            self._give(document)
        try:
            return await asyncio.gather(
                *(
                    self._request(method, {"textDocument": identifier(document.path), **parameters}, deadline)
                    for document in documents
                )
            )
        finally:
            for document in documents if self._supervisor.is_as_begun else ():
                if document.path not in self._anchors:
                    self._files.take(document.path)
                elif (there := self._as_on_disk(document.path)).text != document.text:
                    self._give(there)

    def _give(self, document: Document) -> None:
        """Open a document, or bring an open one to this text."""
        if not self._noted and not self._given:
            self._given, self._noted = True, self._note(self.name)
        self._files.give(document.path, document.text)

    def _as_on_disk(self, path: str) -> Document:
        """What is not ours to read (no UTF-8, too large) is opened as the compiler reads it; what is gone, as empty."""
        try:
            return Document(path, self._read(path))
        except CnError:
            with contextlib.suppress(OSError), open(path, encoding="utf-8", errors="replace", newline="") as file:
                return Document(path, file.read())
        return Document(path, "")

    # Projects

    async def _loaded(self, path: str, deadline: float) -> bool:
        """Load the project of `path` and hold it with an open file. False when too many loose files are open."""
        config = self._configs.get(path) or self._tsconfigs.owner(path)
        if path in self._anchors or (config and config in self._anchors.values()):
            self._configs.setdefault(path, config or "")
            return True
        if not config and sum(1 for one in self._anchors.values() if not one) >= LOOSE_FILES:
            return False
        self._loading = path
        self._give(self._as_on_disk(path))
        self._anchors[path] = ""
        try:
            # It is the server's to say which project it takes: a tsconfig may list files that it reads by another.
            answer = await self._request("custom/projectInfo", {"textDocument": identifier(path)}, deadline)
        except BaseException:
            del self._anchors[path]
            self._files.take(path)
            raise
        self._anchors[path] = self._configs[path] = (answer or {}).get("configFilePath") or ""
        self._loading = None
        return True

    async def _synchronize(self, deadline: float) -> None:
        """Tell the server every change before the question: in the pipe they come first."""
        # Before the changes are taken: a question that ends here has told nobody of them.
        await self._supervisor.same_session(deadline)
        changes = self._changes(self.name)
        unnoted = self._given and not self._noted
        self._given, self._noted = False, True
        if unnoted or any(is_installation(path) for group in changes for path in group):
            # For an outline it has loaded a project, and of what was created since then nobody has told it. And it
            # would look into node_modules again only for events of every file in there.
            await self._supervisor.restart()
        session = await self._supervisor.same_session(deadline)
        if any(is_configuration(path) for group in changes for path in group):
            self._configs.clear()
            self._tsconfigs.forget()
            # Which project an open file holds is another question now.
            for path in list(self._anchors):
                self._leave(path)
        ignored, self._ignored = self._ignored, self._appeared()
        if ignored != self._ignored:
            self._tsconfigs.forget()
        for path in (*changes.created, *changes.deleted):
            self._configs.pop(path, None)
        waited = False
        try:
            if any(changes):
                # For what is lent by then; what is lent from now on is as new as this.
                waited = await self._forms.acquire()
            # What is new may be in a project that was loaded for an outline meanwhile, or have been there long ago.
            await self._forgotten(session, changes.created, deadline)
        finally:
            try:
                self._pass_on(session, changes)
            finally:
                if waited:
                    self._forms.release()

    async def _bring_in(self, paths: Collection[str], deadline: float) -> None:
        """Tell of those whose changes nobody has noted so far: the server may know them, or not yet."""
        fresh = frozenset(self._follow(paths))
        if fresh:
            session = await self._supervisor.same_session(deadline)
            tell(session, Changes(changed=fresh))
            if self._configs:
                await self._forgotten(session, fresh, deadline)
                tell(session, Changes(created=fresh))

    def _pass_on(self, session: PyglsSession, changes: Changes) -> None:
        """However what led here has ended: nobody tells of these changes again. A new process reads the disk."""
        if not self._supervisor.is_as_begun:
            return
        tell(session, changes)
        for path in list(self._anchors):
            if path in changes.deleted:
                self._leave(path)
            elif path in changes.changed or path in changes.created:
                self._give(self._as_on_disk(path))

    def _leave(self, path: str) -> None:
        """Close a file that held its project open."""
        self._files.take(path)
        project = self._anchors.pop(path)
        if not project or project not in self._anchors.values():
            self._standing.lost()

    async def _forgotten(self, session: PyglsSession, anew: frozenset[str], deadline: float) -> None:
        """Files that were made, or made anew.

        Told that one it has was created, the server keeps its text, even that of one which it was told has gone;
        told that one it lacks has changed, it goes on without; and an end with a beginning right behind it it takes
        for a change. Asking about one makes it see the end.
        """
        if anew:
            tell(session, Changes(deleted=anew))
            try:
                await self._request("custom/projectInfo", {"textDocument": identifier(min(anew))}, deadline)
            except LanguageServerError as error:
                if error.code != "request_refused":  # it has no project of a file that is not there
                    raise


def _item(row: dict[str, Any]) -> Item:
    return Item(
        row["name"],
        KINDS.get(row["kind"], ""),
        [span(row["range"])],
        span(row["selectionRange"]),
        [_item(child) for child in row.get("children") or ()],
    )
