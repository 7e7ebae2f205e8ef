"""How language servers are started: command lines, options, and what they ask back."""

from __future__ import annotations

import asyncio
import functools
import os
import shutil
import signal
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cn_daemon.adapters.language_servers.languages import Language
from cn_daemon.adapters.language_servers.provisioning import NativeToolchain, Toolchain
from cn_daemon.adapters.language_servers.provisioning.programs import Program
from cn_daemon.adapters.language_servers.spawning import spawn
from cn_daemon.adapters.programs import lean
from cn_daemon.importing import heavy
from cn_shared import __version__, children

if TYPE_CHECKING:
    from cn_daemon.adapters.language_servers.session import PyglsSession

INITIALIZE_TIMEOUT_S = 60


@dataclass(frozen=True, slots=True)
class Launch:
    """What every start needs. command: the user's own command line, instead of the one that was provisioned."""

    root: Path
    command: tuple[str, ...]
    memory_mb: int
    log_file: Path
    environment: Mapping[str, str]

    async def tsserver(self, toolchain: Toolchain, progressed: Callable[[Any], None]) -> PyglsSession:
        """typescript-language-server, initialized. Raises LanguageServerError, DeadlineError."""
        command = self.command or (str(toolchain.node), str(toolchain.server), "--stdio")
        options = {
            "disableAutomaticTypingAcquisition": True,
            "hostInfo": "cn",
            "maxTsServerMemory": self.memory_mb,
            "tsserver": {"path": str(toolchain.tsserver), "useSyntaxServer": "auto", "logVerbosity": "off"},
        }
        return await self._start("typescript-language-server", command, options, progressed)

    async def native(self, toolchain: NativeToolchain, progressed: Callable[[Any], None]) -> PyglsSession:
        """The native compiler as a server, initialized. Raises LanguageServerError, DeadlineError."""
        command = self.command or (str(toolchain.program), "--lsp", "--stdio")
        return await self._start("typescript-native", command, {"disablePushDiagnostics": True}, progressed)

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
        return await self._start(
            row.server, command, dict(row.options), lambda value: None, answers, program.environment
        )

    async def _start(
        self,
        name: str,
        command: Sequence[str],
        options: dict[str, Any],
        progressed: Callable[[Any], None],
        further: Mapping[str, Callable[[Any], Any]] | None = None,
        variables: Mapping[str, str] | None = None,
    ) -> PyglsSession:
        # typescript-language-server leaves a folder of each tsserver's in the temporary one, however it ends.
        scratch = children.scratch(self.root)
        passed_on = lean(self.environment)
        environment = {**passed_on, **(variables or {}), "TMPDIR": scratch}
        process = await spawn(name, command, cwd=self.root, environment=environment, log_file=self.log_file)
        children.record_child(self.root, process.pid)
        answers = {
            "workspace/configuration": lambda params: [_CONFIGURATION for _ in params["items"]],
            "workspace/applyEdit": lambda params: {"applied": False},
            "$/progress": lambda params: progressed(params["value"]),
            **(further or {}),
        }
        session = await _session(name, process, answers)
        session.ended.add_done_callback(lambda _: shutil.rmtree(scratch, ignore_errors=True))
        try:
            start = _initialization(self.root, options)
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


@functools.cache  # whoever needs it again does not wait for other imports
def session_class() -> type[PyglsSession]:
    """What a session is made of. Importing it takes its time (pygls): to be called in a thread."""
    with heavy:
        from cn_daemon.adapters.language_servers import late_types  # noqa: F401
        from cn_daemon.adapters.language_servers.session import PyglsSession

    return PyglsSession


async def _session(
    name: str, process: asyncio.subprocess.Process, answers: Mapping[str, Callable[[Any], Any]]
) -> PyglsSession:
    """A session over a process that is starting meanwhile."""
    try:
        return (await asyncio.to_thread(session_class))(name, process, answers)
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        raise


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
