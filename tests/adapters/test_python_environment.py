"""Where a Python workspace's dependencies are installed: found anew at every question, by the caller's variables."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from cn_daemon.adapters.disclosure import Disclosure
from cn_daemon.adapters.language_servers.python_project import PythonProject
from cn_daemon.adapters.python.environment import described, find_environment, lack


def make(folder: Path, *installed: str) -> Path:
    packages = folder / "lib/python3.12/site-packages"
    packages.mkdir(parents=True)
    (folder / "pyvenv.cfg").write_text("home = /usr/bin\nversion = 3.12.4\n")
    for name in installed:
        (packages / f"{name}-1.0.dist-info").mkdir()
    return folder


def test_the_callers_environment_comes_before_the_workspaces_and_that_before_path(tmp_path: Path) -> None:
    root, bare = tmp_path / "work", {"PATH": ""}
    root.mkdir()
    assert described(find_environment(root, bare), root) == "no environment"
    system = make(tmp_path / "usr")
    (system / "bin").mkdir()
    (system / "bin/python3").write_text("#!/bin/sh\n")
    (system / "bin/python3").chmod(0o755)
    on_path = {"PATH": str(system / "bin")}
    assert described(find_environment(root, on_path), root) == f"environment {system}, Python 3.12.4"
    make(root / "backend/.venv")
    assert described(find_environment(root, on_path, [str(root / "backend")]), root).startswith(
        "environment backend/.venv,"
    )
    make(root / "env")
    assert described(find_environment(root, on_path), root) == "environment env, Python 3.12.4"
    make(root / ".venv")
    assert described(find_environment(root, on_path), root) == "environment .venv, Python 3.12.4"
    active = make(tmp_path / "active")
    variables = {**on_path, "VIRTUAL_ENV": str(active)}
    assert find_environment(root, variables).prefix == str(active)


def test_the_environment_that_poetry_keeps_for_a_folder_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    root, name = Path("/srv/cn-poetry/app"), "Js_YZ9Zx"  # as Poetry 2.5.1 calls it
    kept = tmp_path / "cache/pypoetry/virtualenvs"
    make(kept / f"app-{name}-py3.12")
    make(kept / "app-AAAAAAAA-py3.12")
    assert find_environment(root, {"PATH": ""}).prefix == str(kept / f"app-{name}-py3.12")
    assert find_environment(Path("/srv"), {"PATH": ""}, [str(root)]).prefix.endswith(f"app-{name}-py3.12")
    assert find_environment(Path("/srv"), {"PATH": ""}).prefix == ""


def test_what_is_not_installed_is_named(tmp_path: Path) -> None:
    found = find_environment(make(tmp_path / "work/.venv", "Flask_Login", "attrs").parent, {})
    assert lack(found, ["flask-login", "attrs"]) == ""
    assert lack(found, ["attrs", "httpx"]) == "1 of 2 dependencies are not installed (httpx)"


class Workspace:
    """A workspace whose caller has these variables."""

    def __init__(self, root: Path) -> None:
        self.variables: Mapping[str, str] = {"PATH": ""}
        self.roots: tuple[str, ...] = (str(root),)
        self.manifest = root / "pyproject.toml"
        self.manifest.write_text(
            '[project]\nname = "work"\ndependencies = ["httpx>=1", "work", "old; os_name == \'nt\'"]'
        )
        disclosure = Disclosure(root, {})
        self.project = PythonProject(
            root, lambda: self.roots, lambda: [str(self.manifest)], lambda: self.variables, disclosure
        )

    def given(self) -> dict[str, object]:
        environment: dict[str, object] = self.project.further().options["configuration"]["environment"]
        return environment


def test_a_server_is_told_anew_when_the_callers_variables_roots_or_packages_change(tmp_path: Path) -> None:
    root = tmp_path / "work"
    packages = make(root / ".venv") / "lib/python3.12/site-packages"
    one = Workspace(root)
    assert one.given() == {"python-platform": "all", "root": [str(root)], "python": str(root / ".venv")}
    assert one.project.note == "1 of 1 dependencies are not installed (httpx)"
    assert not one.project.is_other(marked=True)
    (packages / "httpx-1.0.dist-info").mkdir()
    assert one.project.is_other(marked=False)
    one.given()
    assert one.project.note == ""
    active, elsewhere = make(tmp_path / "active"), tmp_path / "modules"
    elsewhere.mkdir()
    (root / "own").mkdir()
    one.variables = {"VIRTUAL_ENV": str(active), "PYTHONPATH": f".:{elsewhere}:{root / 'own'}:/not/there"}
    assert one.project.is_other(marked=False)
    assert one.given() == {
        "python-platform": "all", "root": [str(root / "own"), str(root)], "python": str(active),
        "extra-paths": [str(elsewhere)],
    }  # fmt: skip
    assert one.project.title == f"environment {active}, Python 3.12.4"
    one.roots = (str(root / "src"), str(root))
    assert one.project.is_other(marked=False)
