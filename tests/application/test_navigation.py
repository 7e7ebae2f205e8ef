"""The navigation verbs over fakes: what is answered when all goes well, and what is said when it does not."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from cn_daemon.application.navigation import Navigation
from cn_daemon.application.ports import Call, Hit, Names, Site
from cn_daemon.application.question import WorkspaceSession
from cn_daemon.domain.source.text import Position, Span
from cn_shared.errors import CnError, DeadlineError, InputError, LanguageServerError, NotFoundError
from cn_shared.wire import FindAnswer, document
from tests.fakes.navigation import (
    ROOT,
    FakeLanguageServer,
    FakeLanguageServers,
    FakeWords,
    FakeWorkspace,
    NoHistory,
    path_of,
)

USER = "export class User {\n  rename(name) {\n    this.name = name;\n  }\n}\n"
TEXTS = {
    "src/user.ts": USER,
    "src/app.ts": 'import { User } from "./user";\nnew User().rename("Ada");\n',
    "src/store.ts": "export class Store {\n  rename() {}\n}\n",
    "test/user.test.ts": 'import { User } from "../src/user";\nnew User();\n',
    "notes.md": "User",
}


class Bench:
    """Navigation over `texts` (the defaults, and more)."""

    def __init__(self, texts: dict[str, str] | None = None, names: Names | None = None) -> None:
        self.workspace = FakeWorkspace({**TEXTS, **(texts or {})})
        self.words = FakeWords(self.workspace)
        self.server = FakeLanguageServer(self.workspace)
        servers = FakeLanguageServers(self.server, names)
        self.navigation = Navigation(WorkspaceSession(self.workspace, self.words, servers, NoHistory()))

    def ask(self, verb: str, *parameters: Any, cwd: Path | None = None, **named: Any) -> Any:
        async def asked() -> Any:
            call = Call(cwd, asyncio.get_running_loop().time() + 10)
            return await getattr(self.navigation, verb)(call, *parameters, **named)

        return asyncio.run(asked())

    def find(self, query: str, **named: Any) -> FindAnswer:
        answer: FindAnswer = self.ask("find", query, **named)
        return answer

    def refused(self, verb: str, *parameters: Any, **named: Any) -> CnError:
        with pytest.raises(CnError) as caught:
            self.ask(verb, *parameters, **named)
        return caught.value


def uses(answer: FindAnswer) -> list[str]:
    return [f"{ref.file_path}:{ref.line}" for ref in answer.references or ()]


def test_a_name_has_its_definition_and_its_uses_tests_last() -> None:
    bench = Bench()
    answer = bench.find("User")
    assert answer.definition is not None
    assert (answer.definition.id, answer.definition.kind) == ("ref::src/user.ts::1::14", "Class")
    assert answer.definition.preview == "export class User {"
    assert uses(answer) == ["src/app.ts:1", "src/app.ts:2", "test/user.test.ts:1", "test/user.test.ts:2"]
    assert {ref.kind for ref in answer.references or ()} == {"Class"}
    assert (answer.total, answer.next, answer.outcome()) == (4, None, "found")
    assert answer.completeness.status == "complete"
    assert bench.words.barriers == 1


def test_only_the_definition_has_no_key_for_references_and_loads_nothing() -> None:
    bench = Bench()
    told = document(bench.find("User", mode="definition"))
    assert "references" not in told
    assert told["definition"]["filePath"] == "src/user.ts"
    assert set(bench.server.asked) == {"outlines"}
    assert "references" not in document(bench.find("Nobody", mode="definition"))


def test_a_limit_and_its_continuation() -> None:
    bench = Bench()
    first = bench.find("User", limit=3)
    assert (len(uses(first)), first.total, first.next, first.outcome()) == (3, 4, "3", "found")
    second = bench.find("User", limit=3, cursor=first.next)
    assert (uses(second), second.total, second.next) == (["test/user.test.ts:2"], 4, None)
    assert uses(first) + uses(second) == uses(bench.find("User", limit=0))
    assert uses(bench.find("User", cursor="99")) == []


@pytest.mark.parametrize("cursor", ["", "x", "-1", "1.5", "٣x", "9" * 5000])
def test_a_cursor_of_nobodys(cursor: str) -> None:
    assert Bench().refused("find", "User", cursor=cursor).code == "bad_cursor"


def test_what_could_not_be_loaded_makes_the_answer_partial() -> None:
    bench = Bench()
    bench.server.missing[path_of("test/user.test.ts")] = "tsconfig.json is still being loaded"
    answer = bench.find("User")
    assert (answer.outcome(), answer.completeness.status) == ("partial", "partial")
    assert answer.completeness.reason == "tsconfig.json is still being loaded"
    assert (answer.completeness.projects_loaded, answer.completeness.projects_total) == (1, 2)
    assert uses(answer) == ["src/app.ts:1", "src/app.ts:2"]


@pytest.mark.parametrize("request_", ["load", "references"])
def test_out_of_time_the_definition_is_still_told(request_: str) -> None:
    bench = Bench()
    bench.server.failures[request_] = [DeadlineError("timed_out", "fake did not answer within 60 s.")]
    answer = bench.find("User")
    assert answer.outcome() == "partial"
    assert answer.definition is not None
    assert answer.completeness.reason
    assert answer.references == []


def test_out_of_time_before_anything_is_known() -> None:
    bench = Bench()
    bench.server.failures["outlines"] = [DeadlineError("still_starting", "fake is still starting.", "Ask again.")]
    answer = bench.find("User")
    assert (answer.outcome(), answer.hint) == ("partial", "Ask again.")
    assert answer.completeness.reason == "fake is still starting."


@pytest.mark.parametrize("request_", ["outlines", "load", "references"])
def test_a_death_is_survived_once(request_: str) -> None:
    bench = Bench()
    died = LanguageServerError("language_server_died", "It ended.")
    bench.server.failures[request_] = [died]
    assert len(uses(bench.find("User"))) == 4
    assert bench.words.barriers == 2
    bench.server.failures[request_] = [died, died]
    assert bench.refused("find", "User").code == "language_server_died"


def test_a_question_is_begun_anew_as_often_as_edits_take_away_what_it_had_loaded() -> None:
    bench = Bench()
    bench.server.failures["references"] = [LanguageServerError("projects_changed", "They changed.")] * 4
    assert len(uses(bench.find("User"))) == 4
    assert bench.words.barriers == 5


@pytest.mark.parametrize("code", ["request_refused", "provisioning_failed", "language_server_failed"])
def test_other_failures_are_told(code: str) -> None:
    bench = Bench()
    bench.server.failures["references"] = [LanguageServerError(code, "It will not.")]
    assert bench.refused("find", "User").code == code
    assert bench.server.asked.count("references") == 1


def test_map_and_inspect_survive_a_death_too() -> None:
    bench = Bench()
    died = LanguageServerError("language_server_died", "It ended.")
    for verb, target in (("map", "src/user.ts"), ("inspect", "src/user.ts#User")):
        bench.server.failures["outlines"] = [died]
        bench.ask(verb, target)
        assert bench.server.failures["outlines"] == []


def test_nothing_of_that_name() -> None:
    bench = Bench()
    bench.words.near = ["User", "Users"]
    answer = bench.find("Usr")
    assert (answer.outcome(), answer.definition, answer.references, answer.total) == ("empty", None, [], 0)
    assert answer.suggestions == ["User", "Users"]
    assert answer.hint is not None
    assert "User, Users" in answer.hint
    assert answer.completeness.status == "complete"


def test_a_word_that_nothing_declares() -> None:
    answer = Bench({"src/words.ts": "// onlyHere\n"}).find("onlyHere")
    assert answer.outcome() == "empty"
    assert answer.hint is not None
    assert "1 file holds the word" in answer.hint


def test_a_member_that_the_container_has_not() -> None:
    answer = Bench().find("Nobody.rename")
    assert answer.definition is None
    assert [ref.container for ref in answer.candidates] == ["Store", "User"]
    assert answer.hint is not None
    assert "candidates" in answer.hint


def test_several_of_one_name_are_candidates_with_ids() -> None:
    bench = Bench()
    answer = bench.find("rename")
    assert answer.definition is not None
    both = [answer.definition, *answer.candidates]
    assert sorted(str(ref.container) for ref in both) == ["Store", "User"]
    for ref in both:
        again = bench.find(ref.id)
        assert again.definition is not None
        assert again.definition.container == ref.container
        assert bench.ask("inspect", ref.id).result.name == f"{ref.container}.rename"
    assert bench.find("User.rename").candidates == []


def test_a_private_name_is_not_its_public_namesake() -> None:
    bench = Bench({"src/two.ts": "export class Two {\n  #both() {}\n  both() {}\n}\n"})
    for query, character in (("both", 3), ("#both", 3)):
        answer = bench.find(query)
        assert answer.definition is not None
        assert (answer.definition.name, answer.definition.character) == (query, character)
    only = Bench({"src/one.ts": "export class One {\n  #lone() {}\n}\n"}).find("lone")
    assert only.definition is not None
    assert only.definition.name == "#lone"


def test_what_lies_in_packages_is_no_use_of_ours() -> None:
    bench = Bench({"node_modules/x/index.ts": "User\n"})
    bench.server.loaded.add(path_of("node_modules/x/index.ts"))
    assert not [use for use in uses(bench.find("User")) if "node_modules" in use]


def test_a_librarys_symbol_is_external_and_becomes_readable() -> None:
    bench = Bench({"/lib/lib.d.ts": "export class Promise {\n}\n", "src/p.ts": "new Promise();\n"})
    site = Site(path_of("src/p.ts"), Position(1, 5))
    bench.server.defined[site] = [Hit("/lib/lib.d.ts", Span(Position(1, 14), Position(1, 21)), True)]
    for query in ("src/p.ts:1:5", "Promise"):
        answer = bench.find(query)
        assert answer.definition is not None
        assert (answer.definition.file_path, answer.definition.external) == ("/lib/lib.d.ts", True)
    assert bench.workspace.allowed == {"/lib/lib.d.ts"}


@pytest.mark.parametrize(
    ("verb", "parameters", "code", "kind"),
    [
        ("find", ["  "], "empty_query", InputError),
        ("inspect", [""], "empty_query", InputError),
        ("find", ["a b"], "bad_query", InputError),
        ("map", ["notes.md"], "unsupported_language", InputError),
        ("find", ["notes.md:User"], "unsupported_language", InputError),
        ("inspect", ["notes.md:1"], "unsupported_language", InputError),
        ("map", ["src/none.ts"], "file_not_found", NotFoundError),
        ("find", ["src/none.ts:1:1"], "file_not_found", NotFoundError),
        ("find", ["src/user.ts:99:1"], "no_such_line", NotFoundError),
        ("inspect", ["src/user.ts:99"], "no_such_line", NotFoundError),
        ("inspect", ["src/user.ts:0:1"], "no_such_line", NotFoundError),
        ("inspect", ["src/user.ts:1:99"], "no_such_character", InputError),
        ("find", ["src/user.ts:1:99"], "no_such_character", InputError),
        ("inspect", ["src/user.ts#Nobody"], "symbol_not_found", NotFoundError),
        ("inspect", ["Nobody"], "symbol_not_found", NotFoundError),
    ],
)
def test_bad_input(verb: str, parameters: list[str], code: str, kind: type[CnError]) -> None:
    bench = Bench()
    error = bench.refused(verb, *parameters)
    assert isinstance(error, kind)
    assert (error.code, error.exit_code) == (code, 2)
    assert error.message
    if code == "unsupported_language":
        assert error.data["supported"] == [".js", ".ts"]
    # And nothing is lost.
    assert len(uses(bench.find("User"))) == 4


def test_a_file_is_taken_from_the_current_folder_first() -> None:
    bench = Bench({"sub/src/user.ts": "export class Other {\n}\n"})
    assert bench.ask("map", "src/user.ts").symbols[0].name == "User"
    assert bench.ask("map", "src/user.ts", cwd=ROOT / "sub").symbols[0].name == "Other"


def test_map_in_order_with_ids_that_lead_back() -> None:
    bench = Bench()
    answer = bench.ask("map", "src/user.ts")
    assert [(row.name, row.kind, row.line, row.end_line, row.container) for row in answer.symbols] == [
        ("User", "Class", 1, 5, None),
        ("rename", "Method", 2, None, "User"),
    ]
    assert bench.ask("inspect", answer.symbols[0].id).result.code == USER.rstrip("\n")


def test_inspect_surround() -> None:
    bench = Bench()
    shown = bench.ask("inspect", "src/user.ts:3:5", expand="surround", lines=1).result
    assert (shown.range.start_line, shown.range.end_line) == (2, 4)
    assert shown.code == "\n".join(USER.split("\n")[1:4])
    edge = bench.ask("inspect", "src/user.ts:1:1", expand="surround", lines=99).result
    assert (edge.range.start_line, edge.range.end_line) == (1, 6)
    assert bench.server.asked == []


def test_inspect_names_what_the_block_uses_once_and_in_order() -> None:
    shown = Bench().ask("inspect", "src/user.ts#User").result
    assert [name for name in shown.related_symbols if name in ("rename", "name", "User")] == ["rename", "name"]
    assert (shown.kind, shown.name, shown.signature) == ("Class", "User", "export class User")


def test_a_readable_id_outlives_moved_lines() -> None:
    bench = Bench()
    bench.workspace.texts[path_of("src/user.ts")] = "\n\n\n" + USER
    assert bench.ask("inspect", "src/user.ts#User.rename").result.range.start_line == 5


def test_the_text_is_pointed_to_where_no_use_is_known_for_certain(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {"src/lone.ts": "export class Lone {}\n", "src/a.ts": "// Lone\n", "src/b.ts": "// Lone\n"}
    bench = Bench(texts)

    async def none(*_: Any, **__: Any) -> list[Any]:
        return []

    monkeypatch.setattr(bench.server, "references", none)
    bench.server.missing[path_of("src/a.ts")] = "tsconfig.json is still being loaded"
    answer = bench.find("Lone")
    assert (answer.outcome(), answer.references) == ("partial", [])
    assert answer.hint == r"2 other files hold the word Lone, not counted as uses: cn grep '\bLone\b' shows the lines."
