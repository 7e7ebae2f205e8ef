"""The one place that builds adapters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cn_daemon.application.ports import Handler
from cn_daemon.settings import Settings
from cn_shared.wire import LanguageServerStatus


@dataclass
class Services:
    """What stands behind the doors."""

    handlers: Mapping[str, Handler]
    settings: Settings

    async def start(self) -> None:
        """Begin what takes time. Called once the daemon answers; must not block."""

    async def close(self) -> None:
        """Shut the language servers down, within 5 s."""

    async def reconfigure(self, settings: Settings, values: Mapping[str, str]) -> None:
        """Go on under new settings; `values` are the caller's CN_*, AICMD_* and PATH."""
        self.settings = settings

    def language_servers(self) -> list[LanguageServerStatus]:
        return []


def build(root: Path, settings: Settings, log: Path) -> Services:
    """Everything the daemon of that root needs. `log`: where language servers' stderr goes."""
    return Services({}, settings)
