"""The one place that builds adapters."""

from __future__ import annotations

import asyncio
import functools
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cn_daemon.adapters.identifier_index import IdentifierIndex
from cn_daemon.adapters.language_servers.sources import indexed, is_configuration
from cn_daemon.adapters.workspace_files import WorkspaceFiles
from cn_daemon.application.navigation import Navigation
from cn_daemon.application.ports import Answer, Call, Handler
from cn_daemon.settings import Settings
from cn_shared.wire import LanguageServerStatus

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


class Services:
    """What stands behind the doors. Nothing is started before `start`."""

    def __init__(self, root: Path, settings: Settings, log: Path) -> None:
        self.settings = settings
        self.workspace = WorkspaceFiles(root)
        self._root = root
        self._log = log
        self._environment: Mapping[str, str] = dict(os.environ)
        self._words = IdentifierIndex(root, indexed, is_configuration)
        self._building: asyncio.Task[tuple[Table, Navigation]] | None = None
        self.handlers: Mapping[str, Handler] = {name: self._navigation(name) for name in ("map", "find", "inspect")}

    async def start(self) -> None:
        """Begin what takes time. Called once the daemon answers; must not block."""
        servers, _ = await self._built()
        await asyncio.gather(self._words.refresh(), servers.warm())

    async def close(self) -> None:
        """Shut the language servers down, within 5 s."""
        if self._building is not None:
            servers, _ = await self._building
            await servers.close()
        self._words.close()

    async def reconfigure(self, settings: Settings, values: Mapping[str, str]) -> None:
        """Go on under new settings; `values` are the caller's CN_*, AICMD_* and PATH."""
        before, path = self.settings, self._environment.get("PATH")
        self.settings = settings
        kept = {key: value for key, value in self._environment.items() if not key.startswith(("CN_", "AICMD_"))}
        self._environment = {**kept, **values}
        decisive = any(getattr(before, key) != getattr(settings, key) for key in DECISIVE)
        if decisive or path != self._environment.get("PATH"):
            servers, _ = await self._built()
            await servers.replace(await asyncio.to_thread(self._table))

    def language_servers(self) -> list[LanguageServerStatus]:
        building = self._building
        return building.result()[0].status() if building is not None and building.done() else []

    def _navigation(self, verb: str) -> Handler:
        @functools.wraps(getattr(Navigation, verb))
        async def answer(call: Call, **parameters: Any) -> Answer:
            _, navigation = await self._built()
            handler: Handler = getattr(navigation, verb)
            return await handler(call, **parameters)

        return answer

    async def _built(self) -> tuple[Table, Navigation]:
        if self._building is None:
            self._building = asyncio.create_task(self._build())
        return await asyncio.shield(self._building)

    async def _build(self) -> tuple[Table, Navigation]:
        # In a thread: importing pygls takes 300 ms, and the daemon answers meanwhile.
        servers = await asyncio.to_thread(self._table)
        return servers, Navigation(self.workspace, self._words, servers)

    def _table(self) -> Table:
        from cn_daemon.adapters.language_servers import table

        return table.build(
            self._root,
            self.settings,
            self._environment,
            self._log,
            lambda path: self.workspace.read_text(Path(path)),
            self._words.tail,
        )


def build(root: Path, settings: Settings, log: Path) -> Services:
    """Everything the daemon of that root needs. `log`: where language servers' stderr goes."""
    return Services(root, settings, log)
