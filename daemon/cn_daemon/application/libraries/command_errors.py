"""Errors of the Climpt verbs, worded as their specifications print them.

CnError
├── NotFoundError
│   └── ClimptNotFoundError       404, exit 2   {"error": "Command not found", "c1", "c2", "c3"}
└── InputError
    └── RegistryError             400, exit 2   {"error": "Failed to load registry", "path", "details"}

Both keep the documented flat form, with `code` and `hint` beside it.
"""

from __future__ import annotations

from cn_shared.errors import CnError, InputError, NotFoundError


def flat(error: CnError, sentence: str) -> dict[str, object]:
    """The documented form: `error` is a sentence, the data its siblings."""
    document: dict[str, object] = {"error": sentence, **error.data, "code": error.code}
    return {**document, "hint": error.hint} if error.hint else document


class ClimptNotFoundError(NotFoundError):
    """No command of that agent has these identifiers (specs/climpt-mcp-integration, Command Not Found)."""

    def __init__(self, c1: str, c2: str, c3: str, hint: str = "") -> None:
        super().__init__("command_not_found", f"There is no command {c1} {c2} {c3}.", hint, c1=c1, c2=c2, c3=c3)

    def document(self) -> dict[str, object]:
        return flat(self, "Command not found")


class RegistryError(InputError):
    """A registry cannot be read (specs/climpt-mcp-integration, Registry Load Error)."""

    def __init__(self, path: str, details: str, hint: str = "") -> None:
        super().__init__("registry_failed", f"{path}: {details}.", hint, path=path, details=details)

    def document(self) -> dict[str, object]:
        return flat(self, "Failed to load registry")
