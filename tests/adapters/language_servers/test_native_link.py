"""The native server that owes an answer and does nothing."""

from __future__ import annotations

import asyncio
import contextvars
import os
import sys
from pathlib import Path
from typing import Any, cast

import pytest

from cn_daemon.adapters import process_tree
from cn_daemon.adapters.language_servers.native.link import NativeLink
from cn_daemon.adapters.language_servers.session import PyglsSession
from cn_daemon.adapters.language_servers.spawning import Started
from cn_shared.errors import DeadlineError, LanguageServerError
from tests.fakes import language_server


@pytest.mark.parametrize(
    ("method", "goes_on", "circles", "code"),
    [
        ("hang", False, [], "language_server_died"),
        ("hang", False, ["a/tsconfig.json"], "tsconfig_circular"),
        ("work", True, ["a/tsconfig.json"], "timed_out"),
    ],
)
def test_a_server_whose_threads_waited_for_one_another_was_asked_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str, goes_on: bool, circles: list[str], code: str
) -> None:
    monkeypatch.setattr(process_tree, "IDLE_S", 0.3)

    async def provision(tell: object) -> Any:
        return Started("fake", None, cast(Any, None), "")

    async def start(started: object, **told: object) -> PyglsSession:
        command = [sys.executable, language_server.__file__]
        return await PyglsSession.spawn(
            "fake", command, cwd=tmp_path, environment=os.environ, log_file=tmp_path / "log", answers={}
        )

    async def whole() -> None:
        asked = NativeLink(cast(Any, provision), start, lambda: circles)
        # Its start is none of what is measured.
        deadline = asyncio.get_running_loop().time() + 20
        first = await asked.supervisor.session(deadline)
        try:
            with pytest.raises((DeadlineError, LanguageServerError)) as told:
                await asked.request(method, {}, asyncio.get_running_loop().time() + 2)
            assert told.value.code == code
            assert first.alive == goes_on
            # Another question: of one and the same a single process answers all.
            another = asyncio.create_task(asked.request("x", {}, deadline), context=contextvars.Context())
            assert goes_on or await another == {"echo": {}}
            another.cancel()
        finally:
            first.kill()
            await asked.supervisor.close()

    asyncio.run(whole())
