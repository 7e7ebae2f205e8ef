"""Answers as text: what `--format text` prints, written to cost an agent few tokens.

A path is said once and its places follow it; what goes without saying is left out. Every place can be given
back: `path:line:character` to find, an id or `path#Container.member` to inspect.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from cn_daemon.application.libraries.verbatim_answer import VerbatimAnswer
from cn_daemon.application.plain_answer import PlainAnswer
from cn_daemon.application.ports import Answer
from cn_daemon.interfaces import command_text
from cn_daemon.interfaces.ink import Ink, block, clean
from cn_daemon.interfaces.phrases import (
    candidates,
    count,
    definition,
    external,
    place,
    places,
    qualified,
    shown,
    spot,
    symbol,
    undecided,
    verdict,
)
from cn_daemon.interfaces.relation_text import RELATION_RENDERERS
from cn_daemon.interfaces.survey_text import SURVEY_RENDERERS
from cn_shared import state
from cn_shared.errors import CnError
from cn_shared.wire import (
    FindAnswer,
    InspectAnswer,
    LanguageServerStatus,
    MapAnswer,
    StatusAnswer,
)  # fmt: skip


def render(
    answer: Answer, *, color: bool, verb: str = "", left_out: str = "", advice: Callable[[str], str] = str
) -> str:
    """The answer's text, ending in a line end. verb: whose answer it is; commands' documents are rendered by it.

    left_out: what a budget had no room for. advice: see `Ink`.
    """
    if isinstance(answer, VerbatimAnswer):
        return answer.text
    ink = Ink(color, advice)
    if isinstance(answer, PlainAnswer):
        lines = command_text.lines(answer, verb, ink)
    else:
        lines = _RENDERERS[type(answer)](answer, ink)
    return _lines([*lines, ink.aside(left_out)] if left_out else lines)


def error(error: CnError, *, color: bool) -> str:
    """The error's text: the sentence with its code, then what to do about it."""
    ink = Ink(color)
    lines = [f"{ink.failure('error:')} {block(error.message)} {ink.aside(f'[{error.code}]')}"]
    if error.hint:
        lines.append(f"{ink.aside('hint:')} {block(error.hint)}")
    return _lines(lines)


def map_text(answer: MapAnswer, ink: Ink) -> Iterable[str]:
    """`path`, then `  line:character-endLine Kind Container.name` per symbol."""
    number = count(len(answer.symbols), "symbol") + shown(answer)
    if answer.total is not None:
        number = f"{len(answer.symbols)} of {count(answer.total, 'symbol')}"
    yield f"{ink.path(clean(answer.file_path))} {ink.aside('· ' + number)}"
    for row in answer.symbols:
        yield f"  {ink.place(spot(row.id, row.end_line))} {ink.kind(row.kind)} {ink.name(qualified(row))}"
    if answer.next:
        yield ink.more(answer.next)


def find_text(answer: FindAnswer, ink: Ink) -> Iterable[str]:
    """The definition, the references by file, how complete that is, then what else it could mean."""
    if answer.matches is not None:
        yield from (symbol(one, ink) for one in answer.matches)
    if answer.definition:
        yield from definition(answer.definition, ink)
    for ref in answer.declarations or ():
        yield f"{ink.aside('also')} {ink.path(place(ref))} {clean(ref.preview)}"
    yield from places(answer.references or [], ink)
    yield _verdict(answer, ink)
    yield from undecided(answer.completeness, ink)
    if answer.next:
        yield ink.more(answer.next)
    yield from candidates(answer.candidates, answer.more_candidates, ink)
    if answer.hint:  # names what is near, too
        yield f"{ink.aside('hint:')} {clean(answer.hint)}"
    for one in answer.explained or ():
        counts = "" if one.uses is None else f" · {count(one.uses, 'use')}, {count(one.doubts or 0, 'doubt')}"
        yield f"{ink.aside('asked:')} {clean(one.name)} · {count(one.requests, 'request')}, {one.ms} ms{counts}"


def inspect_text(answer: InspectAnswer, ink: Ink) -> Iterable[str]:
    """`path:start-end Kind name`, the code as it is, and the names in it."""
    found = answer.result
    head = ink.path(f"{clean(found.file_path)}:{found.range.start_line}-{found.range.end_line}")
    words = [
        head,
        ink.kind(found.kind or ""),
        ink.name(clean(found.name or "")),
        ink.aside(external(found.external)),
    ]
    yield " ".join(word for word in words if word)
    yield block(found.code).rstrip("\n")
    if found.signature:
        yield f"{ink.aside('signature:')} {block(found.signature)}"
    if found.related_symbols:
        yield f"{ink.aside('related:')} {clean(' '.join(found.related_symbols))}"
    yield from _parts(answer, ink)


