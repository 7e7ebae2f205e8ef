"""Programs are the user's: nothing that a repository brings is found on PATH, or run by git."""

from pathlib import Path

import pytest

from cn_daemon.adapters.programs import find_executables, git_command, git_environ


def executable(file: Path) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("#!/bin/sh\n")
    file.chmod(0o755)
    return file


def test_what_the_workspace_brings_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "root"
    executable(root / "node_modules" / ".bin" / "git")
    executable(root / "git")
    users = executable(tmp_path / "bin" / "git")
    (tmp_path / "link").symlink_to(root)
    monkeypatch.chdir(root)
    path = f".::node_modules/.bin:{root}/node_modules/.bin:{tmp_path}/link:{users.parent}"
    assert list(find_executables("git", root, {"PATH": path})) == [users]
    monkeypatch.setenv("PATH", path)
    assert git_command(root, "status")[0] == str(users)
    assert "core.fsmonitor=false" in git_command(root, "status")


def test_without_git_it_is_a_missing_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FileNotFoundError):
        git_command(tmp_path, "status")


def test_gits_own_variables_are_not_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", "/elsewhere")
    assert {name for name in git_environ() if name.startswith("GIT_")} == {"GIT_OPTIONAL_LOCKS"}
