"""The libraries of commands and reports, and what answers questions about them."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Hashable, Mapping
from pathlib import Path

from cn_daemon.adapters.libraries import command_shelf, command_sources, report_store, usage_file
from cn_daemon.adapters.workspace_traits import WorkspaceTraits
from cn_daemon.application.libraries.commands import Commands, SearchLimits
from cn_daemon.application.libraries.library import Library
from cn_daemon.application.libraries.reports import Reports, ReportSettings
from cn_daemon.application.ports import Handler
from cn_daemon.settings import Settings
from cn_shared.wire import LibraryStatus

# The report index is built in the background anyway; waiting for it here only keeps its task's errors in the log.
_WARM_S = 3600.0


class Libraries:
    """Nothing is read before it is asked for."""

    def __init__(self, root: Path, settings: Callable[[], Settings], environ: Callable[[], Mapping[str, str]]) -> None:
        self._root = root
        self._environ = environ
        self._settings = settings
        self._library = Library(command_sources(root, settings(), environ), command_shelf(root, settings()))
        self._store = report_store(settings())
        self.usage = usage_file(root, settings)
        workspace = WorkspaceTraits(Path(os.path.realpath(root)))
        self.commands = Commands(self._library, self._store, self._limits, self.usage, workspace)
        self.reports = Reports(self._store, self._report_settings)
        self.handlers: Mapping[str, Handler] = {
            **{name: getattr(self.commands, name) for name in ("search", "describe", "get", "commands", "reload")},
            **{f"reports {name}": getattr(self.reports, name) for name in ("search", "list", "link", "show")},
        }

    async def warm(self) -> None:
        await asyncio.gather(self._library.warm(), self._store.refresh(time.monotonic() + _WARM_S))

    def replace(self) -> None:
        """Go on with what the settings name now."""
        self._library.replace(
            command_sources(self._root, self._settings(), self._environ),
            command_shelf(self._root, self._settings()),
        )
        self._store.close()
        self._store = report_store(self._settings())
        self.commands.use(self._store)
        self.reports.use(self._store)

    def status(self) -> tuple[list[LibraryStatus], list[str]]:
        """The libraries that hold something, and what of them could not be read."""
        rows = [*self.commands.progress(), *self._store.progress()]
        return [row for row in rows if row.items or row.detail], self.commands.warnings()

    async def revision(self) -> Hashable | None:
        """What changes whenever a command or a report does; None while the libraries are being read."""
        deadline = time.monotonic() + self._settings().request_timeout_s
        read = await asyncio.gather(self._library.refresh(deadline), self._store.refresh(deadline))
        if not all(freshness.complete for freshness in read):
            return None
        return self._library.generation, self._store.generation

    def close(self) -> None:
        self._library.close()
        self._store.close()

    def _limits(self) -> SearchLimits:
        settings = self._settings()
        return SearchLimits(settings.max_search_results, settings.search_timeout_ms / 1000, tuple(settings.warnings))

    def _report_settings(self) -> ReportSettings:
        settings = self._settings()
        folder = settings.reports_directory
        return ReportSettings(
            os.path.realpath(folder) if folder is not None else "",
            settings.report_link_base_url,
            settings.max_search_results,
            settings.search_timeout_ms / 1000,
            tuple(settings.warnings),
        )
