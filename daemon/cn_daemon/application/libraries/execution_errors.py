"""Errors of commands that are run, worded as their specification prints them.

CnError
├── ExecutionError                       exit 6
│   ├── ProgramError                     the seam: a program cannot be started, or printed too much
│   └── ClimptExecutionError    502      {"error": "Execution failed", "command", "stderr"}
└── DeadlineError                        exit 7
    ├── ProgramTimeoutError              the seam: a program was killed at its deadline
    └── ExecutionTimedOutError  504      {"error": "Execution timed out", "command", "stderr"}

The flat ones have `code` and `hint` beside the documented keys (specs/climpt-mcp-integration, Execution Error).
"""

from __future__ import annotations

from cn_daemon.application.libraries.command_errors import flat
from cn_shared.errors import DeadlineError, ExecutionError


class ProgramError(ExecutionError):
    """message: why."""


class ProgramTimeoutError(DeadlineError):
    """stderr: the end of what it had said by then."""

    def __init__(self, stderr: str) -> None:
        super().__init__("program_timeout", "The program was killed at its deadline.")
        self.stderr = stderr


class ClimptExecutionError(ExecutionError):
    def __init__(self, code: str, command: str, stderr: str, hint: str = "", **data: object) -> None:
        super().__init__(code, f"Execution failed: {command}.", hint, command=command, stderr=stderr, **data)

    def document(self) -> dict[str, object]:
        return flat(self, "Execution failed")


class ExecutionTimedOutError(DeadlineError):
    def __init__(self, command: str, stderr: str, hint: str) -> None:
        super().__init__(
            "execution_timed_out", f"Execution timed out: {command}.", hint, command=command, stderr=stderr
        )

    def document(self) -> dict[str, object]:
        return flat(self, "Execution timed out")
