"""`cn trust` holds for what was there: the settings, the programs they name, the workspace's own TypeScript."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest

from cn_daemon import trust
from cn_daemon.application.libraries.climpt import Climpt
from cn_daemon.interfaces.daemon import Configured
from cn_daemon.settings import Settings, load
from cn_daemon.trusting import revoked, vouched
from cn_shared.errors import ForbiddenError
from tests.adapters.provisioning.conftest import Machine, machine
from tests.fakes.execution import FakeRunner

__all__ = ["machine"]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path.resolve() / "clone"
    (folder / ".git").mkdir(parents=True)
    (folder / "tool.sh").write_text("#!/bin/sh\n")
    (folder / "tools").mkdir()
    (folder / "tools" / "run.js").write_text("run()\n")
    return folder


def settings_of(root: Path) -> Settings:
    return load(root, {}, root / "nothing.json")


def write(root: Path, **values: Any) -> None:
    (root / ".cn.json").write_text(json.dumps(values))


def test_a_program_that_the_next_pull_brings_does_not_run(root: Path) -> None:
    """Trusted once, whatever became of ./tool.sh ran."""
    write(root, climpt_command=["./tool.sh"])
    vouched(root)
    assert settings_of(root).climpt_command == (str(root / "tool.sh"),)
    (root / "tool.sh").write_text("#!/bin/sh\nhostile\n")
    settings = settings_of(root)
    assert settings.climpt_command == ()
    assert settings.warnings[0] == (
        "tool.sh changed since this workspace was trusted. If you wrote it or read it, run: cn trust"
    )
    vouched(root)
    assert settings_of(root).climpt_command == (str(root / "tool.sh"),)


def change(root: Path) -> None:
    (root / "tools" / "run.js").write_text("hostile()\n")


def replace_by_a_link(root: Path) -> None:
    (root.parent / "elsewhere").write_text("hostile()\n")
    (root / "tools" / "run.js").unlink()
    (root / "tools" / "run.js").symlink_to(root.parent / "elsewhere")


def remove(root: Path) -> None:
    (root / "tools" / "run.js").unlink()


@pytest.mark.parametrize("how", [change, replace_by_a_link, remove])
@pytest.mark.parametrize("command", [["node", "tools/run.js"], ["node", "--import=./tools/run.js", "x"]])
def test_scripts_among_the_arguments_are_programs_too(root: Path, command: list[str], how: Any) -> None:
    write(root, climpt_command=command)
    vouched(root)
    script = str(root / "tools" / "run.js")
    assert settings_of(root).climpt_command[1] in (script, f"--import={script}")
    how(root)
    assert settings_of(root).climpt_command == ()


def test_a_program_that_was_not_there_yet(root: Path) -> None:
    write(root, climpt_command=["node", "tools/later.js"])
    vouched(root)
    assert settings_of(root).climpt_command == ("node", "tools/later.js")
    (root / "tools" / "later.js").write_text("hostile()\n")
    assert settings_of(root).climpt_command == ()


def test_a_typescript_that_the_settings_name(root: Path) -> None:
    lib = root / "vendor" / "typescript" / "lib"
    lib.mkdir(parents=True)
    (lib.parent / "package.json").write_text('{"name": "typescript", "version": "5.9.3"}')
    for name in ("tsserver.js", "typescript.js"):
        (lib / name).write_text("")
    write(root, typescript="vendor/typescript/lib")
    vouched(root)
    assert settings_of(root).typescript == lib
    (lib / "typescript.js").write_text("hostile()")
    assert settings_of(root).typescript is None


def test_a_file_above_the_root_is_the_clones_as_well(root: Path) -> None:
    app = root / "app"
    app.mkdir()
    write(app, node="../tool.sh")
    vouched(app)
    assert settings_of(app).node == root / "tool.sh"
    (root / "tool.sh").write_text("#!/bin/sh\nhostile\n")
    assert settings_of(app).node is None


def test_a_further_settings_file_asks_again(root: Path) -> None:
    write(root, node="/opt/node")
    vouched(root)
    (root / ".ai-command-tool.json").write_text('{"climpt_command": ["evil"]}')
    settings = settings_of(root)
    assert (settings.node, settings.climpt_command) == (None, ())
    assert settings.warnings[0].startswith(".ai-command-tool.json changed since")


def test_a_cache_in_the_repository_is_never_used(root: Path) -> None:
    """The programs in it would be run."""
    write(root, cache_directory="cache")
    vouched(root)
    settings = settings_of(root)
    assert settings.cache_directory is None
    assert "because it lies in the repository" in settings.warnings[0]


def test_trust_of_before_hashes_were_kept_is_none(root: Path, user_folders: Path) -> None:
    write(root, node="/opt/node")
    vouched(root)
    record = Path(trust.place(root))
    assert record.is_relative_to(user_folders)
    for content in ("", "[]", "{}", f"{root}/.cn.json\n", '{"files": 1, "programs": {}, "typescript": ""}'):
        record.write_text(content)
        assert settings_of(root).node is None
    record.unlink()
    planted = root / "record.json"
    planted.write_text("{}")
    record.symlink_to(planted)
    assert settings_of(root).node is None
    record.unlink()


class FakeServices:
    """Services that only keep their settings."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    async def reconfigure(self, settings: Settings, values: Any) -> None:
        self.settings = settings


