"""What takes long to find out about files, remembered while they are the same: links in the cache, to a word."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Iterable
from pathlib import Path


class Remembered:
    """Something about these files. Raises OSError when one of them is not there."""

    def __init__(self, folder: Path, what: str, files: Iterable[Path]) -> None:
        """folder: where it is kept. what: the question."""
        same = hashlib.sha256(what.encode())
        for file in files:
            facts = file.stat()
            state = f"\0{facts.st_dev} {facts.st_ino} {facts.st_size} {facts.st_mtime_ns} {facts.st_ctime_ns}"
            same.update(os.fsencode(file) + state.encode())
        self._link = folder / same.hexdigest()

    def word(self) -> str | None:
        """None when it is not known."""
        try:
            return os.readlink(self._link)
        except OSError:
            return None

    def keep(self, word: str) -> None:
        with contextlib.suppress(OSError):
            self._link.parent.mkdir(parents=True, exist_ok=True)
            self._link.symlink_to(word)  # complete at once, or not there
