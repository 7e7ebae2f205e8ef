"""Answers cut to a budget of tokens, in stages, with what was left out and how to see it.

Full → without the lines of code → the first places, and a cursor behind the last of them. Lists that no cursor
continues lose their end. What says whether an answer is complete is never cut.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from cn_daemon.application.plain_answer import PlainAnswer
from cn_daemon.application.ports import Answer
from cn_daemon.interfaces.stages import STAGES, Stage, longest, paged
from cn_shared.wire import Bounded

# What tokenizers make of code and of JSON, on average.
CHARACTERS_PER_TOKEN = 4
# What a sentence has around it in JSON, with the numbers in it.
_FRAME = 40
_UNDECIDED = "the mentions that are not decided"

Size = Callable[[Answer], int]


class Fitted(NamedTuple):
    """left_out: a sentence, "" when the answer is complete."""

    answer: Answer
    left_out: str = ""


def fitted(answer: Answer, tokens: int | None, size: Size, command: str = "", first: int | None = None) -> Fitted:
    """The answer, or as much of it as `tokens` hold. size: of an answer as it leaves, in characters.

    command: what shows the whole answer. first: how many places the caller's cursor has passed over; None where no
    cursor continues the answer. When not even the last stage fits, that is what is answered.
    """
    if tokens is None or size(answer) <= tokens * CHARACTERS_PER_TOKEN:
        return Fitted(answer)
    end = f" left out to fit {tokens} tokens; all of it takes about {-(-size(answer) // CHARACTERS_PER_TOKEN)}"
    end += f": {command}" if command else ""
    settled, stages = _settled(answer, _stages(answer, first is not None))
    most = max((len(stage.left_out) for stage in stages), default=0)
    room = tokens * CHARACTERS_PER_TOKEN - (_FRAME + most + len(end.encode()))
    smaller, left_out = answer, ""
    for stage in stages:
        smaller = _cut(stage, settled, lambda one: size(one) <= room, first or 0)
        left_out = stage.said(settled, smaller)
        if size(smaller) <= room:
            break
    if not left_out:
        return Fitted(answer)
    notice = f"{left_out}{end}"
    return Fitted(replace(smaller, left_out=notice) if isinstance(smaller, Bounded) else smaller, notice)


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


def _cut(stage: Stage, answer: Any, fits: Callable[[Any], bool], first: int) -> Any:
    """The answer after that stage, its cursor behind the last place that is left."""
    if not stage.resumes or stage.length is None:
        return stage.cut(answer, fits)
    length, full_length = stage.length, stage.length(answer)

    def resumed(one: Any) -> Any:
        if length(one) == full_length:
            return one
        cursor = str(first + length(one))
        if isinstance(one, PlainAnswer) and isinstance(one.document, dict):
            return replace(one, next=cursor, document={**one.document, "next": cursor})
        return replace(one, next=cursor)

    return resumed(stage.cut(answer, lambda one: fits(resumed(one))))


def _listed(answer: PlainAnswer, count: int) -> PlainAnswer:
    if isinstance(answer.document, list):
        return replace(answer, document=answer.document[:count])
    key = _list_key(answer)
    return replace(answer, document={**answer.document, key: answer.document[key][:count]})


def _list_key(answer: PlainAnswer) -> str:
    """The longest list of the document, "" when there is none."""
    lists = {key: value for key, value in answer.document.items() if isinstance(value, list)}
    return max(lists, key=lambda key: len(lists[key]), default="")


def _stages(answer: Answer, resumes: bool) -> Sequence[Stage]:
    if not isinstance(answer, PlainAnswer):
        return STAGES.get(type(answer), ())
    document = answer.document
    key = _list_key(answer) if isinstance(document, dict) else ""
    if not (key or isinstance(document, list)):
        return ()

    def length(one: PlainAnswer) -> int:
        return len(one.document[key] if key else one.document)

    if resumes:
        return (paged("the last results", _listed, length),)
    return (Stage("the last results", longest(_listed, length), length),)
