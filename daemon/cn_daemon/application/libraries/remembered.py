"""Answers of earlier questions, for the same question again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Sized
from typing import Generic, TypeVar

T = TypeVar("T", bound=Sized)
# Rows, of all answers together: some 30 MB.
_MOST = 100_000


class Remembered(Generic[T]):
    """The answers that were asked for last, as many as have `_MOST` rows together. An answer counts for one generation
    of what it was read from; with the next, all are forgotten."""

    def __init__(self) -> None:
        self._answers: OrderedDict[Hashable, T] = OrderedDict()
        self._generation: Hashable = None
        self._rows = 0

    def get(self, generation: Hashable, question: Hashable) -> T | None:
        if generation != self._generation:
            self._answers.clear()
            self._generation, self._rows = generation, 0
        if question in self._answers:
            self._answers.move_to_end(question)
        return self._answers.get(question)

    def put(self, generation: Hashable, question: Hashable, answer: T) -> None:
        """Dropped when there is another generation by now."""
        if generation != self._generation or question in self._answers:
            return
        self._answers[question] = answer
        self._rows += 1 + len(answer)
        while self._rows > _MOST:
            self._rows -= 1 + len(self._answers.popitem(last=False)[1])
