"""Programs are the user's: nothing that a repository brings is found on PATH, or run by git."""

import subprocess
from pathlib import Path

import pytest

from cn_daemon.adapters.programs import find_executables, git_command, git_environ, lean


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
    ours = {"GIT_OPTIONAL_LOCKS", "GIT_NO_LAZY_FETCH", "GIT_ALLOW_PROTOCOL"}
    assert {name for name in git_environ() if name.startswith("GIT_")} == ours


def test_programs_that_read_code_are_told_no_secrets() -> None:
    secrets = (
        "CN_CATALOG_HEADERS CN_TOKEN AICMD_X NPM_TOKEN github_token AWS_SECRET_ACCESS_KEY AWS_ACCESS_KEY_ID GH_PAT "
        "OPENAI_API_KEY PGPASSWORD DB_PASSWD GPG_PASSPHRASE SSH_AUTH_SOCK SENTRY_DSN NODE_OPTIONS PYTHONPATH"
    ).split()
    kept = "PATH HOME LANG LC_ALL TZ XDG_CACHE_HOME NODE_EXTRA_CA_CERTS VOLTA_HOME HTTPS_PROXY KEYBOARD PATTERN".split()
    assert set(lean(dict.fromkeys([*secrets, *kept], "x"))) == set(kept)


def test_a_folder_that_only_looks_like_a_repository_configures_no_git(tmp_path: Path) -> None:
    """A clone may bring a bare repository as plain files, whose configuration names programs."""
    made = git_command(tmp_path, "init", "-q", "--bare", str(tmp_path / "bare"))
    subprocess.run(made, check=True, env=git_environ())
    asked = git_command(tmp_path, "-C", str(tmp_path / "bare"), "rev-parse", "--git-dir")
    done = subprocess.run(asked, check=False, env=git_environ(), capture_output=True)
    assert done.returncode != 0


def test_git_fetches_nothing_that_a_repository_left_out(tmp_path: Path) -> None:
    """It would run core.sshCommand."""
    ran, repository = tmp_path / "ran", str(tmp_path / "r")
    subprocess.run(git_command(tmp_path, "init", "-q", repository), check=True, env=git_environ())
    hostile = {
        "core.repositoryFormatVersion": "1",
        "core.sshCommand": f"touch {ran};",
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.url": "ssh://host/x",
    }
    for name, value in hostile.items():
        subprocess.run(["git", "-C", repository, "config", name, value], check=True)
    asked = git_command(tmp_path, "-C", repository, "cat-file", "-p", "0" * 39 + "1")
    subprocess.run(asked, check=False, env=git_environ(), capture_output=True)
    assert not ran.exists()
    subprocess.run(["git", *asked[asked.index("-C") :]], check=False, capture_output=True)
    assert ran.exists()  # what git does by itself
