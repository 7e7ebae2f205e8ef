"""Whoever listens hears that prompts and resources changed, without a question in between."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable, Hashable, Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp.client.client import Client
from mcp.server.subscriptions import ServerEvent

from cn_daemon.interfaces.mcp import listeners
from cn_daemon.interfaces.mcp.listeners import Listeners
from cn_shared.state import State
from tests.faults.conftest import Workbench
from tests.mcp import library
from tests.mcp.test_transports import connected

BOTH = {"prompts", "resources"}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Workbench, State, Path]]:
    """One daemon with a library, for all of these tests."""
    bench = Workbench(tmp_path_factory.mktemp("changes").resolve())
    folder = bench.root.parent / "library"
    for key, name in json.loads(library.write(folder).read_text()).items():
        bench.environment["CN_" + key.upper()] = str(folder / name)
    yield bench, bench.start(), folder
    bench.close()


@contextlib.asynccontextmanager
async def listening(bench: Workbench, found: State, kind: str, era: str) -> AsyncIterator[tuple[Client, set[str]]]:
    """A client, and what it has heard of so far: "prompts", "resources"."""
    heard: set[str] = set()

    async def hear(message: Any) -> None:
        heard.update(word for word in BOTH if word[:-1] in type(message).__name__.lower())

    async with connected(bench, found, kind, era, **({"message_handler": hear} if era == "legacy" else {})) as client:
        if era == "legacy":
            await client.list_prompts()
            if kind == "http":
                await asyncio.sleep(0.5)  # the SDK's client opens its stream for notifications when it likes
            yield client, heard
            return
        async with client.listen(prompts_list_changed=True, resources_list_changed=True) as subscription:

            async def follow() -> None:
                async for event in subscription:
                    await hear(event)

            task = asyncio.create_task(follow())
            yield client, heard
            task.cancel()


def test_files_that_come_and_go(shared: tuple[Workbench, State, Path]) -> None:
    """All transports at once, as each change takes its time to be looked for."""
    bench, found, folder = shared
    command, report = folder / "Commands" / "new_one.md", folder / "Reports" / "new_one-reports" / "2025-12-01-x.md"
    report.parent.mkdir()
    kinds = [("stdio", "legacy"), ("http", "legacy"), ("sse", "legacy"), ("stdio", "auto"), ("http", "auto")]

    async def talk() -> None:
        async with contextlib.AsyncExitStack() as stack:
            sessions = [await stack.enter_async_context(listening(bench, found, *kind)) for kind in kinds]

            async def everybody_hears_of(change: Callable[[], object]) -> list[set[str]]:
                for _, heard in sessions:
                    heard.clear()
                change()
                async with asyncio.timeout(60):
                    while not all(heard >= BOTH for _, heard in sessions):  # noqa: ASYNC110
                        await asyncio.sleep(0.02)
                listed = [await client.list_prompts(cache_mode="bypass") for client, _ in sessions]
                return [{prompt.name for prompt in one.prompts} for one in listed]

            names = await everybody_hears_of(lambda: command.write_text("# New\n\nEntirely new.\n"))
            assert all("new_one" in one for one in names)
            await everybody_hears_of(lambda: report.write_text("# New\n"))
            names = await everybody_hears_of(command.unlink)
            assert not any("new_one" in one for one in names)

    asyncio.run(talk())


class Revisions:
    """Gives these, one each time it is asked; then the last again and again."""

    def __init__(self, *values: Hashable | None) -> None:
        self.values = list(values)
        self.asked = 0

    async def __call__(self) -> Hashable | None:
        self.asked += 1
        return self.values.pop(0) if len(self.values) > 1 else self.values[0]


async def no_tools() -> frozenset[str]:
    return frozenset()


async def told(revisions: Revisions) -> list[ServerEvent]:
    """What somebody hears who listens while these pass."""
    heard: list[ServerEvent] = []
    watched = Listeners(revisions, no_tools)
    leave = watched.bus.subscribe(heard.append)
    while len(revisions.values) > 1 or revisions.asked < 3:  # noqa: ASYNC110
        await asyncio.sleep(0)
    rest = revisions.asked + 2
    while revisions.asked < rest:  # noqa: ASYNC110
        await asyncio.sleep(0)
    leave()
    await watched.close()
    return heard


@pytest.mark.parametrize(
    ("revisions", "times"),
    [
        ((1,), 0),
        ((1, 1, 2), 1),
        ((1, 2, 3), 2),
        ((None, 1), 0),  # the first reading is no change
        ((1, None, 1), 0),
        ((1, None, None, 2), 1),
    ],
)
def test_a_change_is_told_once(
    monkeypatch: pytest.MonkeyPatch, revisions: tuple[Hashable | None, ...], times: int
) -> None:
    monkeypatch.setattr(listeners, "LOOK_S", 0)
    assert len(asyncio.run(told(Revisions(*revisions)))) == 2 * times


def test_nothing_is_looked_at_when_nobody_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listeners, "LOOK_S", 0)
    revisions = Revisions(1)

    async def run() -> None:
        watched = Listeners(revisions, no_tools)
        for _ in range(20):
            await asyncio.sleep(0)
        assert revisions.asked == 0
        leave = watched.bus.subscribe(lambda event: None)
        while revisions.asked < 3:  # noqa: ASYNC110
            await asyncio.sleep(0)
        leave()
        assert watched._watching is not None
        await watched._watching

    asyncio.run(asyncio.wait_for(run(), 30))


def test_a_reload_is_told_even_when_nothing_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[ServerEvent] = []

    async def run() -> None:
        watched = Listeners(Revisions(1), no_tools)
        watched.bus.subscribe(heard.append)
        await watched.changed()
        await watched.close()

    asyncio.run(run())
    assert len(heard) == 2
