"""The daemon's life, in this process: what is in flight, what is withdrawn when, and why it ends."""

from __future__ import annotations

import asyncio
import faulthandler
import json
import os
import shutil
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from cn_daemon import lifecycle, server
from cn_daemon.adapters import git_exclude
from cn_daemon.application.ports import Answer, Call
from cn_daemon.settings import Settings
from cn_shared import environment, folders, state
from cn_shared.wire import LanguageServerStatus, LibraryStatus, MapAnswer

TOKEN = "ab" * 32


class FakeServices:
    """`map` answers when `gate` is open."""

    def __init__(self, settings: Settings) -> None:
        self.handlers = {"map": self.map}
        self.settings = settings
        self.rested = ""
        self.resting = asyncio.Event()
        self.gate = asyncio.Event()
        self.asked = asyncio.Event()
        self.events: list[str] = []

    async def start(self) -> None:
        self.events.append("start")

    async def settle(self) -> None:
        """Nothing to read."""

    async def rest(self) -> bool:
        """There are no language servers."""
        self.resting.set()
        return False

    async def close(self) -> None:
        self.events.append("close")

    async def reconfigure(self, settings: Settings, values: Mapping[str, str]) -> None:
        self.settings = settings

    def language_servers(self) -> list[LanguageServerStatus]:
        return []

    def libraries(self) -> tuple[list[LibraryStatus], list[str]]:
        return [], []

    async def revision(self) -> None: ...

    async def map(self, call: Call, **parameters: Any) -> Answer:
        self.asked.set()
        await self.gate.wait()
        return MapAnswer(parameters["file_path"], [])


class Life:
    """A daemon that serves, and a client of it."""

    def __init__(self, root: Path, services: FakeServices) -> None:
        self.root = root
        self.services = services
        self.ready = asyncio.Event()
        self.listener, self.pumps = lifecycle._bind(), lifecycle._bind()
        ports = {"port": self.listener.getsockname()[1], "pumpPort": self.pumps.getsockname()[1]}
        values = environment.values()
        description = state.State(lifecycle._description(root, ports, TOKEN, root / "x.log", values))
        self.daemon = lifecycle.Daemon(root, services, description, self.ready.set)  # type: ignore[arg-type]
        self.client = httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{description.port}", headers={"Authorization": f"Bearer {TOKEN}"}
        )

    @property
    def state_file(self) -> Path:
        return self.root / state.NAME

    async def ended(self, within_s: float = 15.0) -> None:
        await asyncio.wait_for(asyncio.shield(self.task), within_s)

    async def run(self) -> None:
        self.task = asyncio.create_task(self.daemon.live(self.listener, self.pumps))
        await asyncio.wait_for(self.ready.wait(), 10)


@asynccontextmanager
async def life(root: Path, **settings: Any) -> AsyncIterator[Life]:
    life = Life(root, FakeServices(Settings(**settings)))
    try:
        await life.run()
        yield life
    finally:
        life.services.gate.set()
        life.daemon.stop("the test is over")
        await life.ended()
        await life.client.aclose()
        life.listener.close()
        life.pumps.close()
        faulthandler.cancel_dump_traceback_later()


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    # A shorter look round than the user's two seconds, and no repository above the temporary folder.
    monkeypatch.setattr(lifecycle, "_LOOK_EVERY_S", 0.02)
    monkeypatch.setattr(git_exclude, "locate", lambda root: None)
    folder = tmp_path.resolve() / "root"
    folder.mkdir()
    return folder


def test_start_serve_stop(root: Path) -> None:
    async def scene() -> None:
        async with life(root) as one:
            found = state.live(str(root))
            assert found is not None
            assert found.token == TOKEN
            status = (await one.client.get("/status")).json()
            assert status["stateFile"] == str(one.state_file)
            assert status["pid"] == os.getpid()
            reply = await one.client.post("/shutdown")
            assert reply.status_code == 200
            await one.ended()
            assert one.services.events == ["start", "close"]

    asyncio.run(scene())


