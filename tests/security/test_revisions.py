"""What stands for a revision is a commit that git knows, or refused: never an option, a path or a range."""

from __future__ import annotations

import asyncio
import os
import subprocess
import time
from pathlib import Path

import pytest

from cn_daemon.adapters.git_history import GitHistory
from cn_shared.errors import InputError


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("repository").resolve()
    (root / "a.ts").write_text("export const a = 1;\n")
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@x", "-C", str(root)]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "one"], ["commit", "-qm", "two", "--allow-empty"]):
        subprocess.run([*git, *words], check=True)
    return root


def since(root: Path, rev: str) -> str:
    history = GitHistory(root, lambda: dict(os.environ))
    return asyncio.run(history.changes(rev, time.monotonic() + 20))[0]


HOSTILE = ["", "-p", "--output=x", "--", "HEAD\n--output=x", "HEAD x", "HEAD\0", "HEAD:a.ts", "HEAD:", ":a.ts",
           "HEAD..HEAD~1", "HEAD...HEAD~1", "^HEAD", "HEAD^@", "HEAD^!", "HEAD^-", "/etc/passwd", "../x", "@{u}",
           "\ud800", ":/one", "--all", "$(id)", "`id`", "HEAD^{tree}", "HEAD^{blob}", "*"]  # fmt: skip


@pytest.mark.parametrize("rev", HOSTILE)
def test_a_revision_that_is_none_is_refused(repository: Path, rev: str) -> None:
    before = sorted(path.name for path in repository.iterdir())
    with pytest.raises(InputError):
        since(repository, rev)
    assert sorted(path.name for path in repository.iterdir()) == before


@pytest.mark.parametrize("rev", ["HEAD", "@", "HEAD~1", "HEAD^", "HEAD^{/one}", "HEAD^{commit}"])
def test_a_revision_is_a_commit(repository: Path, rev: str) -> None:
    assert len(since(repository, rev)) == 12
