"""The table of language servers: which one answers for which files of a workspace."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from cn_daemon.adapters.language_servers.provisioning import provision
from cn_daemon.adapters.language_servers.tsserver import CONFIGURATION, ENDINGS, TypeScriptServer
from cn_daemon.adapters.language_servers.typescript import start
from cn_daemon.application.ports import Changes, LanguageServer
from cn_daemon.settings import Settings
from cn_shared.wire import LanguageServerStatus

# The settings that decide which process answers: when one changes, the servers are replaced.
DECISIVE = (
    "server",
    "server_command",
    "node",
    "typescript",
    "typescript_source",
    "tsserver_memory_mb",
    "cache_directory",
)

Read = Callable[[str], str]
Tail = Callable[[str], Changes]


def indexed(name: str) -> bool:
    """Whether a file of that name holds words that matter."""
    return os.path.splitext(name)[1] in ENDINGS


def noted(name: str) -> bool:
    """Whether a change of that file matters to a server although its words do not."""
    return CONFIGURATION.search(name) is not None


class Table:
    """The port `LanguageServers`."""

    def __init__(self, servers: Sequence[LanguageServer]) -> None:
        self._servers = list(servers)

    def server_for(self, path: str) -> LanguageServer | None:
        ending = os.path.splitext(path)[1]
        return next((server for server in self._servers if ending in server.endings), None)

    def supported(self) -> list[str]:
        return sorted(ending for server in self._servers for ending in server.endings)

    def status(self) -> list[LanguageServerStatus]:
        return [server.status() for server in self._servers]

    async def warm(self) -> None:
        await asyncio.gather(*(server.warm() for server in self._servers))

    async def replace(self, servers: Sequence[LanguageServer]) -> None:
        """Go on with other servers; what the old ones were asked fails."""
        old, self._servers = self._servers, list(servers)
        await asyncio.gather(*(server.close() for server in old))

    async def close(self) -> None:
        await asyncio.gather(*(server.close() for server in self._servers))


def build(
    root: Path, settings: Settings, environment: Mapping[str, str], log_file: Path, read: Read, tail: Tail
) -> list[LanguageServer]:
    """The servers of a workspace, none of them started. environment: what they and npm are run with."""
    typescript = TypeScriptServer(
        root,
        provision=partial(provision, root, settings, environ=environment),
        start=partial(
            start,
            root=root,
            command=settings.server_command,
            memory_mb=settings.tsserver_memory_mb,
            log_file=log_file,
            environment=environment,
        ),
        read=read,
        changes=tail,
    )
    return [typescript]
