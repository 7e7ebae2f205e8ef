"""Install once for all daemons of a user: under a lock, in a temporary folder, then renamed into place."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from cn_shared import process
from cn_shared.errors import LanguageServerError

Progress = Callable[[str], None]

LOCK_DEADLINE_S = 600.0
_LEFTOVER_AGE_S = 3600.0


def failed(message: str, hint: str = "", **data: object) -> LanguageServerError:
    """The one error of provisioning."""
    return LanguageServerError("provisioning_failed", message, hint, **data)


async def install_once(
    folder: Path,
    title: str,
    fill: Callable[[Path], Awaitable[None]],
    is_complete: Callable[[Path], bool],
    progress: Progress,
) -> Path:
    """`folder`, filled by `fill(temporary folder)` unless it is complete already.

    Raises LanguageServerError (`provisioning_failed`), also for a cache that cannot be written to.
    """
    if is_complete(folder):
        return folder
    try:
        await asyncio.to_thread(_prepare, folder)
        async with _locked(folder.with_name(folder.name + ".lock"), title, progress):
            # Another daemon may have installed it while this one waited.
            if not is_complete(folder):
                progress(f"installing {title}")
                await _fill(folder, title, fill, is_complete)
    except OSError as error:
        raise failed(
            f"{title} could not be installed into {folder.parent}: {error.strerror or error}.",
            "Make that folder writable, or choose another with CN_CACHE_DIRECTORY.",
        ) from error
    return folder


async def _fill(
    folder: Path, title: str, fill: Callable[[Path], Awaitable[None]], is_complete: Callable[[Path], bool]
) -> None:
    temporary = Path(await asyncio.to_thread(tempfile.mkdtemp, dir=folder.parent, prefix=f"{folder.name}.part-"))
    try:
        await fill(temporary)
        if not is_complete(temporary):
            raise failed(f"{title} was installed, but files of it are missing.", f"Look into {folder.parent}.")
        await asyncio.to_thread(_move, temporary, folder)
    finally:
        # Not a thread: a cancelled call must have cleaned up when it ends.
        shutil.rmtree(temporary, ignore_errors=True)


def _prepare(folder: Path) -> None:
    """The parent folder, for this user alone, without what a killed daemon left there long ago."""
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    for leftover in folder.parent.glob(f"{folder.name}.part-*"):
        if time.time() - leftover.stat().st_mtime > _LEFTOVER_AGE_S:
            shutil.rmtree(leftover, ignore_errors=True)


def _move(temporary: Path, folder: Path) -> None:
    if folder.exists():
        # Damaged: files of it were deleted. A rename keeps a running server's open files alive.
        shutil.rmtree(folder)
    temporary.chmod(0o755)
    temporary.rename(folder)


@asynccontextmanager
async def _locked(path: Path, title: str, progress: Progress) -> AsyncIterator[None]:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        deadline = time.monotonic() + LOCK_DEADLINE_S
        is_waiting = False
        while True:
            try:
                process.lock(descriptor, wait=False)
                break
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise failed(f"Another process has been installing {title} for too long.") from None
                if not is_waiting:
                    progress(f"waiting for another daemon that installs {title}")
                    is_waiting = True
                # flock has no event and no deadline; a thread that waits in it could not be ended with the daemon.
                await asyncio.sleep(0.1)
        yield
    finally:
        # Closing the file lets the lock go, as the end of the process does: no stale lock is possible.
        os.close(descriptor)
