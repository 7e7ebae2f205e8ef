"""The committed truth about the example workspace is what the compiler says of it.

After a change of the example, write it anew:

    CN_WRITE_TRUTH=1 python -m pytest tests/truth
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from cn_daemon.adapters.language_servers.provisioning import Toolchain

HERE = Path(__file__).resolve().parent
SHOP = HERE.parent.parent / "examples" / "shop"
TRUTH = HERE / "shop.json"
CONFIGS = (SHOP / "tsconfig.json", SHOP / "test" / "tsconfig.json")

# Read before the fixtures take all CN_* away.
WRITE = bool(os.environ.get("CN_WRITE_TRUTH"))


@pytest.mark.server
def test_truth_is_the_compilers(toolchain: Toolchain) -> None:
    library = toolchain.tsserver.with_name("typescript.js")
    command = [toolchain.node, HERE / "compiler_truth.mjs", library, SHOP, *CONFIGS]
    told = subprocess.run(command, check=True, capture_output=True, text=True, encoding="utf-8").stdout
    if WRITE:
        TRUTH.write_text(told, encoding="utf-8")
    assert json.loads(told) == json.loads(TRUTH.read_text("utf-8"))


@pytest.mark.server
@pytest.mark.parametrize("config", CONFIGS, ids=["src", "test"])
def test_example_has_no_type_errors(toolchain: Toolchain, config: Path) -> None:
    command = [toolchain.node, toolchain.tsserver.with_name("tsc.js"), "--noEmit", "-p", config]
    told = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    assert told.stdout == ""
    assert told.returncode == 0
