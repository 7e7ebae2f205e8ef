"""Files whose names are near one that is not there: for hints only, so everything here is bounded."""

from __future__ import annotations

import difflib
import os
import subprocess
import threading
from collections.abc import Iterable
from pathlib import Path

from cn_shared import git
from cn_shared.errors import InputError

NAMES = 20_000
LISTING_BYTES = 4 << 20
LISTING_S = 1.0
_SKIPPED = frozenset({"node_modules", "dist", "build", "__pycache__"})


def near_files(root: Path, path: str, cwd: Path | None, count: int = 5) -> list[str]:
    """Up to `count` files near `path`, relative to the root: the only one whose path ends so, else those of that name
    elsewhere, then of near names."""
    name = os.path.basename(path.rstrip("/"))
    if not name or len(name) > 255:
        return []
    beside = os.path.relpath(os.path.join(cwd or root, os.path.dirname(path)), root)
    beside = "" if beside == "." else beside
    files = _listed(root)
    same = [file for file in files if os.path.basename(file) == name]
    ending = [file for file in same if f"/{file}".endswith(f"/{os.path.normpath(path)}")]
    if len(ending) == 1:
        return ending
    if len(same) >= count:
        return _nearest_first(same, beside)[:count]
    by_name: dict[str, list[str]] = {}
    for file in files:
        other = os.path.basename(file)
        if other != name and abs(len(other) - len(name)) <= 4:
            by_name.setdefault(other.lower(), []).append(file)
    matches = difflib.get_close_matches(name.lower(), by_name, count, 0.7)
    close = [file for match in matches for file in _nearest_first(by_name[match], beside)]
    return [*_nearest_first(same, beside), *close][:count]


def _nearest_first(files: Iterable[str], folder: str) -> list[str]:
    return sorted(files, key=lambda file: (os.path.dirname(file) != folder, file))


def _listed(root: Path) -> list[str]:
    return _by_git(root) or _by_walking(root)


def _by_git(root: Path) -> list[str]:
    """What git knows or would know (.gitignore respected); empty when git is not there or not in time."""
    try:
        found = git.find(root, root, os.environ.get("PATH", ""))
        if found is None:
            return []
        with found.question("ls-files", "-z", "--cached", "--others", "--exclude-standard", folder=root) as (line, env):
            listing = _begun(line, env, root)
    except (OSError, InputError):
        return []
    return [os.fsdecode(name) for name in listing.split(b"\0")[:-1]][:NAMES]


def _begun(command: list[str], environ: dict[str, str], root: Path) -> bytes:
    """The first of what it prints, in time."""
    process = subprocess.Popen(
        command,
        cwd=root,
        env=environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    alarm = threading.Timer(LISTING_S, process.kill)
    alarm.start()
    with process:
        assert process.stdout is not None
        listing = process.stdout.read(LISTING_BYTES)
        process.kill()
    alarm.cancel()
    return listing


def _by_walking(root: Path) -> list[str]:
    found: list[str] = []
    for count, (folder, folders, files) in enumerate(os.walk(root)):
        folders[:] = sorted(name for name in folders if name not in _SKIPPED and not name.startswith("."))
        relative = os.path.relpath(folder, root)
        found += files if relative == "." else [f"{relative}/{name}" for name in files]
        if max(len(found), count) >= NAMES:
            break
    return found[:NAMES]
