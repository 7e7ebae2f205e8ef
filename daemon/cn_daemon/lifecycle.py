"""The daemon's life: bind, publish, serve, withdraw.

The state file appears only when the socket answers, and is gone before anybody hears that the daemon stops:
whoever finds it may connect, and whoever does not starts a new daemon.
"""

from __future__ import annotations

import asyncio
import contextlib
import faulthandler
import gc
import logging
import os
import secrets
import signal
import socket
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from cn_daemon import bootstrap, logfile
from cn_daemon.adapters.git_exclude import exclude
from cn_daemon.adapters.neighbours import Neighbours, share_bytes
from cn_daemon.importing import heavy
from cn_daemon.interfaces.daemon import DaemonInfo
from cn_daemon.settings import load
from cn_shared import __version__, children, environment, process, state
from cn_shared.errors import NoDaemonError

if TYPE_CHECKING:
    from cn_daemon.interfaces.mcp.door import Door
    from cn_daemon.server import Server

log = logging.getLogger(__name__)

_SERVICES_S = 6.0  # their own bound is 5 s
_STOP_LIMIT_S = 16.0
_LOOK_EVERY_S = 2.0
_WEIGH_EVERY_S = 10.0


def run(root: Path, announce: Callable[[], None], coming: str = "") -> None:
    """Serve that root until asked to stop, idle for too long, or without a root. `announce`: called once it
    answers. coming: the question that it is started for, as VERB:QUERY.

    Raises InputError (`bad_settings`), NoDaemonError (`no_place` for the state file).
    """
    values = environment.values()
    settings = load(root, values)
    token = secrets.token_hex(32)
    path = logfile.open_log(root, settings.log_level, token)
    swept = children.sweep(root)
    if swept:
        log.warning("ended what a killed daemon left behind: pids %s", swept)
    with contextlib.closing(_bind()) as listener, contextlib.closing(_bind()) as pumps:
        ports = {"port": listener.getsockname()[1], "pumpPort": pumps.getsockname()[1]}
        description = state.State(_description(root, ports, token, path, values))
        daemon = Daemon(root, bootstrap.Services(root, settings, path), description, announce)
        asyncio.run(daemon.live(listener, pumps, coming))
    log.info("ended")


