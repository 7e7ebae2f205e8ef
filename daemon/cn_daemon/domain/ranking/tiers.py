"""Three tiers: names, then contents, then past reports (specs/mcp-command-tool, FR1).

Two flaws of a literal reading are mended. One keyword in a file name would count as a result of tier 1 and close the
tiers below, so a result counts only with at least half of the query's keywords. And "content" is the body as well as
the description.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple

from cn_daemon.domain.ranking.stopwords import STOPWORDS
from cn_daemon.domain.ranking.words import terms

# A tier is asked when the one before has fewer results than this.
CONTENTS_BELOW, REPORTS_BELOW = 3, 2
HALF = 0.5
# What the best of each tier can reach; an exact name has 100.
CEILINGS = {1: 95, 2: 75, 3: 55}
_REQUESTS = frozenset(terms("need want tool command show find please help give use something someone"))


class Tiered(NamedTuple):
    key: Hashable
    tier: int
    relevance: int
    reason: str


def keywords(query: str) -> list[str]:
    """The terms of a query that say what is sought; all of them when nothing else is left."""
    found = list(dict.fromkeys(terms(query)))
    told = [word for word in found if word not in STOPWORDS and word not in _REQUESTS]
    return told or found


def by_holding(wanted: Sequence[str], holders: Mapping[str, Iterable[Hashable]], tier: int, what: str) -> list[Tiered]:
    """The results of tier 1 or 2, best first, equals in the order of `holders`: who holds half of the keywords."""
    held: dict[Hashable, list[str]] = {}
    for word in wanted:
        for key in holders.get(word, ()):
            held.setdefault(key, []).append(word)
    rows = [
        Tiered(key, tier, _relevance(tier, len(words) / len(wanted)), f"{what}: {', '.join(words)}")
        for key, words in held.items()
        if len(words) >= HALF * len(wanted)
    ]
    return sorted(rows, key=lambda row: -row.relevance)


def by_reports(hits: Sequence[tuple[Hashable, int, str]]) -> list[Tiered]:
    """The results of tier 3: the commands of matching reports, (command, relevance 0–100, report), best first."""
    rows: dict[Hashable, Tiered] = {}
    for key, relevance, report in hits:
        rows.setdefault(key, Tiered(key, 3, _relevance(3, relevance / 100), f"report: {report}"))
    return sorted(rows.values(), key=lambda row: -row.relevance)


def _relevance(tier: int, share: float) -> int:
    return max(1, round(CEILINGS[tier] * min(1.0, share)))
