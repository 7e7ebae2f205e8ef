"""A reader of one kind of library, as the port `CommandSource`: its disk work in a thread of its own."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from typing import Protocol

from cn_daemon.adapters.patient_files import tell
from cn_daemon.adapters.worker import Worker
from cn_daemon.application.libraries.library_ports import Refresh
from cn_daemon.domain.libraries.commands import Command
from cn_shared.errors import DeadlineError, NotFoundError


class Reader(Protocol):
    """Blocking, and for one thread."""

    name: str

    def resume(self, marks: Mapping[str, str]) -> None:
        """See `CommandSource.resume`."""
        ...

    def read(self, *, everything: bool) -> Refresh:
        """What changed since the last call; see `CommandSource.refresh`."""
        ...

    def text(self, path: str) -> str:
        """A command's file, in any thread. Raises OSError."""
        ...

    def close(self) -> None: ...


class ThreadedSource:
    """The port. Texts are read in a second thread, so that a long refresh does not delay an answer's excerpts."""

    def __init__(self, reader: Reader) -> None:
        self.name = reader.name
        self._reader = reader
        self._worker = Worker(f"cn {reader.name}")
        self._texts = Worker(f"cn {reader.name} texts")

    def resume(self, marks: Mapping[str, str]) -> None:
        self._worker.post(lambda: self._reader.resume(marks))

    async def refresh(self, *, everything: bool = False) -> Refresh:
        return await self._worker.run(lambda: self._reader.read(everything=everything))

    async def content(self, command: Command, deadline: float) -> str:
        try:
            async with asyncio.timeout(max(0.0, deadline - time.monotonic())):
                return await self._texts.run(lambda: self._reader.text(command.path))
        except TimeoutError:
            raise DeadlineError("deadline_passed", f"{command.path} could not be read in time.") from None
        except OSError as error:
            raise NotFoundError("file_not_found", f"{command.path}: {tell(error)}.", file=command.path) from None

    async def contents(self, commands: Sequence[Command], deadline: float) -> list[str | None]:
        try:
            async with asyncio.timeout(max(0.0, deadline - time.monotonic())):
                # At once: each change of thread may cost more than the reading.
                return await self._texts.run(lambda: [self._text(command.path) for command in commands])
        except TimeoutError:
            return [None] * len(commands)

    def _text(self, path: str) -> str | None:
        try:
            return self._reader.text(path)
        except OSError:  # gone since
            return None

    def close(self) -> None:
        self._worker.post(self._reader.close)
        self._worker.close()
        self._texts.close()
