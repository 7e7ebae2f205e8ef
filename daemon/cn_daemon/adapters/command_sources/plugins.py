"""The plugins of Claude Code that the user has installed: `~/.claude/plugins/installed_plugins.json`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cn_daemon.adapters import json_text
from cn_daemon.adapters.file_tree import Stamp, stamp
from cn_daemon.adapters.patient_files import read_file

_LISTED = ".claude/plugins/installed_plugins.json"


class InstalledPlugins:
    """folders: those of the installed plugins, as of the last look, sorted."""

    def __init__(self, home: Path) -> None:
        self._path = str(home / _LISTED)
        self._mark: Stamp | None = None
        self.folders: list[Path] = []

    def look(self) -> None:
        """The list is read again when it changed; one that cannot be read names nothing."""
        mark = stamp(self._path)
        if mark == self._mark:
            return
        self._mark = mark
        try:
            listed = json_text.load(read_file(self._path)) if mark else None
        except (OSError, ValueError):
            listed = None
        self.folders = sorted({Path(os.path.realpath(path)) for path in _install_paths(listed)})


def _install_paths(listed: Any) -> Iterator[str]:
    """Of either form: a plugin is one installation, or a list of them, one for each scope."""
    plugins = listed.get("plugins") if isinstance(listed, dict) else None
    for installed in plugins.values() if isinstance(plugins, dict) else ():
        for one in installed if isinstance(installed, list) else [installed]:
            path = one.get("installPath") if isinstance(one, dict) else None
            if isinstance(path, str) and os.path.isabs(path) and "\0" not in path:
                yield path
