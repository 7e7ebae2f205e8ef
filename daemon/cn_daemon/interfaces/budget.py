"""Answers cut to a budget of tokens, in stages, with what was left out and how to see it.

Full → without the lines of code → counts by file → the total. Lists that have no such stages lose their end. What
says whether an answer is complete is never cut.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from cn_daemon.application.plain_answer import PlainAnswer
from cn_daemon.application.ports import Answer
from cn_daemon.interfaces.stages import STAGES, Stage, longest
from cn_shared.wire import Bounded

# What tokenizers make of code and of JSON, on average.
CHARACTERS_PER_TOKEN = 4
# What a sentence has around it in JSON, with the numbers in it.
_FRAME = 40
_UNDECIDED = "the mentions that are not decided"

Size = Callable[[Answer], int]


class Fitted(NamedTuple):
    """left_out: a sentence, "" when the answer is whole."""

    answer: Answer
    left_out: str = ""


def fitted(answer: Answer, tokens: int | None, size: Size, command: str = "") -> Fitted:
    """The answer, or as much of it as `tokens` hold. size: of an answer as it leaves, in characters.

    command: what shows the whole answer. When not even the last stage fits, that is what is answered.
    """
    if tokens is None or size(answer) <= tokens * CHARACTERS_PER_TOKEN:
        return Fitted(answer)
    end = f" left out to fit {tokens} tokens; all of it takes about {-(-size(answer) // CHARACTERS_PER_TOKEN)}"
    end += f": {command}" if command else ""
    settled, stages = _settled(answer, _stages(answer))
    most = max((len(stage.left_out) for stage in stages), default=0)
    sentence = _FRAME + most + len(end.encode())

    def fits(one: Answer) -> bool:
        return size(one) + sentence <= tokens * CHARACTERS_PER_TOKEN

    smaller, left_out = answer, ""
    for stage in stages:
        smaller = stage.cut(settled, fits)
        left_out = stage.said(settled, smaller)
        if fits(smaller):
            break
    if not left_out:
        return Fitted(answer)
    told = f"{left_out}{end}"
    return Fitted(replace(smaller, left_out=told) if isinstance(smaller, Bounded) else smaller, told)


def _settled(answer: Answer, stages: Sequence[Stage]) -> tuple[Answer, Sequence[Stage]]:
    """The answer without the places that are not decided, which are the first to be left out, and its stages."""
    completeness = getattr(answer, "completeness", None)
    if completeness is None or completeness.undecided is None or not completeness.undecided.places:
        return answer, stages
    undecided = replace(completeness.undecided, places=[])
    settled: Any = answer
    settled = replace(settled, completeness=replace(completeness, undecided=undecided))
    further = (stage._replace(left_out=f"{_UNDECIDED}, {stage.left_out}") for stage in stages)
    return settled, [Stage(_UNDECIDED, lambda one, _: one), *further]


def _listed(answer: PlainAnswer, count: int) -> PlainAnswer:
    if isinstance(answer.document, list):
        return replace(answer, document=answer.document[:count])
    key = _list_key(answer)
    return replace(answer, document={**answer.document, key: answer.document[key][:count]})


def _list_key(answer: PlainAnswer) -> str:
    """The longest list of the document, "" when there is none."""
    lists = {key: value for key, value in answer.document.items() if isinstance(value, list)}
    return max(lists, key=lambda key: len(lists[key]), default="")


def _stages(answer: Answer) -> Sequence[Stage]:
    if isinstance(answer, PlainAnswer):
        document = answer.document
        if isinstance(document, list) or (isinstance(document, dict) and _list_key(answer)):
            length = len(document) if isinstance(document, list) else len(document[_list_key(answer)])
            return (Stage("the last results", longest(_listed, lambda _: length)),)
        return ()
    return STAGES.get(type(answer), ())
