"""What a row asks of its server beside questions; the server is a fake, so that every row's data are tried anywhere."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from cn_daemon.adapters.language_servers.languages import LANGUAGES, Language
from cn_daemon.adapters.language_servers.lsp import files
from cn_daemon.adapters.language_servers.lsp.link import LspLink
from cn_daemon.adapters.language_servers.lsp.server import LspServer
from cn_daemon.adapters.language_servers.provisioning.programs import Program
from cn_daemon.adapters.language_servers.session import PyglsSession
from cn_daemon.application.ports import Changes, Site
from cn_daemon.domain.declarations.blocks import Around
from cn_daemon.domain.source.text import Document, Position
from cn_shared.errors import DeadlineError, LanguageServerError

RUST = next(row for row in LANGUAGES if row.name == "rust")
SITE = Site("/w/a.rs", Position(1, 4))


class FakeSession:
    def __init__(self, heard: Mapping[str, Callable[[Any], Any]]) -> None:
        self.alive = True
        self.process = SimpleNamespace(pid=1)
        self.heard = heard
        self.capabilities = {"referencesProvider": True, "documentSymbolProvider": True}
        self.told: list[tuple[str, Any]] = []

    def notify(self, method: str, params: Any) -> None:
        document = params.get("textDocument", {})
        self.told.append((method.rpartition("/")[2], document.get("text", document.get("uri"))))

    async def request(self, method: str, params: Any, *, timeout_s: float) -> Any:
        self.told.append((method, None))
        return []

    def kill(self) -> None:
        self.alive = False

    async def stop(self) -> None:
        self.alive = False


class Story:
    """A workspace whose files are these, and its server."""

    def __init__(self, row: Language, texts: dict[str, str]) -> None:
        self.changes = Changes()
        self.sessions: list[FakeSession] = []
        link = LspLink(row, self._provision, self._start)
        self.server = LspServer(link, texts.__getitem__, lambda reader: self.changes)

        self.refused = ""

    async def _provision(self, tell: Callable[[str], None]) -> Program:
        if self.refused:
            raise LanguageServerError("provisioning_failed", self.refused)
        return Program(Path("/bin/fake"), "1.0")

    async def _start(self, program: Program, row: Language, heard: Mapping[str, Callable[[Any], Any]]) -> PyglsSession:
        self.sessions.append(FakeSession(heard))
        return cast(PyglsSession, self.sessions[-1])

    @property
    def told(self) -> list[tuple[str, Any]]:
        return self.sessions[-1].told

    def says(self, **status: Any) -> None:
        self.sessions[-1].heard[RUST.quiet](status)


def run(story: Callable[[float], Awaitable[None]]) -> None:
    async def told() -> None:
        await story(asyncio.get_running_loop().time() + 10)

    asyncio.run(told())


def test_what_is_asked_before_the_workspace_was_read_waits_for_it_and_form_does_not() -> None:
    async def story(deadline: float) -> None:
        one = Story(RUST, {})
        await one.server.outlines([Document(SITE.path, "fn a() {}")], deadline)
        asked = asyncio.create_task(one.server.references([SITE], deadline))
        await asyncio.sleep(0.05)
        assert ("textDocument/references", None) not in one.told
        one.says(quiescent=True, health="ok")
        assert await asked == []
        one.says(quiescent=False)
        with pytest.raises(DeadlineError, match="still reading the workspace"):
            await one.server.references([SITE], asyncio.get_running_loop().time() + 0.01)

    run(story)


def test_what_a_server_cannot_be_asked_for_is_not_taken_for_nothing() -> None:
    async def story(deadline: float) -> None:
        one = Story(RUST, {})
        await one.server.outlines([Document(SITE.path, "fn a() {}")], deadline)
        one.says(quiescent=True)
        with pytest.raises(LanguageServerError, match="cannot be asked for definition"):
            await one.server.definitions([SITE], deadline)
        assert await one.server.around(Document(SITE.path, ""), SITE.position, deadline) == Around([])

    run(story)


def test_a_changed_marker_has_the_workspace_read_anew_and_what_it_said_before_counts_no_more() -> None:
    async def story(deadline: float) -> None:
        one = Story(RUST, {})
        await one.server.load([], deadline)
        one.says(quiescent=True, health="error", message="Failed to read Cargo metadata: no")
        assert "Failed to read Cargo metadata" in (one.server.status().detail or "")
        one.changes = Changes(changed=frozenset({"/w/Cargo.toml"}))
        await one.server.load([], deadline)
        assert one.told[-3:] == [
            ("didChangeWatchedFiles", None),
            ("rust-analyzer/reloadWorkspace", None),
            ("cn/next", None),
        ]
        assert one.server.status().detail is None

    run(story)


def test_a_file_that_a_pull_brings_ends_the_server_that_would_run_something_by_it_before_it_is_told() -> None:
    """It was told of the file, and to read the workspace anew: what had been refused at the start counted then."""

    async def story(deadline: float) -> None:
        one = Story(RUST, {SITE.path: "fn a() {}"})
        await one.server.load([SITE.path], deadline)
        for name in ("rust-analyzer.toml", "rust-project.json", ".cargo/config.toml", ".cargo/config"):
            one.refused = "Rust is not answered here"
            one.changes = Changes(created=frozenset({f"/w/{name}"}))
            for _ in range(2):  # the change is told once
                with pytest.raises(LanguageServerError, match="not answered here"):
                    await one.server.load([SITE.path], deadline)
                one.changes = Changes()
            assert not one.sessions[-1].alive
            assert {method for method, _ in one.told} == {"didOpen"}
            one.refused = ""
            await one.server.load([SITE.path], deadline)
            assert one.sessions[-1].alive

    run(story)


def test_what_is_seen_in_open_files_alone_is_opened_and_what_is_gone_is_empty_first() -> None:
    async def story(deadline: float) -> None:
        texts = {"/w/new.rs": "fn new() {}"}
        one = Story(RUST, texts)
        await one.server.load([], deadline)
        one.changes = Changes(created=frozenset(texts), deleted=frozenset({"/w/old.rs"}))
        await one.server.load([], deadline)
        assert one.told == [
            ("didOpen", ""),
            ("didClose", "file:///w/old.rs"),
            ("didOpen", "fn new() {}"),
            ("didChangeWatchedFiles", None),
        ]

    run(story)


def test_a_new_process_is_given_every_text_again_and_the_same_one_none_twice() -> None:
    async def story(deadline: float) -> None:
        one = Story(RUST, {"/w/a.rs": "fn a() {}"})
        for _ in range(2):
            await one.server.load(["/w/a.rs"], deadline)
        assert one.told == [("didOpen", "fn a() {}")]
        one.sessions[-1].alive = False
        another = one.server.load(["/w/a.rs"], deadline)
        await asyncio.create_task(another, context=contextvars.Context())
        assert one.told == [("didOpen", "fn a() {}")]
        assert len(one.sessions) == 2

    run(story)


def test_no_more_files_are_held_open_than_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "OPEN", 2)

    async def story(deadline: float) -> None:
        texts = {f"/w/{name}.rs": name for name in "abcd"}
        one = Story(RUST, texts)
        await one.server.load(["/w/a.rs"], deadline)
        coverage = await one.server.load(["/w/b.rs", "/w/c.rs", "/w/d.rs"], deadline)
        assert coverage.missing == ["/w/d.rs"]
        await one.server.outlines([Document("/w/b.rs", "b")], deadline)
        assert [what for what, _ in one.told] == ["didOpen"] * 3 + ["textDocument/documentSymbol", "didClose"]
        assert one.told[-1] == ("didClose", "file:///w/a.rs")

    run(story)
