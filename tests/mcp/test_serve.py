"""`cn serve`: a library for other machines, as a proxy and its clients meet it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from cn_daemon import serving
from tests.faults.conftest import Workbench
from tests.mcp import library
from tests.mcp.http import over_http, over_sse

TOKEN = "a-token-of-some-length"
# What is slower than that has been forgotten; a busy machine is not.
PATIENCE_S = 60
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}},
}
MCP = {"Accept": "application/json, text/event-stream"}
TOOLS = {
    "search_commands", "get_command", "list_commands", "invoke_command", "search_reports", "list_command_reports",
    "get_report", "get_report_link",
}  # fmt: skip


def ask(method: str, url: str, **options: Any) -> httpx.Response:
    return httpx.request(method, url, timeout=PATIENCE_S, **options)


@contextlib.contextmanager
def served(bench: Workbench, *arguments: str, token: str = TOKEN) -> Iterator[str]:
    """`http://127.0.0.1:PORT` of a running one."""
    environment = {**bench.environment, **({"CN_TOKEN": token} if token else {})}
    process = subprocess.Popen(
        bench.command("serve", "--port", "0", *arguments),
        cwd=bench.root,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    try:
        seen = ""
        for line in process.stderr:
            seen += line
            if found := re.search(r"serves on http://[^:]+:(\d+)", line):
                break
        else:
            raise AssertionError(seen)
        yield f"http://127.0.0.1:{found[1]}"
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_S) == 0
        rest = process.stderr.read()
        assert "Traceback" not in rest
        assert token not in rest or not token
    finally:
        process.kill()
        process.wait()
        process.stderr.close()


@pytest.fixture
def config(bench: Workbench) -> Path:
    return library.write(bench.root.parent / "library")


def test_commands_and_reports_only(bench: Workbench, config: Path) -> None:
    async def talk(base: str) -> None:
        for over in (over_http, over_sse):
            async with over(base, TOKEN) as client:
                assert {tool.name for tool in (await client.list_tools()).tools} == TOOLS
                found = await client.call_tool("search_commands", {"query": "analyse a log"})
                assert "md:analyze_log prompt" in found.content[0].text  # type: ignore[union-attr]
                reports = await client.call_tool("search_reports", {"query": "decode_response"})
                assert library.REPORT in reports.content[0].text  # type: ignore[union-attr]

    with served(bench, "--config", str(config)) as base:
        asyncio.run(asyncio.wait_for(talk(base), 60))
        asked = ask("POST", base + "/search", json={"query": "analyse"}, headers={"Authorization": f"Bearer {TOKEN}"})
        assert asked.json()[0]["name"] == "analyze_log"
        for path in ("/shutdown", "/environment", "/find", "/execute", "/status", "/config"):
            refused = ask("POST", base + path, json={}, headers={"Authorization": f"Bearer {TOKEN}"})
            assert refused.status_code == 404, path
    assert not bench.state_file.exists()


def test_no_program_is_run_without_a_root(bench: Workbench, config: Path) -> None:
    """Climpt's registry may lie in the home folder of whoever serves."""
    library.write_registry(bench.root.parent)
    bench.environment["HOME"] = str(bench.root.parent)
    asked = {"command_id": "climpt:climpt/git/group-commit/unstaged-changes", "dry_run": True}
    with served(bench, "--config", str(config)) as base:
        right = {"Authorization": f"Bearer {TOKEN}"}
        refused = ask("POST", base + "/invoke", json=asked, headers=right)
        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "not_offered")
        rendered = ask("POST", base + "/invoke", json={"command_id": "analyze_log"}, headers=right)
        assert "Read" in rendered.json()["content"]


def test_a_root_brings_the_workspace(bench: Workbench) -> None:
    async def talk(base: str) -> None:
        async with over_http(base, TOKEN) as client:
            assert {"find", "map_file"} <= {tool.name for tool in (await client.list_tools()).tools}
            ran = await client.call_tool("execute", {"c1": "git", "c2": "nope", "c3": "x"})
            assert "not_offered" not in str(ran.content)

    with served(bench, "--root", str(bench.root)) as base:
        asyncio.run(asyncio.wait_for(talk(base), 60))


def test_below_a_prefix_whether_the_proxy_strips_it_or_not(bench: Workbench, config: Path) -> None:
    async def talk(base: str) -> None:
        for over in (over_http, over_sse):
            async with over(base, TOKEN) as client:
                assert not (await client.call_tool("list_commands", {})).is_error

    with served(bench, "--config", str(config), "--prefix", "/csp/acmt/") as base:
        asyncio.run(asyncio.wait_for(talk(base + "/csp/acmt"), 60))
        with httpx.stream(
            "GET", base + "/sse", timeout=PATIENCE_S, headers={"Authorization": f"Bearer {TOKEN}"}
        ) as stream:
            lines = stream.iter_lines()
            assert next(lines) == "event: endpoint"
            assert next(lines).startswith("data: /csp/acmt/messages/?session_id=")
        assert ask("GET", base + "/csp/acmt/health").json() == {"status": "ok"}


