"""Keeping the state file out of `git status`, without touching a tracked file."""

from __future__ import annotations

import io
import logging
import os
import stat
from pathlib import Path

from cn_shared import git
from cn_shared.errors import InputError
from cn_shared.repositories import locate

log = logging.getLogger(__name__)


def exclude(root: Path, name: str) -> None:
    """Add a line for `name` to the `info/exclude` of the repository that `root` lies in, once.

    Never raises.
    """
    try:
        repository = locate(root)
        if repository and not repository.vouched:  # a submodule: its configuration says whose it is
            found = git.find(root, root, os.environ.get("PATH", ""))
            repository = found.repository if found else None
        if repository:
            _add(repository.common, name)
    except (OSError, ValueError, InputError) as error:
        log.info("no line in .git/info/exclude: %s", error)


def _add(common: str, name: str) -> None:
    """Folder by folder, none of them a link or another user's: each could lead anywhere."""
    plain = os.O_NOFOLLOW | os.O_CLOEXEC
    folder = os.open(common, os.O_RDONLY | os.O_DIRECTORY | plain)
    try:
        owner = os.fstat(folder).st_uid
        try:
            os.mkdir("info", 0o777, dir_fd=folder)
        except FileExistsError:
            pass
        info = os.open("info", os.O_RDONLY | os.O_DIRECTORY | plain, dir_fd=folder)
        try:
            flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK | plain
            descriptor = os.open("exclude", flags, 0o644, dir_fd=info)
            with os.fdopen(descriptor, "r+b", buffering=0) as file:
                facts = os.fstat(descriptor)
                if {owner, os.fstat(info).st_uid, facts.st_uid} != {os.geteuid()} or not stat.S_ISREG(facts.st_mode):
                    raise PermissionError(f"{common}/info/exclude is another user's, or no file")
                _append(file, name)
        finally:
            os.close(info)
    finally:
        os.close(folder)


def _append(file: io.FileIO, name: str) -> None:
    content = file.read() or b""
    line = os.fsencode(name)
    if line not in (one.strip().removeprefix(b"/") for one in content.splitlines()):
        file.write((b"" if not content or content.endswith(b"\n") else b"\n") + line + b"\n")
