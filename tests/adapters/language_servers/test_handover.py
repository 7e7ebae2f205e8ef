"""The server of TypeScript ≤ 6 is wanted for a legacy tsconfig, and cannot be had."""

from __future__ import annotations

import asyncio

import pytest

from cn_daemon.adapters.language_servers.handover import Handover
from cn_daemon.application.ports import Coverage, Site
from cn_daemon.domain.source.text import Position
from cn_shared.errors import LanguageServerError
from cn_shared.wire import LanguageServerStatus
from tests.fakes.navigation import FakeLanguageServer, FakeWorkspace, path_of

LOSS = "tsconfig.json sets baseUrl, which TypeScript 7 no longer reads"


class Native(FakeLanguageServer):
    """losing: why it loses references, or nothing."""

    losing = LOSS

    async def loss(self, deadline: float) -> str:
        return self.losing

    def status(self) -> LanguageServerStatus:
        return LanguageServerStatus("native", "ready")


def servers() -> tuple[Native, FakeLanguageServer, Handover]:
    workspace = FakeWorkspace({"a.ts": "export class User {\n}\n"})
    native, compiled = Native(workspace), FakeLanguageServer(workspace)
    return native, compiled, Handover(native, compiled)


async def ask(handover: Handover) -> Coverage:
    coverage = await handover.load([path_of("a.ts")], 0.0)
    await handover.references([Site(path_of("a.ts"), Position(1, 14))], 0.0)
    return coverage


def test_without_nodejs_the_native_server_answers() -> None:
    native, compiled, handover = servers()
    compiled.failures["load"] = [LanguageServerError("provisioning_failed", "There is no Node.js.")]
    asyncio.run(ask(handover))
    assert native.asked == ["load", "references"]
    assert handover.status() == LanguageServerStatus(
        "native", "ready", detail=f"the server of TypeScript ≤ 6 is wanted: {LOSS}; There is no Node.js."
    )
    # It is tried again by the next question.
    asyncio.run(ask(handover))
    assert compiled.asked == ["load", "load", "references"]
    assert handover.status() == LanguageServerStatus(
        "fake", "ready", detail=f"the server of TypeScript ≤ 6 answers: {LOSS}"
    )


def test_another_failure_is_told() -> None:
    _, compiled, handover = servers()
    compiled.failures["load"] = [LanguageServerError("language_server_died", "It ended.")]
    with pytest.raises(LanguageServerError, match="It ended"):
        asyncio.run(ask(handover))


def test_a_question_goes_on_with_the_server_it_has_loaded() -> None:
    """Another question, after a change of the tsconfig, is answered by the other one meanwhile."""
    native, compiled, handover = servers()

    async def both() -> None:
        first_loaded, second_done = asyncio.Event(), asyncio.Event()

        async def first() -> None:
            await handover.load([path_of("a.ts")], 0.0)
            first_loaded.set()
            await second_done.wait()
            await handover.references([Site(path_of("a.ts"), Position(1, 14))], 0.0)

        async def second() -> None:
            await first_loaded.wait()
            native.losing = ""
            await ask(handover)
            second_done.set()

        await asyncio.gather(first(), second())

    asyncio.run(both())
    assert compiled.asked == ["load", "references"]
    assert native.asked == ["load", "references"]
