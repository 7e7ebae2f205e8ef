"""The port `ReportStore` over a folder of reports and its index on disk.

One thread keeps the index in step with the files, another one asks it. Two daemons may share an index: who writes
holds its lock, and then compares with what the other has already written.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import math
import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal, Protocol, TypeVar

from cn_daemon.adapters import report_query
from cn_daemon.adapters.file_tree import Stamp
from cn_daemon.adapters.patient_files import inside, read_text, tell
from cn_daemon.adapters.report_database import SqliteFile
from cn_daemon.adapters.report_text import ReportRow, report_row
from cn_daemon.adapters.watched_folder import WatchedFolder
from cn_daemon.adapters.worker import Worker
from cn_daemon.application.libraries.library_ports import Freshness
from cn_daemon.domain.libraries.excerpts import excerpt
from cn_daemon.domain.libraries.reports import Report, ReportHit, ReportQuery, spelled
from cn_shared.errors import DeadlineError, ForbiddenError, InputError, InternalError, NotFoundError
from cn_shared.wire import LibraryStatus

log = logging.getLogger(__name__)
T = TypeVar("T")

_BATCH = 200
_MANY = 300  # after this many changes the text index is put in order
_LATEST_AMONG, _LATEST_SHARE = 60, 0.5
_STUCK_S, _STUCK_WAIT_S = 2.0, 0.05
_NONE = -1


class Database(report_query.Counting, Protocol):
    """An index of reports; one connection, for one thread. Every method raises the `failures` of its place.

    What the methods do is described at `report_database.Database`.
    """

    def close(self) -> None: ...

    def fits(self) -> bool: ...

    def create(self) -> None: ...

    def known(self) -> dict[str, Stamp]: ...

    def transaction(self) -> contextlib.AbstractContextManager[None]: ...

    def put(self, row: ReportRow, mark: Stamp) -> None: ...

    def remove(self, path: str) -> None: ...

    def settle(self) -> None: ...

    def worn(self) -> bool: ...

    def generation(self, known: int) -> int:
        """The number of the state that is to be seen. known: what this daemon counted."""
        ...

    def search(
        self, match: report_query.Match, command: str, since: str, until: str, limit: int
    ) -> list[tuple[Report, float]]: ...

    def holding(self, words: Sequence[str], numbers: Sequence[int]) -> set[int]: ...

    def listed(self, command: str, since: str, until: str, offset: int, limit: int) -> tuple[list[Report], int]: ...

    def newest(self) -> dict[str, str]: ...

    def named(self, path: str) -> list[Report]: ...


class Place(Protocol):
    """Where an index lies. failures: what its database raises. useless: such that the index is to be built anew."""

    failures: tuple[type[Exception], ...]
    useless: tuple[type[Exception], ...]

    def exists(self) -> bool: ...

    def open(self) -> Database: ...

    def is_mine(self) -> bool:
        """Whether this daemon keeps it in step with the files, and no other one does."""
        ...

    def writing(self) -> contextlib.AbstractContextManager[None]: ...

    def discard(self) -> None: ...

    def close(self) -> None: ...


class ReportIndex:
    """`folder`: the reports' root. place: where the index lies. ttl_s: how often everything is listed anew."""

    def __init__(self, folder: Path, place: Place, ttl_s: float) -> None:
        self.folder = Path(os.path.realpath(folder))
        self._place = place
        self._watched = WatchedFolder(self.folder, _is_report, steady=True, ttl_s=ttl_s)
        self._writer, self._reader = Worker("cn report index"), Worker("cn report search")
        self._database: Database | None = None
        self._asking: Database | None = None
        self._commands: frozenset[str] = frozenset()
        self._counts: dict[str, int] = {}
        self._broken: dict[str, str] = {}
        self._freshness = Freshness(False, detail="indexing reports")
        self._waiting: asyncio.Task[None] | None = None
        self._looking: set[asyncio.Task[None]] = set()
        self._since: float | None = None
        self._following = False
        self.generation = 0
        self._read_generation = _NONE
        self._newest: tuple[int, Mapping[str, str]] = (-1, {})

    async def refresh(self, deadline: float, *, everything: bool = False) -> Freshness:
        if self._stuck():
            left = min(_STUCK_WAIT_S, max(0.0, deadline - time.monotonic()))
            if not self._looking or not (await asyncio.wait(self._looking, timeout=left))[0]:
                return self._freshness._replace(stale=f"{self.folder}: not answering")
        if self._waiting is None or everything:
            # One look may be waited for by many, as long as it has not begun.
            self._waiting = asyncio.create_task(self._writer.run(lambda: self._look(everything)))
            self._waiting.add_done_callback(_note)
            self._looking.add(self._waiting)
            self._waiting.add_done_callback(self._looking.discard)
        task = self._waiting
        await asyncio.wait([task], timeout=max(0.0, deadline - time.monotonic()))
        return self._freshness

    async def search(self, query: ReportQuery, limit: int, deadline: float) -> list[ReportHit]:
        return await self._ask(lambda database: self._search(database, query, limit), [], deadline)

    async def listed(
        self, command: str, since: str, until: str, offset: int, limit: int, deadline: float
    ) -> tuple[list[Report], int]:
        name = spelled(command)
        return await self._ask(lambda database: database.listed(name, since, until, offset, limit), ([], 0), deadline)

    async def newest(self, deadline: float) -> Mapping[str, str]:
        if self._newest[0] != self.generation:
            generation = self.generation
            self._newest = generation, await self._ask(lambda database: database.newest(), {}, deadline)
        return self._newest[1]

    async def find(self, path: str, deadline: float) -> Report:
        relative = self._relative(path)
        none: list[Report] = []
        found = await self._ask(lambda database: database.named(relative), none, deadline)
        if len(found) > 1:
            paths = [report.path for report in found]
            raise InputError("ambiguous_report", f"{path} is the name of several reports.",
                             f"Name one of: {', '.join(paths)}", paths=paths)  # fmt: skip
        if not found:
            raise NotFoundError("report_not_found", f"There is no report {path}.", "`cn reports list` lists them.")
        return found[0]

    async def text(self, report: Report, deadline: float) -> str:
        try:
            return await self._ask(lambda _: self._text(report), "", deadline)
        except OSError as error:
            raise NotFoundError("report_not_found", f"{report.path}: {tell(error)}.") from None

    def warnings(self) -> Sequence[str]:
        missing = self._freshness.complete and not self._freshness.stale and self._watched.missing
        return [*([f"reports_directory: there is no folder {self.folder}."] if missing else []), *self._broken.values()]

    def progress(self) -> list[LibraryStatus]:
        """One row, for `cn status`."""
        detail = self._freshness.stale or self._freshness.detail or None
        state: Literal["indexing", "ready"] = "ready" if self._freshness.complete else "indexing"
        return [LibraryStatus("reports", state, len(self._watched.files), detail)]

    def close(self) -> None:
        self._writer.post(self._end)
        self._writer.close()
        self._reader.close()

    # What follows runs in the writer's thread.

    def _look(self, everything: bool) -> None:
        self._waiting, self._since = None, time.monotonic()
        try:
            if not self._place.is_mine():
                self._follow()
                return
            look = self._watched.look(everything=everything)
            if look.stale:
                self._freshness = Freshness(self._freshness.complete, look.stale)
                return
            first = self._database is None or self._following
            self._following = False
            if first and self._watched.missing and self._known():
                # What an earlier daemon read; a folder that was unmounted must not empty the index.
                self._freshness = Freshness(stale=f"{self.folder}: it is not there")
                return
            if look.changed or first or not self._freshness.complete:
                with self._place.writing():
                    self._update(look.changed, first or everything or not self._freshness.complete)
            self._freshness = Freshness()
            self.generation = self._open().generation(self.generation)
        except self._place.failures as error:
            # Another one may answer again; what is of no use was built anew.
            log.warning("the report index %s: %s", self._place, error)
            self._drop()
            self._freshness = Freshness(self._freshness.complete, "the index of reports does not answer")
        finally:
            self._since = None

    def _follow(self) -> None:
        """See what the daemon wrote whose index it is."""
        database = self._database = self._database or self._place.open()
        if not database.fits():
            self._freshness = Freshness(False, detail="another daemon is to index the reports")
            return
        self.generation, self._following = database.generation(self.generation), True
        self._freshness = Freshness()

    def _drop(self) -> None:
        if self._database is not None:
            with contextlib.suppress(*self._place.failures):
                self._database.close()
            self._database = None

    def _known(self) -> bool:
        """Whether there is an index of this folder, with reports in it."""
        if not self._place.exists():
            return False
        try:
            with contextlib.closing(self._place.open()) as database:
                return database.fits() and bool(database.known())
        except self._place.failures:  # is built anew once the folder is back
            return False

    def _update(self, changed: set[str], all_files: bool) -> None:
        try:
            self._bring_up(changed, all_files)
        except self._place.useless as error:
            log.warning("the report index %s is built anew: %s", self._place, error)
            self._open_anew()
            self._bring_up(set(), True)

    def _bring_up(self, changed: set[str], all_files: bool) -> None:
        database = self._open()
        if database.worn():
            database = self._open_anew()
            all_files = True
        files = {os.path.relpath(path, self.folder): mark for path, mark in self._watched.files.items()}
        known = database.known() if all_files else {}
        if all_files:
            due = [path for path, mark in files.items() if known.get(path) != mark]
            gone = known.keys() - files.keys()
        else:
            names = {os.path.relpath(path, self.folder) for path in changed}
            due, gone = sorted(names & files.keys()), names - files.keys()
        for start in range(0, len(due) or 1, _BATCH):
            with database.transaction():
                for path in gone if not start else ():
                    database.remove(path)
                for path in due[start : start + _BATCH]:
                    self._put(database, path, files[path])
            self.generation += 1
            if len(due) > _BATCH:
                self._freshness = Freshness(False, detail=f"indexing reports: {start} of {len(due)}")
        if len(due) > _MANY or (all_files and due):
            database.settle()
            self.generation += 1

    def _put(self, database: Database, path: str, mark: Stamp) -> None:
        self._broken.pop(path, None)
        try:
            text = read_text(str(self.folder / path), self._inside)
            row = report_row(path, text, mark)
        except FileNotFoundError:
            return database.remove(path)
        except Exception as error:  # one file's: the others are read all the same
            self._broken[path] = f"{path}: {tell(error)}."
            return None
        return database.put(row, mark)

    def _open(self) -> Database:
        if self._database is None:
            self._database = self._place.open()
            if not self._database.fits():
                return self._open_anew()
        return self._database

    def _open_anew(self) -> Database:
        if self._database is not None:
            self._database.close()
        self._place.discard()
        self._database = self._place.open()
        self._database.create()
        self.generation += 1
        return self._database

    def _end(self) -> None:
        self._watched.close()
        for database in (self._database, self._asking):
            if database is not None:
                with contextlib.suppress(*self._place.failures):
                    database.close()
        self._place.close()

    # What follows runs in the reader's thread.

    def _search(self, database: Database, query: ReportQuery, limit: int) -> list[ReportHit]:
        parsed = report_query.parsed(database, query, self._commands, self._counts)
        if not any(parsed.match):
            since = query.since or min((first for first, _ in query.wanted), default="")
            until = query.until or max((last for _, last in query.wanted), default="")
            if not (parsed.command or query.latest or since or until):
                return []
            reports, _ = database.listed(parsed.command, since, until, 0, limit)
            return [ReportHit(report, 100, report.summary) for report in reports]
        wanted = max(limit, _LATEST_AMONG) if query.latest else limit
        found = database.search(parsed.match, parsed.command, query.since, query.until, wanted)
        if query.latest and found:
            close = [row for row in found if row[1] >= _LATEST_SHARE * found[0][1]]
            found = sorted(close, key=lambda row: row[0].date, reverse=True)[:limit]
        top = max((score for _, score in found), default=1.0) or 1.0
        shares = self._shares(database, parsed, [report for report, _ in found])
        return [
            ReportHit(report, _relevance(score, top, shares[report.number]), self._excerpt(report, parsed.words))
            for report, score in found
        ]

    def _shares(
        self, database: Database, parsed: report_query.ParsedQuery, reports: Sequence[Report]
    ) -> dict[int, float]:
        """By a report's number, the share of the question that it holds, 0-1."""
        shares = dict.fromkeys((report.number for report in reports), 0.0)
        for word, weight in parsed.weights.items() if reports else ():
            for number in database.holding([word], list(shares)):
                shares[number] += weight / parsed.total
        return shares

    def _excerpt(self, report: Report, words: frozenset[str]) -> str:
        try:
            return excerpt(self._text(report), words)
        except OSError:
            return report.summary

    def _text(self, report: Report) -> str:
        path = os.path.realpath(f"{self.folder}/{report.path}")
        if not path.startswith(f"{self.folder}/"):  # itself a real path
            raise FileNotFoundError(0, "it leads out of the reports folder")
        return read_text(path, self._inside)

    def _inside(self, real: str) -> bool:
        return inside(real, self.folder)

    async def _ask(self, question: Callable[[Database], T], nothing: T, deadline: float) -> T:
        """The answer, or `nothing` as long as there is no index at all."""
        try:
            async with asyncio.timeout(max(0.0, deadline - time.monotonic())):
                return await self._reader.run(lambda: self._answer(question, nothing))
        except TimeoutError:
            raise DeadlineError("deadline_passed", "The report index did not answer in time.") from None
        except self._place.failures as error:
            log.warning("the report index %s: %s", self._place, error)
            self._read_generation = _NONE  # opened anew for the next question
            raise InternalError(
                "report_index_failed", f"The report index cannot be read: {error}.", "cn reload"
            ) from None

    def _answer(self, question: Callable[[Database], T], nothing: T) -> T:
        if self._asking is None or self._read_generation != self.generation:
            generation = self.generation
            if self._asking is not None:
                with contextlib.suppress(*self._place.failures):
                    self._asking.close()
            self._asking = self._place.open()
            if not self._asking.fits():  # whoever writes creates it, and may be at it
                return nothing
            self._read_generation = generation
            self._counts = {}
            self._commands = frozenset(map(spelled, self._asking.newest()))
        return question(self._asking)

    def _relative(self, path: str) -> str:
        """The path below the reports folder. Raises ForbiddenError for one that leads out of it."""
        if not path or "\0" in path:
            raise InputError("bad_path", "A report is needed." if not path else "The path holds a NUL character.")
        absolute = os.path.normpath(os.path.join(self.folder, path))
        if not inside(absolute, self.folder) or not inside(os.path.realpath(absolute), self.folder):
            raise ForbiddenError("outside_root", f"{path} lies outside of the reports folder.")
        return os.path.relpath(absolute, self.folder)

    def _stuck(self) -> bool:
        began = self._since
        return began is not None and self._freshness.complete and time.monotonic() - began > _STUCK_S


class SqliteReportIndex(ReportIndex):
    """In a file of the cache. cache: that folder."""

    def __init__(self, folder: Path, cache: Path, ttl_s: float) -> None:
        name = hashlib.sha256(os.fsencode(os.path.realpath(folder))).hexdigest()[:16]
        self.file = cache / f"reports-{name}.sqlite"
        super().__init__(folder, SqliteFile(self.file), ttl_s)


def _is_report(name: str) -> bool:
    return name.lower().endswith(".md") and not name.startswith(".")


def _relevance(score: float, top: float, share: float) -> int:
    """Beside the best, and no more than the share of the question that it holds."""
    return max(1, min(99, round(99 * min(math.sqrt(max(0.0, score) / top), share))))


def _note(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and task.exception() is not None:
        log.error("the report index could not be brought up to date", exc_info=task.exception())
