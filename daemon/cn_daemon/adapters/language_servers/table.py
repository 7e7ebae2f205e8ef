"""The table of language servers: which one answers for which files of a workspace."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from cn_daemon.adapters.compilers.bindings import Bindings
from cn_daemon.adapters.compilers.components import ComponentServer
from cn_daemon.adapters.disclosure import Disclosure
from cn_daemon.adapters.language_servers import sources
from cn_daemon.adapters.language_servers.clang.database import CompileCommands
from cn_daemon.adapters.language_servers.compilers import NATIVE, Compilers
from cn_daemon.adapters.language_servers.languages import LANGUAGES, Language
from cn_daemon.adapters.language_servers.languages import configured as named_by
from cn_daemon.adapters.language_servers.launch import Launch, session_class
from cn_daemon.adapters.language_servers.linked import Linked, by_all_names
from cn_daemon.adapters.language_servers.lsp.link import LspLink, Project
from cn_daemon.adapters.language_servers.lsp.server import LspServer
from cn_daemon.adapters.language_servers.native.files import NativeFiles
from cn_daemon.adapters.language_servers.native.link import NativeLink
from cn_daemon.adapters.language_servers.native.server import NativeServer
from cn_daemon.adapters.language_servers.provisioning.programs import Program, missing, provision_program
from cn_daemon.adapters.language_servers.python_project import PythonProject
from cn_daemon.adapters.language_servers.tsserver.files import TsserverFiles
from cn_daemon.adapters.language_servers.tsserver.link import TsserverLink
from cn_daemon.adapters.language_servers.tsserver.overflowing import Overflowing
from cn_daemon.adapters.language_servers.tsserver.server import TypeScriptServer
from cn_daemon.adapters.links import Links
from cn_daemon.adapters.manifests import circular
from cn_daemon.application.hard_texts import HardTexts
from cn_daemon.application.ports import Changes, LanguageServer, Names, Types
from cn_daemon.settings import Settings
from cn_shared.wire import LanguageServerStatus

Read = Callable[[str], str]
Tail = Callable[[str], Changes]
Listed = Callable[[], Iterable[str]]


class Table:
    """The port `LanguageServers`: rows by the name that the setting `server` and `--server` choose them by.

    automatic: what answers for TypeScript when nobody chooses; one of the rows. others: the servers of
    other languages, of which nobody chooses. files: of the workspace. missing: why one cannot be had, "" when it can.
    obvious: whether TypeScript's server is wanted, whatever files there are. names: what answers in the stead of the
    automatic one as far as names decide; python: the same for Python's. components: what answers for those of Vue,
    Svelte and Astro.
    """

    def __init__(
        self,
        rows: Mapping[str, LanguageServer],
        automatic: LanguageServer,
        others: Sequence[LspServer] = (),
        files: Listed = tuple,
        missing: Callable[[Language], str] = lambda row: "",
        *,
        obvious: bool = True,
        names: Names | None = None,
        types: Types | None = None,
        components: LanguageServer | None = None,
        python: Names | None = None,
    ) -> None:
        self._rows = dict(rows)
        self._python = python
        self._names = names
        self._types = types
        self._components = components
        self._automatic = automatic
        self._others = list(others)
        self._files = files
        self._missing = missing
        self._obvious = obvious

    def server_for(self, path: str, wanted: str = "auto") -> LanguageServer | None:
        row = self._automatic if wanted == "auto" else self._rows[wanted]
        ending = os.path.splitext(path)[1]
        components = [self._components] if self._components is not None else []
        return next((one for one in (row, *components, *self._others) if ending in one.endings), None)

    @property
    def obvious(self) -> LanguageServer | None:
        """TypeScript's server, when the workspace looks as if it was wanted."""
        return self._automatic if self._obvious else None

    def supported(self) -> list[str]:
        components = self._components.endings if self._components is not None else ()
        return sorted({*components, *(ending for server in self._every() for ending in server.endings)})

    def names(self, server: LanguageServer) -> Names | None:
        if isinstance(server, LspServer) and server.row.rooted:
            return self._python
        return None if isinstance(server, LspServer) else self._names

    def types(self, server: LanguageServer) -> Types | None:
        return None if isinstance(server, LspServer) else self._types

    def heritage(self, server: LanguageServer) -> Types | None:
        return None if server in self._others else self._types

    def status(self) -> list[LanguageServerStatus]:
        """The one that answers by itself first; others only once they were asked, those of other languages when the
        workspace has files of theirs."""
        chosen = self._automatic.status()
        others = [row.status() for row in self._rows.values() if row.status().name != chosen.name]
        endings = {os.path.splitext(path)[1] for path in self._files()}
        present = [one for one in self._others if not endings.isdisjoint(one.endings)]
        if present and endings.isdisjoint(self._automatic.endings) and chosen.state == "stopped":
            return [self._status_of(one) for one in present]
        running = [status for status in others if status.state != "stopped"]
        return [chosen, *running, *(self._status_of(one) for one in present)]

    def _status_of(self, server: LspServer) -> LanguageServerStatus:
        """With the language it answers for, and how to get it when it is not there."""
        status, title = server.status(), server.title
        missing = self._missing(server.row) if status.state in ("stopped", "failed") else ""
        if missing:
            return replace(status, state="failed", detail=f"{title}: {missing}")
        detail = status.detail or ""
        return replace(status, detail=detail if detail.startswith(title) else ": ".join(filter(None, (title, detail))))

    def _every(self) -> list[LanguageServer]:
        return [*self._rows.values(), *self._others]

    @property
    def failed(self) -> bool:
        """Whether the server that answers by itself could not be started."""
        return self._automatic.status().state == "failed"

    @property
    def lacking(self) -> list[Language]:
        """The further languages whose server was asked and could not be started."""
        return [one.row for one in self._others if one.status().state == "failed"]

    async def warm(self, listed: Awaitable[object] | None = None) -> None:
        """Start what the workspace has files for, TypeScript's server where it has none. listed: when its files are
        known; a workspace that looks like TypeScript's does not wait for it."""
        # What a session needs is imported while the programs that it needs are looked for.
        await asyncio.gather(asyncio.to_thread(session_class), self._warm(listed))

    async def _warm(self, listed: Awaitable[object] | None) -> None:
        begun = asyncio.create_task(self._automatic.warm()) if self._obvious else None
        if listed is not None:
            await listed
        endings = Counter(os.path.splitext(path)[1] for path in self._files())
        own = sum(endings[ending] for ending in self._automatic.endings)
        # A few files of another language beside many of TypeScript wait for their first question.
        wanted = [
            one
            for one in self._others
            if sum(endings[ending] for ending in one.endings) > own and not (one.row.anchored or self._missing(one.row))
        ]
        # Those of scripts and settings beside a program, as well.
        most = max((sum(endings[ending] for ending in one.endings) for one in wanted), default=0)
        wanted = [one for one in wanted if not one.row.script or sum(endings[e] for e in one.endings) == most]
        warming = [one.warm() for one in wanted]
        if begun is not None:
            warming.append(_joined(begun))
        elif own or not endings:
            warming.append(self._automatic.warm())
        await asyncio.gather(*warming)

    async def replace(self, other: Table) -> None:
        """Go on with the servers of `other`; what the old ones were asked fails."""
        old = self._every()
        self._rows, self._automatic, self._others = other._rows, other._automatic, other._others
        self._missing, self._names, self._components = other._missing, other._names, other._components
        self._python = other._python
        self._types = other._types
        await asyncio.gather(*(server.close() for server in old))

    async def close(self) -> None:
        await asyncio.gather(*(server.close() for server in self._every()))


