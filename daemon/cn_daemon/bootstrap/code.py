"""The workspace as its language servers see it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from cn_daemon.adapters.identifier_index import IdentifierIndex
from cn_daemon.adapters.language_servers import table
from cn_daemon.adapters.language_servers.languages import indexed, noted
from cn_daemon.adapters.workspace_files import WorkspaceFiles
from cn_daemon.settings import Settings


class Code:
    """Its files, its words and its language servers. Nothing is started."""

    def __init__(self, root: Path, settings: Settings, environment: Mapping[str, str], log: Path) -> None:
        self._root = root
        self._log = log
        self.workspace = WorkspaceFiles(root)
        self.words = IdentifierIndex(root, indexed, noted)
        self.servers = self._table(settings, environment)

    async def replace(self, settings: Settings, environment: Mapping[str, str]) -> None:
        """Go on with other language servers."""
        await self.servers.replace(self._table(settings, environment))

    async def close(self) -> None:
        await self.servers.close()
        self.words.close()

    def _table(self, settings: Settings, environment: Mapping[str, str]) -> table.Table:
        return table.build(
            self._root,
            settings,
            environment,
            self._log,
            lambda path: self.workspace.read_text(Path(path)),
            self.words.tail,
            self.words.note,
            self.words.projects,
            self.words.files,
        )
