"""The one place that builds adapters."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import importlib
import os
import time
from collections.abc import Hashable, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cn_daemon.adapters import memory
from cn_daemon.adapters.git_history import GitHistory
from cn_daemon.adapters.identifier_index import IdentifierIndex
from cn_daemon.adapters.language_servers.languages import indexed, noted
from cn_daemon.adapters.libraries import DECISIVE as LIBRARY_SETTINGS
from cn_daemon.adapters.libraries import command_shelf, command_sources, report_store
from cn_daemon.adapters.workspace_files import WorkspaceFiles
from cn_daemon.application import configuration
from cn_daemon.application.api_calls import ApiCalls
from cn_daemon.application.climpt import Climpt
from cn_daemon.application.commands import Commands, SearchLimits
from cn_daemon.application.execution import Execution
from cn_daemon.application.library import Library
from cn_daemon.application.navigation import Navigation
from cn_daemon.application.portrait import Portrait
from cn_daemon.application.ports import Answer, Call, Handler
from cn_daemon.application.prompting import Prompting
from cn_daemon.application.question import Desk
from cn_daemon.application.relations import Relations
from cn_daemon.application.reports import Reports, ReportSettings
from cn_daemon.application.survey import Survey
from cn_daemon.settings import KEYS, Settings, environment_names
from cn_shared.relation_verbs import RELATION_VERBS
from cn_shared.survey_verbs import SURVEY_VERBS
from cn_shared.wire import LanguageServerStatus, LibraryStatus

if TYPE_CHECKING:
    from cn_daemon.adapters.language_servers.table import Table

# The settings that decide which language server answers: when one changes, the servers are replaced.
DECISIVE = (
    "server",
    "server_command",
    "node",
    "typescript",
    "typescript_source",
    "tsserver_memory_mb",
    "cache_directory",
)

RELATIONS = tuple(row.name for row in RELATION_VERBS)
SURVEYS = tuple(row.name for row in SURVEY_VERBS)
# The report index is built in the background anyway; waiting for it here only keeps its task's errors in the log.
_WARM_S = 3600.0
# What is done beside the questions waits for the first ones, but not for ever.
_PATIENCE_S = 10.0
# Whoever had the daemon started asks at once.
_FIRST_S = 0.2


class Services:
    """What stands behind the doors. Nothing is started before `start`."""

    def __init__(self, root: Path, settings: Settings, log: Path) -> None:
        self.settings = settings
        self.workspace = WorkspaceFiles(root)
        self._root = root
        self._log = log
        self._environment: Mapping[str, str] = dict(os.environ)
        self._words = IdentifierIndex(root, indexed, noted)
        self._asked = Asked()
        self._opened = asyncio.Event()
        self._code_built: tuple[Table, Desk] | None = None
        self._executing: asyncio.Task[Execution] | None = None
        self._library = Library(command_sources(root, settings), command_shelf(root, settings))
        self._store = report_store(settings)
        self.commands = Commands(self._library, self._store, self._limits)
        self.reports = Reports(self._store, self._report_settings)
        self.handlers: Mapping[str, Handler] = {
            **{name: self._code(Navigation, name) for name in ("map", "find")},
            "inspect": self._code(Portrait, "inspect"),
            **{name: self._code(Relations, name) for name in RELATIONS},
            **{name: self._code(Survey, name) for name in SURVEYS},
            **{name: self._execution(name) for name in ("execute", "invoke")},
            **{name: getattr(self.commands, name) for name in ("search", "describe", "get", "commands", "reload")},
            **{f"reports {name}": getattr(self.reports, name) for name in ("search", "list", "link", "show")},
            "config show": self._config,
        }

    async def start(self) -> None:
        """Begin what takes longest, the language server. `settle` is to follow."""
        # In a thread: /health is answered meanwhile.
        await asyncio.to_thread(importlib.import_module, "cn_daemon.adapters.language_servers.table")
        servers, _ = self._built()
        await servers.warm(self._listed())

    async def _listed(self) -> None:
        await self._opened.wait()
        await self._words.refresh()

    async def settle(self) -> None:
        """Begin what else takes time, once the daemon answers: nothing of it is taken from the first questions."""
        self._opened.set()
        await asyncio.sleep(_FIRST_S)
        patience = asyncio.get_running_loop().time() + _PATIENCE_S
        await self._asked.over(patience)
        await self._words.refresh()
        libraries = self._library.warm(), self._store.refresh(time.monotonic() + _WARM_S)
        await asyncio.gather(self._words.settle(lambda: self._asked.over(patience)), *libraries)
        memory.settle()

    async def close(self) -> None:
        """Shut the language servers down, within 5 s."""
        if self._code_built is not None:
            servers, _ = self._code_built
            await servers.close()
        self._words.close()
        self._library.close()
        self._store.close()

    async def reconfigure(self, settings: Settings, values: Mapping[str, str]) -> None:
        """Go on under new settings; `values` are the caller's CN_*, AICMD_* and PATH."""
        before, path = self.settings, self._environment.get("PATH")
        self.settings = settings
        kept = {key: value for key, value in self._environment.items() if not key.startswith(("CN_", "AICMD_"))}
        self._environment = {**kept, **values}
        if any(getattr(before, key) != getattr(settings, key) for key in LIBRARY_SETTINGS):
            self._replace_libraries()
        decisive = any(getattr(before, key) != getattr(settings, key) for key in DECISIVE)
        servers, _ = self._built()
        # Two shells with different PATHs would restart a running server in turn; one that failed may be helped by it.
        if decisive or (path != self._environment.get("PATH") and servers.failed):
            await servers.replace(await asyncio.to_thread(self._table))

    def libraries(self) -> tuple[list[LibraryStatus], list[str]]:
        """The libraries that hold something, and what of them could not be read."""
        rows = [*self.commands.progress(), *self._store.progress()]
        return [row for row in rows if row.items or row.detail], self.commands.warnings()

    def names(self, prefix: str, limit: int) -> list[str]:
        """Identifiers of the workspace that begin so, the commonest first."""
        return self._words.starting(prefix, limit)

    async def revision(self) -> Hashable | None:
        """What changes whenever a command or a report does; None while the libraries are being read."""
        deadline = time.monotonic() + self.settings.request_timeout_s
        read = await asyncio.gather(self._library.refresh(deadline), self._store.refresh(deadline))
        if not all(freshness.complete for freshness in read):
            return None
        return self._library.generation, self._store.generation

    def language_servers(self) -> list[LanguageServerStatus]:
        return self._code_built[0].status() if self._code_built is not None else []

    def _replace_libraries(self) -> None:
        self._library.replace(command_sources(self._root, self.settings), command_shelf(self._root, self.settings))
        self._store.close()
        self._store = report_store(self.settings)
        self.commands.use(self._store)
        self.reports.use(self._store)

    def _limits(self) -> SearchLimits:
        return SearchLimits(self.settings.max_search_results, self.settings.search_timeout_ms / 1000)

    def _report_settings(self) -> ReportSettings:
        folder = self.settings.reports_directory
        return ReportSettings(
            os.path.realpath(folder) if folder is not None else "",
            self.settings.report_link_base_url,
            self.settings.max_search_results,
            self.settings.search_timeout_ms / 1000,
        )

    def _code(self, use_case: type[Navigation | Portrait | Relations | Survey], verb: str) -> Handler:
        @functools.wraps(getattr(use_case, verb))
        async def answer(call: Call, **parameters: Any) -> Answer:
            with self._asked:
                _, desk = self._built()
                handler: Handler = getattr(use_case(desk), verb)
                return await handler(call, **parameters)

        return answer

    def _execution(self, verb: str) -> Handler:
        @functools.wraps(getattr(Execution, verb))
        async def answer(call: Call, **parameters: Any) -> Answer:
            if self._executing is None:  # in a thread: importing httpx takes its time
                self._executing = asyncio.create_task(asyncio.to_thread(self._runners))
            handler: Handler = getattr(await asyncio.shield(self._executing), verb)
            return await handler(call, **parameters)

        return answer

    def _runners(self) -> Execution:
        from cn_daemon.adapters.runners.folders import ReadableFolders
        from cn_daemon.adapters.runners.http import HttpxCaller
        from cn_daemon.adapters.runners.programs import ProgramRunner

        folders = ReadableFolders(self._root, self._library_folders)
        runner = ProgramRunner(self._root, folders, self._passed_on, lambda: self.settings.output_limit_bytes)
        caller = HttpxCaller(
            lambda: self.settings.output_limit_bytes,
            lambda: self.settings.private_addresses,
            lambda: self.settings.api_proxy,
        )
        return Execution(
            self.commands,
            Climpt(runner, lambda: self.settings),
            Prompting(lambda: self.settings, lambda: self.settings.reports_directory, datetime.now),
            ApiCalls(caller, lambda: self.settings),
        )

    def _library_folders(self) -> list[Path]:
        chosen = (self.settings.commands_directory, self.settings.reports_directory)
        return [folder for folder in chosen if folder is not None]

    def _passed_on(self) -> dict[str, str]:
        """The caller's variables for a command that is run: all but our secrets.

        CN_TOKEN is that of cn serve, and a base URL may hold a password.
        """
        secret = {name for row in KEYS if row.metadata["secret"] for name in environment_names(row.name)}
        secret |= {"CN_TOKEN", *environment_names("catalog_base_urls")}
        return {name: value for name, value in self._environment.items() if name not in secret}

    async def _config(self, call: Call) -> Answer:
        return configuration.show(self.settings)

    def _built(self) -> tuple[Table, Desk]:
        if self._code_built is None:
            servers = self._table()
            desk = Desk(self.workspace, self._words, servers, GitHistory(self._root, self._passed_on))
            self._code_built = servers, desk
        return self._code_built

    def _table(self) -> Table:
        from cn_daemon.adapters.language_servers import table

        return table.build(
            self._root,
            self.settings,
            self._environment,
            self._log,
            lambda path: self.workspace.read_text(Path(path)),
            self._words.tail,
            self._words.note,
            self._words.projects,
            self._words.files,
        )


class Asked:
    """Entered by each question about code."""

    def __init__(self) -> None:
        self._questions = 0
        self._over = asyncio.Event()
        self._over.set()

    def __enter__(self) -> None:
        self._questions += 1
        self._over.clear()

    def __exit__(self, *_: object) -> None:
        self._questions -= 1
        if not self._questions:
            self._over.set()

    async def over(self, deadline: float) -> None:
        """Return when none is being answered, or at a moment of the event loop's clock."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout_at(deadline):
                await self._over.wait()


def build(root: Path, settings: Settings, log: Path) -> Services:
    """Everything the daemon of that root needs. `log`: where language servers' stderr goes."""
    return Services(root, settings, log)
