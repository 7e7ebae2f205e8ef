"""The state file is kept out of `git status`."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from cn_daemon.adapters.git_exclude import exclude


def git(folder: Path, *arguments: str) -> str:
    command = ["git", "-c", "user.name=x", "-c", "user.email=x@y", *arguments]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q", "repository")
    repository = tmp_path / "repository"
    git(repository, "commit", "-q", "--allow-empty", "-m", "x")
    return repository


def test_in_a_repository_once(repository: Path) -> None:
    path = repository / ".git" / "info" / "exclude"
    path.write_text("mine")
    exclude(repository, ".cn-daemon.json")
    exclude(repository, ".cn-daemon.json")
    assert path.read_text() == "mine\n.cn-daemon.json\n"


def test_in_a_subfolder_without_an_info_folder(repository: Path) -> None:
    folder = repository / "packages" / "a"
    folder.mkdir(parents=True)
    for leftover in (repository / ".git" / "info").iterdir():
        leftover.unlink()
    (repository / ".git" / "info").rmdir()
    exclude(folder, ".cn-daemon.json")
    (folder / ".cn-daemon.json").write_text("{}")
    assert git(repository, "status", "--short") == ""


def test_in_a_worktree(repository: Path) -> None:
    git(repository, "worktree", "add", "-q", "../tree")
    tree = repository.parent / "tree"
    exclude(tree, ".cn-daemon.json")
    (tree / ".cn-daemon.json").write_text("{}")
    assert git(tree, "status", "--short") == ""


def test_a_git_file_that_names_no_repository(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    (victim / "info").mkdir(parents=True)
    root = tmp_path / "root"
    root.mkdir()
    (root / ".git").write_text(f"gitdir: {victim}\n")
    exclude(root, ".cn-daemon.json")
    assert list((victim / "info").iterdir()) == []


def test_an_exclude_file_that_leads_elsewhere(repository: Path, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine\n")
    path = repository / ".git" / "info" / "exclude"
    path.unlink()
    path.symlink_to(victim)
    exclude(repository, ".cn-daemon.json")
    assert victim.read_text() == "mine\n"


def test_without_git(tmp_path: Path) -> None:
    exclude(tmp_path, ".cn-daemon.json")
    assert list(tmp_path.iterdir()) == []
