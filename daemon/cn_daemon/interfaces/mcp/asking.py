"""What the MCP door needs of the daemon."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Hashable

from cn_daemon.application.ports import Answer, Call
from cn_daemon.interfaces.calls import Calls
from cn_daemon.interfaces.daemon import Configured, DaemonInfo, Services
from cn_daemon.interfaces.mcp.caller import VALUES
from cn_daemon.interfaces.status import status
from cn_daemon.settings import Settings
from cn_shared.errors import CnError, InternalError


class Asking:
    """The verbs, asked as HTTP asks them: under the same settings, deadlines and idle clock.

    shows_status: whether clients may see the daemon's status (its folders, its processes).
    """

    def __init__(
        self, services: Services, info: DaemonInfo, configured: Configured, calls: Calls, *, shows_status: bool = True
    ) -> None:
        self.services = services
        self._shows_status = shows_status
        self.info = info
        self._configured = configured
        self._calls = calls

    @property
    def verbs(self) -> frozenset[str]:
        return frozenset({*self.services.handlers, *(("status",) if self._shows_status else ())})

    def patience_s(self, verb: str) -> float:
        """The deadline of a call that brings none."""
        return self._calls.patience_s(verb)

    async def toolsets(self, patience_s: float = 0) -> frozenset[str]:
        """Which tools have something to tell of, as far as it is known by then."""
        if patience_s:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.revision(), patience_s)
        kinds = {row.name for row in self.services.libraries()[0] if row.items}
        there = {"code"} if "find" in self.verbs else {"commands", "reports"}
        there |= {"climpt"} & kinds | {"reports"} & kinds
        return frozenset(there | ({"commands"} if kinds - {"climpt", "reports"} else set()))

    async def settings(self) -> Settings:
        """Those that the client is answered under; when they are bad, those from before."""
        with contextlib.suppress(CnError):
            await self._adopt()
            await self._configured.refresh()
        return self.services.settings

    async def _adopt(self) -> None:
        brought = VALUES.get(None)
        if brought:
            await self._configured.adopt(brought)

    async def revision(self) -> Hashable | None:
        """See `Services.revision`; under the settings as they are now."""
        with contextlib.suppress(CnError):  # whoever asks gets the error of bad settings
            await self._configured.refresh()
        return await self.services.revision()

    async def answer(
        self, verb: str, call: Call, parameters: dict[str, object], gone: asyncio.Future[None] | None = None
    ) -> Answer:
        """Under the settings that the client brought, if any. gone: done when nobody waits any more. Raises CnError."""
        await self._adopt()
        if verb == "status":
            return await status(self.services, self.info, self._configured)
        answer = await self._calls.carry_out(verb, call, parameters, gone)
        if answer is None:
            raise InternalError("caller_gone", "The caller went away.")
        return answer
