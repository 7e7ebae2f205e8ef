"""The workspace as its language servers see it, and the watch over work on its texts."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from cn_daemon.adapters.compilers import starting
from cn_daemon.adapters.compilers.types import CompiledTypes
from cn_daemon.adapters.identifier_index import IdentifierIndex
from cn_daemon.adapters.language_servers import table
from cn_daemon.adapters.language_servers.compilers import Compilers
from cn_daemon.adapters.language_servers.languages import configured, indexed, is_project_file
from cn_daemon.adapters.language_servers.provisioning.programs import missing
from cn_daemon.adapters.python_bindings.names import PythonNames
from cn_daemon.adapters.reading_watch import ReadingWatch
from cn_daemon.adapters.workspace_files import WorkspaceFiles
from cn_daemon.domain.source.forms import admit
from cn_daemon.settings import Settings
from cn_shared.errors import CnError
from cn_shared.wire import LanguageServerStatus

LOAD_S = 60.0


class Code:
    """Its files, its words and its language servers. Nothing is started."""

    def __init__(
        self,
        root: Path,
        settings: Settings,
        environment: Mapping[str, str],
        log: Path,
        compilers: Compilers | None,
        variables: Callable[[], Mapping[str, str]],
        quiet: Callable[[], Awaitable[None]],
    ) -> None:
        """On the event loop. compilers: of the same, when one of them may have been started. variables: all of the
        caller's, as of now. quiet: returns when no question about code is being answered."""
        self._variables = variables
        self._quiet = quiet
        self._root = root
        self._log = log
        compilers = compilers or Compilers(root, settings, environment, log)
        self._disclosure = compilers.disclosure
        self.workspace = WorkspaceFiles(root, refusal=lambda real: self._disclosure.refusal(real))
        self._further = further = configured(settings.language_servers)
        self.words = IdentifierIndex(
            root, self._is_indexed, self._is_watched, lambda real: self._disclosure.reads(real)
        )
        admit(ending for row in further for ending in row.endings)
        self._bindings = starting.bindings(root, self.words, settings, environment, log, quiet)
        self._types = starting.types(root, self.words, settings, environment, log)
        self._watch = ReadingWatch()
        self._watch.start()
        self.servers = self._table(settings, environment, compilers)

    @property
    def begins_with_names(self) -> bool:
        """Whether bindings are likely to answer the first questions: TypeScript's server starts behind them."""
        return self._types is not None and self.servers.obvious is not None

    def status(self) -> list[LanguageServerStatus]:
        """Of the language servers, and of what answers names beside them, once it was asked."""
        workers = [worker.status() for worker in (self._bindings, self._types) if worker is not None]
        return [*self.servers.status(), *(one for one in workers if one.state != "stopped")]

    async def names_ready(self) -> None:
        """Start the process of the bindings."""
        await self.words.refresh()
        with contextlib.suppress(CnError):  # whoever asks gets the error
            await self._bindings.formed("outline", [], asyncio.get_running_loop().time() + LOAD_S)

    def _is_indexed(self, name: str) -> bool:
        return indexed(name) or any(os.path.splitext(name)[1] in row.endings for row in self._further)

    def _is_watched(self, name: str) -> bool:
        return is_project_file(name) or any(os.path.basename(name) in row.markers for row in self._further)

    def may_be_helped(self, environment: Mapping[str, str]) -> bool:
        """Whether a server that could not be started may be had by these variables."""
        had = (not missing(row, self._root, environment) for row in self.servers.lacking)
        return self.servers.failed or any(had)

    async def replace(self, settings: Settings, environment: Mapping[str, str]) -> None:
        """Go on with other language servers."""
        compilers = Compilers(self._root, settings, environment, self._log)
        self._disclosure = compilers.disclosure
        if (further := configured(settings.language_servers)) != self._further:
            self._further = further
            admit(ending for row in further for ending in row.endings)
            self.words.begin_anew()
        await self._end_workers()
        self._bindings = starting.bindings(self._root, self.words, settings, environment, self._log, self._quiet)
        self._types = starting.types(self._root, self.words, settings, environment, self._log)
        await self.servers.replace(self._table(settings, environment, compilers))

    async def close(self) -> None:
        await self.servers.close()
        await self._end_workers()
        self.words.close()
        self._watch.stop()

    async def _end_workers(self) -> None:
        for worker in (self._bindings, self._types):
            if worker is not None:
                await worker.close()

    def _table(self, settings: Settings, environment: Mapping[str, str], compilers: Compilers) -> table.Table:
        return table.build(
            self._root,
            settings,
            environment,
            compilers,
            lambda path: self.workspace.read_text(Path(path)),
            self.words.changes_since,
            self.words.note,
            self.words.generated,
            self.words.follow,
            self.words.is_output,
            self.words.projects,
            self.words.files,
            self.words.refresh,
            self.words.roots,
            self.words.manifests,
            self._variables,
            self.words.links,
            self.workspace.hard,
            self._bindings,
            PythonNames(self.words, lambda path: self.workspace.read_text(Path(path), leniently=True)),
            CompiledTypes(self._root, self._bindings, self._types) if self._types else None,
        )
