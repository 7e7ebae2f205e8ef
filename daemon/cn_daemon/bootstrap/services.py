"""What stands behind the doors."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
from collections.abc import Hashable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cn_daemon.bootstrap.late import Late
from cn_daemon.settings import KEYS, Settings, environment_names
from cn_shared.environment import is_passed_on
from cn_shared.execution import outside
from cn_shared.relation_verbs import RELATION_VERBS
from cn_shared.survey_verbs import SURVEY_VERBS

if TYPE_CHECKING:
    from cn_daemon.adapters.language_servers.compilers import Compilers
    from cn_daemon.application.ports import Answer, Call, Handler
    from cn_daemon.bootstrap.code import Code
    from cn_daemon.bootstrap.library import Libraries
    from cn_daemon.bootstrap.questions import Questions
    from cn_shared.wire import LanguageServerStatus, LibraryStatus

# The settings that decide which language server answers: when one changes, the servers are replaced.
DECISIVE = (
    "server",
    "server_command",
    "language_servers",
    "node",
    "typescript",
    "typescript_source",
    "own_typescript",
    "sandbox",
    "bindings",
    "tsserver_memory_mb",
    "cache_directory",
)
# When one of these settings changes, the libraries are read anew.
LIBRARY_SETTINGS = (
    *("commands_directory", "reports_directory", "reports_database", "catalogs"),
    *("cache_ttl_seconds", "cache_directory"),
)

QUESTIONS = ("map", "find", "inspect", *(row.name for row in (*RELATION_VERBS, *SURVEY_VERBS)))
LIBRARY = (
    *("search", "describe", "get", "commands", "reload"),
    *("reports search", "reports list", "reports link", "reports show"),
)
RUNNING = ("execute", "invoke")
# Those that TypeScript's language server answers.
SERVED = ("hover", "diagnostics")
# What is done beside the questions waits for the first ones, but not for ever.
_PATIENCE_S = 10.0
# An MCP client asks at once, and does not say what.
_FIRST_S = 0.2
# The process of a server that is installed is there within this time.
_SPAWNED_S = 0.1
# The files of most workspaces are read within this time, and a server that is installed runs.
_READ_S = 0.5


class OpenQuestions:
    """Entered by each question about code."""

    def __init__(self) -> None:
        self._questions = 0
        self._over = asyncio.Event()
        self._over.set()

    def __enter__(self) -> None:
        self._questions += 1
        self._over.clear()

    def __exit__(self, *_: object) -> None:
        self._questions -= 1
        if not self._questions:
            self._over.set()

    @property
    def busy(self) -> bool:
        return self._questions > 0

    def expect(self) -> None:
        """One is coming: not over before it was asked."""
        self._over.clear()

    async def over(self, deadline: float) -> None:
        """Return when none is being answered, or at a moment of the event loop's clock."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout_at(deadline):
                await self._over.wait()


