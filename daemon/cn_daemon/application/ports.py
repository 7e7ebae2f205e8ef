"""The ports between the use cases and the adapters."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from cn_shared.wire import Outcome


class Workspace(Protocol):
    """The files the daemon may read. Every path it hands out is absolute and real (symlinks resolved)."""

    root: Path

    def resolve(self, path: str, cwd: Path | None) -> Path:
        """The readable file that a user's `path` names: relative to `cwd` first, then to the root, or absolute.

        Raises NotFoundError (`file_not_found`, with near names in the hint and as `near`), InputError
        (`not_a_file`, `bad_path`), ForbiddenError (`outside_root`).
        """
        ...

    def relative(self, path: Path) -> str:
        """`path` as answers spell it: relative to the root with `/`, or absolute when it lies outside."""
        ...

    def read_text(self, path: Path) -> str:
        """The file's text, UTF-8 (a byte order mark is dropped), line ends as they are.

        Raises NotFoundError (`file_not_found`), ForbiddenError (`outside_root`, `unreadable`), InputError
        (`binary_file`, `invalid_utf8` with the line, `too_large`).
        """
        ...

    def allow(self, path: Path) -> None:
        """Make one more file readable: an external one that a language server named."""
        ...


@dataclass(frozen=True, slots=True)
class Call:
    """What every verb is told beside its parameters.

    cwd: the caller's current folder, when it is known. deadline: on the monotonic clock, in seconds.
    """

    cwd: Path | None
    deadline: float


class Handler(Protocol):
    """One verb's use case: parameters by their wire name in snake_case."""

    async def __call__(self, call: Call, **parameters: Any) -> Answer: ...


class Answer(Protocol):
    """A dataclass of `cn_shared.wire`."""

    def outcome(self) -> Outcome: ...
