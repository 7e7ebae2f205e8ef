"""The bindings of a workspace's names, answered by a process of ours: `daemon/cn_compiler/bindings/worker.mjs`."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from cn_daemon.adapters.compilers import facts_file
from cn_daemon.adapters.compilers.worker import Index, Program, Worker, halfway
from cn_daemon.application.ports import Doubt, Hit, Imported, Importing, NamedSymbol, Site, site_of
from cn_daemon.domain.source.components import is_component
from cn_daemon.domain.source.text import Document, Position, Span
from cn_shared.errors import LanguageServerError

log = logging.getLogger(__name__)

WORKER = Path(str(files("cn_compiler"))) / "bindings" / "worker.mjs"
# Facts of 7,000 files take 250 MB.
HEAP_MB = 1024
# Each further word is asked for after a hop over a name: no chain is that long.
_HOPS = 50
# Getting ready for further questions is done in slices, or by one text more, while nobody asks. stuck: in processor
# seconds.
_SLICE_MS = 15
_SLICE_STUCK_S = 10.0


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a file. path: relative to the root. line, character, length: from 0, in UTF-16 units. reason: of a
    doubt; held: what holds the symbol leaves its name there, so that types may tell where it goes; of a reference: no
    program holds it and the declaration."""

    path: str
    line: int
    character: int
    reason: str = ""
    length: int = 0
    held: bool = False


@dataclass(frozen=True, slots=True)
class Bound:
    """A symbol and what names it. doubts: places that names do not decide, each with the reason; complete without.
    names: by which it goes. scope: module, member, local or outside: what is no module's is not decided by names alone.
    module: of what lies outside, its specifier.
    """

    key: str
    name: str
    definitions: Sequence[Place]
    references: Sequence[Place]
    doubts: Sequence[Place]
    scope: str = "module"
    names: Sequence[str] = ()
    module: str = ""


class UnreadError(LanguageServerError):
    """The parser fails at the text of a file, or ends at it again and again."""

    def __init__(self, message: str, path: str) -> None:
        super().__init__("bindings_failed", message)
        self.path = path


