"""A workspace's TypeScript, run from a copy in the cache.

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
from cn_daemon.adapters.language_servers.provisioning.packages import Package, read_package
from cn_daemon.adapters.language_servers.provisioning.remembered import Remembered

# What tsserver runs. Of the rest, which is declarations, names and sizes tell one build from another.
_PROGRAMS = ("tsserver.js", "_tsserver.js", "typescript.js")


async def isolate(package: Package, cache: Cache, progress: Progress) -> Package:
    """The same TypeScript in the cache, one copy for all workspaces. Raises LanguageServerError."""
    digest = await asyncio.to_thread(_known_digest, package.folder, cache)

    async def fill(folder: Path) -> None:
        await asyncio.to_thread(_copy, package.folder, folder)
        # A package manager may be at work on the original.
        if await asyncio.to_thread(_digest, folder) != digest:
            raise failed("The workspace's TypeScript changed while it was copied.", "Ask again.")

    def whole(folder: Path) -> bool:
        copy = read_package(folder, package.name)
        return copy is not None and copy.version == package.version and copy.usable

    title = f"a copy of the workspace's TypeScript {package.version}"
    folder = cache.packages(f"{package.name}-{package.version}-{digest}")
    await install_once(folder, title, fill, whole, progress)
    return Package(package.name, package.version, folder)


def _known_digest(folder: Path, cache: Cache) -> str:
    """The same as `_digest`: to read 9 MB at each start takes longer than to start."""
    try:
        remembered = Remembered(cache.remembered, "digest", _files(folder))
    except OSError as error:
        raise failed(f"The TypeScript in {folder} cannot be read: {error}.") from error
    known = remembered.word()
    if known is None:
        known = _digest(folder)
        remembered.keep(known)
    return known


def _digest(folder: Path) -> str:
    """12 hex digits. Raises LanguageServerError."""
    state = hashlib.blake2b(digest_size=6)
    try:
        for file in _files(folder):
            state.update(f"{file.name} {file.stat().st_size}\n".encode())
            if file.name in _PROGRAMS:
                state.update(file.read_bytes())
    except OSError as error:
        raise failed(f"The TypeScript in {folder} cannot be read: {error}.") from error
    return state.hexdigest()


def _copy(source: Path, target: Path) -> None:
    (target / "lib").mkdir()
    for file in _files(source):
        shutil.copyfile(file, target / file.relative_to(source))


def _files(folder: Path) -> list[Path]:
    """package.json and the files of lib; translated messages lie in folders below it and are left out."""
    return [folder / "package.json", *sorted(file for file in (folder / "lib").iterdir() if file.is_file())]
