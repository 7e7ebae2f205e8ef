"""Programs are the user's: nothing that a repository brings is found on PATH."""

import subprocess
from pathlib import Path

import pytest

from cn_daemon.adapters.programs import lean
from cn_shared import git
from cn_shared.execution import find_executables


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
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    asked = git.find(root, root, path)
    assert asked is not None
    assert asked.program == str(users)


def test_programs_that_read_code_are_told_no_secrets() -> None:
    secrets = (
        "CN_CATALOG_HEADERS CN_TOKEN AICMD_X NPM_TOKEN github_token AWS_SECRET_ACCESS_KEY AWS_ACCESS_KEY_ID GH_PAT "
        "OPENAI_API_KEY PGPASSWORD DB_PASSWD GPG_PASSPHRASE SSH_AUTH_SOCK SENTRY_DSN NODE_OPTIONS PYTHONPATH"
    ).split()
    kept = "PATH HOME LANG LC_ALL TZ XDG_CACHE_HOME NODE_EXTRA_CA_CERTS VOLTA_HOME HTTPS_PROXY KEYBOARD PATTERN".split()
    assert set(lean(dict.fromkeys([*secrets, *kept], "x"))) == set(kept)
