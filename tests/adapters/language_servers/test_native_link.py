"""The native server that owes an answer and does nothing."""

from __future__ import annotations

import asyncio
import contextvars
import os
import sys
from pathlib import Path
from typing import Any, cast

import pytest

from cn_daemon.adapters.language_servers.native import link
from cn_daemon.adapters.language_servers.native.link import NativeLink
from cn_daemon.adapters.language_servers.session import PyglsSession
from cn_daemon.adapters.language_servers.spawning import Started
from cn_shared.errors import DeadlineError, LanguageServerError
from tests.fakes import language_server


@pytest.mark.parametrize(("method", "goes_on"), [("hang", False), ("work", True)])
def test_a_server_whose_threads_waited_for_one_another_was_asked_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str, goes_on: bool
) -> None:
    monkeypatch.setattr(link, "IDLE_S", 0.3)

    async def provision(tell: object) -> Any:
        return Started("fake", None, cast(Any, None), "")

    async def start(started: object, **told: object) -> PyglsSession:
        command = [sys.executable, language_server.__file__]
        return await PyglsSession.spawn(
            "fake", command, cwd=tmp_path, environment=os.environ, log_file=tmp_path / "log", answers={}
        )

    async def whole() -> None:
        asked = NativeLink(cast(Any, provision), start)
        # Its start is none of what is measured.
        deadline = asyncio.get_running_loop().time() + 20
        first = await asked.supervisor.session(deadline)
        try:
            with pytest.raises(DeadlineError if goes_on else LanguageServerError):
                await asked.request(method, {}, asyncio.get_running_loop().time() + 2)
            assert first.alive == goes_on
            # Another question: of one and the same a single process answers all.
            told = asyncio.create_task(asked.request("x", {}, deadline), context=contextvars.Context())
            assert goes_on or await told == {"echo": {}}
            told.cancel()
        finally:
            first.kill()
            await asked.supervisor.close()

    asyncio.run(whole())
