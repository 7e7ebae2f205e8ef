"""The process of a language server, before anybody speaks to it."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from cn_daemon.adapters.language_servers import greeting, program_files, sandbox
from cn_daemon.adapters.programs import lean
from cn_shared import children
from cn_shared.errors import LanguageServerError

T = TypeVar("T")


class Started(NamedTuple, Generic[T]):
    """It has been asked to initialize. programs: what it was started from. scratch: its temporary folder, which is to
    be removed after it."""

    name: str
    programs: T
    process: asyncio.subprocess.Process
    scratch: str

    def kill(self) -> None:
        """End the whole process group at once."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        shutil.rmtree(self.scratch, ignore_errors=True)


@dataclass(frozen=True, slots=True)
class Place:
    """Where the servers of a workspace run. environment: the caller's variables. cache: cn's folder in the user's
    cache. confined: whether they run in a sandbox, where the system has one. readable: what they may read in it, beside
    what they consist of; None for all."""

    root: Path
    log_file: Path
    environment: Mapping[str, str]
    cache: Path
    confined: bool
    readable: Callable[[], Sequence[str]] | None = None

    async def start(
        self,
        name: str,
        command: Sequence[str],
        programs: T,
        parameters: Mapping[str, Any],
        variables: Mapping[str, str] | None = None,
        *,
        caching: bool = False,
        reading: Sequence[str] = (),
    ) -> Started[T]:
        """parameters: of `initialize`. variables: what that server needs beside the caller's. caching: whether it keeps
        files from one start to the next. reading: what it reads beside the code. Raises LanguageServerError."""
        # typescript-language-server leaves a folder of each tsserver's in the temporary one, however it ends.
        scratch = children.scratch(self.root)
        environment = {**lean(self.environment), **(variables or {}), "TMPDIR": scratch}
        writable = [scratch]
        if caching:
            kept = self.cache / "servers" / name
            kept.mkdir(mode=0o700, parents=True, exist_ok=True)
            environment["XDG_CACHE_HOME"] = str(kept)
            writable.append(str(kept))
        if self.confined:
            readable = None
            if self.readable is not None:
                parts_needed = (
                    part for one in command[:2] for part in program_files.needed(one, environment.get("PATH", ""))
                )
                readable = list(dict.fromkeys((*self.readable(), *parts_needed, *reading)))
            command = sandbox.confined(command, writable, readable)
        process = await spawn(name, command, cwd=self.root, environment=environment, log_file=self.log_file)
        assert process.stdin is not None
        process.stdin.write(greeting.message(parameters))
        children.record_child(self.root, process.pid)
        return Started(name, programs, process, scratch)


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
