"""What a command printed, byte for byte."""

from __future__ import annotations

from dataclasses import dataclass

from cn_shared.errors import EXIT_FOUND
from cn_shared.wire import Outcome


@dataclass(frozen=True, slots=True)
class VerbatimAnswer:
    """content: the standard output of a command that succeeded."""

    content: bytes

    @property
    def text(self) -> str:
        return self.content.decode("utf-8", "replace")

    def outcome(self) -> Outcome:
        return "found"

    def exit_code(self) -> int:
        return EXIT_FOUND
