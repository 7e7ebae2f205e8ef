"""A thread for one folder's files: a disk that hangs then holds up nobody but who asks for that folder.

The default pool of asyncio would not do: its threads are shared, and the interpreter waits for them at exit.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
_Job = Callable[[], None]


class Worker:
    """Runs calls one after the other, in a daemon thread that starts with the first of them."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    async def run(self, function: Callable[[], T]) -> T:
        """The function's result, or its exception. Who stops waiting does not stop the function."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()

        def job() -> None:
            try:
                result = function()
            except BaseException as error:
                _tell(loop, future, lambda error=error: future.set_exception(error))  # type: ignore[misc]
            else:
                _tell(loop, future, lambda: future.set_result(result))

        self._jobs.put(job)
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name=self._name, daemon=True)
            self._thread.start()
        return await future

    def post(self, function: _Job) -> None:
        """Run it before what is run next, without waiting for it."""
        self._jobs.put(function)

    def close(self) -> None:
        """End the thread once its present call returns."""
        self._jobs.put(None)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()


def _tell(loop: asyncio.AbstractEventLoop, future: asyncio.Future[T], say: Callable[[], None]) -> None:
    def settle() -> None:
        if not future.done():  # the caller may have gone
            say()

    try:
        loop.call_soon_threadsafe(settle)
    except RuntimeError:  # the daemon has stopped meanwhile
        pass
