"""How typescript-language-server is started: its command line, its options, and what it asks back."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from cn_daemon.adapters.language_servers.provisioning import Toolchain
from cn_daemon.adapters.language_servers.session import PyglsSession
from cn_shared import __version__, children

INITIALIZE_TIMEOUT_S = 60


async def start(
    toolchain: Toolchain,
    root: Path,
    *,
    command: tuple[str, ...],
    memory_mb: int,
    log_file: Path,
    environment: Mapping[str, str],
    progressed: Callable[[Any], None],
) -> PyglsSession:
    """A running, initialized server. command: instead of the toolchain's own, when not empty.

    Raises LanguageServerError, DeadlineError.
    """
    session = await PyglsSession.spawn(
        "typescript-language-server",
        command or (str(toolchain.node), str(toolchain.server), "--stdio"),
        cwd=root,
        # typescript-language-server forks tsserver with its own node; what is left must not steer it.
        environment={key: value for key, value in environment.items() if not key.startswith("NODE_OPTIONS")},
        log_file=log_file,
        answers={
            "workspace/configuration": lambda params: [None for _ in params["items"]],
            "workspace/applyEdit": lambda params: {"applied": False},
            "$/progress": lambda params: progressed(params["value"]),
        },
    )
    children.record_child(root, session.process.pid)
    try:
        await session.request("initialize", _initialization(toolchain, root, memory_mb), timeout_s=INITIALIZE_TIMEOUT_S)
    except BaseException:
        session.kill()
        raise
    session.notify("initialized", {})
    return session


def _initialization(toolchain: Toolchain, root: Path, memory_mb: int) -> dict[str, Any]:
    return {
        "processId": os.getpid(),
        "clientInfo": {"name": "cn", "version": __version__},
        "rootUri": root.as_uri(),
        "workspaceFolders": [{"uri": root.as_uri(), "name": root.name}],
        "capabilities": {
            "window": {"workDoneProgress": True},
            "workspace": {"configuration": True, "workspaceFolders": True},
        },
        "initializationOptions": {
            "disableAutomaticTypingAcquisition": True,
            "hostInfo": "cn",
            "maxTsServerMemory": memory_mb,
            "tsserver": {"path": str(toolchain.tsserver), "useSyntaxServer": "auto", "logVerbosity": "off"},
        },
    }
