"""Programs on PATH that the user chose, and git as it may be run in a repository that nobody vouches for."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path


def find_executables(name: str, root: Path, environ: Mapping[str, str]) -> Iterator[Path]:
    """Every `name` on PATH, in its order.

    Relative entries, and those inside the workspace (npm puts `node_modules/.bin` there), are passed
    over: what a repository brings must not decide what runs.
    """
    seen = set()
    for entry in environ.get("PATH", "").split(os.pathsep):
        if not Path(entry).is_absolute() or Path(entry).resolve().is_relative_to(root):
            continue
        found = shutil.which(name, path=entry)
        if found and (real := os.path.realpath(found)) not in seen:
            seen.add(real)
            yield Path(found)


def git_command(root: Path, *arguments: str) -> list[str]:
    """A git command line that runs no program of the repository's: a configuration may name some.

    Raises FileNotFoundError when there is no git.
    """
    program = _git(root, os.environ.get("PATH", ""))
    if program is None:
        raise FileNotFoundError("git")
    return [str(program), "-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}", *arguments]


def git_environ() -> dict[str, str]:
    """Our variables without git's own, which may point at another repository (a hook that runs cn has them)."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return {**kept, "GIT_OPTIONAL_LOCKS": "0"}


@cache
def _git(root: Path, path: str) -> Path | None:
    return next(find_executables("git", root, {"PATH": path}), None)