class Bindings(Worker):
    """Those of one workspace; the port `Names`. `refresh` of the index is the caller's."""

    def __init__(
        self,
        root: Path,
        index: Index,
        program: Callable[[bool], Awaitable[Program]],
        log_file: Path,
        environment: Mapping[str, str],
        facts: Path | None = None,
        quiet: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """facts: the file that keeps what was parsed; None: memory alone. quiet: returns when no question is being
        answered, of which this process may be asked only a part."""
        super().__init__("bindings", WORKER, HEAP_MB, root, index, program, log_file, environment)
        self._facts = facts
        self._quiet = quiet
        self._preparing: asyncio.Task[None] | None = None

    def relative(self, path: str) -> str:
        return path.removeprefix(f"{self._root}/")

    def place(self, site: Site) -> dict[str, Any]:
        """As the process reads it."""
        line, character = site.position
        return {"file": self.relative(site.path), "line": line - 1, "character": character - 1}

    def hit(self, place: Place) -> Hit:
        start = Position(place.line + 1, place.character + 1)
        end = start._replace(character=start.character + place.length)
        return Hit(os.path.join(self._root, place.path), Span(start, end))  # a library's path is absolute

    def hits(self, places: Iterable[Place]) -> list[Hit]:
        return list(map(self.hit, places))

    @contextmanager
    def _opening(self, program: Program) -> Iterator[tuple[dict[str, Any], Sequence[int]]]:
        with super()._opening(program) as (opening, _), facts_file.opened(self._facts) as facts:
            opening["facts"] = facts and {**asdict(facts), "limit": facts_file.LIMIT_BYTES}
            yield opening, [facts.descriptor] if facts else []

    async def at(self, site: Site, deadline: float) -> Sequence[Bound]:
        """The symbols that a place names; it is itself in each answer, or the answer has a doubt. deadline: of the
        loop's clock. Raises LanguageServerError."""
        return await self._references(self.place(site), deadline)

    async def symbols_at(self, site: Site, deadline: float) -> list[NamedSymbol]:
        result = await self._in_turn(lambda: self._search("at", self.place(site)), deadline)
        unknown = {"name": "", "names": (), "references": (), "doubts": ()}
        return [self._symbol(_bound({**unknown, **one})) for one in result["symbols"]]

    async def uses(self, site: Site, deadline: float) -> list[NamedSymbol]:
        return list(map(self._symbol, await self.at(site, deadline)))

    async def module(self, path: str, deadline: float) -> list[NamedSymbol]:
        goal = {"file": self.relative(path), "isModule": True}
        return list(map(self._symbol, await self._references(goal, deadline)))

    async def library(self, package: str, name: str, deadline: float) -> list[NamedSymbol]:
        return list(map(self._symbol, await self._references({"library": package, "name": name}, deadline)))

    async def exported(self, sites: Sequence[Site], deadline: float) -> list[NamedSymbol]:
        goal = {"exported": list(map(self.place, sites))}
        return list(map(self._symbol, await self._references(goal, deadline)))

    async def naming(self, name: str, deadline: float) -> list[tuple[Site, str]]:
        result = await self._in_turn(lambda: self._search("naming", {"name": name}), deadline)
        return [(site_of(self.hit(place_of(one))), one["lost"]) for one in result["places"]]

    async def importing(self, sites: Sequence[Site], name: str, deadline: float) -> Importing:
        goal = {"places": list(map(self.place, sites)), "name": name}
        result = await self._in_turn(lambda: self._search("importing", goal), deadline)
        imported = [(count, package or "") for count, package in zip(result["counts"], result["packages"], strict=True)]
        return Importing(imported, [(self.hit(place_of(one)), one["files"]) for one in result["called"]])

    async def describing(self, site: Site, others: Sequence[Site], deadline: float) -> list[bool]:
        goal = {"place": self.place(site), "places": list(map(self.place, others))}
        return list((await self._in_turn(lambda: self._search("describing", goal), deadline))["may"])

    async def most_imported(self, paths: Collection[str], limit: int, deadline: float) -> tuple[list[Imported], int]:
        goal = {"files": list(map(self.relative, paths)), "limit": limit}
        result = await self._in_turn(lambda: self._search("mostImported", goal), deadline)
        symbols = [(one["name"], site_of(self.hit(place_of(one))), one["importers"]) for one in result["symbols"]]
        return [Imported(*one) for one in symbols], result["left"]

    async def using(
        self,
        paths: Sequence[str],
        name: str,
        deadline: float,
        holding: Sequence[str] = (),
        places: Sequence[Mapping[str, Any]] = (),
    ) -> dict[str, list[str]]:
        """Of the files that hold the name, or one of some words, those that may use what `paths` declare by it, at
        `places`; the files that declare something for others (ambient), and those of them that lead to it. Raises
        LanguageServerError."""
        goal = {"files": paths, "name": name, "places": places, **({"holding": holding} if holding else {})}
        result = await self._in_turn(lambda: self._search("using", goal), deadline)
        return {part: result[part] for part in ("files", "ambient", "reaching")}

    async def embedded(self, name: str, deadline: float) -> list[Place]:
        """Where files that are not parsed may take a member of a name. Raises LanguageServerError."""
        result = await self._in_turn(lambda: self._search("embedded", {"name": name}), deadline)
        return list(map(place_of, result["places"]))

    async def ambient(self, deadline: float) -> list[str]:
        """The files that declare something for files which do not import it. Raises LanguageServerError."""
        result = await self._in_turn(lambda: self._search("ambient", {}), deadline)
        return list(result["files"])

    async def declaring(self, names: Mapping[str, Sequence[str]], deadline: float) -> dict[str, list[str]]:
        """Of some files for each name those that may declare it (a private one's `#` aside). Raises
        LanguageServerError."""
        files = {name: {self._relative([path])[0]: path for path in paths} for name, paths in names.items()}

        async def ask() -> dict[str, list[str]]:
            paths_by_name: dict[str, list[str]] = await self._ask(
                "declaring", {"names": {one: list(files[one]) for one in files}}
            )
            return {name: [files[name][path] for path in paths] for name, paths in paths_by_name.items()}

        return await self._in_turn(ask, deadline)

    async def formed(self, method: str, texts: Sequence[Mapping[str, Any]], deadline: float) -> list[Any]:
        """What a method of `syntax.mjs` tells of each text. Raises LanguageServerError, and UnreadError."""
        at = ""

        async def ask() -> list[Any]:
            nonlocal at
            answers = []
            for one in texts:
                at = one["path"]
                answers.append(await self._ask(method, one))
            return answers

        self._wants_components |= any(is_component(one["path"]) for one in texts)
        try:
            return await self._in_turn(ask, deadline)
        except LanguageServerError as error:
            if error.code != "bindings_failed" or not at:
                raise
            raise UnreadError(error.message, at) from error

    async def usages(
        self, mentions: Sequence[tuple[Document, Sequence[Span]]], deadline: float
    ) -> list[list[tuple[Any, bool]]]:
        """What each mention of each file does: its role, and whether only a part of what it names is used. Raises
        LanguageServerError."""
        files = [
            {"path": document.path, "places": [[start.line - 1, start.character - 1] for start, _ in spans]}
            for document, spans in mentions
        ]

        async def ask() -> list[list[tuple[Any, bool]]]:
            answer: list[list[tuple[Any, bool]]] = await self._ask("usages", {"files": files})
            return answer

        return await self._in_turn(ask, deadline)

    async def _references(self, goal: Mapping[str, Any], deadline: float) -> list[Bound]:
        result = await self._in_turn(lambda: self._search("references", goal), deadline)
        return list(map(_bound, result["symbols"]))

    def _symbol(self, bound: Bound) -> NamedSymbol:
        doubts = [Doubt(self.hit(place), place.reason) for place in bound.doubts]
        decided = bound.scope in ("module", "local")
        return NamedSymbol(decided, self.hits(bound.definitions), self.hits(bound.references), doubts, bound.module)

    def _answered_one(self) -> None:
        if self._preparing is None or self._preparing.done():
            self._preparing = asyncio.create_task(self._prepare())
            self._tasks.add(self._preparing)
            self._preparing.add_done_callback(self._answered)

    async def _prepare(self) -> None:
        """Have the process get ready for further questions while nobody asks one: a slice, and then who waits."""
        left = True
        while left:
            if self._quiet is not None:
                await self._quiet()
            async with self._lock:
                if self._process is None:
                    return
                begun = time.time()
                try:
                    async with self._patience(_SLICE_STUCK_S):
                        left = (await self._ask("prepare", {"ms": _SLICE_MS}))["left"]
                except TimeoutError:
                    log.warning(await self._fail("was stuck", halfway(begun)))
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


def _bound(result: Mapping[str, Any]) -> Bound:
    definitions, references, doubts = (
        list(map(place_of, result[part])) for part in ("definitions", "references", "doubts")
    )
    what = result["scope"], result["names"], result.get("module") or ""
    return Bound(result["key"], result["name"], definitions, references, doubts, *what)


def place_of(result: Mapping[str, Any]) -> Place:
    """As a process tells it."""
    at = result["file"], result["line"], result["character"]
    return Place(*at, result.get("reason", ""), result.get("length") or 0, bool(result.get("held")))
