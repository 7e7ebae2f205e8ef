"""kill -9 of the daemon, the language server and its tsserver, at every moment: a right answer, or one clear error
and then a right answer; no orphan, no zombie, no temporary file."""

from __future__ import annotations

import contextlib
import json
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from cn_daemon.adapters.language_servers.provisioning import Toolchain
from tests.faults.test_orphans import connected
from tests.faults.workbench import Workbench, error_of

pytestmark = pytest.mark.server

TSCONFIG = '{"compilerOptions": {"strict": true, "types": []}}'
# Of both servers that a daemon has, tests/server/test_crashes.py ends each in every run.
VICTIMS = ["daemon", *(pytest.param(name, marks=pytest.mark.slow) for name in ("server", "semantic"))]
USES = ["app/use.ts:1", "app/use.ts:2", "core/again.ts:1"]


@pytest.fixture(scope="module")
def site(toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    """Two projects, one of which uses what the other declares."""
    folder = tmp_path_factory.mktemp("kills").resolve()
    bench = Workbench(folder, servers=True)
    (folder / "tmp").mkdir()
    bench.environment["TMPDIR"] = str(folder / "tmp")
    bench.environment["CN_BINDINGS"] = "off"  # by names alone no language server is asked
    for path, text in {
        "core/tsconfig.json": TSCONFIG,
        "core/user.ts": "export class User {}\n",
        "core/again.ts": 'export { User } from "./user";\n',
        "app/tsconfig.json": TSCONFIG,
        "app/use.ts": 'import { User } from "../core/again";\nnew User();\n',
    }.items():
        (bench.root / path).parent.mkdir(exist_ok=True)
        (bench.root / path).write_text(text)
    yield bench
    bench.cn("stop")
    bench.close()
    nothing_left(bench)
    assert list((folder / "tmp").iterdir()) == []


def uses(done: subprocess.CompletedProcess[str]) -> list[str]:
    assert done.returncode == 3, (done.returncode, done.stdout, done.stderr)
    answer = json.loads(done.stdout)
    assert answer["completeness"]["reason"].startswith("only the language server was asked")
    assert (answer["definition"]["filePath"], answer["definition"]["line"]) == ("core/user.ts", 1)
    return sorted(f"{row['filePath']}:{row['line']}" for row in answer["references"])


def victim(bench: Workbench, name: str) -> psutil.Process:
    """It, as soon as it is there."""
    end = time.monotonic() + 30
    while True:
        daemon = bench.note()
        for one in bench.family() if daemon else ():
            try:
                line = " ".join(one.cmdline())
            except psutil.Error:
                continue
            fits = {
                "daemon": daemon is not None and one.pid == daemon.pid,
                "server": line.endswith("--stdio"),
                "semantic": "tsserver.js" in line and "partialSemantic" not in line,
                "syntax": "tsserver.js" in line and "partialSemantic" in line,
            }
            if fits[name]:
                return one
        assert time.monotonic() < end, f"no {name} appeared"
        time.sleep(0.005)


def nothing_left(bench: Workbench) -> None:
    """But the one daemon, if it runs, and what it has: one language server at most, no zombie, no temporary files but
    those of the running one."""
    end = time.monotonic() + 10
    while found := strays(bench):
        assert time.monotonic() < end, found
        time.sleep(0.02)


def strays(bench: Workbench) -> list[object]:
    daemon = bench.note()
    runs = daemon is not None and daemon.runs()
    found: list[object] = []
    mine = set()
    if daemon is not None and runs:
        one = psutil.Process(daemon.pid)
        mine = {one, *one.children(recursive=True)}
        servers = [child for child in one.children() if "--stdio" in child.cmdline()]
        found += servers[1:]
    for one in bench.family():
        try:
            if one not in mine or one.status() == psutil.STATUS_ZOMBIE:
                found.append(one)
        except psutil.NoSuchProcess:
            continue
    runtime = Path(bench.environment["XDG_RUNTIME_DIR"]) / "cn"
    scratch = [folder for owner in runtime.glob("*.tmp/*") for folder in owner.iterdir()]
    return found + scratch[1 if runs else 0 :]


def test_killed_while_idle(site: Workbench) -> None:
    """The daemon; the others are killed so in tests/server."""
    assert uses(site.cn("find", "User")) == USES
    victim(site, "daemon").kill()
    assert uses(site.cn("find", "User")) == USES
    nothing_left(site)


@pytest.mark.parametrize("name", VICTIMS)
def test_killed_while_it_loads(site: Workbench, name: str) -> None:
    site.cn("stop")
    with site.spawn("find", "User") as call:
        victim(site, name).kill()
        out, err = call.communicate(timeout=60)
    assert uses(subprocess.CompletedProcess([], call.returncode, out, err)) == USES
    assert uses(site.cn("find", "User")) == USES
    nothing_left(site)


@pytest.mark.parametrize("name", VICTIMS)
def test_killed_in_mid_request(site: Workbench, name: str) -> None:
    assert uses(site.cn("find", "User")) == USES
    # As long as its text differs nothing of the answer is remembered.
    with (site.root / "core/user.ts").open("a") as file:
        file.write("\n")
    doomed, daemon = victim(site, name), site.state()
    with site.spawn("find", "User") as call:
        while not connected(call.pid, daemon):
            assert call.poll() is None
        doomed.kill()
        out, err = call.communicate(timeout=60)
    assert uses(subprocess.CompletedProcess([], call.returncode, out, err)) == USES
    assert uses(site.cn("find", "User")) == USES
    nothing_left(site)


def test_the_daemon_killed_again_and_again(site: Workbench) -> None:
    for _ in range(3):
        with site.spawn("commands") as call:
            victim(site, "daemon").kill()
            call.communicate(timeout=60)
        # Asked once more when its daemon dies; it may meet two deaths.
        assert call.returncode in (0, 1, 4)
    assert uses(site.cn("find", "User")) == USES
    nothing_left(site)


def test_the_language_server_killed_again_and_again(site: Workbench) -> None:
    """Until it is let rest: then one clear error at once, and a daemon begun anew answers."""
    assert uses(site.cn("find", "User")) == USES
    refused = None
    for _ in range(8):
        with site.spawn("find", "User") as call:
            while call.poll() is None:
                for one in site.family():
                    with contextlib.suppress(psutil.Error):
                        if one.cmdline()[-1:] == ["--stdio"]:
                            one.kill()
                time.sleep(0.005)
            out, err = call.communicate(timeout=60)
        done = subprocess.CompletedProcess([], call.returncode, out, err)
        if done.returncode == 5:
            refused = error_of(done)
            break
    assert refused is not None
    assert refused["code"] in ("language_server_died", "language_server_failed")
    assert site.cn("stop").returncode == 0
    assert uses(site.cn("find", "User")) == USES
    nothing_left(site)
