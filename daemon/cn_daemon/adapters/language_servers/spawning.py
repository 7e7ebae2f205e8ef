"""The process of a language server, before anybody speaks to it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

from cn_shared.errors import LanguageServerError


async def spawn(
    name: str, command: Sequence[str], *, cwd: Path, environment: Mapping[str, str], log_file: Path
) -> asyncio.subprocess.Process:
    """Start `command` in a process group of its own, its stderr appended to `log_file`. Raises LanguageServerError."""
    try:
        with log_file.open("ab") as stderr:
            return await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=stderr,
                cwd=cwd,
                env=dict(environment),
                start_new_session=True,
            )
    except OSError as error:
        raise LanguageServerError(
            "language_server_failed", f"{name} could not be started: {error}", command=list(command)
        ) from error
