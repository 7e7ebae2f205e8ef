from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from cn_daemon.application.libraries import library
from cn_daemon.application.libraries.commands import Commands, SearchLimits
from cn_daemon.application.libraries.library import Library
from cn_daemon.application.libraries.library_ports import Freshness
from cn_daemon.application.plain_answer import PlainAnswer
from cn_daemon.application.ports import Call
from cn_daemon.domain.libraries.ranking.use import Use
from cn_shared.errors import CnError, DeadlineError, InputError, NotFoundError
from tests.fakes.libraries import FakeReports, FakeSource, FakeTraits, FakeUsage, catalog, climpt, markdown, report


class Desk:
    """The use cases over three sources and some reports."""

    def __init__(self) -> None:
        self.climpt = FakeSource(
            "climpt",
            {
                "climpt": [
                    climpt("git", "group-commit", "unstaged-changes", "Group file changes and commit them"),
                    climpt("git", "merge-up", "base-branch", "Merge a branch into its parent"),
                    climpt("git", "group-commit", "unstaged-changes", "The same again"),
                ],
                "spec": [climpt("a", "b", "", "Other agent", agent="spec")],
            },
        )
        self.markdown = FakeSource(
            "markdown",
            {
                "/w/deploy.md": [markdown("deploy", "Put the app live", "Roll out the containers.", "workspace")],
                "/l/deploy.md": [markdown("deploy", "Another deploy")],
                "/l/analyze_log.md": [markdown("analyze_log", "Analyze speech logs", "decoder")],
            },
            texts={"md:deploy": "# Deploy\n\nRoll out the containers."},
        )
        self.catalog = FakeSource("catalog", {"/c.json": [catalog("apps", "apps:list", "List existing apps.")]})
        self.reports = FakeReports([report("analyze_log-reports/2025-11-20.md")], about="unheard")
        self.library = Library([self.climpt, self.markdown, self.catalog])
        self.usage, self.traits = FakeUsage(), FakeTraits()
        self.commands = Commands(self.library, self.reports, lambda: SearchLimits(5, 0.5), self.usage, self.traits)

    def ask(self, verb: str, **parameters: Any) -> PlainAnswer:
        return run(getattr(self.commands, verb)(call(), **parameters))


def call() -> Call:
    return Call(None, time.monotonic() + 5)