def test_the_state_file_is_gone_before_the_reply_to_shutdown(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        async with life(root) as one:
            there = []
            one.client.event_hooks["response"].append(_seeing(there, one.state_file))
            await one.client.post("/shutdown")
            assert there == [False]

    asyncio.run(scene())


def test_who_is_to_make_room_does_so_only_when_nobody_waits_for_it(root: Path) -> None:
    async def scene() -> None:
        async with life(root) as one:
            asking = asyncio.create_task(one.client.post("/map", json={"filePath": "a.ts"}))
            await one.services.asked.wait()
            os.kill(os.getpid(), signal.SIGUSR1)
            await one.services.resting.wait()
            one.services.gate.set()
            assert (await asking).status_code == 200
            assert state.live(str(root)) is not None
            os.kill(os.getpid(), signal.SIGUSR1)
            await one.ended()

    asyncio.run(scene())


def test_what_is_in_flight_is_finished(root: Path) -> None:
    async def scene() -> None:
        async with life(root) as one:
            question = asyncio.create_task(one.client.post("/map", json={"filePath": "x.ts"}))
            await one.services.asked.wait()
            await one.client.post("/shutdown")
            assert not one.task.done()
            one.services.gate.set()
            assert (await question).json()["filePath"] == "x.ts"
            await one.ended()

    asyncio.run(scene())


def test_what_hangs_is_given_up(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "REQUESTS_S", 0.2)

    async def scene() -> None:
        async with life(root) as one:
            question = asyncio.create_task(one.client.post("/map", json={"filePath": "x.ts"}))
            await one.services.asked.wait()
            os.kill(os.getpid(), signal.SIGTERM)
            await one.ended()
            with pytest.raises(httpx.HTTPError):
                (await question).raise_for_status()
            assert one.services.events[-1] == "close"

    asyncio.run(scene())


def test_a_second_signal_does_not_wait(root: Path) -> None:
    async def scene() -> None:
        async with life(root) as one:
            question = asyncio.create_task(one.client.post("/map", json={"filePath": "x.ts"}))
            await one.services.asked.wait()
            began = time.monotonic()
            for _ in range(2):
                os.kill(os.getpid(), signal.SIGINT)
                await asyncio.sleep(0)
            await one.ended()
            assert time.monotonic() - began < server.REQUESTS_S
            one.services.gate.set()
            await asyncio.gather(question, return_exceptions=True)

    asyncio.run(scene())


def test_services_that_fail_do_not_keep_it_from_ending(root: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def fail() -> None:
        raise RuntimeError("no")

    async def scene() -> None:
        async with life(root) as one:
            one.services.close = fail  # type: ignore[method-assign]
            one.daemon.stop("enough")
            await one.ended()

    asyncio.run(scene())
    assert "the services did not close" in caplog.text


def test_idleness_counts_from_the_end_of_the_last_question(root: Path) -> None:
    async def scene() -> None:
        async with life(root, idle_timeout_s=0.3) as one:
            question = asyncio.create_task(one.client.post("/map", json={"filePath": "x.ts"}))
            await one.services.asked.wait()
            with pytest.raises(TimeoutError):
                await one.ended(0.5)
            one.services.gate.set()
            await question
            await one.ended()
            assert not one.state_file.exists()

    asyncio.run(scene())


def test_zero_is_never_idle(root: Path) -> None:
    async def scene() -> None:
        async with life(root, idle_timeout_s=0) as one:
            with pytest.raises(TimeoutError):
                await one.ended(0.2)

    asyncio.run(scene())


def test_a_removed_root_ends_it(root: Path) -> None:
    async def scene() -> None:
        async with life(root) as one:
            shutil.rmtree(root)
            await one.ended()

    asyncio.run(scene())


@pytest.mark.parametrize("kept", [True, False], ids=["moved away", "removed"])
def test_a_root_that_was_made_anew_ends_it(root: Path, kept: bool) -> None:
    """Where nothing holds a removed folder its number is the next one's, on most file systems."""

    async def scene() -> None:
        async with life(root) as one:
            if kept:
                root.rename(root.parent / "before")
            else:
                shutil.rmtree(root)
            root.mkdir()
            await one.ended()
            assert list(root.iterdir()) == []

    asyncio.run(scene())


@pytest.mark.parametrize("harm", ["removed", "opened up", "scribbled on", "an old copy", "another key"])
def test_a_harmed_state_file_is_published_again(
    root: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, harm: str
) -> None:
    other = tmp_path_factory.mktemp("other")
    monkeypatch.setenv("HOME", str(other))
    monkeypatch.delenv("XDG_STATE_HOME")

    async def scene() -> None:
        async with life(root) as one:
            content = one.state_file.read_text()
            if harm == "removed":
                one.state_file.unlink()
            elif harm == "opened up":
                one.state_file.chmod(0o644)
            elif harm == "scribbled on":
                one.state_file.write_text(content[:20])
            elif harm == "another key":
                (folders.state_folder() / "key").unlink()
                state.publish(state.State({**json.loads(content), "root": str(other)}))
                assert state.live(str(root)) is None
            else:
                old = {**json.loads(content), "token": "0" * 64, "processStart": "boot:1"}
                one.state_file.write_text(json.dumps(old))
            while state.live(str(root)) is None:
                assert not one.task.done()
                await asyncio.sleep(0.01)
            found = json.loads(one.state_file.read_text())
            assert {**found, "seal": ""} == {**json.loads(content), "seal": ""}

    asyncio.run(asyncio.wait_for(scene(), 15))


def test_a_successor_ends_it_and_keeps_its_file(root: Path) -> None:
    async def scene() -> None:
        async with life(root) as one:
            document = {**json.loads(one.state_file.read_text()), "token": "cd" * 32}
            state.publish(state.State(document))
            await one.ended()
            assert json.loads(one.state_file.read_text())["token"] == "cd" * 32

    asyncio.run(scene())


def test_the_slower_of_two_that_were_started_under_two_locks_gives_way(root: Path) -> None:
    """It took over, and what the quicker one's starter had asked began again."""

    async def scene() -> None:
        async with life(root) as one:
            content = one.state_file.read_text()
            async with life(root) as other:
                await other.ended()
                assert other.services.events == ["close"]
            assert one.state_file.read_text() == content
            assert not one.task.done()

    asyncio.run(scene())


def test_a_successor_of_another_schema_is_not_fought(root: Path) -> None:
    async def scene() -> None:
        async with life(root) as one:
            content = json.dumps({**json.loads(one.state_file.read_text()), "schema": 2})
            one.state_file.write_text(content)
            await one.ended()
            assert one.state_file.read_text() == content

    asyncio.run(scene())


def test_no_place_for_the_state_file_is_told(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def publish(described: state.State) -> state.State:
        raise PermissionError("nowhere")

    monkeypatch.setattr(state, "publish", publish)

    async def scene() -> None:
        one = Life(root, FakeServices(Settings()))
        try:
            with pytest.raises(lifecycle.NoDaemonError, match="nowhere"):
                await one.daemon.live(one.listener, one.pumps)
        finally:
            await one.client.aclose()
            one.listener.close()
            one.pumps.close()

    asyncio.run(scene())


def _seeing(there: list[bool], file: Path) -> Callable[[httpx.Response], Awaitable[None]]:
    async def hook(response: httpx.Response) -> None:
        there.append(file.exists())

    return hook
