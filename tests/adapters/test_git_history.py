"""What git tells of a working tree, whatever its files are called and its configuration says."""

from __future__ import annotations

import asyncio
import os
import subprocess
import time
from pathlib import Path

from cn_daemon.adapters.git_history import GitHistory
from cn_daemon.domain.patches import Patch

LINES = "".join(f"line {number}\n" for number in range(12))


def committed(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).write_text(text)
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "one"]):
        git = ["git", "-c", "user.name=x", "-c", "user.email=x@x", "-c", "commit.gpgSign=false", "-C", str(root)]
        subprocess.run([*git, *words], check=True)


def told(root: Path) -> dict[str, tuple[Patch, str | None]]:
    """The patches by path, each with the text before."""

    async def asked() -> dict[str, tuple[Patch, str | None]]:
        history, deadline = GitHistory(root, lambda: dict(os.environ)), time.monotonic() + 30
        _, patches, _ = await history.changes("HEAD", deadline)
        old = await history.texts([one.blob for one in patches if one.blob], deadline)
        return {one.path: (one, old.get(one.blob)) for one in patches}

    return asyncio.run(asked())


def test_a_file_with_a_line_end_in_its_name_was_told_as_new(tmp_path: Path) -> None:
    names = ["a\nb.ts", 'é"\t\\.ts', "a b.ts"]
    committed(tmp_path, dict.fromkeys(names, "old\n"))
    for name in names:
        (tmp_path / name).write_text("new\n")
    (tmp_path / "c\nd.ts").write_text("1\n")
    answer = told(tmp_path)
    assert {name: (one.status, old) for name, (one, old) in answer.items()} == {
        **dict.fromkeys(names, ("modified", "old\n")),
        "c\nd.ts": ("added", None),
    }


def test_git_s_own_context_between_changes_swallowed_the_next_file(tmp_path: Path) -> None:
    committed(tmp_path, {"a.ts": LINES, "b.ts": LINES})
    subprocess.run(["git", "-C", str(tmp_path), "config", "diff.interHunkContext", "9"], check=True)
    for name in ("a.ts", "b.ts"):
        (tmp_path / name).write_text(LINES.replace("line 2\n", "two\n").replace("line 5\n", "five\n"))
    assert {name: one.after for name, (one, _) in told(tmp_path).items()} == {
        "a.ts": [(3, 3), (6, 6)],
        "b.ts": [(3, 3), (6, 6)],
    }


def test_what_git_takes_for_binary_seemed_unchanged(tmp_path: Path) -> None:
    committed(tmp_path, {"a.ts": LINES, ".gitattributes": "a.ts -diff\n"})
    (tmp_path / "a.ts").write_text(LINES.replace("line 2\n", "two\n"))
    assert told(tmp_path)["a.ts"][0].opaque


def test_every_installed_file_was_a_change_where_nothing_is_ignored(tmp_path: Path) -> None:
    committed(tmp_path, {"a.ts": LINES})
    (tmp_path / "node_modules" / "x").mkdir(parents=True)
    (tmp_path / "node_modules" / "x" / "index.ts").write_text(LINES)
    committed(tmp_path / "node_modules" / "x", {})
    subprocess.run(["git", "-C", str(tmp_path), "worktree", "add", "-q", "--detach", "other"], check=True)
    (tmp_path / "large.ts").write_text("x" * (3 << 20))
    answer = told(tmp_path)
    assert list(answer) == ["large.ts"]
    assert answer["large.ts"][0].opaque
