from __future__ import annotations

import pytest

from cn_daemon.domain.libraries.ranking.best import BestIndex, prepare
from cn_daemon.domain.libraries.ranking.kept import flat, frozen, index_of
from tests.fakes.libraries import markdown

QUERIES = ["pooled database connections", "k8s", "運用の手順", "databse", "release without downtime", "nothing of it"]
TEXTS = {
    "pool": markdown("connection-pool", "Configure database connection pooling", "The database is busy."),
    "deploy": markdown("blue-green-deployment", "Release without downtime"),
    "k8s": markdown("k8s-manifest", "Generate Kubernetes manifests"),
    "運用": markdown("運用手順", "運用の手順をまとめる"),
    "release": markdown("release-notes", "Notes of a release"),
    "old": markdown("old-database", "An old database", f"{'word ' * 600} narwhal"),
}


def made(*keys: str) -> BestIndex:
    index = BestIndex()
    index.extend((key, prepare(TEXTS[key])) for key in keys)
    return index


def answers(index: BestIndex) -> list[object]:
    found = []
    for query in QUERIES:
        text, corrected = index.vocabulary.corrected(query)
        found.append(
            (
                corrected,
                index.search(text, 10),
                index.holders("databas"),
                index.holders("k8", names=True),
                index.holders("narwhal"),
            )
        )
    return found


@pytest.fixture
def index() -> BestIndex:
    """One that was changed: its postings know a command that is gone, and averages that moved since."""
    index = made("pool", "deploy", "k8s", "運用", "old")
    index.remove(["old"])
    index.extend([("release", prepare(TEXTS["release"]))])
    return index


def test_a_kept_index_answers_as_the_one_it_was_made_of(index: BestIndex) -> None:
    assert any(found for _, found, *_ in answers(index))  # type: ignore[misc]
    assert answers(index_of(flat(frozen(index)))) == answers(index)


def test_a_kept_index_goes_on_as_the_one_it_was_made_of(index: BestIndex) -> None:
    kept = index_of(flat(frozen(index)))
    for one in (index, kept):
        one.remove(["pool"])
        one.extend([("old", prepare(TEXTS["old"])), ("k8s", prepare(TEXTS["deploy"]))])
    assert answers(kept) == answers(index)
    for one in (index, kept):
        one.extend((number, prepare(text)) for number, text in enumerate(TEXTS.values()))  # weighed anew
    assert answers(kept) == answers(index)


def test_what_is_added_after_an_index_was_frozen_is_not_kept(index: BestIndex) -> None:
    before, moment = answers(index), frozen(index)
    index.extend([("more", prepare(markdown("database-backup", "Backups of every database, zoology")))])
    assert answers(index_of(flat(moment))) == before


def test_an_empty_index_is_kept() -> None:
    assert len(index_of(flat(frozen(BestIndex())))) == 0


def test_lists_that_do_not_add_up_are_no_index(index: BestIndex) -> None:
    kept = flat(frozen(index))
    short = {name: numbers[:-1] if name == "postings" else numbers for name, numbers in kept.numbers.items()}
    with pytest.raises(ValueError, match="add up"):
        index_of(kept._replace(numbers=short))
