"""A process of ours in JavaScript, `daemon/cn_compiler`, which reads the workspace's scripts.

Nothing of the workspace runs: the process loads the provisioned TypeScript and reads files. It is started at the first
question. One that dies, or is not done at the deadline, is ended; the text that it died of, or that took most of the
time, is left out until it changes.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import os
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar

from cn_daemon.adapters.compilers.note import Note
from cn_daemon.adapters.process_tree import ended_if_idle, own_worked_s
from cn_daemon.application.explained import asking
from cn_daemon.application.ports import Changes
from cn_daemon.domain.source.components import is_component
from cn_shared.errors import LanguageServerError
from cn_shared.wire import LanguageServerStatus

log = logging.getLogger(__name__)

T = TypeVar("T")
# A question is asked again of a new process when one ends: each text that ends one is left out then.
_DEATHS = 4
# An answer whose time is over is awaited all the same: the next question finds what was read for it. A process that has
# worked so long at one, in processor seconds, is stuck.
_STUCK_S = 60.0
# No text of people takes so long to be parsed.
_LONG_S = 2.0
_MISSING_S = 300.0
_HEADER = b"Content-Length: "


@dataclass(frozen=True, slots=True)
class Program:
    """command: what starts the worker's Node.js, the worker itself left out. typescript: the package's folder.
    components: the folder with the packages that read components, where they are wanted and had. allowed: real paths of
    folders that may be read beside the workspace."""

    command: Sequence[str]
    typescript: Path
    components: Path | None = None
    allowed: Sequence[str] = ()


class Index(Protocol):
    """What is asked of the identifier index; paths are absolute."""

    def files(self) -> list[str]: ...
    def watched_only(self) -> list[str]: ...
    def files_with(self, word: str) -> list[str]: ...
    def note(self, reader: str) -> bool: ...
    def changes_since(self, reader: str) -> Changes: ...
    def stamp(self, path: str) -> object | None: ...
    def ignored(self) -> frozenset[str]: ...


class Worker:
    """The process of one workspace. `refresh` of the index is the caller's."""

    def __init__(
        self,
        name: str,
        script: Path,
        heap_mb: int,
        root: Path,
        index: Index,
        program: Callable[[bool], Awaitable[Program]],
        log_file: Path,
        environment: Mapping[str, str],
    ) -> None:
        """name: of its row in the status, and as a reader of the index. program: is passed whether components are to be
        read."""
        self._name = name
        self._script = script
        self._heap_mb = heap_mb
        self._root = root
        self._index = index
        self._provide = program
        self._reads_components = False
        # One was asked about, which the index may not know yet.
        self._wants_components = False
        self._log_file = log_file
        self._environment = environment
        self._process: asyncio.subprocess.Process | None = None
        self._listening: asyncio.Task[None] | None = None
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._lock = asyncio.Lock()
        self._numbers = itertools.count(1)
        # Whether the process knows which files there are, and which paths git ignores.
        self._listed = False
        self._ignored: frozenset[str] = frozenset()
        self._note: Note | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        # Why there is no program, and until when nobody looks for it again.
        self._missing: LanguageServerError | None = None
        self._until = 0.0
        # What is being asked, and since when, in seconds since 1970.
        self._busy: tuple[asyncio.Task[Any] | None, float] = (None, 0.0)
        # For which nobody waits any more.
        self._unwanted: asyncio.Task[Any] | None = None
        # Texts that ended a process, by path: what the index had of them then.
        self._banned: dict[str, object | None] = {}

    @contextmanager
    def _opening(self, program: Program) -> Iterator[tuple[dict[str, Any], Sequence[int]]]:
        """What a new process is sent first, and the descriptors it is given."""
        components = program.components and str(program.components)
        opening = {"typescript": str(program.typescript), "root": str(self._root), "allowed": program.allowed}
        yield {**opening, "components": components}, ()

    def _needs_more(self, changes: Changes) -> bool:
        """Whether files that came need another process."""
        return not self._reads_components and (self._wants_components or any(map(is_component, changes.created)))

    def _answered_one(self) -> None:
        """A question was answered."""

    def status(self) -> LanguageServerStatus:
        process = self._process
        runs = process is not None and process.returncode is None
        state: Literal["ready", "failed", "stopped"] = "ready" if runs else "failed" if self._missing else "stopped"
        detail = self._missing.message if self._missing is not None and not runs else None
        return LanguageServerStatus(self._name, state, pid=process.pid if process and runs else None, detail=detail)

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

    async def _in_turn(self, work: Callable[[], Awaitable[T]], deadline: float) -> T:
        task = asyncio.create_task(self._alone(work))
        self._tasks.add(task)
        task.add_done_callback(self._answered)
        try:
            async with asyncio.timeout_at(deadline):
                return await asyncio.shield(task)
        except TimeoutError as error:
            at = self._end_stuck(task)
            raise LanguageServerError("timed_out", f"{self._name}: the process was not done in time{at}") from error
        except asyncio.CancelledError:
            self._give_up(task)
            raise

    def _give_up(self, task: asyncio.Task[Any]) -> None:
        """Nobody waits for it: the next question is not to wait for it either."""
        self._unwanted = task
        if self._busy[0] is not task:
            task.cancel()
        elif self._note is not None:
            self._note.give_up(max(self._answers, default=0))

    def _end_stuck(self, task: asyncio.Task[Any]) -> str:
        """Go on for the next question, unless one text took most of the time: that is left out of it then."""
        busy, begun = self._busy
        path, since = self._note.read() if self._note is not None else ("", 0.0)
        if busy is not task or not path or since > min(halfway(begun), time.time() - _LONG_S):
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
                    async with self._patience(_STUCK_S):
                        await self._ready()
                        if self._unwanted is asyncio.current_task():
                            raise asyncio.CancelledError
                        answer = await work()
                    self._answered_one()
                    return answer
                except TimeoutError as error:
                    reason = await self._fail("was stuck", halfway(begun))
                    raise LanguageServerError(f"{self._name}_failed", reason) from error
                except OSError as error:  # EOFError and ValueError of `_received` come as ConnectionError
                    reason = await self._fail("ended", time.time())
                    if not further:
                        raise LanguageServerError(f"{self._name}_failed", reason) from error
                    log.warning("%s; it is started again", reason)
                finally:
                    self._busy = None, 0.0
        raise AssertionError

    @asynccontextmanager
    async def _patience(self, stuck_s: float) -> AsyncIterator[None]:
        """Raises TimeoutError once the process has worked so many processor seconds: on a busy machine it is given them
        late. One that does nothing is ended by `ended_if_idle`."""
        loop = asyncio.get_running_loop()
        before = self._worked_s()
        async with asyncio.timeout(None) as limit:
            later = loop.call_later(stuck_s, lambda: look())

            def look() -> None:
                nonlocal later
                worked = self._worked_s()
                left = stuck_s - (worked - before if worked >= before else worked)  # less: another process by now
                if left > 0:
                    later = loop.call_later(max(left, stuck_s / 10), look)
                else:
                    limit.reschedule(loop.time())

            try:
                yield
            finally:
                later.cancel()

    def _worked_s(self) -> float:
        process = self._process
        return own_worked_s(process.pid) if process is not None and process.returncode is None else 0.0

    async def _fail(self, what: str, before: float) -> str:
        """The reason. before: in seconds since 1970, when the parsing of a text began that is to blame."""
        path, since = self._note.read() if self._note is not None else ("", 0.0)
        await self._end()
        if not path or since > before:
            return f"{self._name}: the process {what}"
        self._banned[path] = self._index.stamp(str(self._root / path))
        return f"{self._name}: the process {what} at {path}"

    async def _ready(self) -> None:
        """The process, and what changed since it was asked last."""
        for path in [
            path for path, stamp in self._banned.items() if self._index.stamp(str(self._root / path)) != stamp
        ]:
            del self._banned[path]
        if self._process is None or self._process.returncode is not None:
            await self._open()
        changes = self._changes()
        if self._needs_more(changes):
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
        """What the process does not know yet. That is everything, once the index knows it: a text's form may be asked
        for before."""
        changes = self._index.changes_since(self._name)
        if self._listed:
            return changes
        self._listed = self._index.note(self._name)
        return (
            Changes(created=frozenset([*self._index.files(), *self._index.watched_only()]))
            if self._listed
            else Changes()
        )

    async def _provided(self) -> Program:
        """Raises LanguageServerError; one that cannot be had is not looked for again at every question."""
        now = asyncio.get_running_loop().time()
        if self._missing is not None and now < self._until:
            raise LanguageServerError(self._missing.code, self._missing.message, self._missing.hint)
        try:
            self._reads_components |= self._wants_components or any(map(is_component, self._index.files()))
            program = await self._provide(self._reads_components)
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
        with self._log_file.open("ab") as stderr, self._opening(program) as (opening, descriptors):
            self._process = await asyncio.create_subprocess_exec(
                *program.command,
                f"--max-old-space-size={self._heap_mb}",
                "--expose-gc",
                str(self._script),
                str(self._note.descriptor),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=stderr,
                cwd=program.typescript,
                env=dict(self._environment),
                start_new_session=True,
                pass_fds=[self._note.descriptor, *descriptors],
            )
        assert self._process.stdout is not None
        self._listening = asyncio.create_task(self._listen(self._process.stdout))
        # The process has the descriptors by now.
        await self._ask("open", opening)

    async def _ask(self, method: str, parameters: Mapping[str, Any]) -> Any:
        """Who stops waiting does not end the process: its answer is dropped. Raises ConnectionError when it ends."""
        process = self._process
        assert process is not None
        assert process.stdin is not None
        number = next(self._numbers)
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        try:
            process.stdin.write(_framed({"id": number, "method": method, "params": parameters}))
            await process.stdin.drain()
            with asking(self._name), ended_if_idle(process.pid, self._name, lambda: _kill(process)):
                message = await answer
        finally:
            del self._answers[number]
        if "error" in message:
            raise LanguageServerError(f"{self._name}_failed", f"{self._name}: {message['error']['message']}")
        return message["result"]

    async def _listen(self, stream: asyncio.StreamReader) -> None:
        try:
            while True:
                message = await _received(stream)
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


def halfway(begun: float) -> float:
    """Between a moment and now: a text that is parsed since then has no part in what took so long."""
    return (begun + time.time()) / 2


def _kill(process: asyncio.subprocess.Process) -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def _framed(message: Mapping[str, Any]) -> bytes:
    """JSON-RPC, framed as in LSP: `Content-Length: 12`, an empty line, a body of that many bytes."""
    body = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return _HEADER + str(len(body)).encode() + b"\r\n\r\n" + body


async def _received(reader: asyncio.StreamReader) -> dict[str, Any]:
    """The next message. Raises EOFError when there is none, ValueError when it is none."""
    try:
        header = await reader.readuntil(b"\r\n\r\n")
        if not header.startswith(_HEADER):
            raise ValueError(f"no header: {header[:80]!r}")
        body = await reader.readexactly(int(header[len(_HEADER) :]))
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError) as error:
        raise EOFError("the process has ended") from error
    message = json.loads(body)
    if not isinstance(message, dict):
        raise ValueError("no object")
    return message
