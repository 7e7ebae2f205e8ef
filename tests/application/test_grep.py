"""cn grep over fakes: the order of matches, the symbols that hold them, how an answer goes on, what it leaves out."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from cn_daemon.application.ports import Call
from cn_daemon.application.question import WorkspaceSession
from cn_daemon.application.surveys import grep as module
from cn_daemon.application.surveys.grep import Grep
from cn_daemon.application.text_ports import FileHits, Searched, Sought
from cn_daemon.domain.source.text import Position
from cn_shared.errors import CnError, InputError, LanguageServerError, NotFoundError
from cn_shared.surveys import GrepAnswer
from tests.application.test_navigation import TEXTS, Bench
from tests.fakes.navigation import FakeLanguageServers, NoHistory, path_of

FILES = {
    **TEXTS,
    "package-lock.json": '{"name": "User"}\n',
    "README.md": "A User.\n",
    "app.config.json": '{"User": 1}\n',
}


class FakeTextSearch:
    """Of texts in memory. reached: how many files are looked through before time runs out. closed: files, and why they
    were not searched."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = texts
        self.reached: int | None = None
        self.closed: dict[str, str] = {}
        self.asked: list[Sought] = []

    async def files(self) -> Sequence[str]:
        return list(self.texts)

    async def search(self, sought: Sought, paths: Sequence[str], most: int, deadline: float) -> Searched:
        self.asked.append(sought)
        try:
            plain = re.compile(re.escape(sought.pattern) if sought.fixed else sought.pattern)
            pattern = re.compile(rf"\b(?:{plain.pattern})\b") if sought.word else plain
        except re.error as error:
            raise InputError("bad_pattern", f"{sought.pattern} is not a regular expression: {error}.") from None
        hits, left = [], most
        for path in paths[: self.reached]:
            lines = enumerate(self.texts[path].split("\n"), 1)
            places = [Position(n, found.start() + 1) for n, line in lines if (found := pattern.search(line))][:left]
            left -= len(places)
            hits += [FileHits(path, places)] if places and path not in self.closed else []
        return Searched(hits, self.closed, not left, len(paths) if self.reached is None else self.reached)

    async def fitting(self, pattern: str, words: Sequence[str], deadline: float) -> list[str]:
        return [word for word in words if re.search(pattern, word)]


class Searching(Bench):
    def __init__(self, texts: dict[str, str] | None = None) -> None:
        super().__init__(texts or FILES)
        self.texts = FakeTextSearch(self.workspace.texts)
        desk = WorkspaceSession(self.workspace, self.words, FakeLanguageServers(self.server), NoHistory())
        self.searching = Grep(desk, self.texts)

    def grep(self, pattern: str, **named: Any) -> GrepAnswer:
        async def asked() -> GrepAnswer:
            return await self.searching.grep(Call(None, asyncio.get_running_loop().time() + 10), pattern, **named)

        return asyncio.run(asked())


def rows(answer: GrepAnswer) -> list[str]:
    return [f"{file.file_path}:{one.line}:{one.character}" for file in answer.files for one in file.matches]


def test_sources_come_before_tests_and_what_tools_wrote_comes_last() -> None:
    bench = Searching()
    bench.words.holds = lambda path: path.endswith(".ts")  # type: ignore[method-assign]
    answer = bench.grep("User")
    assert [file.file_path for file in answer.files] == [
        *("src/app.ts", "src/user.ts", "test/user.test.ts"),
        *("README.md", "app.config.json", "notes.md", "package-lock.json"),
    ]
    assert (answer.total, answer.completeness.files, answer.completeness.status) == (9, 7, "complete")


def test_a_match_is_told_with_the_declaration_that_holds_its_line() -> None:
    answer = Searching({**FILES, "src/a.ts": "export function start() {\n  rename();\n}\n"}).grep("rename")
    found = {f"{file.file_path}:{one.line}": one.within for file in answer.files for one in file.matches}
    # The line that declares a member says so itself: of it what holds the member.
    assert found == {"src/a.ts:2": "start", "src/app.ts:2": None, "src/store.ts:2": "Store", "src/user.ts:2": "User"}


def test_without_a_language_server_the_matches_are_told_all_the_same() -> None:
    bench = Searching()
    bench.server.failures["outlines"] = [LanguageServerError("language_server_failed", "It does not start.")]
    answer = bench.grep("this.name")
    assert [(one.line, one.within) for one in answer.files[0].matches] == [(3, None)]
    assert [one.within for file in bench.grep("this.name").files for one in file.matches] == ["User"]


