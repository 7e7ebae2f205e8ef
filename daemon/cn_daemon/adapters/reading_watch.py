"""Bounds the work on one text: what holds up the event loop for too long with the same document is interrupted.

By a timer of the kernel, whose signal Python looks at between two instructions and `re` within a match. A check in each
loop would be forgotten in the next one; a thread that is stuck cannot be ended, and a pattern that goes back and forth
in one keeps all others from running; another process would have to be sent each text, and what was worked out of it
back. The timer counts the processor's time of this process: a machine that is busy or asleep interrupts nothing, and a
daemon that does nothing is not woken.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Generic, TypeVar

from cn_daemon.application.hard_texts import HardTextError, document_in
from cn_daemon.domain.source.text import Document

T = TypeVar("T")
log = logging.getLogger(__name__)
TICK_S = 0.2
# Of the processor, for one text; the tokens of a million characters take one second.
MOST_S = 2.0
MOST_S_PER_CHARACTER = 1e-6


class ReadingWatch:
    """To be started on the event loop. It does nothing where the system has no such timer (Windows), and for a loop in
    another thread than the main one, which alone is given signals."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        # What a tick found the loop at, since when by the thread's clock, and whether the loop has gone on since.
        self._document: Document | None = None
        self._since = 0.0
        self._waiting = False

    def start(self) -> None:
        if hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread():
            self._loop = asyncio.get_running_loop()
            signal.signal(signal.SIGVTALRM, self._tick)
            signal.siginterrupt(signal.SIGVTALRM, False)
            signal.setitimer(signal.ITIMER_VIRTUAL, TICK_S, TICK_S)

    def stop(self) -> None:
        if self._loop is not None:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.signal(signal.SIGVTALRM, signal.SIG_IGN)
            self._loop = None

    def _tick(self, _: int, frame: FrameType | None) -> None:
        if self._loop is None or self._loop.is_closed():
            return
        now = time.thread_time()
        document = document_in(_outwards(frame))
        if not self._waiting or document is not self._document:
            self._document, self._since = document, now
            if not self._waiting:
                self._waiting = True
                self._loop.call_soon(self._go_on)
            return
        if document is None or now - self._since < _most_s(document):
            return
        self._document = None
        log.warning("%s takes more than %.1f s to read, and is given up", document.path, now - self._since)
        raise HardTextError(document)

    def _go_on(self) -> None:
        self._waiting, self._document = False, None


async def in_thread(document: Document, work: Callable[[], T]) -> T:
    """Work on a large text, while the event loop goes on. It ends within the same bound, and when nobody waits for it
    any more. Raises HardTextError, and what the work raises."""
    thread = _Thread(work)
    task = asyncio.ensure_future(asyncio.to_thread(thread.run))
    try:
        while not task.done():
            await asyncio.wait({task}, timeout=TICK_S)
            if not task.done() and thread.seconds() > _most_s(document):
                raise HardTextError(document)
        return task.result()
    finally:
        thread.end()
        task.add_done_callback(lambda ended: ended.cancelled() or ended.exception())


class _EndedError(BaseException):
    """Raised into a thread."""


class _Thread(Generic[T]):
    """Some work, while it is done in a thread of a pool."""

    def __init__(self, work: Callable[[], T]) -> None:
        self._work = work
        self._lock = threading.Lock()
        self._number: int | None = None
        self._clock = self._began = 0.0

    def run(self) -> T:
        try:
            with self._lock:
                self._number = threading.get_ident()
                self._clock = time.pthread_getcpuclockid(self._number) if hasattr(time, "pthread_getcpuclockid") else -1
                self._began = time.thread_time()
            return self._work()
        finally:
            with self._lock:
                self._number = None

    def seconds(self) -> float:
        """How long it has had the processor."""
        with self._lock:
            if self._number is None or self._clock == -1:
                return 0.0
            return time.clock_gettime(int(self._clock)) - self._began

    def end(self) -> None:
        """By an exception at its next instruction. Not once it is done: the thread may be at another's work."""
        with self._lock:
            if self._number is not None:
                import ctypes

                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._number), ctypes.py_object(_EndedError))


def _most_s(document: Document) -> float:
    return MOST_S + MOST_S_PER_CHARACTER * len(document.text)


def _outwards(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back
