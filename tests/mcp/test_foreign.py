"""Clients that nobody here wrote: the TypeScript SDK, 1.x and 2.x, and the Inspector's command line."""

from __future__ import annotations

import functools
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cn_daemon.adapters.language_servers.provisioning import Toolchain
from cn_daemon.interfaces.mcp.table import TOOLS
from tests.conftest import npm_install
from tests.faults.conftest import Workbench
from tests.mcp import library

pytestmark = [pytest.mark.server, pytest.mark.slow]

PACKAGES = {"1": "@modelcontextprotocol/sdk@1.32.2", "2": "@modelcontextprotocol/client@2.4.0"}
INSPECTOR = "@modelcontextprotocol/inspector@2.12.0"
DRIVER = Path(__file__).parent / "foreign_client.mjs"
KINDS = ("stdio", "http", "sse")


@pytest.fixture(scope="module")
def installed(toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Install a package in a folder of its own, once: those of tests that are left out take their time as well."""

    @functools.cache
    def install(package: str) -> Path:
        folder = tmp_path_factory.mktemp("client")
        npm_install(toolchain, folder, package)
        return folder

    return install


@pytest.fixture
def stocked(bench: Workbench) -> Workbench:
    bench.environment |= {"CN_MCP_STRUCTURED": "1", "CN_MCP_TOOLS": "all"}
    library.write_registry(bench.root)
    folder = bench.root.parent / "library"
    for key, name in json.loads(library.write(folder).read_text()).items():
        bench.environment["CN_" + key.upper()] = str(folder / name)
    (bench.root / "src").mkdir()
    (bench.root / "src" / "user.ts").write_text("export class User {\n  rename(): void {}\n}\nnew User().rename();\n")
    (bench.root / "tsconfig.json").write_text('{"include": ["src"]}')
    return bench


def transport(bench: Workbench, kind: str) -> dict[str, Any]:
    found = bench.start()
    if kind == "stdio":
        command, *arguments = bench.command("mcp")
        return {
            "kind": kind,
            "command": command,
            "args": arguments,
            "cwd": str(bench.root),
            "env": bench.environment,
        }
    path = "/mcp" if kind == "http" else "/sse"
    return {"kind": kind, "url": f"http://127.0.0.1:{found.port}{path}", "token": found.token}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("sdk", "era"), [("1", ""), ("2", "legacy"), ("2", "auto")])
def test_the_typescript_sdk(
    stocked: Workbench, installed: Callable[[str], Path], toolchain: Toolchain, sdk: str, era: str, kind: str
) -> None:
    steps = [
        ["listTools"],
        ["callTool", {"name": "find", "arguments": {"symbol": "User.rename"}}],
        ["callTool", {"name": "map_file", "arguments": {"file": "nowhere.ts"}}],
        ["callTool", {"name": "search", "arguments": {"query": "group and commit"}}],
        ["callTool", {"name": "search_reports", "arguments": {"query": "decode_response"}}],
        ["callTool", {"name": "invoke_command", "arguments": {"command_name": "analyze_log"}}],
        ["listPrompts"],
        ["getPrompt", {"name": "analyze_log", "arguments": {"arguments": "a.log"}}],
        ["listResources"],
        ["readResource", {"uri": "cn://commands/md:analyze_log"}],
        ["readResource", {"uri": "cn://commands/none"}],
    ]
    order = {
        "sdk": sdk,
        "era": era or None,
        "folder": str(installed(PACKAGES[sdk])),
        "transport": transport(stocked, kind),
        "steps": steps,
    }
    done = subprocess.run(
        [str(toolchain.node), str(DRIVER), json.dumps(order)], capture_output=True, text=True, timeout=90, check=False
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["server"]["name"] == "cn"
    assert "find" in told["instructions"]
    tools, found, failed, searched, reports, invoked, prompts, prompt, resources, read, missed = told["results"]
    # These clients check every structured answer against its schema: an answer that does not fit is thrown.
    assert len(tools["tools"]) == len(TOOLS)
    assert found["structuredContent"]["definition"]["filePath"] == "src/user.ts"
    assert failed["isError"] is True
    assert json.loads(failed["content"][0]["text"])["error"]["code"] == "file_not_found"
    assert json.loads(searched["content"][0]["text"])[0]["c2"] == "group-commit"
    assert reports["structuredContent"]["reports"][0]["path"] == library.REPORT
    assert "Read" in invoked["structuredContent"]["content"]
    assert [one["name"] for one in prompts["prompts"]] == ["analyze_log", "git_group-commit_unstaged-changes"]
    assert "Read a.log" in prompt["messages"][0]["content"]["text"]
    # The commands, and with 2.x, which goes through all pages by itself, the report.
    assert len(resources["resources"]) == (2 if sdk == "1" else 3)
    assert read["contents"][0]["text"] == library.ANALYZE
    assert "no command none" in missed["thrown"]


@pytest.mark.parametrize("kind", KINDS)
def test_the_inspector(stocked: Workbench, installed: Callable[[str], Path], toolchain: Toolchain, kind: str) -> None:
    reached = transport(stocked, kind)
    if kind == "stdio":
        # The Inspector hands a server only a few variables of its own environment, unless they are named.
        variables = [word for name, value in reached["env"].items() for word in ("-e", f"{name}={value}")]
        target = [*variables, "--cwd", reached["cwd"], reached["command"], *reached["args"]]
    else:
        target = ["--server-url", reached["url"], "--header", f"Authorization: Bearer {reached['token']}"]

    def inspect(*arguments: str) -> dict[str, Any]:
        [program] = installed(INSPECTOR).glob(
            "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"
        )
        command = [str(toolchain.node), str(program), "--cli", *arguments, *target]
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=90, env=stocked.environment, cwd=stocked.root, check=False
        )
        assert done.returncode == 0, done.stderr
        document: dict[str, Any] = json.loads(done.stdout)
        return document

    # --strict fails on schemas that some client could not take.
    assert len(inspect("--method", "tools/list", "--strict")["tools"]) == len(TOOLS)
    found = inspect("--method", "tools/call", "--tool-name", "list_commands")
    assert found["structuredContent"]["total"] == 2
    read = inspect("--method", "resources/read", "--uri", "cn://commands/md:analyze_log")
    assert read["contents"][0]["text"] == library.ANALYZE
    if kind != "stdio":  # there a session may be opened before the daemon is reached: with an empty list
        assert inspect("--method", "resources/list")["resources"]
