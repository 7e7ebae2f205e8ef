import math

from cn_daemon.domain.libraries.ranking import bm25


def test_a_score_is_the_sum_of_rarity_over_length() -> None:
    # Two texts of two words and of four (group-commit is itself and its parts): three on average.
    targets = ["group commit", "group-commit x"]
    rare = math.log((2 - 1 + 0.5) / (1 + 0.5) + 1)
    common = math.log((2 - 2 + 0.5) / (2 + 0.5) + 1)
    ((first, score),) = bm25.rank("x", targets)
    assert first == 1
    assert math.isclose(score, rare * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 4 / 3)), rel_tol=1e-12)
    found = dict(bm25.rank("GROUP", targets))
    assert math.isclose(found[0], common * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 2 / 3)), rel_tol=1e-12)


def test_each_word_counts_once_and_zeros_are_left_out() -> None:
    assert bm25.rank("x", ["x x y"]) == bm25.rank("x", ["x y"])
    assert bm25.rank("x x", ["x y"]) == bm25.rank("x", ["x y"])
    assert [index for index, _ in bm25.rank("a_b", ["b", "c", "a"])] == [0, 2]
    assert bm25.rank("", ["x"]) == bm25.rank("z", ["x"]) == bm25.rank("x", []) == []
