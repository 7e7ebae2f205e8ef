"""The workspace's own TypeScript, which runs after `cn trust`: exactly these bytes, and from a copy in the cache.

tsserver loads every plugin that a tsconfig names from the node_modules it lies in, and no option stops it:
run in place, a cloned tsconfig would choose what runs. Beside the copy there is nothing to load.
"""

from __future__ import annotations

import asyncio
import hashlib
import shutil
from pathlib import Path

from cn_daemon.adapters.language_servers.provisioning.install import Progress, failed, install_once
from cn_daemon.adapters.language_servers.provisioning.node import Cache
from cn_daemon.adapters.language_servers.provisioning.packages import (
    Package,
    native_package,
    program_of,
    read_package,
)
from cn_daemon.adapters.language_servers.provisioning.remembered import Remembered
from cn_daemon.adapters.language_servers.provisioning.versions import NATIVE


def programs_of(installed: Package) -> Package | None:
    """The package that holds what is run of an installed TypeScript: from version 7 on that of the platform."""
    if NATIVE.holds(installed.version):
        return native_package(installed.folder, installed.version)
    return installed if installed.usable else None


def digest_of(package: Package, cache: Cache | None = None) -> str:
    """40 hex digits of all that is run. Raises LanguageServerError.

    cache: where it is remembered while the files are the same: to read 20 MB at each start takes longer than to start.
    """
    try:
        remembered = Remembered(cache.remembered, "digest", _files(package.folder)) if cache else None
        known = remembered.word() if remembered else None
        if known is None:
            known = _digest(package.folder)
            if remembered:
                remembered.keep(known)
    except OSError as error:
        raise failed(f"The TypeScript in {package.folder} cannot be read: {error}.") from error
    return known


async def isolate(package: Package, digest: str, cache: Cache, progress: Progress) -> Package:
    """The same in the cache, one copy for all workspaces. digest: what it must have. Raises LanguageServerError."""

    async def fill(folder: Path) -> None:
        await asyncio.to_thread(_copy, package.folder, folder)
        # A package manager may be at work on the original.
        if await asyncio.to_thread(_digest, folder) != digest:
            raise failed("The workspace's TypeScript changed while it was copied.", "Ask again.")

    def is_complete(folder: Path) -> bool:
        copy = read_package(folder, package.name)
        return copy is not None and copy.version == package.version and (copy.usable or program_of(copy) is not None)

    title = f"a copy of the workspace's TypeScript {package.version}"
    folder = cache.packages(f"{package.name.rpartition('/')[2]}-{package.version}-{digest}")
    await install_once(folder, title, fill, is_complete, progress)
    return Package(package.name, package.version, folder)


def _digest(folder: Path) -> str:
    state = hashlib.blake2b(digest_size=20)
    for path in _files(folder):
        with open(path, "rb") as file:
            content = hashlib.file_digest(file, "blake2b").hexdigest()
        state.update(f"{path.name} {content}\n".encode("utf-8", "surrogateescape"))
    return state.hexdigest()


def _copy(source: Path, target: Path) -> None:
    (target / "lib").mkdir()
    for file in _files(source):
        shutil.copy(file, target / file.relative_to(source))


def _files(folder: Path) -> list[Path]:
    """package.json and the files of lib; translated messages lie in folders below it and are left out."""
    return [folder / "package.json", *sorted(file for file in (folder / "lib").iterdir() if file.is_file())]
