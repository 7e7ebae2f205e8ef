"""What both TypeScript servers count as source."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterable

from cn_daemon.application.ports import Hit
from cn_shared.errors import CnError

# Endings and tsserver's names of what is in such files.
ENDINGS = {
    ".ts": "TS",
    ".mts": "TS",
    ".cts": "TS",
    ".tsx": "TSX",
    ".js": "JS",
    ".mjs": "JS",
    ".cjs": "JS",
    ".jsx": "JSX",
}
PACKAGES = "/node_modules/"
_PROJECT = re.compile(r"(^|/)(ts|js)config[^/]*\.json$")
_MAP = re.compile(r"\.d\.[cm]?ts\.map$")
_CONFIGURATION = re.compile(r"(^|/)([^/]*(ts|js)config[^/]*\.json|package\.json|node_modules)$")


def indexed(name: str) -> bool:
    """Whether a file of that name is source, whose words matter."""
    return os.path.splitext(name)[1] in ENDINGS


def script_kind(path: str) -> str:
    """TS, TSX, JS or JSX."""
    return ENDINGS.get(os.path.splitext(path)[1], "TS")


def as_compiled(path: str, read: Callable[[str], str]) -> str:
    """The text that a compiler reads there: also of what is not ours to read (no UTF-8, too large); of what is no file
    (any more), or lies outside, none, as of what would end the compiler."""
    try:
        return read(path)
    except CnError as error:
        if error.code in ("ending_text", "outside_root"):
            return ""
        # Whoever opens a pipe waits for ever.
        if os.path.isfile(path):
            with contextlib.suppress(OSError), open(path, encoding="utf-8-sig", errors="replace", newline="") as file:
                return file.read()
    return ""


def that_may_be_opened(paths: Iterable[str], read: Callable[[str], str]) -> list[str]:
    """Those whose text is ours to give: of what lies outside servers read it themselves, if they may. What is installed
    comes last: opened before the files that import it, it would be no project's."""
    return [path for path in sorted(paths, key=lambda one: (PACKAGES in one, one)) if _may_be_read(path, read)]


def _may_be_read(path: str, read: Callable[[str], str]) -> bool:
    try:
        read(path)
    except CnError as error:
        return error.code not in ("outside_root", "file_not_found")
    return True


def that_are_there(definitions: Iterable[Hit]) -> list[Hit]:
    """Without those of modules that are not there: a place of no length in the file that a path would lead to."""
    return [hit for hit in definitions if hit.span.start != hit.span.end or os.path.exists(hit.path)]


def is_project(path: str) -> bool:
    """Whether that file describes a project."""
    return _PROJECT.search(path) is not None


def is_installation(path: str) -> bool:
    """Whether a change of it means that packages were installed or removed."""
    return path.endswith("/node_modules")


def is_configuration(path: str) -> bool:
    """Whether that file decides which files belong to which project."""
    return _CONFIGURATION.search(path) is not None


def is_map(path: str) -> bool:
    """Whether that file leads from declarations that a build wrote to the sources."""
    return _MAP.search(path) is not None


def is_read_by_name(path: str) -> bool:
    """Whether that file is a tsconfig, or what one extends, which may have any name."""
    return path.endswith(".json") and not path.endswith("/package.json")


def is_ours(path: str) -> bool:
    """Whether a change of that file matters to the servers of TypeScript."""
    return indexed(path) or is_configuration(path) or is_read_by_name(path)
