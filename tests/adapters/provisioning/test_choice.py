"""Which Node.js, language server and TypeScript are taken."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from cn_daemon.adapters.language_servers.provisioning import Provisioning
from cn_daemon.adapters.language_servers.provisioning.releases import releases
from cn_daemon.adapters.language_servers.provisioning.versions import TESTED
from cn_shared.errors import LanguageServerError
from tests.adapters.provisioning.conftest import FAKE_NPM, Machine


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


def answering(machine: Machine) -> str:
    """The version, of which the registry's copy must run."""
    toolchain = machine.provision()
    assert toolchain.tsserver.is_relative_to(machine.cache)
    assert toolchain.tsserver.read_text() == "registry\n"
    return toolchain.typescript_version


def test_installed_typescript_decides_and_the_registrys_copy_runs(machine: Machine) -> None:
    (machine.typescript("5.9.3") / "lib" / "tsserver.js").write_text("hostile")
    assert answering(machine) == "5.9.3"
    assert machine.provision().notes == ("TypeScript: the registry's copy of what node_modules asks for",)
    assert sorted(machine.npm_log.read_text().splitlines()) == ["run 5.9.3", "run 6.0.3"]


def test_workspaces_share_the_registrys_copy(machine: Machine) -> None:
    machine.typescript("5.9.3")
    first = machine.provision().tsserver
    machine.root = machine.root.parent / "other"
    machine.typescript("5.9.3")
    assert machine.provision().tsserver == first
    assert machine.npm_runs() == 2


def test_a_server_of_the_workspace_is_not_looked_at(machine: Machine) -> None:
    machine.server("5.2.0")
    toolchain = machine.provision()
    assert toolchain.server_version == "5.3.0"
    assert toolchain.server.is_relative_to(machine.cache)


@pytest.mark.parametrize("version", ["7.0.2", "4.9.5"])
def test_typescript_out_of_range_is_passed_over_with_a_note(machine: Machine, version: str) -> None:
    machine.typescript(version)
    toolchain = machine.provision()
    assert toolchain.typescript_version == "6.0.3"
    assert f"the workspace's {version} (node_modules) is none that cn was tested with" in toolchain.notes[0]


@pytest.mark.parametrize("manifest", ["", "[]", '{"name": "other", "version": "5.0.0"}', '{"name": "typescript"}'])
def test_nonsense_in_node_modules_is_passed_over(machine: Machine, manifest: str) -> None:
    (machine.typescript("5.9.3") / "package.json").write_text(manifest)
    assert answering(machine) == "6.0.3"


@pytest.mark.parametrize("version", ["5.9.3-/../../../../evil", "5.9.3 --registry=evil", "5.9.3\n"])
def test_what_is_no_version_names_no_folder(machine: Machine, version: str) -> None:
    machine.typescript(version)
    assert answering(machine) == "6.0.3"


def test_a_pipe_for_a_manifest_hangs_nothing(machine: Machine) -> None:
    file = machine.typescript("5.9.3") / "package.json"
    file.unlink()
    os.mkfifo(file)
    assert answering(machine) == "6.0.3"


def test_nearest_typescript_upward(machine: Machine) -> None:
    machine.typescript("5.4.5", machine.root.parent)
    assert answering(machine) == "5.4.5"
    machine.typescript("5.9.3")
    assert answering(machine) == "5.9.3"


def test_newest_usable_typescript_of_the_member_packages(machine: Machine) -> None:
    for name, version in {
        "packages/a": "5.2.2",
        "packages/b": "5.8.3",
        "packages/c": "7.0.2",
        "web": "5.0.4",
    }.items():
        machine.typescript(version, machine.root / name)
    assert answering(machine) == "5.8.3"


def test_linked_package_is_taken_at_its_real_place(machine: Machine) -> None:
    store = machine.root / "node_modules" / ".pnpm" / "typescript@5.9.3"
    package = machine.typescript("5.9.3", store)
    (machine.root / "node_modules" / "typescript").symlink_to(package)
    assert answering(machine) == "5.9.3"


def test_bundled_ignores_the_workspace(machine: Machine) -> None:
    machine.typescript("5.9.3")
    toolchain = machine.provision(typescript_source="bundled")
    assert (toolchain.typescript_version, toolchain.server_version) == ("6.0.3", "5.3.0")


