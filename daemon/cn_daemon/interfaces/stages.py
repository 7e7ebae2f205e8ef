"""How each answer is made shorter: by stages, each of which leaves out more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from cn_daemon.application.ports import Answer
from cn_shared.relations import (
    CalleesAnswer,
    Caller,
    CallersAnswer,
    FileUses,
    HoverAnswer,
    ImplsAnswer,
    RefsAnswer,
    Relative,
    TypesAnswer,
    Use,
)
from cn_shared.surveys import ChangedAnswer, ChangedFile, DiagnosticsAnswer, OverviewAnswer
from cn_shared.wire import FileCount, FindAnswer, InspectAnswer, LocationRef, MapAnswer

Cut = Callable[[Any, Callable[[Any], bool]], Any]


class Stage(NamedTuple):
    """left_out: what `cut` leaves out. cut: is given the answer and whether one fits; it may look for the longest.

    length: how many there are of what loses its end; the sentence then says how many are missing.
    """

    left_out: str
    cut: Cut
    length: Callable[[Any], int] | None = None

    def said(self, whole: Answer, cut: Answer) -> str:
        if self.length is None:
            return self.left_out
        before = self.length(whole)
        return f"{self.left_out} ({before - self.length(cut)} of {before})"


def _always(make: Callable[[Any], Any]) -> Cut:
    return lambda answer, fits: make(answer)


def longest(take: Callable[[Any, int], Any], length: Callable[[Any], int]) -> Cut:
    """As many of the first items as fit."""

    def cut(answer: Any, fits: Callable[[Any], bool]) -> Any:
        low, high = 0, length(answer)
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if fits(take(answer, middle)) else (low, middle - 1)
        return take(answer, low)

    return cut


def _first(name: str, count: int) -> Callable[[Any], Any]:
    """The first items of one list, the cursor moved to behind them where the answer has one."""

    def take(answer: Any) -> Any:
        items = getattr(answer, name)
        changes = {name: items[:count]}
        if hasattr(answer, "next") and count < len(items):
            last = int(answer.next) if answer.next else answer.total
            changes["next"] = str(last - len(items) + count)
        return replace(answer, **changes)

    return take


def _last(name: str, noun: str, before: Callable[[Any], Any] = lambda answer: answer) -> Stage:
    """The end of one list, after what `before` takes away."""

    def length(answer: Any) -> int:
        return len(getattr(answer, name))

    cut = longest(lambda answer, count: before(_first(name, count)(answer)), length)
    return Stage(f"the last {noun}", cut, length)


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


def _bare_types(answer: TypesAnswer) -> TypesAnswer:
    return replace(answer, supertypes=_bare_relatives(answer.supertypes), subtypes=_bare_relatives(answer.subtypes))


def _one_level(answer: TypesAnswer) -> TypesAnswer:
    bare = _bare_types(answer)
    above, below = ([replace(one, further=[]) for one in some] for some in (bare.supertypes, bare.subtypes))
    return replace(bare, supertypes=above, subtypes=below)


def _bare_changes(files: Sequence[ChangedFile], *, users: bool = True) -> list[ChangedFile]:
    return [
        replace(
            file,
            symbols=[
                replace(one, symbol=replace(one.symbol, preview=""), users=_bare(one.users) if users else [])
                for one in file.symbols
            ],
        )
        for file in files
    ]


def _plain(files: Sequence[ChangedFile]) -> list[ChangedFile]:
    return [replace(file, symbols=[]) for file in files]


# Counts


def _counted(answer: FindAnswer) -> FindAnswer:
    totals: dict[str, int] = {}
    for place in answer.references or ():
        totals[place.file_path] = totals.get(place.file_path, 0) + 1
    counts = [FileCount(path, total) for path, total in totals.items()]
    # The counts are of this page: a cursor to the others stays.
    return replace(answer, references=[], candidates=[], files=counts)


def _first_level(answer: CallersAnswer) -> CallersAnswer:
    return replace(answer, callers=[replace(one, callers=None, repeated=None) for one in answer.callers])


def _named(answer: CallersAnswer) -> CallersAnswer:
    callers = [
        replace(caller, symbol=replace(caller.symbol, preview=""), uses=[], callers=None, repeated=None)
        for caller in answer.callers
    ]
    return replace(answer, callers=callers)


def _unplaced(answer: CalleesAnswer) -> CalleesAnswer:
    callees = [replace(one, symbol=replace(one.symbol, preview=""), uses=[]) for one in answer.callees]
    return replace(answer, callees=callees)


def _without_members(answer: MapAnswer) -> MapAnswer:
    return replace(answer, symbols=[row for row in answer.symbols if row.container is None])


def _documentation(answer: HoverAnswer, length: int) -> HoverAnswer:
    return replace(answer, documentation=(answer.documentation or "")[:length] or None)


def _unnamed(answer: InspectAnswer) -> InspectAnswer:
    return replace(answer, result=replace(answer.result, related_symbols=[]))


def _lines(answer: InspectAnswer) -> int:
    return answer.result.code.count("\n") + 1 if answer.result.code else 0


def _code(answer: InspectAnswer, lines: int) -> InspectAnswer:
    code = "\n".join(answer.result.code.split("\n")[:lines])
    return replace(answer, result=replace(answer.result, code=code, related_symbols=[]))


def _alone(answer: InspectAnswer) -> InspectAnswer:
    return replace(answer, members=None, callers=None, implementations=None, tests=None)


_LINES = "lines of code"
STAGES: dict[type, Sequence[Stage]] = {
    MapAnswer: (
        Stage("members", _always(_without_members), lambda a: len(a.symbols)),
        _last("symbols", "symbols", _without_members),
    ),
    FindAnswer: (
        Stage(_LINES, _always(lambda a: replace(a, references=a.references and _bare(a.references)))),
        Stage("places", _always(_counted)),
        Stage("places and files", _always(lambda a: replace(_counted(a), files=[]))),
    ),
    InspectAnswer: (
        Stage("the names in it", _always(_unnamed)),
        Stage("the end of the code", longest(_code, _lines), _lines),
        Stage("the parts and the end of the code", longest(lambda a, n: _code(_alone(a), n), _lines)),
    ),
    RefsAnswer: (
        Stage(_LINES, _always(lambda a: replace(a, files=_bare_files(a.files)))),
        Stage("places", _always(lambda a: replace(a, candidates=[], files=[replace(f, uses=[]) for f in a.files]))),
        Stage("places and files", _always(lambda a: replace(a, candidates=[], files=[]))),
    ),
    CallersAnswer: (
        Stage(_LINES, _always(lambda a: replace(a, callers=_bare_callers(a.callers)))),
        Stage("further levels", _always(_first_level)),
        Stage("places and further levels", _always(_named)),
        _last("callers", "callers", lambda a: replace(_named(a), candidates=[])),
    ),
    CalleesAnswer: (
        Stage("places", _always(_unplaced)),
        _last("callees", "callees", _unplaced),
    ),
    ImplsAnswer: (
        Stage(_LINES, _always(lambda a: replace(a, implementations=_bare(a.implementations)))),
        _last("implementations", "implementations", lambda a: replace(a, implementations=_bare(a.implementations))),
    ),
    TypesAnswer: (
        Stage(_LINES, _always(_bare_types)),
        Stage("further levels", _always(_one_level)),
        _last("subtypes", "subtypes", _one_level),
        Stage("subtypes and supertypes", _always(lambda a: replace(a, subtypes=[], supertypes=[]))),
    ),
    HoverAnswer: (
        Stage("the end of the documentation", longest(_documentation, lambda a: len(a.documentation or ""))),
        Stage("the documentation and the end of the signature", longest(
            lambda a, n: replace(a, documentation=None, signature=a.signature[:n]), lambda a: len(a.signature))),
    ),
    OverviewAnswer: (
        _last("symbols", "symbols"),
        _last("folders", "folders, and the symbols", lambda a: replace(a, symbols=[])),
        Stage("symbols, folders, packages and projects", _always(
            lambda a: replace(a, symbols=[], folders=[], packages=[], projects=[]))),
    ),
    ChangedAnswer: (
        Stage(_LINES, _always(lambda a: replace(a, files=_bare_changes(a.files)))),
        Stage("users", _always(lambda a: replace(a, files=_bare_changes(a.files, users=False)))),
        Stage("symbols", _always(lambda a: replace(a, files=_plain(a.files)))),
        _last("files", "files, and the symbols", lambda a: replace(a, files=_plain(a.files))),
    ),
    DiagnosticsAnswer: (_last("diagnostics", "complaints"),),
}  # fmt: skip
