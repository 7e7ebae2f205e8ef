"""Answers about how symbols hang together, as text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from cn_daemon.interfaces.ink import Ink, block, clean
from cn_daemon.interfaces.phrases import (
    candidates,
    count,
    definition,
    qualified,
    shown,
    spot,
    symbol,
    undecided,
    verdict,
)
from cn_shared.relations import (
    CalleesAnswer,
    Caller,
    CallersAnswer,
    HoverAnswer,
    ImplsAnswer,
    RefsAnswer,
    Related,
    Relative,
    TypesAnswer,
    Use,
)
from cn_shared.wire import LocationRef

INDENT = "  "
# What goes without saying is left out: most mentions are calls or plain uses.
_UNSAID = ("call", "use")


def refs_text(answer: RefsAnswer, ink: Ink) -> Iterable[str]:
    """By file `line:character in Container.member: the line`, tests apart."""
    yield from definition(answer.definition, ink)
    tests = False
    for file in answer.files:
        if file.test and not tests:
            tests = True
            yield ink.aside("tests:")
        of = "" if len(file.uses) == file.total else ink.aside(f" · {len(file.uses)} of {file.total}")
        yield ink.path(clean(file.file_path)) + of
        for use in file.uses:
            yield INDENT + _use(use, ink)
    shown_uses = sum(len(file.uses) for file in answer.files)
    of = f"{shown_uses} of " if shown_uses < answer.total else ""
    yield f"{verdict(answer.completeness, ink)} {ink.aside('·')} {of}{count(answer.total, 'mention')}" + (
        f" in {count(len(answer.files), 'file')}" if answer.files else ""
    )
    yield from _end(answer.next, answer, ink)


def callers_text(answer: CallersAnswer, ink: Ink) -> Iterable[str]:
    """Each caller with its place, below it where it calls; deeper levels are indented."""
    yield from definition(answer.definition, ink)
    yield from _callers(answer.callers, ink, "")
    of = f"{len(answer.callers)} of " if len(answer.callers) < answer.total else ""
    others = (
        f" {ink.aside('·')} {count(answer.other_uses, 'other use')}: {ink.advice('cn refs')}"
        if answer.other_uses
        else ""
    )
    yield f"{verdict(answer.completeness, ink)} {ink.aside('·')} {of}{count(answer.total, 'caller')}{others}"
    yield from _end(answer.next, answer, ink)


def callees_text(answer: CalleesAnswer, ink: Ink) -> Iterable[str]:
    """The workspace's own with their places; the others by name."""
    yield from definition(answer.definition, ink)
    own = [callee for callee in answer.callees if not callee.symbol.external]
    others = [qualified(callee.symbol) for callee in answer.callees if callee.symbol.external]
    for callee in own:
        lines = ink.aside("at " + ", ".join(str(use.line) for use in callee.uses))
        yield f"{INDENT}{symbol(callee.symbol, ink)} {lines}"
    for label, names in (("external", others), ("unresolved", answer.unresolved or [])):
        if names:
            yield f"{INDENT}{ink.aside(label + ':')} {clean(', '.join(dict.fromkeys(names)))}"
    of = f"{len(answer.callees)} of " if len(answer.callees) < answer.total else ""
    yield f"{verdict(answer.completeness, ink)} {ink.aside('·')} {of}{count(answer.total, 'callee')}"
    yield from _end(answer.next, answer, ink)


def impls_text(answer: ImplsAnswer, ink: Ink) -> Iterable[str]:
    yield from definition(answer.definition, ink)
    for ref in answer.implementations:
        yield INDENT + symbol(ref, ink)
    number = count(len(answer.implementations), "implementation")
    yield f"{verdict(answer.completeness, ink)} {ink.aside('·')} {number}{shown(answer)}"
    yield from _end(None, answer, ink)


def types_text(answer: TypesAnswer, ink: Ink) -> Iterable[str]:
    """Supertypes, then subtypes, each as a tree."""
    yield from definition(answer.definition, ink)
    for label, relatives in (("supertypes:", answer.supertypes), ("subtypes:", answer.subtypes)):
        if relatives:
            yield ink.aside(label)
            yield from _relatives(relatives, ink, INDENT)
    yield f"{verdict(answer.completeness, ink)} {ink.aside('·')} {_number(answer.supertypes)} above, " + (
        f"{_number(answer.subtypes)} below{shown(answer)}"
    )
    yield from _end(None, answer, ink)


def hover_text(answer: HoverAnswer, ink: Ink) -> Iterable[str]:
    yield symbol(answer.definition, ink)
    yield block(answer.signature)
    if answer.documentation:
        yield block(answer.documentation)
    if answer.completeness.status == "partial":
        yield verdict(answer.completeness, ink)
    yield from _end(None, answer, ink)


def _use(use: Use, ink: Ink) -> str:
    within = f" {ink.aside('in')} {clean(use.within)}" if use.within else ""
    role = "" if use.role in _UNSAID else f" {ink.aside(use.role)}"
    code = f": {clean(use.preview)}" if use.preview else ""
    return f"{ink.place(spot(use.id))}{within}{role}{code}"


def _callers(callers: Sequence[Caller], ink: Ink, indent: str) -> Iterable[str]:
    for caller in callers:
        again = ink.aside(" (above)") if caller.repeated else ""
        yield f"{indent}{_caller(caller.symbol, ink)}{again}"
        for use in caller.uses:
            # A budget may leave no room for the code.
            yield f"{indent}{INDENT}{ink.place(spot(use.id))} {clean(use.preview)}".rstrip()
        if caller.total > len(caller.uses):
            yield f"{indent}{INDENT}{ink.aside(f'{caller.total - len(caller.uses)} more')}"
        yield from _callers(caller.callers or (), ink, indent + INDENT * 2)


def _caller(ref: LocationRef, ink: Ink) -> str:
    return ink.path(clean(ref.file_path)) if ref.kind == "Module" else symbol(ref, ink)


def _relatives(relatives: Sequence[Relative], ink: Ink, indent: str) -> Iterable[str]:
    for one in relatives:
        again = ink.aside(" (above)") if one.repeated else ""
        yield f"{indent}{ink.aside(one.relation)} {symbol(one.symbol, ink)}{again}"
        yield from _relatives(one.further, ink, indent + INDENT)


def _number(relatives: Sequence[Relative]) -> int:
    return sum(1 + _number(one.further) for one in relatives)


def _end(more: str | None, answer: Related, ink: Ink) -> Iterable[str]:
    yield from undecided(answer.completeness, ink)
    if more:
        yield ink.more(more)
    yield from candidates(answer.candidates, answer.more_candidates, ink)


RELATION_RENDERERS: dict[type, Callable[[Any, Ink], Iterable[str]]] = {
    RefsAnswer: refs_text,
    CallersAnswer: callers_text,
    CalleesAnswer: callees_text,
    ImplsAnswer: impls_text,
    TypesAnswer: types_text,
    HoverAnswer: hover_text,
}
