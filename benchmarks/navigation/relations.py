"""Compares what a contestant tells of callers and implementations with the truth, and counts."""

from __future__ import annotations

from typing import Any

from benchmarks.navigation.answers import Contestant, Told
from benchmarks.navigation.score import Score, Share


def measure_relations(score: Score, contestant: Contestant, truth: dict[str, Any]) -> None:
    """Asks for the callers of each sampled callable and for what implements each sampled type or member."""
    read = set(truth["outlines"])
    for symbol in truth["callers"]:
        told = contestant.callers(symbol["query"])
        if told is not None:
            # The compiler reads no templates.
            told.items = {one for one in told.items if one.partition(":")[0] in read}
            shares = (score.callers_precision, score.callers_recall, score.callers_wrong_complete)
            _compare(score, shares, f"callers {symbol['query']} [{symbol['kind']}]", told, set(symbol["callers"]))
    judged = set(truth["judgedTypes"])
    for symbol in truth["types"]:
        told = contestant.implementations(symbol["query"])
        if told is not None:
            # Objects as a whole and what a class merely inherits may be told or not.
            told.items = (told.items & judged) - set(symbol["allowed"])
            shares = (score.impls_precision, score.impls_recall, score.impls_wrong_complete)
            _compare(score, shares, f"impls {symbol['query']} [{symbol['kind']}]", told, set(symbol["implementations"]))


def _compare(score: Score, shares: tuple[Share, Share, Share], asked: str, told: Told, wanted: set[str]) -> None:
    precision, recall, wrong_complete = shares
    right = len(told.items & wanted)
    precision.add(right, len(told.items))
    recall.add(right, len(wanted))
    wrong_complete.add(told.complete and told.items != wanted)
    score.relations_partial.add(not told.complete)
    if told.items != wanted:
        missing, extra = sorted(wanted - told.items), sorted(told.items - wanted)
        score.deviations.append(f"{asked}: missing {missing[:4]} extra {extra[:4]}; {told.error or 'complete'}")
