"""What the daemon tells of itself."""

from __future__ import annotations

import asyncio
import contextlib
import time
from dataclasses import replace

from cn_daemon.adapters.ignored import unasked
from cn_daemon.adapters.language_servers import sandbox
from cn_daemon.interfaces.daemon import Configured, DaemonInfo, Services
from cn_daemon.settings import Settings
from cn_shared.errors import InputError
from cn_shared.wire import LanguageServerStatus, StatusAnswer

# Libraries are read before they are listed; one that takes longer is listed as far as it is read, and that is said.
_READ_S = 1.0


async def status(services: Services, info: DaemonInfo, configured: Configured) -> StatusAnswer:
    """The answer of the verb `status`. Never raises: it is where one looks when nothing else answers."""
    warnings = []
    try:
        await configured.refresh()
    except InputError as error:
        warnings.append(error.message)
    try:
        if not await _read(services):
            warnings.append("The libraries of commands and reports are still being read: not all of them are listed.")
    except InputError as error:
        warnings.append(error.message)
    memory_bytes = await asyncio.to_thread(info.memory, info.pid)
    libraries, unread = services.libraries()
    servers = [await asyncio.to_thread(_measured, info, one) for one in services.language_servers()]
    if services.rested and all(server.pid is None for server in servers):
        warnings.append(
            f"The language servers rest since {services.rested}: all daemons of yours took more memory than the "
            "setting memory_limit_mb allows. The next question starts them."
        )
    return StatusAnswer(
        root=str(info.root),
        pid=info.pid,
        port=info.port,
        version=info.version,
        uptime_s=round(time.monotonic() - info.started, 3),
        memory_bytes=memory_bytes,
        log=str(info.log),
        state_file=str(info.state_file),
        language_servers=servers,
        libraries=libraries,
        warnings=[*warnings, *services.settings.warnings, *unread, *await asyncio.to_thread(unasked, info.root)],
        sandbox=_sandbox(services.settings),
    )


async def _read(services: Services) -> bool:
    """Whether all libraries are read, now or soon. Raises InputError."""
    with contextlib.suppress(TimeoutError):
        return await asyncio.wait_for(services.revision(), _READ_S) is not None
    return False


def _measured(info: DaemonInfo, server: LanguageServerStatus) -> LanguageServerStatus:
    return server if server.pid is None else replace(server, memory_bytes=info.memory(server.pid))


def _sandbox(settings: Settings) -> str:
    if not settings.sandbox:
        return "off: by the setting sandbox"
    if settings.server_command:
        return "off: the setting server_command names a program of yours"
    lacking = sandbox.lacking()
    return f"off: {lacking}" if lacking else "on"
