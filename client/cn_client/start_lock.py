"""The lock of a workspace: one daemon is started or ended at a time."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Iterator

from cn_shared import process
from cn_shared.errors import DeadlineError, NoDaemonError
from cn_shared.state import root_key, runtime_folder


@contextlib.contextmanager
def start_lock(root: str, end: float) -> Iterator[int]:
    """Hold the lock of that root: its file descriptor. Raises DeadlineError."""
    try:
        path = runtime_folder() / (root_key(root) + ".lock")
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise NoDaemonError("no_lock", f"The start lock cannot be had: {error}.") from None
    _lock(descriptor, end)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _lock(descriptor: int, end: float) -> None:
    """flock has no deadline of its own.

    A thread waits in it, and gives the lock back when it comes too late.
    """
    with contextlib.suppress(BlockingIOError):
        return process.lock(descriptor, wait=False)
    gate, had, given_up = threading.Lock(), threading.Event(), False

    def wait() -> None:
        process.lock(descriptor)
        with gate:
            had.set()
            if given_up:
                os.close(descriptor)

    threading.Thread(target=wait, daemon=True).start()
    had.wait(max(0.0, end - time.monotonic()))
    with gate:
        if had.is_set():
            return
        given_up = True
    raise DeadlineError("start_deadline", "Another call has been starting the daemon for too long.")