@pytest.mark.parametrize("limit", [1, 2, 3, 100])
def test_whoever_follows_the_cursors_sees_each_match_once(limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also past the number up to which matches are counted."""
    monkeypatch.setattr(module, "MOST", 4)
    bench = Searching()
    whole = rows(bench.grep("User", limit=100))
    seen: list[str] = []
    cursor = None
    for _ in range(20):
        answer = bench.grep("User", limit=limit, cursor=cursor)
        seen += rows(answer)
        cursor = answer.next
        if cursor is None:
            break
    assert seen == whole
    assert len(whole) == 9


def test_what_was_not_searched_is_said() -> None:
    bench = Searching({**FILES, "src/data.ts": "User"})
    bench.texts.closed = {
        path_of("src/data.ts"): "it is too large",
        path_of("src/user.ts"): "the pattern takes too long",
    }
    answer = bench.grep("User")
    assert answer.outcome() == "partial"
    assert answer.completeness.reason == (
        "src/data.ts not searched: it is too large; src/user.ts not searched: the pattern takes too long"
    )


def test_time_that_ran_out_is_said_with_how_far_it_was() -> None:
    bench = Searching()
    bench.texts.reached = 2
    answer = bench.grep("nowhere")
    assert answer.outcome() == "partial"
    assert answer.completeness.reason == "time ran out: 6 of 8 files were not searched"


def test_a_file_that_is_gone_by_then_is_left_out() -> None:
    bench = Searching()
    bench.workspace.texts = {**bench.workspace.texts}
    del bench.workspace.texts[path_of("src/user.ts")]
    assert "src/user.ts" not in {file.file_path for file in bench.grep("User").files}


def test_what_is_no_regular_expression_is_looked_for_as_it_stands() -> None:
    bench = Searching()
    answer = bench.grep("User(")
    assert rows(answer) == ["src/app.ts:2:5", "test/user.test.ts:2:5"]
    assert answer.hint is not None
    assert answer.hint.startswith("User( is not a regular expression: missing )")


def test_alternatives_spelled_as_for_grep_are_understood() -> None:
    answer = Searching().grep(r"Store\|nothing")
    assert rows(answer) == ["src/store.ts:1:14"]
    assert answer.hint == r"Store\|nothing matches nothing; this is Store|nothing."


@pytest.mark.parametrize(
    ("folder", "files"),
    [
        ("src", {"src/app.ts", "src/user.ts"}),
        ("src/", {"src/app.ts", "src/user.ts"}),
        ("src/app.ts", {"src/app.ts"}),
        ("*.md", {"README.md", "notes.md"}),
        ("test/**/*.ts", {"test/user.test.ts"}),
        (".", {"src/app.ts", "src/user.ts", "test/user.test.ts", "notes.md", "README.md", "app.config.json",
               "package-lock.json"}),
    ],
)  # fmt: skip
def test_only_what_is_asked_for_is_searched(folder: str, files: set[str]) -> None:
    assert {file.file_path for file in Searching().grep("User", folder=folder).files} == files


@pytest.mark.parametrize(
    ("given", "code"), [({"folder": "lib"}, "folder_not_found"), ({"folder": "*" * 300}, "bad_path")]
)
def test_a_folder_that_is_none(given: dict[str, str], code: str) -> None:
    with pytest.raises(CnError) as caught:
        Searching().grep("User", **given)
    assert caught.value.code == code


def test_several_places_are_searched_each_file_once() -> None:
    answer = Searching().grep("User", paths=["src", "src/app.ts", "*.md"], folder="test")
    files = {"src/app.ts", "src/user.ts", "notes.md", "README.md", "test/user.test.ts"}
    assert {file.file_path for file in answer.files} == files
    assert answer.total == 7


def test_a_word_of_its_own() -> None:
    bench = Searching({"a.ts": "user\nusers\nuser.x\nuserx\n"})
    assert [row for row in rows(bench.grep("user", word=True)) if row[:2] == "a."] == ["a.ts:1:1", "a.ts:3:1"]
    assert rows(bench.grep("user.x", word=True, fixed=True)) == ["a.ts:3:1"]


def test_an_empty_pattern_is_refused() -> None:
    with pytest.raises(InputError):
        Searching().grep("")
    with pytest.raises(NotFoundError):
        Searching().grep("a", folder="../elsewhere")


def test_of_a_line_as_long_as_a_file_what_stands_around_the_match_is_shown() -> None:
    line = "a " * 500 + "needle" + " b" * 500
    (file,) = Searching({"src/long.ts": line}).grep("needle").files
    preview = file.matches[0].preview
    assert "needle" in preview
    assert preview.startswith("…")
    assert preview.endswith("…")
    assert len(preview) <= 102
