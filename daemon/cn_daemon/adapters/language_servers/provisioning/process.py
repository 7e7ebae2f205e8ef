"""Run one program to its end: bounded in time, silent ones given up, its whole group ended with it."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from asyncio.subprocess import DEVNULL, PIPE, STDOUT, Process
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cn_shared.children import record_child

_OUTPUT_LIMIT = 64 << 10
# Idle event loops write a few bytes to themselves: less than this is no progress.
_PROGRESS_BYTES = 16 << 10


@dataclass(frozen=True, slots=True)
class Finished:
    """exit_code: None when the program took too long and was ended. output: the end of stdout and stderr."""

    exit_code: int | None
    output: str

    @property
    def succeeded(self) -> bool:
        return self.exit_code == 0


async def run(
    argv: Sequence[str | Path],
    *,
    cwd: Path,
    env: Mapping[str, str],
    total_s: float,
    idle_s: float | None = None,
    on_line: Callable[[str], None] | None = None,
    root: Path | None = None,
) -> Finished:
    """Run `argv` without a shell, stdin closed, in a session of its own.

    idle_s: end it after so long without output and without bytes moved. Raises OSError when it cannot be
    started. A cancelled call ends the program first. root: the workspace on whose record the program
    stands, so that the next daemon ends what a killed one left.
    """
    process = await _started(argv, cwd, env)
    if root:
        record_child(root, process.pid)
    watch = _Watch(process.pid, on_line)
    reading = asyncio.create_task(watch.read(process))
    ending = asyncio.create_task(process.wait())
    started = time.monotonic()
    try:
        while not ending.done():
            await asyncio.wait({ending}, timeout=0.25)
            now = time.monotonic()
            if now - started > total_s or (idle_s is not None and watch.idle(now) > idle_s):
                break
        finished = ending.done()
        if finished:
            # A grandchild that keeps the pipe open must not keep us.
            await asyncio.wait({reading}, timeout=1)
    finally:
        if not ending.done():
            _kill_group(process)
        reading.cancel()
        await asyncio.shield(asyncio.gather(ending, reading, return_exceptions=True))
    return Finished(process.returncode if finished else None, watch.text())


async def _started(argv: Sequence[str | Path], cwd: Path, env: Mapping[str, str]) -> Process:
    starting = asyncio.ensure_future(
        asyncio.create_subprocess_exec(
            *argv, cwd=cwd, env=dict(env), stdin=DEVNULL, stdout=PIPE, stderr=STDOUT, start_new_session=True
        )
    )
    try:
        return await asyncio.shield(starting)
    except asyncio.CancelledError:
        # It may run already, and have children: asyncio by itself would end the first process alone.
        process = await starting
        _kill_group(process)
        await process.wait()
        raise


def _kill_group(process: Process) -> None:
    try:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    except ProcessLookupError:
        pass


class _Watch:
    """What a program has said, and when it last did anything."""

    def __init__(self, pid: int, on_line: Callable[[str], None] | None) -> None:
        self._pid = pid
        self._on_line = on_line
        self._output = b""
        self._moved = 0
        self._alive_at = time.monotonic()

    async def read(self, process: Process) -> None:
        assert process.stdout is not None
        line = b""
        while chunk := await process.stdout.read(4096):
            self._alive_at = time.monotonic()
            self._output = (self._output + chunk)[-_OUTPUT_LIMIT:]
            *lines, line = (line[-_OUTPUT_LIMIT:] + chunk).split(b"\n")
            for each in lines:
                if self._on_line:
                    self._on_line(each.decode("utf-8", "replace").rstrip())

    def idle(self, now: float) -> float:
        moved = self._bytes()
        if moved - self._moved >= _PROGRESS_BYTES:
            self._moved, self._alive_at = moved, now
        return now - self._alive_at

    def _bytes(self) -> int:
        import psutil  # late: only an installation is watched so

        # A download says nothing while it runs; Linux and Windows count what was read and written.
        try:
            counters = psutil.Process(self._pid).io_counters()
            return int(getattr(counters, "read_chars", 0) or counters.read_bytes) + int(
                getattr(counters, "write_chars", 0) or counters.write_bytes
            )
        except (psutil.Error, AttributeError, OSError):
            return self._moved

    def text(self) -> str:
        return self._output.decode("utf-8", "replace").strip()
