"""A language server that is killed, idle or in mid-question: the next answer is right, and nothing is left over."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import time
from collections.abc import Iterator
from typing import Any

import psutil
import pytest

from cn_daemon.adapters.language_servers import supervisor
from cn_daemon.adapters.language_servers.tsserver.link import TsserverLink
from cn_shared.errors import DeadlineError
from cn_shared.wire import FindAnswer
from tests.processes import gone, outliving
from tests.server.desk import TSCONFIG, Desk

pytestmark = pytest.mark.server

USES = [f"src/use{number}.ts:{line}" for number in range(5) for line in (1, 2)]


@pytest.fixture(scope="module", autouse=True)
def workspace(desk: Desk) -> Iterator[None]:
    desk.write({"tsconfig.json": TSCONFIG, "src/user.ts": "export class User {\n  rename() {}\n}\n"})
    for number in range(5):
        desk.write({f"src/use{number}.ts": 'import { User } from "./user";\nnew User().rename();\n'})
    assert desk.uses("User") == USES
    with pytest.MonkeyPatch.context() as patch:
        # These many deaths within a minute are no crash loop.
        patch.setattr(supervisor, "CRASHES", 100)
        yield


def until_gone(family: list[psutil.Process]) -> None:
    """One of them, at least: it is a zombie, or nothing at all."""
    deadline = time.monotonic() + 10
    while not any(gone(one.pid) for one in family):
        assert time.monotonic() < deadline


def end(desk: Desk, which: str) -> list[psutil.Process]:
    """Kill the language server, or its tsserver; returns all that was running."""
    server = psutil.Process(desk.server_pid)
    family = [server, *server.children(recursive=True)]
    if which == "server":
        server.send_signal(signal.SIGKILL)
    else:
        desk.tsservers()[0].send_signal(signal.SIGKILL)
    return family


@pytest.mark.slow
@pytest.mark.parametrize("which", ["all", "tsserver"])
def test_one_that_hangs_is_replaced_within_a_question(desk: Desk, which: str) -> None:
    """It was waited for until the end of every question, four in a row."""
    server = psutil.Process(desk.server_pid)
    for one in desk.tsservers() if which == "tsserver" else [server, *server.children(recursive=True)]:
        one.suspend()
    assert desk.uses("User") == USES
    assert gone(server.pid)


@pytest.mark.slow
@pytest.mark.parametrize("which", ["server", "tsserver"])
@pytest.mark.parametrize("noticed", [False, True], ids=["at once", "noticed"])
def test_killed_while_idle(desk: Desk, which: str, noticed: bool) -> None:
    """The same question once more: its outlines are known already, its projects are not."""
    family = end(desk, which)
    if noticed and which == "server":

        async def missed() -> None:
            while desk.services.language_servers()[0].pid is not None:  # noqa: ASYNC110
                await asyncio.sleep(0.01)

        desk.run(asyncio.wait_for(missed(), 10))
    elif noticed:
        # typescript-language-server outlives it.
        until_gone(family)
    assert desk.uses("User") == USES
    assert desk.uses("User.rename") == [use for use in USES if use.endswith(":2")]
    assert outliving(family, 10) == []
    assert desk.services.language_servers()[0].state == "ready"


def test_an_open_file_is_fresh_after_a_crash(desk: Desk) -> None:
    """What the new server holds open is known to be open: an edit of it is told."""
    end(desk, "server")
    assert desk.uses("User") == USES
    opened = desk.opened()
    assert opened
    for path in opened:
        text = (desk.root / path).read_text()
        desk.replace(path, "\n" + text)
    moved = {f"{path}:{line}": f"{path}:{line + 1}" for path in opened for line in (1, 2)}
    assert desk.uses("User") == [moved.get(use, use) for use in USES]
    for path in opened:
        desk.replace(path, (desk.root / path).read_text().lstrip("\n"))
    assert desk.uses("User") == USES


@pytest.mark.slow
@pytest.mark.parametrize("which", ["server", "tsserver"])
def test_killed_in_mid_question(desk: Desk, which: str) -> None:
    """After each number of turns of the loop that a question takes: it is answered, or fails as what it is."""
    for turns in (1, 6, 30):
        # The last one may have been answered before its server was missed.
        assert desk.uses("User") == USES

        async def question(turns: int = turns) -> FindAnswer:
            asked = asyncio.create_task(desk.ask("find", query="User", limit=0))
            for _ in range(turns):
                await asyncio.sleep(0)
            end(desk, which)
            answer: FindAnswer = await asked
            return answer

        answer = desk.run(question())
        assert (answer.completeness.status, len(answer.references or ())) == ("partial", len(USES))
        assert str(answer.completeness.reason).startswith("only the language server was asked")
    assert desk.uses("User") == USES


def test_out_of_time_is_said(desk: Desk) -> None:
    """No time at all: an error or a partial answer, never a complete one; and the next question is answered."""
    assert desk.uses("User") == USES
    end(desk, "server")
    with contextlib.suppress(DeadlineError):
        answer = desk.run(desk.ask("find", 0.4, query="User", limit=0))
        assert answer.completeness.status == "partial"
        assert answer.completeness.reason
    assert desk.uses("User") == USES


def test_one_that_failed_at_opening_files_is_replaced(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would fail at each further one: tsserver ends half-way, by faults of its own. Here it is told to close what is
    not open."""
    assert desk.uses("User") == USES
    pid, ask = desk.server_pid, TsserverLink.request
    closed = [f"src/use{number}.ts" for number in range(5)]
    closed = [str(desk.root / path) for path in closed if path not in desk.opened()]
    failing = [{"openFiles": [], "changedFiles": [], "closedFiles": closed}]

    async def request(self: TsserverLink, command: str, arguments: dict[str, Any], *more: Any) -> Any:
        failed = command == "updateOpen" and failing
        return await ask(self, command, failing.pop() if failed else arguments, *more)

    monkeypatch.setattr(TsserverLink, "request", request)
    desk.write({"src/use0.ts": 'import { User } from "./user";\nnew User().rename(); // edited\n'})
    assert desk.uses("User") == USES
    assert not failing
    assert desk.server_pid != pid
