"""The native TypeScript compiler, of version 7 on: the one that the workspace asks for, else a pinned one."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from cn_daemon.adapters.language_servers.provisioning.choice import Choice, choose
from cn_daemon.adapters.language_servers.provisioning.node import Cache
from cn_daemon.adapters.language_servers.provisioning.npm import Manifests, read_manifests
from cn_daemon.adapters.language_servers.provisioning.packages import program_in
from cn_daemon.adapters.language_servers.provisioning.versions import NATIVE, TYPESCRIPT
from cn_daemon.adapters.language_servers.provisioning.wanted import wanted
from cn_daemon.settings import Settings

_FILES = resources.files(__package__) / "pinned_native"
PINNED_NATIVE: str = json.loads((_FILES / "package.json").read_text("utf-8"))["dependencies"][TYPESCRIPT]
TITLE = f"TypeScript {PINNED_NATIVE} (native)"


@dataclass(frozen=True, slots=True)
class NativeToolchain:
    """program: the native tsc, absolute. notes: sentences for the user."""

    program: Path
    version: str
    notes: tuple[str, ...] = ()


def has_native(root: Path) -> bool:
    """Whether the workspace asks for a TypeScript that only the native server can answer for."""
    requested = wanted(root)
    return requested is not None and requested.version is not None and NATIVE.holds(requested.version)


def choose_native(root: Path, settings: Settings, cache: Cache) -> Choice:
    return choose(root, settings, NATIVE, PINNED_NATIVE, cache)


def pinned_native() -> Manifests:
    """What is installed when the workspace asks for none."""

    def is_complete(folder: Path) -> bool:
        return program_in(folder / "node_modules" / TYPESCRIPT, PINNED_NATIVE) is not None

    return Manifests(read_manifests(_FILES), f"typescript-native-{PINNED_NATIVE}", TITLE, "", is_complete)