def _parts(answer: InspectAnswer, ink: Ink) -> Iterable[str]:
    for row in answer.members or ():
        where = ink.place(spot(row.id, row.end_line))
        yield f"{ink.aside('member:')} {where} {ink.kind(row.kind)} {ink.name(clean(row.name))}"
    for label, refs in (("caller:", answer.callers), ("implementation:", answer.implementations)):
        for ref in refs or ():
            yield f"{ink.aside(label)} {symbol(ref, ink)}"
    if answer.tests:
        files = ", ".join(f"{file.file_path} ({file.total})" for file in answer.tests)
        yield f"{ink.aside('tests:')} {clean(files)}"
    if answer.completeness is not None:
        yield verdict(answer.completeness, ink)
    yield from candidates(answer.candidates or (), answer.more_candidates, ink)


def status_text(answer: StatusAnswer, ink: Ink) -> Iterable[str]:
    """The daemon in one line, its places, one line per language server and library, the warnings."""
    facts = (f"pid {answer.pid} · port {answer.port} · up {_duration(answer.uptime_s)} · "
             f"{_megabytes(answer.memory_bytes)}")  # fmt: skip
    yield f"cn {answer.version} {ink.aside('·')} {facts}"
    places = [("root", answer.root), ("state file", answer.state_file), ("log", answer.log)]
    if answer.state_file == f"{answer.root}/{state.NAME}":
        del places[1]
    for label, value in places:
        yield f"{ink.aside(label + ':')} {ink.path(clean(value))}"
    for server in answer.language_servers:
        yield _server(server, ink)
    for library in answer.libraries:
        words = [ink.name(clean(library.name)), library.state, ink.aside("·"), str(library.items)]
        yield " ".join(words) + (f" {ink.aside('·')} {clean(library.detail)}" if library.detail else "")
    if answer.sandbox:
        yield f"{ink.aside('sandbox:')} {clean(answer.sandbox)}"
    for warning in answer.warnings:
        yield f"{ink.warning('warning:')} {clean(warning)}"


def _verdict(answer: FindAnswer, ink: Ink) -> str:
    status = verdict(answer.completeness, ink)
    if answer.matches is not None:
        more = "the first " if answer.next else ""
        return f"{status} {ink.aside('·')} {more}{count(len(answer.matches), 'symbol')}"
    if answer.references is None:
        return f"{status} {ink.aside('·')} {'definition only' if answer.definition else 'nothing found'}"
    shown = len(answer.references)
    if not shown and not answer.definition:
        return f"{status} {ink.aside('·')} nothing found"
    files = len({place.file_path for place in answer.references})
    references = (
        count(shown, "reference") if shown >= answer.total else f"{shown} of {count(answer.total, 'reference')}"
    )
    where = f" in {count(files, 'file')}" if files else ""
    return f"{status} {ink.aside('·')} {references}{where}"


def _server(server: LanguageServerStatus, ink: Ink) -> str:
    state = {"ready": ink.place, "failed": ink.failure}.get(server.state, ink.warning)(server.state)
    parts = [f"{ink.name(clean(' '.join(filter(None, (server.name, server.version)))))} {state}"]
    if server.typescript:
        parts.append(f"typescript {clean(server.typescript)}")
    if server.pid is not None:
        parts.append(f"pid {server.pid}")
    if server.memory_bytes is not None:
        parts.append(_megabytes(server.memory_bytes))
    if server.restarts:
        parts.append(count(server.restarts, "restart"))
    if server.detail:
        parts.append(clean(server.detail))
    return " · ".join(parts)


def _duration(seconds: float) -> str:
    whole_seconds = int(seconds)
    if whole_seconds < 60:
        return f"{whole_seconds} s"
    if whole_seconds < 3600:
        return f"{whole_seconds // 60} min"
    return f"{whole_seconds // 3600} h {whole_seconds % 3600 // 60} min"


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.0f} MB"


def _lines(lines: Iterable[str]) -> str:
    return "\n".join(lines) + "\n"


_RENDERERS: dict[type, Callable[[Any, Ink], Iterable[str]]] = {
    MapAnswer: map_text,
    FindAnswer: find_text,
    InspectAnswer: inspect_text,
    StatusAnswer: status_text,
    **RELATION_RENDERERS,
    **SURVEY_RENDERERS,
}
