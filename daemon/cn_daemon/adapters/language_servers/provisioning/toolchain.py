"""The decision: which Node.js, which typescript-language-server and which TypeScript serve a workspace."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cn_daemon.adapters.language_servers.provisioning.foreign import came_with_the_repository
from cn_daemon.adapters.language_servers.provisioning.install import Progress, failed
from cn_daemon.adapters.language_servers.provisioning.isolated import isolate
from cn_daemon.adapters.language_servers.provisioning.node import Cache, Node, find_node
from cn_daemon.adapters.language_servers.provisioning.npm import install_pinned
from cn_daemon.adapters.language_servers.provisioning.packages import (
    Package,
    in_workspace,
    on_path,
    read_package,
)
from cn_daemon.adapters.language_servers.provisioning.versions import PINNED, SERVER, TESTED, TYPESCRIPT
from cn_daemon.settings import Settings
from cn_shared.folders import cache_folder


@dataclass(frozen=True, slots=True)
class Toolchain:
    """Programs that fit together. Every path is absolute and exists.

    node: the Node.js program. server: typescript-language-server's lib/cli.mjs. tsserver: TypeScript's
    lib/tsserver.js. notes: sentences for the user, when something of the workspace was passed over.
    """

    node: Path
    node_version: str
    server: Path
    server_version: str
    tsserver: Path
    typescript_version: str
    notes: tuple[str, ...] = ()


async def provision(
    root: Path,
    settings: Settings,
    progress: Progress,
    *,
    environ: Mapping[str, str] | None = None,
) -> Toolchain:
    """The toolchain of the workspace at `root` (a real path); what is missing is installed first.

    progress: told one line per step that takes time. environ: the caller's variables (PATH, proxies,
    registries), the daemon's own when absent. Takes about 10 ms when everything is there. Raises
    LanguageServerError (`provisioning_failed`); cancelling it ends what it started.
    """
    environ = os.environ if environ is None else environ
    try:
        cache = Cache(settings.cache_directory or cache_folder())
    except OSError as error:
        raise failed(f"The cache folder cannot be used: {error}.", "Choose another with CN_CACHE_DIRECTORY.") from error
    finding = asyncio.create_task(find_node(root, settings, environ, cache, progress))
    try:
        chosen = await _choose(root, settings, environ, cache, progress)
        node = await finding
    finally:
        finding.cancel()
        await asyncio.gather(finding, return_exceptions=True)
    typescript, server = chosen.typescript, chosen.server
    if typescript is None or server is None:
        folder = await install_pinned(node, root, environ, cache, progress)
        typescript = typescript or _pinned(folder, TYPESCRIPT)
        server = server or _pinned(folder, SERVER)
    return _toolchain(node, server, typescript, tuple(chosen.notes))


def _toolchain(node: Node, server: Package, typescript: Package, notes: tuple[str, ...]) -> Toolchain:
    return Toolchain(
        node.program, node.version, server.entry, server.version, typescript.entry, typescript.version, notes
    )


def _pinned(folder: Path, name: str) -> Package:
    return Package(name, PINNED[name], folder / "node_modules" / name)


@dataclass(slots=True)
class _Choice:
    """What is there already; None is left to the pinned copy."""

    typescript: Package | None
    server: Package | None
    notes: list[str]


async def _choose(
    root: Path, settings: Settings, environ: Mapping[str, str], cache: Cache, progress: Progress
) -> _Choice:
    notes: list[str] = []
    server = typescript = None
    if settings.typescript:
        typescript = await asyncio.to_thread(_configured, settings.typescript)
    if settings.typescript_source != "bundled":
        always = settings.typescript_source == "workspace"
        own = None if typescript else await _own(root, TYPESCRIPT, "TypeScript", always, notes)
        typescript = await isolate(own, cache, progress) if own else typescript
        server = await _own(root, SERVER, SERVER, always, notes)
    if server is None:
        found = await asyncio.to_thread(on_path, root, environ)
        server = found if found and found.usable else None
    return _Choice(typescript, server, notes)


async def _own(root: Path, name: str, title: str, always: bool, notes: list[str]) -> Package | None:
    """The workspace's own package, when it may and can be run; else a note that says why not."""
    package = await asyncio.to_thread(in_workspace, root, name)
    if package is None:
        return None
    if not package.usable:
        notes.append(
            f"the workspace's {title} {package.version} is not used (cn was tested with {TESTED[name]}); "
            f"the pinned {PINNED[name]} answers instead"
        )
        return None
    if not always and await came_with_the_repository(package.entry, root):
        notes.append(
            f"the workspace's {title} {package.version} is not run, because it came with the repository; "
            f'the pinned {PINNED[name]} answers instead (typescript_source: "workspace" runs it)'
        )
        return None
    return package


def _configured(path: Path) -> Package:
    """The TypeScript of the setting: its lib folder, its package folder, or its tsserver.js."""
    for folder in (path.parent, path, path.parent.parent):
        package = read_package(folder, TYPESCRIPT)
        if package and package.usable:
            return package
        if package:
            raise failed(
                f"The setting typescript names TypeScript {package.version}; cn was tested with {TESTED[TYPESCRIPT]}.",
                "Name the lib folder of another TypeScript, or leave the setting out.",
            )
    raise failed(
        f"The setting typescript names {path}, which is no TypeScript package.",
        "Name its lib folder (it holds tsserver.js), or leave the setting out.",
    )
