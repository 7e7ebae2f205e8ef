"""Answers about a whole workspace, as text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Any

from cn_daemon.interfaces.ink import Ink, block, clean
from cn_daemon.interfaces.phrases import count, qualified, shown, symbol, verdict
from cn_shared.surveys import (
    ChangedAnswer,
    ChangedFile,
    ChangedSymbol,
    DiagnosticsAnswer,
    GrepAnswer,
    OverviewAnswer,
    TextMatch,
)

# Packages and projects, of which a monorepo has hundreds.
_NAMED = 12


def overview_text(answer: OverviewAnswer, ink: Ink) -> Iterable[str]:
    """Sizes, packages, projects, folders, then the symbols that most files import."""
    yield f"{ink.path(clean(answer.folder))} · {count(answer.files, 'file')} · {count(answer.lines, 'line')}"
    if answer.packages:
        yield f"{ink.aside('packages:')} {_some([f'{row.name} ({row.path})' for row in answer.packages], ', ')}"
    if answer.projects:
        yield f"{ink.aside('projects:')} {_some(answer.projects, ' ')}"
    for row in answer.folders:
        yield f"  {ink.path(clean(row.path) + '/')} {count(row.files, 'file')}, {count(row.lines, 'line')}"
    for file in answer.direct:
        yield f"  {ink.path(clean(file.path))} {count(file.lines, 'line')}"
    if answer.symbols:
        yield ink.aside("imported by most files:")
        for one in answer.symbols:
            yield f"  {symbol(one.symbol, ink)} · {count(one.files, 'file')}"
    if answer.omitted:
        yield ink.aside(f"{answer.omitted} more: {ink.advice('--limit 0')}, or name a folder")
    if answer.completeness.status == "partial":
        yield verdict(answer.completeness, ink)


def _some(names: Sequence[str], between: str) -> str:
    """The first, nearest to the folder, and how many more there are: an overview of a folder below has its own."""
    more = len(names) - _NAMED
    return clean(between.join(names[:_NAMED])) + (f" and {more} more below the folders" if more > 0 else "")


def changed_text(answer: ChangedAnswer, ink: Ink) -> Iterable[str]:
    """By file, each symbol with what was done to it and who uses it."""
    for file in answer.files:
        yield _file(file, ink)
        for one in file.symbols:
            yield f"  {_changed(one, ink)}"
    since = f"since {answer.since}"
    number = f"{count(sum(len(file.symbols) for file in answer.files), 'symbol')} in {count(len(answer.files), 'file')}"
    yield f"{verdict(answer.completeness, ink)} {ink.aside('·')} {number}{shown(answer)} {since}"


def diagnostics_text(answer: DiagnosticsAnswer, ink: Ink) -> Iterable[str]:
    """By file `line:character error TS2322: message`."""
    for path, group in groupby(answer.diagnostics, key=lambda one: one.file_path):
        yield ink.path(clean(path))
        for one in group:
            severity = ink.failure(one.severity) if one.severity == "error" else ink.warning(one.severity)
            place = ink.place(f"{one.line}:{one.character}")
            yield f"  {place} {severity} {clean(one.code)}: {block(one.message)}"
    shown = f"{len(answer.diagnostics)} of " if len(answer.diagnostics) < answer.total else ""
    found = f"{shown}{count(answer.total, 'problem')} in {count(answer.files, 'file')} checked"
    yield f"{verdict(answer.completeness, ink)} {ink.aside('·')} {found}"
    if answer.next:
        yield ink.more(answer.next)


def grep_text(answer: GrepAnswer, ink: Ink) -> Iterable[str]:
    """By file `line:character in Container.member: the line`; what several in a row are in is said once, above them."""
    for file in answer.files:
        of = "" if len(file.matches) == file.total else ink.aside(f" · {len(file.matches)} of {file.total}")
        yield ink.path(clean(file.file_path)) + of
        for within, group in groupby(file.matches, key=lambda one: one.within):
            rows = list(group)
            together = within is not None and len(rows) > 1
            if within is not None and together:
                yield f"  {ink.aside('in')} {clean(within)}"
            yield from ("  " * (1 + together) + _match(one, ink, is_grouped=together) for one in rows)
    number = sum(len(file.matches) for file in answer.files)
    of = f"{number} of " if number < answer.total else ""
    files = f" in {count(answer.completeness.files, 'file')}" if answer.total else ""
    yield f"{verdict(answer.completeness, ink)} {ink.aside('·')} {of}{_matches(answer.total)}{files}"
    if answer.next:
        yield ink.more(answer.next)
    if answer.hint:
        yield f"{ink.aside('hint:')} {clean(answer.hint)}"


def _matches(number: int) -> str:
    return "1 match" if number == 1 else f"{number} matches"


def _match(one: TextMatch, ink: Ink, *, is_grouped: bool) -> str:
    within = f" {ink.aside('in')} {clean(one.within)}" if one.within and not is_grouped else ""
    code = f"{':' if within else ''} {clean(one.preview)}" if one.preview else ""
    return f"{ink.place(f'{one.line}:{one.character}')}{within}{code}"


def _file(file: ChangedFile, ink: Ink) -> str:
    was = f" {ink.aside('was')} {clean(file.old_path)}" if file.old_path else ""
    return f"{ink.path(clean(file.file_path))} {file.status} +{file.added} -{file.removed}{was}"


def _changed(one: ChangedSymbol, ink: Ink) -> str:
    name = f"{one.change} {ink.kind(one.symbol.kind)} {ink.name(qualified(one.symbol))}"
    if one.change == "removed":
        return f"{name} · still named in {count(one.total, 'file')}" if one.total else name
    place = ink.place(f"{one.symbol.line}:{one.symbol.character}")
    if one.total is None:
        return f"{name} {place} · uses not looked up"
    users = ", ".join(f"{qualified(ref)} {ref.file_path}:{ref.line}" for ref in one.users)
    return f"{name} {place} · {count(one.total, 'use')}" + (f": {clean(users)}" if users else "")


SURVEY_RENDERERS: dict[type, Callable[[Any, Ink], Iterable[str]]] = {
    OverviewAnswer: overview_text,
    ChangedAnswer: changed_text,
    DiagnosticsAnswer: diagnostics_text,
    GrepAnswer: grep_text,
}
