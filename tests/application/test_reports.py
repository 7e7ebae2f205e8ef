from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from cn_daemon.application.libraries.library_ports import Freshness
from cn_daemon.application.libraries.reports import Reports, ReportSettings
from cn_daemon.application.plain_answer import PlainAnswer
from cn_daemon.application.ports import Call
from cn_shared.errors import DeadlineError, InputError, NotFoundError
from tests.fakes.libraries import FakeReports, report

STORE = FakeReports(
    [report("log-reports/日志 1.md"), report("log-reports/b.md", "2025-01-02"), report("x-reports/c.md", "2024-05-06")],
    {"log-reports/b.md": "# B\n\nText."},
)


def ask(verb: str, store: FakeReports = STORE, base_url: str = "", **parameters: Any) -> PlainAnswer:
    reports = Reports(store, lambda: ReportSettings("/r r", base_url, 2, 1))
    answer: PlainAnswer = asyncio.run(getattr(reports, verb)(Call(None, time.monotonic() + 5), **parameters))
    return answer


def test_a_search_tells_the_hit_and_where_the_report_is() -> None:
    found = ask("search", query="decode")
    assert len(found.document) == 2
    assert found.next == "2"
    assert found.document[0] == {
        "report_name": "日志 1.md", "title": "A report", "command_name": "log", "path": "log-reports/日志 1.md",
        "date": "2025-11-20", "file_size": 12, "summary": "A summary.",
        "link": "file:///r%20r/log-reports/%E6%97%A5%E5%BF%97%201.md", "excerpt": "…decode…", "relevance_score": 80,
    }  # fmt: skip
    assert ask("search", query=" ").document == []


def test_dates_of_the_sentence_and_of_the_options_are_asked_for() -> None:
    store = FakeReports()
    ask("search", store, query="crash since 2024-01-05", command="log", until="2024-03")
    assert (store.asked[0].words, store.asked[0].since, store.asked[0].until) == ("crash", "2024-01-05", "2024-03-31")
    assert store.asked[0].command == "log"


def test_a_search_asked_again_is_answered_from_memory_until_a_report_changes() -> None:
    store = FakeReports([report("log-reports/b.md")])
    reports = Reports(store, lambda: ReportSettings("/r", "", 2, 1))

    def asked() -> list[str]:
        answer = asyncio.run(reports.search(Call(None, time.monotonic() + 5), query="decode"))
        return [row["path"] for row in answer.document]

    assert asked() == asked() == ["log-reports/b.md"]
    assert len(store.asked) == 1
    store.reports, store.generation = [], 1
    assert asked() == []
    reports.use(FakeReports([report("x-reports/c.md")]))
    assert asked() == ["x-reports/c.md"]


def test_a_search_counts_what_it_found_when_all_of_it_was_looked_at() -> None:
    assert (ask("search", query="decode", limit=3).total, ask("search", query="decode", limit=2).total) == (3, None)


def test_a_list_is_filtered_and_counted() -> None:
    found = ask("list", command="log", limit=1)
    assert (found.total, found.next, [row["path"] for row in found.document]) == (2, "1", ["log-reports/日志 1.md"])
    assert [row["path"] for row in ask("list", since="2025", until="2025-06").document] == ["log-reports/b.md"]


@pytest.mark.parametrize("wrong", [{"since": "2025-02-30"}, {"until": "soon"}, {"cursor": "x"}])
def test_a_wrong_day_or_cursor_is_named(wrong: dict[str, str]) -> None:
    with pytest.raises(InputError):
        ask("list", **wrong)


def test_links_lead_to_the_configured_place() -> None:
    linked = ask("link", base_url="https://reports.example.com/", path="log-reports/日志 1.md").document
    assert linked["link"] == "https://reports.example.com/log-reports/%E6%97%A5%E5%BF%97%201.md"
    with pytest.raises(NotFoundError):
        ask("link", path="nothing.md")


def test_one_report_is_shown_whole() -> None:
    shown = ask("show", path="log-reports/b.md")
    assert shown.document["content"] == shown.text == "# B\n\nText."


def test_an_index_that_is_being_built_is_said() -> None:
    building = FakeReports(freshness=Freshness(False, detail="indexing reports: 200 of 5000"))
    assert ask("search", building, query="x").outcome() == "partial"
    assert ask("list", FakeReports(freshness=Freshness(stale="away"))).stale == "away"


@pytest.mark.parametrize("verb", ["link", "show"])
def test_a_report_that_is_not_read_yet_is_not_said_to_be_none(verb: str) -> None:
    with pytest.raises(DeadlineError) as early:
        ask(verb, FakeReports(freshness=Freshness(False, detail="indexing reports: 1 of 2")), path="log-reports/b.md")
    assert early.value.code == "still_indexing"


def test_an_empty_answer_says_that_there_is_no_folder_and_what_is_wrong_with_the_settings() -> None:
    warnings = (".cn.json: report_link_base_url is ignored, because it lies in the repository.",)
    reports = Reports(FakeReports(), lambda: ReportSettings(warnings=warnings))
    call = Call(None, time.monotonic() + 5)
    for found in (reports.search(call, query="crash"), reports.list(call)):
        hint = asyncio.run(found).hint
        assert "No reports_directory is set" in hint
        assert "report_link_base_url is ignored" in hint
    empty = Reports(FakeReports(), lambda: ReportSettings("/r"))
    assert asyncio.run(empty.search(call, query="crash")).hint == "The library holds no report."
    linked = Reports(STORE, lambda: ReportSettings("/r", warnings=warnings)).link(call, path="log-reports/b.md")
    assert asyncio.run(linked).hint == warnings[0]


def test_as_many_are_told_as_the_verb_allows_and_all_are_counted() -> None:
    """`--limit` is 1000 at most: 500 were told."""
    store = FakeReports([report(f"log-reports/{number:04}.md") for number in range(1200)])
    for verb, asked in (("list", {}), ("search", {"query": "decode"}), ("search", {"queries": ["a b", "c d"]})):
        found = ask(verb, store, limit=1000, **asked)
        assert (len(found.document), found.next) == (1000, "1000")
    several = {"queries": ["the decoder stalls", "decoding hangs"]}
    page = ask("search", store, limit=50, cursor="900", **several)
    assert (len(page.document), page.total) == (50, None)
    few = FakeReports(store.reports[:60])
    assert ask("search", few, limit=60, **several).total == 60


def test_phrasings_are_one_search_whose_pages_skip_nothing() -> None:
    asked = {"query": "decode now", "queries": ["why no response"]}
    whole = [row["path"] for row in ask("search", limit=9, **asked).document]
    first = ask("search", limit=1, **asked)
    rest = ask("search", limit=9, cursor=first.next, **asked)
    assert [row["path"] for row in (*first.document, *rest.document)] == whole
    assert len(whole) == len(set(whole)) == 3
