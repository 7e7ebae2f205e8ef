"""Texts that cannot be read within a bound, or that end a language server: each costs itself.

Work on a text is bounded at one place, not in each function: `adapters.reading_watch` raises HardTextError into what
holds up the event loop. The text is remembered by its content. The question is asked once more, reads the text no
more, and says so.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from contextvars import ContextVar
from dataclasses import replace
from hashlib import blake2b
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE
from traceback import walk_tb
from types import FrameType
from typing import Any, TypeVar

from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document
from cn_shared.errors import InputError
from cn_shared.wire import Completeness

T = TypeVar("T")
SLOW = "takes too long to read"
# So many are named.
_NAMED = 3
ENDING = "overflows the stack of TypeScript's compiler"
DEEP = "is nested too deeply to be read"


class HardTextError(BaseException):
    """Not for those who go on without what an Exception took from them: they would go on with the text."""

    def __init__(self, document: Document) -> None:
        super().__init__(document.path)
        self.document = document


class HardTexts:
    """By content: the same text in another file is as hard, and an edited one may not be."""

    def __init__(self) -> None:
        self._why: dict[bytes, str] = {}
        self._lengths: set[int] = set()
        # What a question would have read, each with the reason.
        self._met: ContextVar[dict[str, str]] = ContextVar("met")

    def add(self, text: str, why: str) -> bool:
        """False when it was known for that."""
        known = self.why(text)
        self._lengths.add(len(text))
        self._why[_digest(text)] = why
        return known != why

    def why(self, text: str) -> str:
        """Why it is not read, or nothing."""
        return self._why.get(_digest(text), "") if len(text) in self._lengths else ""

    def checked(self, path: str, text: str) -> str:
        """The text. path: as answers spell it. Raises InputError (`hard_text`, `ending_text` for ENDING)."""
        why = self.why(text)
        if not why:
            return text
        if (met := self._met.get(None)) is not None:
            met[path] = why
        code = "ending_text" if why == ENDING else "hard_text"
        raise InputError(code, f"{path} {why}.", "It is read again once it is changed.", file=path)

    async def bounded(self, answer: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """The answer, begun anew without each text that turns out to be hard; partial when there were any."""
        while True:
            met: dict[str, str] = {}
            token = self._met.set(met)
            try:
                # In a task of its own: what interrupts it ends no more than the question.
                return _doubting(await asyncio.create_task(answer()), met)
            except HardTextError as error:
                if not self.add(error.document.text, SLOW):  # it was remembered from before
                    raise InputError("hard_text", f"{error} {SLOW}.") from None
            except RecursionError as error:
                document = document_in(frame for frame, _ in reversed(list(walk_tb(error.__traceback__))))
                if document is None or not self.add(document.text, DEEP):
                    raise
            finally:
                self._met.reset(token)


def document_in(frames: Iterable[FrameType]) -> Document | None:
    """The text that is worked on there. frames: innermost first; those of who awaits them do not count."""
    for frame in frames:
        for value in frame.f_locals.values():
            if isinstance(value, Document):
                return value
            # One that is being built may have no document yet: it stands beside it.
            if isinstance(value, SourceText) and hasattr(value, "document"):
                return value.document
        if frame.f_code.co_flags & (CO_COROUTINE | CO_ASYNC_GENERATOR):
            return None
    return None


def _doubting(answer: T, met: dict[str, str]) -> T:
    if not hasattr(answer, "completeness"):
        return answer
    before: Completeness | None = answer.completeness
    given_reason = before.reason if before is not None and before.reason else ""
    unnamed = sorted(f"{path} {why}, and may hold more" for path, why in met.items() if path not in given_reason)
    if not unnamed:
        return answer
    more = [f"so may {len(unnamed) - _NAMED} more"] if len(unnamed) > _NAMED else []
    doubt = "; ".join([*unnamed[:_NAMED], *more])
    if before is None:
        doubted = Completeness(status="partial", projects_loaded=0, projects_total=0, files=len(met), reason=doubt)
    else:
        doubted = replace(before, status="partial", reason="; ".join(filter(None, (given_reason, doubt))))
    return replace(answer, completeness=doubted)  # type: ignore[type-var]


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
