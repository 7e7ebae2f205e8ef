import pytest

from cn_daemon.domain.libraries.commands import Command, CommandText
from cn_daemon.domain.libraries.excerpts import cut, excerpt, without_frontmatter
from cn_daemon.domain.libraries.ranking import tiers
from cn_daemon.domain.libraries.ranking.best import BestIndex, prepare
from cn_daemon.domain.libraries.ranking.exact import named_in

NAMES = {
    name: name for name in ("wiki-bfs", "commit", "analyze_log", "load", "apps:list", "improve", "render apps:list")
}


@pytest.mark.parametrize(
    ("query", "name", "alone"),
    [
        ("commit", "commit", True),
        ("/commit", "commit", True),
        ("Wiki-BFS", "wiki-bfs", True),
        ("render apps:list", "render apps:list", True),
        ("use wiki-bfs to read up on raft", "wiki-bfs", False),
        ("Use analyze_log to analyze logs in current directory", "analyze_log", False),
        ("run the commit command", "commit", False),
        ("/sc:improve src/", "improve", False),
        ("commit my work", None, False),
        ("run load test", None, False),
        ("how do I load and commit", None, False),
        ("", None, False),
    ],
)
def test_a_command_is_called_by_its_name(query: str, name: str | None, alone: bool) -> None:
    assert named_in(query, NAMES) == (name, alone)


def test_keywords_leave_out_what_every_request_says() -> None:
    assert tiers.keywords("I need a tool to analyze speech SDK logs") == ["analyz", "speech", "sdk", "log"]
    assert tiers.keywords("the") == ["the"]


def test_keywords_of_japanese_are_pairs_and_characters_that_stand_alone() -> None:
    assert tiers.keywords("テストの結果を分析したい") == ["テス", "スト", "結果", "分析"]
    assert tiers.keywords("章をもっと詳しく") == ["章", "詳"]
    assert tiers.keywords("このまま") == ["こ", "の", "ま", "この", "のま", "まま"]


def test_half_of_the_keywords_must_match() -> None:
    wanted = ["speech", "sdk", "log", "analyz"]
    holders = {"speech": ["a"], "sdk": ["a", "b"], "log": ["a", "c"], "analyz": ["b"]}
    found = tiers.by_holding(wanted, holders, 1, tiers.said("Analyzing speech SDK logs"))
    assert [(row.key, row.tier) for row in found] == [("a", 1), ("b", 1)]
    assert found[0].relevance == round(95 * 3 / 4)
    assert [row.reason for row in found] == ["name: speech, sdk, logs", "name: sdk, analyzing"]


def test_of_results_with_as_many_keywords_the_better_comes_first() -> None:
    found = tiers.by_holding(["log"], {"log": ["a", "b", "c"]}, 2, None, {"c": 0, "a": 1})
    assert [row.key for row in found] == ["c", "a", "b"]
    assert found[0].reason == "content: log"


def test_a_command_is_as_relevant_as_its_best_report() -> None:
    day = "2025-11-20"
    found = tiers.by_reports([("a", 80, day, "x.md"), ("b", 85, day, "z.md"), ("a", 90, day, "y.md")])
    assert [(row.key, row.relevance, row.reason) for row in found] == [
        ("a", 50, "report: y.md"),
        ("b", 47, "report: z.md"),
    ]
    assert tiers.by_reports([]) == []


def test_an_old_report_counts_less_than_a_new_one() -> None:
    hits = [("old", 80, "2023-11-21", "x.md"), ("new", 80, "2025-11-20", "y.md"), ("better", 95, "2021-01-01", "z.md")]
    assert [(row.key, row.relevance) for row in tiers.by_reports(hits)] == [("new", 44), ("better", 42), ("old", 37)]


def test_contents_are_a_commands_own_words() -> None:
    index = BestIndex()
    command = Command("md:detect-anomaly", "detect-anomaly", "markdown", "prompt", "Looks at the series")
    index.extend([("it", prepare(CommandText(command, body="Reads numbers.")))])
    assert index.search("outlier", 1)[0].key == "it"  # the glossary's word
    assert index.holders("outlier") == []
    assert index.holders("number") == index.holders("seri") == ["it"]
    assert index.holders("anomali", names=True) == ["it"]
    assert index.holders("number", names=True) == []
    index.remove(["it"])
    assert index.holders("number") == []


def test_an_excerpt_is_the_line_with_most_of_the_words() -> None:
    text = "# Title\n\nOne line about logs.\n- Speech SDK logs are read here.\n"
    assert excerpt(text, {"speech", "sdk", "log"}) == "Speech SDK logs are read here."
    assert excerpt(text, {"nothing"}) == "Title"
    assert excerpt("", {"x"}) == ""


def test_a_long_line_is_cut_around_the_hit() -> None:
    line = "word " * 100 + "needle " + "word " * 100
    found = cut(line, {"needl"}, 80)
    assert "needle" in found
    assert len(found) <= 82
    assert found.startswith("…")
    assert found.endswith("…")


def test_frontmatter_is_no_excerpt() -> None:
    assert without_frontmatter("---\na: b\n---\nbody") == "body"
    assert without_frontmatter("no --- here") == "no --- here"