def run(answer: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(answer)


@pytest.fixture
def desk() -> Desk:
    return Desk()


def ids(answer: PlainAnswer) -> list[str]:
    return [row["canonical_id"] for row in answer.document]


def test_a_search_looks_through_every_source(desk: Desk) -> None:
    found = desk.ask("search", query="merge branch")
    assert ids(found)[0] == "climpt:climpt/git/merge-up/base-branch"
    assert set(found.document[0]) == {
        "canonical_id", "name", "summary", "description", "execution_type", "source", "last_modified",
        "relevance_score", "match_reason", "match_tier", "excerpt", "last_used",
    }  # fmt: skip
    row = desk.ask("search", query="existing apps", include_inputs="required_only").document[0]
    assert (row["http_method"], row["output_fields"], row["flags"][0]["name"]) == ("GET", ["id"], "app")


def test_a_result_tells_when_its_command_was_last_used(desk: Desk) -> None:
    assert desk.ask("search", query="speech logs").document[0]["last_used"] == "2025-11-20"


def test_an_excerpt_comes_from_the_text_and_else_from_the_description(desk: Desk) -> None:
    assert desk.ask("search", query="containers").document[0]["excerpt"] == "Roll out the containers."
    assert desk.ask("search", query="decoder").document[0]["excerpt"] == "Analyze speech logs"


def test_climpt_answers_in_its_own_shape(desk: Desk) -> None:
    found = desk.ask("search", query="commit changes", agent="climpt")
    assert [set(row) for row in found.document] == [{"c1", "c2", "c3", "description", "score"}]
    assert found.document[0]["description"] == "Group file changes and commit them"
    assert desk.ask("search", query="commit", agent="spec").document == []
    assert len(desk.ask("search", query="git", agent="climpt", top=1).document) == 1


@pytest.mark.parametrize("ranking", ["best", "cosine", "bm25", "tfidf", "fuzzy", "tiers"])
def test_every_ranking_answers(desk: Desk, ranking: str) -> None:
    assert desk.ask("search", query="merge", ranking=ranking).document[0]["source"] == "climpt"
    assert desk.ask("search", query="  ", ranking=ranking).document == []


def test_fields_let_tfidf_read_the_identifiers(desk: Desk) -> None:
    assert desk.ask("search", query="base-branch", agent="climpt", ranking="tfidf").document == []
    assert desk.ask("search", query="base-branch", agent="climpt", ranking="tfidf", fields=True).document


def test_an_exact_name_comes_alone_and_inside_a_sentence_first(desk: Desk) -> None:
    found = desk.ask("search", query="analyze_log")
    assert ids(found) == ["md:analyze_log"]
    assert (found.document[0]["relevance_score"], found.document[0]["match_tier"]) == (100, 1)
    assert ids(desk.ask("search", query="use analyze_log to commit changes"))[0] == "md:analyze_log"


def test_tiers_fall_back_on_contents_and_on_reports(desk: Desk) -> None:
    by_name = desk.ask("search", query="merge up the base branch", ranking="tiers").document[0]
    assert (by_name["match_tier"], by_name["match_reason"]) == (1, "name: merge, base, branch")
    assert desk.ask("search", query="containers", ranking="tiers").document[0]["match_tier"] == 2
    by_report = desk.ask("search", query="zzz unheard", ranking="tiers").document[0]
    assert (by_report["canonical_id"], by_report["match_tier"]) == ("md:analyze_log", 3)


def test_what_only_a_report_says_names_the_command_of_the_report(desk: Desk) -> None:
    (found,) = desk.ask("search", query="unheard").document
    assert (found["canonical_id"], found["match_tier"]) == ("md:analyze_log", 3)
    assert found["match_reason"] == "report: analyze_log-reports/2025-11-20.md"
    # Of a command that is found already nothing is said twice, and two are enough.
    assert ids(desk.ask("search", query="decoder unheard")) == ["md:analyze_log"]
    asked = len(desk.reports.asked)
    assert len(desk.ask("search", query="commit branch").document) >= 2
    assert len(desk.reports.asked) == asked


def test_a_report_index_that_fails_leaves_what_is_found_without_it(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    async def late(*_: object) -> list[Any]:
        raise DeadlineError("deadline_passed", "Too late.")

    monkeypatch.setattr(desk.reports, "search", late)
    assert ids(desk.ask("search", query="decoder")) == ["md:analyze_log"]
    assert desk.ask("search", query="unheard").document == []


@pytest.mark.parametrize("ranking", ["best", "cosine", "bm25", "tfidf", "fuzzy", "tiers"])
def test_every_result_says_its_tier(desk: Desk, ranking: str) -> None:
    rows = desk.ask("search", query="deploy", ranking=ranking).document
    assert rows
    assert {row["match_tier"] for row in rows} <= {1, 2, 3}
    assert desk.ask("search", query="roll out").document[0]["match_tier"] == 2
    assert desk.ask("search", query="merge the base branch").document[0]["match_tier"] == 1


def test_an_empty_answer_of_another_ranking_names_best(desk: Desk) -> None:
    found = desk.ask("search", query="committing", agent="climpt")
    assert found.document == []
    assert "--ranking best finds climpt:climpt/git/group-commit/unstaged-changes" in found.hint
    assert "best" not in desk.ask("search", query="xyzzy", agent="climpt").hint


def test_a_question_asked_again_is_answered_from_memory_also_after_500_others(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = desk.ask("search", query="commit branch").document
    for number in range(500):
        desk.ask("search", query=f"commit branch {number}")
    ranked: list[str] = []
    search = desk.library.index.search
    monkeypatch.setattr(
        desk.library.index, "search", lambda query, limit: (ranked.append(query), search(query, limit))[1]
    )
    assert desk.ask("search", query="commit branch").document == first
    assert ranked == []
    desk.reports.generation += 1  # a report may name another command now
    desk.ask("search", query="commit branch")
    assert ranked == ["commit branch"]


def test_a_search_counts_what_it_found_when_all_of_it_was_looked_at(desk: Desk) -> None:
    assert desk.ask("search", query="deploy").total == 2
    page = desk.ask("search", query="deploy", top=1)
    assert (page.total, page.next) == (None, "1")
    assert desk.ask("search", query="git", agent="climpt", top=1).total == 2


def test_pages_go_on_where_the_one_before_ended(desk: Desk) -> None:
    first = desk.ask("search", query="git", ranking="cosine", top=1)
    second = desk.ask("search", query="git", ranking="cosine", top=1, cursor=first.next)
    assert ids(first) != ids(second)
    page = desk.ask("commands", page_size=4)
    assert (len(page.document["commands"]), page.document["total"], page.document["next"]) == (4, 8, "4")
    rest = desk.ask("commands", page_size=4, cursor="4")
    assert "next" not in rest.document
    with pytest.raises(InputError, match="not a cursor"):
        desk.ask("commands", cursor="x")


def test_slips_are_corrected_and_said(desk: Desk) -> None:
    found = desk.ask("search", query="anlyze speech lgos")
    assert ids(found)[0] == "md:analyze_log"
    assert "instead of" in found.hint


def test_nothing_found_says_what_to_do(desk: Desk) -> None:
    found = desk.ask("search", query="Usr")
    assert (found.document, found.outcome()) == ([], "empty")
    assert "cn find Usr" in found.hint


def test_one_command_is_got_whole(desk: Desk) -> None:
    whole = desk.ask("get", command_id="deploy").document
    assert (whole["canonical_id"], whole["content"]) == ("md:deploy", "# Deploy\n\nRoll out the containers.")
    assert whole["keywords"] == ["deploy"]
    assert desk.ask("get", command_id="apps apps:list").document["output_fields"] == ["id"]
    assert desk.ask("get", command_id="git merge-up base-branch").document["agent"] == "climpt"


def test_the_nearest_of_a_name_wins_and_the_other_has_an_id_too(desk: Desk) -> None:
    assert run(desk.commands.find(call(), "md:deploy@library")).description == "Another deploy"
    del desk.markdown.units["/w/deploy.md"]
    assert run(desk.commands.find(call(), "deploy")).description == "Another deploy"


def test_a_name_of_several_commands_names_them(desk: Desk) -> None:
    with pytest.raises(InputError, match="2 commands") as refused:
        desk.ask("get", command_id="git group-commit unstaged-changes")
    assert len(refused.value.data["ids"]) == 2  # type: ignore[arg-type]


def test_an_unknown_command_names_near_ones(desk: Desk) -> None:
    with pytest.raises(NotFoundError, match="no command") as missing:
        desk.ask("get", command_id="analyse_log")
    assert missing.value.data["near"] == ["md:analyze_log"]


def test_describe_gives_every_exact_match(desk: Desk) -> None:
    found = desk.ask("describe", c1="git", c2="group-commit", c3="unstaged-changes")
    assert [row["description"] for row in found.document] == ["Group file changes and commit them", "The same again"]
    assert found.document[0]["options"] == {"edition": ["default"], "file": True}
    assert desk.ask("describe", c1="git", c2="x", c3="y").document == []
    assert desk.ask("describe", c1="a", c2="b", c3="", agent="spec").document


def test_a_missing_climpt_command_keeps_its_documented_error(desk: Desk) -> None:
    with pytest.raises(CnError) as missing:
        run(desk.commands.find_climpt(call(), "climpt", "git", "group-comit", "unstaged-changes"))
    document = missing.value.document()
    assert document["error"] == "Command not found"
    assert (document["c1"], document["c2"]) == ("git", "group-comit")
    assert "group-commit" in str(document["hint"])


def test_a_registry_that_never_loaded_is_the_error_of_its_agent(desk: Desk) -> None:
    desk.climpt.failures = {"broken": (".agent/broken.json", "File not found")}
    with pytest.raises(CnError) as failed:
        desk.ask("search", query="x", agent="broken")
    assert failed.value.document()["error"] == "Failed to load registry"
    assert failed.value.document()["path"] == ".agent/broken.json"


def test_reload_counts_and_tells_what_failed(desk: Desk) -> None:
    assert desk.ask("reload", agent="climpt").document == {
        "success": True,
        "reloaded": [{"agent": "climpt", "commandCount": 3}],
    }
    assert desk.ask("reload").outcome() == "found"
    desk.climpt.failures = {"climpt": ("r.json", "It is not valid JSON")}
    answer = desk.ask("reload")
    assert answer.outcome() == "partial"  # a script is told by the exit code
    failed = answer.document
    assert failed["success"] is False
    assert failed["failed"][0]["details"] == "It is not valid JSON"
    assert {"agent": "climpt", "commandCount": 3} in failed["reloaded"]
    with pytest.raises(NotFoundError, match="no agent"):
        desk.ask("reload", agent="nobody")


def test_a_source_that_is_still_read_does_not_hold_up_the_others(desk: Desk) -> None:
    async def scene() -> None:
        await desk.commands.search(call(), "coffee")
        desk.markdown.units["/l/brew.md"] = [markdown("brew", "Make coffee")]
        desk.markdown.delay_s = 30
        answer = await desk.commands.search(call(), "merge", agent="climpt")
        assert (answer.outcome(), answer.stale) == ("found", "")
        slow = await desk.commands.search(call(), "coffee")
        assert slow.stale == "markdown: not answering"

    run(scene())


def test_a_source_that_others_still_wait_for_was_said_not_to_answer(desk: Desk) -> None:
    async def scene() -> None:
        desk.markdown.units["/l/brew.md"] = [markdown("brew", "Make coffee")]
        desk.markdown.delay_s = 30
        reading = asyncio.create_task(desk.library.warm())
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        desk.markdown.delay_s = 0
        answer = await desk.commands.search(call(), "coffee")
        assert (answer.outcome(), answer.stale) == ("found", "")
        reading.cancel()

    run(scene())


def test_an_agent_that_is_none_is_said_and_near_identifiers_are_named(desk: Desk) -> None:
    assert desk.ask("search", query="merge", agent="nobody").hint == (
        "There is no agent nobody; there are climpt, spec."
    )
    assert "no agent nobody" in desk.ask("describe", c1="a", c2="b", c3="c", agent="nobody").hint
    described = desk.ask("describe", c1="git", c2="merge-up", c3="base")
    assert (described.document, described.hint) == ([], "Did you mean git merge-up base-branch?")


def test_an_answer_from_a_registry_that_broke_since_says_that_it_may_be_old(desk: Desk) -> None:
    assert desk.ask("search", query="merge", agent="climpt").stale == ""
    desk.climpt.failures = {"climpt": (".agent/climpt/registry.json", "It is not valid JSON")}
    answer = desk.ask("search", query="merge", agent="climpt")
    assert (len(answer.document), answer.stale) == (1, "climpt: cannot be read any more")
    assert desk.ask("search", query="other", agent="spec").stale == ""
    assert desk.ask("describe", c1="git", c2="merge-up", c3="base-branch").stale


def test_contents_are_the_whole_body_however_long(desk: Desk) -> None:
    long = f"{'Words. ' * 2000} Then calibrate the theodolte."
    desk.markdown.units["/l/survey.md"] = [markdown("survey", "Measure a field", long)]
    desk.markdown.units["/l/tripod.md"] = [markdown("tripod", "Use a theodolite")]
    found = desk.ask("search", query="calibrate theodolte", ranking="tiers")
    assert (ids(found)[0], found.document[0]["match_tier"]) == ("md:survey", 2)
    assert "instead of" not in found.hint  # it is a word, though the author's slip
    assert ids(desk.ask("search", query="theodolte")) == ["md:tripod"]  # and for best a slip


def test_a_helper_of_other_commands_is_called_by_its_name_alone(desk: Desk) -> None:
    text = markdown("login", "Log in to the containers")
    desk.markdown.units["/l/login.md"] = [replace(text, command=replace(text.command, hidden=True))]
    for ranking in ("best", "tfidf", "fuzzy", "tiers"):
        assert "md:login" not in ids(desk.ask("search", query="log in containers login", ranking=ranking))
    listed = desk.ask("commands").document
    assert "md:login" not in [row["canonical_id"] for row in listed["commands"]]
    assert listed["total"] == len(listed["commands"])
    assert run(desk.commands.find(call(), "login")).canonical_id == "md:login"


def test_an_empty_answer_says_what_could_not_be_read(desk: Desk) -> None:
    desk.markdown.warnings = ["/l/a.md: it is larger than 10 MB.", "/l/b.md: it is larger than 10 MB."]
    limits = SearchLimits(5, 0.5, (".cn.json is not valid JSON (line 1). The file is ignored.",))
    desk.commands = Commands(desk.library, desk.reports, lambda: limits, desk.usage, desk.traits)
    told = desk.ask("search", query="zebra umbrella").hint
    assert ".cn.json is not valid JSON" in told
    assert "/l/a.md" in told
    assert "`cn status` tells 1 more." in told
    assert desk.ask("search", query="existing apps").hint == ""
    for source in (desk.climpt, desk.markdown, desk.catalog):
        source.units = {}
    assert desk.ask("commands").hint.startswith("No library here holds a command. .cn.json")


def test_an_operation_is_called_by_its_operation_id(desk: Desk) -> None:
    text = catalog("apps", "apps:purge", "Delete everything.")
    desk.catalog.units["/c.json"].append(replace(text, command=replace(text.command, aliases=("purgeApps",))))
    assert run(desk.commands.find(call(), "purgeApps")).canonical_id == "apps apps:purge"
    assert ids(desk.ask("search", query="purgeApps")) == ["apps apps:purge"]


def test_a_command_that_is_not_read_yet_is_not_said_to_be_none(desk: Desk) -> None:
    desk.markdown.freshness = Freshness(False)
    desk.climpt.freshness = Freshness(False)
    desk.markdown.units, desk.climpt.units = {}, {}
    for asked in (
        desk.commands.find(call(), "md:deploy"),
        desk.commands.find_climpt(call(), "climpt", "git", "merge-up", "base-branch"),
    ):
        with pytest.raises(DeadlineError) as early:
            run(asked)
        assert early.value.code == "still_indexing"


def test_a_first_reading_is_waited_for_by_every_question_that_comes_meanwhile(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        desk.markdown.delay_s = 0.3
        monkeypatch.setattr(library, "_STUCK_S", 0.1)
        first = asyncio.create_task(desk.commands.search(call(), "containers"))
        await asyncio.sleep(0.2)
        assert ids(await desk.commands.search(call(), "containers"))[0] == "md:deploy"
        await first

    run(scene())


def test_changes_are_seen_by_the_next_question(desk: Desk) -> None:
    async def scene() -> None:
        assert (await desk.commands.search(call(), "coffee")).document == []
        desk.markdown.units["/l/brew.md"] = [markdown("brew", "Make coffee")]
        assert ids(await desk.commands.search(call(), "coffee")) == ["md:brew"]
        del desk.markdown.units["/l/brew.md"]
        assert (await desk.commands.search(call(), "coffee")).document == []

    run(scene())


def test_a_repeated_question_is_answered_from_memory(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        first = await desk.commands.search(call(), "deploy the app")
        monkeypatch.setattr(desk.library.index, "search", lambda *_: pytest.fail("it was asked again"))
        assert (await desk.commands.search(call(), "deploy the app")).document == first.document

    run(scene())


def test_a_slow_source_is_not_waited_for_past_the_deadline(desk: Desk) -> None:
    desk.catalog.delay_s = 30

    async def scene() -> None:
        began = time.monotonic()
        found = await desk.commands.search(Call(None, began + 0.4), "merge branch")
        assert time.monotonic() - began < 1
        assert ids(found)
        assert found.outcome() == "partial"
        assert "catalog" in found.partial

    run(scene())


def test_a_source_that_stops_answering_is_answered_for_and_marked(desk: Desk) -> None:
    async def scene() -> None:
        assert (await desk.commands.search(call(), "existing apps")).stale == ""
        desk.catalog.delay_s = 30
        found = await desk.commands.search(Call(None, time.monotonic() + 0.3), "existing apps")
        assert ids(found)[0] == "apps apps:list"
        assert "catalog" in found.stale

    run(scene())


def test_a_caller_that_hangs_up_takes_no_changes_along(desk: Desk) -> None:
    async def scene() -> None:
        await desk.commands.search(call(), "x")
        desk.markdown.units["/l/brew.md"] = [markdown("brew", "Make coffee")]
        desk.markdown.delay_s = 0.05
        asking = asyncio.ensure_future(desk.commands.search(call(), "coffee"))
        await asyncio.sleep(0.01)
        asking.cancel()
        await asyncio.sleep(0.1)
        assert ids(await desk.commands.search(call(), "coffee")) == ["md:brew"]

    run(scene())


def test_many_commands_are_indexed_aside(desk: Desk) -> None:
    desk.markdown.units |= {f"/l/{n}.md": [markdown(f"c{n}", f"number{n} of many")] for n in range(60)}
    assert ids(desk.ask("search", query="number42"))[0] == "md:c42"


def test_status_has_a_row_per_source(desk: Desk) -> None:
    desk.markdown.warnings = ["x.md: broken."]
    desk.markdown.freshness = Freshness(stale="/l: not there")
    answer = desk.ask("search", query="deploy app")
    assert answer.stale == "/l: not there"
    assert desk.commands.warnings() == ["x.md: broken."]
    assert [(row.name, row.items, row.state) for row in desk.commands.progress()] == [
        ("climpt", 4, "ready"), ("markdown", 3, "ready"), ("catalog", 1, "ready"),
    ]  # fmt: skip


@pytest.mark.parametrize("wrong", [{"ranking": "x"}, {"include_inputs": "x"}, {"source": "x"}, {"cursor": "-1"}])
def test_a_wrong_choice_is_named(desk: Desk, wrong: dict[str, str]) -> None:
    with pytest.raises(InputError):
        desk.ask("search", query="q", **wrong)


def test_several_phrasings_of_a_question_are_one_search(desk: Desk) -> None:
    """What each of them finds, what several find first."""
    asked = desk.ask("search", query="containers", queries=["roll out", "put live"])
    assert ids(asked)[0] == "md:deploy"
    both = ids(desk.ask("search", query="zebra umbrella", queries=["merge branch", "", "speech logs"]))
    assert {"climpt:climpt/git/merge-up/base-branch", "md:analyze_log"} <= set(both)
    assert ids(desk.ask("search", query="merge", queries=["branch"])) == ids(desk.ask("search", query="merge branch"))
    assert len(both) == len(set(both))
    alone = desk.ask("search", query="merge branch")
    assert desk.ask("search", query="merge branch", queries=["merge branch", " "]).document == alone.document
    assert desk.ask("search", query=" ", queries=["merge branch"]).document
    first = desk.ask("search", query="speech logs", queries=["commit changes"], max_results=1)
    rest = desk.ask("search", query="speech logs", queries=["commit changes"], max_results=5, cursor=first.next)
    assert not {*ids(first)} & {*ids(rest)}


def test_what_was_used_tells_when_and_comes_before_what_is_as_good(desk: Desk) -> None:
    for name in ("alpha", "beta"):
        desk.markdown.units[f"/l/{name}.md"] = [markdown(name, "Rotate the certificates")]
    assert ids(desk.ask("search", query="rotate certificates")) == ["md:alpha", "md:beta"]
    today = date.today().isoformat()
    desk.usage.kept, desk.usage.generation = {"md:beta": Use(1, today), "md:analyze_log": Use(3, "2020-01-01")}, 1
    found = desk.ask("search", query="rotate certificates").document
    assert [(row["canonical_id"], row["last_used"]) for row in found] == [("md:beta", today), ("md:alpha", None)]
    # The report is newer than the use.
    assert desk.ask("search", query="speech logs").document[0]["last_used"] == "2025-11-20"
    # A better match stays first.
    assert ids(desk.ask("search", query="alpha rotate certificates"))[0] == "md:alpha"


def test_suggestions_are_made_by_what_the_workspace_is_made_of(desk: Desk) -> None:
    assert ids(desk.ask("search", suggest=True)) == []
    desk.traits.words = {"apps": "package.json", "kubernetes": "k8s"}
    found = desk.ask("search", suggest=True)
    first = found.document[0]
    assert (first["canonical_id"], first["match_reason"]) == ("apps apps:list", "the workspace has apps (package.json)")
    for wrong in ({"query": "deploy"}, {"ranking": "fuzzy"}, {"agent": "climpt"}):
        with pytest.raises(InputError):
            desk.ask("search", suggest=True, **wrong)
    assert ids(desk.ask("search", query="  ")) == []
    with pytest.raises(InputError, match="query is missing"):
        desk.ask("search")
