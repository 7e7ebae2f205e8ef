from cn_daemon.domain.libraries.ranking.fusion import fused, phrasings

Hit = tuple[str, int]


def names(*rankings: str) -> list[str]:
    hits: list[list[Hit]] = [[(name, place) for place, name in enumerate(ranking)] for ranking in rankings]
    return [name for name, _ in fused(hits, lambda hit: hit[0], lambda hit: hit[1])]


def test_what_several_rankings_have_comes_before_what_one_has() -> None:
    assert names("abc", "dc", "ec") == ["c", "a", "d", "e", "b"]
    assert names("ab", "ba") == ["a", "b"]
    assert names("", "x", "") == ["x"]
    assert names() == []


def test_of_one_thing_the_hit_of_the_highest_score_is_kept() -> None:
    assert fused([[("a", 3), ("b", 9)], [("b", 1), ("a", 7)]], lambda hit: hit[0], lambda hit: hit[1]) == [
        ("a", 7),
        ("b", 9),
    ]


def test_single_words_are_one_question() -> None:
    assert phrasings(["ship", "it", " "]) == ["ship it"]
    assert phrasings(["ship it", "roll out", "ship it"]) == ["ship it", "roll out"]
    assert phrasings(["", " "]) == []
