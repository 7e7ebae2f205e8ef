"""The tools of the MCP servers that the workspace names and the user vouched for, as commands `mcp:<server>/<tool>`."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from cn_daemon import trust
from cn_daemon.adapters.command_sources.manifest import elements
from cn_daemon.adapters.mcp_servers import McpServer, configured
from cn_daemon.application.libraries.library_ports import Freshness, Refresh
from cn_daemon.domain.libraries.commands import Argument, Command, CommandText, McpCall

log = logging.getLogger(__name__)


class McpReader:
    """A `Reader`; a unit is a server. A server is started when its entry, its programs or the trust in it changed, and
    with `reload`, to list its tools; between that it does not run.

    tools: starts one, as `runners.mcp.tools`; it raises OSError or TimeoutError.
    """

    name = "mcp"

    def __init__(self, root: Path, tools: Callable[[McpServer], Sequence[Mapping[str, Any]]]) -> None:
        self._root = root
        self._tools = tools
        self._marks: dict[str, str] = {}
        self._failures: dict[str, tuple[str, str]] = {}

    def resume(self, marks: Mapping[str, str]) -> None:
        self._marks = dict(marks)

    def read(self, *, everything: bool) -> Refresh:
        servers, warnings = configured(self._root)
        record = trust.read(self._root) if servers else None
        files: dict[str, list[CommandText]] = {}
        trusted = [server for server in servers if server.is_trusted(self._root, record)]
        for server in trusted:
            mark = f"{server.key} {server.digest(self._root)}"
            if everything or self._marks.get(server.name) != mark:
                self._list(server, files)
                self._marks[server.name] = mark
        names = [server.name for server in trusted]
        for gone in self._marks.keys() - set(names):
            files[gone] = []
        self._marks = {name: mark for name, mark in self._marks.items() if name in names}
        self._failures = {name: why for name, why in self._failures.items() if name in names}
        others = [server.key for server in servers if server not in trusted]
        if others:
            warnings.append(f"Not started: {', '.join(others)}. To search and call their tools: cn trust")
        warnings += [f"{key}: {why}" for key, why in self._failures.values()]
        marks = {name: self._marks[name] for name in files if name in self._marks and name not in self._failures}
        return Refresh(Freshness(), files, names, warnings, dict(self._failures), marks)

    def text(self, path: str) -> str:
        return ""

    def close(self) -> None:
        pass

    def _list(self, server: McpServer, files: dict[str, list[CommandText]]) -> None:
        try:
            tools = self._tools(server)
        except (OSError, TimeoutError) as error:
            self._failures[server.name] = (server.key, f"it told no tools ({error or type(error).__name__}).")
            log.warning("%s told no tools", server.key, exc_info=error)
            return
        self._failures.pop(server.name, None)
        files[server.name] = [tool_text(server, tool, str(self._root / server.file)) for tool in tools]


def tool_text(server: McpServer, tool: Mapping[str, Any], path: str) -> CommandText:
    """One tool, as `tools/list` has it, as a command; path: the file that names its server."""
    schema = tool.get("inputSchema") or {}
    properties, required = schema.get("properties"), elements(schema.get("required"))
    flags = tuple(
        Argument(
            name=name,
            help=str(row.get("description", "")) if isinstance(row, dict) else "",
            required=name in required,
            kind=str(row.get("type", "string")) if isinstance(row, dict) else "string",
            choices=tuple(map(str, row.get("enum", ()))) if isinstance(row, dict) else (),
        )
        for name, row in (properties.items() if isinstance(properties, dict) else ())
    )
    command = Command(
        canonical_id=f"mcp:{server.name}/{tool['name']}",
        name=str(tool["name"]),
        source="mcp",
        execution_type="mcp",
        description=str(tool.get("description") or tool.get("title") or ""),
        path=path,
        origin="workspace",
        flags=flags,
        output_schema=tool.get("outputSchema"),
        mcp=McpCall(server.name, str(tool["name"])),
    )
    return CommandText(command, body=" ".join(f"{one.name} {one.help}" for one in flags), folders=server.name)
