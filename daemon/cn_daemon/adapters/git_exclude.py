"""Keeping the state file out of `git status`, without touching a tracked file."""

from __future__ import annotations

import logging
import os
from pathlib import Path

log = logging.getLogger(__name__)


def exclude(root: Path, name: str) -> None:
    """Add a line for `name` to the `info/exclude` of the repository that `root` lies in, once.

    Never raises.
    """
    try:
        folder = _common_folder(root)
        if folder:
            _add(folder / "info" / "exclude", name)
    except (OSError, ValueError) as error:
        log.info("no line in .git/info/exclude: %s", error)


def _common_folder(root: Path) -> Path | None:
    """The repository's folder, as git finds it.

    Upward; through the `.git` file of a worktree or a submodule.
    """
    for folder in (root, *root.parents):
        git = folder / ".git"
        if git.is_file():
            word, _, place = git.read_text(encoding="utf-8", errors="surrogateescape").strip().partition(": ")
            git = folder / place if word == "gitdir" else git
        if not (git / "HEAD").is_file():
            continue
        common = git / "commondir"
        if common.is_file():
            git = git / common.read_text(encoding="utf-8", errors="surrogateescape").strip()
        # Only what really is a repository: the `.git` file may be anybody's, and name any folder.
        return Path(os.path.realpath(git)) if (git / "objects").is_dir() else None
    return None


def _add(path: Path, name: str) -> None:
    path.parent.mkdir(exist_ok=True)
    # Not through a link: it could lead anywhere.
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)
    with os.fdopen(descriptor, "r+", encoding="utf-8", errors="surrogateescape") as file:
        content = file.read()
        if name not in (line.strip().removeprefix("/") for line in content.splitlines()):
            file.write(("" if not content or content.endswith("\n") else "\n") + name + "\n")
