"""How language servers are spoken to first: options, and what they ask back."""

from __future__ import annotations

import asyncio
import functools
import os
import shutil
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cn_daemon.adapters.language_servers.languages import Language
from cn_daemon.adapters.language_servers.provisioning import NativeToolchain, Toolchain
from cn_daemon.adapters.language_servers.provisioning.programs import Program
from cn_daemon.adapters.language_servers.spawning import Place, Started
from cn_daemon.importing import heavy
from cn_shared import __version__

if TYPE_CHECKING:
    from cn_daemon.adapters.language_servers.session import PyglsSession

INITIALIZE_TIMEOUT_S = 60
_importing = threading.Lock()


@dataclass(frozen=True, slots=True)
class Launch:
    """What every start needs."""

    place: Place
    memory_mb: int

    async def tsserver(self, started: Started[Toolchain], progressed: Callable[[Any], None]) -> PyglsSession:
        """typescript-language-server, initialized. Raises LanguageServerError, DeadlineError."""
        options = {
            "disableAutomaticTypingAcquisition": True,
            "hostInfo": "cn",
            "maxTsServerMemory": self.memory_mb,
            "tsserver": {"path": str(started.programs.tsserver), "useSyntaxServer": "auto", "logVerbosity": "off"},
        }
        return await self._session(started, options, progressed)

    async def native(self, started: Started[NativeToolchain], progressed: Callable[[Any], None]) -> PyglsSession:
        """The native compiler as a server, initialized. Raises LanguageServerError, DeadlineError."""
        return await self._session(started, {"disablePushDiagnostics": True}, progressed)

    async def language(
        self, program: Program, row: Language, heard: Mapping[str, Callable[[Any], Any]]
    ) -> PyglsSession:
        """The server of a row, initialized. heard: what is done at its notifications. Raises LanguageServerError,
        DeadlineError."""
        answers: dict[str, Callable[[Any], Any]] = {
            "workspace/configuration": lambda params: [row.settings.get(one.get("section")) for one in params["items"]],
            # Whatever it registers for, changes of files above all: it is told of every one.
            "client/registerCapability": lambda params: None,
            "client/unregisterCapability": lambda params: None,
            **heard,
        }
        command = (str(program.path), *row.arguments)
        started = await self.place.start(row.server, command, program, program.environment)
        return await self._session(started, dict(row.options), lambda value: None, answers)

    async def _session(
        self,
        started: Started[Any],
        options: dict[str, Any],
        progressed: Callable[[Any], None],
        further: Mapping[str, Callable[[Any], Any]] | None = None,
    ) -> PyglsSession:
        """A session over a process that is starting meanwhile."""
        answers = {
            "workspace/configuration": lambda params: [_CONFIGURATION for _ in params["items"]],
            "workspace/applyEdit": lambda params: {"applied": False},
            "$/progress": lambda params: progressed(params["value"]),
            **(further or {}),
        }
        try:
            session = (await asyncio.to_thread(session_class))(started.name, started.process, answers)
        except BaseException:
            started.kill()
            raise
        session.ended.add_done_callback(lambda _: shutil.rmtree(started.scratch, ignore_errors=True))
        try:
            start = _initialization(self.place.root, options)
            if further is not None:
                start["capabilities"]["textDocument"] |= _ASKED_FOR
                start["capabilities"]["experimental"] = {"serverStatusNotification": True}
            told = await session.request("initialize", start, timeout_s=INITIALIZE_TIMEOUT_S)
            session.capabilities = (told or {}).get("capabilities", {})
        except BaseException:
            session.kill()
            raise
        session.notify("initialized", {})
        return session


def session_class() -> type[PyglsSession]:
    """What a session is made of. Importing it takes its time (pygls): to be called in a thread."""
    with _importing:  # whoever needs it again waits for this import, and not for the others behind it
        return _session_class()


@functools.cache
def _session_class() -> type[PyglsSession]:
    with heavy:
        from cn_daemon.adapters.language_servers import late_types  # noqa: F401
        from cn_daemon.adapters.language_servers.session import PyglsSession

    return PyglsSession


# Automatic type acquisition would download what a repository names.
_CONFIGURATION = {"disableAutomaticTypeAcquisition": True, "tsserver": {"automaticTypeAcquisition": {"enabled": False}}}


# Whoever can be asked for diagnostics does not work them out unasked.
_ASKED_FOR = {"diagnostic": {"dynamicRegistration": False}, "implementation": {"linkSupport": True}}


def _initialization(root: Path, options: dict[str, Any]) -> dict[str, Any]:
    return {
        "processId": os.getpid(),
        "clientInfo": {"name": "cn", "version": __version__},
        "rootUri": root.as_uri(),
        "workspaceFolders": [{"uri": root.as_uri(), "name": root.name}],
        "capabilities": {
            "window": {"workDoneProgress": True},
            "workspace": {
                "configuration": True,
                "workspaceFolders": True,
                "didChangeWatchedFiles": {"dynamicRegistration": True},
            },
            "textDocument": {
                "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
                "definition": {"linkSupport": True},
                "hover": {"contentFormat": ["markdown"]},
            },
        },
        "initializationOptions": options,
    }
