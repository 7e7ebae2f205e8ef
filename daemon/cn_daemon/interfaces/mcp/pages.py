"""Long texts in pieces: the code of a symbol, a report, what a command says."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from cn_daemon.application.plain_answer import PlainAnswer
from cn_daemon.application.ports import Answer
from cn_daemon.interfaces.budget import CHARACTERS_PER_TOKEN
from cn_shared.errors import InputError
from cn_shared.wire import InspectAnswer

CHARACTERS = 20_000


@dataclass(frozen=True, slots=True)
class Page:
    """An answer with a piece of its text: the characters from `first` to `last` of `total`. total 0: it has none."""

    answer: Answer
    first: int = 0
    last: int = 0
    total: int = 0

    def shortened(self, answer: Answer) -> Page:
        """The same with an answer that a budget cut further."""
        missing = len(_text(self.answer)) - len(_text(answer))
        # The line end before what is left out was cut with it; the next piece need not begin with it.
        return replace(self, answer=answer, last=self.last - missing + (1 if missing and _text(answer) else 0))

    def note(self) -> str:
        """Which characters these are, "" when they are all."""
        if not self.first and self.last >= self.total:
            return ""
        more = f", more: cursor={self.last}" if self.last < self.total else ""
        return f"characters {self.first + 1}-{self.last} of {self.total}{more}"

    def limits(self) -> dict[str, Any]:
        """The same for the document."""
        if not self.note():
            return {}
        return {"total": self.total, **({"next": str(self.last)} if self.last < self.total else {})}


def page(answer: Answer, cut: bool, cursor: str | None, tokens: int | None) -> Page:
    """The piece of the answer at that cursor. cut: whether its text may be cut at all. Raises InputError."""
    text = _text(answer) if cut else ""
    if not text:
        return Page(answer)
    first = _first(cursor, len(text))
    # An answer about code is cut by its stages, which know better what to leave out first.
    bounded = tokens is not None and isinstance(answer, PlainAnswer)
    most = min(CHARACTERS, (tokens or 0) * CHARACTERS_PER_TOKEN) if bounded else CHARACTERS
    last = _line_end(text, first, first + most)
    if not first and last >= len(text):
        return Page(answer, last=len(text), total=len(text))
    return Page(_with(answer, text[first:last], first), first, last, len(text))


def _text(answer: Answer) -> str:
    if isinstance(answer, InspectAnswer):
        return answer.result.code
    if isinstance(answer, PlainAnswer) and isinstance(answer.document, dict):
        return str(answer.document.get("content") or "")
    return ""


def _with(answer: Any, piece: str, first: int) -> Any:
    if isinstance(answer, InspectAnswer):
        if first:  # the rest came with the first piece
            answer = InspectAnswer(replace(answer.result, related_symbols=[], signature=None))
        return replace(answer, result=replace(answer.result, code=piece))
    text = answer.text if answer.text is None else piece
    return replace(answer, document={**answer.document, "content": piece}, text=text)


def _first(cursor: str | None, length: int) -> int:
    if cursor is None or cursor == "":
        return 0
    if not cursor.isdecimal() or len(cursor) > 12 or int(cursor) >= length:
        raise InputError(
            "bad_cursor", f"{cursor!r} is not a cursor of this answer.", "Pass on the `next` of an answer."
        )
    return int(cursor)


def _line_end(text: str, first: int, wanted: int) -> int:
    """Where to cut: after the last line end that fits, or in the middle of a line that is longer than half a page."""
    if wanted >= len(text):
        return len(text)
    end = text.rfind("\n", (first + wanted) // 2, wanted)
    return end + 1 if end >= 0 else wanted
