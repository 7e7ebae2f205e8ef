from cn_daemon.domain.libraries.commands import Argument, Catalog, Command
from cn_daemon.domain.libraries.ranking import fuzzy


def test_the_haystack_holds_all_that_is_known() -> None:
    command = Command(
        "apps apps:log-drains:list", "apps:log-drains:list", "catalog", "http", " Lists drains.\n",
        positional_args=(Argument("app_id", "The app."),), flags=(Argument("max"),),
        catalog=Catalog("Platform", "", "heroku"),
    )  # fmt: skip
    assert fuzzy.haystack(command) == (
        "apps apps:log-drains:list lists drains. apps apps:log drains:list app_id app id the app. max max "
        "platform heroku"
    )


def test_the_first_character_counts_only_by_where_it_stands() -> None:
    # c at 0: 6 × 0 + 10 (word start), a: 6 × 1, t: 6 × 2; prefix 30; start 20; length 3 // 8 = 0.
    assert fuzzy.score("cat", "cat") == 10 + 6 + 12 + 30 + 20


def test_a_gap_resets_the_run_and_costs_half_its_length() -> None:
    # a at 1: 0; gap of 3 → run 1, 6 − 1; start max(0, 20 − 1); length 10 // 8 = 1.
    assert fuzzy.score("xabbbcdefg", "ac") == 6 - 1 + 19 - 1
    assert fuzzy.score("abc", "ca") is None


def test_every_token_must_match_and_the_id_brings_bonuses() -> None:
    commands = [("apps list", "apps list shows all"), ("teams list", "teams list shows all")]
    assert fuzzy.rank("  ", commands) == []
    assert fuzzy.rank("apps zzz", commands) == []
    (first, score), *_ = fuzzy.rank("apps list", commands)
    one = [fuzzy.score(commands[0][1], token) or 0 for token in ("apps", "list")]
    assert (first, score) == (0, sum(one) + 2 * fuzzy.CONTAINED + fuzzy.ID_HOLDS_QUERY + fuzzy.ID_STARTS)


def test_equals_are_ordered_by_their_id() -> None:
    assert [index for index, _ in fuzzy.rank("a", [("b", "ab"), ("a2", "ab"), ("a1", "ab")])] == [2, 1, 0]
