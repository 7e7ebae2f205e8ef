"""The daemon as its doors see it, and its settings, kept in step with their files and with whoever asks."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from cn_daemon.adapters.process_tree import resident_bytes
from cn_daemon.settings import Settings, files, load
from cn_daemon.trust import facts_of
from cn_shared import __version__, environment

if TYPE_CHECKING:
    from cn_daemon.application.ports import Handler
    from cn_shared.wire import LanguageServerStatus, LibraryStatus


class Services(Protocol):
    """What stands behind the door; `bootstrap.Services` is one. rested: when the language servers were last ended to
    make room for other daemons, as a clock tells it; "" for never."""

    handlers: Mapping[str, Handler]
    settings: Settings
    rested: str

    def language_servers(self) -> list[LanguageServerStatus]: ...

    def libraries(self) -> tuple[list[LibraryStatus], list[str]]:
        """The libraries of commands and reports that hold something, and what of them could not be read."""
        ...

    def names(self, prefix: str, limit: int) -> list[str]:
        """Identifiers of the workspace that begin so, the commonest first. At once: of what is known now."""
        ...

    async def revision(self) -> Hashable | None:
        """What changes whenever a command or a report does; None while the libraries are being read."""
        ...

    async def reconfigure(self, settings: Settings, values: Mapping[str, str]) -> None:
        """Go on under new settings; `values` are the caller's CN_*, AICMD_* and PATH."""
        ...


@dataclass
class Activity:
    """For the idle clock: how many verbs are being answered, and when one last began or ended.

    last: on the monotonic clock, in seconds.
    """

    in_flight: int = 0
    last: float = field(default_factory=time.monotonic)

    def __enter__(self) -> None:
        self.in_flight += 1
        self.last = time.monotonic()

    def __exit__(self, *_: object) -> None:
        self.in_flight -= 1
        self.last = time.monotonic()


@dataclass
class DaemonInfo:
    """What the daemon knows of itself.

    environment: the fingerprint of what it was set up under; POST /environment changes it.
    config: the settings file that stands in for the user's own.
    started: on the monotonic clock, in seconds.
    """

    root: Path
    pid: int
    port: int
    log: Path
    state_file: Path
    environment: str = ""
    config: Path | None = None
    version: str = __version__
    started: float = field(default_factory=time.monotonic)
    activity: Activity = field(default_factory=Activity)
    memory: Callable[[int], int] = resident_bytes


class Configured:
    """Whoever edits a settings file, or asks under other variables, is answered under these from then on."""

    def __init__(self, services: Services, info: DaemonInfo) -> None:
        self._services = services
        self._info = info
        self._values: Mapping[str, str] = environment.values()
        self._files = files(info.root, info.config)
        self._stamp = _stamps(self._files)
        self._lock = asyncio.Lock()

    async def refresh(self) -> None:
        """Read the settings again when one of their files changed, or a program that was trusted: a few stats.

        Raises InputError (`bad_settings`), for every question until the file is right again.
        """
        if self._changed():
            async with self._lock:
                if self._changed():
                    await self._apply(self._values)

    async def take(self, values: dict[str, str]) -> Settings:
        """Go on under the caller's variables. Raises InputError (`bad_settings`), and then nothing changes."""
        async with self._lock:
            settings = await self._apply(values)
            self._values = values
            self._info.environment = environment.fingerprint(values)
            return settings

    async def adopt(self, values: Mapping[str, str]) -> None:
        """Go on with these CN_* and AICMD_* of a client that stays. Raises InputError (`bad_settings`).

        What it does not say stays: MCP clients start their servers with hardly any environment. Nor does its PATH
        count: an editor that was started from a desktop has a poor one.
        """
        given = {name: value for name, value in values.items() if name != "PATH"}
        if not given.items() <= self._values.items():
            await self.take({**self._values, **given})

    def _changed(self) -> bool:
        if _stamps(self._files) != self._stamp:
            return True
        return any(facts_of(path) != known for path, known in self._services.settings.vouched.items())

    async def _apply(self, values: Mapping[str, str]) -> Settings:
        # Stamped before the reading: a change in between is seen by the next question.
        self._files = files(self._info.root, self._info.config)
        seen = _stamps(self._files)
        settings = load(self._info.root, values, self._info.config)
        await self._services.reconfigure(settings, values)
        self._stamp = seen
        return settings


def _stamps(paths: Sequence[str]) -> list[tuple[int, int, int] | None]:
    """What changes when one of these files does."""
    return list(map(_stamp, paths))


def _stamp(path: str) -> tuple[int, int, int] | None:
    try:
        facts = os.stat(path)
    except (OSError, ValueError):
        return None
    return facts.st_mtime_ns, facts.st_size, facts.st_ino
