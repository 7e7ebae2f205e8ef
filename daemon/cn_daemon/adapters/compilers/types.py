"""What types decide: every mention of a member's name, answered by `daemon/cn_compiler/types/worker.mjs`."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

from cn_daemon.adapters.compilers.bindings import Bindings
from cn_daemon.adapters.compilers.worker import Index, Program, Worker
from cn_daemon.application.ports import Doubt, Hit, NamedSymbol, Site
from cn_daemon.domain.source.text import Position, Span

WORKER = Path(str(files("cn_compiler"))) / "types" / "worker.mjs"
# Programs of 3,800 files take 1 GB.
HEAP_MB = 1800
# The part of the time that is left in which programs are asked: the answer is written in the rest.
_SHARE = 0.9


class Types(Worker):
    """Those of one workspace. `refresh` of the index is the caller's."""

    def __init__(
        self,
        root: Path,
        index: Index,
        program: Callable[[], Awaitable[Program]],
        log_file: Path,
        environment: Mapping[str, str],
        old: Callable[[], bool],
    ) -> None:
        """old: whether the workspace's TypeScript is older than 6, whose defaults are others."""
        super().__init__("types", WORKER, HEAP_MB, root, index, program, log_file, environment)
        self._old = old

    @contextmanager
    def _opening(self, program: Program) -> Iterator[tuple[dict[str, Any], Sequence[int]]]:
        with super()._opening(program) as (opening, descriptors):
            yield {**opening, "old": self._old()}, descriptors

    async def mentions(self, goal: Mapping[str, Any], deadline: float) -> dict[str, Any]:
        """goal, answer: as of `mentions` in `worker.mjs`. Raises LanguageServerError."""

        async def ask() -> dict[str, Any]:
            left = max(0.0, deadline - asyncio.get_running_loop().time())
            found: dict[str, Any] = await self._ask("mentions", {**goal, "ms": round(left * _SHARE * 1000)})
            return found

        return await self._in_turn(ask, deadline)


class CompiledTypes:
    """The port `Types`. The bindings tell which files may use a member. The index is refreshed by who asks."""

    def __init__(self, root: Path, bindings: Bindings, types: Types) -> None:
        self._root = root
        self._bindings = bindings
        self._types = types

    async def uses(self, name: str, declared: Sequence[Site], deadline: float) -> NamedSymbol:
        paths = list(dict.fromkeys(map(self._relative, (site.path for site in declared))))
        goal = await self._bindings.using(paths, name, deadline)
        places = [
            {"file": self._relative(path), "line": at.line - 1, "character": at.character - 1} for path, at in declared
        ]
        found = await self._types.mentions({**goal, "name": name, "declared": places}, deadline)
        hits: dict[str, list[Hit]] = {"use": [], "definition": []}
        doubts = [Doubt(Hit(f"{self._root}/{path}", _START), UNREAD) for path in found["unread"]]
        for one in found["mentions"]:
            if one["kind"] == "doubt":
                doubts.append(Doubt(self._hit(one), one["reason"]))
            else:
                hits[one["kind"]].append(self._hit(one))
        return NamedSymbol(True, hits["definition"], hits["use"], doubts)

    def _relative(self, path: str) -> str:
        return path.removeprefix(f"{self._root}/")

    def _hit(self, one: Mapping[str, Any]) -> Hit:
        start = Position(one["line"] + 1, one["character"] + 1)
        end = start._replace(character=start.character + one["length"])
        return Hit(f"{self._root}/{one['file']}", Span(start, end))


_START = Span(Position(1, 1), Position(1, 1))
UNREAD = "a file that was not read"
