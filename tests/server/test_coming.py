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


async def begun(desk: Desk, verb: str, query: str) -> list[str]:
    """The open files, once everything is done that the announcement has begun."""
    await desk.services.expect(verb, query)
    await asyncio.gather(*desk.services._ahead)
    return desk.services.language_servers()[0].open_anchors


@pytest.mark.parametrize("server", ["typescript", "native"])
def test_its_project_is_loaded_before_it_is_asked_and_what_changes_until_then_counts(
    toolchain: Toolchain, tmp_path: Path, server: str
) -> None:
    desk = Desk(tmp_path.resolve() / "work", Settings(server=server, bindings="off"))
    desk.write(FILES)
    assert desk.run(begun(desk, "find", "User")) == ["use.ts"]
    desk.write({"another.ts": 'import { User } from "./user";\n\nnew User();\n', "use.ts": "export {};\n"})
    assert desk.uses("User") == ["another.ts:1", "another.ts:3"]
    assert desk.close() == []


def test_a_question_about_no_uses_loads_nothing(own_desk: Desk) -> None:
    own_desk.write(FILES)
    assert own_desk.run(begun(own_desk, "map", "")) == []
    assert own_desk.services.language_servers()[0].state == "ready"
    assert own_desk.run(begun(own_desk, "find", "Nowhere")) == []
    assert own_desk.run(begun(own_desk, "find", "no/such.ts:3")) == []


def test_nothing_is_begun_for_a_search_of_commands(own_desk: Desk) -> None:
    own_desk.run(own_desk.services.expect("search", "User"))
    assert own_desk.services.language_servers() == []


def test_nothing_else_is_begun_before_it_was_asked(own_desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    own_desk.write(FILES)

    async def settled() -> list[bool]:
        await own_desk.services.expect("map", "")
        settling: asyncio.Task[Any] = asyncio.create_task(own_desk.services.settle())
        await asyncio.wait({settling}, timeout=1)
        before = own_desk.services.library.made is not None
        await own_desk.ask("map", file_path="user.ts")
        await settling
        return [before, own_desk.services.library.made is not None]

    assert own_desk.run(settled()) == [False, True]
