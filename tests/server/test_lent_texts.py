"""Outlines that the semantic server of TypeScript ≤ 6 tells: of the texts that it is given, which nobody else sees."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from cn_daemon.adapters.language_servers.linked import Linked
from cn_daemon.adapters.language_servers.provisioning import Toolchain
from cn_daemon.adapters.language_servers.tsserver.lending import TsserverLending
from cn_daemon.adapters.language_servers.tsserver.server import TypeScriptServer
from cn_daemon.domain.source.text import Document
from cn_daemon.settings import Settings
from tests.conftest import npm_install
from tests.server.desk import TSCONFIG, Desk

pytestmark = pytest.mark.server

USES = ["app/use.ts:1", "app/use.ts:2"]


@pytest.fixture(scope="module")
def desk(toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    desk = Desk(tmp_path_factory.mktemp("lent").resolve() / "work", Settings(server="typescript", bindings="off"))
    desk.write(
        {
            "app/tsconfig.json": TSCONFIG,
            "app/user.ts": "export class User {}\n",
            "app/use.ts": 'import { User } from "./user";\nnew User();\n',
            "other/tsconfig.json": TSCONFIG,
            "other/core.ts": "export class Core {}\n",
        }
    )
    assert desk.uses("User") == USES
    yield desk
    assert desk.close() == []


@pytest.fixture
def server(desk: Desk) -> Any:
    return server_of(desk)


def server_of(desk: Desk) -> TypeScriptServer:
    code = desk.services.code.made
    assert code is not None
    server = code.servers.server_for("any.ts", "typescript")
    assert isinstance(server, Linked)
    assert isinstance(server._server, TypeScriptServer)
    return server._server


def names(desk: Desk, server: Any, path: str, text: str) -> list[str]:
    document = Document(str(desk.root / path), text)
    outlines = desk.run(server.outlines([document], desk.call().deadline))
    return [one.name for one in outlines[document.path]]


@pytest.fixture
def by_form(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that the syntax server was asked about."""
    asked: list[str] = []
    real = TsserverLending.by_form

    async def spied(self: Any, documents: Any, *arguments: Any) -> Any:
        asked.extend(document.path.rpartition("/")[2] for document in documents)
        return await real(self, documents, *arguments)

    monkeypatch.setattr(TsserverLending, "by_form", spied)
    return asked


def test_each_of_several_texts_has_its_own_outline_however_long_the_others_are(desk: Desk, server: Any) -> None:
    longer = "".join(f"export const long{number} = {number};\n" for number in range(20))
    texts = {"app/user.ts": "export class Short {}\n", "app/use.ts": longer}
    documents = [Document(str(desk.root / path), text) for path, text in texts.items()]
    outlines = desk.run(server.outlines(documents, desk.call().deadline))
    assert [outlines[one.path][0].name for one in documents] == ["Short", "long0"]


@pytest.mark.parametrize("path", ["app/user.ts", "app/use.ts"])  # the second one is held open
def test_the_text_that_was_given_is_told_of_and_forgotten(
    desk: Desk, server: Any, by_form: list[str], path: str
) -> None:
    assert ("app/use.ts" in desk.services.language_servers()[0].open_anchors, by_form) == (True, [])
    assert names(desk, server, path, "export const other = 1;\n") == ["other"]
    assert desk.uses("User") == USES
    assert names(desk, server, path, (desk.root / path).read_text()) == (["User"] if path == "app/user.ts" else [])
    assert by_form == []


def test_what_would_have_to_be_loaded_is_asked_of_the_other_server(desk: Desk, server: Any, by_form: list[str]) -> None:
    assert names(desk, server, "other/core.ts", "export class Core {}\n") == ["Core"]
    assert by_form == ["core.ts"]
    assert desk.services.language_servers()[0].open_anchors == ["app/use.ts"]


def test_a_module_that_is_imported_in_two_ways(own_desk: Desk, toolchain: Toolchain, by_form: list[str]) -> None:
    """Of which the syntax server of TypeScript 5 died, and again at the next question."""
    own_desk.write({"package.json": '{"private": true}', "a.ts": "export class User {}\n"})
    npm_install(toolchain, own_desk.root, "typescript@5.9.3")
    assert own_desk.uses("User") == []
    twice = 'import a from "thing";\nimport type b from "thing" with { "resolution-mode": "require" };\n'
    texts = {"ways/one.ts": twice + "export const one = 1;\n", "ways/two.js": 'import c from "b";\nexport { c };\n'}
    documents = [Document(str(own_desk.root / path), text) for path, text in texts.items()]
    by_form.clear()
    outlines = own_desk.run(server_of(own_desk).outlines(documents, own_desk.call().deadline))
    assert [one.name for one in outlines[documents[0].path]] == ["one"]
    assert by_form == ["one.ts", "two.js"]


def test_a_server_that_is_busy_is_not_waited_for(desk: Desk, server: Any, by_form: list[str]) -> None:
    async def told_meanwhile() -> list[str]:
        async with server._files.turn:  # as while a project is loaded
            document = Document(str(desk.root / "app/user.ts"), "export class Meanwhile {}\n")
            outlines = await asyncio.wait_for(server.outlines([document], desk.call().deadline), 60)
            return [one.name for one in outlines[document.path]]

    assert desk.run(told_meanwhile()) == ["Meanwhile"]
    assert by_form == ["user.ts"]


@pytest.mark.parametrize("path", ["app/user.ts", "app/use.ts"])
def test_a_text_of_a_question_that_was_given_up_counts_no_more(desk: Desk, server: Any, path: str) -> None:
    async def given_up(after: int) -> None:
        document = Document(str(desk.root / path), f"export const never{after} = 1;\n")
        asked = asyncio.create_task(server.outlines([document], desk.call().deadline))
        for _ in range(after):
            await asyncio.sleep(0)
        asked.cancel()
        await asyncio.wait([asked])

    for after in range(1, 12):
        desk.run(given_up(after))
        assert desk.uses("User") == USES
    assert names(desk, server, path, "export const other = 1;\n") == ["other"]
    assert desk.uses("User") == USES
