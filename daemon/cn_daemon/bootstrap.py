"""The one place that builds adapters."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from pathlib import Path

from cn_daemon.adapters.identifier_index import IdentifierIndex
from cn_daemon.adapters.workspace_files import WorkspaceFiles
from cn_daemon.application.ports import Handler
from cn_daemon.settings import Settings
from cn_shared.wire import LanguageServerStatus


class Services:
    """What stands behind the doors. Nothing is started before `start`."""

    def __init__(self, root: Path, settings: Settings, log: Path) -> None:
        from cn_daemon.adapters.language_servers import table
        from cn_daemon.application.navigation import Navigation

        self.settings = settings
        self._root = root
        self._log = log
        self._table = table
        self._environment: Mapping[str, str] = dict(os.environ)
        self.workspace = WorkspaceFiles(root)
        self._words = IdentifierIndex(root, table.indexed, table.noted)
        self._servers = table.Table(self._build())
        navigation = Navigation(self.workspace, self._words, self._servers)
        self.handlers: Mapping[str, Handler] = {
            "map": navigation.map,
            "find": navigation.find,
            "inspect": navigation.inspect,
        }

    async def start(self) -> None:
        """Begin what takes time. Called once the daemon answers; must not block."""
        await asyncio.gather(self._words.refresh(), self._servers.warm())

    async def close(self) -> None:
        """Shut the language servers down, within 5 s."""
        await self._servers.close()
        self._words.close()

    async def reconfigure(self, settings: Settings, values: Mapping[str, str]) -> None:
        """Go on under new settings; `values` are the caller's CN_*, AICMD_* and PATH."""
        before = self.settings, self._environment.get("PATH")
        self.settings = settings
        kept = {key: value for key, value in self._environment.items() if not key.startswith(("CN_", "AICMD_"))}
        self._environment = {**kept, **values}
        if any(getattr(before[0], key) != getattr(settings, key) for key in self._table.DECISIVE) or (
            before[1] != self._environment.get("PATH")
        ):
            await self._servers.replace(self._build())

    def language_servers(self) -> list[LanguageServerStatus]:
        return self._servers.status()

    def _build(self) -> list:  # type: ignore[type-arg]
        return self._table.build(
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
