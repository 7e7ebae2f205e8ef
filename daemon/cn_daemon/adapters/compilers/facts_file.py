"""The file in the user's cache in which the process of the bindings keeps what it has parsed, one for each workspace.

The process reads and writes it by the descriptor alone: `daemon/cn_compiler/bindings/store.mjs` says what is in it.
"""

from __future__ import annotations

import contextlib
import logging
import os
import stat
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cn_shared import process

log = logging.getLogger(__name__)

# All facts of 7,000 files take 80 MB, and an edit 10 KB. A file that is full is begun anew.
LIMIT_BYTES = 512_000_000
_UNUSED_S = 30 * 86_400.0


@dataclass(frozen=True, slots=True)
class FactsFile:
    """writable: whether this process is the one that writes it, for as long as the descriptor is open somewhere."""

    descriptor: int
    writable: bool


@contextlib.contextmanager
def opened(path: Path | None) -> Iterator[FactsFile | None]:
    """The file, 0600 and the user's own; what else is in its place is removed. None where it cannot be had."""
    try:
        found = None if path is None else _opened(path)
    except OSError as error:
        log.warning("facts are kept in memory alone: %s", error)
        found = None
    try:
        yield found
    finally:
        if found is not None:
            os.close(found.descriptor)


def _opened(path: Path) -> FactsFile:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    _sweep(path.parent)
    if os.path.lexists(path) and not _is_own(path.lstat()):
        path.unlink()
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    descriptor = os.open(path, flags, 0o600)
    try:
        os.fchmod(descriptor, 0o600)
        os.utime(descriptor)
        process.lock(descriptor, wait=False)
    except BlockingIOError:
        return FactsFile(descriptor, False)
    except OSError:
        os.close(descriptor)
        raise
    return FactsFile(descriptor, True)


def _is_own(status: os.stat_result) -> bool:
    return stat.S_ISREG(status.st_mode) and status.st_uid == os.geteuid() and status.st_nlink == 1


def _sweep(folder: Path) -> None:
    """Remove those of workspaces in which nobody asked for a month."""
    for one in folder.iterdir():
        with contextlib.suppress(OSError):
            if one.lstat().st_mtime < time.time() - _UNUSED_S:
                one.unlink()
