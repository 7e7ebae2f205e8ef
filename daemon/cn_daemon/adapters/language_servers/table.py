"""The table of language servers: which one answers for which files of a workspace."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path

from cn_daemon.adapters.language_servers.handover import Handover
from cn_daemon.adapters.language_servers.native import NativeServer
from cn_daemon.adapters.language_servers.provisioning import has_native, provision, provision_native
from cn_daemon.adapters.language_servers.tsserver import TypeScriptServer
from cn_daemon.adapters.language_servers.typescript import Launch, session_class
from cn_daemon.application.ports import Changes, LanguageServer
from cn_daemon.settings import Settings
from cn_shared.wire import LanguageServerStatus

Read = Callable[[str], str]
Tail = Callable[[str], Changes]
Configured = Callable[[], Iterable[str]]


class Table:
    """The port `LanguageServers`: rows by the name that the setting `server` and `--server` choose them by.

    automatic: what answers when nobody chooses; one of the rows, or made of them.
    """

    def __init__(self, rows: Mapping[str, LanguageServer], automatic: LanguageServer) -> None:
        self._rows = dict(rows)
        self._automatic = automatic

    def server_for(self, path: str, wanted: str = "auto") -> LanguageServer | None:
        row = self._automatic if wanted == "auto" else self._rows[wanted]
        return row if os.path.splitext(path)[1] in row.endings else None

    def supported(self) -> list[str]:
        return sorted({ending for server in self._rows.values() for ending in server.endings})

    def status(self) -> list[LanguageServerStatus]:
        """The one that answers by itself first; others only once they were asked."""
        chosen = self._automatic.status()
        others = [row.status() for row in self._rows.values() if row.status().name != chosen.name]
        return [chosen, *(status for status in others if status.state != "stopped")]

    @property
    def failed(self) -> bool:
        """Whether the server that answers by itself could not be started."""
        return self._automatic.status().state == "failed"

    async def warm(self) -> None:
        # What a session is made of is imported while the programs that it needs are looked for.
        await asyncio.gather(asyncio.to_thread(session_class), self._automatic.warm())

    async def replace(self, other: Table) -> None:
        """Go on with the servers of `other`; what the old ones were asked fails."""
        old = list(self._rows.values())
        self._rows, self._automatic = other._rows, other._automatic
        await asyncio.gather(*(server.close() for server in old))

    async def close(self) -> None:
        await asyncio.gather(*(server.close() for server in self._rows.values()))


def build(
    root: Path,
    settings: Settings,
    environment: Mapping[str, str],
    log_file: Path,
    read: Read,
    tail: Tail,
    configured: Configured,
) -> Table:
    """The servers of a workspace, none of them started. environment: what they and npm are run with."""
    launch = Launch(root, settings.server_command, settings.tsserver_memory_mb, log_file, environment)
    compiled = TypeScriptServer(
        root,
        provision=partial(provision, root, settings, environ=environment),
        start=launch.tsserver,
        read=read,
        changes=tail,
    )
    native = NativeServer(
        root,
        provision=partial(provision_native, root, settings, environ=environment),
        start=launch.native,
        read=read,
        changes=tail,
        configured=configured,
    )
    rows: dict[str, LanguageServer] = {"typescript": compiled, "native": native}
    if settings.server != "auto":
        return Table(rows, rows[settings.server])
    return Table(rows, Handover(native, compiled) if has_native(root) else compiled)
