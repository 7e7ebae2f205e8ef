"""The daemon as its doors see it."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from cn_daemon.adapters.process_tree import resident_bytes
from cn_daemon.settings import Settings
from cn_shared import __version__

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
