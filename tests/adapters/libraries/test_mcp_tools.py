"""Tools of the MCP servers that a workspace names: nothing is started before `cn trust`, and only what was trusted."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from cn_daemon import settings, trusting
from cn_daemon.adapters.command_sources.mcp_tools import McpReader
from cn_daemon.adapters.libraries import mcp_programs
from cn_daemon.adapters.mcp_servers import McpServer, configured
from cn_daemon.domain.libraries.commands import McpCall
from cn_shared.errors import DeadlineError, ExecutionError, ForbiddenError

SERVER = """
import os, pathlib, time
from mcp.server import MCPServer

pathlib.Path(__file__).with_name("started").write_text("")
server = MCPServer("tickets")

@server.tool(description="Open a ticket for a fault")
def open_ticket(title: str, urgent: bool = False) -> str:
    return f"{title} {urgent} {os.environ.get('TICKETS_URL')}"

@server.tool(description="Fail")
def fail() -> str:
    raise ValueError("no such queue")

@server.tool(description="Take long")
def late() -> str:
    time.sleep(60)
    return ""

server.run()
"""


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    root = tmp_path / "shop"
    (root / "tools").mkdir(parents=True)
    (root / "tools" / "tickets.py").write_text(SERVER)
    entry = {"command": sys.executable, "args": ["tools/tickets.py"], "env": {"TICKETS_URL": "${WHERE:-here}"}}
    (root / ".mcp.json").write_text(json.dumps({"mcpServers": {"tickets": entry, "remote": {"url": "https://x"}}}))
    return root


class Source:
    """The reader, with what it was asked to start."""

    def __init__(self, root: Path) -> None:
        self.started: list[str] = []
        self.failing = False
        self.reader = McpReader(root, self.tools)

    def tools(self, server: McpServer) -> list[dict[str, Any]]:
        self.started.append(server.name)
        if self.failing:
            raise FileNotFoundError("no such program")
        return [{"name": "open_ticket", "description": "Open a ticket", "inputSchema": {"properties": {"title": {}}}}]

    def ids(self, *, everything: bool = False) -> dict[str, list[str]]:
        files = self.reader.read(everything=everything).files
        return {unit: [text.command.canonical_id for text in texts] for unit, texts in files.items()}


def test_nothing_is_started_before_it_was_trusted(workspace: Path) -> None:
    source = Source(workspace)
    found = source.reader.read(everything=True)
    assert (found.files, source.started) == ({}, [])
    assert found.warnings == ["Not started: .mcp.json: tickets. To search and call their tools: cn trust"]
    with pytest.raises(ForbiddenError, match="not the MCP server that was trusted"):
        asyncio.run(_call(workspace, "open_ticket", {}))
    assert not (workspace / "tools" / "started").exists()


def test_trust_names_the_program_and_lists_its_tools_once(workspace: Path) -> None:
    done = trusting.vouched(workspace)
    assert done["trusted"] == [".mcp.json"]
    (row,) = done["allows"]
    assert (row["file"], row["key"], row["words"]) == (".mcp.json", "tickets", [sys.executable, "tools/tickets.py"])
    assert [one["path"] for one in row["programs"]] == ["tools/tickets.py"]
    source = Source(workspace)
    assert source.ids() == {"tickets": ["mcp:tickets/open_ticket"]}
    assert source.ids() == {}
    assert source.started == ["tickets"]
    source.ids(everything=True)
    assert source.started == ["tickets", "tickets"]
    trusting.revoked(workspace)
    assert source.ids() == {"tickets": []}


@pytest.mark.parametrize("changed", ["entry", "program", "new program"])
def test_what_differs_by_a_byte_is_not_started(workspace: Path, changed: str) -> None:
    trusting.vouched(workspace)
    match changed:
        case "entry":
            text = (workspace / ".mcp.json").read_text()
            (workspace / ".mcp.json").write_text(text.replace("tools/tickets.py", 'tools/tickets.py", "--all'))
        case "program":
            (workspace / "tools" / "tickets.py").write_text(SERVER + "\n")
        case _:  # what the same words lead to now
            (workspace / "tools" / "tickets.py.js").write_text("")
    source = Source(workspace)
    assert (source.ids(), source.started) == ({}, [])


def test_trust_in_a_server_and_in_settings_stand_apart(workspace: Path) -> None:
    (workspace / ".cn.json").write_text('{"node": "/opt/node"}')
    trusting.vouched(workspace)
    (workspace / "tools" / "tickets.py").write_text("")
    nowhere = Path("/nowhere/config.json")
    assert settings.load(workspace, {}, nowhere).node == Path("/opt/node")
    (workspace / ".cn.json").write_text('{"node": "/opt/other"}')
    (workspace / "tools" / "tickets.py").write_text(SERVER)
    assert settings.load(workspace, {}, nowhere).node is None
    assert Source(workspace).ids() == {"tickets": ["mcp:tickets/open_ticket"]}


def test_a_later_daemon_goes_on_with_what_was_listed(workspace: Path) -> None:
    trusting.vouched(workspace)
    marks = Source(workspace).reader.read(everything=False).marks
    source = Source(workspace)
    source.reader.resume(marks)
    assert (source.ids(), source.started) == ({}, [])


def test_a_server_that_tells_no_tools_is_named_and_not_asked_again(workspace: Path) -> None:
    trusting.vouched(workspace)
    source = Source(workspace)
    source.failing = True
    source.ids()
    assert source.reader.read(everything=False).warnings == [".mcp.json: tickets: it told no tools (no such program)."]
    assert source.started == ["tickets"]
    source.failing = False
    assert source.ids(everything=True) == {"tickets": ["mcp:tickets/open_ticket"]}
    assert source.reader.read(everything=False).warnings == []


def test_the_files_of_clients_are_read_and_this_server_is_left_out(tmp_path: Path) -> None:
    (tmp_path / ".vscode").mkdir()
    (tmp_path / ".vscode" / "mcp.json").write_text('// mine\n{"servers": {"a": {"command": "x", "args": [1]}, "b": 1}}')
    (tmp_path / ".mcp.json").write_text('{"mcpServers": {"cn": {"command": "cn", "args": ["mcp"]}, "c": {"url": "u"}}}')
    (tmp_path / ".cursor").mkdir()
    (tmp_path / ".cursor" / "mcp.json").write_text("{")
    servers, warnings = configured(tmp_path)
    assert [(server.key, server.words) for server in servers] == [(".vscode/mcp.json: a", ("x", "1"))]
    assert len(warnings) == 1
    assert warnings[0].startswith(".cursor/mcp.json: its MCP servers cannot be read")


def test_a_real_server_is_listed_and_called(workspace: Path) -> None:
    trusting.vouched(workspace)
    (server,) = configured(workspace)[0]
    tools = {tool["name"]: tool for tool in mcp_programs(workspace, dict).tools(server)}
    assert set(tools) == {"open_ticket", "fail", "late"}
    assert tools["open_ticket"]["inputSchema"]["required"] == ["title"]
    result = asyncio.run(_call(workspace, "open_ticket", {"title": "Broken", "urgent": True}, {"WHERE": "there"}))
    assert result["content"][0]["text"] == "Broken True there"
    assert asyncio.run(_call(workspace, "fail", {}))["isError"] is True
    with pytest.raises(DeadlineError):
        asyncio.run(_call(workspace, "late", {}, deadline_s=0.0))


def test_a_program_that_is_no_server_is_an_error_of_the_call(workspace: Path) -> None:
    (workspace / "tools" / "tickets.py").write_text("print('hello')")
    trusting.vouched(workspace)
    with pytest.raises(ExecutionError):
        asyncio.run(_call(workspace, "open_ticket", {}))


async def _call(
    root: Path, tool: str, arguments: dict[str, Any], environ: dict[str, str] | None = None, deadline_s: float = 60
) -> dict[str, Any]:
    programs = mcp_programs(root, lambda: environ or {})
    return await programs.call(McpCall("tickets", tool), arguments, time.monotonic() + deadline_s)
