import pytest

from cn_daemon.domain.excerpts import cut, excerpt, without_frontmatter
from cn_daemon.domain.ranking import tiers
from cn_daemon.domain.ranking.exact import named_in

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


def test_half_of_the_keywords_must_match() -> None:
    wanted = ["speech", "sdk", "log", "analyz"]
    found = tiers.by_holding(
        wanted, {"speech": ["a"], "sdk": ["a", "b"], "log": ["a", "c"], "analyz": ["b"]}, 1, "name"
    )
    assert [(row.key, row.tier) for row in found] == [("a", 1), ("b", 1)]
    assert found[0].relevance == round(95 * 3 / 4)
    assert found[0].reason == "name: speech, sdk, log"


def test_a_command_is_as_relevant_as_its_best_report() -> None:
    found = tiers.by_reports([("a", 80, "x.md"), ("a", 90, "y.md"), ("b", 100, "z.md")])
    assert [(row.key, row.relevance, row.reason) for row in found] == [
        ("b", 55, "report: z.md"),
        ("a", 44, "report: x.md"),
    ]


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
    assert without_frontmatter("---\na: b\n---\nbody") == "\nbody"
    assert without_frontmatter("no --- here") == "no --- here"