def test_a_running_daemon_sees_the_change_before_it_runs_it(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(root, climpt_command=["./tool.sh"])
    vouched(root)
    services = FakeServices(settings_of(root))
    info: Any = type("Info", (), {"root": root, "config": root / "nothing.json"})
    configured = Configured(services, info)  # type: ignore[arg-type]

    async def story() -> None:
        await configured.refresh()
        assert services.settings.climpt_command == (str(root / "tool.sh"),)
        facts = os.stat(root / "tool.sh")
        (root / "tool.sh").write_text("#!/bin/sX\n")
        os.utime(root / "tool.sh", ns=(facts.st_atime_ns, facts.st_mtime_ns))
        await configured.refresh()
        assert services.settings.climpt_command == ()
        vouched(root)
        await configured.refresh()
        assert services.settings.climpt_command == (str(root / "tool.sh"),)
        revoked(root)
        await configured.refresh()
        assert services.settings.climpt_command == ()

    asyncio.run(story())


def own(machine: Machine, text: str = "own") -> Path:
    package = machine.typescript("5.9.3")
    (package / "lib" / "tsserver.js").write_text(text)
    return package


def provisioned(machine: Machine) -> Any:
    return machine.provision(own_typescript=settings_of(machine.root).own_typescript)


def test_the_workspaces_own_typescript_runs_once_it_is_trusted(machine: Machine) -> None:
    package = own(machine)
    assert provisioned(machine).tsserver.read_text() == "registry\n"
    vouched(machine.root)
    found = provisioned(machine)
    assert (found.typescript_version, found.tsserver.read_text()) == ("5.9.3", "own")
    assert found.tsserver.is_relative_to(machine.cache)  # no plugin lies beside it
    assert found.notes == ("TypeScript: the workspace's own, which cn trust vouches for",)
    (package / "lib" / "other.js").write_text("hostile")
    found = provisioned(machine)
    assert found.tsserver.read_text() == "registry\n"
    assert "the workspace's own changed since cn trust" in found.notes[0]
    vouched(machine.root)
    assert provisioned(machine).tsserver.with_name("other.js").read_text() == "hostile"
    revoked(machine.root)
    assert provisioned(machine).tsserver.read_text() == "registry\n"


def test_the_native_compiler_of_the_workspace_likewise(machine: Machine) -> None:
    from cn_daemon.adapters.language_servers.provisioning.packages import platform_package

    machine.typescript("7.0.2")
    package = machine.package(machine.root, platform_package(), "7.0.2", "tsc")
    machine.script(package / "lib" / "tsc", "exit 0")
    vouched(machine.root)

    def native() -> Any:
        return machine.native(own_typescript=settings_of(machine.root).own_typescript)

    assert "exit 0" in native().program.read_text()
    assert native().program.is_relative_to(machine.cache)
    assert os.access(native().program, os.X_OK)
    (package / "lib" / "tsc").write_text("#!/bin/sh\nhostile\n")
    assert native().program.read_text() == "registry\n"


@pytest.mark.parametrize("found", ["server.js", "server.mjs", "server/index.js", "server/package.json", "server.py"])
def test_what_a_program_goes_on_to_from_a_name_is_trusted_too(root: Path, found: str) -> None:
    """`node ./server` runs server.js: no byte of that was looked at."""
    (root / found).parent.mkdir(exist_ok=True)
    (root / found).write_text("run()")
    write(root, server_command=["node", "./server"])
    vouched(root)
    assert settings_of(root).server_command == ("node", str(root / "server"))
    (root / found).write_text("hostile()")
    assert settings_of(root).server_command == ()


def test_a_command_line_means_the_files_that_were_trusted_in_every_folder(root: Path) -> None:
    """Climpt runs in the caller's folder: `sh tool.sh` there ran another tool.sh."""
    write(root, climpt_command=["/bin/sh", "tool.sh", "--config=./tools/run.js", "jsr:@a/b", "--x"])
    vouched(root)
    assert settings_of(root).climpt_command == (
        "/bin/sh", str(root / "tool.sh"), f"--config={root / 'tools' / 'run.js'}", "jsr:@a/b", "--x",
    )  # fmt: skip


def test_a_script_that_only_the_callers_folder_has_is_not_run(root: Path) -> None:
    (root / "sub").mkdir()
    (root / "sub" / "later.sh").write_text("hostile")
    write(root, climpt_command=["/bin/sh", "later.sh"])
    vouched(root)
    climpt = Climpt(FakeRunner(), lambda: settings_of(root))
    climpt._check_trusted(root)
    with pytest.raises(ForbiddenError, match=r"names later\.sh, which was not there"):
        climpt._check_trusted(root / "sub")
