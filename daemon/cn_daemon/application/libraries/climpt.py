"""Run a Climpt command through Deno (specs/climpt-command-operations, Execute)."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from cn_daemon import trust
from cn_daemon.application.libraries.execution_errors import (
    ClimptExecutionError,
    ExecutionTimedOutError,
    ProgramError,
    ProgramTimeoutError,
)  # fmt: skip
from cn_daemon.application.libraries.program_ports import Runner
from cn_daemon.application.libraries.verbatim_answer import VerbatimAnswer
from cn_daemon.application.plain_answer import PlainAnswer
from cn_daemon.application.ports import Call
from cn_daemon.domain.libraries import climpt_line
from cn_daemon.domain.libraries.commands import ClimptCall, Command
from cn_daemon.settings import Settings
from cn_shared.errors import ForbiddenError

_GET_DENO = (
    "Install it: https://docs.deno.com/runtime/getting_started/installation, npm install -g deno, or "
    "pip install deno. Or name a local Climpt in the setting climpt_command (user's config.json or CN_CLIMPT_COMMAND)."
)


class Climpt:
    def __init__(self, runner: Runner, settings: Callable[[], Settings]) -> None:
        self._runner = runner
        self._settings = settings

    async def run(
        self, call: Call, command: Command, options: Sequence[str], stdin: str, *, dry_run: bool
    ) -> VerbatimAnswer | PlainAnswer:
        """Its standard output. dry_run: `{"argv", "cwd"}` instead.

        Raises InputError, ForbiddenError, ClimptExecutionError, ExecutionTimedOutError.
        """
        identity = command.climpt
        assert identity is not None
        climpt_line.check(agent=identity.agent, c1=identity.c1, c2=identity.c2, c3=identity.c3)
        options = climpt_line.verify(options)
        folder = self._runner.folder(call.cwd)
        for name in climpt_line.files(options):
            self._runner.readable(name, folder)
        argv = self._argv(identity, options)
        self._check_trusted(folder)
        if dry_run:
            return PlainAnswer({"argv": argv, "cwd": str(folder)})
        argv[0] = self._program(argv[0], _command_line(identity))
        command_line = _command_line(identity)
        try:
            ran = await self._runner.run(argv, folder=folder, stdin=stdin.encode(), deadline=call.deadline)
        except ProgramError as error:
            raise ClimptExecutionError(error.code, command_line, error.message, error.hint) from None
        except ProgramTimeoutError as late:
            hint = "Allow more time with --deadline, or with the setting execute_timeout_s."
            raise ExecutionTimedOutError(command_line, late.stderr, hint) from None
        if ran.exit_code != 0:
            raise ClimptExecutionError("execution_failed", command_line, ran.stderr, exit_code=ran.exit_code)
        return VerbatimAnswer(ran.stdout)

    def _check_trusted(self, folder: Path) -> None:
        """Of a command line that the workspace's own settings say, each file was vouched for by its absolute path: what
        would be found in the caller's folder is another one. Raises ForbiddenError."""
        settings = self._settings()
        if settings.sources.get("climpt_command") not in trust.FILES:
            return
        for word in settings.climpt_command[1:]:
            part = word.rpartition("=")[2] if word.startswith("-") else word
            if part and not os.path.isabs(part) and os.path.lexists(folder / part):
                raise ForbiddenError(
                    "not_trusted",
                    f"climpt_command names {part}, which was not there when this workspace was trusted.",
                    "Name it by its path from the root, and run: cn trust",
                )

    def _argv(self, identity: ClimptCall, options: Sequence[str]) -> list[str]:
        command = self._settings().climpt_command or climpt_line.DEFAULT_COMMAND
        return [*command, *climpt_line.arguments(identity.agent, identity.c1, identity.c2, identity.c3, options)]

    def _program(self, name: str, command_line: str) -> str:
        program = self._runner.program(name)
        if program is not None:
            return str(program)
        what, hint = f"There is no program {name}", ""
        if not self._settings().climpt_command:
            what, hint = "Deno is not installed", _GET_DENO
        raise ClimptExecutionError("program_missing", command_line, f"{what}: it is not on PATH.", hint)


def _command_line(identity: ClimptCall) -> str:
    words = (climpt_line.config_of(identity.agent, identity.c1), identity.c2, identity.c3)
    return " ".join(word for word in words if word)
