"""How the native compiler is asked: in plain LSP (`tsc --lsp --stdio`)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, Any

from cn_daemon.adapters.language_servers.compilers import NATIVE
from cn_daemon.adapters.language_servers.deadlines import time_left
from cn_daemon.adapters.language_servers.provisioning import NativeToolchain
from cn_daemon.adapters.language_servers.spawning import Started
from cn_daemon.adapters.language_servers.supervisor import Supervisor
from cn_shared.errors import LanguageServerError
from cn_shared.wire import LanguageServerStatus

if TYPE_CHECKING:
    from cn_daemon.adapters.language_servers.session import PyglsSession


class NativeLink:
    """Requests to the native server, which is started when it is needed."""

    def __init__(
        self,
        provision: Callable[[Callable[[str], None]], Awaitable[Started[NativeToolchain]]],
        start: Callable[..., Awaitable[PyglsSession]],
        circular: Callable[[], Iterable[str]] = tuple,
    ) -> None:
        """provision, start: as for `TsserverLink`. circular: the tsconfigs that extend themselves, as they are
        reported."""
        self.supervisor = Supervisor(NATIVE, self._launch)
        self._provision = provision
        self._start = start
        self._circular = circular
        self._found: NativeToolchain | None = None

    async def _launch(self) -> PyglsSession:
        started = await self._provision(self.supervisor.tell)
        self._found = started.programs
        return await self._start(started, progressed=self.supervisor.progressed)

    def status(self) -> LanguageServerStatus:
        version = self._found.version if self._found else None
        return self.supervisor.status(
            notes="; ".join(self._found.notes) if self._found else "",
            version=version,
            typescript=version,
        )

    async def request(self, method: str, parameters: dict[str, Any], deadline: float) -> Any:
        """Raises LanguageServerError, DeadlineError."""
        session = await self.supervisor.same_session(deadline)
        try:
            with session.ended_if_idle():
                return await session.request(method, parameters, timeout_s=time_left(deadline, method))
        except LanguageServerError:
            # 7.0.2 waits for ever for a tsconfig that extends itself, and after that is mended as well. As long as it
            # is not, the next one would wait, too.
            if session.was_idle and (circles := list(self._circular())):
                raise _circular(circles) from None
            raise


def _circular(paths: list[str]) -> LanguageServerError:
    return LanguageServerError(
        "tsconfig_circular",
        f"TypeScript 7 waits for ever for a tsconfig that extends itself: {', '.join(paths)}.",
        hint="Take it out of its `extends`.",
        files=paths,
    )
