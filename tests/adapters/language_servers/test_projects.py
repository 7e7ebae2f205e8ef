"""Which projects of tsserver stay loaded once a process has run out of memory with more of them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from cn_daemon.adapters.language_servers.tsserver.projects import Opening, Projects
from cn_daemon.application.ports import Coverage
from cn_shared.errors import DeadlineError, LanguageServerError

APPS = "abcdefgh"


class Server:
    """A project for each folder. opened: the files that it was told to open, and not yet to close."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.opened: set[str] = set()
        self.projects = Projects(self._open, self._close, self._project_of, lambda: None, lambda path: True)
        for app in APPS:
            (root / app).mkdir()
            (root / app / "tsconfig.json").write_text("{}")

    async def _open(self, paths: Sequence[str], deadline: float) -> None:
        if deadline < 0:
            raise DeadlineError("deadline_passed", "before it was told")
        self.opened.update(paths)

    async def _close(self, paths: Sequence[str], deadline: float) -> None:
        assert self.opened.issuperset(paths)
        self.opened.difference_update(paths)

    async def _project_of(self, path: str, deadline: float) -> Opening:
        if path not in self.opened:
            raise LanguageServerError("request_refused", "No Project.")
        return Opening(str(Path(path).parent / "tsconfig.json"), [path], False)

    def path(self, app: str) -> str:
        return str(self.root / app / "use.ts")

    async def load(self, *apps: str) -> Coverage:
        return await self.projects.load([self.path(app) for app in apps], 0.0)

    async def question(self, *apps: str) -> Coverage:
        return await asyncio.create_task(self.load(*apps))

    def holds(self, *apps: str) -> bool:
        return self.opened == {self.path(app) for app in apps}


@pytest.fixture
def server(tmp_path: Path) -> Server:
    return Server(tmp_path)


def test_without_an_overflow_every_project_stays(server: Server) -> None:
    async def questions() -> None:
        for app in APPS:
            assert (await server.question(app)).reason == ""
        assert server.holds(*APPS)

    asyncio.run(questions())


def test_behind_an_overflow_ended_questions_make_way(server: Server) -> None:
    async def questions() -> None:
        await server.question(*APPS)
        server.projects.overflowed()
        server.projects.forget()
        server.opened.clear()
        for app in APPS:
            assert await server.question(app) == Coverage(1, 1, [])
            assert server.path(app) in server.opened
        assert len(server.opened) <= 6
        # What was closed is loaded again.
        assert await server.question("a", "b") == Coverage(2, 2, [])
        assert {server.path("a"), server.path("b")} <= server.opened

    asyncio.run(questions())


def test_what_a_running_question_counts_on_stays(server: Server) -> None:
    async def questions() -> None:
        await server.question(*APPS)
        server.projects.overflowed()
        server.projects.forget()
        server.opened.clear()
        asked = asyncio.Event()

        async def long() -> None:
            await server.load("a", "b", "c")
            await asked.wait()
            assert await server.load("a", "b", "c") == Coverage(3, 3, [])

        running = asyncio.create_task(long())
        await asyncio.sleep(0)
        for app in "defgh":
            await server.question(app)
            assert {server.path(one) for one in "abc"} <= server.opened
        asked.set()
        await running

    asyncio.run(questions())


def test_a_question_that_needs_more_is_told_why_it_cannot_have_them(server: Server) -> None:
    async def questions() -> None:
        await server.question(*APPS)
        server.projects.overflowed()
        server.projects.forget()
        server.opened.clear()
        told = await server.question(*APPS)
        assert "run out of memory with more than 6 projects" in told.reason
        assert told.projects_loaded == 6
        assert told.missing == [server.path("g"), server.path("h")]
        assert (await server.question("g")).reason == ""

    asyncio.run(questions())


@pytest.mark.parametrize("own", [False, True])
def test_what_a_question_without_time_did_not_get_to_open_is_opened_by_the_next(server: Server, own: bool) -> None:
    """It was taken for open: every question after a short one ended with "No Project"."""

    async def questions() -> None:
        await server.question("b")
        late = await asyncio.create_task(server.projects.load([server.path("a")], -1.0, own=own))
        assert "still being loaded" in late.reason
        assert await server.question("c") == Coverage(1, 1, [])
        assert await server.question("a") == Coverage(1, 1, [])
        assert server.holds("a", "b", "c")

    asyncio.run(questions())
