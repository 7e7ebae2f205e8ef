"""The port to programs that are not ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from cn_daemon.domain.libraries.commands import McpCall


class Ran(NamedTuple):
    """A program that came to its end. stderr: its end, when there was much of it."""

    exit_code: int
    stdout: bytes
    stderr: str


class Runner(Protocol):
    """Runs programs that are not ours, without a shell."""

    def program(self, name: str) -> Path | None:
        """The program of that name on the caller's PATH, never one that the workspace brings; None when there is
        none."""
        ...

    def folder(self, cwd: Path | None) -> Path:
        """Where a command runs: the caller's folder, which must be readable; without one the root.

        Raises ForbiddenError (`outside_root`), NotFoundError (`folder_not_found`).
        """
        ...

    def readable(self, path: str, folder: Path) -> None:
        """Raises ForbiddenError (`outside_root`) for a path, relative to `folder`, outside the readable roots."""
        ...

    async def run(self, argv: Sequence[str], *, folder: Path, stdin: bytes, deadline: float) -> Ran:
        """Run it to its end, or to the deadline (on the monotonic clock): then its whole process group is killed.

        Raises ProgramError (it cannot be started, or prints too much), ProgramTimeoutError.
        """
        ...


class ToolServers(Protocol):
    """Calls tools of MCP servers that the workspace names and the user vouched for."""

    async def call(self, tool: McpCall, arguments: Mapping[str, Any], deadline: float) -> dict[str, Any]:
        """The result as MCP has it (`content`, `structuredContent`, `isError`).

        Raises ForbiddenError (`not_trusted`), ExecutionError (`tool_failed`), DeadlineError.
        """
        ...
