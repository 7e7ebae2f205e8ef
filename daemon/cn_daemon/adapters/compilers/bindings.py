"""The bindings of a workspace's names, answered by a process of ours: `daemon/cn_compiler/bindings/worker.mjs`.

No program is loaded, and nothing of the workspace runs: the process loads the provisioned TypeScript and reads files.
It is started at the first question. One that dies, or is not done at the deadline, is ended; the text that it died of,
or that took most of the time, is left out until it changes.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import os
import signal
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar

from cn_daemon.adapters.compilers import facts_file
from cn_daemon.adapters.compilers.framing import framed, received
from cn_daemon.adapters.compilers.note import Note
from cn_daemon.application.ports import Changes
from cn_daemon.domain.source.components import is_component
from cn_shared.errors import LanguageServerError
from cn_shared.wire import LanguageServerStatus

log = logging.getLogger(__name__)

T = TypeVar("T")
WORKER = Path(str(files("cn_compiler"))) / "bindings" / "worker.mjs"
# Facts of 7,000 files take 250 MB.
HEAP_MB = 1024
# Each further word is asked for after a hop over a name: no chain is that long.
_HOPS = 50
# A question is asked again of a new process when one ends: each text that ends one is left out then.
_DEATHS = 4
# Getting ready for further questions is done in slices, or by one text more: a question waits for no more.
_SLICE_MS = 15
_SLICE_STUCK_S = 10.0
# An answer whose time is over is awaited all the same: the next question finds what was read for it. Beyond this the
# process is stuck.
_STUCK_S = 60.0
# No text of people takes so long to be parsed.
_LONG_S = 2.0
_MISSING_S = 300.0


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a file. path: relative to the root. line, character, length: from 0, in UTF-16 units."""

    path: str
    line: int
    character: int
    reason: str = ""
    length: int = 0


@dataclass(frozen=True, slots=True)
class Bound:
    """A symbol and what names it. doubts: places that names do not decide, each with the reason; complete without.
    scope: module, member, local or outside: what is no module's is not decided by names alone."""

    key: str
    name: str
    definitions: Sequence[Place]
    references: Sequence[Place]
    doubts: Sequence[Place]
    scope: str = "module"


@dataclass(frozen=True, slots=True)
class Found:
    """What a place or a name leads to. candidates: where the other symbols of a name are declared, each with how many
    files import it, the likelier first."""

    symbols: Sequence[Bound]
    candidates: Sequence[tuple[Place, int]]


@dataclass(frozen=True, slots=True)
class Program:
    """command: what starts the worker's Node.js, the worker itself left out. typescript: the package's folder.
    components: the folder with the packages that read components, where they are wanted and had."""

    command: Sequence[str]
    typescript: Path
    components: Path | None = None


class Index(Protocol):
    """What is asked of the identifier index; paths are absolute."""

    def files(self) -> list[str]: ...
    def noted(self) -> list[str]: ...
    def files_with(self, word: str) -> list[str]: ...
    def note(self, reader: str) -> bool: ...
    def tail(self, reader: str) -> Changes: ...
    def stamp(self, path: str) -> object | None: ...
    def ignored(self) -> frozenset[str]: ...


