"""Compares what a contestant answers with the truth, and counts."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from benchmarks.navigation.answers import Contestant, Found

# Whole processes are slow to start: as many are timed.
PROCESSES = 15


@dataclass
class Share:
    """How many of how many."""

    right: int = 0
    of: int = 0

    def add(self, right: bool | int, of: int = 1) -> None:
        self.right += int(right)
        self.of += of

    @property
    def percent(self) -> float | None:
        return round(100 * self.right / self.of, 2) if self.of else None


@dataclass
class Score:
    """Of one contestant over one or several workspaces. `deviations` tells each wrong answer in one line."""

    definition: Share = field(default_factory=Share)
    precision: Share = field(default_factory=Share)
    recall: Share = field(default_factory=Share)
    exact: Share = field(default_factory=Share)
    outline_precision: Share = field(default_factory=Share)
    outline_recall: Share = field(default_factory=Share)
    declaration_block: Share = field(default_factory=Share)
    body_block: Share = field(default_factory=Share)
    wrong_complete: Share = field(default_factory=Share)
    partial: Share = field(default_factory=Share)
    cold_exact: Share = field(default_factory=Share)
    again: Share = field(default_factory=Share)
    callers_precision: Share = field(default_factory=Share)
    callers_recall: Share = field(default_factory=Share)
    callers_wrong_complete: Share = field(default_factory=Share)
    impls_precision: Share = field(default_factory=Share)
    impls_recall: Share = field(default_factory=Share)
    impls_wrong_complete: Share = field(default_factory=Share)
    relations_partial: Share = field(default_factory=Share)
    cold_ms: list[float] = field(default_factory=list)
    warm_ms: list[float] = field(default_factory=list)
    process_ms: list[float] = field(default_factory=list)
    bytes: list[float] = field(default_factory=list)
    deviations: list[str] = field(default_factory=list)
    # Why answers said that they are partial, one for each of these.
    doubts: list[str] = field(default_factory=list)

    def merge(self, other: Score) -> None:
        for name, mine in vars(self).items():
            theirs = getattr(other, name)
            if isinstance(mine, Share):
                mine.add(theirs.right, theirs.of)
            else:
                mine.extend(theirs)

    def document(self) -> dict[str, Any]:
        told: dict[str, Any] = {}
        for name, value in vars(self).items():
            if isinstance(value, Share):
                told[name] = {"percent": value.percent, "right": value.right, "of": value.of}
            elif name == "deviations":
                told[name] = value
            elif name == "doubts":
                told[name] = dict(Counter(value).most_common())
            else:
                told[name] = {"p50": quantile(value, 0.5), "p90": quantile(value, 0.9), "n": len(value)}
        return told


def quantile(values: list[float], share: float) -> float | None:
    if not values:
        return None
    if len(values) == 1:
        return round(values[0], 1)
    return round(statistics.quantiles(values, n=100, method="inclusive")[round(share * 100) - 1], 1)


def measure(contestant: Contestant, truth: dict[str, Any], *, by_name_only: bool) -> Score:
    """Asks everything that the truth holds. by_name_only: the contestant cannot be asked by place."""
    score = Score()
    symbols = truth["symbols"]
    judged = set(truth["outlines"])
    first = contestant.cold(symbols[0])
    score.cold_ms.append(first.total_ms)
    score.cold_exact.add(_uses(score, symbols[0], first, judged, "cold"))
    early: list[tuple[dict[str, Any], str, Found]] = []
    # The narrowest first: what those load is the least.
    for symbol in sorted(symbols, key=lambda one: len({place.rsplit(":", 2)[0] for place in one["references"]})):
        queries = [symbol["query"]] if by_name_only else list(dict.fromkeys([symbol["query"], symbol["at"]]))
        for query in queries:
            found = contestant.find(symbol, query)
            _uses(score, symbol, found, judged, query)
            score.warm_ms.append(found.total_ms if found.own_ms is None else found.own_ms)
            score.bytes.append(found.bytes)
        early.append((symbol, queries[-1], found))
        if symbol["use"] and not by_name_only:
            _use(score, contestant, symbol)
        _block(score.declaration_block, score, contestant, symbol["at"], symbol["block"])
    for body in truth["bodies"]:
        _block(score.body_block, score, contestant, body["at"], body["block"])
    for path in sorted(judged):
        _outline(score, contestant, path, truth["outlines"][path])
    for symbol, query, before in early:
        _again(score, before, contestant.find(symbol, query), query)
    for symbol in symbols[:PROCESSES]:
        process_ms = contestant.process_ms(symbol)
        if process_ms is not None:
            score.process_ms.append(process_ms)
    return score


def _lines(places: Iterable[str]) -> set[str]:
    return {place.rpartition(":")[0] for place in places}


def _uses(score: Score, symbol: dict[str, Any], found: Found, judged: set[str], asked: str) -> bool:
    declared, wanted = set(symbol["declarations"]), set(symbol["references"])
    # Where it may be told or not: in a string of Python's.
    allowed = set(symbol.get("allowed", ()))
    told = {one for one in found.references if one.rsplit(":", 2)[0] in judged} - allowed
    definition = found.definition or ""
    if found.by_line:
        declared, wanted, told, definition = (
            _lines(declared),
            _lines(wanted),
            _lines(told),
            definition.rpartition(":")[0],
        )
        told -= (declared | _lines(allowed)) - wanted
    right = definition in declared
    same = told == wanted
    if asked != "cold":
        score.definition.add(right)
        score.precision.add(len(told & wanted), len(told))
        score.recall.add(len(told & wanted), len(wanted))
        score.exact.add(right and same)
        partial = found.complete is False or (found.complete is None and bool(found.error))
        score.partial.add(partial)
        score.doubts += [f"{symbol['name']}: {found.error}"] if partial else []
        score.wrong_complete.add(found.complete is not False and not (right and same))
    if not (right and same):
        score.deviations.append(
            f"find {asked} [{symbol['kind']}]: definition {definition or None}"
            f"{'' if right else ' not ' + str(sorted(declared)[:2])}; missing {sorted(wanted - told)[:3]} "
            f"extra {sorted(told - wanted)[:3]}; {found.error or 'complete'}"
        )
    return right and same


def _again(score: Score, before: Found, found: Found, asked: str) -> None:
    """Behind everything else the answer must be the one that it was when less was loaded."""
    same = all(getattr(found, name) == getattr(before, name) for name in ("definition", "references", "complete"))
    score.again.add(same)
    if not same:
        said = " then ".join(f"{one.definition}, {one.error or 'complete'}" for one in (before, found))
        gone, come = before.references - found.references, found.references - before.references
        score.deviations.append(f"find {asked}, asked again: {said}; gone {sorted(gone)[:3]} come {sorted(come)[:3]}")


def _use(score: Score, contestant: Contestant, symbol: dict[str, Any]) -> None:
    at, declared = symbol["use"]["at"], symbol["use"]["declarations"]
    found = contestant.find(symbol, at)
    right = found.definition in declared
    score.definition.add(right)
    if not right:
        score.wrong_complete.add(found.complete is True, 0)
        score.deviations.append(f"find {at}, a use: definition {found.definition} not {declared}; {found.error}")


def _block(share: Share, score: Score, contestant: Contestant, at: str, wanted: list[int]) -> None:
    if not contestant.has_blocks:
        return
    told = contestant.block(at)
    share.add(told == wanted)
    if told != wanted:
        score.deviations.append(f"inspect {at}: lines {told} not {wanted}")


def _outline(score: Score, contestant: Contestant, path: str, wanted: list[list[Any]]) -> None:
    told = contestant.outline(path)
    if told is None:
        return
    rows, right = Counter(told), Counter((name, line) for name, line in wanted)
    score.outline_precision.add((rows & right).total(), rows.total())
    score.outline_recall.add((rows & right).total(), right.total())
    if rows != right:
        score.deviations.append(f"map {path}: missing {list(right - rows)[:4]} extra {list(rows - right)[:4]}")
