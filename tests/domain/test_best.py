import pytest
from hypothesis import given
from hypothesis import strategies as st

from cn_daemon.domain.libraries.commands import Command, CommandText
from cn_daemon.domain.libraries.ranking.best import BestIndex, prepare
from cn_daemon.domain.libraries.ranking.glossary import brought_in, parse
from cn_daemon.domain.libraries.ranking.spelling import Vocabulary, distance
from cn_daemon.domain.libraries.ranking.stems import stem
from cn_daemon.domain.libraries.ranking.words import raw_words, spaced, terms

LIBRARY = {
    "connection-pool": "Configure database connection pooling",
    "blue-green-deployment": "Release without downtime",
    "k8s-manifest": "Generate Kubernetes manifests",
    "detect-anomaly": "",
    "group-commit": "変更を意味ごとに分けてコミットする",
    "merge-up": "派生ブランチを親ブランチにマージする",
    "write-tests": "Write unit tests for changed code",
}


def text(name: str, description: str, body: str = "") -> CommandText:
    return CommandText(Command(f"md:{name}", name, "markdown", "prompt", description), body=body)


@pytest.fixture
def index() -> BestIndex:
    made = BestIndex()
    made.extend((name, prepare(text(name, description))) for name, description in LIBRARY.items())
    return made


def first(index: BestIndex, query: str) -> object:
    corrected, _ = index.vocabulary.corrected(query)
    found = index.search(corrected, 3)
    return found[0].key if found else None


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("pooled database connections", "connection-pool"),
        ("conection pooling for the databse", "connection-pool"),
        ("kubernetes", "k8s-manifest"),
        ("BlueGreen", "blue-green-deployment"),
        ("strange values", "detect-anomaly"),
        ("コミットを分けたい", "group-commit"),
        ("ブランチをマージ", "merge-up"),
        ("testing", "write-tests"),
    ],
)
def test_the_wanted_command_comes_first(index: BestIndex, query: str, name: str) -> None:
    assert first(index, query) == name


def test_what_no_command_holds_is_not_found(index: BestIndex) -> None:
    assert index.search("zzzzqqq", 5) == []
    assert BestIndex().search("anything", 5) == []


def test_relevance_falls_with_the_score_and_stays_below_an_exact_name(index: BestIndex) -> None:
    found = index.search("database connection pooling tests", 5)
    scores = [hit.relevance for hit in found]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score < 100 for score in scores)


def test_a_changed_command_is_found_by_its_new_words_only(index: BestIndex) -> None:
    index.extend([("merge-up", prepare(text("merge-up", "Brew coffee")))])
    assert first(index, "coffee") == "merge-up"
    assert first(index, "派生") is None
    index.remove(["merge-up"])
    assert first(index, "coffee") is None
    assert len(index) == len(LIBRARY) - 1


def test_the_body_counts_less_than_the_name(index: BestIndex) -> None:
    index.extend([("a", prepare(text("notes", "", "coffee " * 20))), ("b", prepare(text("coffee", "")))])
    assert [hit.key for hit in index.search("coffee", 2)] == ["b", "a"]


def test_words_of_asking_count_less_than_what_is_asked_for() -> None:
    index = BestIndex()
    texts = [text("advise", "Recommend and suggest specific things of interest"), text("wine", "A cellar for bottles")]
    index.extend((one.command.name, prepare(one)) for one in texts)
    assert first(index, "please recommend a specific cellar") == "wine"
    assert first(index, "recommend specific things") == "advise"


def test_words_are_split_joined_and_stemmed() -> None:
    assert terms("useEffect HTTPServer") == ["use", "effect", stem("useeffect"), "http", "server", stem("httpserver")]
    assert terms("APIs k8s e2e") == ["api", "k8s", "e2e"]
    assert terms("変更") == ["変", "更", "変更"]
    assert raw_words("zip_next C++") == ["zip", "next", "zipnext", "c"]
    assert spaced("変更 ok").split() == ["変", "更", "変更", "ok"]


@pytest.mark.parametrize(
    "words",
    [
        "deploy deploys deployed deployment",
        "optimise optimize optimization",
        "analyse analyze analysis",
        "query queries",
    ],
)
def test_forms_of_a_word_share_a_stem(words: str) -> None:
    assert len({stem(word) for word in words.split()}) == 1


@given(st.text(max_size=60))
def test_any_text_can_be_indexed_and_asked(wild: str) -> None:
    index = BestIndex()
    index.extend([("it", prepare(text("name", wild, wild)))])
    index.search(wild, 3)
    assert all(terms(wild)) or terms(wild) == []


@given(st.text("abcd", min_size=1, max_size=8), st.text("abcd", min_size=1, max_size=8))
def test_the_distance_is_symmetric(left: str, right: str) -> None:
    assert distance(left, right, 8) == distance(right, left, 8)
    assert (distance(left, right, 8) == 0) == (left == right)


def test_slips_are_corrected_and_known_words_are_not() -> None:
    words = Vocabulary()
    words.add({"release", "deploy", "security"})
    assert words.corrected("relaese the securty") == (
        "release the security",
        {"relaese": "release", "securty": "security"},
    )
    assert words.corrected("deploying quickly") == ("deploying quickly", {})
    assert distance("abcd", "abdc", 2) == 1


def test_the_glossary_has_names_directions_and_loose_words() -> None:
    table = parse("# a comment\npr, pull request\njest > test\nanomaly: strange the odd\n")
    found = {member: others for rows in table.values() for member, others in rows}
    assert found["pr",] == {"pull", "request"}
    assert found["pull", "request"] == {"pr"}
    assert found["test",] == {"jest"}
    assert ("jest",) not in found
    assert found["anomali",] == {"strang", "odd"}


def test_a_phrase_of_the_glossary_must_stand_together() -> None:
    assert "pr" in brought_in(terms("open a pull request"))
    assert "pr" not in brought_in(terms("request a pull"))
