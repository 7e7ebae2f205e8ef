"""How the native compiler is asked: in plain LSP (`tsc --lsp --stdio`)."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
from collections.abc import Awaitable, Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cn_daemon.adapters.language_servers.compilers import NATIVE
from cn_daemon.adapters.language_servers.deadlines import time_left
from cn_daemon.adapters.language_servers.provisioning import NativeToolchain
from cn_daemon.adapters.language_servers.spawning import Started
from cn_daemon.adapters.language_servers.supervisor import Supervisor
from cn_daemon.adapters.process_tree import worked_s
from cn_shared.errors import LanguageServerError
from cn_shared.wire import LanguageServerStatus

if TYPE_CHECKING:
    from cn_daemon.adapters.language_servers.session import PyglsSession

log = logging.getLogger(__name__)

# One that owes an answer and does nothing for so long does nothing any more: its threads wait for one another.
IDLE_S = 5.0
# What the clocks of processes tell apart.
_TICK_S = 0.01


class NativeLink:
    """Requests to the native server, which is started when it is needed."""

    def __init__(
        self,
        provision: Callable[[Callable[[str], None]], Awaitable[Started[NativeToolchain]]],
        start: Callable[..., Awaitable[PyglsSession]],
        circular: Callable[[], Iterable[str]] = tuple,
    ) -> None:
        """provision, start: as for `TsserverLink`. circular: the tsconfigs that extend themselves, as they are told."""
        self.supervisor = Supervisor(NATIVE, self._launch)
        self._provision = provision
        self._start = start
        self._circular = circular
        # The last that was ended: whatever was asked of it meanwhile ends with it.
        self._stuck: PyglsSession | None = None
        self._found: NativeToolchain | None = None

    @property
    def program(self) -> Path:
        """The compiler itself, once it was started."""
        assert self._found is not None
        return self._found.program

    async def _launch(self) -> PyglsSession:
        started = await self._provision(self.supervisor.tell)
        self._found = started.programs
        return await self._start(started, progressed=self.supervisor.progressed)

    def status(self, *, loading: bool, open_anchors: list[str]) -> LanguageServerStatus:
        version = self._found.version if self._found else None
        return self.supervisor.status(
            loading=loading,
            notes="; ".join(self._found.notes) if self._found else "",
            version=version,
            typescript=version,
            open_anchors=open_anchors,
        )

    async def request(self, method: str, parameters: dict[str, Any], deadline: float) -> Any:
        """Raises LanguageServerError, DeadlineError."""
        session = await self.supervisor.same_session(deadline)
        with self._ended_if_stuck(session):
            return await session.request(method, parameters, timeout_s=time_left(deadline, method))

    @contextlib.contextmanager
    def _ended_if_stuck(self, session: PyglsSession) -> Iterator[None]:
        """Around a request. 7.0.2 waits for ever for a tsconfig that extends itself, and after that is mended as well.
        As long as it is not, the next one would wait, too."""
        loop = asyncio.get_running_loop()
        later = loop.call_later(IDLE_S, lambda: look(-math.inf, math.inf))

        def look(before: float, due: float) -> None:
            nonlocal later
            worked = worked_s(session.process.pid)
            # A look that comes late says that this process was held up: the answer may be there.
            if worked - before <= _TICK_S and loop.time() - due < IDLE_S / 2:
                log.warning("%s owes an answer and has done nothing for %.0f s: it is ended", session.name, IDLE_S)
                self._stuck = session
                session.kill()
            else:
                later = loop.call_later(IDLE_S, look, worked, loop.time() + IDLE_S)

        try:
            yield
        except LanguageServerError:
            if self._stuck is session and (circles := list(self._circular())):
                raise _circular(circles) from None
            raise
        finally:
            later.cancel()


def _circular(paths: list[str]) -> LanguageServerError:
    return LanguageServerError(
        "tsconfig_circular",
        f"TypeScript 7 waits for ever for a tsconfig that extends itself: {', '.join(paths)}.",
        hint="Take it out of its `extends`.",
        files=paths,
    )
