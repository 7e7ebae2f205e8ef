"""Call a tool of another MCP server for which the user vouched."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from cn_daemon.application.libraries.program_ports import ToolServers
from cn_daemon.application.plain_answer import PlainAnswer
from cn_daemon.application.ports import Call
from cn_daemon.domain.libraries.commands import Command
from cn_daemon.domain.libraries.http_requests import typed
from cn_shared.errors import ExecutionError


class ToolCalls:
    def __init__(self, servers: ToolServers) -> None:
        self._servers = servers

    async def call(self, call: Call, command: Command, values: Mapping[str, Any], *, dry_run: bool) -> PlainAnswer:
        """`{"content", "structured_content"?}`: the texts of the result; what is no text as JSON, one a line. dry_run:
        `{"server", "tool", "arguments"}`.

        Strings are read as the type that the tool's schema names. Raises RefusalError, ExecutionError (`tool_failed`),
        and what `ToolServers.call` does.
        """
        assert command.mcp is not None
        known = {one.name: one for one in command.flags}
        arguments = {name: typed(known[name], value) if name in known else value for name, value in values.items()}
        if dry_run:
            return PlainAnswer({"server": command.mcp.server, "tool": command.mcp.tool, "arguments": arguments})
        result = await self._servers.call(command.mcp, arguments, call.deadline)
        content = "\n".join(
            str(block["text"]) if block.get("type") == "text" else json.dumps(block, ensure_ascii=False)
            for block in result.get("content", ())
        )
        if result.get("isError"):
            raise ExecutionError("tool_failed", content or f"{command.canonical_id} failed.")
        document: dict[str, Any] = {"content": content}
        if "structuredContent" in result:
            document["structured_content"] = result["structuredContent"]
        return PlainAnswer(document)
