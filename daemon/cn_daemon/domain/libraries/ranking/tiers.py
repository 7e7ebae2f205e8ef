"""Three tiers: names, then contents, then past reports (specs/mcp-command-tool, FR1).

Two flaws of a literal reading are mended. One keyword in a file name would count as a result of tier 1 and close the
tiers below, so a result counts only with at least half of the query's keywords. And "content" is the body as well as
the description. Words of the glossary are neither: a result tells the words that stand in the file. Results with as
many keywords keep the order of `best`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from cn_daemon.domain.libraries.ranking.stems import stem
from cn_daemon.domain.libraries.ranking.stopwords import STOPWORDS
from cn_daemon.domain.libraries.ranking.words import CJK, raw_words, terms

# A tier is asked when the one before has fewer results than this.
CONTENTS_BELOW, REPORTS_BELOW = 3, 2
HALF = 0.5
# What the best of each tier can reach; an exact name has 100.
CEILINGS = {1: 95, 2: 75, 3: 55}
# What a report's age can take off, and the days in which half of that is gone.
RECENCY, HALF_LIFE = 0.2, 365
# Of Japanese, what is between the words says nothing, and a character nothing that its pair does not say.
_HIRAGANA = re.compile("[\u3041-\u309f]")
_PAIR = re.compile(f"(?!.*[\u3041-\u309f])[{CJK}]{{2}}")
_REQUESTS = frozenset(terms("need want tool command show find please help give use something someone"))


class Tiered(NamedTuple):
    key: Hashable
    tier: int
    relevance: int
    reason: str


def keywords(query: str) -> list[str]:
    """The terms of a query that say what is sought; all of them when nothing else is left."""
    found = list(dict.fromkeys(terms(query)))
    paired_characters = {character for word in found if _PAIR.fullmatch(word) for character in word}
    chosen = [
        word
        for word in found
        if word not in STOPWORDS
        and word not in _REQUESTS
        and not _HIRAGANA.search(word)
        and word not in paired_characters
    ]
    return chosen or found


def said(query: str) -> dict[str, str]:
    """The words of a query by their terms, for reasons."""
    return {stem(word): word for word in reversed(raw_words(query))}


def by_holding(
    wanted: Sequence[str],
    holders: Mapping[str, Iterable[Hashable]],
    tier: int,
    words: Mapping[str, str] | None = None,
    order: Mapping[Hashable, int] | None = None,
) -> list[Tiered]:
    """The results of tier 1 or 2, best first: who holds half of the keywords.

    words: how the query spells its keywords. order: of those that hold as many; else as `holders` comes.
    """
    words_held: dict[Hashable, list[str]] = {}
    for word in wanted:
        for key in holders.get(word, ()):
            words_held.setdefault(key, []).append(word)
    words, order = words or {}, order or {}
    rows = [
        Tiered(key, tier, _relevance(tier, len(found) / len(wanted)), _reason(tier, found, words))
        for key, found in words_held.items()
        if len(found) >= HALF * len(wanted)
    ]
    return sorted(rows, key=lambda row: (-row.relevance, order.get(row.key, len(order))))


def by_reports(hits: Sequence[tuple[Hashable, int, str, str]]) -> list[Tiered]:
    """The results of tier 3: the commands of matching reports, best first.

    hits: (command, relevance 0–100, the report's ISO day, report). Age is counted from the newest of them.
    """
    newest = max((day for _, _, day, _ in hits), default="")
    rows = [
        Tiered(key, 3, _relevance(3, relevance / 100 * _freshness(day, newest)), f"report: {report}")
        for key, relevance, day, report in hits
    ]
    best: dict[Hashable, Tiered] = {}
    for row in sorted(rows, key=lambda row: -row.relevance):
        best.setdefault(row.key, row)
    return list(best.values())


def _reason(tier: int, found: Sequence[str], words: Mapping[str, str]) -> str:
    return f"{'name' if tier == 1 else 'content'}: {', '.join(words.get(word, word) for word in found)}"


def _freshness(day: str, newest: str) -> float:
    age = (date.fromisoformat(newest) - date.fromisoformat(day)).days
    return 1 - RECENCY + RECENCY * math.pow(0.5, age / HALF_LIFE)


def _relevance(tier: int, share: float) -> int:
    return max(1, round(CEILINGS[tier] * min(1.0, share)))
