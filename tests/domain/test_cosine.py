import math

from cn_daemon.domain.libraries.ranking import cosine, tfidf

TARGETS = [
    "git group-commit unstaged-changes Group file changes and commit",
    "git merge-up base-branch Merge the branch",
    "spec analyze quality-metrics Measure quality",
]


def test_a_score_is_the_cosine_of_the_word_counts() -> None:
    # group(1) changes(1) and(1) commit(1) of 2 query words and 8 target words: dot 2, lengths √2 and √8.
    assert cosine.rank("changes commit", TARGETS) == [(0, 2 / (math.sqrt(2) * math.sqrt(8)))]


def test_a_repeated_word_counts_as_often_as_it_stands_there() -> None:
    # merge once (merge-up is another word), branch once; the target has 6 different words.
    assert cosine.rank("MERGE merge branch", TARGETS)[0] == (1, 3 / (math.sqrt(5) * math.sqrt(6)))


def test_equals_keep_their_order_and_zeros_are_left_out() -> None:
    assert [index for index, _ in cosine.rank("git", TARGETS)] == [1, 0]
    assert [index for index, _ in cosine.rank("x", ["x a", "y", "x b"])] == [0, 2]
    assert cosine.rank("nothing like it", TARGETS) == []


def test_white_space_is_that_of_the_reference() -> None:
    assert cosine.words("a\u3000b\ufeffc") == ["a", "b", "c"]
    assert cosine.words("a\x1cb") == ["a\x1cb"]
    assert cosine.words(" a ") == ["", "a", ""]


def test_tfidf_weighs_a_word_by_how_few_hold_it() -> None:
    # N = 2: idf(x) = ln(3/3) + 1 = 1, idf(y) = ln(3/2) + 1.
    rare = math.log(3 / 2) + 1
    ((first, score),) = tfidf.rank("y", ["x y", "x"])
    assert first == 0
    assert math.isclose(score, rare / math.sqrt(1 + rare * rare), rel_tol=1e-12)
    assert tfidf.rank("", ["x"]) == []
