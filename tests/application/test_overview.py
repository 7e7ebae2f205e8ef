"""cn overview: which names a file imports, and how it ends when time is over."""

from __future__ import annotations

import asyncio

import pytest

from cn_daemon.application.ports import Call
from cn_daemon.application.question import Desk
from cn_daemon.application.surveys.overview import Overview
from cn_daemon.application.surveys.used import exported, imported
from cn_daemon.domain.source.text import Document
from cn_shared.errors import DeadlineError
from cn_shared.surveys import FileRow, OverviewAnswer
from tests.application.test_navigation import Bench
from tests.fakes.navigation import FakeLanguageServers, NoHistory


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("import { operate } from '../util/observable';", {"operate"}),
        ('export { total } from "./from";', {"total"}),
        ("import { from, type Row as Line } from './observable/from';", {"from", "Row", "Line"}),
        ("const { scan } = require('./scan/tokens');", {"scan"}),
        ("import './observable';", set()),
    ],
)
def test_keyword_from_and_paths_of_modules_were_counted_as_imported_symbols(text: str, names: set[str]) -> None:
    words = {"import", "export", "type", "as", "const", "require"}
    assert imported(Document("/a.js", text)) - words == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("export const a = 1;\nexport default class B {}\nconst c = 2;", {"a", "B"}),
        ("const a = 1, b = 2;\nexport { a, b as c };", {"a", "c"}),
        ("interface A {}\nclass B {}\nexport { type A };\nexport { B as default };", {"A", "B"}),
        ("function a() {}\nexport default a;", {"a"}),
        ('import { type A as B } from "./b";\nexport const type = 1;\nexport class A extends B {}', {"type", "A"}),
        ('export { a } from "./b";\nimport { c } from "./d";\nexport { c };', set()),
    ],
)
def test_what_a_file_exports_in_a_list_was_left_out_and_what_it_hands_on_is(text: str, names: set[str]) -> None:
    assert exported(Document("/a.ts", text)) == names


def test_overview_read_a_whole_workspace_past_its_deadline_and_let_nobody_else_ask() -> None:
    bench = Bench({f"src/row{number}.ts": "export class Row {}\n" for number in range(50)})
    overview = Overview(Desk(bench.workspace, bench.words, FakeLanguageServers(bench.server), NoHistory()))

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
    overview = Overview(Desk(bench.workspace, bench.words, FakeLanguageServers(bench.server), NoHistory()))

    async def asked(folder: str, limit: int) -> OverviewAnswer:
        return await overview.overview(Call(None, asyncio.get_running_loop().time() + 10), folder, limit)

    whole = asyncio.run(asked("src/b", 0))
    assert whole.direct == [FileRow("src/b/d.ts", 2), FileRow("src/b/c.ts", 1)]
    assert [row.path for row in whole.folders] == ["src/b/e"]
    bounded = asyncio.run(asked("src/b", 1))
    assert (bounded.direct, bounded.omitted) == ([FileRow("src/b/d.ts", 2)], 1)