def test_a_version_that_our_table_does_not_know_is_asked_for_by_its_name(machine: Machine) -> None:
    machine.typescript("6.1.0-dev.20260601")
    assert answering(machine) == "6.1.0-dev.20260601"


def test_the_hash_of_our_table_is_what_npm_checks(machine: Machine) -> None:
    kept = machine.root.parent / "kept"
    machine.npm(f'echo "$1" >> {kept}; cat "package-lock.json" >> {kept}\n' + FAKE_NPM)
    machine.typescript("5.9.3")
    machine.provision()
    command, _, lock = kept.read_text().partition("\n")
    assert command == "ci"
    assert f'"integrity": "{releases()["5.9.3"]}"' in lock


def test_a_registry_that_refuses_leaves_the_pinned_one_and_is_asked_once(machine: Machine) -> None:
    refuse = 'echo run >> "{log}"; echo "npm error nothing"; exit 1'
    machine.npm(f'case "$(cat "package.json")" in *server*) ;; *) {refuse};; esac\n{FAKE_NPM}')
    machine.typescript("5.9.3")
    refused: dict[str, str] = {}
    for _ in range(2):
        one = Provisioning(machine.root, machine.settings(), machine.said.append, machine.environ, refused)
        toolchain = asyncio.run(one.toolchain())
        assert toolchain.typescript_version == "6.0.3"
        assert toolchain.notes == (
            "TypeScript: the pinned one; TypeScript 5.9.3 could not be installed: nothing. "
            "(cn trust lets the workspace's own run)",
        )
    assert machine.npm_runs() == 2  # once for it, once for the pinned ones


def test_the_native_compiler_is_the_registrys_too(machine: Machine) -> None:
    machine.typescript("7.1.0-beta")
    found = machine.native()
    assert (found.version, found.program.read_text()) == ("7.1.0-beta", "registry\n")
    assert found.program.is_relative_to(machine.cache)
    machine.typescript("7.0.2", machine.root / "again")
    machine.root = machine.root / "again"
    assert machine.native().version == "7.0.2"


def test_npm_runs_where_no_npmrc_of_the_workspace_is(machine: Machine) -> None:
    machine.npm('pwd >> "{log}"\n' + FAKE_NPM)
    (machine.root / ".npmrc").write_text("registry=http://evil.example/\n")
    machine.typescript("5.9.3")
    machine.provision()
    folders = [line for line in machine.npm_log.read_text().splitlines() if line.startswith("/")]
    assert folders
    assert all(Path(folder).is_relative_to(machine.cache) for folder in folders)


def test_variables_of_a_packages_scripts_choose_no_registry(machine: Machine) -> None:
    """`npm run` tells its scripts what the .npmrc of the package says."""
    machine.npm('echo "registry $npm_config_registry $NPM_CONFIG_CACHE" >> "{log}"\n' + FAKE_NPM)
    machine.typescript("5.9.3")
    script = {"npm_lifecycle_event": "x", "npm_config_registry": "http://evil", "NPM_CONFIG_CACHE": "/own"}
    machine.provision({**machine.environ, **script})
    assert "registry  /own" in machine.npm_log.read_text()
    assert "evil" not in machine.npm_log.read_text()


@pytest.mark.parametrize("named", ["lib", "", "lib/tsserver.js"])
def test_setting_typescript(machine: Machine, named: str) -> None:
    package = machine.typescript("5.5.4", machine.root.parent / "elsewhere")
    assert machine.provision(typescript=package / named).typescript_version == "5.5.4"


def test_setting_typescript_that_is_none(machine: Machine) -> None:
    with pytest.raises(LanguageServerError, match="which is not a TypeScript package"):
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


def test_version_switchers_script_that_leads_into_the_workspace_is_passed_over(machine: Machine) -> None:
    own = machine.node("23.0.0", machine.root / "bin")
    switcher = machine.script(machine.root.parent.parent / "switcher" / "node", f'exec {own} "$@"')
    environ = {**machine.environ, "PATH": f"{switcher.parent}:{machine.environ['PATH']}"}
    assert machine.provision(environ).node_version == "20.11.1"


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
