"""What runs commands: programs and calls of APIs."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from cn_daemon.adapters.libraries import mcp_programs
from cn_daemon.adapters.runners.folders import ReadableFolders
from cn_daemon.adapters.runners.http import HttpxCaller
from cn_daemon.adapters.runners.programs import ProgramRunner
from cn_daemon.application.libraries.api_calls import ApiCalls
from cn_daemon.application.libraries.climpt import Climpt
from cn_daemon.application.libraries.commands import Commands
from cn_daemon.application.libraries.execution import Execution
from cn_daemon.application.libraries.library_ports import Usage
from cn_daemon.application.libraries.prompting import Prompting
from cn_daemon.application.libraries.tool_calls import ToolCalls
from cn_daemon.application.ports import Handler
from cn_daemon.settings import Settings


def handlers(
    root: Path,
    commands: Commands,
    usage: Usage,
    settings: Callable[[], Settings],
    passed_on: Callable[[], dict[str, str]],
) -> dict[str, Handler]:
    """By verb. passed_on: what programs are run with."""

    def library_folders() -> list[Path]:
        chosen = (settings().commands_directory, settings().reports_directory)
        return [folder for folder in chosen if folder is not None]

    runner = ProgramRunner(
        root, ReadableFolders(root, library_folders), passed_on, lambda: settings().output_limit_bytes
    )
    caller = HttpxCaller(
        lambda: settings().output_limit_bytes, lambda: settings().private_addresses, lambda: settings().api_proxy
    )
    execution = Execution(
        commands,
        Climpt(runner, settings),
        Prompting(settings, lambda: settings().reports_directory, datetime.now),
        ApiCalls(caller, settings),
        ToolCalls(mcp_programs(root, passed_on)),
        usage,
    )
    return {"execute": execution.execute, "invoke": execution.invoke}
