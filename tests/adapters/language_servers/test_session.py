"""A session with servers that die, hang, babble: every question ends, as what it is, and nothing is left over."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from cn_daemon.adapters.language_servers.session import PyglsSession
from cn_daemon.adapters.language_servers.spawning import Place
from cn_shared.errors import CnError, DeadlineError, LanguageServerError
from tests.fakes import language_server

Talk = Callable[[PyglsSession], Awaitable[Any]]


@pytest.fixture
def talk(tmp_path: Path) -> Callable[..., Any]:
    """Runs a talk with the fake server, then stops it; nothing of it must be left."""

    def talked(talk: Talk, behaviour: str = "", answers: dict[str, Any] | None = None) -> Any:
        async def whole() -> Any:
            session = await PyglsSession.spawn(
                "fake",
                [sys.executable, language_server.__file__, behaviour],
                cwd=tmp_path,
                environment=os.environ,
                log_file=tmp_path / "log",
                answers=answers or {},
            )
            try:
                return await asyncio.wait_for(talk(session), 30)
            finally:
                await session.stop(grace_s=0.5)
                assert not session.alive
                assert not psutil.pid_exists(session.process.pid)

        return asyncio.run(whole())

    return talked


async def refused(session: PyglsSession, method: str, timeout_s: float = 20) -> CnError:
    with pytest.raises(CnError) as caught:
        await session.request(method, None, timeout_s=timeout_s)
    return caught.value


def test_results_are_plain(talk: Callable[..., Any]) -> None:
    async def asked(session: PyglsSession) -> None:
        assert await session.request("x", {"a": [1, {"b": None}]}, timeout_s=20) == {"echo": {"a": [1, {"b": None}]}}
        assert len(await session.request("large", None, timeout_s=20)) == 20_000
        many = await asyncio.gather(*(session.request("x", number, timeout_s=20) for number in range(50)))
        assert [row["echo"] for row in many] == list(range(50))

    talk(asked)


def test_of_every_request_something_was_kept_for_ever(talk: Callable[..., Any]) -> None:
    async def asked(session: PyglsSession) -> None:
        kept = set(session._pending)
        for number in range(20):
            await session.request("x", number, timeout_s=20)
        await refused(session, "hang", timeout_s=0.1)
        assert set(session._pending) == kept

    talk(asked)


def test_answers_that_the_fast_reader_refuses_are_read(talk: Callable[..., Any]) -> None:
    async def asked(session: PyglsSession) -> None:
        assert await session.request("half a character", None, timeout_s=20) == "\ud800"
        assert str(await session.request("deep", None, timeout_s=20)).count("[") == 600

    talk(asked)


@pytest.mark.parametrize("method", ["die", "close output", "half an answer", "no headers", "no message"])
def test_a_death_fails_what_was_asked_at_once(talk: Callable[..., Any], method: str) -> None:
    async def asked(session: PyglsSession) -> None:
        waiting = asyncio.create_task(refused(session, "hang"))
        await session.request("x", None, timeout_s=20)
        began = time.monotonic()
        for error in (await refused(session, method), await waiting, await refused(session, "x")):
            assert isinstance(error, LanguageServerError)
            assert error.code == "language_server_died"
        assert time.monotonic() - began < 10
        assert not session.alive
        session.notify("x", None)

    talk(asked)


def test_one_that_dies_at_once(talk: Callable[..., Any], tmp_path: Path) -> None:
    async def asked(session: PyglsSession) -> None:
        error = await refused(session, "initialize")
        assert error.code == "language_server_died"
        assert "exit status 7" in error.message or "-9" in error.message

    talk(asked, "dies at once")
    assert "cannot start" in (tmp_path / "log").read_text()


@pytest.mark.parametrize(("behaviour", "died"), [("", False), ("dies at once", True)])
def test_a_server_is_asked_to_initialize_before_anybody_speaks_to_it(
    tmp_path: Path, behaviour: str, died: bool
) -> None:
    async def whole() -> None:
        command = [sys.executable, language_server.__file__, behaviour]
        place = Place(tmp_path, tmp_path / "log", dict(os.environ), tmp_path / "cache", confined=False)
        started = await place.start("fake", command, None, {"rootUri": "file:///one"})
        await asyncio.sleep(0)
        session = PyglsSession(started.name, started.process, {})
        try:
            if died:
                with pytest.raises(LanguageServerError, match="before it answered initialize"):
                    await session.greeted(20)
                return
            assert await session.greeted(20) == {"echo": {"rootUri": "file:///one"}}
            assert next(one["method"] for one in await session.request("seen", None, timeout_s=20)) == "initialize"
        finally:
            await session.stop(grace_s=0.5)
            started.kill()

    asyncio.run(whole())


def test_one_that_takes_no_params_of_null_ends_by_itself(talk: Callable[..., Any]) -> None:
    """It refused to shut down, and was killed each time."""

    async def asked(session: PyglsSession) -> PyglsSession:
        await session.request("x", None, timeout_s=20)
        return session

    assert talk(asked).ended.result() == 0


@pytest.mark.parametrize("behaviour", ["never answers", "does not exit"])
def test_one_that_will_not_end_is_ended(talk: Callable[..., Any], behaviour: str) -> None:
    async def asked(session: PyglsSession) -> None:
        if behaviour == "never answers":
            error = await refused(session, "initialize", 0.2)
            assert isinstance(error, DeadlineError)

    began = time.monotonic()
    talk(asked, behaviour)
    assert time.monotonic() - began < 15


def test_a_question_that_times_out_is_cancelled_at_the_server(talk: Callable[..., Any]) -> None:
    async def asked(session: PyglsSession) -> None:
        error = await refused(session, "hang", 0.05)
        assert isinstance(error, DeadlineError)
        assert "hang" in error.message
        seen = await session.request("seen", None, timeout_s=20)
        (hang,) = [message for message in seen if message["method"] == "hang"]
        (cancel,) = [message for message in seen if message["method"] == "$/cancelRequest"]
        assert cancel["params"] == {"id": hang["id"]}

    talk(asked)


def test_a_question_that_is_given_up_is_cancelled_at_the_server(talk: Callable[..., Any]) -> None:
    async def asked(session: PyglsSession) -> None:
        waiting = asyncio.create_task(session.request("hang", None, timeout_s=20))
        await session.request("x", None, timeout_s=20)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        seen = await session.request("seen", None, timeout_s=20)
        assert [message["method"] for message in seen].count("$/cancelRequest") == 1

    talk(asked)


def test_two_megabytes_of_stderr_stop_nothing(talk: Callable[..., Any], tmp_path: Path) -> None:
    async def asked(session: PyglsSession) -> None:
        assert await session.request("talk", None, timeout_s=20) == "told"

    talk(asked)
    assert (tmp_path / "log").stat().st_size >= 2 << 20


@pytest.mark.parametrize(
    ("method", "result"), [("workspace/configuration", [None, None]), ("client/unknown", None), ("window/x", None)]
)
def test_the_servers_questions_are_answered(talk: Callable[..., Any], method: str, result: object) -> None:
    """Though they number them as they like."""

    async def asked(session: PyglsSession) -> None:
        reply = await session.request("ask back", method, timeout_s=20)
        assert reply["id"] == 1
        if method == "client/unknown":
            assert reply["error"]["code"] == -32601
        else:
            assert reply.get("result") == result
            assert "error" not in reply

    talk(asked, answers={"workspace/configuration": lambda params: [None for _ in params["items"]]})


def test_messages_that_nobody_waits_for_are_passed_over(talk: Callable[..., Any]) -> None:
    told: list[Any] = []

    async def asked(session: PyglsSession) -> None:
        assert await session.request("strange", None, timeout_s=20) == "strange"

    talk(asked, answers={"$/progress": told.append})
    assert told == [{"token": 1, "value": {"kind": "begin"}}]


def test_a_refusal_has_the_servers_words(talk: Callable[..., Any]) -> None:
    async def asked(session: PyglsSession) -> None:
        error = await refused(session, "refuse")
        assert error.code == "request_refused"
        assert error.message.endswith(": out of order\nError: out of order")
        assert session.alive

    talk(asked)


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    async def spawned() -> None:
        with pytest.raises(LanguageServerError) as caught:
            await PyglsSession.spawn(
                "fake", ["/no/such/program"], cwd=tmp_path, environment={}, log_file=tmp_path / "log", answers={}
            )
        assert caught.value.code == "language_server_failed"

    asyncio.run(spawned())
