"""What is answered when time runs out: never nothing, and never as if it were all."""

from __future__ import annotations

from typing import Any

import pytest

from cn_daemon.application.question import WorkspaceSession
from cn_daemon.application.relations.relations import Relations
from cn_daemon.application.undecided import nearest_projects
from cn_shared.errors import DeadlineError
from cn_shared.wire import Completeness, LocationRef, document
from tests.application import test_navigation
from tests.fakes.navigation import FakeLanguageServers, NoHistory, path_of

LATE = DeadlineError("timed_out", "Time ran out before updateOpen.")
MENTIONS = ["src/app.ts:1:10", "src/app.ts:2:5", "test/user.test.ts:1:10", "test/user.test.ts:2:5"]
VERBS = ("find", "refs", "callers")


class Bench(test_navigation.Bench):
    """Relations too, over the same desk."""

    def __init__(self, texts: dict[str, str] | None = None) -> None:
        super().__init__(texts)
        desk = WorkspaceSession(self.workspace, self.words, FakeLanguageServers(self.server), NoHistory())
        self.navigation.refs = Relations(desk).refs  # type: ignore[attr-defined]
        self.navigation.callers = Relations(desk).callers  # type: ignore[attr-defined]


def places(completeness: Completeness) -> list[str]:
    assert completeness.undecided is not None
    refs: list[LocationRef] = completeness.undecided.places
    return [f"{ref.file_path}:{ref.line}:{ref.character}" for ref in refs]


@pytest.fixture
def bench() -> Bench:
    return Bench()


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("request_", ["outlines", "load", "references"])
def test_a_question_that_ran_out_of_time_told_nothing(bench: Bench, verb: str, request_: str) -> None:
    """At whatever request time runs out: the definition, and each place that holds the name outside of comments."""
    bench.server.failures[request_] = [LATE] * 99
    answer: Any = bench.ask(verb, "User")
    assert answer.outcome() == "partial"
    assert answer.definition.id == "ref::src/user.ts::1::14"
    assert answer.definition.kind == "Class"
    found = places(answer.completeness)
    assert found == MENTIONS
    assert answer.completeness.undecided.total == len(MENTIONS)
    assert "time ran out" in (answer.completeness.reason or "")
    assert "updateOpen" not in (answer.completeness.reason or "")


def test_what_is_decided_is_not_told_again(bench: Bench) -> None:
    bench.server.missing[path_of("test/user.test.ts")] = "tsconfig.json is still being loaded"
    answer = bench.find("User")
    assert [ref.file_path for ref in answer.references or ()] == ["src/app.ts"] * 2
    assert places(answer.completeness) == MENTIONS[2:]


def test_the_first_of_many_are_shown_and_all_are_counted(bench: Bench) -> None:
    bench.server.failures["references"] = [LATE] * 99
    answer = bench.find("User", limit=1)
    assert answer.completeness.undecided is not None
    assert (len(places(answer.completeness)), answer.completeness.undecided.total) == (1, len(MENTIONS))


def test_a_complete_answer_leaves_nothing_undecided(bench: Bench) -> None:
    told = document(bench.find("User"))
    assert "undecided" not in told["completeness"]


def test_comments_are_no_mentions() -> None:
    bench = Bench({"src/app.ts": "// User\n/* User */\nUser();\n", "test/user.test.ts": ""})
    bench.server.failures["references"] = [LATE] * 99
    assert places(bench.find("User").completeness) == ["src/app.ts:3:1"]


def test_a_place_whose_meaning_is_not_known_in_time(bench: Bench) -> None:
    bench.server.failures["outlines"] = [LATE] * 99
    answer = bench.find("src/app.ts:2:5")
    assert (answer.definition, answer.outcome()) == (None, "partial")
    # Where it is declared nobody has said: that is one of the places.
    assert places(answer.completeness) == [*MENTIONS[:2], "src/user.ts:1:14", *MENTIONS[2:]]


def test_a_name_that_nothing_exports_has_no_caller_to_tell(bench: Bench) -> None:
    bench.server.failures["outlines"] = [LATE] * 99
    assert bench.refused("refs", "Nobody").code == "timed_out"


def test_of_several_that_export_the_name_sources_come_first() -> None:
    bench = Bench({"test/a.ts": "export function User() {}\n", "src/a.ts": "export const User = 1;\n"})
    bench.server.failures["outlines"] = [LATE] * 99
    answer = bench.find("User")
    assert answer.definition is not None
    assert (answer.definition.file_path, answer.definition.kind) == ("src/a.ts", "Constant")
    assert "test/a.ts" in [ref.file_path for ref in answer.candidates]


def test_uses_that_are_known_are_told_when_their_holders_are_not(bench: Bench) -> None:
    outlines = bench.server.outlines
    asked: list[str] = []

    async def told(documents: Any, deadline: float, name: str | None = None) -> Any:
        if "references" in bench.server.asked:
            asked.append("outlines")
            raise LATE
        return await outlines(documents, deadline, name)

    bench.server.outlines = told  # type: ignore[method-assign]
    answer: Any = bench.ask("refs", "User")
    assert asked
    assert answer.outcome() == "partial"
    assert answer.total == len(MENTIONS) or places(answer.completeness)


def test_the_projects_that_hold_a_name() -> None:
    configs = ["/w/tsconfig.json", "/w/a/tsconfig.json", "/w/b/tsconfig.json"]
    assert nearest_projects(["/w/a/x/y.ts", "/w/a/z.ts", "/w/c/d.ts"], configs) == {configs[0], configs[1]}
    assert nearest_projects(["/elsewhere/x.ts"], configs) == set()
