"""cn changed over fakes: what is told when not everything can be known."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from cn_daemon.application.ports import Call
from cn_daemon.application.question import WorkspaceSession
from cn_daemon.application.surveys.changed import Changed
from cn_daemon.domain.patches import Patch
from cn_daemon.interfaces.text import render
from cn_shared.errors import DeadlineError, LanguageServerError
from cn_shared.surveys import ChangedAnswer
from cn_shared.wire import document
from tests.application.test_navigation import Bench
from tests.fakes.navigation import FakeLanguageServer, FakeLanguageServers

USER = Patch("src/user.ts", "modified", after=[(2, 2)], blob="1")
STORE = Patch("src/store.ts", "added", after=[(1, 3)])
OLD = {"1": "export class User {\n  rename(name) {\n  }\n}\n"}


class FakeHistory:
    def __init__(self, *patches: Patch) -> None:
        self._patches = patches

    async def changes(self, rev: str, deadline: float) -> tuple[str, Sequence[Patch], Sequence[str]]:
        return "0123456789ab", self._patches, ()

    async def texts(self, blobs: Sequence[str], deadline: float) -> dict[str, str]:
        return {blob: OLD[blob] for blob in blobs if blob in OLD}


class TwoServers(FakeLanguageServers):
    """One for TypeScript, another for Go."""

    def __init__(self, server: FakeLanguageServer, other: FakeLanguageServer) -> None:
        super().__init__(server)
        self._other = other

    def server_for(self, path: str, wanted: str = "auto") -> FakeLanguageServer | None:
        return self._other if path.endswith(".go") else super().server_for(path, wanted)


def told(bench: Bench, *patches: Patch, servers: Any = None, left_s: float = 10) -> ChangedAnswer:
    servers = servers or FakeLanguageServers(bench.server)
    changed = Changed(WorkspaceSession(bench.workspace, bench.words, servers, FakeHistory(*patches)))

    async def asked() -> ChangedAnswer:
        return await changed.changed(Call(None, asyncio.get_running_loop().time() + left_s))

    return asyncio.run(asked())


def rows(answer: ChangedAnswer) -> list[tuple[str, str, str, int | None]]:
    return [
        (file.file_path, one.change, str(one.symbol.name), one.total) for file in answer.files for one in file.symbols
    ]


def test_all_that_was_known_was_lost_when_time_ran_out() -> None:
    bench = Bench()
    bench.server.failures["outlines"] = [DeadlineError("timed_out", "Time ran out before documentSymbol.")]
    answer = told(bench, USER, STORE)
    assert rows(answer) == [("src/store.ts", "added", "Store", 0)]
    assert answer.outcome() == "partial"
    told_reason = "what changed in src/user.ts is not known; time ran out before the uses of all were looked up"
    assert answer.completeness.reason == told_reason


def test_uses_that_were_not_looked_up_were_told_as_none() -> None:
    answer = told(Bench(), USER, STORE, left_s=0)
    assert rows(answer) == [("src/user.ts", "changed", "rename", None), ("src/store.ts", "added", "Store", None)]
    assert answer.completeness.reason == "time ran out before the uses of all were looked up"
    assert "total" not in document(answer)["files"][0]["symbols"][0]
    assert "uses not looked up" in render(answer, color=False)


def test_of_overloads_each_was_a_row_with_the_same_uses() -> None:
    bench = Bench(
        {"src/user.ts": "export class User {\n  rename(a: 1): void\n  rename(b: 2): void\n  rename() {}\n}\n"}
    )
    answer = told(bench, USER)
    assert [(one.change, one.symbol.name, one.symbol.line) for one in answer.files[0].symbols] == [
        ("changed", "rename", 2)
    ]


@pytest.mark.parametrize(
    "patch",
    [
        Patch("src/user.ts", "modified", blob="1", opaque=True),
        Patch("src/user.ts", "modified", after=[(2, 4)], blob="gone"),
        Patch("src/unreadable.ts", "modified", after=[(2, 4)], blob="1"),
    ],
)
def test_a_file_that_cannot_be_compared_was_told_as_if_nothing_or_all_of_it_changed(patch: Patch) -> None:
    answer = told(Bench(), patch, STORE)
    assert rows(answer) == [("src/store.ts", "added", "Store", 0)]
    assert answer.completeness.reason == f"what changed in {patch.path} is not known"


def test_one_language_without_its_server_left_the_others_untold() -> None:
    bench = Bench({"main.go": "func main() {}\n"})
    other = FakeLanguageServer(bench.workspace)
    other.failures["outlines"] = [LanguageServerError("not_installed", "gopls is not installed.")] * 2
    go = Patch("main.go", "added", after=[(1, 1)])
    answer = told(bench, go, STORE, servers=TwoServers(bench.server, other))
    assert rows(answer) == [("src/store.ts", "added", "Store", 0)]
    assert (answer.outcome(), answer.completeness.reason) == ("partial", "gopls is not installed.")
    with pytest.raises(LanguageServerError, match="gopls"):
        told(bench, go, servers=TwoServers(bench.server, other))
