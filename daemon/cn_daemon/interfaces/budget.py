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
from cn_shared.relations import (
    CalleesAnswer,
    Caller,
    CallersAnswer,
    FileUses,
    ImplsAnswer,
    RefsAnswer,
    Relative,
    TypesAnswer,
    Use,
)
from cn_shared.surveys import ChangedAnswer, ChangedFile, DiagnosticsAnswer, OverviewAnswer
from cn_shared.wire import FileCount, FindAnswer, InspectAnswer, LocationRef, MapAnswer

# What tokenizers make of code and of JSON, on average.
CHARACTERS_PER_TOKEN = 4

Size = Callable[[Answer], int]
Cut = Callable[[Any, Callable[[Any], bool]], Any]


class Stage(NamedTuple):
    """left_out: what `cut` leaves out. cut: is given the answer and whether one fits; it may look for the longest."""

    left_out: str
    cut: Cut


class Fitted(NamedTuple):
    """left_out: a sentence, "" when the answer is whole."""

    answer: Answer
    left_out: str = ""


def fitted(answer: Answer, tokens: int | None, size: Size) -> Fitted:
    """The answer, or as much of it as `tokens` hold. size: of an answer as it leaves, in characters.

    When not even the last stage fits, that is what is answered.
    """
    if tokens is None or size(answer) <= tokens * CHARACTERS_PER_TOKEN:
        return Fitted(answer)

    def fits(one: Answer) -> bool:
        # The sentence about what was left out has its share.
        return size(one) + _SENTENCE <= tokens * CHARACTERS_PER_TOKEN

    whole = -(-size(answer) // CHARACTERS_PER_TOKEN)
    smaller, left_out = answer, ""
    for stage in _stages(answer):
        smaller, left_out = stage.cut(answer, fits), stage.left_out
        if fits(smaller):
            break
    if not left_out:
        return Fitted(answer)
    return Fitted(smaller, f"{left_out} left out to fit {tokens} tokens; the whole answer takes about {whole}")


_SENTENCE = 90


def _always(make: Callable[[Any], Any]) -> Cut:
    return lambda answer, fits: make(answer)


def _longest(take: Callable[[Any, int], Any], length: Callable[[Any], int]) -> Cut:
    """As many of the first items as fit."""

    def cut(answer: Any, fits: Callable[[Any], bool]) -> Any:
        low, high = 0, length(answer)
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if fits(take(answer, middle)) else (low, middle - 1)
        return take(answer, low)

    return cut


def _prefix(name: str) -> Cut:
    return _longest(
        lambda answer, count: replace(answer, **{name: getattr(answer, name)[:count]}),
        lambda answer: len(getattr(answer, name)),
    )


# Without the lines of code


def _bare(places: Sequence[LocationRef]) -> list[LocationRef]:
    return [replace(place, preview="") for place in places]


def _bare_uses(uses: Sequence[Use]) -> list[Use]:
    return [replace(use, preview="") for use in uses]


def _bare_files(files: Sequence[FileUses]) -> list[FileUses]:
    return [replace(file, uses=_bare_uses(file.uses)) for file in files]


def _bare_callers(callers: Sequence[Caller]) -> list[Caller]:
    return [
        replace(
            caller,
            symbol=replace(caller.symbol, preview=""),
            uses=_bare_uses(caller.uses),
            callers=None if caller.callers is None else _bare_callers(caller.callers),
        )
        for caller in callers
    ]


def _bare_relatives(relatives: Sequence[Relative]) -> list[Relative]:
    return [
        replace(one, symbol=replace(one.symbol, preview=""), further=_bare_relatives(one.further)) for one in relatives
    ]


def _bare_changes(files: Sequence[ChangedFile]) -> list[ChangedFile]:
    return [
        replace(
            file,
            symbols=[
                replace(one, symbol=replace(one.symbol, preview=""), users=_bare(one.users)) for one in file.symbols
            ],
        )
        for file in files
    ]


# Counts


def _counted(answer: FindAnswer) -> FindAnswer:
    totals: dict[str, int] = {}
    for place in answer.references or ():
        totals[place.file_path] = totals.get(place.file_path, 0) + 1
    counts = [FileCount(path, total) for path, total in totals.items()]
    return replace(answer, references=[], candidates=[], files=counts, next=None)


def _names(callers: Sequence[Caller]) -> list[Caller]:
    return [
        replace(caller, symbol=replace(caller.symbol, preview=""), uses=[], callers=None, repeated=None)
        for caller in callers
    ]


def _code(answer: InspectAnswer, lines: int) -> InspectAnswer:
    code = "\n".join(answer.result.code.split("\n")[:lines])
    return InspectAnswer(replace(answer.result, code=code, related_symbols=[]))


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
            return (Stage("the last results", _longest(_listed, lambda _: length)),)
        return ()
    return _STAGES.get(type(answer), ())


_LINES = "lines of code"
_STAGES: dict[type, Sequence[Stage]] = {
    MapAnswer: (
        Stage("members", _always(lambda a: replace(a, symbols=[row for row in a.symbols if row.container is None]))),
        Stage("the last symbols", _longest(
            lambda a, n: replace(a, symbols=[row for row in a.symbols if row.container is None][:n]),
            lambda a: len(a.symbols))),
    ),
    FindAnswer: (
        Stage(_LINES, _always(lambda a: replace(a, references=a.references and _bare(a.references)))),
        Stage("places", _always(_counted)),
        Stage("places and files", _always(lambda a: replace(_counted(a), files=[]))),
    ),
    InspectAnswer: (
        Stage("the names in it", _always(lambda a: replace(a, result=replace(a.result, related_symbols=[])))),
        Stage("the names in it and the parts", _always(lambda a: InspectAnswer(replace(a.result, related_symbols=[])))),
        Stage("the end of the code", _longest(_code, lambda a: a.result.code.count("\n") + 1)),
    ),
    RefsAnswer: (
        Stage(_LINES, _always(lambda a: replace(a, files=_bare_files(a.files)))),
        Stage("places", _always(lambda a: replace(a, candidates=[], files=[replace(f, uses=[]) for f in a.files]))),
        Stage("places and files", _always(lambda a: replace(a, candidates=[], files=[]))),
    ),
    CallersAnswer: (
        Stage(_LINES, _always(lambda a: replace(a, callers=_bare_callers(a.callers)))),
        Stage("places and further levels", _always(lambda a: replace(a, callers=_names(a.callers)))),
        Stage("the last callers", _longest(
            lambda a, n: replace(a, candidates=[], callers=_names(a.callers)[:n]), lambda a: len(a.callers))),
    ),
    CalleesAnswer: (
        Stage("places", _always(lambda a: replace(
            a, callees=[replace(one, symbol=replace(one.symbol, preview=""), uses=[]) for one in a.callees]))),
        Stage("the last callees", _prefix("callees")),
    ),
    ImplsAnswer: (
        Stage(_LINES, _always(lambda a: replace(a, implementations=_bare(a.implementations)))),
        Stage("the last implementations", _prefix("implementations")),
    ),
    TypesAnswer: (
        Stage(_LINES, _always(lambda a: replace(
            a, supertypes=_bare_relatives(a.supertypes), subtypes=_bare_relatives(a.subtypes)))),
        Stage("the last subtypes", _prefix("subtypes")),
    ),
    OverviewAnswer: (
        Stage("the last symbols", _prefix("symbols")),
        Stage("symbols and the last folders", _longest(
            lambda a, n: replace(a, symbols=[], folders=a.folders[:n]), lambda a: len(a.folders))),
    ),
    ChangedAnswer: (
        Stage(_LINES, _always(lambda a: replace(a, files=_bare_changes(a.files)))),
        Stage("symbols", _always(lambda a: replace(a, files=[replace(file, symbols=[]) for file in a.files]))),
        Stage("symbols and the last files", _longest(
            lambda a, n: replace(a, files=[replace(file, symbols=[]) for file in a.files[:n]]),
            lambda a: len(a.files))),
    ),
    DiagnosticsAnswer: (Stage("the last complaints", _prefix("diagnostics")),),
}  # fmt: skip
