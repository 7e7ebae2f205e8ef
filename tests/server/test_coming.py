"""A daemon that knows what it will be asked first begins with that."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from cn_daemon.adapters.language_servers.provisioning import Toolchain
from cn_daemon.settings import Settings
from tests.server.desk import TSCONFIG, Desk

pytestmark = [pytest.mark.server, pytest.mark.slow]

FILES = {
    "tsconfig.json": TSCONFIG,
    "user.ts": "export class User {}\n",
    "use.ts": 'import { User } from "./user";\nnew User();\n',
}


def test_a_server_is_begun_for_what_it_answers_and_loads_nothing(own_desk: Desk) -> None:
    own_desk.write(FILES)

    async def begun(verb: str, query: str) -> list[str]:
        await own_desk.services.expect(verb, query)
        await asyncio.gather(*own_desk.services._ahead)
        return own_desk.opened()

    assert own_desk.run(begun("hover", "User")) == []
    assert own_desk.services.language_servers()[0].state == "ready"
    assert own_desk.run(begun("find", "User")) == []


@pytest.mark.parametrize("query", ["User", "User.rename"])
def test_what_names_and_types_answer_begins_no_server(toolchain: Toolchain, tmp_path: Path, query: str) -> None:
    desk = Desk(tmp_path.resolve() / "work", Settings())
    desk.write(FILES)
    desk.run(desk.services.expect("find", query))
    assert {one.name: one.state for one in desk.services.language_servers()}["typescript-language-server"] == "stopped"
    assert desk.close() == []


def test_nothing_is_begun_for_a_search_of_commands(own_desk: Desk) -> None:
    own_desk.run(own_desk.services.expect("search", "User"))
    assert own_desk.services.language_servers() == []


def test_nothing_else_is_begun_before_it_was_asked(own_desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    own_desk.write(FILES)

    async def settled() -> list[bool]:
        await own_desk.services.expect("map", "")
        settling: asyncio.Task[Any] = asyncio.create_task(own_desk.services.settle())
        await asyncio.wait({settling}, timeout=1)
        before = own_desk.services.library.built is not None
        await own_desk.ask("map", file_path="user.ts")
        await settling
        return [before, own_desk.services.library.built is not None]

    assert own_desk.run(settled()) == [False, True]
