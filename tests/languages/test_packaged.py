"""PHP, Bash and YAML by their real servers, where a case cannot say it: what is started, and what is not run."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.desk import Desk

pytestmark = pytest.mark.server


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path.resolve() / "work")
    yield desk
    assert desk.close() == []


def running(desk: Desk) -> set[str]:
    return {one.name for one in desk.services.language_servers() if one.pid is not None}


def test_a_server_is_started_where_its_files_declare_what_is_asked_for_and_nowhere_else(desk: Desk) -> None:
    desk.write(
        {
            "a.py": "def moor(): ...\nmoor()\n",
            "ci.yml": "moor: 1\nrun: moor\n",
            "run.sh": "echo moor\npython3 a.py moor\nunmoor() { :; }\nunmoor\n",
        }
    )
    assert desk.uses("moor") == ["a.py:2"]
    assert running(desk) <= {"ty"}
    assert desk.uses("unmoor") == ["run.sh:4"]
    assert "bash-language-server" in running(desk)
    assert not running(desk) & {"intelephense", "yaml-language-server"}


def test_neither_checkers_on_path_nor_anything_of_the_workspace_is_run(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marker, tools = tmp_path / "ran", tmp_path / "tools"
    for folder in (tools, desk.root / "bin"):
        folder.mkdir()
        for name in ("shellcheck", "shfmt", "php", "bash-language-server", "intelephense", "prettier"):
            (folder / name).write_text(f"#!/bin/sh\necho {name} >> {marker}\n")
            (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:{desk.root / 'bin'}:{os.environ['PATH']}")
    files = {
        "lib.sh": "# shellcheck shell=bash\nberth() { :; }\nberth\n",
        "a.php": "<?php\nfunction berthed() {}\nberthed();\n",
        "a.yaml": "# yaml-language-server: $schema=https://example.com/s.json\nbase: &berthing 1\nuse: *berthing\n",
        "node_modules/evil/index.js": f"require('fs').writeFileSync('{marker}', 'evil')\n",
    }
    desk.write(files)
    assert desk.uses("berth") == ["lib.sh:3"]
    assert desk.uses("berthed") == ["a.php:3"]
    assert desk.uses("a.yaml#berthing") == ["a.yaml:3"]
    assert running(desk) >= {"bash-language-server", "intelephense", "yaml-language-server"}
    assert not marker.exists(), marker.read_text()
    told = {str(path.relative_to(desk.root)) for path in desk.root.rglob("*") if path.is_file()}
    assert {one for one in told if not one.startswith("bin/")} == set(files)


def test_an_edit_is_seen_by_the_next_question(desk: Desk) -> None:
    desk.write({"a.php": "<?php\nclass Quay { public function tie() {} }\n", "b.php": "<?php\n(new Quay)->tie();\n"})
    assert desk.uses("Quay.tie") == ["b.php:2"]
    desk.write({"b.php": "<?php\n\n(new Quay)->tie();\n", "c.php": "<?php\n$q = new Quay; $q->tie();\n"})
    assert desk.uses("Quay.tie") == ["b.php:3", "c.php:2"]
    desk.write({"lib.sh": "lash() { :; }\n", "use.sh": ". ./lib.sh\nlash\n"})
    assert desk.uses("lash") == ["use.sh:2"]
    desk.write({"use.sh": ". ./lib.sh\n\nlash\n"})
    assert desk.uses("lash") == ["use.sh:3"]
