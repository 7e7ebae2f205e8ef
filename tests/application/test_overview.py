"""cn overview: folders, files, and how it ends when time is over."""

from __future__ import annotations

import asyncio

import pytest

from cn_daemon.application.ports import Call
from cn_daemon.application.question import WorkspaceSession
from cn_daemon.application.surveys.overview import Overview
from cn_shared.errors import DeadlineError
from cn_shared.surveys import FileRow, OverviewAnswer
from tests.application.test_navigation import Bench
from tests.fakes.navigation import FakeLanguageServers, NoHistory


def test_overview_read_a_whole_workspace_past_its_deadline_and_let_nobody_else_ask() -> None:
    bench = Bench({f"src/row{number}.ts": "export class Row {}\n" for number in range(50)})
    overview = Overview(WorkspaceSession(bench.workspace, bench.words, FakeLanguageServers(bench.server), NoHistory()))

    async def asked(left_s: float) -> int:
        turns = 0
        question = asyncio.ensure_future(overview.overview(Call(None, asyncio.get_running_loop().time() + left_s)))
        while not question.done():
            turns += 1
            await asyncio.sleep(0)
        await question
        return turns

    assert asyncio.run(asked(10)) > 50
    with pytest.raises(DeadlineError):
        asyncio.run(asked(0))


def test_a_folder_that_holds_files_alone_was_told_by_its_size() -> None:
    bench = Bench(
        {"src/a.ts": "let a\n", "src/b/c.ts": "let c\n", "src/b/d.ts": "let d\nlet e\n", "src/b/e/f.ts": "let f\n"}
    )
    overview = Overview(WorkspaceSession(bench.workspace, bench.words, FakeLanguageServers(bench.server), NoHistory()))

    async def asked(folder: str, limit: int) -> OverviewAnswer:
        return await overview.overview(Call(None, asyncio.get_running_loop().time() + 10), folder, limit)

    whole = asyncio.run(asked("src/b", 0))
    assert whole.direct == [FileRow("src/b/d.ts", 2), FileRow("src/b/c.ts", 1)]
    assert [row.path for row in whole.folders] == ["src/b/e"]
    bounded = asyncio.run(asked("src/b", 1))
    assert (bounded.direct, bounded.omitted) == ([FileRow("src/b/d.ts", 2)], 1)
