"""Whether a workspace is one in which bindings answer what names decide. Loaded at the start: it imports little."""

from __future__ import annotations

import os
import re
import struct
from pathlib import Path

from cn_daemon.adapters.patient_files import read_file
from cn_daemon.settings import Settings
from cn_shared import repositories
from cn_shared.errors import CnError

# Below it programs are loaded in seconds.
_MANY_FILES = 3_000
# https://git-scm.com/docs/index-format: signature, version, number of entries.
_HEADER = struct.Struct(">4sII")
# An entry of git's index ends with a path and a zero.
_COMPONENTS = re.compile(rb"\.(?:vue|svelte|astro)\0")
_FRAMEWORKS = re.compile(rb'"(?:vue|nuxt|svelte|@sveltejs/kit|astro)"\s*:')
# Of as many files as are few.
_INDEX_LIMIT = 4 << 20
_MANIFEST_LIMIT = 1 << 20


def are_wanted(root: Path, settings: Settings) -> bool:
    """By the setting `bindings`; where that is auto, in a repository of many files, or of components."""
    if settings.bindings != "auto":
        return settings.bindings == "on"
    return _tracked(root) >= _MANY_FILES or _has_components(root)


def _has_components(root: Path) -> bool:
    """Whether git tracks components, or the workspace depends on one of their frameworks: no language server reads
    them."""
    try:
        repository = repositories.locate(root)
        tracked = repository is not None and _COMPONENTS.search(read_file(str(repository.index), _INDEX_LIMIT))
    except (OSError, CnError):
        tracked = None
    try:
        return bool(tracked or _FRAMEWORKS.search(read_file(str(root / "package.json"), _MANIFEST_LIMIT)))
    except OSError:
        return bool(tracked)


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
