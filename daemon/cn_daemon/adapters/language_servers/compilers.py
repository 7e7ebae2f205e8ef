"""TypeScript's servers as processes: the programs found or installed, and started.

Their start takes long by itself, so it is begun before what speaks to them is imported: this module imports little.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from cn_daemon.adapters.disclosure import Disclosure
from cn_daemon.adapters.language_servers import greeting
from cn_daemon.adapters.language_servers.ceiling import Ceiling
from cn_daemon.adapters.language_servers.provisioning import (
    NativeToolchain,
    Provisioning,
    Toolchain,
    has_native,
)
from cn_daemon.adapters.language_servers.provisioning.node import Cache
from cn_daemon.adapters.language_servers.spawning import Place, Started
from cn_daemon.settings import Settings

COMPILED, NATIVE = "typescript-language-server", "typescript-native"

Tell = Callable[[str], None]
# Files by which a workspace's root looks like TypeScript's.
_OBVIOUS = ("tsconfig.json", "jsconfig.json", "package.json")

# Where an editor has downloaded types for scripts: what is there would be known to this user alone.
_GUARD = Path(__file__).parent / "tsserver" / "guard.cjs"
_NO_CACHE = {"XDG_CACHE_HOME": os.devnull}


class Compilers:
    """obvious: whether TypeScript's server is wanted, whatever files there are. first: the one that answers by
    itself. ceiling: the memory of those that are started from now on. disclosure: what they may read, and answers
    show."""

    def __init__(self, root: Path, settings: Settings, environment: Mapping[str, str], log_file: Path) -> None:
        # What the setting server_command names is the user's own, and may write where it likes.
        confined = settings.sandbox and not settings.server_command
        kept = Cache.of(settings)
        cache = kept.folder
        self.disclosure = Disclosure(root, environment)
        self.place = Place(root, log_file, environment, cache, confined, self.disclosure.folders)
        self.obvious = any(os.path.lexists(root / name) for name in _OBVIOUS)
        chosen = {"typescript": COMPILED, "native": NATIVE}.get(settings.server)
        self.first = chosen or (NATIVE if has_native(root) else COMPILED)
        self.ceiling = Ceiling(settings)
        if settings.typescript:
            self.disclosure.add([str(settings.typescript)])
        # What servers keep there are declarations of their languages (ty's typeshed) and what they know of modules.
        self.disclosure.add([str(kept.installed), str(cache / "servers")])
        if kept.kept:
            self.disclosure.add([str(kept.kept / "toolchains")])
        self._root = root
        self._settings = settings
        self._ahead: asyncio.Task[Started[Any]] | None = None
        self._line = ""
        self._tell: Tell | None = None
        self._refused: dict[str, str] = {}

    async def begin(self, within_s: float = 0.0) -> None:
        """Start the first one, for whoever asks for it next; return when its process is there, or after so long."""
        start = self._compiled if self.first == COMPILED else self._native
        self._ahead = asyncio.create_task(start(self._on_line))
        await asyncio.wait({self._ahead}, timeout=within_s)

    async def compiled(self, tell: Tell) -> Started[Toolchain]:
        """typescript-language-server. tell: is called with what takes time. Raises LanguageServerError."""
        return await (self._begun(COMPILED, tell) or self._compiled(tell))

    async def native(self, tell: Tell) -> Started[NativeToolchain]:
        """The native compiler as a server. tell: is called with what takes time. Raises LanguageServerError."""
        return await (self._begun(NATIVE, tell) or self._native(tell))

    async def close(self) -> None:
        """End what was begun and nobody asked for."""
        task, self._ahead = self._ahead, None
        if task is None:
            return
        task.cancel()
        await asyncio.wait({task})
        if not task.cancelled() and task.exception() is None:
            task.result().kill()
            await task.result().process.wait()

    def _begun(self, name: str, tell: Tell) -> Awaitable[Started[Any]] | None:
        if name != self.first or self._ahead is None:
            return None
        task, self._ahead = self._ahead, None
        self._tell = tell
        if self._line:
            tell(self._line)
        return task

    def _on_line(self, line: str) -> None:
        self._line = line
        if self._tell is not None:
            self._tell(line)

    def _provisioning(self, tell: Tell) -> Provisioning:
        return Provisioning(self._root, self._settings, tell, self.place.environment, self._refused)

    async def _compiled(self, tell: Tell) -> Started[Toolchain]:
        found = await self._provisioning(tell).toolchain()
        command = self._settings.server_command or (str(found.node), str(found.server), "--stdio")
        options = {
            "disableAutomaticTypingAcquisition": True,
            "hostInfo": "cn",
            "maxTsServerMemory": self.ceiling.mb,
            "tsserver": {"path": str(found.tsserver), "useSyntaxServer": "never", "logVerbosity": "off"},
        }
        parameters = greeting.parameters(self._root, options)
        # tsserver, which that server starts, reads no file that answers may not tell of: what it infers, describes and
        # complains about would.
        script = str(_GUARD).replace("\\", "\\\\").replace('"', '\\"')
        guarding = {"NODE_OPTIONS": f'--require "{script}"', "CN_READABLE": json.dumps(self.disclosure.readable())}
        return await self.place.start(COMPILED, command, found, parameters, guarding, reading=[str(_GUARD)])

    async def _native(self, tell: Tell) -> Started[NativeToolchain]:
        found = await self._provisioning(tell).native()
        command = self._settings.server_command or (str(found.program), "--lsp", "--stdio")
        options = {"disablePushDiagnostics": True}
        # Beyond it the native compiler collects its garbage harder: unasked it takes three times as much.
        environment = {**_NO_CACHE, "GOMEMLIMIT": f"{self.ceiling.mb}MiB"}
        return await self.place.start(NATIVE, command, found, greeting.parameters(self._root, options), environment)
