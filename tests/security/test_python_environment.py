"""A shell of a Python project has PYTHONPATH=. and the project has modules of any name: none of them runs within cn."""

from __future__ import annotations

import importlib.machinery
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from cn_daemon.adapters.language_servers.provisioning.fetching import installer, plain
from cn_shared import interpreter, state

# Python itself imports `encodings` before it reads a line of anybody's program.
SHADOWED = (sys.stdlib_module_names - {"encodings", "__main__"}) | {"click", "cn_shared", "fastapi", "httpx", "uvicorn"}

CN = str(Path(sys.executable).with_name("cn"))


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, user_folders: Path) -> Path:
    """A workspace, the current folder, with a module for every name; each notes in ../ran that it ran."""
    root = (tmp_path / "w").resolve()
    root.mkdir()
    for name in SHADOWED:
        text = f"open({str(tmp_path / 'ran')!r}, 'a').write('{name} ')\nraise SystemExit(9)\n"
        (root / f"{name}.py").write_text(text)
    (root / "thing.py").write_text("class Thing: pass\n")
    (root / "pyproject.toml").write_text("[project]\nname = 'w'\nversion = '0'\n")
    monkeypatch.chdir(root)
    for name in os.environ:
        if name.startswith("COVERAGE_"):  # it would import its own modules before those of cn
            monkeypatch.delenv(name)
    return root


def ended(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, capture_output=True, text=True, timeout=120)


@pytest.mark.daemon
@pytest.mark.parametrize("entry", [".", "", "{root}", "{root}/../w", "other:."])
def test_client_and_daemon(hostile: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, entry: str) -> None:
    monkeypatch.setenv("PYTHONPATH", entry.format(root=hostile))
    monkeypatch.setenv("PYTHONSTARTUP", str(hostile / "types.py"))
    began = ended(CN, "start")
    try:
        assert (began.returncode, began.stderr) == (0, "")
        assert state.live(str(hostile)) is not None
    finally:
        stopped = ended(CN, "stop")
    assert stopped.returncode == 0
    assert not (tmp_path / "ran").exists()


def test_a_current_folder_that_is_gone(hostile: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "")
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    try:
        assert ended(CN, "start", "--root", str(hostile)).returncode == 0
    finally:
        ended(CN, "stop", "--root", str(hostile))
    assert not (tmp_path / "ran").exists()


def test_doctor_and_pip(hostile: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(hostile))
    assert ended(CN, "--text", "doctor").stdout.count(" settings ") == 1
    command = installer(hostile, os.environ)
    assert command is not None
    assert ended(*map(str, command), "--help").returncode == 0
    assert not (tmp_path / "ran").exists()
    assert "PYTHONPATH" not in plain(os.environ)


def test_modules_are_looked_for_where_this_process_finds_its_own(
    hostile: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A user's site, the folder of an editable installation, a zipapp."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "installed.py").write_text("import sys, zipped; print(*sys.argv[1:], zipped.WORD)")
    with zipfile.ZipFile(tmp_path / "app.pyz", "w") as file:
        file.writestr("zipped.py", "WORD = 'zip'")
    for entry in (tmp_path / "site", tmp_path / "app.pyz", hostile):
        monkeypatch.syspath_prepend(str(entry))
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    ran = ended(*interpreter.command("installed", "a", "b", root=str(hostile)))
    assert (ran.stdout, ran.stderr) == ("a b zip\n", "")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"))
    assert ended(*interpreter.command("installed", root=str(hostile))).returncode == 1
    assert not (tmp_path / "ran").exists()


def test_a_python_and_a_cn_that_lie_in_the_workspace_find_their_modules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A project's own .venv, and cn's sources as the workspace."""
    (tmp_path / "src" / "cn_daemon").mkdir(parents=True)
    (tmp_path / "other").mkdir()
    monkeypatch.setattr(sys, "prefix", str(tmp_path / ".venv"))
    installed = str(tmp_path / ".venv" / "lib" / "site-packages")
    monkeypatch.setattr(sys, "path", [*sys.path, installed, str(tmp_path / "src"), str(tmp_path / "other")])
    searched = interpreter.command("x", root=str(tmp_path))[4].split(os.pathsep)
    assert [one for one in searched if one.startswith(str(tmp_path))] == [installed, str(tmp_path / "src")]


def test_cn_that_lies_on_pythonpath_is_found(hostile: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`pip install --target`."""
    found = importlib.machinery.PathFinder.find_spec("cn_shared", [one for one in sys.path if one])
    assert found is not None
    assert found.origin is not None
    monkeypatch.setenv("PYTHONPATH", str(Path(found.origin).parents[1]))
    assert ended(*interpreter.command("cn_daemon", "--help", root=str(hostile))).returncode == 0
