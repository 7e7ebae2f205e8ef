"""How each answer is shortened: by stages, each of which leaves out more."""

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
from cn_shared.surveys import ChangedAnswer, ChangedFile, DiagnosticsAnswer, GrepAnswer, OverviewAnswer
from cn_shared.wire import FindAnswer, InspectAnswer, LocationRef, MapAnswer

Cut = Callable[[Any, Callable[[Any], bool]], Any]


class Stage(NamedTuple):
    """left_out: what `cut` leaves out. cut: is given the answer and whether one fits; it may look for the longest.

    length: how many there are of what loses its end; the sentence then says how many are missing.
    resumes: a cursor counts what loses its end, and can go on behind the last one that is shown.
    """

    left_out: str
    cut: Cut
    length: Callable[[Any], int] | None = None
    resumes: bool = False

    def said(self, full: Answer, cut: Answer) -> str:
        if self.length is None:
            return self.left_out
        before = self.length(full)
        return f"{self.left_out} ({before - self.length(cut)} of {before})"


def _always(make: Callable[[Any], Any]) -> Cut:
    return lambda answer, fits: make(answer)


def longest(take: Callable[[Any, int], Any], length: Callable[[Any], int], least: int = 0) -> Cut:
    """As many of the first items as fit, and `least` of them whether they fit or not."""

    def cut(answer: Any, fits: Callable[[Any], bool]) -> Any:
        low, high = min(least, length(answer)), length(answer)
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if fits(take(answer, middle)) else (low, middle - 1)
        return take(answer, low)

    return cut


def _same(answer: Any) -> Any:
    return answer


def _last(name: str, noun: str, before: Callable[[Any], Any] = _same) -> Stage:
    """The end of one list, after what `before` takes away."""

    def length(answer: Any) -> int:
        return len(getattr(answer, name) or ())

    cut = longest(lambda answer, count: before(_first(name)(answer, count)), length)
    return Stage(f"the last {noun}", cut, length)


def _first(name: str) -> Callable[[Any, int], Any]:
    return lambda answer, count: replace(answer, **{name: (getattr(answer, name) or [])[:count]})


def paged(
    left_out: str, take: Callable[[Any, int], Any], length: Callable[[Any], int], before: Callable[[Any], Any] = _same
) -> Stage:
    """The end of what a cursor counts. One item always stays: whoever follows the cursor gets further each time."""
    return Stage(left_out, longest(lambda answer, count: before(take(answer, count)), length, 1), length, True)


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


# Places


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


def _count_by_file(places: str) -> Callable[[Any], int]:
    """How many an answer has by file: `uses` or `matches`."""
    return lambda answer: sum(len(getattr(file, places)) for file in answer.files)


def _first_by_file(places: str) -> Callable[[Any, int], Any]:
    """So many of them."""

    def first(answer: Any, count: int) -> Any:
        files = []
        for file in answer.files:
            if count <= 0:
                break
            found = getattr(file, places)
            files.append(replace(file, **{places: found[:count]}))
            count -= len(found)
        return replace(answer, files=files)

    return first


def _bare_matches(answer: GrepAnswer) -> GrepAnswer:
    files = [replace(file, matches=[replace(one, preview="") for one in file.matches]) for file in answer.files]
    return replace(answer, files=files)


def _without_members(answer: MapAnswer) -> MapAnswer:
    # Whoever goes through an outline piece by piece wants all of it.
    is_complete = len(answer.symbols) == answer.total
    return replace(answer, symbols=[row for row in answer.symbols if row.container is None]) if is_complete else answer


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


def bare_found(answer: FindAnswer) -> FindAnswer:
    if answer.matches is not None:
        return replace(answer, matches=_bare(answer.matches))
    return replace(answer, references=answer.references and _bare(answer.references))


def _bare_refs(answer: RefsAnswer) -> RefsAnswer:
    return replace(answer, files=_bare_files(answer.files))


def _alike(bare: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Without the other symbols that the query could mean, too."""
    return lambda answer: replace(bare(answer), candidates=[], more_candidates=None)


def _found(answer: FindAnswer) -> int:
    return len((answer.references if answer.matches is None else answer.matches) or ())


def _first_found(answer: FindAnswer, count: int) -> FindAnswer:
    return _first("references" if answer.matches is None else "matches")(answer, count)  # type: ignore[no-any-return]


_LINES = "lines of code"
STAGES: dict[type, Sequence[Stage]] = {
    MapAnswer: (
        Stage("members", _always(_without_members), lambda a: len(a.symbols)),
        paged("the last symbols", _first("symbols"), lambda a: len(a.symbols)),
    ),
    FindAnswer: (
        Stage(_LINES, _always(bare_found)),
        paged("the last places", _first_found, _found, bare_found),
        paged("other symbols and the last places", _first_found, _found, _alike(bare_found)),
    ),
    InspectAnswer: (
        Stage("the names in it", _always(_unnamed)),
        Stage("the end of the code", longest(_code, _lines, 1), _lines),
        Stage("the parts and the end of the code", longest(lambda a, n: _code(_alone(a), n), _lines, 1), _lines),
    ),
    RefsAnswer: (
        Stage(_LINES, _always(_bare_refs)),
        paged("the last places", _first_by_file("uses"), _count_by_file("uses"), _bare_refs),
        paged("other symbols and the last places", _first_by_file("uses"), _count_by_file("uses"), _alike(_bare_refs)),
    ),
    CallersAnswer: (
        Stage(_LINES, _always(lambda a: replace(a, callers=_bare_callers(a.callers)))),
        Stage("further levels", _always(_first_level)),
        Stage("places and further levels", _always(_named)),
        paged("the last callers", _first("callers"), lambda a: len(a.callers), _named),
        paged("other symbols and the last callers", _first("callers"), lambda a: len(a.callers), _alike(_named)),
    ),
    CalleesAnswer: (
        Stage("places", _always(_unplaced)),
        paged("the last callees", _first("callees"), lambda a: len(a.callees), _unplaced),
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
    GrepAnswer: (
        Stage(_LINES, _always(_bare_matches)),
        paged("the last matches", _first_by_file("matches"), _count_by_file("matches"), _bare_matches),
    ),
    DiagnosticsAnswer: (paged("the last problems", _first("diagnostics"), lambda a: len(a.diagnostics)),),
}  # fmt: skip
