"""The answers of the verbs of commands and reports, for the OpenAPI document; spelled as their specifications do."""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from pydantic import ConfigDict
from typing_extensions import TypedDict


class ClimptResult(TypedDict):
    """score: the word cosine, 0 to 1."""

    c1: str
    c2: str
    c3: str
    description: str
    score: float


class CommandResult(TypedDict):
    """relevance_score: 0 to 100. match_tier: 1 names, 2 contents, 3 reports. More keys with include_inputs."""

    __pydantic_config__ = ConfigDict(extra="allow")  # type: ignore[misc]
    canonical_id: str
    name: str
    summary: str
    execution_type: Literal["climpt", "prompt", "http", "mcp"]
    source: Literal["climpt", "markdown", "catalog", "mcp"]


class ClimptDescription(TypedDict):
    __pydantic_config__ = ConfigDict(extra="allow")  # type: ignore[misc]
    c1: str
    c2: str
    c3: str
    description: str
    usage: NotRequired[str]
    options: NotRequired[dict[str, Any]]


class CommandDetails(TypedDict):
    """One command, whole."""

    __pydantic_config__ = ConfigDict(extra="allow")  # type: ignore[misc]
    canonical_id: str
    name: str


class CommandPage(TypedDict):
    """next: the cursor of the next page, when there is one."""

    commands: list[CommandDetails]
    total: int
    next: NotRequired[str]


class Pending(TypedDict):
    """What a prompt asks to be done and cn did not do: a shell line, a file to read, an argument not given."""

    kind: Literal["shell", "file", "argument"]
    text: str


class Rendered(TypedDict):
    """A prompt to carry out. report_path: where its report belongs."""

    content: str
    pending: list[Pending]
    report_path: NotRequired[str]


class ToolAnswered(TypedDict):
    """What a tool of an MCP server said: its texts, and its structured content when it has any."""

    content: str
    structured_content: NotRequired[Any]


class Answered(TypedDict):
    """What an API answered: its body as JSON when it is JSON, else as text."""

    status: int
    headers: dict[str, str]
    body: Any
    truncated: NotRequired[bool]


class Request(TypedDict):
    """A dry run: what would be sent. Secrets are masked."""

    method: str
    url: str
    headers: dict[str, str]
    body: Any


class CommandLine(TypedDict):
    """A dry run: what would be run."""

    argv: list[str]
    cwd: str


class ReportRow(TypedDict):
    __pydantic_config__ = ConfigDict(extra="allow")  # type: ignore[misc]
    report_name: str
    command_name: str
    path: str


class ReportLink(TypedDict):
    path: str
    link: str


class Reloaded(TypedDict):
    __pydantic_config__ = ConfigDict(extra="allow")  # type: ignore[misc]
    success: bool
    reloaded: list[dict[str, Any]]


class SettingRow(TypedDict):
    """source: default, a file, or a variable's name."""

    value: Any
    source: str


class ConfigAnswer(TypedDict):
    settings: dict[str, SettingRow]
    warnings: list[str]


COMMAND_ANSWERS: dict[str, Any] = {
    "search": list[CommandResult] | list[ClimptResult],
    "describe": list[ClimptDescription],
    "get": CommandDetails,
    "commands": CommandPage,
    "execute": Rendered | ToolAnswered | Answered | Request | CommandLine,
    "invoke": Rendered | ToolAnswered | Answered | Request | CommandLine,
    "reports search": list[ReportRow],
    "reports list": list[ReportRow],
    "reports link": ReportLink,
    "reports show": ReportRow,
    "reload": Reloaded,
    "config show": ConfigAnswer,
}
