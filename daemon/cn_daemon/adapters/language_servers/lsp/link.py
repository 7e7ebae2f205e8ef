"""How the server of a row is asked: once it runs, has read the workspace, and if it can tell such a thing."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from cn_daemon.adapters.language_servers.deadlines import time_left
from cn_daemon.adapters.language_servers.languages import Language
from cn_daemon.adapters.language_servers.provisioning.programs import Program
from cn_daemon.adapters.language_servers.supervisor import Supervisor
from cn_shared.errors import DeadlineError, LanguageServerError
from cn_shared.wire import LanguageServerStatus

if TYPE_CHECKING:
    from cn_daemon.adapters.language_servers.session import PyglsSession

log = logging.getLogger(__name__)

# What is asked of a file alone.
_OF_FORM = frozenset({"textDocument/documentSymbol", "textDocument/foldingRange"})


class Further(NamedTuple):
    """What a process is started with beside what its row says. arguments: of its command line. options:
    initializationOptions. reading: what else it reads."""

    arguments: Sequence[str] = ()
    options: Mapping[str, Any] = {}
    reading: Sequence[str] = ()


NOTHING = Further()


class Project(Protocol):
    """What a server is sent about the workspace when it starts. note: what is wrong with it, "" for nothing."""

    note: str

    @property
    def title(self) -> str:
        """What of it a status line names, "" for nothing."""
        ...

    def further(self) -> Further:
        """For a process that starts now. Raises OSError."""
        ...

    def is_other(self, *, marked: bool = False, edited: Collection[str] = ()) -> bool:
        """Whether the running process would be sent something else now. marked: a file of the row's markers has
        changed. edited: the files of its language that are new, gone or changed."""
        ...


class LspLink:
    """Requests to the server of a row, which is started when it is needed."""

    def __init__(
        self,
        row: Language,
        provision: Callable[[Callable[[str], None]], Awaitable[Program]],
        start: Callable[..., Awaitable[PyglsSession]],
        project: Project | None = None,
    ) -> None:
        """provision: finds or installs the program. start: makes an initialized session of it."""
        self.row = row
        self.supervisor = Supervisor(row.server, self._launch)
        self.project = project
        self._provision = provision
        self._start = start
        self._version: str | None = None
        self._trouble = ""
        self._quiet = asyncio.Event()

    async def _launch(self) -> PyglsSession:
        program = await self._provision(self.supervisor.tell)
        self._version = program.version
        self._trouble = ""
        self._quiet.clear()
        handlers = {self.row.quiet: self._on_status} if self.row.quiet else {"window/logMessage": self._logged}
        if self.project is None:
            return await self._start(program, self.row, handlers)
        return await self._start(program, self.row, handlers, await asyncio.to_thread(self.project.further))

    def status(self) -> LanguageServerStatus:
        note = self.project.note if self.project is not None else ""
        return self.supervisor.status(version=self._version, notes=self._trouble or note)

    # What it says unasked

    def _logged(self, message: dict[str, Any]) -> None:
        found = self.row.trouble.search(str(message.get("message") or "")) if self.row.trouble else None
        if found is not None:
            what = re.sub(r"\s+", " ", found["what"]).strip()
            self._trouble = f"{what} ({self.row.advice})"

    def _on_status(self, status: dict[str, Any]) -> None:
        """A notification that the row calls `quiet`: of LSP's progress, or as rust-analyzer sends it."""
        if "value" in status:  # progress
            self._quiet.set() if status["value"].get("kind") == "end" else self._quiet.clear()
            return
        if status.get("quiescent"):
            self._quiet.set()
        else:
            self._quiet.clear()
        self._trouble = ""
        if status.get("health", "ok") != "ok":
            self._logged(status)

    async def _settled(self, deadline: float) -> None:
        """Wait until the server has read the workspace: before, it answers as if there were nothing."""
        if not self.row.quiet or self._quiet.is_set():
            return
        try:
            await asyncio.wait_for(self._quiet.wait(), deadline - asyncio.get_running_loop().time())
        except TimeoutError:
            raise DeadlineError(
                "still_loading",
                f"{self.row.server} is still reading the workspace.",
                hint="Ask again; it goes on meanwhile.",
            ) from None

    # What it is asked

    async def offers(self, request: str, deadline: float) -> bool:
        """Whether it can be asked for that, as of `textDocument/`."""
        session = await self.supervisor.same_session(deadline)
        return bool(session.capabilities.get(f"{request}Provider"))

    async def request(self, method: str, parameters: dict[str, Any], deadline: float) -> Any:
        """None where the server refuses to answer. Raises LanguageServerError, DeadlineError."""
        session = await self.supervisor.same_session(deadline)
        if method not in _OF_FORM:
            await self._settled(deadline)
        timeout_s = time_left(deadline, method)
        request = method.partition("/")[2]
        if not session.capabilities.get(f"{request}Provider"):
            # Nothing would be answered as if there were nothing.
            raise LanguageServerError(
                "unsupported_question",
                f"{self.row.server}, which answers for {self.row.title}, cannot be asked for {request}.",
            )
        try:
            return await session.request(method, parameters, timeout_s=timeout_s)
        except LanguageServerError as error:
            # Servers refuse a place where nothing stands.
            if error.code != "request_refused":
                raise
            log.info("%s", error.message)
            return None

    async def check(self) -> None:
        """After a change of what decides what the server runs: one that may not run any more ends before it is
        notified. Raises LanguageServerError."""
        try:
            await self._provision(self.supervisor.tell)
        except LanguageServerError:
            await self.supervisor.restart()
            raise

    async def read_anew(self, session: PyglsSession, deadline: float) -> None:
        """After a change of what decides which files belong together."""
        self._trouble = ""
        if not self.row.reload:
            return
        timeout_s = deadline - asyncio.get_running_loop().time()
        await session.request(self.row.reload, None, timeout_s=timeout_s)
        with contextlib.suppress(LanguageServerError):
            # It tells that it is busy after its answer, and before the one to whatever comes next.
            await session.request("cn/next", None, timeout_s=timeout_s)
