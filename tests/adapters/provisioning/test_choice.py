"""Which Node.js, language server and TypeScript are taken."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from cn_daemon.adapters.language_servers.provisioning.versions import TESTED
from cn_shared.errors import LanguageServerError
from tests.adapters.provisioning.conftest import Machine


@pytest.mark.parametrize(
    ("name", "version", "holds"),
    [
        ("node", "20.0.0", True),
        ("node", "v22.1.0", True),
        ("node", "18.20.4", False),
        ("typescript", "5.0.0", True),
        ("typescript", "6.1.0-beta", True),
        ("typescript", "4.9.5", False),
        ("typescript", "7.0.2", False),
        ("typescript", "next", False),
        ("typescript", "", False),
        ("typescript-language-server", "5.2.0", True),
        ("typescript-language-server", "5.1.3", False),
        ("typescript-language-server", "6.0.0", False),
    ],
)
def test_tested_ranges(name: str, version: str, holds: bool) -> None:
    assert TESTED[name].holds(version) is holds


def test_nothing_there_installs_the_pinned_pair_once(machine: Machine) -> None:
    first = machine.provision()
    second = machine.provision()
    assert first == second
    assert (first.server_version, first.typescript_version) == ("5.3.0", "6.0.3")
    assert first.server.is_relative_to(machine.cache)
    assert machine.npm_runs() == 1
    assert machine.said == ["installing typescript-language-server 5.3.0 with TypeScript 6.0.3"]


def test_workspace_is_never_written(machine: Machine) -> None:
    machine.provision()
    assert list(machine.root.iterdir()) == []


def test_own_typescript_decides_and_runs_from_a_copy(machine: Machine) -> None:
    (machine.typescript("5.9.3") / "lib" / "lib.d.ts").write_text("declare const x: 1;")
    toolchain = machine.provision()
    assert (toolchain.typescript_version, toolchain.server_version) == ("5.9.3", "5.3.0")
    assert toolchain.tsserver.is_relative_to(machine.cache)
    assert toolchain.tsserver.with_name("lib.d.ts").read_text() == "declare const x: 1;"
    assert machine.provision() == toolchain
    assert machine.said.count("installing a copy of the workspace's TypeScript 5.9.3") == 1


def test_patched_typescript_gets_a_copy_of_its_own(machine: Machine) -> None:
    package = machine.typescript("5.9.3")
    first = machine.provision()
    (package / "lib" / "tsserver.js").write_text("patched")
    second = machine.provision()
    assert first.tsserver != second.tsserver
    assert second.tsserver.read_text() == "patched"


def test_own_pair_needs_no_npm(machine: Machine) -> None:
    machine.typescript("6.0.3")
    server = machine.server("5.2.0")
    assert machine.provision().server == server / "lib" / "cli.mjs"
    assert machine.npm_runs() == 0


@pytest.mark.parametrize("version", ["7.0.2", "4.9.5"])
def test_own_typescript_out_of_range_is_passed_over_with_a_note(machine: Machine, version: str) -> None:
    machine.typescript(version)
    toolchain = machine.provision()
    assert toolchain.typescript_version == "6.0.3"
    assert f"TypeScript {version} is not used" in toolchain.notes[0]


def test_typescript_without_tsserver_is_passed_over(machine: Machine) -> None:
    (machine.typescript("6.0.0") / "lib" / "tsserver.js").unlink()
    assert machine.provision().typescript_version == "6.0.3"


@pytest.mark.parametrize("manifest", ["", "[]", '{"name": "other", "version": "5.0.0"}', '{"name": "typescript"}'])
def test_nonsense_in_node_modules_is_passed_over(machine: Machine, manifest: str) -> None:
    (machine.typescript("5.9.3") / "package.json").write_text(manifest)
    assert machine.provision().typescript_version == "6.0.3"


def test_nearest_typescript_upward(machine: Machine) -> None:
    machine.typescript("5.4.5", machine.root.parent)
    assert machine.provision().typescript_version == "5.4.5"
    machine.typescript("5.9.3")
    assert machine.provision().typescript_version == "5.9.3"


def test_strangers_typescript_above_the_root_is_passed_over(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    machine.typescript("5.4.5", machine.root.parent)
    monkeypatch.setattr(os, "getuid", lambda: 4242)
    owner = machine.root.stat().st_uid
    assert machine.provision().typescript_version == ("5.4.5" if owner == 0 else "6.0.3")


def test_newest_usable_typescript_of_the_member_packages(machine: Machine) -> None:
    for name, version in {
        "packages/a": "5.2.2",
        "packages/b": "5.8.3",
        "packages/c": "7.0.2",
        "web": "5.0.4",
    }.items():
        machine.typescript(version, machine.root / name)
    assert machine.provision().typescript_version == "5.8.3"


def test_linked_package_is_taken_at_its_real_place(machine: Machine) -> None:
    store = machine.root / "node_modules" / ".pnpm" / "typescript@5.9.3"
    package = machine.typescript("5.9.3", store)
    (machine.root / "node_modules" / "typescript").symlink_to(package)
    assert machine.provision().typescript_version == "5.9.3"


def commit(root: Path, *paths: str) -> None:
    for command in (["init", "-q"], ["add", "-f", *paths]):
        subprocess.run(["git", *command], cwd=root, check=True)


def test_typescript_that_came_with_the_repository_is_not_run(machine: Machine) -> None:
    machine.typescript("5.9.3")
    machine.server("5.2.0")
    commit(machine.root, "node_modules")
    toolchain = machine.provision()
    assert (toolchain.typescript_version, toolchain.server_version) == ("6.0.3", "5.3.0")
    assert [note.partition(" is not run")[0] for note in toolchain.notes] == [
        "the workspace's TypeScript 5.9.3",
        "the workspace's typescript-language-server 5.2.0",
    ]
    chosen = machine.provision(typescript_source="workspace")
    assert (chosen.typescript_version, chosen.server_version) == ("5.9.3", "5.2.0")


def test_link_to_a_committed_folder_is_not_run_either(machine: Machine) -> None:
    machine.typescript("5.9.3", machine.root / "vendor")
    (machine.root / "node_modules").symlink_to("vendor/node_modules")
    commit(machine.root, "vendor")
    assert machine.provision().typescript_version == "6.0.3"


def test_installed_typescript_in_a_repository_is_run(machine: Machine) -> None:
    machine.typescript("5.9.3")
    (machine.root / "a.ts").touch()
    commit(machine.root, "a.ts")
    assert machine.provision().typescript_version == "5.9.3"


def test_bundled_ignores_the_workspace(machine: Machine) -> None:
    machine.typescript("5.9.3")
    machine.server("5.2.0")
    toolchain = machine.provision(typescript_source="bundled")
    assert (toolchain.typescript_version, toolchain.server_version) == ("6.0.3", "5.3.0")


@pytest.mark.parametrize("named", ["lib", "", "lib/tsserver.js"])
def test_setting_typescript(machine: Machine, named: str) -> None:
    package = machine.typescript("5.5.4", machine.root.parent / "elsewhere")
    assert machine.provision(typescript=package / named).typescript_version == "5.5.4"


def test_setting_typescript_that_is_none(machine: Machine) -> None:
    with pytest.raises(LanguageServerError, match="which is no TypeScript package"):
        machine.provision(typescript=machine.root)
    package = machine.typescript("7.0.2")
    with pytest.raises(LanguageServerError, match=r"TypeScript 7\.0\.2; cn was tested with >=5\.0 <7"):
        machine.provision(typescript=package / "lib")


def test_server_on_path(machine: Machine) -> None:
    package = machine.server("5.2.0", machine.root.parent / "global")
    (machine.bin / "typescript-language-server").symlink_to(package / "lib" / "cli.mjs")
    (package / "lib" / "cli.mjs").chmod(0o755)
    assert machine.provision().server == package / "lib" / "cli.mjs"


def test_server_on_path_that_is_a_script_or_too_new_is_passed_over(machine: Machine) -> None:
    machine.script(machine.bin / "typescript-language-server", "exec something")
    assert machine.provision().server_version == "5.3.0"


def test_programs_of_the_workspace_on_path_are_passed_over(machine: Machine) -> None:
    own = machine.root / "node_modules" / ".bin"
    machine.node("23.0.0", own)
    environ = {**machine.environ, "PATH": f"{own}:node_modules/.bin::{machine.environ['PATH']}"}
    assert machine.provision(environ).node_version == "20.11.1"


def test_first_node_in_range_on_path(machine: Machine) -> None:
    old = machine.root.parent / "old"
    machine.node("18.20.4", old)
    machine.script(machine.root.parent / "broken" / "node", "exit 1")
    environ = {**machine.environ, "PATH": f"{machine.root.parent}/broken:{old}:{machine.environ['PATH']}"}
    toolchain = machine.provision(environ)
    assert (toolchain.node, toolchain.node_version) == (machine.bin / "node", "20.11.1")


def test_version_switchers_script_is_seen_through(machine: Machine) -> None:
    real = machine.node("22.3.0", machine.root.parent / "versions")
    machine.script(machine.bin / "node", f'exec {real} "$@"')
    assert machine.provision().node == real


def test_node_is_asked_once_while_it_is_the_same_file(machine: Machine) -> None:
    runs = machine.root.parent / "runs"
    program = machine.bin / "node"
    machine.script(program, f"echo run >> {runs}; echo v20.11.1; echo {program}")
    for _ in range(2):
        assert machine.provision().node_version == "20.11.1"
    assert runs.read_text().split() == ["run"]
    machine.script(program, f"echo run >> {runs}; echo v22.11.12; echo {program}")
    assert machine.provision().node_version == "22.11.12"
    assert runs.read_text().split() == ["run", "run"]


def test_version_switcher_is_asked_each_time(machine: Machine) -> None:
    old, new = (machine.node(version, machine.root.parent / version) for version in ("20.3.0", "22.3.0"))
    chosen = machine.root.parent / "chosen"
    chosen.write_text(str(old))
    machine.script(machine.bin / "node", f'exec "$(cat {chosen})" "$@"')
    assert machine.provision().node == old
    chosen.write_text(str(new))
    assert machine.provision().node == new


def test_setting_node(machine: Machine) -> None:
    node = machine.node("24.0.0", machine.root.parent / "mine")
    assert machine.provision(node=node).node == node


@pytest.mark.parametrize(
    ("text", "problem"), [("exit 3", "does not run"), ("echo v18.0.0; echo /x", "is version 18.0.0")]
)
def test_setting_node_that_is_none(machine: Machine, text: str, problem: str) -> None:
    node = machine.script(machine.root.parent / "mine" / "node", text)
    with pytest.raises(LanguageServerError, match=problem) as caught:
        machine.provision(node=node)
    assert caught.value.code == "provisioning_failed"
    with pytest.raises(LanguageServerError, match="does not run"):
        machine.provision(node=machine.root / "none")
