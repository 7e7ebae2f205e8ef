"""What a person sees while the first answer is prepared."""

from __future__ import annotations

import json
import os
import threading

import pytest

from cn_client import progress
from cn_shared.state import State, live
from tests.client.conftest import FakeDaemon, reply


def status(**server: object) -> bytes:
    return reply(json.dumps({"languageServers": [{"name": "ts", "state": "loading", **server}]}).encode())


@pytest.fixture
def state(daemon: FakeDaemon) -> State:
    found = live(str(daemon.root))
    assert found is not None
    return found


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was written to stderr, which plays a terminal here."""
    written: list[str] = []
    monkeypatch.setattr(os, "isatty", lambda descriptor: True)
    monkeypatch.setattr(progress, "_EVERY_S", 0.005)
    monkeypatch.setattr(progress, "write", lambda descriptor, data: written.append(data.decode()))
    return written


def test_each_step_is_shown_and_wiped_in_the_end(state: State, daemon: FakeDaemon, shown: list[str]) -> None:
    daemon.replies = [status(detail="installing"), status(detail="installing"), status(), reply(b"torn")]
    seen_all = threading.Event()

    def wait() -> None:
        while len(daemon.requests) < 5:
            seen_all.wait(0.005)

    with progress.shown(state):
        wait()
    assert "".join(shown) == "\r\x1b[Kts: installing\r\x1b[Kts: loading\r\x1b[K"


def test_a_ready_server_is_no_news(state: State, daemon: FakeDaemon, shown: list[str]) -> None:
    daemon.replies = [status(state="ready")]
    with progress.shown(state):
        while len(daemon.requests) < 3:
            threading.Event().wait(0.005)
    assert shown == []


def test_nothing_is_shown_or_asked_where_nobody_looks(state: State, daemon: FakeDaemon) -> None:
    with progress.shown(state):
        pass
    assert daemon.requests == []
