"""A workspace with a Climpt registry, Markdown commands and a catalog; and a real Deno."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

CLIMPT = Path(__file__).with_name("climpt.ts")


@pytest.fixture(scope="session")
def deno() -> str:
    """From the PyPI package in this environment, else from PATH."""
    own = Path(sys.executable).with_name("deno")
    found = str(own) if own.exists() else shutil.which("deno")
    if found is None:
        pytest.skip("there is no Deno: pip install deno")
    return found


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = (tmp_path / "shop").resolve()
    registry = root / ".agent" / "climpt" / "registry.json"
    registry.parent.mkdir(parents=True)
    commands = [
        {"c1": "git", "c2": c2, "c3": "unstaged-changes", "description": f"{c2} what changed"}
        for c2 in ("group-commit", "fail", "hang")
    ]
    registry.write_text(json.dumps({"version": "1.0.0", "description": "", "tools": {"commands": commands}}))
    prompts = root / ".claude" / "commands"
    prompts.mkdir(parents=True)
    (prompts / "fix.md").write_text(
        "---\ndescription: Fix an issue\n---\nFix issue $1: $ARGUMENTS\n\nNow: !`git status`\n"
    )
    (root / "input.md").write_text("the input\n")
    (root / ".cn.json").write_text("{}")
    return root


def climpt_command(deno: str) -> str:
    """The setting, as a variable has it. The same flags as the default command line."""
    return json.dumps([deno, "run", "--allow-read", "--allow-write", "--allow-env", "--allow-run", "--allow-net",
                       "--no-config", str(CLIMPT)])  # fmt: skip


def quiet_deno(tmp_path: Path) -> dict[str, str]:
    return {**os.environ, "DENO_DIR": str(tmp_path / "deno")}
