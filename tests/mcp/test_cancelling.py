"""A call that nobody waits for any more ends: at the language server, and with the processes it runs."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from cn_daemon.adapters.language_servers.provisioning import Toolchain
from cn_shared import process
from cn_shared.state import State
from tests.faults.conftest import Workbench
from tests.mcp import library
from tests.mcp.test_transports import connected

pytestmark = pytest.mark.server

WITHHOLDING = Path(__file__).parent.parent / "fakes" / "withholding_server.py"
# A process group: the program that `execute` runs, and a child of its own.
SLEEPER = """
import os, subprocess, sys, time
with open(sys.argv[1], "a") as pids:
    pids.write(f"{os.getpid()} {subprocess.Popen(['sleep', '600']).pid}\\n")
time.sleep(600)
"""
WORKS = {
    "find": {"query": "User.rename"},
    "execute": {"c1": "git", "c2": "group-commit", "c3": "unstaged-changes"},
    "invoke_command": {"command_name": "climpt:climpt/git/group-commit/unstaged-changes"},
}


class Busy:
    """A daemon whose language server answers everything but `references`, and whose commands sleep."""

    def __init__(self, bench: Workbench, toolchain: Toolchain) -> None:
        self.bench = bench
        self.notes = bench.root.parent / "notes"
        self.pids = bench.root.parent / "pids"
        server = [str(toolchain.node), str(toolchain.server), "--stdio"]
        bench.environment |= {
            "CN_SERVER": "typescript",
            "CN_BINDINGS": "off",  # members are asked of the server
            "CN_SERVER_COMMAND": json.dumps(
                [sys.executable, str(WITHHOLDING), '"references"', str(self.notes), *server]
            ),
            "CN_CLIMPT_COMMAND": json.dumps([sys.executable, "-c", SLEEPER, str(self.pids)]),
        }
        library.write_registry(bench.root)
        (bench.root / "src").mkdir()
        (bench.root / "src" / "user.ts").write_text(
            "export class User {\n  rename(): void {}\n}\nnew User().rename();\n"
        )
        (bench.root / "tsconfig.json").write_text('{"include": ["src"]}')
        self.found: State = bench.start()

    def forget(self) -> None:
        for file in (self.notes, self.pids):
            file.write_text("")

    def began(self, work: str) -> bool:
        return "\n" in (self.notes if work == "find" else self.pids).read_text()

    def ended(self, work: str) -> bool:
        """Whether all that was begun has ended: told so, or gone."""
        if work != "find":
            return not any(process.start_of(int(pid)) for pid in self.pids.read_text().split())
        lines = [line.split() for line in self.notes.read_text().splitlines()]
        asked = {id for word, id in lines if word == "asked"}
        return asked <= {id for word, id in lines if word == "cancelled"}


@pytest.fixture(scope="module")
def busy(toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Busy]:
    bench = Workbench(tmp_path_factory.mktemp("busy").resolve())
    yield Busy(bench, toolchain)
    bench.close()


async def until(holds: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline, what
        await asyncio.sleep(0.02)


async def cancelled(busy: Busy, work: str, call: Awaitable[object]) -> None:
    """Begin the call, and cancel it in the middle of its work."""
    busy.forget()
    task = asyncio.ensure_future(call)
    await until(lambda: busy.began(work) or task.done(), f"{work} did not begin")
    assert not task.done(), task.result()
    assert not busy.ended(work)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await until(lambda: busy.ended(work), f"{work} goes on")


@pytest.mark.slow
@pytest.mark.parametrize("work", WORKS)
@pytest.mark.parametrize("era", ["legacy", "auto"])
@pytest.mark.parametrize("kind", ["stdio", "http", "sse"])
def test_a_call_that_is_cancelled(busy: Busy, kind: str, era: str, work: str) -> None:
    async def talk() -> None:
        async with connected(busy.bench, busy.found, kind, era) as client:
            await cancelled(busy, work, client.call_tool(work, WORKS[work]))
            assert not (await client.call_tool("status", {})).is_error, "the session goes on"

    asyncio.run(talk())


# An agent: it opens a session, begins a call, and is killed in the middle.
AGENT = """
import asyncio, json, sys
from mcp.client.stdio import StdioServerParameters
from mcp.client.client import Client
from tests.mcp.http import over_http, over_sse

kind, era, target, token, work, arguments = sys.argv[1:]
if kind == "stdio":
    command, *rest = json.loads(target)
    client = Client(StdioServerParameters(command=command, args=rest), mode=era)
else:
    client = (over_http if kind == "http" else over_sse)(target, token, era)

async def main():
    async with client as session:
        await session.call_tool(work, json.loads(arguments))

asyncio.run(main())
"""


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "era"), [("stdio", "auto"), ("http", "legacy"), ("http", "auto"), ("sse", "legacy")])
def test_an_agent_that_is_killed(busy: Busy, kind: str, era: str) -> None:
    target = json.dumps(busy.bench.command("mcp")) if kind == "stdio" else f"http://127.0.0.1:{busy.found.port}"

    def agent(work: str) -> subprocess.Popen[bytes]:
        words = [kind, era, target, busy.found.token, work, json.dumps(WORKS[work])]
        environment = {**busy.bench.environment, "PYTHONPATH": str(Path(__file__).parents[2])}
        return subprocess.Popen([sys.executable, "-c", AGENT, *words], cwd=busy.bench.root, env=environment)

    async def talk() -> None:
        busy.forget()
        agents = {work: agent(work) for work in ("find", "execute")}
        try:
            for work in agents:
                await until(lambda work=work: busy.began(work), f"{work} did not begin")
                assert not busy.ended(work)
        finally:
            for process in agents.values():
                process.kill()
                process.wait()
        for work in agents:
            await until(lambda work=work: busy.ended(work), f"{work} goes on")

    asyncio.run(talk())
