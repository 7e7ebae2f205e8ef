"""What a person sees while the first answer is prepared."""

from __future__ import annotations

import itertools
import json
import os
import threading
from pathlib import Path

import pytest

from cn_client import progress
from tests.client.conftest import FakeDaemon, reply


def status(**server: object) -> bytes:
    return reply(json.dumps({"languageServers": [{"name": "ts", "state": "loading", **server}]}).encode())


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was written to stderr, which plays a terminal here."""
    written: list[str] = []
    monkeypatch.setattr(os, "isatty", lambda descriptor: True)
    monkeypatch.setattr(progress, "_EVERY_S", 0.005)
    monkeypatch.setattr(progress, "_clock", lambda: 0.0)
    monkeypatch.setattr(progress, "write", lambda descriptor, data: written.append(data.decode()))
    return written


def test_each_step_is_shown_and_wiped_in_the_end(daemon: FakeDaemon, shown: list[str]) -> None:
    daemon.replies = [status(detail="installing"), status(detail="installing"), status(), reply(b"torn")]
    seen_all = threading.Event()

    def wait() -> None:
        while len(daemon.requests) < 5:
            seen_all.wait(0.005)

    with progress.shown(str(daemon.root)):
        wait()
    assert "".join(shown) == "\r\x1b[Kts: installing\r\x1b[Kts: loading\r\x1b[K"


def test_a_ready_server_is_no_news(daemon: FakeDaemon, shown: list[str]) -> None:
    daemon.replies = [status(state="ready")]
    with progress.shown(str(daemon.root)):
        while len(daemon.requests) < 3:
            threading.Event().wait(0.005)
    assert shown == []


def test_nothing_is_shown_or_asked_where_nobody_looks(daemon: FakeDaemon) -> None:
    with progress.shown(str(daemon.root)):
        pass
    assert daemon.requests == []


def test_the_start_of_the_daemon_and_how_long_it_takes(
    workspace: Path, shown: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It said nothing until the daemon was there, and then not how long one had waited."""
    clock = itertools.count(100.0, 0.5)
    monkeypatch.setattr(progress, "_clock", lambda: next(clock))
    with progress.shown(str(workspace)):
        while len(shown) < 3:
            threading.Event().wait(0.005)
    lines = ["starting the daemon", "starting the daemon (1 s)", "starting the daemon (2 s)"]
    assert list(dict.fromkeys(shown))[:3] == [f"\r\x1b[K{line}" for line in lines]


def test_a_wait_without_a_word_of_a_server_is_no_blank_line(
    daemon: FakeDaemon, shown: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    daemon.replies = [status(state="ready")]
    monkeypatch.setattr(progress, "_line", lambda state: "")
    clock = itertools.count(100.0, 0.5)
    monkeypatch.setattr(progress, "_clock", lambda: next(clock))
    with progress.shown(str(daemon.root)):
        while not shown:
            threading.Event().wait(0.005)
    assert shown[0] == "\r\x1b[Kwaiting for the answer (1 s)"
