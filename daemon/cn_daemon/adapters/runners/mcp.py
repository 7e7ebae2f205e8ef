"""Another MCP server, started for one question and ended with it: what tools it has, and the call of one."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cn_daemon import trust
from cn_daemon.adapters.mcp_servers import McpServer, configured
from cn_daemon.adapters.runners.programs import ProgramRunner
from cn_daemon.domain.libraries.commands import McpCall
from cn_shared.errors import DeadlineError, ExecutionError, ForbiddenError

if TYPE_CHECKING:
    from mcp.client import Client

# npx and uvx fetch a package at the first start.
LISTING_S = 60.0


class McpPrograms:
    """Implements `program_ports.ToolServers`. variables: what `${NAME}` in an entry means; servers run with them."""

    def __init__(self, root: Path, runner: ProgramRunner, variables: Callable[[], Mapping[str, str]]) -> None:
        self._root = root
        self._runner = runner
        self._variables = variables

    def tools(self, server: McpServer) -> Sequence[Mapping[str, Any]]:
        """What it has, as `tools/list` says it. Blocking, for a thread. Raises OSError, TimeoutError."""
        return asyncio.run(self._listed(server))

    async def call(self, tool: McpCall, arguments: Mapping[str, Any], deadline: float) -> dict[str, Any]:
        """The result of `tools/call`. Raises ForbiddenError (`not_trusted`), ExecutionError, DeadlineError."""
        servers, _ = await asyncio.to_thread(configured, self._root)
        server = next((one for one in servers if one.name == tool.server), None)
        if server is None or not server.is_trusted(self._root, trust.read(self._root)):
            raise ForbiddenError(
                "not_trusted",
                f"{tool.server} is not the MCP server that was trusted here.",
                "Look at it, then: cn trust",
            )
        try:
            async with asyncio.timeout(max(0.0, deadline - time.monotonic())), self._open(server) as client:
                result = await client.call_tool(tool.tool, dict(arguments))
        except TimeoutError:
            raise DeadlineError("deadline_passed", f"{tool.server} did not answer in time.") from None
        except Exception as error:  # the library's own, an OSError, or a group of them
            raise ExecutionError("tool_failed", f"{tool.server}: {_innermost(error)}") from None
        return result.model_dump(mode="json", by_alias=True, exclude_none=True)

    async def _listed(self, server: McpServer) -> list[Mapping[str, Any]]:
        found: list[Mapping[str, Any]] = []
        try:
            async with asyncio.timeout(LISTING_S), self._open(server) as client:
                cursor = None
                while True:
                    page = await client.list_tools(cursor=cursor)
                    found += [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in page.tools]
                    cursor = page.next_cursor
                    if not cursor:
                        return found
        except (OSError, TimeoutError):
            raise
        except Exception as error:
            raise OSError(str(_innermost(error))) from None

    @asynccontextmanager
    async def _open(self, server: McpServer) -> AsyncIterator[Client]:
        from mcp.client import Client  # late: half a second, and most workspaces name no server that is trusted
        from mcp.client.stdio import StdioServerParameters, stdio_client

        variables = self._variables()
        chosen = server.resolved(self._root, variables)
        program = self._runner.program(chosen.words[0])
        if program is None:
            raise FileNotFoundError(f"there is no program {chosen.words[0]} on PATH")
        parameters = StdioServerParameters(
            command=str(program),
            args=list(chosen.words[1:]),
            env={**variables, **chosen.environment},
            cwd=self._root,
        )
        with os.fdopen(os.open(os.devnull, os.O_WRONLY), "w") as nowhere:
            async with Client(stdio_client(parameters, errlog=nowhere)) as client:
                yield client


def _innermost(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup) and error.exceptions:
        error = error.exceptions[0]
    return error
