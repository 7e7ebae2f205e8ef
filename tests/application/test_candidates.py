"""A name that many symbols have: how many of them an answer lists, and what it says of the others."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cn_daemon.application.portrait import Portrait
from cn_daemon.application.ports import Call
from cn_daemon.application.question import WorkspaceSession
from cn_daemon.application.relations.relations import Relations
from cn_daemon.interfaces.text import render
from cn_shared.wire import document
from tests.application.test_navigation import Bench
from tests.fakes.navigation import FakeLanguageServers, FakeNames, NoHistory

ROWS = {f"src/row{number:02}.ts": "export class Row {\n  size() {\n  }\n}\n" for number in range(36)}
VERBS = ("inspect", "refs", "callers", "callees", "impls", "types", "hover")


def test_of_35_candidates_15_were_cut_in_silence() -> None:
    bench = Bench(ROWS)
    answer = bench.find("Row")
    assert len(answer.candidates) == 20
    assert answer.more_candidates == "15 more; cn find Row --mode definition --limit 0 lists all"
    assert document(answer)["moreCandidates"] == answer.more_candidates
    assert answer.more_candidates in render(answer, color=False)
    everything = bench.find("Row", mode="definition", limit=0)
    assert (len(everything.candidates), everything.more_candidates) == (35, None)


def test_candidates_of_what_is_not_there_are_counted_as_well() -> None:
    answer = Bench(ROWS).find("Column.size")
    assert (len(answer.candidates), answer.definition) == (20, None)
    assert answer.more_candidates == "16 more; cn find Column.size --mode definition --limit 0 lists all"
    assert answer.more_candidates in render(answer, color=False)


@pytest.mark.parametrize("verb", VERBS)
def test_other_verbs_cut_candidates_in_silence(verb: str) -> None:
    bench = Bench(ROWS)
    desk = WorkspaceSession(bench.workspace, bench.words, FakeLanguageServers(bench.server), NoHistory())

    async def asked() -> Any:
        call = Call(None, asyncio.get_running_loop().time() + 10)
        return await getattr(Portrait(desk) if verb == "inspect" else Relations(desk), verb)(call, "Row")

    answer = asyncio.run(asked())
    assert len(answer.candidates) == 5
    assert answer.more_candidates == "30 more; cn find Row --mode definition --limit 0 lists all"
    assert answer.more_candidates in render(answer, color=False)
    assert document(answer)["moreCandidates"] == answer.more_candidates


def test_of_equals_that_comes_first_which_most_files_import() -> None:
    """By the bindings' own imports: texts do not tell who imports a default by a name of his own."""
    bench = Bench(ROWS)
    names = FakeNames({"src/row07.ts": 100, "src/row20.ts": 4})
    desk = WorkspaceSession(bench.workspace, bench.words, FakeLanguageServers(bench.server, names), NoHistory())

    async def asked(query: str) -> list[str]:
        answer = await Relations(desk).refs(Call(None, asyncio.get_running_loop().time() + 10), query)
        assert answer.definition is not None
        return [one.file_path for one in (answer.definition, *answer.candidates)]

    for query in ("Row", "Row.size"):
        assert asyncio.run(asked(query))[:3] == ["src/row07.ts", "src/row20.ts", "src/row00.ts"]
