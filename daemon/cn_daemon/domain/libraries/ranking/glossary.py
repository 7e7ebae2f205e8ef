"""Words that people use for a thing that its author named otherwise (`glossary.txt`), applied when indexing.

A command that holds `anomaly` in its name is also found by `strange values`. Widening what is stored, not what is
asked, costs a question nothing, and several loose words of a query add up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from importlib import resources

from cn_daemon.domain.libraries.ranking.stopwords import STOPWORDS
from cn_daemon.domain.libraries.ranking.words import terms

# First term of a member → (the member's terms, the terms it brings in).
Table = dict[str, list[tuple[tuple[str, ...], frozenset[str]]]]


def brought_in(words: list[str]) -> set[str]:
    """The further terms that a text of these terms is to be found by."""
    table = glossary()
    found: set[str] = set()
    for at, word in enumerate(words):
        for member, others in table.get(word, ()):
            if len(member) == 1 or tuple(words[at : at + len(member)]) == member:
                found |= others
    return found


@cache
def glossary() -> Table:
    text = resources.files("cn_daemon.domain.libraries.ranking").joinpath("glossary.txt").read_text(encoding="utf-8")
    return parse(text)


def parse(text: str) -> Table:
    """The table of a glossary's text; the file's head tells its form."""
    others: dict[tuple[str, ...], set[str]] = {}
    for line in text.splitlines():
        line = line.strip()
        if line and not line.startswith("#"):
            for member, words in _line(line):
                others.setdefault(member, set()).update(words)
    table: Table = {}
    for member, words in others.items():
        table.setdefault(member[0], []).append((member, frozenset(words - STOPWORDS - set(member))))
    return table


def _line(line: str) -> Iterator[tuple[tuple[str, ...], set[str]]]:
    said, arrow, target = line.partition(">")
    if arrow:
        words = _all(_members(said))
        yield from ((member, words) for member in _members(target))
        return
    named, _, loose = line.partition(":")
    members = _members(named)
    words = _all(members) | set(terms(loose))
    yield from ((member, words) for member in members)


def _members(text: str) -> list[tuple[str, ...]]:
    return [found for one in text.split(",") if (found := tuple(terms(one)))]


def _all(members: Iterable[tuple[str, ...]]) -> set[str]:
    return {word for member in members for word in member}