class Bindings:
    """The worker of one workspace. `refresh` of the index is the caller's."""

    def __init__(
        self,
        root: Path,
        index: Index,
        program: Callable[[bool], Awaitable[Program]],
        log_file: Path,
        environment: Mapping[str, str],
        facts: Path | None = None,
    ) -> None:
        """program: told whether components are to be read. facts: the file that keeps what was parsed; None: memory
        alone."""
        self._root = root
        self._index = index
        self._program = program
        self._log_file = log_file
        self._environment = environment
        self._facts = facts
        self._process: asyncio.subprocess.Process | None = None
        self._reads_components = False
        self._listening: asyncio.Task[None] | None = None
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._lock = asyncio.Lock()
        self._numbers = itertools.count(1)
        # Whether the process knows which files there are, and which paths git ignores.
        self._listed = False
        self._ignored: frozenset[str] = frozenset()
        self._note: Note | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._preparing: asyncio.Task[None] | None = None
        # Why there is no program, and until when nobody looks for it again.
        self._missing: LanguageServerError | None = None
        self._until = 0.0
        # What is being asked, and since when, in seconds since 1970.
        self._busy: tuple[asyncio.Task[Any] | None, float] = (None, 0.0)
        # Texts that ended a process, by path: what the index had of them then.
        self._banned: dict[str, object | None] = {}

    async def at(self, path: str, line: int, character: int, deadline: float) -> Found:
        """The symbols that a place names; it is itself in each answer, or the answer has a doubt. deadline: of the
        loop's clock. Raises LanguageServerError."""
        return await self._references({"file": path, "line": line, "character": character}, deadline)

    async def named(self, name: str, deadline: float, path: str | None = None) -> Found:
        """The first symbol declared by a name, or `Container.name`, in one file or in all. Raises
        LanguageServerError."""
        return await self._references({"name": name, "file": path}, deadline)

    async def module(self, path: str, deadline: float) -> Found:
        """The module that a file is. Raises LanguageServerError."""
        return await self._references({"file": path, "isModule": True}, deadline)

    async def meant(self, path: str, line: int, character: int, deadline: float) -> Sequence[Bound]:
        """The symbols that a place names, each with the first of its definitions alone. Raises LanguageServerError."""
        goal = {"file": path, "line": line, "character": character}
        result = await self._in_turn(lambda: self._search("at", goal), deadline)
        return [_bound({"name": "", "references": (), "doubts": (), **one}) for one in result["symbols"]]

    async def importing(self, places: Sequence[tuple[str, int, int]], deadline: float) -> list[int]:
        """By how many files what each place names is imported; of a member, what holds it. Raises
        LanguageServerError."""
        goal = {"places": [{"file": path, "line": line, "character": column} for path, line, column in places]}
        result = await self._in_turn(lambda: self._search("importing", goal), deadline)
        return list(result["counts"])

    async def outside(self, paths: Sequence[str], name: str, deadline: float) -> list[str]:
        """Of the files that hold a word, those that cannot use the member of that name which `paths` declare. Raises
        LanguageServerError."""
        goal = {"files": paths, "name": name}
        result = await self._in_turn(lambda: self._search("outside", goal), deadline)
        return list(result["files"])

    async def formed(self, method: str, texts: Sequence[Mapping[str, Any]], deadline: float) -> list[Any]:
        """What a method of `syntax.mjs` tells of each text. Raises LanguageServerError."""

        async def ask() -> list[Any]:
            return [await self._ask(method, one) for one in texts]

        return await self._in_turn(ask, deadline)

    def status(self) -> LanguageServerStatus:
        process = self._process
        runs = process is not None and process.returncode is None
        state: Literal["ready", "failed", "stopped"] = "ready" if runs else "failed" if self._missing else "stopped"
        detail = self._missing.message if self._missing is not None and not runs else None
        return LanguageServerStatus("bindings", state, pid=process.pid if process and runs else None, detail=detail)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._end()

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            _kill(process)
            await process.wait()
        if self._listening is not None:
            await self._listening
        if self._note is not None:
            self._note.close()
            self._note = None

    async def _references(self, goal: Mapping[str, Any], deadline: float) -> Found:
        parameters = {key: value for key, value in goal.items() if value is not None}
        result = await self._in_turn(lambda: self._search("references", parameters), deadline)
        candidates = [(_place(one), int(one["files"])) for one in result["candidates"]]
        return Found([_bound(symbol) for symbol in result["symbols"]], candidates)

    async def _in_turn(self, work: Callable[[], Awaitable[T]], deadline: float) -> T:
        task = asyncio.create_task(self._alone(work))
        self._tasks.add(task)
        task.add_done_callback(self._answered)
        try:
            async with asyncio.timeout_at(deadline):
                return await asyncio.shield(task)
        except TimeoutError as error:
            at = self._end_stuck(task)
            raise LanguageServerError("timed_out", f"bindings: the process was not done in time{at}") from error

    def _end_stuck(self, task: asyncio.Task[Any]) -> str:
        """Go on for the next question, unless one text took most of the time: that is left out of it then."""
        busy, begun = self._busy
        path, since = self._note.read() if self._note is not None else ("", 0.0)
        if busy is not task or not path or since > min(_halfway(begun), time.time() - _LONG_S):
            return ""
        if self._process is not None:
            _kill(self._process)
        return f" at {path}"

    def _answered(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        # Nobody may wait for it any more.
        if not task.cancelled():
            task.exception()

    async def _alone(self, work: Callable[[], Awaitable[T]]) -> T:
        async with self._lock:
            for further in reversed(range(_DEATHS)):
                begun = time.time()
                self._busy = asyncio.current_task(), begun
                try:
                    async with asyncio.timeout(_STUCK_S):
                        await self._ready()
                        answer = await work()
                    self._prepare_later()
                    return answer
                except TimeoutError as error:
                    reason = await self._fail("was stuck", _halfway(begun))
                    raise LanguageServerError("bindings_failed", reason) from error
                except OSError as error:  # EOFError and ValueError of `received` come as ConnectionError
                    reason = await self._fail("ended", time.time())
                    if not further:
                        raise LanguageServerError("bindings_failed", reason) from error
                    log.warning("%s; it is started again", reason)
                finally:
                    self._busy = None, 0.0
        raise AssertionError

    def _prepare_later(self) -> None:
        if self._preparing is None or self._preparing.done():
            self._preparing = asyncio.create_task(self._prepare())
            self._tasks.add(self._preparing)
            self._preparing.add_done_callback(self._answered)

    async def _prepare(self) -> None:
        """Have the process get ready for further questions while nobody asks one: a slice, and then who waits."""
        left = True
        while left:
            async with self._lock:
                if self._process is None:
                    return
                begun = time.time()
                try:
                    async with asyncio.timeout(_SLICE_STUCK_S):
                        left = (await self._ask("prepare", {"ms": _SLICE_MS}))["left"]
                except TimeoutError:
                    log.warning(await self._fail("was stuck", _halfway(begun)))
                    return
                except OSError:
                    log.warning(await self._fail("ended", time.time()))
                    return

    async def _search(self, method: str, goal: Mapping[str, Any]) -> dict[str, Any]:
        words: dict[str, list[str]] = {}
        for _ in range(_HOPS):
            result: dict[str, Any] = await self._ask(method, {**goal, "words": words})
            if not result["wants"]:
                return result
            words.update((word, self._relative(self._index.files_with(word))) for word in result["wants"])
        raise LanguageServerError("bindings_failed", "bindings: the names of a symbol lead from one to the next")

    async def _fail(self, what: str, before: float) -> str:
        """The reason. before: in seconds since 1970, when the parsing of a text began that is to blame."""
        path, since = self._note.read() if self._note is not None else ("", 0.0)
        await self._end()
        if not path or since > before:
            return f"bindings: the process {what}"
        self._banned[path] = self._index.stamp(str(self._root / path))
        return f"bindings: the process {what} at {path}"

    async def _ready(self) -> None:
        """The process, and what changed since it was asked last."""
        for path in [
            path for path, stamp in self._banned.items() if self._index.stamp(str(self._root / path)) != stamp
        ]:
            del self._banned[path]
        if self._process is None or self._process.returncode is not None:
            self._reads_components |= any(map(is_component, self._index.files()))
            await self._open()
        changes = self._changes()
        if not self._reads_components and any(map(is_component, changes.created)):
            self._reads_components = True
            await self._end()
            await self._open()
            changes = self._changes()
        update = {
            "created": self._relative(changes.created),
            "changed": self._relative(changes.changed),
            "deleted": self._relative(changes.deleted),
            "banned": list(self._banned),
        }
        ignored = self._index.ignored() if self._listed else self._ignored
        if ignored != self._ignored:
            self._ignored = ignored
            update["ignored"] = self._relative(ignored)
        if any(update.values()) or "ignored" in update:
            await self._ask("update", update)

    def _changes(self) -> Changes:
        """What the process is not told of. That is everything, once the index knows it: a text's form may be asked for
        before."""
        changes = self._index.tail("bindings")
        if self._listed:
            return changes
        self._listed = self._index.note("bindings")
        return Changes(created=frozenset([*self._index.files(), *self._index.noted()])) if self._listed else Changes()

    async def _provided(self) -> Program:
        """Raises LanguageServerError; one that cannot be had is not looked for again at every question."""
        now = asyncio.get_running_loop().time()
        if self._missing is not None and now < self._until:
            raise LanguageServerError(self._missing.code, self._missing.message, self._missing.hint)
        try:
            program = await self._program(self._reads_components)
            self._missing = None
            return program
        except LanguageServerError as error:
            self._missing, self._until = error, now + _MISSING_S
            raise

    async def _open(self) -> None:
        program = await self._provided()
        self._listed, self._ignored = False, frozenset()
        if self._note is None:
            self._note = Note()
        self._note.clear()
        with self._log_file.open("ab") as stderr, facts_file.opened(self._facts) as facts:
            descriptors = [self._note.descriptor, *([facts.descriptor] if facts else [])]
            self._process = await asyncio.create_subprocess_exec(
                *program.command,
                f"--max-old-space-size={HEAP_MB}",
                "--expose-gc",
                str(WORKER),
                str(self._note.descriptor),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=stderr,
                cwd=program.typescript,
                env=dict(self._environment),
                start_new_session=True,
                pass_fds=descriptors,
            )
        assert self._process.stdout is not None
        self._listening = asyncio.create_task(self._listen(self._process.stdout))
        opening: dict[str, Any] = {
            "typescript": str(program.typescript),
            "root": str(self._root),
            "allowed": [],
            "components": program.components and str(program.components),
            "facts": facts and {**asdict(facts), "limit": facts_file.LIMIT_BYTES},
        }
        await self._ask("open", opening)

    async def _ask(self, method: str, parameters: Mapping[str, Any]) -> Any:
        """Who stops waiting does not end the process: its answer is dropped. Raises ConnectionError when it ends."""
        process = self._process
        assert process is not None
        assert process.stdin is not None
        number = next(self._numbers)
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        try:
            process.stdin.write(framed({"id": number, "method": method, "params": parameters}))
            await process.stdin.drain()
            message = await answer
        finally:
            del self._answers[number]
        if "error" in message:
            raise LanguageServerError("bindings_failed", f"bindings: {message['error']['message']}")
        return message["result"]

    async def _listen(self, stream: asyncio.StreamReader) -> None:
        try:
            while True:
                message = await received(stream)
                answer = self._answers.get(message.get("id", 0))
                if answer is not None and not answer.done():
                    answer.set_result(message)
        except (EOFError, ValueError) as error:
            for answer in self._answers.values():
                if not answer.done():
                    answer.set_exception(ConnectionError(str(error)))

    def _relative(self, paths: Iterable[str]) -> list[str]:
        inside = f"{self._root}{os.sep}"
        return [path[len(inside) :] for path in paths if path.startswith(inside)]


def _bound(result: Mapping[str, Any]) -> Bound:
    definitions, references, doubts = (
        list(map(_place, result[part])) for part in ("definitions", "references", "doubts")
    )
    return Bound(result["key"], result["name"], definitions, references, doubts, result["scope"])


def _place(result: Mapping[str, Any]) -> Place:
    return Place(
        result["file"], result["line"], result["character"], result.get("reason", ""), result.get("length") or 0
    )


def _halfway(begun: float) -> float:
    """Between a moment and now: a text that is parsed since then has no part in what took so long."""
    return (begun + time.time()) / 2


def _kill(process: asyncio.subprocess.Process) -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
