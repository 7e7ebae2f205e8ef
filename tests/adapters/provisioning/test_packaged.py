"""The servers of other languages that npm has: one lock for each, installed once, and what is said without them."""

from __future__ import annotations

import asyncio
import json

import pytest

from cn_daemon.adapters.language_servers.languages import LANGUAGES, Language
from cn_daemon.adapters.language_servers.provisioning.programs import Program, pinned_packages, provision_program
from cn_shared.errors import LanguageServerError
from tests.adapters.provisioning.conftest import Machine

ROWS = [row for row in LANGUAGES if row.script]
PHP, BASH, _ = ROWS
INSTALLING = """
echo run >> "{log}"
mkdir -p node_modules/intelephense/lib && echo 1 > node_modules/intelephense/lib/intelephense.js
"""
FAILING = "echo 'npm error network request to the registry failed'; exit 1"


def provision(machine: Machine, row: Language) -> Program:
    asked = provision_program(row, machine.root, machine.settings(), machine.said.append, environ=machine.environ)
    return asyncio.run(asked)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_the_lock_names_the_server_and_a_hash_for_each_package(row: Language) -> None:
    packages = json.loads(pinned_packages(row).files["package-lock.json"])["packages"]
    own = packages.pop("")["dependencies"]
    assert set(own) == {row.script.partition("/")[0]} == {row.server}
    assert packages[f"node_modules/{row.server}"]["version"] == own[row.server]
    assert all(one["integrity"].startswith("sha512-") for one in packages.values())


def test_a_server_is_installed_once_into_the_cache_and_node_runs_its_script(machine: Machine) -> None:
    machine.npm(INSTALLING)
    told = provision(machine, PHP)
    assert provision(machine, PHP) == told
    assert machine.npm_runs() == 1
    (script,) = told.script
    assert (told.path, told.version) == (machine.bin / "node", "1.18.5")
    assert script.startswith(f"{machine.cache}/toolchains/intelephense-1.18.5-")
    assert [*machine.root.iterdir()] == []


def test_without_the_registry_it_is_said_with_the_command_that_installs_it(machine: Machine) -> None:
    machine.npm(FAILING)
    with pytest.raises(LanguageServerError) as caught:
        provision(machine, BASH)
    assert caught.value.message == (
        "bash-language-server 5.8.1, which answers for Bash, could not be installed: network request to the registry "
        "failed. (Or by hand: npm install -g bash-language-server@5.8.1)"
    )


def test_without_the_registry_the_one_on_path_answers_and_none_of_the_workspace(machine: Machine) -> None:
    machine.npm(FAILING)
    mine = machine.script(machine.root / "node_modules" / ".bin" / "bash-language-server", "")
    with pytest.raises(LanguageServerError):
        provision(machine, BASH)
    script = machine.script(machine.bin.parent / "lib/node_modules/bash-language-server/out/cli.js", "")
    (machine.bin / "bash-language-server").symlink_to(script)
    told = provision(machine, BASH)
    assert told.script == (str(script),) != (str(mine),)
    assert told.reading == (str(machine.bin.parent / "lib/node_modules"),)
