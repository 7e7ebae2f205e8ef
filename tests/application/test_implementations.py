"""What implements a member: what the server is asked."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from cn_daemon.application.ports import Call, Hit, Site
from cn_daemon.application.question import Desk
from cn_daemon.application.relations.relations import Relations
from cn_shared.relations import ImplsAnswer
from tests.application.test_navigation import Bench
from tests.fakes.navigation import FakeLanguageServers, NoHistory

OVERLOADS = "".join(f"  pipe(one{number})\n" for number in range(21))
FILES = {
    "src/pipeable.ts": f"export interface Pipeable {{\n{OVERLOADS}}}\n",
    "src/pipe.ts": "export class Pipe implements Pipeable {\n  pipe() {\n  }\n}\n",
}


def test_twenty_overloads_took_twenty_searches_of_the_workspace(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench(FILES)
    desk = Desk(bench.workspace, bench.words, FakeLanguageServers(bench.server), NoHistory())
    told: list[Site] = []

    async def implementations(sites: Sequence[Site], deadline: float) -> list[Hit]:
        told.extend(sites)
        return []

    monkeypatch.setattr(bench.server, "implementations", implementations)

    async def asked() -> ImplsAnswer:
        call = Call(None, asyncio.get_running_loop().time() + 10)
        return await Relations(desk).impls(call, "Pipeable.pipe")

    answer = asyncio.run(asked())
    assert [site.position.line for site in told] == [2]
    assert [(one.container, one.name) for one in answer.implementations] == [("Pipe", "pipe")]
