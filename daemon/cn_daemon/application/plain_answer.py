"""An answer whose document is spelled by one of the command specifications."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cn_shared.errors import OUTCOME_EXITS
from cn_shared.wire import Outcome


@dataclass(frozen=True, slots=True)
class PlainAnswer:
    """document: JSON-ready, its keys as the specification spells them.

    total, next: how many there are in all and the cursor of the rest, when the document cannot say so itself.
    partial: why something may be missing, "" when nothing is. stale: why it may be old. hint: what to do when
    nothing was found. text: what `--format text` prints, when it is not rendered from the document.
    """

    document: Any
    total: int | None = None
    next: str | None = None
    partial: str = ""
    stale: str = ""
    hint: str = ""
    text: str | None = None

    def outcome(self) -> Outcome:
        if self.partial:
            return "partial"
        empty = self.document == [] or self.document is None
        return "empty" if empty or (self.total == 0 and not empty) else "found"

    def exit_code(self) -> int:
        return OUTCOME_EXITS[self.outcome()]
