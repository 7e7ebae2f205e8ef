"""TypeScript ≤ 6: typescript-language-server, and through it tsserver's own requests.

The LSP requests of typescript-language-server answer `[]` for documents that are not open, and from the syntax
server while a project loads. Its command `typescript.tsserverRequest` passes tsserver's own requests on, to the server
that is named: the semantic one (complete answers, may wait for a project) or the syntax one (form alone, at once).
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cn_daemon.adapters.language_servers.deadlines import held, time_left
from cn_daemon.adapters.language_servers.offsets import Offsets
from cn_daemon.adapters.language_servers.outlines import Outlines
from cn_daemon.adapters.language_servers.projects import Opening, Projects
from cn_daemon.adapters.language_servers.provisioning import Toolchain
from cn_daemon.adapters.language_servers.sources import (
    ENDINGS,
    indexed,
    is_configuration,
    is_installation,
    script_kind,
)
from cn_daemon.adapters.language_servers.spawning import Started
from cn_daemon.adapters.language_servers.standing import Standing
from cn_daemon.adapters.language_servers.supervisor import Supervisor, died
from cn_daemon.application.ports import Changes, Coverage, Description, Finding, Hit, Site
from cn_daemon.domain.blocks import Fold
from cn_daemon.domain.items import Item
from cn_daemon.domain.outline import Declaration
from cn_daemon.domain.text import Document, Position, Span
from cn_shared.errors import CnError, LanguageServerError
from cn_shared.wire import LanguageServerStatus

if TYPE_CHECKING:
    from cn_daemon.adapters.language_servers.session import PyglsSession

log = logging.getLogger(__name__)

SEMANTIC, SYNTAX = 0, 1
# Beyond this many changed files one reload is cheaper than telling each.
RELOAD_AT = 500
OUTLINES_AT_ONCE = 64
# Without it tsserver looks at what appears in a folder one second later.
WATCH_OPTIONS = {"synchronousWatchDirectory": True}
# How the syntax server reads texts: as typescript-language-server has it, but for the libraries. Whoever is asked about
# form alone needs none, and reading them takes longer than its start.
BY_FORM = {"module": "ESNext", "target": "ES2022", "jsx": "react-jsx", "noLib": True}

KINDS = {
    "class": "Class", "local class": "Class", "interface": "Interface", "type": "TypeAlias", "enum": "Enum",
    "enum member": "EnumMember", "function": "Function", "local function": "Function", "var": "Variable",
    "local var": "Variable", "let": "Variable", "const": "Constant", "using": "Constant", "await using": "Constant",
    "method": "Method", "constructor": "Constructor", "property": "Property", "accessor": "Accessor",
    "getter": "Accessor", "setter": "Accessor", "module": "Namespace", "parameter": "Variable",
    "type parameter": "TypeAlias", "external module name": "Module", "script": "Module",
}  # fmt: skip


class TypeScriptServer:
    """The port `LanguageServer` over typescript-language-server."""

    def __init__(
        self,
        root: Path,
        *,
        provision: Callable[[Callable[[str], None]], Awaitable[Started[Toolchain]]],
        start: Callable[..., Awaitable[PyglsSession]],
        read: Callable[[str], str],
        changes: Callable[[str], Changes],
    ) -> None:
        """provision: finds or installs the programs, starts them, and is given what to tell its progress to. start:
        makes an initialized session of them. read: a file's text. changes: what changed since it was last asked."""
        self.name = "typescript-language-server"
        self.endings = frozenset(ENDINGS)
        self.version: str | None = None
        self.typescript: str | None = None
        self.notes: tuple[str, ...] = ()
        self._root = root
        self._read = read
        self._changes = changes
        self._provision = provision
        self._start = start
        self._supervisor = Supervisor(self.name, self._launch, self._greet)
        self._supervisor.forgets.append(self._forget)
        self._standing = Standing(self.name)
        self._projects = Projects(self._open, self._close, self._project_of, self._standing.lost)
        # What the semantic server has yet to learn, since a question ended half-way: changes, and new packages.
        self._behind = self._parting = False
        # What it may have open, which may be more than the projects need; and whether it was ever given anything.
        self._given: set[str] = set()
        self._fresh = True
        self._syntax = asyncio.Lock()
        self._semantic = asyncio.Lock()
        self._outlines = Outlines()
        # How many requests the semantic server has not answered yet.
        self._asked = 0

    # The port

    async def outlines(
        self, documents: Sequence[Document], deadline: float, name: str | None = None
    ) -> dict[str, list[Declaration]]:
        async def fetch(wanted: Sequence[Document]) -> list[list[Item]]:
            items: list[list[Item]] = []
            for start in range(0, len(wanted), OUTLINES_AT_ONCE):
                batch = wanted[start : start + OUTLINES_AT_ONCE]
                # As offsets: lines and characters take longer to be worked out, and are twice as long to be sent.
                requests = [("navtree-full", {"file": document.path}) for document in batch]
                trees = await self._in_projects(batch, requests, deadline)
                if trees is None:
                    trees = await self._by_form(batch, requests, deadline)
                items.extend(map(_items, batch, trees))
            return items

        return await self._outlines.of(documents, name, fetch)

    async def folds(self, document: Document, deadline: float) -> list[Fold]:
        (spans,) = await self._by_form([document], [("getOutliningSpans", {"file": document.path})], deadline)
        return [Fold(row["kind"], _span(row["textSpan"])) for row in spans]

    async def nesting(self, document: Document, place: Position, deadline: float) -> list[Span]:
        location = {"line": place.line, "offset": place.character}
        (ranges,) = await self._by_form(
            [document], [("selectionRange", {"file": document.path, "locations": [location]})], deadline
        )
        spans = []
        above = ranges[0] if ranges else None
        while above:
            spans.append(_span(above["textSpan"]))
            above = above.get("parent")
        return spans

    async def load(self, paths: Collection[str], deadline: float, *, own: bool = False) -> Coverage:
        async with held(self._semantic, deadline):
            await self._synchronize(deadline)
            coverage = await self._projects.load(paths, deadline, own=own)
        self._standing.loaded()
        return coverage

    def project(self, path: str) -> str:
        return self._projects.of(path)

    def together(self, one: str, other: str) -> bool:
        return self._projects.together(one, other)

    async def references(self, sites: Sequence[Site], deadline: float) -> list[Hit]:
        found: dict[Hit, None] = {}
        self._standing.check()
        # tsserver refuses what is in no project: `load` has told of it.
        for site in (site for site in sites if self._projects.covers(site.path)):
            body = await self._ask("references", _arguments(site), deadline)
            rows = body["refs"] if body else ()
            found.update(dict.fromkeys(Hit(row["file"], _span(row), bool(row.get("isDefinition"))) for row in rows))
        # Asked at one declaration of a symbol it may tell the others as mere uses.
        return [hit for hit in found if hit.definition or hit._replace(definition=True) not in found]

    async def definitions(self, site: Site, deadline: float) -> list[Hit]:
        body = await self._ask("definition", self._there(site), deadline)
        return [Hit(row["file"], _span(row), True) for row in body or ()]

    async def implementations(self, sites: Sequence[Site], deadline: float) -> list[Hit]:
        rows = [row for site in sites for row in await self._ask("implementation", _arguments(site), deadline) or ()]
        return list(dict.fromkeys(Hit(row["file"], _span(row)) for row in rows))

    async def describe(self, site: Site, deadline: float) -> Description | None:
        body = await self._ask("quickinfo", self._there(site), deadline)
        if not body:
            return None
        kind = KINDS.get(body["kind"], "Variable")
        return Description(kind, body["displayString"], _plain(body.get("documentation", "")))

    async def diagnostics(self, paths: Sequence[str], deadline: float) -> dict[str, list[Finding]]:
        found: dict[str, list[Finding]] = {}
        for path in paths:
            rows: list[dict[str, Any]] = []
            for command in ("syntacticDiagnosticsSync", "semanticDiagnosticsSync"):
                rows += await self._ask(command, {"file": path}, deadline) or ()
            found[path] = [
                Finding(_span(row), row["category"], f"TS{row['code']}", row["text"])
                for row in rows
                if row["category"] in ("error", "warning")
            ]
        return found

    def _there(self, site: Site) -> dict[str, Any]:
        """A place as the project of its file reads it: of several that hold the file tsserver takes any, and globals
        are other ones there."""
        project = self._projects.of(site.path)
        return {**_arguments(site), "projectFileName": project} if project else _arguments(site)

    def status(self) -> LanguageServerStatus:
        return self._supervisor.status(
            loading=self._projects.loading is not None,
            notes="; ".join(self.notes),
            version=self.version,
            typescript=self.typescript,
            open_anchors=[os.path.relpath(path, self._root) for path in self._projects.anchors],
        )

    async def warm(self) -> None:
        await self._supervisor.warm()

    async def close(self) -> None:
        await self._supervisor.close()

    async def _launch(self) -> PyglsSession:
        started = await self._provision(self._supervisor.tell)
        toolchain = started.programs
        self.notes = toolchain.notes
        self.version, self.typescript = toolchain.server_version, toolchain.typescript_version
        return await self._start(started, progressed=self._supervisor.progressed)

    # Requests to tsserver

    async def _greet(self, deadline: float) -> None:
        root = {"projectRootPath": str(self._root)}
        await asyncio.gather(
            self._raw("configure", {"watchOptions": WATCH_OPTIONS}, deadline),
            self._raw("compilerOptionsForInferredProjects", {"options": BY_FORM, **root}, deadline, SYNTAX),
        )

    def _forget(self) -> None:
        self._behind = self._parting = False
        self._fresh = True
        self._given.clear()
        self._projects.forget()

    async def _raw(self, command: str, arguments: dict[str, Any], deadline: float, target: int = SEMANTIC) -> Any:
        session = self._supervisor.current
        if session is None or not self._supervisor.is_as_begun:
            raise died("tsserver", f"before {command}")
        timeout_s = time_left(deadline, command)
        self._asked += target == SEMANTIC
        try:
            reply = await session.request(
                "workspace/executeCommand",
                {
                    "command": "typescript.tsserverRequest",
                    "arguments": [command, arguments, {"executionTarget": target}],
                },
                timeout_s=timeout_s,
            )
        finally:
            self._asked -= target == SEMANTIC
        if _is_without_tsserver(reply):
            # typescript-language-server outlives its tsserver, and would go on answering so.
            session.kill()
            raise died("tsserver", f"before it answered {command}")
        return _body(command, reply)

    async def _ask(self, command: str, arguments: dict[str, Any], deadline: float) -> Any:
        """About the projects that the question has loaded."""
        self._standing.check()
        try:
            return await self._raw(command, arguments, deadline)
        except LanguageServerError as error:
            if "No Project" in error.message and self._projects.covers(arguments["file"]):
                # Its own watchers saw the tsconfig gone, as when git puts another in its place, and not yet come back.
                self._behind = True
                self._standing.lost()
                self._standing.check()
            raise

    async def _in_projects(
        self, documents: Sequence[Document], requests: Sequence[tuple[str, dict[str, Any]]], deadline: float
    ) -> list[Any] | None:
        """The same answers of the semantic server, which knows these files already: the syntax server would have to
        read them, beside it. None when it would have to load something, or is busy."""
        if self._semantic.locked() or self._asked:
            return None
        async with self._semantic:
            await self._supervisor.same_session(deadline)
            if not all(self._projects.is_own(document.path) for document in documents):
                return None
            try:
                # All in one go, so that nobody's question is answered from these texts.
                _, *answers, _ = await asyncio.gather(
                    self._update(documents, (), deadline, SEMANTIC),
                    *(self._raw(command, arguments, deadline) for command, arguments in requests),
                    self._take_back([document.path for document in documents], deadline),
                )
            except BaseException:
                # It may have kept some of them: whoever goes on tells it everything anew.
                self._behind = True
                self._standing.lost()
                raise
        return answers

    async def _take_back(self, lent: Sequence[str], deadline: float) -> None:
        """Have the semantic server read from the disk again what was given to it for a moment."""
        anchors = self._projects.anchors.intersection(lent)
        files = [self._as_on_disk(path) for path in sorted(anchors)]
        await self._tell(files, sorted(anchors.symmetric_difference(lent)), deadline, SEMANTIC)

    async def _by_form(
        self, documents: Sequence[Document], requests: Sequence[tuple[str, dict[str, Any]]], deadline: float
    ) -> list[Any]:
        """Answers of the syntax server about texts that are given to it: what is on disk does not matter."""
        async with held(self._syntax, deadline):
            session = await self._supervisor.same_session(deadline)
            await self._update(documents, (), deadline, SYNTAX)
            try:
                return await asyncio.gather(
                    *(self._raw(command, arguments, deadline, SYNTAX) for command, arguments in requests)
                )
            finally:
                if session.alive:
                    await self._update((), [document.path for document in documents], deadline + 1, SYNTAX)

    async def _update(self, opened: Iterable[Document], closed: Iterable[str], deadline: float, target: int) -> None:
        files = [self._opening(document.path, fileContent=document.text) for document in opened]
        await self._tell(files, closed, deadline, target)

    def _opening(self, path: str, **content: str) -> dict[str, str]:
        return {"file": path, "scriptKindName": script_kind(path), "projectRootPath": str(self._root), **content}

    async def _tell(self, files: list[dict[str, str]], closed: Iterable[str], deadline: float, target: int) -> None:
        closed = list(closed)
        arguments = {"openFiles": files, "changedFiles": [], "closedFiles": closed}
        if target == SEMANTIC and files:
            self._fresh = False
            self._given.update(file["file"] for file in files)
        await self._raw("updateOpen", arguments, deadline, target)
        if target == SEMANTIC:
            self._given.difference_update(closed)

    # What the projects need

    async def _open(self, paths: Sequence[str], deadline: float) -> None:
        await self._tell([self._as_on_disk(path) for path in paths], (), deadline, SEMANTIC)

    def _as_on_disk(self, path: str) -> dict[str, str]:
        try:
            return self._opening(path, fileContent=self._read(path))
        except CnError:
            # Not ours to read (no UTF-8, too large): tsserver makes of it what the compiler does.
            return self._opening(path)

    async def _close(self, paths: Sequence[str], deadline: float) -> None:
        await self._update((), paths, deadline, SEMANTIC)

    async def _project_of(self, path: str, deadline: float) -> Opening:
        body = await self._raw("projectInfo", {"file": path, "needFileNameList": True}, deadline)
        return Opening(body["configFileName"], body.get("fileNames", []), bool(body.get("languageServiceDisabled")))

    async def _synchronize(self, deadline: float) -> None:
        """Tell the semantic server what changed. tsserver watches files itself, but sees new ones late, and never
        what changed below an open document."""
        await self._supervisor.same_session(deadline)
        changes = self._changes(self.name)
        if self._fresh:
            return
        self._parting |= any(is_installation(path) for group in changes for path in group)
        self._projects.deleted(changes.deleted)
        if self._parting:
            await self._part(deadline)
            self._parting = self._behind = False
            return
        told = {path for group in changes for path in group if indexed(path)}
        configured = any(is_configuration(path) for group in changes for path in group)
        anchors = self._projects.anchors
        left = self._given - anchors
        if self._behind or configured or len(told) > RELOAD_AT:
            # Until it is done, this question's changes count as untold: it may end half-way.
            self._behind = True
            await self._raw("reloadProjects", {}, deadline)
            self._projects.reloaded()
            told = anchors | left
        elif told or left:
            told |= left
            self._behind = True
            await self._let_watchers_speak(deadline)
        if told:
            # What is open goes on with the text that it has; what is not there, opened and closed, is known to be gone.
            files = [self._as_on_disk(path) if os.path.isfile(path) else self._opening(path, fileContent="")
                     for path in sorted(told)]  # fmt: skip
            await self._tell(files, (), deadline, SEMANTIC)
            await self._tell([], sorted(told - anchors), deadline, SEMANTIC)
        self._behind = False

    async def _part(self, deadline: float) -> None:
        """Begin anew with every project: one that is reloaded goes on where the links in node_modules led before."""
        self._projects.forget()
        given = sorted(self._given)
        # It fails at the end of what is not open, and what a question that was given up has opened may not be.
        await self._tell([self._as_on_disk(path) for path in given], (), deadline, SEMANTIC)
        await self._tell([], given, deadline, SEMANTIC)
        # What no open file holds goes when another file is opened.
        other = str(self._root / "node_modules" / ".cn.ts")
        await self._tell([self._opening(other, fileContent="")], (), deadline, SEMANTIC)
        await self._tell([], [other], deadline, SEMANTIC)

    async def _let_watchers_speak(self, deadline: float) -> None:
        """tsserver learns from its own file watchers which failed imports may lead somewhere now. What the kernel had
        told it before our request is read, at the latest, in the turn of its event loop that follows the answer."""
        for _ in range(2):
            await self._raw("status", {}, deadline)


