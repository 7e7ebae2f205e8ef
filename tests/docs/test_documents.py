"""The documents say what is so: every field, setting, exit code and verb is in them, every link leads somewhere.

Their transcripts are run by tests/transcripts.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cn_client.cli import build
from cn_daemon import settings
from cn_daemon.adapters.language_servers.provisioning import Toolchain
from cn_shared import __version__, errors, state
from tests.conftest import ROOT

README = (ROOT / "README.md").read_text("utf-8")
DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text("utf-8")


def rows(text: str) -> dict[str, list[str]]:
    """The cells of a text's tables, by the first cell's first `word`."""
    cells = [re.split(r"(?<!\\)\|", line)[1:-1] for line in text.splitlines() if line.startswith("|")]
    return {row[0].strip().strip("`").split("`")[0]: [cell.strip() for cell in row] for row in cells[2:]}


def example() -> dict[str, object]:
    document = json.loads((ROOT / ".cn-daemon.json.example").read_text("utf-8"))
    assert isinstance(document, dict)
    return document


def test_example_state_file_is_read_by_the_code() -> None:
    assert state.State(example()).port == 43117


def test_example_state_file_holds_every_field(tmp_path: Path) -> None:
    """No more and no fewer than a daemon of this version writes, and docs/state-file.md explains each."""
    assert example().keys() == {"schema", "pumpPort", state.SEAL, *state._KINDS}
    assert rows(page("state-file.md")).keys() == example().keys()


def test_example_state_file_may_be_published(tmp_path: Path) -> None:
    published = state.publish(state.State({**example(), "root": str(tmp_path)}))
    found = state.read(published.path)
    assert found is not None
    assert found.document == published.document


def test_every_setting_is_explained() -> None:
    table = rows(page("configuration.md"))
    assert table.keys() == {row.name for row in settings.KEYS}
    for row in settings.KEYS:
        assert ("✻" in table[row.name][0]) is bool(row.metadata["trusted"]), row.name
        if isinstance(row.default, int | str):
            default = str(row.default).lower() if isinstance(row.default, bool) else str(row.default)
            assert table[row.name][1].strip("`") == default, row.name


def test_readme_explains_every_exit_code() -> None:
    codes = {value for name, value in vars(errors).items() if name.startswith("EXIT_")}
    table = README[README.index("| exit code |") :].partition("\n\n")[0]
    assert {int(code) for code in rows(table)} == codes


def test_readme_names_every_verb() -> None:
    named = set(re.findall(r"`cn (\w+)", README.partition("\n## The verbs\n")[2]))
    assert len(README.splitlines()) <= 150
    assert README.index("## Install") < README.index("## For agents") < README.index("## The main job")
    assert named >= build(lambda call: 0).commands.keys()


def test_changelog_knows_this_version() -> None:
    assert re.search(
        rf"^## \[(Unreleased|{re.escape(__version__)})\]", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M
    )


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    text = document.read_text("utf-8")
    for target in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (document.parent / target).exists(), target
    for script in re.findall(r"\bsh (scripts/\w+)", text):
        assert os.access(ROOT / script, os.X_OK), script


@pytest.mark.server
@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not there")
def test_curl(toolchain: Toolchain, shop: Path) -> None:
    block = next(text for text in re.findall(r"```sh\n(.*?)```", page("http.md"), re.DOTALL) if "curl" in text)
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environ = {**os.environ, "PATH": path, "LC_ALL": "C.UTF-8"}
    try:
        done = subprocess.run(["sh", "-ec", block], cwd=shop, env=environ, capture_output=True, text=True, check=False)
    finally:
        subprocess.run(["cn", "stop"], cwd=shop, env=environ, check=True, capture_output=True)
    assert done.stderr == ""
    found, outline, context, health = map(json.loads, done.stdout.splitlines())
    assert found["definition"]["filePath"] == "src/checkout.ts"
    assert [row["name"] for row in outline["symbols"]][:2] == ["Named", "name"]
    assert context["result"]["code"].lstrip().startswith("equals(other")
    assert health


def test_contributing_names_every_module_of_the_client() -> None:
    told = set(re.findall(r"`(\w+)`", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")))
    modules = {file.stem for file in (ROOT / "client" / "cn_client").glob("*.py")} - {"__init__"}
    assert modules <= told


def test_the_site_builds(tmp_path: Path) -> None:
    """Every page is in it, and every link between pages leads somewhere."""
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(tmp_path / "site")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    pages = {one.parent.name for one in (tmp_path / "site").rglob("index.html")}
    assert {one.stem for one in (ROOT / "docs").glob("*.md")} - {"index"} <= pages
