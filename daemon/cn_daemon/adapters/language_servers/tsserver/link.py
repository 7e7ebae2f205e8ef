"""How tsserver is asked: through typescript-language-server.

The LSP requests of typescript-language-server answer `[]` for documents that are not open. Its command
`typescript.tsserverRequest` passes tsserver's own requests on.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cn_daemon.adapters.language_servers.compilers import COMPILED
from cn_daemon.adapters.language_servers.deadlines import time_left
from cn_daemon.adapters.language_servers.provisioning import Toolchain
from cn_daemon.adapters.language_servers.sources import script_kind
from cn_daemon.adapters.language_servers.spawning import Started
from cn_daemon.adapters.language_servers.supervisor import Supervisor, died
from cn_daemon.adapters.language_servers.tsserver.overflowing import Overflowing
from cn_shared.errors import LanguageServerError
from cn_shared.wire import LanguageServerStatus

if TYPE_CHECKING:
    from cn_daemon.adapters.language_servers.session import PyglsSession

log = logging.getLogger(__name__)

# How a Node.js ends that has reached the ceiling of its heap.
_OVERFLOW = re.compile(r"\bExited\. Code: (?:134\b|null\. Signal: SIGABRT\b)")
# What V8 says of a stack that is full.
_STACK = "Maximum call stack size exceeded"
# Without it tsserver looks at what appears in a folder one second later.
WATCH_OPTIONS = {"synchronousWatchDirectory": True}
_TOO_LARGE = "It ran out of memory: tsserver_memory_mb sets its ceiling, and `server: native` needs a third."


class TsserverLink:
    """Requests to it; it is started when it is needed."""

    def __init__(
        self,
        root: Path,
        provision: Callable[[Callable[[str], None]], Awaitable[Started[Toolchain]]],
        start: Callable[..., Awaitable[PyglsSession]],
        rise: Callable[[], bool],
        overflowing: Overflowing,
    ) -> None:
        """provision: finds or installs the programs, starts them, and is given what to tell its progress to. start:
        makes an initialized session of them. rise: whether the process after one that ran out of memory has more.
        overflowing: the files that end it."""
        self.supervisor = Supervisor(COMPILED, self._launch, self._greet)
        self._root = root
        self._provision = provision
        self._start = start
        self._rise = rise
        self.overflowing = overflowing
        self._toolchain: Toolchain | None = None
        self._version: str | None = None
        self._typescript: str | None = None
        self._notes: tuple[str, ...] = ()
        # Whether a process ran out of memory, and the next one has no more; reset by whoever has drawn the conclusions.
        self.overflowed = False

    async def _launch(self) -> PyglsSession:
        started = await self._provision(self.supervisor.tell)
        self._toolchain = toolchain = started.programs
        self._notes = toolchain.notes
        self._version, self._typescript = toolchain.server_version, toolchain.typescript_version
        handlers = {"window/logMessage": self._logged}
        return await self._start(started, progressed=self.supervisor.progressed, further=handlers)

    def _logged(self, message: Any) -> None:
        """What typescript-language-server says, of the end of its tsserver above all."""
        if _OVERFLOW.search(str(message.get("message", ""))):
            self.overflowed = not self._rise()
            log.warning(
                "tsserver ran out of memory: "
                + (
                    "the setting tsserver_memory_mb is too low for this workspace"
                    if self.overflowed
                    else "the next one may take more"
                )
            )

    async def _greet(self, deadline: float) -> None:
        await self.request("configure", {"watchOptions": WATCH_OPTIONS}, deadline)

    def status(self) -> LanguageServerStatus:
        return self.supervisor.status(
            notes="; ".join(self._notes),
            version=self._version,
            typescript=self._typescript,
        )

    async def request(self, command: str, arguments: dict[str, Any], deadline: float) -> Any:
        """None where tsserver has nothing to say. To the process that the question has begun with: raises
        LanguageServerError when that has ended, or refuses to answer, and DeadlineError."""
        session = self.supervisor.current
        if session is None or not self.supervisor.is_as_begun:
            raise died("tsserver", f"before {command}")
        timeout_s = time_left(deadline, command)
        with session.ended_if_idle():
            reply = await session.request(
                "workspace/executeCommand",
                {
                    "command": "typescript.tsserverRequest",
                    "arguments": [command, arguments, {}],
                },
                timeout_s=timeout_s,
            )
        if _is_without_tsserver(reply):
            # typescript-language-server outlives its tsserver, and would go on answering so.
            session.kill()
            raise died("tsserver", f"before it answered {command}", _TOO_LARGE if self.overflowed else "")
        try:
            return _body(command, reply)
        except LanguageServerError as error:
            await self._blame(session, error, deadline)
            raise

    async def _blame(self, session: PyglsSession, error: LanguageServerError, deadline: float) -> None:
        """Find the files that overflowed its stack; the next process is not given their texts. Raises
        LanguageServerError when there are some that were not known."""
        if _STACK not in error.message or self._toolchain is None:
            return
        if await self.overflowing.look(self._toolchain, time_left(deadline, "files were looked through")):
            log.warning("tsserver cannot read %s", ", ".join(sorted(self.overflowing.now())))
            session.kill()
            raise died("tsserver", "by a file that it cannot read") from error

    def opening(self, path: str, text: str, root: str = "") -> dict[str, str]:
        """How a file is opened, or an open one brought to another text: without one it would go on with what it has.
        root: the folder above which no tsconfig is looked for, instead of the workspace's."""
        options = {"scriptKindName": script_kind(path), "projectRootPath": root or str(self._root)}
        return {"file": path, "fileContent": text, **options}

    async def update(self, opened: Sequence[dict[str, str]], closed: Sequence[str], deadline: float) -> None:
        files = {"openFiles": opened, "changedFiles": [], "closedFiles": closed}
        session = self.supervisor.current
        try:
            await self.request("updateOpen", files, deadline)
        except LanguageServerError as error:
            if error.code != "request_refused" or session is None:
                raise
            await self._blame(session, error, deadline)
            # It ended half-way, by a fault of its own, and would at each further one.
            log.warning("tsserver failed at opening files, and is ended: %s", error)
            session.kill()
            raise died("tsserver", "while files were opened") from error


def _is_without_tsserver(reply: Any) -> bool:
    """Its tsserver died with the request, or before it. The second has neither an error nor a body."""
    if not isinstance(reply, dict):
        return False
    # "server exited", "server errored", and "server disposed": one tsserver's end is the other's. A request that we
    # cancelled has a reason of its own.
    return reply.get("type") == "noServer" or str(reply.get("reason", "")).startswith("server ")


def _body(command: str, reply: Any) -> Any:
    """None where tsserver has nothing to say about the place. What is not known to be an answer is none."""
    if isinstance(reply, dict):
        if reply.get("type") == "response" and reply.get("success"):
            return reply.get("body")
        if reply.get("type") == "noContent":
            return None
    message = str(reply.get("message", "")) if isinstance(reply, dict) else "no answer"
    raise LanguageServerError("request_refused", f"tsserver refused {command}: {message or reply}")
