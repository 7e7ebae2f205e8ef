"""Whether a workspace is one in which bindings answer what names decide. Loaded at the start: it imports little."""

from __future__ import annotations

import os
import struct
from pathlib import Path

from cn_daemon.settings import Settings
from cn_shared import repositories
from cn_shared.errors import CnError

# Below it programs are loaded in seconds.
_MANY_FILES = 3_000
# https://git-scm.com/docs/index-format: signature, version, number of entries.
_HEADER = struct.Struct(">4sII")


def are_wanted(root: Path, settings: Settings) -> bool:
    """By the setting `bindings`; where that is auto, in a repository of many files."""
    return settings.bindings == "on" or (settings.bindings == "auto" and _tracked(root) >= _MANY_FILES)


def _tracked(root: Path) -> int:
    """How many files the repository around a folder has, by the header of git's index: it is known before any folder is
    listed. 0 without a repository."""
    try:
        repository = repositories.locate(root)
        if repository is None:
            return 0
        # O_NONBLOCK: a pipe of that name would be waited for.
        descriptor = os.open(repository.index, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(descriptor, "rb") as stream:
            signature, _, entries = _HEADER.unpack(stream.read(_HEADER.size))
    except (OSError, CnError, struct.error):
        return 0
    return int(entries) if signature == b"DIRC" else 0
