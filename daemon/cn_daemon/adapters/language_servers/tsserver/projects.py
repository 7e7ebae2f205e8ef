"""Which projects of a TypeScript server are loaded, which files they cover, and which open files keep them so."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from cn_daemon.adapters.language_servers.sources import LOOSE_FILES
from cn_daemon.application.ports import Coverage
from cn_shared.errors import DeadlineError, LanguageServerError

# One that no question has asked for during this time makes room: every question that it was opened for has ended.
IDLE_S = 900
_INFERRED = "inferredProject"


class Opening(NamedTuple):
    """The project that an opened file belongs to: its tsconfig, all its files, and whether it was too large."""

    project: str
    files: Sequence[str]
    disabled: bool


@dataclass(slots=True)
class Project:
    """A loaded project. Its anchors are the files held open so that the server keeps it."""

    name: str
    anchors: set[str] = field(default_factory=set)
    files: frozenset[str] = frozenset()
    disabled: bool = False

    @property
    def inferred(self) -> bool:
        return _INFERRED in self.name


class Projects:
    """Loads just the projects that a question needs, and remembers them."""

    def __init__(
        self,
        open_files: Callable[[Sequence[str], float], Awaitable[None]],
        close_files: Callable[[Sequence[str], float], Awaitable[None]],
        project_of: Callable[[str, float], Awaitable[Opening]],
        lost: Callable[[], None],
        declares_globals: Callable[[str], bool],
    ) -> None:
        """lost: is told when a project that was loaded is not known to be so any more, or is made anew.
        declares_globals: whether what a file declares is known to others without an import."""
        self._open = open_files
        self._close = close_files
        self._project_of = project_of
        self._lost = lost
        self._declares_globals = declares_globals
        self._projects: dict[str, Project] = {}
        self._opened: set[str] = set()
        # Those of them that the server may never have been told of: the question ended while they were opened.
        self._untold: set[str] = set()
        # What was opened to learn which project is its own.
        self._asked: set[str] = set()
        # When each open file was asked for last.
        self._used: dict[str, float] = {}
        # What is known to be in no project though a tsconfig stands above it.
        self._left_out: set[str] = set()
        # So many are loaded at the most, since a process with more ran out of memory.
        self._limit: int | None = None
        # What each question that still runs has asked for, by its task.
        self._asking: dict[asyncio.Task[object], set[str]] = {}
        self.loading: str | None = None

    @property
    def anchors(self) -> set[str]:
        return self._opened

    @property
    def loaded(self) -> list[str]:
        """The names of the projects."""
        return list(self._projects)

    def overflowed(self) -> None:
        """The process ran out of memory with what is loaded: the next one is given less."""
        loaded = len(self._projects)
        self._limit = max(1, min(loaded - 1, round(loaded * 0.8)))

    def forget(self) -> None:
        """The server is a new one."""
        self.reloaded()
        self._opened.clear()
        self._untold.clear()

    def reloaded(self) -> None:
        """The configuration changed: which file belongs where is asked again."""
        if self._projects:
            self._lost()
        self._projects.clear()
        self._asked.clear()
        self._left_out.clear()

    def deleted(self, paths: Collection[str]) -> None:
        for project in list(self._projects.values()):
            project.anchors.difference_update(paths)
            project.files = project.files.difference(paths)
            if not project.anchors:
                del self._projects[project.name]
                self._lost()
        self._opened.difference_update(paths)
        self._untold.difference_update(paths)

    async def load(self, paths: Collection[str], deadline: float, *, own: bool = False) -> Coverage:
        """Open one file of each project that is not loaded yet, until every path is part of one. own: of the one that
        its folder means."""
        reason = ""
        missing: list[str] = []
        self._note(paths)
        now = asyncio.get_running_loop().time()
        self._used = {path: self._used.get(path, now) for path in self._opened} | dict.fromkeys(paths, now)
        try:
            if self._untold:
                await self._have_open(sorted(self._untold), deadline)
            for path in sorted(self._opened - self._covered_anchors()):
                await self._register(path, deadline)
            waiting = sorted(path for path in paths if not self.covers(path))
            while waiting:
                await self._load_one(waiting, deadline)
                waiting = [path for path in waiting if not self.covers(path)]
            for path in sorted(paths) if own else ():
                await self._load_own(path, deadline)
        except DeadlineError:
            where = self.loading or "the project"
            reason = f"{os.path.basename(where)} is still being loaded"
            missing = [path for path in paths if not self.covers(path)]
        except (_TooManyError, _FullError) as error:
            reason = str(error)
            missing = [path for path in paths if not self.covers(path)]
        if not reason:
            self.loading = None
        for project in self._projects.values():
            if project.disabled and not reason:
                reason = f"{os.path.basename(project.name)} is too large for the language service"
                missing = [path for path in paths if path in project.files] or missing
        loaded = sum(1 for project in self._projects.values() if not project.files.isdisjoint(paths))
        groups = {_configured(path) or os.path.dirname(path) for path in missing}
        return Coverage(loaded, loaded + len(groups), missing, reason)

    async def _load_one(self, waiting: list[str], deadline: float) -> None:
        path = waiting[0]
        folder = _configured(path)
        # Loose files share one inferred project: they are opened together, not each with a program rebuilt. What a
        # tsconfig above leaves out is loose as well.
        if folder is None or path in self._left_out:
            batch = [one for one in waiting if _configured(one) == folder]
        else:
            batch = [path]
        room = LOOSE_FILES - len(self._opened)
        if room < len(batch):
            room += await self._make_room(deadline)
        if room <= 0:
            raise _TooManyError(f"{len(waiting)} files lie outside every loaded project, too many to open")
        batch = batch[:room]
        await self._make_way(deadline)
        self.loading = path
        if behind := self._behind(batch):
            await self._close(behind, deadline)
            self.deleted(behind)
            self._lost()
            batch = sorted([*batch, *behind])
        await self._have_open(batch, deadline)
        for one in batch:
            if not self._is_loose(one):
                await self._register(one, deadline)
        if folder is not None and self._is_loose(path):
            self._left_out = {one for one in waiting if _configured(one) == folder}

    def _behind(self, batch: Sequence[str]) -> list[str]:
        """The open loose files that are to be read after some of these. Of two globals of one name that do not merge
        the first is used: whatever was asked before, it is the first by path, as natively."""
        loose = sorted(path for project in self._projects.values() if project.inferred for path in project.anchors)
        if not loose or loose[-1] < batch[0]:
            return []
        first = next(filter(self._declares_globals, batch), loose[-1])
        return [path for path in loose if path > first and self._declares_globals(path)]

    def _note(self, paths: Collection[str]) -> None:
        task = asyncio.current_task()
        assert task is not None
        if task not in self._asking:
            self._asking[task] = set()
            task.add_done_callback(self._asking.pop)
        self._asking[task].update(paths)

    async def _make_way(self, deadline: float) -> None:
        """Before another project is loaded: where that may be too many, close the longest loaded ones that no running
        question counts on."""
        if self._limit is None or len(self._projects) < self._limit:
            return
        needed = {self._holder(path) for paths in self._asking.values() for path in paths}
        idle = [project for project in self._projects.values() if project.name not in needed]
        if not idle:
            raise _FullError(self._limit)
        leaving = idle[: (len(idle) + 1) // 2]
        anchors = {path for project in leaving for path in project.anchors}
        await self._close(sorted(anchors), deadline)
        self._opened -= anchors
        for project in leaving:
            del self._projects[project.name]
        self._asked.clear()
        if self._opened:
            # Until a file is opened the server keeps what none holds, and what is loaded next would come beside it.
            await self._open([min(self._opened)], deadline)

    @property
    def loose(self) -> bool:
        """Whether files are open that no tsconfig holds."""
        return any(project.inferred for project in self._projects.values())

    @property
    def unclaimed(self) -> set[str]:
        """The open files that no tsconfig is known to hold."""
        configured = (project for project in self._projects.values() if not project.inferred)
        return self._opened.difference(*(project.anchors for project in configured))

    def _is_loose(self, path: str) -> bool:
        """Whether an inferred project is known to hold the file: the open ones keep all of theirs, and to be told of
        them once more for each file takes long."""
        for project in self._projects.values():
            if project.inferred and path in project.files:
                project.anchors.add(path)
                return True
        return False

    async def _make_room(self, deadline: float) -> int:
        """Close the loose files that no question needs any more. How many."""
        before = asyncio.get_running_loop().time() - IDLE_S
        loose = [project for project in self._projects.values() if project.inferred]
        idle = {path for project in loose for path in project.anchors if self._used.get(path, 0) < before}
        if idle:
            await self._close(sorted(idle), deadline)
            self.deleted(idle)
        return len(idle)

    async def _load_own(self, path: str, deadline: float) -> None:
        """Open a file that others' projects hold, unless the tsconfig nearest to it has been loaded or has told before
        that the file is none of its own."""
        if path in self._asked or path in self._opened:
            return
        folder = _configured(path)
        if folder is None or os.path.dirname(self.of(path)) == folder:
            return
        await self._make_way(deadline)
        self._asked.add(path)
        self.loading = path
        await self._have_open([path], deadline)
        await self._register(path, deadline)

    async def _have_open(self, paths: Sequence[str], deadline: float) -> None:
        self._opened.update(paths)
        self._untold.update(paths)
        await self._open(paths, deadline)
        self._untold.difference_update(paths)

    async def read_again(self, paths: Collection[str], deadline: float) -> None:
        """Ask for all files of the projects that hold one of these: with another text they lead elsewhere."""
        for project in list(self._projects.values()):
            if project.anchors and not project.files.isdisjoint(paths):
                await self._register(min(project.anchors), deadline)

    async def _register(self, path: str, deadline: float) -> None:
        opening = await self._project_of(path, deadline)
        project = self._projects.setdefault(opening.project, Project(opening.project))
        project.files = frozenset((*opening.files, path))
        project.disabled = opening.disabled
        if project.anchors and not project.inferred and path not in project.anchors:
            self._opened.discard(path)
            await self._close([path], deadline)
        else:
            project.anchors.add(path)

    def _covered_anchors(self) -> set[str]:
        return {path for project in self._projects.values() for path in project.anchors}

    def of(self, path: str) -> str:
        """The project that reads a file as its folder means it: the innermost one above it, else any that came to hold
        it; "" when there is none or it is no tsconfig's."""
        holder = self._holder(path)
        return "" if _INFERRED in holder else holder

    def _holder(self, path: str) -> str:
        """The same, or the project of loose files that holds it."""
        holding = [one.name for one in self._projects.values() if path in one.files]
        return max(holding, key=lambda name: (_INFERRED not in name, _nearness(name, path)), default="")

    def is_own(self, path: str) -> bool:
        """Whether the project that would be loaded if that file was opened is loaded, and holds it."""
        config = self._holder(path)
        if _INFERRED in config:
            return _configured(path) is None
        return os.path.basename(config) == "tsconfig.json" and os.path.dirname(config) == _configured(path)

    def together(self, one: str, other: str) -> bool:
        return any(one in project.files and other in project.files for project in self._projects.values())

    def covers(self, path: str) -> bool:
        return any(path in project.files for project in self._projects.values())


class _TooManyError(LanguageServerError):
    def __init__(self, message: str) -> None:
        super().__init__("too_many_files", message)


class _FullError(LanguageServerError):
    def __init__(self, limit: int) -> None:
        super().__init__(
            "out_of_memory",
            f"tsserver has run out of memory with more than {limit} projects, and this needs more of them "
            "(tsserver_memory_mb sets its ceiling; `server: native` needs a third)",
        )


def _nearness(project: str, path: str) -> tuple[bool, int, bool, str]:
    folder = os.path.dirname(project)
    return path.startswith(folder + "/"), len(folder), os.path.basename(project) == "tsconfig.json", project


def _configured(path: str) -> str | None:
    """The nearest folder above with a tsconfig.json or jsconfig.json."""
    folder = os.path.dirname(path)
    while True:
        if any(os.path.exists(os.path.join(folder, name)) for name in ("tsconfig.json", "jsconfig.json")):
            return folder
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above
