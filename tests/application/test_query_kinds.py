"""What is asked where a symbol is wanted: a file, a folder, lines, names by pattern; over fakes."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cn_daemon.application.navigation import Navigation
from cn_daemon.application.ports import Call, Handler
from cn_daemon.application.query_kinds import QueryKinds
from cn_daemon.application.question import WorkspaceSession
from cn_daemon.application.relations.relations import Relations
from cn_daemon.application.surveys.by_pattern import ByPattern
from cn_daemon.application.surveys.overview import Overview
from cn_shared.errors import CnError, DeadlineError, InputError, LanguageServerError, NotFoundError
from cn_shared.relations import CalleesAnswer
from cn_shared.surveys import OverviewAnswer
from cn_shared.wire import FindAnswer, InspectAnswer, MapAnswer
from tests.application.test_grep import FakeTextSearch
from tests.application.test_navigation import Bench
from tests.fakes.navigation import FakeLanguageServers, NoHistory

ROUTERS = {
    "src/routers.ts": "export class UserRouter {\n  getPath() {}\n}\nexport class OrderRouter {\n  getPath() {}\n}\n",
    "src/router.ts": "export class Router {\n}\nexport function makeRouter() {}\n",
    "test/router.test.ts": "export class FakeRouter {\n}\n",
    "src/uses.ts": 'import { Router } from "./router";\nfunction start() {\n  const localRouter = new Router();\n}\n',
}


class Asking(Bench):
    """refused: what the pattern is refused with, if it is."""

    def __init__(self, texts: dict[str, str] | None = None) -> None:
        super().__init__({**ROUTERS, **(texts or {})})
        self.texts = FakeTextSearch(self.workspace.texts)
        desk = WorkspaceSession(self.workspace, self.words, FakeLanguageServers(self.server), NoHistory())
        navigation, relations = Navigation(desk), Relations(desk)
        self.handlers: dict[str, Handler] = {
            "map": navigation.map,
            "find": navigation.find,
            "inspect": navigation.inspect,
            "callees": relations.callees,
            "overview": Overview(desk).overview,
        }
        self.asked = QueryKinds(self.workspace, ByPattern(desk, self.texts), self._handler)

    async def _handler(self, verb: str) -> Handler:
        return self.handlers[verb]

    def ask(self, verb: str, *parameters: Any, **named: Any) -> Any:
        handler = self.handlers[verb]
        key = {"inspect": "target_id", "map": "file_path", "overview": "folder"}.get(verb, "query")
        wrap = {"map": self.asked.of_file, "overview": self.asked.of_folder}.get(verb)

        async def asked() -> Any:
            call = Call(None, asyncio.get_running_loop().time() + 10)
            forgiving = wrap(handler) if wrap else self.asked.forgiving(verb, handler)
            return await forgiving(call, **{key: parameters[0]}, **named)

        return asyncio.run(asked())


def names(answer: FindAnswer) -> list[str | None]:
    assert answer.matches is not None
    return [ref.name for ref in answer.matches]


@pytest.mark.parametrize("verb", ["find", "inspect", "callees"])
@pytest.mark.parametrize("query", ["src/user.ts", "`src/user.ts`", "./src/user.ts"])
def test_a_file_is_answered_by_its_outline(verb: str, query: str) -> None:
    answer = Asking().ask(verb, query)
    assert isinstance(answer, MapAnswer)
    assert [row.name for row in answer.symbols] == ["User", "rename"]


def test_a_long_outline_goes_on_where_it_was_cut() -> None:
    answer = Asking().ask("find", "src/user.ts", limit=1, cursor="1")
    assert [row.name for row in answer.symbols] == ["rename"]


@pytest.mark.parametrize("verb", ["find", "inspect", "callees", "map"])
@pytest.mark.parametrize("query", ["src/", "./src", "src"])
def test_a_folder_is_answered_by_its_overview(verb: str, query: str) -> None:
    answer = Asking().ask(verb, query)
    assert isinstance(answer, OverviewAnswer)
    assert answer.folder == "src"


def test_a_symbol_that_is_called_like_a_folder_is_the_symbol() -> None:
    answer = Asking({"src/src.ts": "export function src() {}\n"}).ask("find", "src")
    assert answer.definition.file_path == "src/src.ts"


@pytest.mark.parametrize("verb", ["find", "inspect", "callees"])
def test_lines_of_a_file_are_shown(verb: str) -> None:
    answer = Asking().ask(verb, "src/user.ts:2-3")
    assert isinstance(answer, InspectAnswer)
    assert answer.result.code == "  rename(name) {\n    this.name = name;"
    assert (answer.result.range.start_line, answer.result.range.end_line) == (2, 3)
    assert Asking().ask("inspect", "src/user.ts:4-900").result.range.end_line == 6
    with pytest.raises(NotFoundError):
        Asking().ask("inspect", "src/user.ts:400-900")


@pytest.mark.parametrize("verb", ["find", "inspect", "callees", "map"])
@pytest.mark.parametrize("query", ["cart.ts", "deep/cart.ts"])
def test_the_end_of_a_files_path_was_a_symbol_that_is_not_there(verb: str, query: str) -> None:
    answer = Asking({"src/deep/cart.ts": "export class Cart {}\n"}).ask(verb, query)
    assert isinstance(answer, MapAnswer)
    assert answer.file_path == "src/deep/cart.ts"


@pytest.mark.parametrize("query", [
    "cart.ts:Cart", "deep/cart.ts:Cart", "./deep/cart.ts#Cart", "cart.ts:1", "cart.ts:1:14", "cart.ts::Cart",
    "src/deep/cart.ts Cart", "Cart in src/deep/cart.ts", "ref::deep/cart.ts::1::14",
])  # fmt: skip
def test_a_symbol_in_a_file_by_the_end_of_its_path(query: str) -> None:
    """`util.ts:clone` only said which file may be meant, also where there is no other."""
    asking = Asking({"src/deep/cart.ts": "export class Cart {}\n", "src/other.ts": "export class Cart {}\n"})
    assert asking.ask("find", query).definition.file_path == "src/deep/cart.ts"


@pytest.mark.parametrize("query", ["deep/cart.ts:1-1", "cart.ts:1-1"])
def test_lines_of_a_file_by_the_end_of_its_path(query: str) -> None:
    answer = Asking({"src/deep/cart.ts": "export class Cart {}\n"}).ask("find", query)
    assert answer.result.code == "export class Cart {}"


def test_a_file_that_may_be_several_is_not_chosen() -> None:
    asking = Asking({"a/index.ts": "export class One {}\n", "b/index.ts": "export class One {}\n"})
    with pytest.raises(NotFoundError) as caught:
        asking.ask("find", "index.ts:One")
    assert caught.value.data["near"] == ["a/index.ts", "b/index.ts"]


@pytest.mark.parametrize("query", ["user_router", "userrouter", "USER_ROUTER", "src/routers.ts:userRouter"])
def test_a_name_in_other_capitals_is_answered_and_said(query: str) -> None:
    bench = Asking()
    bench.words.near = ["UserRouter", "Router"]
    answer = bench.ask("find", query)
    assert answer.definition.name == "UserRouter"
    assert answer.hint.startswith(f"Nothing is called {query.rpartition(':')[2]}; this is UserRouter.")
    bench.words.near = ["Router", "makeRouter"]
    assert bench.ask("callees", "make_router").definition.name == "makeRouter"


def test_of_two_names_in_other_capitals_none_is_chosen() -> None:
    bench = Asking({"src/other.ts": "export function userRouter() {}\n"})
    bench.words.near = ["UserRouter", "userRouter"]
    assert bench.ask("find", "user_router").outcome() == "empty"


def test_a_file_where_a_folder_is_wanted_and_a_symbol_where_a_file_is() -> None:
    asking = Asking()
    answer = asking.ask("overview", "src/user.ts")
    assert isinstance(answer, MapAnswer)
    with pytest.raises(NotFoundError) as caught:
        asking.ask("map", "UserRouter")
    assert caught.value.hint.endswith("cn inspect UserRouter")


def test_several_files_whose_paths_end_so_are_named() -> None:
    asking = Asking({"a/index.ts": "let a\n", "b/index.ts": "let b\n"})
    with pytest.raises(NotFoundError) as caught:
        asking.ask("find", "index.ts")
    assert caught.value.code == "file_not_found"
    assert asking.ask("find", "User.nothing").outcome() == "empty"


def test_a_path_that_is_mistyped_is_said_as_such() -> None:
    with pytest.raises(NotFoundError) as caught:
        Asking().ask("find", "src/usr.tsx")
    assert caught.value.code == "file_not_found"


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("*Router", ["FakeRouter", "makeRouter", "OrderRouter", "Router", "UserRouter"]),
        ("Router*", ["Router"]),
        ("/^make|Fake/", ["FakeRouter", "makeRouter"]),
        ("Router|User|nothing", ["Router", "User"]),
        ("UserRouter.get*", ["getPath"]),
        ("src/routers.ts:*Router", ["OrderRouter", "UserRouter"]),
        ("getPa*", ["getPath", "getPath"]),
    ],
)
def test_names_by_pattern(query: str, found: list[str]) -> None:
    """By name; what is local to a body is none of them."""
    answer = Asking().find(query)
    assert names(answer) == found
    assert (answer.outcome(), answer.next, answer.references) == ("found", None, None)


@pytest.mark.parametrize("files", [1, 2, 64])
@pytest.mark.parametrize("limit", [1, 2, 3, 5, 100])
def test_whoever_follows_the_cursors_sees_each_symbol_once(
    limit: int, files: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cn_daemon.application.surveys.by_pattern.FILES", files)
    seen: list[str | None] = []
    cursor = None
    for _ in range(10):
        answer = Asking().find("*Router", limit=limit, cursor=cursor)
        seen += names(answer)
        cursor = answer.next
        if cursor is None:
            break
    monkeypatch.undo()
    assert seen == names(Asking().find("*Router"))


def test_no_more_files_are_looked_into_than_a_page_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cn_daemon.application.surveys.by_pattern.FILES", 2)
    bench = Asking({f"src/row{number:02}.ts": "export class Row {\n}\n" for number in range(40)})
    answer = bench.find("Ro*", limit=3)
    assert names(answer) == ["Router", "Row", "Row"]
    assert answer.next == "3"
    assert bench.server.asked.count("outlines") <= 3


def test_a_pattern_that_nothing_fits() -> None:
    answer = Asking().find("*Nothing")
    assert answer.outcome() == "empty"
    assert answer.hint == "Nothing of such a name is declared outside of function bodies."


def test_a_name_in_a_folder() -> None:
    bench = Asking({"lib/user.ts": "export class User {\n}\n"})
    assert bench.find("lib/:User").definition.file_path == "lib/user.ts"  # type: ignore[union-attr]
    assert bench.ask("inspect", "src/:User.rename()").result.file_path == "src/user.ts"
    assert names(bench.find("test/:*Router")) == ["FakeRouter"]
    assert bench.find("test/:User").outcome() == "empty"
    with pytest.raises(NotFoundError):
        bench.ask("inspect", "test/:User")
    assert bench.find(".:User").definition == bench.find("User").definition
    bench = Asking({"lib/a.ts": "export class Twice {\n}\n", "lib/b.ts": "export class Twice {\n}\n"})
    assert names(bench.find("lib/:Twice")) == ["Twice", "Twice"]
    first = bench.find("lib/:Twice", limit=1)
    assert first.matches is not None
    assert bench.find("lib/:Twice", limit=1, cursor=first.next).matches != first.matches


def test_a_pattern_for_a_verb_of_one_symbol() -> None:
    answer = Asking().ask("callees", "makeR*")
    assert isinstance(answer, CalleesAnswer)
    assert answer.definition.name == "makeRouter"
    with pytest.raises(InputError) as caught:
        Asking().ask("inspect", "*Router")
    assert caught.value.code == "several_symbols"
    assert "makeRouter ref::src/router.ts::3::17" in caught.value.hint
    with pytest.raises(NotFoundError):
        Asking().ask("inspect", "*Nothing")


def test_a_language_server_that_fails_leaves_the_answer_partial() -> None:
    bench = Asking()
    bench.server.failures["outlines"] = [LanguageServerError("language_server_failed", "It does not start.")]
    answer = bench.find("*Router")
    assert answer.outcome() == "partial"
    assert answer.completeness.reason == "It does not start"


def test_the_only_symbol_that_is_known_is_not_taken_for_the_only_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the others' files the language server said nothing."""
    bench = Asking()
    told = bench.server.outlines

    async def failing(documents: Any, *parameters: Any) -> Any:
        if any("routers" in one.path for one in documents):
            raise LanguageServerError("language_server_failed", "It does not start.")
        return await told(documents, *parameters)

    bench.server.outlines = failing  # type: ignore[method-assign]
    with pytest.raises(NotFoundError) as caught:
        bench.ask("inspect", "UserRoute*")
    assert caught.value.hint == "It does not start"
    monkeypatch.setattr("cn_daemon.application.surveys.by_pattern.FILES", 1)
    with pytest.raises(InputError) as refused:
        bench.ask("inspect", "/^User(Router)?$/")
    assert refused.value.hint == "Ask about one: User ref::src/user.ts::1::14, …"


def test_time_that_runs_out_leaves_the_answer_partial(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cn_daemon.application.surveys.by_pattern.FILES", 1)
    bench = Asking()
    told, asked = bench.server.outlines, []

    async def slow(*parameters: Any, **named: Any) -> Any:
        asked.append(parameters)
        if len(asked) > 2:
            raise DeadlineError("timed_out", "Time ran out.")
        return await told(*parameters, **named)

    bench.server.outlines = slow  # type: ignore[method-assign]
    answer = bench.find("*Router")
    assert answer.outcome() == "partial"
    assert names(answer) == ["FakeRouter"]


def test_what_is_none_of_these_is_refused_as_before() -> None:
    with pytest.raises(CnError) as caught:
        Asking().ask("find", "a b")
    assert caught.value.code == "bad_query"
