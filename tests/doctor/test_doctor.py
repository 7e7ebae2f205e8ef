"""`cn doctor`: what it says of a workspace that is well, and of each thing that may be wrong. It changes nothing."""

from __future__ import annotations

import asyncio
import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from cn_daemon import doctor, trust
from cn_daemon.adapters.checkup import projects, standing, toolchain
from cn_daemon.adapters.language_servers.languages import LANGUAGES
from cn_daemon.adapters.language_servers.provisioning import Toolchain
from cn_daemon.adapters.language_servers.provisioning.node import Cache
from cn_daemon.domain.checkup import Finding, worst
from cn_daemon.interfaces import checkup_text
from cn_daemon.settings import Settings
from cn_shared import folders, state
from tests.client.conftest import FakeDaemon, workspace
from tests.conftest import deny_writing

__all__ = ["workspace"]

Examine = Callable[..., dict[str, Finding]]


@pytest.fixture
def examine(workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Examine:
    """Look at the programs of a workspace under some PATH, on a machine that has nothing else."""
    monkeypatch.setattr("cn_daemon.adapters.language_servers.provisioning.node.installed_wheel", lambda: None)

    def look(path: Path, settings: Settings | None = None) -> dict[str, Finding]:
        environ = {"PATH": str(path)}
        seen = asyncio.run(toolchain.examine(workspace, settings or Settings(), environ, Cache(tmp_path / "cache")))
        return {one.check: one for one in seen.findings}

    return look


def program(folder: Path, name: str, *lines: str) -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / name
    file.write_text("\n".join(["#!/bin/sh", *lines, ""]))
    file.chmod(0o755)
    return file


@pytest.fixture
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("programs")


def test_machine_without_anything(examine: Examine, programs: Path) -> None:
    found = examine(programs)
    assert {name: one.state for name, one in found.items()} == {
        "node": "warn", "typescript": "warn", "server": "warn", "registry": "warn",
    }  # fmt: skip
    assert all(one.fix for one in found.values())
    assert found["node"].message.startswith("there is none; ")


def test_the_root_of_the_file_system_was_read_to_its_end() -> None:
    told = asyncio.run(doctor.examine(Path("/")))[0]
    assert (told.check, told.state) == ("files", "fail")


def test_node_that_is_too_old(examine: Examine, programs: Path) -> None:
    program(programs, "node", f"echo v18.1.0; echo {programs}/node")
    found = examine(programs)["node"]
    assert (found.state, "18.1.0, and >=20 is needed" in found.message) == ("warn", True)


def test_node_of_the_setting_that_does_not_run(examine: Examine, programs: Path) -> None:
    found = examine(programs, Settings(node=programs / "nothing"))["node"]
    assert (found.state, found.message.endswith("does not run")) == ("fail", True)
    assert "CN_NODE" in found.fix


def test_registry_that_does_not_answer(examine: Examine, programs: Path) -> None:
    program(programs, "node", f"echo v20.1.0; echo {programs}/node")
    program(programs, "npm", "echo npm error code ENOTFOUND; echo npm error no such host; exit 1")
    found = examine(programs)
    assert found["node"].state == "ok"
    assert (found["registry"].state, found["registry"].message.endswith("no such host.")) == ("fail", True)


def test_certificate_that_nobody_vouches_for(examine: Examine, programs: Path) -> None:
    program(programs, "node", f"echo v20.1.0; echo {programs}/node")
    program(programs, "npm", "echo npm error code SELF_SIGNED_CERT_IN_CHAIN; exit 1")
    assert "NODE_EXTRA_CA_CERTS" in examine(programs)["registry"].fix


def test_server_that_does_not_start(workspace: Path, programs: Path) -> None:
    broken = program(programs, "tsc", "echo no such library; exit 127")
    found = asyncio.run(toolchain._started((broken,), "TypeScript 7", os.environ))
    assert (found.state, found.message) == ("fail", "TypeScript 7, does not start: no such library.")
    gone = asyncio.run(toolchain._started((programs / "nothing",), "TypeScript 7", os.environ))
    assert (gone.state, "No such file" in gone.message) == ("fail", True)


def test_which_typescript_answers_and_why(examine: Examine, workspace: Path, programs: Path) -> None:
    folder = workspace / "node_modules" / "typescript"
    folder.mkdir(parents=True)
    (folder / "package.json").write_text('{"name": "typescript", "version": "5.9.3"}')
    found = examine(programs)["typescript"]
    assert found.message.startswith("TypeScript 5.9.3, the registry's copy of what node_modules asks for")
    (folder / "package.json").write_text('{"name": "typescript", "version": "4.0.0"}')
    found = examine(programs)["typescript"]
    assert "the workspace's 4.0.0 (node_modules) is none that cn was tested with (>=5.0 <7)" in found.message
    assert (found.state, found.fix) == ("warn", "npm install -D typescript@6.0.3")
    (folder / "package.json").write_text('{"name": "typescript", "version": "7.0.2"}')
    assert examine(programs)["typescript"].message.startswith("TypeScript 7.0.2, the registry's copy")


def git(folder: Path, *arguments: str) -> None:
    environ = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    subprocess.run(["git", *arguments], cwd=folder, env=environ, check=True)


def test_state_file_in_the_repository(workspace: Path) -> None:
    def told() -> tuple[str, str]:
        found = asyncio.run(standing.git(workspace))
        return found.state, found.fix

    assert told() == ("ok", "")
    git(workspace, "init", "-q")
    assert told() == ("ok", "")
    (workspace / state.NAME).write_text("{}")
    assert told() == ("warn", f"echo {state.NAME} >> .git/info/exclude")
    git(workspace, "add", "-f", state.NAME)
    assert told() == ("fail", f"git rm --cached {state.NAME}")
    git(workspace, "rm", "-q", "--cached", state.NAME)
    (workspace / ".gitignore").write_text(state.NAME)
    assert told() == ("ok", "")


def told_of_the_daemon(root: Path) -> list[tuple[str, str]]:
    return [(one.state, one.fix) for one in asyncio.run(standing.daemon(root))]


def test_daemons_and_their_state_files(workspace: Path) -> None:
    assert told_of_the_daemon(workspace) == [("ok", "")]
    daemon = FakeDaemon(workspace)
    daemon.replies = [b"HTTP/1.1 500 No\r\n\r\n"]
    assert told_of_the_daemon(workspace) == [("fail", "cn stop")]
    daemon.replies = [b"HTTP/1.1 200 OK\r\n\r\n"]
    assert told_of_the_daemon(workspace) == [("ok", "")]
    daemon.publish(version="0.0.1")
    assert told_of_the_daemon(workspace) == [("warn", "cn stop")]
    daemon.publish(pid=2**22 + 1)
    assert told_of_the_daemon(workspace) == [("warn", "cn stop")]
    file = workspace / state.NAME
    file.chmod(0o644)
    assert told_of_the_daemon(workspace) == [("warn", f"rm {file}")]
    daemon.close()


def test_daemon_that_hangs(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standing, "_HEALTH_S", 0.1)
    daemon = FakeDaemon(workspace)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        daemon.publish(port=silent.getsockname()[1])
        assert told_of_the_daemon(workspace) == [("fail", "cn stop")]
    daemon.close()


def test_folder_that_cannot_be_made(workspace: Path) -> None:
    assert [one.state for one in standing.folders(workspace, workspace / "new" / "cache")] == ["ok"]
    (workspace / "file").write_text("")
    (found,) = standing.folders(workspace, workspace / "file" / "cache")
    assert (found.state, found.fix) == ("fail", f"rename {workspace / 'file'}")


def test_home_that_can_only_be_read(
    workspace: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An agent's sandbox: no daemon could be started there, and chmod, which was advised, cannot help."""
    home = tmp_path_factory.mktemp("home")
    for variable, name in (("XDG_CACHE_HOME", "cache"), ("XDG_STATE_HOME", "state")):
        (home / name / "cn").mkdir(parents=True, mode=0o700)
        monkeypatch.setenv(variable, str(home / name))
    trust.keep(workspace, trust.Record({".cn.json": "hash"}, {}, ""))
    deny_writing(monkeypatch, home)
    found = standing.folders(workspace, Path(folders.base("XDG_CACHE_HOME", ".cache")))
    assert [(one.state, one.fix.split()[0]) for one in found] == [
        ("warn", "XDG_CACHE_HOME"),
        ("warn", "XDG_STATE_HOME"),
    ]
    assert not state.log_path(str(workspace)).startswith(str(home))
    record = trust.read(workspace)
    assert record is not None, "what was vouched for counts"
    assert record.files == {".cn.json": "hash"}


def test_home_in_which_nothing_can_be_made(
    workspace: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All was well, though what was downloaded lay in the temporary folder."""
    home = tmp_path_factory.mktemp("home")
    for variable in ("XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(variable, str(home / "none"))
    deny_writing(monkeypatch, home)
    cache = folders.base("XDG_CACHE_HOME", ".cache")
    told = [(one.state, one.message) for one in standing.folders(workspace, Path(cache))]
    assert told[0] == ("warn", f"{home}/none/cn cannot be made: new downloads and indexes go to {cache}")
    assert [state for state, _ in told] == ["warn", "warn"]


def test_settings_that_are_passed_over_or_wrong(workspace: Path) -> None:
    (workspace / ".cn.json").write_text('{"node": "/bin/false", "idle_timeout": 3}')
    _, findings = standing.settings_of(workspace, {})
    assert [(one.state, one.fix) for one in findings] == [("warn", "cn trust"), ("warn", "correct that file")]
    settings, (found,) = standing.settings_of(workspace, {"CN_IDLE_TIMEOUT_S": "soon"})
    assert (found.state, settings) == ("fail", Settings())


def looked_at(root: Path, compiler: tuple[Path, ...]) -> list[Finding]:
    async def look() -> list[Finding]:
        return await projects.coverage(root, await projects.listed(root), compiler)

    return asyncio.run(look())


def test_workspace_of_another_language_needs_no_node(
    workspace: Path, programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = next(row for row in LANGUAGES if not row.package)
    (workspace / f"main{next(iter(row.endings))}").write_text("")
    monkeypatch.setenv("PATH", str(programs))
    found = {one.check: one for one in asyncio.run(doctor.examine(workspace))}
    assert not found.keys() & {"node", "typescript", "server", "tsconfig"}
    assert (found[row.name].state, found[row.name].fix) == ("warn", row.by_hand)
    program(programs, row.server, "echo version 0.20.0")
    found = {one.check: one for one in asyncio.run(doctor.examine(workspace))}
    assert (found[row.name].state, found[row.name].message) == (
        "ok", f"{row.server} 0.20.0, {programs / row.server}, starts"
    )  # fmt: skip


def test_pinned_server_of_another_language_is_installed_later(workspace: Path, programs: Path) -> None:
    (python,) = (row for row in LANGUAGES if row.name == "python")
    asked = toolchain.languages([python], workspace, {"PATH": str(programs)}, Cache(workspace / "c"))
    found, environment = asyncio.run(asked)
    assert (found.state, found.fix) == ("warn", "cn start")
    assert (environment.state, environment.message) == ("ok", "no environment")


def test_what_a_python_project_wants_and_has_not_installed(workspace: Path, programs: Path) -> None:
    (python,) = (row for row in LANGUAGES if row.name == "python")
    (workspace / "pyproject.toml").write_text('[project]\nname = "a"\ndependencies = ["httpx"]\n')
    asked = toolchain.languages([python], workspace, {"PATH": str(programs)}, Cache(workspace / "c"))
    _, environment = asyncio.run(asked)
    assert environment.state == "warn"
    assert environment.message == "no environment; 1 of 1 dependencies are not installed (httpx)"


def test_files_outside_every_tsconfig(workspace: Path) -> None:
    def told() -> Finding:
        return looked_at(workspace, ())[-1]

    assert told().state == "warn"
    for name in ("b.js", "a.ts", "c.tsx"):
        (workspace / name).write_text("")
    assert told() == Finding("tsconfig", "ok", "no tsconfig.json; 3 of 3 source files are in none: a.ts, c.tsx, b.js")


def test_tsconfig_that_is_broken_is_named(workspace: Path) -> None:
    """The compiler reads on behind a mistake and says nothing when it is asked for the options."""
    (workspace / "a.ts").write_text("")
    (workspace / "tsconfig.json").write_text('{\n  // mine\n  "include": ["a/**/*.ts",], /* b\n */\n}\n')
    (workspace / "tsconfig.empty.json").write_text("")
    assert all(one.state == "ok" for one in looked_at(workspace, ()))
    (workspace / "tsconfig.json").write_text('{\n  /* a\n b */ "include": [\n}\n')
    broken, _ = looked_at(workspace, ())
    assert (broken.state, broken.fix) == ("warn", "mend the file")
    assert broken.message.startswith("tsconfig.json, line 4 is not")


@pytest.mark.server
def test_tsconfig_that_includes_nothing_is_named(toolchain: Toolchain, shop: Path) -> None:
    compiler = (toolchain.node, toolchain.tsserver.with_name("tsc.js"))
    (shop / "empty").mkdir()
    (shop / "empty" / "tsconfig.json").write_text('{"include": ["nothing/**/*"]}')
    nothing, _ = looked_at(shop, compiler)
    assert (nothing.state, nothing.message) == ("warn", "no file is included by empty/tsconfig.json")


@pytest.mark.server
def test_files_outside_every_tsconfig_as_the_compiler_reads_them(toolchain: Toolchain, shop: Path) -> None:
    compiler = (toolchain.node, toolchain.tsserver.with_name("tsc.js"))
    (shop / "loose.ts").write_text("")
    (found,) = looked_at(shop, compiler)
    assert re.fullmatch(r"\d tsconfig files; 1 of \d+ source files are in none: loose\.ts", found.message)
    (shop / "loose.ts").unlink()
    (found,) = looked_at(shop, compiler)
    assert "include all" in found.message


@pytest.mark.server
def test_tsconfig_that_extends_what_is_not_installed_is_named(toolchain: Toolchain, shop: Path) -> None:
    (shop / "tsconfig.base.json").write_text('{"files": []}')
    (shop / "tsconfig.json").write_text('{"extends": "@nobody/base", "include": ["src"]}')
    (found,) = looked_at(shop, (toolchain.node, toolchain.tsserver.with_name("tsc.js")))
    said = "tsconfig.json: error TS6053: File '@nobody/base' not found."
    assert (found.state, found.message) == ("warn", f"2 of 3 tsconfig files cannot be read whole: {said}")


def test_what_takes_too_long_or_cannot_be_read_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_PATIENCE_S", 0.01)

    async def broken() -> list[Finding]:
        raise PermissionError(13, "No")

    slow = asyncio.run(doctor._patient("git", asyncio.Event().wait()))
    assert isinstance(slow, Finding)
    assert isinstance(asyncio.run(doctor._patient("git", broken())), Finding)
    assert slow.state == "fail"


def test_text_and_exit(monkeypatch: pytest.MonkeyPatch) -> None:
    findings = [Finding("node", "ok", "a\x1b[2Jb"), Finding("server", "warn", "slow", "cn start")]
    assert worst(findings) == "warn"
    assert checkup_text.render(findings, color=False) == (
        "ok   node    a\\x1b[2Jb\nwarn server  slow\n             fix: cn start\n1 warning\n"
    )
    assert "\x1b[33mwarn" in checkup_text.render(findings, color=True)
    assert checkup_text.render([], color=False) == "all is well\n"
    assert doctor.EXITS == {"ok": 0, "warn": 1, "fail": 5}


def kept(*folders: Path) -> Mapping[str, tuple[int, int]]:
    return {str(file): (file.lstat().st_mtime_ns, file.lstat().st_size) for folder in folders
            for file in folder.rglob("*")}  # fmt: skip


def test_command_changes_nothing(workspace: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    home = tmp_path_factory.mktemp("home")
    (workspace / "a.ts").write_text("")
    environ = {"PATH": "/nowhere", "HOME": str(home), "TMPDIR": str(home / "tmp"), "PYTHONDONTWRITEBYTECODE": "1"}
    before = kept(workspace, home)
    command = [sys.executable, "-m", "cn_client", "doctor"]
    done = subprocess.run(command, cwd=workspace, env=environ, capture_output=True, text=True, check=False)
    assert (done.stderr, done.returncode) == ("", 1)
    told = json.loads(done.stdout)
    assert told["state"] == "warn"
    assert {row["check"] for row in told["checks"]} >= {
        "node",
        "server",
        "tsconfig",
        "daemon",
        "folders",
        "git",
        "settings",
    }
    assert all(row["state"] == "ok" or row["fix"] for row in told["checks"])
    assert kept(workspace, home) == before
