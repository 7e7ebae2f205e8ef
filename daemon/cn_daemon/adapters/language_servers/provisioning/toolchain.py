"""The decision: which Node.js, which typescript-language-server and which TypeScript serve a workspace."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from cn_daemon.adapters.language_servers.provisioning.choice import Choice, choose
from cn_daemon.adapters.language_servers.provisioning.install import Progress, failed
from cn_daemon.adapters.language_servers.provisioning.native import (
    PINNED_NATIVE,
    NativeToolchain,
    choose_native,
    pinned_native,
)
from cn_daemon.adapters.language_servers.provisioning.node import Cache, Node, find_node
from cn_daemon.adapters.language_servers.provisioning.npm import (
    install_manifests,
    pinned,
    place,
    read_release,
    release,
)
from cn_daemon.adapters.language_servers.provisioning.own import isolate
from cn_daemon.adapters.language_servers.provisioning.packages import (
    Package,
    on_path,
    program_in,
    program_of,
    read_package,
)
from cn_daemon.adapters.language_servers.provisioning.versions import PINNED, SERVER, TESTED, TYPESCRIPT
from cn_daemon.settings import Settings
from cn_shared.errors import LanguageServerError


@dataclass(frozen=True, slots=True)
class Toolchain:
    """Programs that fit together. Every path is absolute and exists.

    node: the Node.js program. server: typescript-language-server's lib/cli.mjs. tsserver: TypeScript's
    lib/tsserver.js. notes: sentences for the user, on whose TypeScript that is.
    """

    node: Path
    node_version: str
    server: Path
    server_version: str
    tsserver: Path
    typescript_version: str
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class Provisioning:
    """What is found or installed for the workspace at `root` (a real path).

    progress: called with one line per step that takes time. environ: the caller's variables (PATH, proxies,
    registries). refused: of versions that could not be had, why; they are not asked for again.
    """

    root: Path
    settings: Settings
    progress: Progress
    environ: Mapping[str, str]
    refused: MutableMapping[str, str] = field(default_factory=dict)

    async def toolchain(self) -> Toolchain:
        """Takes about 10 ms when everything is there. Raises LanguageServerError (`provisioning_failed`); cancelling
        it ends what it started."""
        cache = Cache.of(self.settings)
        finding = asyncio.create_task(find_node(self.root, self.settings, self.environ, cache, self.progress))
        try:
            choice, server = await asyncio.to_thread(self._choose, cache)
            node = await finding
        finally:
            finding.cancel()
            await asyncio.gather(finding, return_exceptions=True)
        install = partial(install_manifests, pinned(), node, self.root, self.environ, cache, self.progress)
        # Two downloads take no longer than one.
        installing = asyncio.create_task(install()) if server is None else None
        try:
            typescript, notes = await self._configured_or_chosen(choice, node, cache)
            if typescript is None or server is None:
                folder = await (installing or install())
                typescript = typescript or _pinned(folder, TYPESCRIPT)
                server = server or _pinned(folder, SERVER)
        finally:
            if installing:
                installing.cancel()
                await asyncio.gather(installing, return_exceptions=True)
        return Toolchain(
            node.program, node.version, server.entry, server.version, typescript.entry, typescript.version, notes
        )

    async def native(self) -> NativeToolchain:
        """Needs no Node.js but for the installation. Raises LanguageServerError (`provisioning_failed`)."""
        cache = Cache.of(self.settings)
        choice = await asyncio.to_thread(choose_native, self.root, self.settings, cache)
        notes: tuple[str, ...] = (choice.note,)
        if choice.own:
            own = await isolate(choice.own, self.settings.own_typescript, cache, self.progress)
            if program := program_of(own):
                return NativeToolchain(program, own.version, notes)
        if choice.version != PINNED_NATIVE:
            package, notes = await self._released(choice, cache)
            if package and (program := program_in(package.folder, package.version)):
                return NativeToolchain(program, package.version, notes)
        manifests = pinned_native()
        folder = place(manifests, cache)
        if not manifests.is_complete(folder):
            node = await find_node(self.root, self.settings, self.environ, cache, self.progress)
            folder = await install_manifests(manifests, node, self.root, self.environ, cache, self.progress)
        program = program_in(folder / "node_modules" / TYPESCRIPT, PINNED_NATIVE)
        assert program is not None
        return NativeToolchain(program, PINNED_NATIVE, notes)

    def _choose(self, cache: Cache) -> tuple[Choice, Package | None]:
        server = on_path(self.root, self.environ)
        choice = choose(self.root, self.settings, TESTED[TYPESCRIPT], PINNED[TYPESCRIPT], cache)
        return choice, server if server and server.usable else None

    async def _configured_or_chosen(
        self, choice: Choice, node: Node, cache: Cache
    ) -> tuple[Package | None, tuple[str, ...]]:
        """None for the pinned one."""
        if self.settings.typescript:
            package = await asyncio.to_thread(_configured, self.settings.typescript)
            return package, ("TypeScript: that of the setting typescript",)
        if choice.own:
            own = await isolate(choice.own, self.settings.own_typescript, cache, self.progress)
            return own, (choice.note,)
        if choice.version == PINNED[TYPESCRIPT]:
            return None, (choice.note,)
        return await self._released(choice, cache, node)

    async def _released(
        self, choice: Choice, cache: Cache, node: Node | None = None
    ) -> tuple[Package | None, tuple[str, ...]]:
        """The registry's copy of that version, or None, and what is to be said of it."""
        wanted = release(choice.version)
        package = await asyncio.to_thread(read_release, place(wanted, cache), choice.version)
        if package is None and choice.version not in self.refused:
            try:
                node = node or await find_node(self.root, self.settings, self.environ, cache, self.progress)
                folder = await install_manifests(wanted, node, self.root, self.environ, cache, self.progress)
                package = read_release(folder, choice.version)
            except LanguageServerError as error:
                self.refused[choice.version] = error.message
        if package:
            return package, (choice.note,)
        why = f"TypeScript: the pinned one; {self.refused.get(choice.version, 'its copy in the cache was removed')}"
        return None, (f"{why} ({choice.advice})" if choice.advice else why,)


async def provision(
    root: Path, settings: Settings, progress: Progress, *, environ: Mapping[str, str] | None = None
) -> Toolchain:
    """See `Provisioning.toolchain`. environ: the daemon's own variables when absent."""
    return await Provisioning(root, settings, progress, os.environ if environ is None else environ).toolchain()


async def provision_native(
    root: Path, settings: Settings, progress: Progress, *, environ: Mapping[str, str] | None = None
) -> NativeToolchain:
    """See `Provisioning.native`. environ: the daemon's own variables when absent."""
    return await Provisioning(root, settings, progress, os.environ if environ is None else environ).native()


def _pinned(folder: Path, name: str) -> Package:
    return Package(name, PINNED[name], folder / "node_modules" / name)


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
        f"The setting typescript names {path}, which is not a TypeScript package.",
        "Name its lib folder (it holds tsserver.js), or leave the setting out.",
    )
