"""The port `TextSearch`: by a process of ours, and in it by ripgrep where the user has one."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from cn_daemon.adapters.file_tree import FileTree
from cn_daemon.adapters.language_servers import sandbox
from cn_daemon.adapters.programs import lean
from cn_daemon.adapters.texts import searching
from cn_daemon.adapters.worker import Worker
from cn_daemon.application.text_ports import FileHits, Searched, Sought
from cn_daemon.domain.source.text import Position
from cn_shared.children import record_child
from cn_shared.errors import DeadlineError, InputError, InternalError
from cn_shared.execution import find_executables, outside
from cn_shared.state import NAME

# Of what the process tells in one line: the places in one file.
_LINE_BYTES = 64 << 20


class ProcessTextSearch:
    """Of one workspace. environ: the caller's variables. sandboxed: whether the process is kept from other files."""

    def __init__(
        self, root: Path, environ: Callable[[], Mapping[str, str]], sandboxed: Callable[[], bool] = lambda: True
    ) -> None:
        self._root = root
        self._environ = environ
        self._sandboxed = sandboxed
        # Every file counts, but for the one that holds the daemon's token; the index watches sources alone.
        self._tree = FileTree(root, lambda name: name != NAME, watched=False)
        self._worker = Worker("listing")
        self._lock = asyncio.Lock()

    async def files(self) -> Sequence[str]:
        async with self._lock:
            await self._worker.run(self._tree.scan)
            return list(self._tree.files)

    async def search(self, sought: Sought, paths: Sequence[str], most: int, deadline: float) -> Searched:
        question = {**sought._asdict(), "files": list(paths), "program": self._ripgrep(), "most": most}
        hits: list[FileHits] = []
        unsearched: dict[str, str] = {}
        cut, reached = False, 0
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout_at(deadline):
                async for answer in self._answers(question, deadline):
                    if isinstance(answer, list):
                        reached = max(reached, answer[0] + 1)
                        if answer[1]:
                            hits.append(FileHits(paths[answer[0]], [Position(*place) for place in answer[1]]))
                    elif "reason" in answer:
                        unsearched.update((paths[number], answer["reason"]) for number in answer["unsearched"])
                    else:
                        cut, reached = not answer["done"], len(paths)
        return Searched(hits, unsearched, cut, reached)

    async def fitting(self, pattern: str, words: Sequence[str], deadline: float) -> list[str]:
        question = {"pattern": pattern, "words": list(words), "most": len(words)}
        try:
            async with asyncio.timeout_at(deadline):
                return [
                    words[answer[0]] async for answer in self._answers(question, deadline) if isinstance(answer, list)
                ]
        except TimeoutError:
            raise DeadlineError("timed_out", "Time ran out before all names were looked through.") from None

    async def _answers(self, question: dict[str, Any], deadline: float) -> AsyncIterator[Any]:
        """What the process tells, until it says that it is done. Raises InputError (`bad_pattern`)."""
        seconds = max(1.0, deadline - asyncio.get_running_loop().time())
        process = await self._started()
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(json.dumps({**question, "seconds": seconds}).encode())
            process.stdin.write_eof()
            async for line in process.stdout:
                answer = json.loads(line)
                if isinstance(answer, dict) and "wrong" in answer:
                    raise InputError(
                        "bad_pattern", f"{question['pattern']} is not a regular expression: {answer['wrong']}."
                    )
                yield answer
                if isinstance(answer, dict) and "done" in answer:
                    return
            # When the time that it was given is over it ends itself.
            if asyncio.get_running_loop().time() < deadline:
                raise InternalError(
                    "search_failed", "The process that looks through the files ended before it was done."
                )
            raise TimeoutError
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()

    async def _started(self) -> asyncio.subprocess.Process:
        command = [sys.executable, "-I", "-S", searching.__file__]
        program = self._ripgrep()
        if self._sandboxed():
            own = (sys.executable, sys.prefix, sys.base_prefix, searching.__file__, *([program] if program else ()))
            readable = [self._root, *own, *map(os.path.realpath, own)]
            command = sandbox.confined(command, [], readable)
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=_LINE_BYTES,
            cwd="/",
            env=self._variables(),
            start_new_session=True,
        )
        record_child(self._root, process.pid)
        return process

    def _variables(self) -> dict[str, str]:
        kept = lean(outside(self._environ(), self._root))
        return {name: value for name, value in kept.items() if not name.startswith("RIPGREP_")}

    def _ripgrep(self) -> str:
        """The user's; "" where there is none."""
        return str(next(find_executables("rg", self._root, self._environ()), ""))
