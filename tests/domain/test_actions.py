import pytest

from cn_daemon.domain.libraries.commands import Command, CommandText, HttpCall
from cn_daemon.domain.libraries.ranking.actions import ELSE, UNSAID, fitting
from cn_daemon.domain.libraries.ranking.best import BestIndex, prepare
from cn_daemon.domain.libraries.ranking.japanese import in_english, parse

OPERATIONS = {
    "apps:webhooks:create": ("POST", "Add a webhook to an app"),
    "apps:webhooks:delete": ("DELETE", "Remove a webhook of an app"),
    "apps:webhooks:list": ("GET", "Webhooks of an app"),
    "apps:webhooks:update": ("PATCH", "Change a webhook of an app"),
    "closeAccount:create": ("POST", "Close an account"),
    "deleteBankAccounts:create": ("POST", "Delete bank accounts"),
}


def operation(name: str, method: str, summary: str) -> CommandText:
    return CommandText(Command(name, name, "catalog", "http", summary, http=HttpCall(method, "/")))


@pytest.fixture(scope="module")
def index() -> BestIndex:
    made = BestIndex()
    made.extend((name, prepare(operation(name, *told))) for name, told in OPERATIONS.items())
    return made


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("register a webhook for my app", "apps:webhooks:create"),
        ("drop the webhook of that app", "apps:webhooks:delete"),
        ("which webhooks does my app have", "apps:webhooks:list"),
        ("app webhooks", "apps:webhooks:list"),
        ("rename a webhook of the app", "apps:webhooks:update"),
        ("delete bank accounts", "deleteBankAccounts:create"),
        ("close the account without deleting it", "closeAccount:create"),
    ],
)
def test_of_operations_that_share_their_nouns_the_one_that_does_it_comes_first(
    index: BestIndex, query: str, name: str
) -> None:
    assert index.search(query, 1)[0].key == name


def test_a_method_that_does_something_else_is_held_back() -> None:
    assert fitting("remove it") == ({"DELETE"}, {"remov"}, ELSE)
    assert fitting("stop it without deleting anything")[0] == {"GET", "HEAD"}
    assert fitting("memory") == ({"GET", "HEAD"}, set(), UNSAID)


def test_commands_that_are_no_operations_are_left_alone() -> None:
    prompt = CommandText(Command("md:prune", "prune", "markdown", "prompt", "Webhooks"))
    index = BestIndex()
    index.extend([("prompt", prepare(prompt)), ("operation", prepare(operation("prune", "DELETE", "Webhooks")))])
    found = {hit.key: hit.score for hit in index.search("webhooks", 2)}
    assert found["operation"] == pytest.approx(found["prompt"] * UNSAID)
    found = {hit.key: hit.score for hit in index.search("remove webhooks", 2)}
    assert found["operation"] == pytest.approx(found["prompt"])


def test_japanese_words_have_their_english_and_the_longest_wins() -> None:
    words, english = parse(
        "# a comment: ではない\ntest: テスト\nunit test: ユニットテスト\nfind: 探す, 検索\nquery: 検索\n"
    )
    assert words.findall("ユニットテストを検索") == ["ユニットテスト", "検索"]
    assert english == {
        "テスト": "test",
        "ユニットテスト": "unit test",
        "探す": "find",
        "検索": "find query",
    }
    assert in_english("generate unit tests") == ""
    assert "unit test" in in_english("ユニットテストを作る")
    assert parse("").words.findall("何") == []


def test_english_commands_answer_japanese_questions_and_the_other_way_round() -> None:
    index = BestIndex()
    texts = {
        "generate-tests": "Generate unit tests from specifications",
        "consistency": "整合性検証",
        "precision": "精度の評価",
        "update-guide": "Update the user guide",
    }
    index.extend(
        (name, prepare(CommandText(Command(name, "", "climpt", "climpt", told)))) for name, told in texts.items()
    )
    asked = {
        "ユニットテストを作って": "generate-tests",
        "利用者向けマニュアルを更新": "update-guide",
        "check the consistency": "consistency",
        "文書どうしの矛盾": "consistency",
        "精度": "precision",
    }
    assert {query: index.search(query, 1)[0].key for query in asked} == asked