def test_who_may_ask(bench: Workbench, config: Path) -> None:
    right = {"Authorization": f"Bearer {TOKEN}", **MCP}
    allowed = ("--allowed-host", "tools.example.com", "--allowed-origin", "https://app.example.com")
    with served(bench, "--config", str(config), *allowed) as base:
        for headers, status in (
            (MCP, 401),
            ({**right, "Authorization": "Bearer no"}, 401),
            ({**right, "Host": "other.example.com"}, 403),
            ({**right, "Host": "tools.example.com.evil.org"}, 403),
            ({**right, "Origin": "https://other.example.com"}, 403),
            (right, 200),
            ({**right, "Host": "tools.example.com"}, 200),
            ({**right, "Host": "Tools.Example.com:8443"}, 200),
            ({**right, "Origin": "https://app.example.com", "Sec-Fetch-Site": "cross-site"}, 200),
        ):
            assert ask("POST", base + "/mcp", json=INITIALIZE, headers=headers).status_code == status, headers
        asks = {"Origin": "https://app.example.com", "Access-Control-Request-Method": "POST"}
        assert ask("OPTIONS", base + "/mcp", headers=asks).headers["access-control-allow-origin"] == asks["Origin"]
        for rebound in ("evil.example", "", "app.example.com"):
            reply = ask("OPTIONS", base + "/mcp", headers={**asks, "Host": rebound})
            assert reply.status_code == 403
            assert "access-control-allow-origin" not in reply.headers
        unknown = ask("POST", base + "/mcp", json=INITIALIZE, headers={"Origin": asks["Origin"], **MCP})
        assert (unknown.status_code, unknown.headers["access-control-allow-origin"]) == (401, asks["Origin"])
        asks["Origin"] = "https://other.example.com"
        assert "access-control-allow-origin" not in ask("OPTIONS", base + "/mcp", headers=asks).headers


def test_without_a_token_only_when_asked_for(bench: Workbench, config: Path) -> None:
    for token in ("", "short"):
        environment = {**bench.environment, "CN_TOKEN": token}
        done = bench.cn("serve", "--config", str(config), env=environment)
        assert (done.returncode, "no_token" in done.stderr) == (2, True)
    with served(bench, "--config", str(config), "--insecure-no-token", token="") as base:
        assert ask("POST", base + "/mcp", json=INITIALIZE, headers=MCP).status_code == 200
        assert ask("POST", base + "/mcp", json=INITIALIZE, headers={**MCP, "Host": "evil.example"}).status_code == 403


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--config", "nowhere.json"), "no_config"),
        (("--prefix", "/a?b"), "bad_prefix"),
        (("--host", "203.0.113.1"), "no_port"),
    ],
)
def test_what_it_cannot_serve(bench: Workbench, arguments: tuple[str, ...], code: str) -> None:
    done = bench.cn("serve", *arguments, env={**bench.environment, "CN_TOKEN": TOKEN})
    assert (done.returncode, f"[{code}]" in done.stderr) == (2, True), done.stderr


def test_replicas_without_sessions_stand_in_for_each_other(bench: Workbench, config: Path) -> None:
    right = {"Authorization": f"Bearer {TOKEN}", **MCP}
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "list_commands", "arguments": {}}}
    arguments = ("--config", str(config), "--stateless")
    with served(bench, *arguments) as first, served(bench, *arguments) as second:
        assert ask("POST", first + "/mcp", json=INITIALIZE, headers=right).status_code == 200
        answer = ask("POST", second + "/mcp", json=call, headers=right)
        data = next(line for line in answer.text.splitlines() if line.startswith("data: {"))
        assert json.loads(data[6:])["result"]["isError"] is False


def test_what_is_kept_of_a_library_serves_the_next_start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It goes by the root: with a new temporary one at each start, each start left an index of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    roots = []
    for _ in range(2):
        with contextlib.ExitStack() as stack:
            roots.append(serving._nowhere(stack))
            assert list(roots[-1].iterdir()) == []
    assert roots[0] == roots[1]
    (roots[0] / ".claude").mkdir()  # nobody's business there
    with contextlib.ExitStack() as stack:
        assert serving._nowhere(stack) != roots[0]
        assert list(serving._nowhere(stack).iterdir()) == []


def test_an_edited_library_is_seen(bench: Workbench, config: Path) -> None:
    right = {"Authorization": f"Bearer {TOKEN}"}
    with served(bench, "--config", str(config)) as base:
        (config.parent / "Commands" / "new_one.md").write_text("# New\n\nEntirely new.\n")
        deadline = time.monotonic() + PATIENCE_S
        while ask("GET", base + "/commands", headers=right).json()["total"] != 2:
            assert time.monotonic() < deadline
            time.sleep(0.1)
