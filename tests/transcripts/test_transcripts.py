"""Every transcript beside this file, and those of README.md and docs/commands.md, hold: a real daemon, a real server.

After a wanted change of output, write them anew (placeholders of lines that still hold are kept):

    CN_WRITE_TRANSCRIPTS=1 python -m pytest tests/transcripts
"""

from __future__ import annotations

import difflib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from cn_daemon.adapters.language_servers.provisioning import Toolchain
from tests.conftest import ROOT, npm_install
from tests.transcripts.transcript import Step, fenced, matches, parse, run, steady

HERE = Path(__file__).resolve().parent
FILES = [*sorted(HERE.glob("*.transcript")), ROOT / "README.md", ROOT / "docs" / "commands.md"]
# In the documents the user is Ada, and every number is one that was seen.
ADA = {"<root>": "/home/ada/shop", "<state>": "/home/ada/.local/state", "<cache>": "/home/ada/.cache"}
WRITE = bool(os.environ.get("CN_WRITE_TRANSCRIPTS"))


@pytest.fixture
def environ(toolchain: Toolchain, shop: Path, tmp_path: Path) -> Iterator[Mapping[str, str]]:
    """The variables of somebody at a terminal; the daemon is stopped when they leave."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    home = tmp_path / "home"  # the developer's own holds commands, perhaps
    home.mkdir()
    values = {**os.environ, "PATH": path, "CN_FORMAT": "text", "LC_ALL": "C.UTF-8", "HOME": str(home)}
    yield values
    subprocess.run(["cn", "stop"], cwd=shop, env=values, check=False, capture_output=True)


def steps_of(file: Path) -> list[Step]:
    text = file.read_text("utf-8")
    if file.suffix != ".md":
        return parse(text)
    for name, folder in ADA.items():
        text = text.replace(folder, name)
    return [step for line, block in fenced(text) for step in parse(block, line)]


@pytest.mark.server
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_transcript(file: Path, shop: Path, environ: Mapping[str, str]) -> None:
    hold(file, shop, environ)


@pytest.mark.server
def test_tour(toolchain: Toolchain, tmp_path: Path, environ: Mapping[str, str]) -> None:
    """docs/tour.md, in the sources of a published package."""
    npm_install(toolchain, tmp_path, "rxjs@7.8.1")
    package, root = tmp_path / "node_modules" / "rxjs", tmp_path.resolve() / "rxjs"
    shutil.copytree(package / "src", root / "src")
    for name in ("package.json", "tsconfig.json"):
        shutil.copy(package / name, root)
    try:
        hold(ROOT / "docs" / "tour.md", root, environ)
    finally:
        subprocess.run(["cn", "stop"], cwd=root, env=environ, check=True, capture_output=True)


def hold(file: Path, root: Path, environ: Mapping[str, str]) -> None:
    """Fails unless the file's commands, typed in that workspace, print what stands there."""
    wrong = []
    told = {}
    for step in steps_of(file):
        lines = run(step, root, environ)
        if not matches(step.expected, lines):
            told[step] = lines
            difference = difflib.unified_diff(step.expected, lines, "expected", "told", lineterm="")
            wrong.append("\n".join([f"{file.name}:{step.line}: $ {step.command}", *difference]))
    if WRITE and told:
        rewrite(file, told)
    assert not wrong, "\n\n".join(wrong)


def rewrite(file: Path, told: Mapping[Step, list[str]]) -> None:
    lines = file.read_text("utf-8").splitlines()
    for step in sorted(told, key=lambda step: step.line, reverse=True):
        lines[step.line : step.line + len(step.expected)] = [shown(file, line) for line in told[step]]
    file.write_text("\n".join(lines) + "\n", "utf-8")


def shown(file: Path, line: str) -> str:
    if file.suffix != ".md":
        return steady(line)
    for name, folder in ADA.items():
        line = line.replace(name, folder)
    return line