def build(
    root: Path,
    settings: Settings,
    environment: Mapping[str, str],
    compilers: Compilers,
    read: Read,
    tail: Tail,
    note: Callable[[str], bool],
    generated: Listed,
    follow: Callable[[Iterable[str]], set[str]],
    is_output: Callable[[str], bool],
    configured: Listed,
    files: Listed,
    listed: Callable[[], Awaitable[None]],
    roots: Callable[[], Sequence[str]],
    manifests: Callable[[], Sequence[str]],
    variables: Callable[[], Mapping[str, str]],
    links: Links,
    hard: HardTexts,
    bindings: Bindings,
    python: Names,
    types: Types | None,
) -> Table:
    """The servers of a workspace, none of them started. environment: what they and npm are run with.
    compilers: of the same. files: its sources, of which `listed` has all be known. roots, manifests, variables: as of
    `PythonProject`. configured: its tsconfigs. hard: of the texts that are read those that are read no more. bindings:
    they tell the form of texts, and what names mean unless the setting says no. python: what answers from names in
    Python."""
    launch = Launch(compilers.place)

    def own(reader: str) -> Changes:
        ours = Changes(*(frozenset(filter(sources.is_ours, paths)) for paths in tail(reader)))
        return by_all_names(links, ours)

    def by_imports(reader: str) -> Changes:
        changes = own(reader)
        texts = filter(sources.indexed, changes.changed)  # of a text that it has read it knows the real name
        named = (changes.created, changes.changed.difference(texts), changes.deleted)
        installed = ({name for path in paths for name in links.installed(path)} for paths in named)
        return Changes(*(before | more for before, more in zip(changes, installed, strict=True)))

    def circles() -> list[str]:
        return [os.path.relpath(path, root) for path in circular(configured(), compilers.disclosure.reads)]

    overflowing = Overflowing(compilers.place, files, read, hard)
    tsserver = TsserverLink(root, compilers.compiled, launch.session, compilers.ceiling.rise, overflowing)
    compiled = TypeScriptServer(tsserver, TsserverFiles(root, tsserver, read, own, is_output, follow))
    compiler = NativeLink(compilers.native, launch.session, circles)
    native = NativeServer(compiler, NativeFiles(compiler, read, by_imports, note, generated, follow))
    rows: dict[str, LanguageServer] = {
        "typescript": Linked(compiled, links, bindings, hard),
        "native": Linked(native, links, bindings, hard, native),
    }
    automatic = rows.get(settings.server) or rows["native" if compilers.first == NATIVE else "typescript"]
    names = bindings if settings.bindings == "on" else None
    components = ComponentServer(automatic, bindings, hard, names, types) if names is not None else None

    def other(row: Language) -> LspServer:
        provision = partial(_provision, row, root, settings, environment, compilers.disclosure, listed)
        sources_of = partial(_of, row, files)
        project: Project | None = None
        if row.compiled:
            project = CompileCommands(root, sources_of, compilers.disclosure.reads)
        elif row.rooted:
            project = PythonProject(root, roots, manifests, variables, compilers.disclosure)
        return LspServer(LspLink(row, provision, launch.language, project), read, tail)

    lacking = partial(missing, root=root, environ=environment)
    # What the user names comes before what cn knows.
    others = list(map(other, (*named_by(settings.language_servers), *LANGUAGES)))
    obvious = compilers.obvious
    return Table(
        rows,
        automatic,
        others,
        files,
        lacking,
        obvious=obvious,
        names=names,
        types=types,
        components=components,
        python=python,
    )


def _of(row: Language, files: Listed) -> list[str]:
    return [path for path in files() if os.path.splitext(path)[1] in row.endings]


async def _joined(task: asyncio.Task[None]) -> None:
    await task


async def _provision(
    row: Language,
    root: Path,
    settings: Settings,
    environment: Mapping[str, str],
    disclosure: Disclosure,
    listed: Callable[[], Awaitable[None]],
    progress: Callable[[str], None],
) -> Program:
    if row.compiled:
        await listed()  # headers are looked for among all files
    program = await provision_program(row, root, settings, progress, environ=environment)
    disclosure.add(program.libraries)
    return program
