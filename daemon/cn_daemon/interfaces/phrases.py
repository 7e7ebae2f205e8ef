"""Words that all texts of answers share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from cn_daemon.interfaces.ink import Ink, clean
from cn_shared.wire import Bounded, Completeness, LocationRef, SymbolRow

# So many further lines of a value are shown.
_LINES = 12


def qualified(row: SymbolRow | LocationRef) -> str:
    """`Container.name`"""
    return clean(".".join(filter(None, (row.container, row.name))))


def place(ref: LocationRef) -> str:
    """`path:line:character`, which find takes back."""
    return f"{clean(ref.file_path)}:{ref.line}:{ref.character}"


def spot(id: str, last: int | None = None) -> str:
    """`line:character` of an id, where the file is named above. last: the line that it ends on, when that is
    another."""
    return ":".join(id.rsplit("::", 2)[1:]) + (f"-{last}" if last else "")


def external(flag: bool | None) -> str:
    return "(external)" if flag else ""


def symbol(ref: LocationRef, ink: Ink) -> str:
    """`Kind Container.name path:line:character`"""
    words = [ink.kind(ref.kind), ink.name(qualified(ref)), ink.path(place(ref)), ink.aside(external(ref.external))]
    return " ".join(word for word in words if word)


def definition(ref: LocationRef, ink: Ink) -> Iterable[str]:
    """The symbol, then its line of code."""
    yield symbol(ref, ink)
    yield f"  {clean(ref.preview)}"


def candidates(places: Iterable[LocationRef], more: str | None, ink: Ink) -> Iterable[str]:
    """Other symbols that the query could mean, each with its id. more: how many are not listed, and what lists them."""
    rows = [f"  {ink.kind(ref.kind)} {ink.name(qualified(ref))} {ink.path(clean(ref.id))}" for ref in places]
    if rows:
        yield ink.aside("other symbols:")
        yield from rows
    if more:
        yield f"  {ink.aside(clean(more))}"


def verdict(completeness: Completeness, ink: Ink) -> str:
    """`complete`, or `partial` and why."""
    status = ink.warning("partial") if completeness.status == "partial" else "complete"
    reason = f" ({clean(completeness.reason)})" if completeness.reason else ""
    loaded, total = completeness.projects_loaded, completeness.projects_total
    projects = f" · projects {loaded} of {total}" if completeness.undecided and loaded < total else ""
    note = f" · {clean(completeness.note)}" if completeness.note else ""
    return status + reason + projects + note


def undecided(completeness: Completeness, ink: Ink) -> Iterable[str]:
    """The places that nobody has judged yet, by file; nothing where there are none."""
    left = completeness.undecided
    if left is None or not (left.total or left.unread):
        return
    by = f" by {count(left.receivers, 'receiver')}" if left.receivers else ""
    shown = "" if len(left.places) == (left.receivers or left.total) else f", the first {len(left.places)}"
    unread = f", {count(left.unread, 'file')} not read" if left.unread else ""
    yield ink.aside(f"not decided yet: {count(left.total, 'mention')}{by}{shown}{unread}")
    for path, group in groupby(left.places, key=lambda ref: ref.file_path):
        yield ink.path(clean(path))
        for ref in group:
            yield f"{_row(ref, ink)}{ink.aside(_also(ref.also or []))}"


def _also(lines: Sequence[int]) -> str:
    """The first of some further lines, and how many there are beside."""
    more = f" and {len(lines) - _LINES} more" if len(lines) > _LINES else ""
    return f" · also {', '.join(map(str, lines[:_LINES]))}{more}" if lines else ""


def _row(ref: LocationRef, ink: Ink) -> str:
    return f"  {ink.place(f'{ref.line}:{ref.character}')} {clean(ref.preview)}".rstrip()


def places(refs: Iterable[LocationRef], ink: Ink) -> Iterable[str]:
    """By file, `  line:character preview`."""
    for path, group in groupby(refs, key=lambda ref: ref.file_path):
        yield ink.path(clean(path))
        for ref in group:
            yield _row(ref, ink)


def count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


def shown(answer: Bounded) -> str:
    """Behind a number of what a budget may have left no room for all of."""
    return " shown" if answer.left_out else ""
