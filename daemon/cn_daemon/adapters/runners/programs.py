"""Programs that are not ours, run to their end: no shell, a deadline, and all that they started ends with them.

On Linux below a supervisor (`supervised`), which nothing gets away from; elsewhere what left the process group is found
only as long as the program lives.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import time
from asyncio import FIRST_COMPLETED
from asyncio.subprocess import PIPE, Process, SubprocessStreamProtocol
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from cn_daemon.adapters.process_tree import descendants
from cn_daemon.adapters.runners.folders import ReadableFolders
from cn_daemon.application.libraries.execution_errors import ProgramError, ProgramTimeoutError
from cn_daemon.application.libraries.program_ports import Ran
from cn_shared import process
from cn_shared.children import record_child
from cn_shared.execution import find_executables

_SUPERVISOR = (sys.executable, "-I", "-S", str(Path(__file__).with_name("supervised.py")))
_STDERR_BYTES = 64 << 10
_LINGER_S = 1.0
_REAP_S = 0.5  # shorter than the grace of a call, so that its answer is the documented one
_PIPE_BYTES = 1 << 16
# Deno asks and colours by default; here nobody answers, and what it says goes into a document.
_QUIET = {"DENO_NO_PROMPT": "1", "DENO_NO_UPDATE_CHECK": "1", "NO_COLOR": "1"}


class ProgramRunner:
    """`program_ports.Runner`. environ: the caller's variables without secrets. limit_bytes: of standard output."""

    def __init__(
        self,
        root: Path,
        folders: ReadableFolders,
        environ: Callable[[], Mapping[str, str]],
        limit_bytes: Callable[[], int],
    ) -> None:
        self._root = root
        self._folders = folders
        self._environ = environ
        self._limit_bytes = limit_bytes

    def program(self, name: str) -> Path | None:
        """See the port. A name with a slash is a path, from the root on."""
        if os.sep in name:
            path = self._root / name
            return path if os.access(path, os.X_OK) and path.is_file() else None
        return next(find_executables(name, self._root, self._environ()), None)

    def folder(self, cwd: Path | None) -> Path:
        return self._folders.of(cwd)

    def readable(self, path: str, folder: Path) -> None:
        self._folders.check(path, folder)

    async def run(self, argv: Sequence[str], *, folder: Path, stdin: bytes, deadline: float) -> Ran:
        """See the port. A cancelled call (its caller hung up) ends the program as well."""
        loop = asyncio.get_running_loop()
        reported, report = os.pipe()
        supervisor = [*_SUPERVISOR, str(report)] if process.LINUX else []
        try:
            transport, protocol = await loop.subprocess_exec(
                lambda: _ExitProtocol(loop),
                *supervisor,
                *argv,
                cwd=folder,
                env={**self._environ(), **_QUIET},
                stdin=PIPE,
                stdout=PIPE,
                stderr=PIPE,
                start_new_session=True,
                pass_fds=(report,) if supervisor else (),
            )
            os.close(report)
            report = -1
            started = Process(transport, protocol, loop)
            record_child(self._root, started.pid)
            ran = await _Running(started, protocol.exited, self._limit_bytes()).ended(stdin, deadline)
            failure = os.read(reported, 256).decode("utf-8", "replace")
        except (OSError, ValueError) as error:
            failure = str(error)
        finally:
            for descriptor in (reported, report):
                if descriptor >= 0:
                    os.close(descriptor)
        if failure:
            raise ProgramError("program_failed", f"{argv[0]} cannot be started: {failure}.")
        return ran


class _ExitProtocol(SubprocessStreamProtocol):
    """asyncio's own, which also says when the program has exited: `Process.wait` waits for its pipes as well, and a
    grandchild may keep those."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(limit=_PIPE_BYTES, loop=loop)
        self.exited = asyncio.Event()

    def process_exited(self) -> None:
        super().process_exited()
        self.exited.set()


class _Running:
    def __init__(self, started: Process, exited: asyncio.Event, limit_bytes: int) -> None:
        self._process = started
        self._exited = exited
        self._limit_bytes = limit_bytes
        self._stdout: list[bytes] = []
        self._stderr = b""
        self._too_much = asyncio.Event()

    async def ended(self, stdin: bytes, deadline: float) -> Ran:
        talking: asyncio.Future[Any] = asyncio.gather(self._feed(stdin), self._read_stdout(), self._read_stderr())
        closed = asyncio.ensure_future(self._process.wait())
        others: list[asyncio.Future[Any]] = [
            asyncio.ensure_future(self._exited.wait()),
            asyncio.ensure_future(self._too_much.wait()),
        ]
        try:
            left = max(0.0, deadline - time.monotonic())
            await asyncio.wait({closed, *others}, timeout=left, return_when=FIRST_COMPLETED)
            if self._process.returncode is not None:
                await asyncio.wait({talking}, timeout=min(_LINGER_S, max(0.0, deadline - time.monotonic())))
        finally:
            finished = self._process.returncode is not None
            if not finished and process.LINUX:
                with contextlib.suppress(ProcessLookupError):
                    self._process.send_signal(signal.SIGTERM)  # the supervisor ends all
                await asyncio.shield(asyncio.wait({closed, others[0]}, timeout=_REAP_S, return_when=FIRST_COMPLETED))
            if self._process.returncode is None or not talking.done():
                self._kill()
            for task in (talking, *others):
                task.cancel()
            # Bounded: a grandchild in a session of its own keeps the pipes for as long as it likes.
            await asyncio.shield(asyncio.wait({closed, talking}, timeout=_REAP_S))
            # `wait` of one that has exited before it was asked does not wait for its pipes, which may stand open still.
            self._process._transport.close()  # type: ignore[attr-defined]  # asyncio offers no other way
            closed.cancel()
            await asyncio.gather(closed, talking, *others, return_exceptions=True)
        said = self._stderr.decode("utf-8", "replace").strip()
        if self._too_much.is_set():
            raise ProgramError(
                "too_much_output",
                f"It printed more than {self._limit_bytes} bytes.",
                "The setting output_limit_bytes sets the limit.",
            )
        if not finished:
            raise ProgramTimeoutError(said)
        assert self._process.returncode is not None
        return Ran(self._process.returncode, b"".join(self._stdout), said)

    async def _feed(self, stdin: bytes) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # it need not read what it is given
            self._process.stdin.write(stdin)
            await self._process.stdin.drain()
        self._process.stdin.close()

    async def _read_stdout(self) -> None:
        assert self._process.stdout is not None
        left = self._limit_bytes
        while piece := await self._process.stdout.read(1 << 16):
            left -= len(piece)
            if left < 0:
                self._too_much.set()
                return
            self._stdout.append(piece)

    async def _read_stderr(self) -> None:
        assert self._process.stderr is not None
        while piece := await self._process.stderr.read(1 << 14):
            self._stderr = (self._stderr + piece)[-_STDERR_BYTES:]

    def _kill(self) -> None:
        """Its group, and what is below it in groups of its own.

        The group lives as long as one of its members does, so the id cannot have become another's.
        """
        strays = descendants(self._process.pid)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        for pid, start in strays:
            if process.alive(pid, start):
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
