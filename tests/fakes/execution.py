"""The ports of execution, faked: what would be run or sent is kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cn_daemon.application.libraries.command_errors import ClimptNotFoundError
from cn_daemon.application.libraries.library_ports import HttpResponse
from cn_daemon.application.libraries.program_ports import Ran
from cn_daemon.application.ports import Call
from cn_daemon.domain.libraries.commands import Command, McpCall
from cn_daemon.domain.libraries.http_requests import HttpRequest
from cn_shared.errors import ForbiddenError, NotFoundError

ROOT = Path("/home/ann/shop")


@dataclass
class FakeRunner:
    """Gives `answer`, or raises it."""

    answer: Ran | BaseException = field(default_factory=lambda: Ran(0, b"do this\n", ""))
    programs: dict[str, Path] = field(default_factory=lambda: {"deno": Path("/usr/bin/deno")})
    ran: list[dict[str, Any]] = field(default_factory=list)

    def program(self, name: str) -> Path | None:
        return self.programs.get(name)

    def folder(self, cwd: Path | None) -> Path:
        return cwd or ROOT

    def readable(self, path: str, folder: Path) -> None:
        if path.startswith(("/", "..")):
            raise ForbiddenError("outside_root", "No.", file=path)

    async def run(self, argv: Any, *, folder: Path, stdin: bytes, deadline: float) -> Ran:
        self.ran.append({"argv": list(argv), "folder": folder, "stdin": stdin, "deadline": deadline})
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


@dataclass
class FakeHttpCaller:
    answer: HttpResponse = field(
        default_factory=lambda: HttpResponse(200, {"content-type": "application/json"}, b'{"ok":true}', False)
    )
    sent: list[HttpRequest] = field(default_factory=list)

    async def send(self, request: HttpRequest, deadline: float) -> HttpResponse:
        self.sent.append(request)
        return self.answer


@dataclass
class FakeToolServers:
    result: dict[str, Any] = field(default_factory=dict)
    called: list[tuple[McpCall, Mapping[str, Any]]] = field(default_factory=list)

    async def call(self, tool: McpCall, arguments: Mapping[str, Any], deadline: float) -> dict[str, Any]:
        self.called.append((tool, arguments))
        return self.result


@dataclass
class FakeCommands:
    """`texts`: the Markdown of a command, by its canonical id."""

    commands: list[Command]
    texts: dict[str, str] = field(default_factory=dict)

    async def find(self, call: Call, command_id: str) -> Command:
        for command in self.commands:
            if command_id in (command.canonical_id, command.name):
                return command
        raise NotFoundError("command_not_found", f"There is no command {command_id}.")

    async def find_climpt(self, call: Call, agent: str, c1: str, c2: str, c3: str) -> Command:
        for command in self.commands:
            if command.climpt and (command.climpt.agent, *command.climpt.identity) == (agent, c1, c2, c3):
                return command
        raise ClimptNotFoundError(c1, c2, c3)

    async def content(self, call: Call, command: Command) -> str:
        return self.texts[command.canonical_id]
