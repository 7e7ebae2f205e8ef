"""What `cn mcp` answers in a daemon's place is what the daemon answers, to the byte."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from cn_client.opening import FILE, VERSION, Opening, introduced
from cn_daemon.interfaces.mcp import pump
from cn_daemon.interfaces.mcp.table import TOOLS
from cn_shared import __version__
from tests import golden
from tests.fakes.door import Door

CLIENT = {"capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
METHODS = ("tools/list", "resources/templates/list", "ping")


class _Written:
    """What a daemon writes to its pump."""

    def __init__(self) -> None:
        self.lines: asyncio.Queue[bytes] = asyncio.Queue()

    def write(self, line: bytes) -> None:
        self.lines.put_nowait(line)

    async def drain(self) -> None: ...


def told(version: str, tools: str, methods: tuple[str, ...] = METHODS) -> dict[str, bytes]:
    """By method, the results of a daemon, as it writes them."""
    requests = [("initialize", {"protocolVersion": version, **CLIENT}), *((method, {}) for method in methods)]

    async def run() -> list[bytes]:
        door = Door()
        transports = await door.app.state.mcp.ready()
        pump.introduce({"options": {"tools": tools}})
        reader, writer = asyncio.StreamReader(), _Written()
        serving = asyncio.ensure_future(pump.serve(pump.Lines(reader), writer, transports.run))  # type: ignore[arg-type]
        opened = b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
        lines = []
        for number, (method, params) in enumerate(requests):
            asked = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
            reader.feed_data(json.dumps(asked).encode() + b"\n" + (b"" if number else opened))
            lines.append(await writer.lines.get())
        reader.feed_eof()
        await serving
        await door.app.state.mcp.close()
        return lines

    prefix = '{{"jsonrpc":"2.0","id":{},"result":'
    lines = asyncio.run(run())
    return {
        method: line.removeprefix(prefix.format(number).encode()).removesuffix(b"}\n")
        for number, ((method, _), line) in enumerate(zip(requests, lines, strict=True))
    }


def test_the_file_is_written_from_the_daemon() -> None:
    results = told(HANDSHAKE_PROTOCOL_VERSIONS[-1], "all")
    opened = json.loads(results["initialize"])
    del opened["protocolVersion"]
    rows = [
        ("versions", " ".join(HANDSHAKE_PROTOCOL_VERSIONS)),
        ("initialize", _compact(opened).replace(f'"{__version__}"', f'"{VERSION.decode()}"')),
        ("resources/templates/list", results["resources/templates/list"].decode()),
    ]
    sets = {tool.name: tool.toolset for tool in TOOLS}
    rows += [
        (f"tool {sets[tool['name']]}".strip(), _compact(tool)) for tool in json.loads(results["tools/list"])["tools"]
    ]
    golden.check(FILE, "".join(f"{name}\t{text}\n" for name, text in rows))


@pytest.mark.parametrize("tools", ["code,reports", "commands,climpt", "all"])
def test_it_lists_the_tools_that_the_daemon_lists(tools: str) -> None:
    opening = Opening({"tools": tools})
    for method, result in told(HANDSHAKE_PROTOCOL_VERSIONS[-1], tools).items():
        if method != "initialize":
            assert json.loads(opening.answer(method, {}) or b"") == json.loads(result), method


@pytest.mark.parametrize("version", [*HANDSHAKE_PROTOCOL_VERSIONS, "2026-07-28", "1999-01-01"])
def test_it_agrees_on_the_version_that_the_daemon_agrees_on(version: str) -> None:
    answer = Opening({}).answer("initialize", {"protocolVersion": version, **CLIENT})
    assert json.loads(answer or b"") == json.loads(told(version, "code", ())["initialize"])


def test_what_only_the_daemon_can_answer() -> None:
    plain, structured = Opening({}), Opening({"structured": True})
    assert structured.answer("tools/list", {}) is None
    assert structured.answer("prompts/list", None) == b'{"prompts":[]}'
    assert plain.answer("tools/list", {"cursor": "x"}) is None
    assert plain.answer("tools/call", {"name": "find"}) is None
    assert plain.answer("initialize", {"protocolVersion": 1}) is None


@pytest.mark.parametrize("broken", [
    {}, {"protocolVersion": "x", "capabilities": {}}, {"protocolVersion": 1, **CLIENT},
    {"protocolVersion": "x", "capabilities": [], "clientInfo": {"name": "a", "version": "1"}},
    {"protocolVersion": "x", "capabilities": {}, "clientInfo": {"name": "a"}},
])  # fmt: skip
def test_an_introduction_that_is_none(broken: dict[str, Any]) -> None:
    assert not introduced(broken)


def _compact(document: object) -> str:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def test_a_list_that_settings_in_the_environment_decide_is_left_to_the_daemon(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Opening({}).answer("tools/list", {}) is not None
    monkeypatch.setenv("CN_MCP_TOOLS", "all")
    assert Opening({}).answer("tools/list", {}) is None
    assert Opening({"tools": "code"}).answer("tools/list", {}) is not None
    monkeypatch.setenv("CN_MCP_STRUCTURED", "1")
    assert Opening({"tools": "code"}).answer("tools/list", {}) is None
