"""What happens between two requests: the server dies, a file is made anew; each of the servers goes through it."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cn_daemon.adapters.language_servers import supervisor
from cn_daemon.adapters.language_servers.native.files import NativeFiles
from cn_daemon.adapters.language_servers.native.server import NativeServer
from cn_daemon.adapters.language_servers.provisioning import Toolchain
from cn_daemon.adapters.language_servers.session import PyglsSession
from cn_daemon.adapters.language_servers.tsserver.link import TsserverLink
from cn_daemon.adapters.language_servers.tsserver.server import TypeScriptServer
from cn_daemon.application.ports import Site
from cn_daemon.domain.source.text import Document, Position
from cn_daemon.settings import Settings
from cn_shared.errors import LanguageServerError
from tests.server.desk import TSCONFIG, Desk

pytestmark = [pytest.mark.server, pytest.mark.slow]

USES = ["app/an.ts:1", "app/use.ts:1", "app/use.ts:2"]
ADAPTERS = {"typescript": TypeScriptServer, "native": NativeServer}


@pytest.fixture(scope="module", params=ADAPTERS)
def desk(
    request: pytest.FixtureRequest, toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Desk]:
    desk = Desk(
        tmp_path_factory.mktemp(request.param).resolve() / "work", Settings(server=request.param, bindings="off")
    )
    desk.write({f"{name}/tsconfig.json": TSCONFIG for name in ("core", "app")})
    desk.write(
        {
            "core/user.ts": "export class User {\n  rename() {}\n}\n",
            "app/an.ts": 'export { User } from "../core/user";\n',
            "app/use.ts": 'import { User } from "./an";\nnew User().rename();\n',
        }
    )
    with pytest.MonkeyPatch.context() as patch:
        # These many deaths within a minute are no crash loop.
        patch.setattr(supervisor, "CRASHES", 100)
        yield desk
    assert desk.close() == []


async def ended(server: Any) -> None:
    while not hasattr(server, "_link"):
        server = server._server
    session = server._link.supervisor.current
    os.kill(session.process.pid, signal.SIGKILL)
    await session.ended


@pytest.mark.parametrize("request_of", ["references", "load"])
def test_the_question_is_begun_anew(desk: Desk, monkeypatch: pytest.MonkeyPatch, request_of: str) -> None:
    adapter = ADAPTERS[desk.services.settings.server]
    asked = getattr(adapter, request_of)
    killings = [1]

    async def killed_before(server: Any, *arguments: Any, **named: Any) -> Any:
        if killings:
            killings.clear()
            await ended(server)
        return await asked(server, *arguments, **named)

    assert desk.uses("User") == USES
    monkeypatch.setattr(adapter, request_of, killed_before)
    # The text has changed: nothing of the answer is remembered.
    desk.replace("core/user.ts", (desk.root / "core/user.ts").read_text() + "\n")
    assert desk.uses("User") == USES
    assert not killings


def test_no_request_of_a_question_is_answered_by_another_process(desk: Desk) -> None:
    """Not even after one about form alone has started it."""
    assert desk.uses("User") == USES
    user = desk.root / "core/user.ts"

    async def question() -> None:
        code = desk.services.code.built
        assert code is not None
        server: Any = code.servers.server_for("any.ts", "auto")
        deadline = desk.call().deadline
        await server.load([str(user), str(desk.root / "app/use.ts")], deadline)
        await ended(server)
        await server.outlines([Document(str(user), user.read_text() + "\n\n")], deadline)
        await server.references([Site(str(user), Position(1, 14))], deadline)

    with pytest.raises(LanguageServerError, match="ended"):
        desk.run(asyncio.wait_for(question(), 60))
    assert desk.uses("User") == USES


def moved(place: str) -> str:
    path, line = place.split(":")
    return f"{path}:{int(line) + 1}"


@pytest.mark.parametrize("path", ["core/user.ts", "app/an.ts", "app/use.ts"])
def test_deleted_and_made_anew_between_two_answers(desk: Desk, path: str) -> None:
    """As `git checkout` writes: a question that loads no project has seen it gone, the server was told of nothing."""
    assert desk.uses("User") == USES
    file = desk.root / path
    text = file.read_text()
    file.unlink()
    assert desk.find("nothing").definition is None
    file.write_text("\n" + text)
    assert desk.uses("User") == [moved(use) if use.startswith(path) else use for use in USES]
    desk.replace(path, text)
    assert desk.uses("User") == USES


def test_made_anew_after_its_project_was_loaded_without_it(desk: Desk) -> None:
    text = 'import { Late } from "./late";\nnew Late();\n'
    desk.write({"late/tsconfig.json": TSCONFIG, "late/late.ts": "export class Late {}\n", "late/use.ts": text})
    assert desk.uses("User") == USES
    file = desk.root / "late/use.ts"
    file.unlink()
    assert desk.rows("late/late.ts") == ["1 Class Late"]
    assert desk.find("nothing").definition is None
    file.write_text(text)
    assert desk.uses("Late") == ["late/use.ts:1", "late/use.ts:2"]


@pytest.mark.parametrize("server", ADAPTERS)
def test_created_between_the_first_outline_and_the_first_uses(
    toolchain: Toolchain, tmp_path: Path, server: str
) -> None:
    """For an outline the native server loads a project, at a time when nobody notes for it what changes."""
    desk = Desk(tmp_path.resolve() / "work", Settings(server=server, bindings="off"))
    desk.write({"tsconfig.json": TSCONFIG, "user.ts": "export class User {}\n"})
    assert desk.rows("user.ts") == ["1 Class User"]
    desk.write({"zoo.ts": 'import { User } from "./user";\nnew User();\n'})
    assert desk.uses("User") == ["zoo.ts:1", "zoo.ts:2"]
    assert desk.close() == []


@pytest.mark.parametrize("server", ADAPTERS)
def test_created_and_changed_after_an_outline_of_known_files(toolchain: Toolchain, tmp_path: Path, server: str) -> None:
    """A project that an outline has loaded may hold a new file with its first text, of which nobody told the server."""
    desk = Desk(tmp_path.resolve() / "work", Settings(server=server, bindings="off"))
    desk.write({"tsconfig.json": TSCONFIG, "user.ts": "export class User {}\n", "old.ts": 'import "./user";\n'})
    assert desk.inspect("User").result.name == "User"
    desk.write({"zoo.ts": "export const zoo = 1;\n"})
    assert desk.rows("old.ts") == []
    assert desk.rows("user.ts") == ["1 Class User"]
    desk.write({"zoo.ts": 'import { User } from "./user";\nnew User();\n'})
    (desk.root / "old.ts").unlink()
    assert desk.uses("User") == ["zoo.ts:1", "zoo.ts:2"]
    assert desk.close() == []


@pytest.mark.parametrize("sent", [True, False], ids=["sent", "not-sent"])
def test_a_question_given_up_while_changes_are_told_leaves_no_old_text(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, sent: bool
) -> None:
    """At each of its requests in turn; the changes that it took with it are told again, those since then too."""
    asked = PyglsSession.request
    before = {path: (desk.root / path).read_text() for path in ("app/use.ts", "core/user.ts")}
    assert desk.uses("User") == USES
    for number in range(9):
        left = [number]

        async def request(session: PyglsSession, *arguments: Any, left: list[int] = left, **named: Any) -> Any:
            left[0] -= 1
            if left[0] == -1:
                task = asyncio.current_task()
                assert task is not None
                asyncio.get_running_loop().call_soon(task.cancel)
                if not sent:
                    await asyncio.sleep(60)
            return await asked(session, *arguments, **named)

        desk.replace("app/use.ts", "// a line\n" + before["app/use.ts"])
        with monkeypatch.context() as patch, contextlib.suppress(asyncio.CancelledError):
            patch.setattr(PyglsSession, "request", request)
            desk.run(desk.ask("find", query="User"))
        desk.replace("app/use.ts", "// two\n// lines\n" + before["app/use.ts"])
        assert desk.uses("User") == ["app/an.ts:1", "app/use.ts:3", "app/use.ts:4"], number
        for path, text in before.items():
            desk.replace(path, text)
        assert desk.uses("User") == USES


@pytest.mark.parametrize("change", ["anchor", "tsconfig", "packages"])
def test_a_question_whose_project_another_one_took_away_is_begun_anew(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    """The other one finds the file gone that held the project open, or that projects are to be read anew."""
    adapter = ADAPTERS[desk.services.settings.server]
    asked = adapter.references
    (desk.root / "node_modules").mkdir(exist_ok=True)
    desk.write({"app/aa.ts": "export class Aa {}\n", "core/only.ts": "export class Only {}\n"})
    desk.run(ended_now(desk))
    assert desk.uses("Aa") == []  # aa.ts is what holds app open
    changes = {
        "anchor": (desk.root / "app/aa.ts").unlink,
        "tsconfig": lambda: desk.replace("app/tsconfig.json", TSCONFIG + "\n"),
        "packages": (desk.root / "node_modules").rmdir,
    }
    waiting = [changes[change]]

    async def changed_before(server: Any, *arguments: Any, **named: Any) -> Any:
        if waiting:
            waiting.pop()()
            await asyncio.create_task(desk.ask("find", query="Only"), context=contextvars.Context())
        return await asked(server, *arguments, **named)

    monkeypatch.setattr(adapter, "references", changed_before)
    assert desk.uses("User") == USES
    assert not waiting
    for path in ("app/aa.ts", "core/only.ts"):
        (desk.root / path).unlink(missing_ok=True)


def test_a_project_that_tsserver_takes_for_gone_is_read_anew(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """For a moment, when its tsconfig was replaced as git does it."""
    asked, refusals = TsserverLink.request, [1]

    async def request(link: Any, command: str, *arguments: Any) -> Any:
        if command == "references" and refusals:
            refusals.clear()
            raise LanguageServerError("request_refused", "TypeScript Server Error (6.0.3)\nNo Project.")
        return await asked(link, command, *arguments)

    monkeypatch.setattr(TsserverLink, "request", request)
    assert desk.uses("User") == USES
    assert bool(refusals) == (desk.services.settings.server == "native")


@pytest.mark.parametrize("desk", ["typescript"], indirect=True)
def test_a_tsconfig_that_tsserver_saw_gone_when_git_replaced_it_was_none_from_then_on(desk: Desk) -> None:
    """It looks after what is gone twice a second, and had put what it holds among the loose files by then."""
    options = '{"compilerOptions": {"types": [], "paths": {"@told": ["./thing.ts"]}}}'
    texts = {"told/thing.ts": "export class Told {}\n", "told/use.ts": 'import { Told } from "@told";\nnew Told();\n'}
    desk.write({**texts, "told/tsconfig.json": options})
    for _ in range(2):
        assert desk.uses("Told") == ["told/use.ts:1", "told/use.ts:2"]
        (desk.root / "told/tsconfig.json").unlink()
        desk.run(watched(desk))
        desk.write({"told/tsconfig.json": options})


async def watched(desk: Desk) -> None:
    """tsserver has seen what has changed so far, and nobody else has."""
    code = desk.services.code.built
    assert code is not None
    server: Any = code.servers.server_for("any.ts", "auto")
    files, deadline = server._server._files, desk.call().deadline
    await files._link.supervisor.same_session(deadline)
    await files._let_watchers_speak(deadline)


@pytest.mark.parametrize("desk", ["native"], indirect=True)
def test_a_server_that_dies_while_changes_are_told_leaves_nobody_waiting(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And is not told of them: another one is being started by then."""
    forgotten, died = NativeFiles._forgotten, [1]

    async def dying(files: Any, *arguments: Any) -> None:
        if died:
            died.clear()
            await ended(files)
            files._link.supervisor._check()  # as by a question that asks meanwhile
        await forgotten(files, *arguments)

    assert desk.uses("User") == USES
    monkeypatch.setattr(NativeFiles, "_forgotten", dying)
    for path in ("core/user.ts", "app/an.ts", "app/use.ts"):  # one of them is held open
        desk.replace(path, (desk.root / path).read_text())
    assert desk.uses("User") == USES
    assert not died


async def ended_now(desk: Desk) -> None:
    code = desk.services.code.built
    assert code is not None
    server: Any = code.servers.server_for("any.ts", "auto")
    await server.load([], desk.call().deadline)
    await ended(server)