class Daemon:
    """One daemon from start to stop. Everything in it runs on the event loop."""

    def __init__(
        self, root: Path, services: bootstrap.Services, description: state.State, announce: Callable[[], None]
    ) -> None:
        self._root = root
        # Kept open as long as the daemon lives: else a folder that is created in its place could have its number.
        self._folder = os.open(root, getattr(os, "O_PATH", os.O_RDONLY))
        self._services = services
        self._state = description
        self._announce = announce
        self._stopping = asyncio.Event()
        self._background: list[asyncio.Task[None]] = []
        self._mcp: Door | None = None
        self._neighbours = Neighbours(state.state_folder() / "daemons")
        self._weighed = time.monotonic()
        self._counted = 0.0
        self._info = DaemonInfo(
            root=root,
            pid=description.pid,
            port=description.port,
            log=Path(str(description.document["log"])),
            state_file=Path(state.places(str(root))[0]),
            environment=str(description.document["environment"]),
        )

    async def live(self, listener: socket.socket, pumps: socket.socket, coming: str = "") -> None:
        """Start, serve, stop. pumps: where `cn mcp` connects. coming: the first question, as VERB:QUERY."""
        try:
            if coming:
                await self._expect(coming)
            # In a thread: what that question needs goes on meanwhile.
            http, serving = await asyncio.to_thread(_doors)
            app = http.create_app(
                self._services,
                token=self._state.token,
                on_shutdown=lambda: self.stop("asked to"),
                info=self._info,
            )
            self._mcp = door = app.state.mcp
            server = serving.Server(app, self._stopping, self._publish)
            self._own_signals(server)
            await door.listen(pumps)
            await server.serve(sockets=[listener])
        finally:
            state.withdraw(self._state)
            self._neighbours.leave()
            if self._mcp is not None:
                await self._mcp.close()
            for task in self._background:
                task.cancel()
            await asyncio.gather(*self._background, return_exceptions=True)
            await self._close()
            os.close(self._folder)

    def stop(self, reason: str) -> None:
        """Begin to stop; at once gone for whoever looks for a daemon."""
        if self._stopping.is_set():
            return
        log.info("stopping: %s", reason)
        state.withdraw(self._state)
        faulthandler.dump_traceback_later(_STOP_LIMIT_S, exit=True)
        if self._mcp is not None:
            self._mcp.hang_up()
        self._stopping.set()

    def _publish(self) -> None:
        # Two were started under two locks: XDG_RUNTIME_DIR is not what it was for the other's starter.
        other = state.live(str(self._root))
        if other and other.version == __version__:
            self._announce()
            return self.stop(f"another daemon was quicker (pid {other.pid})")
        exclude(self._root, state.NAME)
        try:
            self._state = state.publish(self._state)
        except OSError as error:
            raise NoDaemonError("no_place", f"There is no place for the state file: {error}.") from None
        self._info.state_file = Path(self._state.path)
        log.info("serving %s on port %d, pid %d", self._root, self._state.port, self._state.pid)
        self._info.activity.last = time.monotonic()  # idle from now on: the start may have taken longer than the limit
        self._neighbours.use()
        self._announce()
        begun = asyncio.create_task(self._begin())
        self._background = [begun, asyncio.create_task(self._watch()), asyncio.create_task(self._warm(begun))]

    async def _expect(self, coming: str) -> None:
        verb, _, query = coming.partition(":")
        try:
            await self._services.expect(verb, query)
        except Exception:
            log.exception("nothing was begun for %s", verb)  # it will say why

    async def _begin(self) -> None:
        try:
            await self._services.start()
        except Exception:
            log.exception("the services did not start")  # every verb will say why

    async def _warm(self, begun: asyncio.Task[None]) -> None:
        try:
            await self._services.settle()
        except Exception:
            log.exception("the services did not settle")
        await begun
        from cn_daemon.interfaces import replies  # imported by the doors

        await asyncio.to_thread(replies.prepare)

    async def _close(self) -> None:
        try:
            await asyncio.wait_for(self._services.close(), _SERVICES_S)
        except Exception:
            log.exception("the services did not close")
        swept = await asyncio.to_thread(children.sweep, self._root)
        if swept:
            log.warning("ended by force: pids %s", swept)

    def _own_signals(self, server: Server) -> None:
        def on_signal(name: str) -> None:
            # The second one is impatient: do not wait for what is in flight.
            server.force_exit = self._stopping.is_set()
            self.stop(name)

        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, on_signal, signal.Signals(number).name)
        loop.add_signal_handler(signal.SIGHUP, lambda: None)
        loop.add_signal_handler(signal.SIGUSR1, lambda: self._background.append(asyncio.create_task(self._rest())))

    async def _watch(self) -> None:
        """Look, now and then, for what no event tells.

        Idleness, a removed root, a lost state file, a long log.
        """
        while not self._stopping.is_set():
            reason = self._reason_to_end()
            if reason:
                return self.stop(reason)
            logfile.bound(self._info.log)
            await self._weigh()
            pause_s = min(_LOOK_EVERY_S, max(0.05, self._idle_left_s()))
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), pause_s)

    async def _weigh(self) -> None:
        """After questions: whether all daemons of this user take more memory than they may."""
        if self._counted == self._info.activity.last:
            return
        self._neighbours.use()
        if time.monotonic() - self._weighed < _WEIGH_EVERY_S:
            return  # the next look does
        self._counted, self._weighed = self._info.activity.last, time.monotonic()
        try:
            limit_mb = self._services.settings.memory_limit_mb
            ended = await asyncio.to_thread(lambda: self._neighbours.relieve(share_bytes(limit_mb)))
        except OSError as error:
            log.info("the daemons were not weighed: %s", error)
            return
        if ended:
            log.warning("all daemons take %d MB: pid %d, idle for longest, is to rest", ended[1] >> 20, ended[0])

    async def _rest(self) -> None:
        """All daemons of this user take more memory than they may, and this one has been idle for longest."""
        if await self._services.rest():
            log.warning("the language servers rest: all daemons take more memory than memory_limit_mb allows")
        elif not self._info.activity.in_flight:
            self.stop("all daemons take more memory than memory_limit_mb allows, and this one is idle")

    def _reason_to_end(self) -> str:
        if not _is_folder(self._root, self._folder):
            return "the root was removed"
        if self._idle_left_s() <= 0:
            return f"idle for {self._services.settings.idle_timeout_s:g} s"
        found = state.read(self._state.path)
        mine = found is not None and found.token == self._state.token
        if found and mine and found.sealed():
            return ""
        if found and not mine and found.root == str(self._root) and found.runs():
            return f"another daemon took over (pid {found.pid})"
        if state.of_another_schema(self._state.path):
            return "a daemon of another schema took over"
        # `git clean -x`, a chmod, an old copy, a new key: nobody finds us any more. Say it again.
        try:
            self._state = state.publish(self._state)
        except OSError as error:
            return f"the state file cannot be written: {error}"
        log.info("published again")
        return ""

    def _idle_left_s(self) -> float:
        limit_s, activity = self._services.settings.idle_timeout_s, self._info.activity
        if not limit_s or activity.in_flight:
            return float("inf")
        return limit_s - (time.monotonic() - activity.last)


def _doors() -> tuple[ModuleType, ModuleType]:
    """What answers requests. Importing FastAPI takes a quarter of a second."""
    gc.disable()  # looking for garbage meanwhile would make it a tenth longer
    try:
        with heavy:
            from cn_daemon import server
            from cn_daemon.interfaces import http
    finally:
        gc.freeze()  # modules stay: nobody need look through them again
        gc.enable()
    return http, server


def _bind() -> socket.socket:
    """A socket on a free port of the loopback. Passed on as it is: nobody can take the port in between."""
    # With its protocol named: otherwise asyncio leaves Nagle on, and each reply on a kept connection waits 40 ms.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    return listener


def _description(
    root: Path, ports: dict[str, int], token: str, log_file: Path, values: dict[str, str]
) -> dict[str, object]:
    return {
        "schema": state.SCHEMA,
        "version": __version__,
        "pid": os.getpid(),
        "processStart": process.start_of(os.getpid()),
        "host": "127.0.0.1",
        **ports,
        "token": token,
        "root": str(root),
        "startedAt": datetime.now(UTC).isoformat(timespec="seconds"),
        "log": str(log_file),
        "environment": environment.fingerprint(values),
    }


def _is_folder(path: Path, folder: int) -> bool:
    """Whether that open folder is at the path: one that was removed and created again is another."""
    try:
        return os.path.samestat(path.stat(), os.fstat(folder))
    except OSError:
        return False
