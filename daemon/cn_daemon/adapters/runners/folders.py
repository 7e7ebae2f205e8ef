"""Which folders a command may run in and read from."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from cn_shared.errors import ForbiddenError, NotFoundError


class ReadableFolders:
    """The root, and the folders of the libraries: judged by what a path really names, after symbolic links."""

    def __init__(self, root: Path, others: Callable[[], Iterable[Path]]) -> None:
        self._root = Path(os.path.realpath(root))
        self._others = others

    def of(self, cwd: Path | None) -> Path:
        """The caller's folder, or the root. Raises ForbiddenError, NotFoundError."""
        if cwd is None:
            return self._root
        real = Path(os.path.realpath(cwd))
        if not self._holds(real):
            raise ForbiddenError(
                "outside_root",
                f"A command runs inside the workspace, and {cwd} is outside of {self._root}.",
                "Go to a folder of the workspace, or name another root with --root.",
            )
        if not real.is_dir():
            raise NotFoundError("folder_not_found", f"There is no folder {cwd}.")
        return real

    def check(self, path: str, folder: Path) -> None:
        """Raises ForbiddenError for a path, relative to `folder`, that lies outside."""
        if not self._holds(Path(os.path.realpath(folder / path))):
            raise ForbiddenError(
                "outside_root",
                f"{path} is outside of the workspace.",
                "Pass it on as standard input instead: cn execute … -f - < FILE",
                file=path,
            )

    def _holds(self, real: Path) -> bool:
        folders = (self._root, *(Path(os.path.realpath(folder)) for folder in self._others()))
        return any(real.is_relative_to(folder) for folder in folders)