class Services:
    """What stands behind the doors. Nothing is started before `start`. log: where language servers' stderr goes."""

    def __init__(self, root: Path, settings: Settings, log: Path) -> None:
        self.settings = settings
        self._root = root
        self._log = log
        self.rested = ""  # when the language servers were put to rest, as a clock tells it
        self._environment: Mapping[str, str] = dict(os.environ)
        self._open_questions = OpenQuestions()
        self._ahead: Sequence[asyncio.Task[None]] = ()
        self._opened = asyncio.Event()
        self._compilers = Late("cn_daemon.adapters.language_servers.compilers", self._make_compilers)
        self.code = Late("cn_daemon.bootstrap.code", self._make_code)
        self.questions = Late("cn_daemon.bootstrap.questions", self._make_questions)
        self.library = Late("cn_daemon.bootstrap.library", self._make_library)
        self.running = Late("cn_daemon.bootstrap.running", self._make_running)
        self.handlers: Mapping[str, Handler] = {
            **{verb: self._question(verb) for verb in QUESTIONS},
            **{verb: self._library_verb(verb) for verb in LIBRARY},
            **{verb: self._run(verb) for verb in RUNNING},
            "config show": self._config,
        }

    async def expect(self, verb: str, query: str) -> None:
        """Begin what a question that is coming will wait for longest; return when only programs are waited for.
        Nothing else is begun before it was asked."""
        if verb not in QUESTIONS:
            return
        self._open_questions.expect()
        self._opened.set()
        if self.code.built is None and (verb in SERVED or self.settings.bindings != "on"):
            await self._begin()
        code = await self.code.get()
        self._ahead = [asyncio.create_task(self.start())]
        # What the doors need would be imported more slowly beside it, and it be read more slowly too.
        await asyncio.wait([asyncio.create_task(code.words.refresh())], timeout=_READ_S)

    async def _begin(self) -> None:
        """Start the process that the workspace is likely to need, before what is asked of it is imported."""
        compilers = await self._compilers.get()
        if compilers.obvious:
            await compilers.begin(_SPAWNED_S)
            await asyncio.to_thread(_speaking)

    async def start(self) -> None:
        """Begin what takes longest: the process of the bindings, or the language server. `settle` is to follow."""
        code = await self.code.get()
        if code.begins_with_names:
            await code.names_ready()
        else:
            await code.servers.warm(self._listed(code))

    async def _quiet(self) -> None:
        """Return when no question about code is being answered; not for ever."""
        await self._open_questions.over(asyncio.get_running_loop().time() + _PATIENCE_S)

    async def _listed(self, code: Code) -> None:
        await self._opened.wait()
        await code.words.refresh()

    async def settle(self) -> None:
        """Begin what else takes time, once the daemon answers: none of it delays the first questions."""
        self._opened.set()
        await asyncio.sleep(_FIRST_S)
        patience = asyncio.get_running_loop().time() + _PATIENCE_S
        await self._open_questions.over(patience)
        words = (await self.code.get()).words
        await words.refresh()
        library = await self.library.get()
        code = await self.code.get()
        # One that could not be had is looked for again when it is needed.
        behind = [code.servers.warm()] if code.begins_with_names and not code.servers.failed else []
        await asyncio.gather(words.settle(lambda: self._open_questions.over(patience)), library.warm(), *behind)
        _return_memory()

    async def close(self) -> None:
        """Shut the language servers down, within 5 s."""
        for task in self._ahead:
            task.cancel()
        await asyncio.gather(*self._ahead, return_exceptions=True)
        if self._compilers.built is not None:
            await self._compilers.built.close()
        if self.code.built is not None:
            await self.code.built.close()
        if self.library.built is not None:
            self.library.built.close()

    async def reconfigure(self, settings: Settings, values: Mapping[str, str]) -> None:
        """Go on under new settings; `values` are the caller's, as of `environment.values`."""
        before, path = self.settings, self._environment.get("PATH")
        self.settings = settings
        kept = {key: value for key, value in self._environment.items() if key == "PATH" or not is_passed_on(key)}
        self._environment = {**kept, **values}
        if self.library.built and any(getattr(before, key) != getattr(settings, key) for key in LIBRARY_SETTINGS):
            self.library.built.replace()
        code = self.code.built
        if code is None:
            return
        decisive = any(getattr(before, key) != getattr(settings, key) for key in DECISIVE)
        # Two shells with different PATHs would restart a running server in turn; one that failed may be helped by it.
        environment = self._of_readers()
        if decisive or (path != self._environment.get("PATH") and code.may_be_helped(environment)):
            await code.replace(settings, environment)

    @property
    def busy(self) -> bool:
        """Whether a question about code is being answered."""
        return self._open_questions.busy

    async def rest(self) -> bool:
        """End the language servers, which the next question starts again. False when there are none, or they are asked
        something."""
        code = self.code.built
        if code is None or self.busy or all(one.pid is None for one in code.servers.status()):
            return False
        await code.replace(self.settings, self._of_readers())
        self.rested = datetime.now().strftime("%H:%M")
        return True

    def libraries(self) -> tuple[list[LibraryStatus], list[str]]:
        """The libraries that hold something, and what of them could not be read."""
        return self.library.built.status() if self.library.built is not None else ([], [])

    def names(self, prefix: str, limit: int) -> list[str]:
        """Identifiers of the workspace that begin so, the commonest first."""
        return self.code.built.words.starting(prefix, limit) if self.code.built is not None else []

    async def revision(self) -> Hashable | None:
        """What changes whenever a command or a report does; None while the libraries are being read."""
        return await (await self.library.get()).revision()

    def language_servers(self) -> list[LanguageServerStatus]:
        return self.code.built.status() if self.code.built is not None else []

    def _make_compilers(self) -> Compilers:
        from cn_daemon.adapters.language_servers.compilers import Compilers

        return Compilers(self._root, self.settings, self._of_readers(), self._log)

    def _make_code(self) -> Code:
        from cn_daemon.bootstrap.code import Code

        compilers = self._compilers.built
        environment = self._of_readers()
        return Code(
            self._root, self.settings, environment, self._log, compilers, lambda: self._environment, self._quiet
        )

    def _make_questions(self) -> Questions:
        from cn_daemon.bootstrap.questions import Questions

        assert self.code.built is not None
        return Questions(self.code.built, self._root, self._passed_on, lambda: self.settings.sandbox)

    def _make_library(self) -> Libraries:
        from cn_daemon.bootstrap.library import Libraries

        return Libraries(self._root, lambda: self.settings, self._passed_on)

    def _make_running(self) -> dict[str, Handler]:
        from cn_daemon.bootstrap import running

        assert self.library.built is not None
        library = self.library.built
        return running.handlers(self._root, library.commands, library.usage, lambda: self.settings, self._passed_on)

    def _question(self, verb: str) -> Handler:
        handler: Handler | None = None

        async def answer(call: Call, **parameters: Any) -> Answer:
            nonlocal handler
            with self._open_questions:
                if handler is None:
                    await self.code.get()
                    handler = await (await self.questions.get()).handler(verb)
                return await handler(call, **parameters)

        return answer

    def _library_verb(self, verb: str) -> Handler:
        async def answer(call: Call, **parameters: Any) -> Answer:
            return await (await self.library.get()).handlers[verb](call, **parameters)

        return answer

    def _run(self, verb: str) -> Handler:
        async def answer(call: Call, **parameters: Any) -> Answer:
            await self.library.get()
            return await (await self.running.get())[verb](call, **parameters)

        return answer

    def _of_readers(self) -> dict[str, str]:
        """The caller's variables for what reads the workspace, and looks for nothing in it that it runs."""
        return outside(self._environment, self._root)

    def _passed_on(self) -> dict[str, str]:
        """The caller's variables for a command that is run: all but our secrets.

        CN_TOKEN is that of cn serve, and a base URL may hold a password.
        """
        secret = {name for row in KEYS if row.metadata["secret"] for name in environment_names(row.name)}
        secret |= {"CN_TOKEN", *environment_names("catalog_base_urls")}
        return {name: value for name, value in self._environment.items() if name not in secret}

    async def _config(self, call: Call) -> Answer:
        from cn_daemon.application import configuration

        return configuration.show(self.settings)


def _speaking() -> None:
    """Import what a server is asked through: its process is there before anything else that it is asked with."""
    from cn_daemon.adapters.language_servers.launch import session_class

    session_class()


def _return_memory() -> None:
    """After much was read: what stays is looked through for garbage no more, which would hold up a question for a
    tenth of a second; what was needed on the way goes back to the system, which glibc does not do by itself."""
    import ctypes  # late: the start needs none of it

    gc.freeze()
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