def _arguments(site: Site) -> dict[str, Any]:
    return {"file": site.path, "line": site.position.line, "offset": site.position.character}


def _is_without_tsserver(reply: Any) -> bool:
    """Its tsserver died with the request, or before it. The second has neither an error nor a body."""
    if not isinstance(reply, dict):
        return False
    # "server exited", "server errored", and "server disposed": one tsserver's end is the other's. A request that we
    # cancelled has a reason of its own.
    return reply.get("type") == "noServer" or str(reply.get("reason", "")).startswith("server ")


def _body(command: str, reply: Any) -> Any:
    """None where tsserver has nothing to say about the place. What is not known to be an answer is none."""
    if isinstance(reply, dict):
        if reply.get("type") == "response" and reply.get("success"):
            return reply.get("body")
        if reply.get("type") == "noContent":
            return None
    message = str(reply.get("message", "")) if isinstance(reply, dict) else "no answer"
    raise LanguageServerError("request_refused", f"tsserver refused {command}: {message or reply}")


def _position(row: dict[str, int]) -> Position:
    return Position(row["line"], row["offset"])


def _span(row: dict[str, Any]) -> Span:
    return Span(_position(row["start"]), _position(row["end"]))


def _items(document: Document, tree: dict[str, Any]) -> list[Item]:
    offsets = Offsets(document.text)
    return [_item(child, offsets) for child in tree.get("childItems", ())]


def _item(row: dict[str, Any], offsets: Offsets) -> Item:
    return Item(
        row["text"],
        KINDS.get(row["kind"], ""),
        [offsets.span(span) for span in row["spans"]],
        offsets.span(row["nameSpan"]) if row.get("nameSpan") else None,
        [_item(child, offsets) for child in row.get("childItems", ())],
    )


def _plain(documentation: Any) -> str:
    if isinstance(documentation, str):
        return documentation
    return "".join(part.get("text", "") for part in documentation)
