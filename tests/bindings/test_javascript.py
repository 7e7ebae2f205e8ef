"""The JavaScript of `daemon/cn_compiler`: its types, and its own tests, by the provisioned Node.js and TypeScript."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
from pathlib import Path

import pytest

from cn_daemon.adapters.language_servers.provisioning import Toolchain
from cn_daemon.adapters.language_servers.provisioning.components import provision_components
from cn_daemon.adapters.language_servers.provisioning.node import Node
from cn_daemon.settings import Settings

ROOT = Path(__file__).resolve().parent.parent.parent
COMPILER = ROOT / "daemon" / "cn_compiler"
TESTS = [ROOT / "tests" / "bindings", ROOT / "tests" / "types"]

pytestmark = pytest.mark.server


def _name(test: Path) -> str:
    return f"{test.parent.name}/{test.name}"


def test_its_types_hold(toolchain: Toolchain, tmp_path: Path) -> None:
    typescript = toolchain.tsserver.parent
    options = {"paths": {"typescript": [str(typescript / "typescript.d.ts")]}}
    (tmp_path / "tsconfig.json").write_text(
        json.dumps(
            {
                "extends": str(COMPILER / "tsconfig.json"),
                "compilerOptions": options,
                "include": [str(COMPILER), *map(str, TESTS)],
            }
        )
    )
    command = [toolchain.node, typescript / "tsc.js", "-p", tmp_path]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    assert finished.stdout == ""
    assert finished.returncode == 0


@pytest.mark.parametrize("test", sorted(path for folder in TESTS for path in folder.glob("*.test.mjs")), ids=_name)
def test_its_own_tests_pass(test: Path, toolchain: Toolchain, tmp_path: Path) -> None:
    node = Node(toolchain.node, toolchain.node_version)
    parsers = asyncio.run(provision_components(tmp_path, Settings(), node, print, environ=os.environ))
    typescript = str(toolchain.tsserver.parent.parent)
    environment = {**os.environ, "CN_TYPESCRIPT": typescript, "CN_COMPONENTS": str(parsers)}
    command = [toolchain.node, "--test", test]
    finished = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert finished.returncode == 0, finished.stdout
