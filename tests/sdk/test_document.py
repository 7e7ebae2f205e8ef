"""docs/sdk.md holds: its examples run, one after the other, against a real daemon."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from cn_client import sdk
from cn_daemon.adapters.language_servers.provisioning import Toolchain
from tests.conftest import ROOT

DOCUMENT = (ROOT / "docs" / "sdk.md").read_text("utf-8")


@pytest.mark.server
def test_examples_run(toolchain: Toolchain, shop: Path) -> None:
    program = "\n".join(re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL))
    try:
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", program], cwd=shop, capture_output=True, text=True, check=False
        )
    finally:
        with sdk.Client(shop) as client:
            assert client.stop()["stopped"]
    assert (done.stderr, done.returncode) == ("", 0)
    lines = done.stdout.splitlines()
    assert lines[0] == "src/user.ts 47 complete"
    assert 'src/index.ts:7: export { User, Admin, type Role } from "./user";' in lines
    assert "Class MemoryStore" in lines
    assert "this.onEvent({" in done.stdout
    assert any(re.fullmatch(r"\d+ .* left out to fit 120 tokens; .*", line) for line in lines)
    assert any(line.startswith("climpt:climpt/git/group-commit/unstaged-changes ") for line in lines)
    assert lines[-1].startswith("file_not_found ")


def test_every_error_is_told() -> None:
    for name in sdk.__all__:
        assert name in DOCUMENT, name


def test_no_example_is_left_out() -> None:
    assert DOCUMENT.count("```python") == len(re.findall(r"```python\n.*?```", DOCUMENT, re.DOTALL)) >= 4
