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
from collections.abc import Iterator
from types import FrameType

from cn_daemon.application.hard_texts import HardTextError, document_in
from cn_daemon.domain.source.text import Document

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


def _most_s(document: Document) -> float:
    return MOST_S + MOST_S_PER_CHARACTER * len(document.text)


def _outwards(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back
