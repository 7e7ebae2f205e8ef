"""The native TypeScript compiler: the workspace's own from version 7 on, else a pinned copy."""

from __future__ import annotations

import asyncio
import json
import os
import platform
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from cn_daemon.adapters.language_servers.provisioning.foreign import came_with_the_repository
from cn_daemon.adapters.language_servers.provisioning.install import Progress, failed
from cn_daemon.adapters.language_servers.provisioning.node import Cache, find_node
from cn_daemon.adapters.language_servers.provisioning.npm import Manifests, install_manifests
from cn_daemon.adapters.language_servers.provisioning.packages import in_workspace, read_package
from cn_daemon.adapters.language_servers.provisioning.versions import NATIVE, TYPESCRIPT
from cn_daemon.settings import Settings
from cn_shared.folders import cache_folder

_FILES = resources.files(__package__) / "pinned_native"
PINNED_NATIVE: str = json.loads((_FILES / "package.json").read_text("utf-8"))["dependencies"][TYPESCRIPT]
TITLE = f"TypeScript {PINNED_NATIVE} (native)"


@dataclass(frozen=True, slots=True)
class NativeToolchain:
    """program: the native tsc, absolute. notes: sentences for the user, when the workspace's own was passed over."""

    program: Path
    version: str
    notes: tuple[str, ...] = ()


def has_native(root: Path) -> bool:
    """Whether the workspace's own TypeScript is one that only the native server can answer for."""
    own = in_workspace(root, TYPESCRIPT)
    return own is not None and NATIVE.holds(own.version)


async def provision_native(
    root: Path, settings: Settings, progress: Progress, *, environ: Mapping[str, str] | None = None
) -> NativeToolchain:
    """The native compiler for the workspace at `root`; installed first when there is none.

    Needs no Node.js but for the installation. Raises LanguageServerError (`provisioning_failed`).
    """
    environ = os.environ if environ is None else environ
    notes: list[str] = []
    own = await asyncio.to_thread(in_workspace, root, TYPESCRIPT)
    if own is not None and NATIVE.holds(own.version) and settings.typescript_source != "bundled":
        program = program_in(own.folder, own.version)
        trusted = settings.typescript_source == "workspace"
        if program is None:
            notes.append(f"the workspace's TypeScript {own.version} has no {_package_name()}; the pinned one answers")
        elif trusted or not await came_with_the_repository(program, root):
            return NativeToolchain(program, own.version)
        else:
            notes.append(
                f"the workspace's TypeScript {own.version} is not run, because it came with the repository; "
                f'the pinned {PINNED_NATIVE} answers instead (typescript_source: "workspace" runs it)'
            )
    cache = Cache(settings.cache_directory or cache_folder())
    folder = await _install(root, settings, environ, cache, progress)
    program = program_in(folder / "node_modules" / TYPESCRIPT, PINNED_NATIVE)
    assert program is not None
    return NativeToolchain(program, PINNED_NATIVE, tuple(notes))


async def _install(
    root: Path, settings: Settings, environ: Mapping[str, str], cache: Cache, progress: Progress
) -> Path:
    try:
        node = await find_node(root, settings, environ, cache, progress)
        return await install_manifests(pinned_native(), node, root, environ, cache, progress)
    except OSError as error:
        raise failed(f"The cache folder cannot be used: {error}.", "Choose another with CN_CACHE_DIRECTORY.") from error


def pinned_native() -> Manifests:
    """What is installed when the workspace has none."""

    def whole(folder: Path) -> bool:
        return program_in(folder / "node_modules" / TYPESCRIPT, PINNED_NATIVE) is not None

    by_hand = f"Or install it in the workspace: npm install -D {TYPESCRIPT}@{PINNED_NATIVE}."
    return Manifests(_FILES, f"typescript-native-{PINNED_NATIVE}", TITLE, by_hand, whole)


def program_in(typescript: Path, version: str) -> Path | None:
    """The compiler of the platform's package, which npm puts beside `typescript` and pnpm beside its real folder."""
    name = _package_name()
    for folder in (typescript.parent, typescript / "node_modules"):
        package = read_package(folder / name, name)
        if package is not None and package.version == version:
            program = package.folder / "lib" / ("tsc.exe" if sys.platform == "win32" else "tsc")
            if program.is_file():
                return program
    return None


def _package_name() -> str:
    """As Node.js names platforms: `@typescript/typescript-linux-x64`."""
    machine = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64"}.get(platform.machine().lower())
    return f"@typescript/typescript-{sys.platform}-{machine or platform.machine().lower()}"
