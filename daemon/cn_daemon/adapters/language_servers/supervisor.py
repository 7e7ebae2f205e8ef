"""Keeps one language server running: starts it when it is wanted, again after a crash, and not for ever."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Literal, Protocol

from cn_shared.errors import CnError, DeadlineError, LanguageServerError
from cn_shared.wire import LanguageServerStatus

if TYPE_CHECKING:
    from cn_daemon.adapters.language_servers.session import PyglsSession

log = logging.getLogger(__name__)

State = Literal["stopped", "starting", "loading", "ready", "restarting", "failed"]
# After this many crashes within the window the server rests, so that a server that dies at once costs little.
CRASHES = 4
WINDOW_S = 60.0
REST_S = 15.0
WARM_S = 300.0

Launch = Callable[[], Awaitable["PyglsSession"]]


async def _nothing(deadline: float) -> None:
    """How most servers are greeted."""


class Supervisor:
    """`launch` makes an initialized session; `generation` counts them.

    A new process knows nothing of what the last one was sent: the first question to it begins with `greet`, and with
    `forgets`, by which others drop what they remember of the last one.
    """

    def __init__(self, name: str, launch: Launch, greet: Callable[[float], Awaitable[None]] = _nothing) -> None:
        self.name = name
        self.generation = 0
        self.restarts = 0
        self.last_error: CnError | None = None
        self.current: PyglsSession | None = None
        self._progress: str | None = None
        self._launch = launch
        self._greet = greet
        self.forgets: list[Callable[[], None]] = []
        self._met = 0
        self._starting: asyncio.Task[PyglsSession] | None = None
        self._crashes: list[float] = []
        self._closed = False
        # Which process the question of this task has begun with.
        self._begun: ContextVar[int] = ContextVar("begun", default=0)

    @property
    def state(self) -> State:
        if self.current is not None and self.current.alive:
            return "ready"
        if self._starting is not None:
            return "restarting" if self.restarts else "starting"
        if self._resting() > 0 or (self.current is None and self.last_error is not None):
            return "failed"
        return "restarting" if self.current is not None else "stopped"

    @property
    def detail(self) -> str | None:
        """What it is busy with, or why it is not running."""
        return self._progress or (self.last_error.message if self.last_error else None)

    def status(self, *, notes: str = "", **details: Any) -> LanguageServerStatus:
        """notes: what is said when it is not busy and has not failed. details: what else is known of that server."""
        running = self.current is not None and self.current.alive
        return LanguageServerStatus(
            name=self.name,
            state="loading" if running and self._progress else self.state,
            pid=self.current.process.pid if self.current is not None and running else None,
            restarts=self.restarts,
            detail=self.detail or notes or None,
            **details,
        )

    def tell(self, line: str | None) -> None:
        """Progress of the start."""
        self._progress = line

    def progressed(self, value: Any) -> None:
        """A `$/progress` notification of the server."""
        self._progress = None if value.get("kind") == "end" else value.get("message") or value.get("title")

    async def warm(self) -> None:
        """Start, and greet, before the first question; a failure is reported by that."""
        try:
            await self.same_session(asyncio.get_running_loop().time() + WARM_S)
        except CnError as error:
            log.warning("%s: %s", self.name, error.message)

    async def session(self, deadline: float) -> PyglsSession:
        """The running session, started when there is none. Raises LanguageServerError, DeadlineError."""
        while True:
            if self.current is not None and self.current.alive:
                return self.current
            if self._starting is None:
                self._check()
                self._starting = asyncio.create_task(self._start())
                self._starting.add_done_callback(_retrieve)
            timeout_s = deadline - asyncio.get_running_loop().time()
            try:
                # Shielded: a caller that gives up does not take the start away from the others.
                session = await asyncio.wait_for(asyncio.shield(self._starting), max(timeout_s, 0.01))
            except TimeoutError:
                raise DeadlineError(
                    "still_starting",
                    f"{self.name} is still starting.",
                    hint="Ask again; `cn status` shows its progress.",
                ) from None
            # Of those who waited, one that came first may have ended it again to start another.
            if self.current is session:
                return session

    async def same_session(self, deadline: float) -> PyglsSession:
        """The running session, for a question that asks it several times: one process answers all of it, or none.

        A process that took the place of another has none of its projects loaded, and would answer from a part of the
        workspace. Raises LanguageServerError (`language_server_died`), once: the question may be begun anew.
        """
        session = await self.session(deadline)
        begun, generation = self._begun.get(), self.generation
        self._begun.set(generation)
        if begun not in (0, generation):
            raise died(self.name, "in the middle of the question")
        if self._met != generation:
            await self._greet(deadline)
        if self._met != generation:  # another question may have been faster
            self._met = generation
            for forget in self.forgets:
                forget()
        return session

    @property
    def is_as_begun(self) -> bool:
        """Whether the process that this task's question has begun with still runs."""
        return self.current is not None and self.current.alive and self._begun.get() == self.generation

    def _check(self) -> None:
        if self._closed:
            raise LanguageServerError("shutting_down", "The daemon is stopping.")
        if self.current is not None:
            # What a script has started outlives it.
            self.current.kill()
            self._note_crash()
        rest_s = self._resting()
        if rest_s > 0:
            last = self.last_error
            raise LanguageServerError(
                "language_server_failed",
                f"{self.name} ended {len(self._crashes)} times within {WINDOW_S:.0f} s"
                + (f"; the last time: {last.message}" if last else "."),
                hint=f"It is tried again in {rest_s:.0f} s. `cn status` names the log.",
            )

    def _note_crash(self) -> None:
        now = time.monotonic()
        self.current = None
        self.restarts += 1
        self._crashes = [*(moment for moment in self._crashes if now - moment < WINDOW_S), now]

    def _resting(self) -> float:
        if len(self._crashes) < CRASHES:
            return 0.0
        return max(0.0, self._crashes[-1] + REST_S - time.monotonic())

    async def _start(self) -> PyglsSession:
        try:
            session = await self._launch()
        except CnError as error:
            self.last_error = error
            if error.code != "provisioning_failed":
                self._note_crash()
                self.restarts -= 1
            raise
        except Exception as error:
            log.exception("%s could not be started", self.name)
            self.last_error = LanguageServerError("language_server_failed", f"{self.name}: {error}")
            raise self.last_error from error
        finally:
            self._starting = None
            self._progress = None
        self.current = session
        self.generation += 1
        self.last_error = None
        if self._closed:
            await session.stop()
        return session

    async def restart(self) -> None:
        """End the running server; the next question, or this one, goes on with another. No crash is counted."""
        self._begun.set(0)
        session, self.current = self.current, None
        if session is not None:
            await session.stop()

    async def close(self) -> None:
        self._closed = True
        starting = self._starting
        if starting is not None:
            starting.cancel()
            await asyncio.wait({starting})
        if self.current is not None:
            await self.current.stop()


def died(name: str, when: str, why: str = "") -> LanguageServerError:
    """The error of a question whose server ended."""
    return LanguageServerError(
        "language_server_died",
        f"{name} ended {when}.",
        hint=why or "It is started again by the next question. `cn status` names the log.",
    )


def _retrieve(task: asyncio.Task[PyglsSession]) -> None:
    # Its error has reached those who waited; asyncio complains about one that nobody fetched.
    if not task.cancelled():
        task.exception()


class Supervised:
    """Methods of the port `TellsMeaning`, of a server whose process is supervised."""

    _link: Link

    def status(self) -> LanguageServerStatus:
        return self._link.status()

    async def warm(self) -> None:
        await self._link.supervisor.warm()

    async def close(self) -> None:
        await self._link.supervisor.close()


class Link(Protocol):
    supervisor: Supervisor

    def status(self) -> LanguageServerStatus: ...
