"""How language servers are initialized, and what they ask back."""

from __future__ import annotations

import asyncio
import functools
import shutil
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cn_daemon.adapters.language_servers import greeting
from cn_daemon.adapters.language_servers.languages import Language
from cn_daemon.adapters.language_servers.lsp.link import NOTHING, Further
from cn_daemon.adapters.language_servers.provisioning.programs import Program
from cn_daemon.adapters.language_servers.spawning import Place, Started
from cn_daemon.importing import heavy

if TYPE_CHECKING:
    from cn_daemon.adapters.language_servers.session import PyglsSession

INITIALIZE_TIMEOUT_S = 60
_importing = threading.Lock()


@dataclass(frozen=True, slots=True)
class Launch:
    """What every start needs."""

    place: Place

    async def language(
        self,
        program: Program,
        row: Language,
        handlers: Mapping[str, Callable[[Any], Any]],
        further: Further = NOTHING,
    ) -> PyglsSession:
        """The server of a row, initialized. handlers: what is done at its notifications. Raises LanguageServerError,
        DeadlineError."""
        answers: dict[str, Callable[[Any], Any]] = {
            "workspace/configuration": lambda params: [row.settings.get(one.get("section")) for one in params["items"]],
            # Whatever it registers for, changes of files above all: it is notified of every one.
            "client/registerCapability": lambda params: None,
            "client/unregisterCapability": lambda params: None,
            **handlers,
        }
        command = (str(program.path), *program.script, *row.arguments, *further.arguments)
        reading = (*program.reading, *further.reading)
        kept = str(self.place.cache / "servers" / row.server)
        options = {name: kept if value == "{KEPT}" else value for name, value in row.options.items()}
        start = greeting.parameters(self.place.root, {**options, **further.options})
        start["capabilities"]["textDocument"] |= _ASKED_FOR
        start["capabilities"]["workspace"]["configuration"] = row.asking
        start["capabilities"]["experimental"] = {"serverStatusNotification": True}
        started = await self.place.start(
            row.server, command, program, start, program.environment, caching=row.caching, reading=reading
        )
        return await self.session(started, lambda value: None, answers)

    async def session(
        self,
        started: Started[Any],
        progressed: Callable[[Any], None],
        further: Mapping[str, Callable[[Any], Any]] | None = None,
    ) -> PyglsSession:
        """A session over a process that is starting meanwhile, initialized. Raises LanguageServerError,
        DeadlineError."""
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
            answer = await session.greeted(INITIALIZE_TIMEOUT_S)
            session.capabilities = (answer or {}).get("capabilities", {})
        except BaseException:
            session.kill()
            raise
        session.notify("initialized", {})
        return session


def session_class() -> type[PyglsSession]:
    """The modules that a session needs. Importing it takes its time (pygls): to be called in a thread."""
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
